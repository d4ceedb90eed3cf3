# Variables: table (slides), mu, few, many.
load plots.'/style.gp'
mu = real(mu)
deg = 180 / pi
g = 9.81
is(law, n) = strcol('law') eq law && column('iterations') == n
pick(law, n, x) = is(law, n) ? x : NaN
off(x) = abs(x) > 1e-17 ? abs(x) : 1e-17
wrong(law, n) = pick(law, n, off(column('acceleration[m/s^2]') - column('predicted[m/s^2]')) / g)
set multiplot layout 1,2
set key below horizontal maxrows 2
set bmargin 6.5
set xlabel 'slope [deg]'
set xrange [0:2*atan(mu)*deg]
set yrange [-0.01:*]
set ylabel 'acceleration down the slope over g'
set format y '%g'
set arrow from first atan(mu)*deg, graph 0 to first atan(mu)*deg, graph 1 nohead dt 3 lc rgb '#444444'
set arrow from first asin(mu)*deg, graph 0 to first asin(mu)*deg, graph 1 nohead dt 3 lc rgb '#444444'
set label 'atan {/Symbol m}' at first atan(mu)*deg, graph 0.93 right offset -0.5,0
set label 'asin {/Symbol m}' at first asin(mu)*deg, graph 0.86 left offset 0.5,0
plot table using (column('angle[rad]')*deg):(pick('fixed', 0, column('predicted[m/s^2]'))/g) with lines lw 1.5 lc rgb colour[2] notitle, \
     table using (column('angle[rad]')*deg):(pick('cone', 0, column('predicted[m/s^2]'))/g) with lines lw 1.5 lc rgb colour[1] notitle, \
     table using (column('angle[rad]')*deg):(pick('fixed', 0, column('acceleration[m/s^2]'))/g) with points pt 7 ps 0.7 lc rgb colour[2] title 'fixed', \
     table using (column('angle[rad]')*deg):(pick('box', 0, column('acceleration[m/s^2]'))/g) with points pt 6 ps 2 lw 1.5 lc rgb colour[3] title 'box', \
     table using (column('angle[rad]')*deg):(pick('facets-8', 0, column('acceleration[m/s^2]'))/g) with points pt 2 ps 1.6 lw 1.5 lc rgb colour[4] title '8 facets', \
     table using (column('angle[rad]')*deg):(pick('cone', 0, column('acceleration[m/s^2]'))/g) with points pt 7 ps 0.8 lc rgb colour[1] title 'cone', \
     NaN with lines lw 1.5 lc rgb '#444444' title 'predicted'
unset label
unset arrow
set format y '10^{%L}'
set logscale y
set yrange [5e-19:1]
set ylabel 'error of the acceleration over g'
plot table using (column('angle[rad]')*deg):(wrong('fixed', few)) with linespoints pt 7 ps 0.7 lw 1.5 lc rgb colour[2] title 'fixed, PGS '.few, \
     table using (column('angle[rad]')*deg):(wrong('box', few)) with linespoints pt 7 ps 0.7 lw 1.5 lc rgb colour[3] title 'box, PGS '.few, \
     table using (column('angle[rad]')*deg):(wrong('cone', few)) with linespoints pt 7 ps 0.7 lw 1.5 lc rgb colour[1] title 'cone, NSGS '.few, \
     table using (column('angle[rad]')*deg):(wrong('cone', many)) with linespoints pt 6 ps 0.9 lw 1.5 dt 2 lc rgb colour[1] title 'cone, NSGS '.many, \
     table using (column('angle[rad]')*deg):(wrong('cone', 0)) with points pt 2 ps 1.1 lc rgb colour[1] title 'cone, reference', \
     table using (column('angle[rad]')*deg):(wrong('box', 0)) with points pt 1 ps 1.1 lc rgb colour[3] title 'box, reference'
unset multiplot
