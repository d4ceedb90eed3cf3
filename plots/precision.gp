# Variables: table (stalls).
load plots.'/style.gp'
array precisions[4] = ['float', 'float coefficients, double sums', 'double', 'double-double']
pick(k, x) = strcol('precision') eq precisions[k] ? x : NaN
set logscale xy
set format x '10^{%L}'
set xlabel 'mass ratio of the last box [1]'
set ylabel 'relative error of the impulses at the stall [1]'
set key outside right center vertical Left reverse
set bmargin 4
plot for [k=1:4] table using (column('mass_ratio')):(pick(k, column('predicted_error'))) with lines lw 2 lc rgb colour[k] title precisions[k].', predicted', \
     for [k=1:4] table using (column('mass_ratio')):(pick(k, column('error'))) with points pt 7 ps marks*2 lc rgb colour[k] title precisions[k].', measured'
