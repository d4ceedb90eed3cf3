# Variables: table (track.order).
load plots.'/style.gp'
erps = '0 0.2 0.8 1'
pick(m, e, x) = strcol('method') eq m && strcol('erp') eq word(erps, e) && abs(x) > 1e-15 ? abs(x) : NaN
set multiplot layout 1,2
set logscale xy
set format x '10^{%L}'
set xlabel 'time step [s]'
set key below horizontal
set bmargin 6.5
set ylabel 'error of the way s, relative'
plot for [e=1:4] table using (column('step[s]')):(pick('dense', e, column('error_of_s'))) with lines lw 2 lc rgb colour[e] title 'erp '.word(erps, e), \
     for [e=1:4] table using (column('step[s]')):(pick('pgs', e, column('error_of_s'))) with points pt 2 lc rgb colour[e] notitle, \
     for [e=1:4] table using (column('step[s]')):(pick('tgs', e, column('error_of_s'))) with points pt 6 ps 1.4 lc rgb colour[e] notitle
set ylabel 'greatest distance off the rail [m]'
plot for [e=1:4] table using (column('step[s]')):(pick('dense', e, column('off_rail[m]'))) with lines lw 2 lc rgb colour[e] title 'erp '.word(erps, e), \
     for [e=1:4] table using (column('step[s]')):(pick('pgs', e, column('off_rail[m]'))) with points pt 2 lc rgb colour[e] notitle, \
     for [e=1:4] table using (column('step[s]')):(pick('tgs', e, column('off_rail[m]'))) with points pt 6 ps 1.4 lc rgb colour[e] notitle
unset multiplot
