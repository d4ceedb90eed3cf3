# Variables: table (factors per step), second (a run).
load plots.'/style.gp'
signs = 'correct printed'
pick(k) = strcol('sign') eq word(signs, k)
bare(k) = pick(k) && column('damping_ratio') == 0
set multiplot layout 1,2
set key below horizontal maxrows 1
set logscale y
set xlabel 'steps'
set ylabel '|C| [m]'
plot for [k=1:2] second using (column('steps')):(pick(k) ? column('abs_C') : NaN) \
        with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour[k] title word(signs, k)
set logscale x
set format x '10^{%L}'
set xlabel 'w h'
set ylabel 'factor per step, undamped'
set yrange [1e-3:1e2]
set arrow from first 2, graph 0 to first 2, graph 1 nohead dt 3 lc rgb '#444444'
set samples 2000
set xrange [0.01:500]
plot 1 with lines dt 3 lc rgb '#444444' notitle, \
     1/sqrt(1 + x*x) with lines lw 1.2 lc rgb colour[1] notitle, \
     1/abs(1 - x) with lines lw 1.2 lc rgb colour[2] notitle, \
     for [k=1:2] table using (column('w_h')):(bare(k) ? column('factor') : NaN) \
        with points pt 7 ps 0.8 lc rgb colour[k] title word(signs, k)
unset multiplot
