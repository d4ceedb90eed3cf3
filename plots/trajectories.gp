# Variables: table (steps), examples (names, blanks between).
lines = words(examples)
height = 20 * lines + 160
load plots.'/style.gp'
source = table
name(k) = word(examples, k)
is(k) = strcol('example') eq word(examples, k) && strcol('kind') eq 'length'
abscissa(k) = is(k) ? column('step[s]') : NaN
ordinate(k) = is(k) ? column('difference[m|rad]') : NaN
scale = 'xy'
set format x '%g'
set xlabel 'time step [s]'
set ylabel 'largest difference [m]'
room = 140
load plots.'/panel.gp'
plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.7 lw 2 dashtype dashes(k) lc rgb paint(k)
