# Variables: table (the cases), mixed, mechanism (names of cases), sweeps (of the runs with CFM and ERP).
height = 820
load plots.'/style.gp'
is(c, k) = strcol('claim') eq c && strcol('case') eq k
of(c, k, way, what) = is(c, k) && strcol('way') eq way && strcol('quantity') eq what ? column('result') : NaN
seen(y, low, high) = y < low ? low : y > high ? high : y
set multiplot layout 2,2
set lmargin 11
set rmargin 3
set bmargin 4
set tmargin 3
set key top left vertical Left reverse
set logscale y

set title 'CFM, '.mixed.' with redundant rows' noenhanced
least = 1e-16 # where CFM = 0 is drawn
set logscale x
set xrange [least:*]
set yrange [1e-10:10]
set xtics ('0' least, '10^{-14}' 1e-14, '10^{-11}' 1e-11, '10^{-8}' 1e-8, '10^{-5}' 1e-5, '10^{-2}' 1e-2)
set xlabel 'CFM [m s^{-1} N^{-1}]'
set ylabel 'largest joint error [m]'
set key top center
mix(x) = x > 0 ? x : least
error(way) = of('cfm', mixed, way, 'largest joint error[m]')
plot table using (mix(column('value'))):(error('cholesky')) with linespoints pt 7 ps marks*1.6 lw 3 lc rgb colour[2] title 'Cholesky factor alone', \
     '' using (mix(column('value'))):(error('pgs')) with linespoints pt 5 ps marks*1.2 lw 2 lc rgb colour[3] title 'PGS, '.sweeps.' sweeps', \
     '' using (mix(column('value'))):(error('block-pivoting')) with linespoints pt 9 ps marks*1.2 lw 1.5 lc rgb colour[1] title 'dependent rows treated'

set title 'ERP, '.mechanism.'; grey: 0.1 to 0.8' noenhanced
unset logscale x
set xtics autofreq
set xrange [0:1.8]
set yrange [1e-8:100]
set xlabel 'ERP [1]'
set key bottom right
set object 1 rectangle from first 0.1, graph 0 to first 0.8, graph 1 fc rgb '#dddddd' fs solid noborder behind
erp(way) = seen(of('erp', mechanism, way, 'largest joint error[m]'), 1e-8, 100)
plot table using 'value':(erp('few sweeps, warm')) with linespoints pt 7 ps marks*1.6 lw 3 lc rgb colour[2] title sweeps.' sweeps, warm', \
     '' using 'value':(erp('few sweeps')) with linespoints pt 5 ps marks*1.2 lw 2 lc rgb colour[3] title sweeps.' sweeps', \
     '' using 'value':(erp('exact')) with linespoints pt 9 ps marks*1.2 lw 1.5 lc rgb colour[1] title 'solved exactly'
unset object 1

set title 'drives; above 1 a step is unstable'
set key top left
set logscale x
set xrange [*:*]
set yrange [1e-2:1e4]
set format x '10^{%L}'
set xlabel 'gain h^2 k_p / m [1]'
set ylabel 'spectral radius of a step [1]'
ways = 'explicit pgs-1 pgs-4 pgs-16 exact'
drive(way) = seen(of('drives', 'four rods', way, 'spectral radius of a step'), 1e-2, 1e4)
array marks_of[5] = [7, 5, 11, 13, 9]
array paint[5] = [2, 3, 4, 5, 1]
plot for [k=1:5] table using 'value':(drive(word(ways, k))) with linespoints pt marks_of[k] ps marks*1.2 lw (k == 1 ? 3 : 2) lc rgb colour[paint[k]] title word(ways, k), \
     1 with lines dt 2 lw 1.5 lc rgb '#555555' notitle

set title 'ds: a cart thrown off its track'
unset logscale x
set format x '%g'
set xrange [0:*]
set yrange [1e-12:10]
set xlabel 'time [s]'
set ylabel '|s - nearest point| [m]'
set key bottom right
lag(way) = abs(of('ds', 'flight', way, 's - nearest[m]'))
plot table using 'value':(lag('printed')) with lines lw 3 lc rgb colour[2] title 'as printed', \
     '' using 'value':(lag('speed')) with lines lw 2 lc rgb colour[3] title 'by the speed', \
     '' using 'value':(lag('divided')) with lines lw 2 lc rgb colour[1] title 'divided by the slope'
unset multiplot
