# Variables: table (errors over the step).
load plots.'/style.gp'
ways = 'dense pgs tgs-step tgs-substep'
mechanisms = 'series+0.5 chain series+0.5'
rivals = 'alone alone drive'
titles = "'in series, alone' 'chain of mimics' 'in series, driven'"
pick(m, r, k) = (strcol('mechanism') eq m && strcol('rival') eq r && strcol('scheme') eq word(ways, k)) ? column('error[rad]') : NaN
set multiplot layout 1,3
set logscale xy
set format x '10^{%L}'
set xlabel 'step h [s]'
set ylabel 'largest error of a coordinate [rad]'
set xrange [2e-4:2.5e-2]
set key below horizontal maxrows 3
set bmargin 8
do for [p=1:3] {
    m = word(mechanisms, p)
    r = word(rivals, p)
    set title word(titles, p) noenhanced
    stats table using (pick(m, r, 1)) nooutput name 'dense'
    stats table using (column('step[s]')) nooutput name 'h'
    plot for [k=1:4] table using (column('step[s]')):(pick(m, r, k)) with linespoints lw (6 - k) pt 7 ps (1.8 - 0.3 * k) lc rgb colour[k] title word(ways, k), \
         dense_min * x / h_min with lines lw 1.2 dt 2 lc rgb '#000000' title 'order 1'
}
unset multiplot
