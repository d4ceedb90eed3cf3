# Variables: table (runs against implicit Euler), second (runs against the laws).
load plots.'/style.gp'
rigs = 'slider hinge distance distance-erp-cfm'
ways = 'tgs-step tgs-substep small-steps small-steps-relax-1 small-steps-relax-3'
seen(x) = x > 1e-17 ? x : 1e-17
rig(k, x) = strcol('rig') eq word(rigs, k) ? seen(x) : NaN
way(k, x) = strcol('scheme') eq word(ways, k) ? seen(x) : NaN
stats table using (column('kp')) nooutput name 'kp' # not under a log scale
set multiplot layout 1,2
set logscale xy
set key below horizontal maxrows 2
set bmargin 6.5
set yrange [5e-18:1e-10]
set format x '10^{%L}'
set xrange [0.5*kp_min:3*kp_max]
set xlabel 'kp [N/m, N m/rad]'
set ylabel 'largest difference to implicit Euler'
plot for [k=1:4] table using (column('kp')*1.15**(k-2.5)):(rig(k, column('difference_to_implicit_euler'))) \
        with points pt 7 ps 0.9 lc rgb colour[k] title word(rigs, k), \
     1e-12 with lines dt 3 lc rgb '#444444' notitle
set format x '%g'
set xtics (1, 2, 4, 8, 16, 32, 64)
set xlabel 'iterations or substeps N'
set ylabel 'largest difference to the law'
set xrange [0.7:50]
plot for [k=1:5] second using (column('iterations')*1.08**(k-3)):(way(k, column('difference_to_law'))) \
        with points pt 7 ps 0.7 lc rgb colour[k] title word(ways, k), \
     1e-10 with lines dt 3 lc rgb '#444444' notitle
unset multiplot
