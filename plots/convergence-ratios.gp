# Variables: table (mass ratios), solvers (names, blanks between).
load plots.'/style.gp'
name(k) = word(solvers, k)
pick(k, x) = strcol('solver') eq name(k) ? x : NaN
set logscale xy
set format x '10^{%L}'
set xlabel 'mass ratio of the last ball [1]'
set ylabel 'iterations per factor of ten'
set key top left vertical Left reverse
set bmargin 4
plot for [k=1:words(solvers)] table using (column('mass_ratio')):(pick(k, column('predicted_iterations_per_decade'))) \
    with lines lw 2 lc rgb colour[k] title name(k).', predicted', \
     for [k=1:words(solvers)] table using (column('mass_ratio')):(pick(k, column('fitted_iterations_per_decade'))) \
    with points pt 7 ps marks*2 lc rgb colour[k] title name(k).', fitted'
