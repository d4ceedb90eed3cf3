# Variables: table (mass ratios), solvers (names, blanks between).
load plots.'/style.gp'
source = table
lines = words(solvers)
name(k) = word(solvers, k)
abscissa(k) = column('mass_ratio')
work(k, x) = strcol('solver') eq name(k) ? column(x) * column('row_visits_per_iteration') : NaN
ordinate(k) = work(k, 'predicted_iterations_per_decade')
scale = 'xy'
set format x '10^{%L}'
set xlabel 'mass ratio of the last ball [1]'
set ylabel 'row visits per factor of ten [1]'
load plots.'/panel.gp'
plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 lc rgb paint(k), \
     for [k=1:lines] table @of_line using (abscissa(k)):(work(k, 'fitted_iterations_per_decade')) with points pt 7 ps marks*2 lc rgb paint(k)
