# Variables: table (mixing).
load plots.'/style.gp'
set multiplot layout 1,2
positive(x) = x > 0 ? x : NaN
set logscale xy
set format x '10^{%L}'
set xlabel 'CFM of the joints [m s^{-1} N^{-1}]'
set bmargin 4
set lmargin 11
set key top left vertical Left reverse
stats table using (column('cfm[m s^-1 N^-1]') == 0 ? column('predicted_iterations_per_decade') : NaN) nooutput name 'rigid'
set ylabel 'sweeps of PGS per factor of ten'
set key bottom left
plot table using (positive(column('cfm[m s^-1 N^-1]'))):(column('predicted_iterations_per_decade')) with lines lw 2 lc rgb colour[1] title 'predicted', \
     '' using (positive(column('cfm[m s^-1 N^-1]'))):(strcol('fit') eq 'line' ? column('fitted_iterations_per_decade') : NaN) with points pt 7 ps marks*2 lc rgb colour[1] title 'fitted', \
     rigid_max with lines dashtype 2 lw 1.5 lc rgb '#555555' title 'without CFM'
set ylabel 'bias [1], joint error [m]'
set key bottom right
plot table using (positive(column('cfm[m s^-1 N^-1]'))):(positive(column('bias'))) with linespoints pt 7 ps marks*1.5 lw 2 lc rgb colour[2] title 'bias of the velocity [1]', \
     '' using (positive(column('cfm[m s^-1 N^-1]'))):(column('drift[m]')) with linespoints pt 5 ps marks*1.5 lw 2 lc rgb colour[3] title 'largest joint error [m]'
unset multiplot
