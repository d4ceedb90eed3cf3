# Variables: table (decay), mechanism.
load plots.'/style.gp'
source = table
ways = 'dense pgs tgs-step tgs-substep'
lines = 4
is(k) = strcol('mechanism') eq mechanism && strcol('scheme') eq word(ways, k)
shown(x) = x > 1e-16 ? x : NaN
name(k) = word(ways, k)
abscissa(k) = column('steps')
ordinate(k) = is(k) ? shown(column('C')) : NaN
scale = 'y'
start = 0
set xlabel 'steps k'
set ylabel '|C| [rad]'
load plots.'/panel.gp'
set label 1 'points: measured, lines: predicted' at graph 0.03, graph 0.08
plot for [k=1:4] table using (abscissa(k)):(is(k) ? shown(column('predicted_C')) : NaN) with lines lw (k == 1 ? 3 : 1.5) lc rgb paint(k), \
     for [k=1:4] table @of_line using (abscissa(k)):(ordinate(k)) with points pt (k == 1 ? 6 : 7) ps marks*(k == 1 ? 2 : 1) lc rgb paint(k)
