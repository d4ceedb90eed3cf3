# Variables: table (runs), mechanism, schemes (names, blanks between).
lines = words(schemes)
height = lines > 14 ? 440 + 20 * (lines - 14) : 440
load plots.'/style.gp'
source = table
name(k) = word(schemes, k)
is(k) = strcol('mechanism') eq mechanism && strcol('scheme') eq word(schemes, k)
abscissa(k) = is(k) ? column('step[s]') : NaN
ordinate(k) = is(k) && column('error[m]') > 1e-14 && column('error[m]') < 1e3 ? column('error[m]') : NaN
scale = 'xy'
set format x '%g'
set xlabel 'time step [s]'
set ylabel 'error [m]'
stats table using (strcol('mechanism') eq mechanism ? column('step[s]') : NaN) nooutput name 'step'
stats table using (strcol('mechanism') eq mechanism && column('error[m]') < 1e3 ? column('error[m]') : NaN) nooutput name 'error'
start = 0.8 * step_min
stop = 1.25 * step_max
load plots.'/panel.gp'
plot error_max * x / step_max with lines lw 1 dt 3 lc rgb '#888888', error_max * (x / step_max)**2 with lines lw 1 dt 3 lc rgb '#888888', \
     for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.7 lw 2 dashtype dashes(k) lc rgb paint(k)
