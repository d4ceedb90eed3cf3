# Variables: table (track.railway).
load plots.'/style.gp'
wagons = 'engine wagon1 wagon2'
pick(k, x) = strcol('wagon') eq word(wagons, k) ? x : NaN
set multiplot layout 1,2
set format y '%g'
set xlabel 'x [m]'
set ylabel 'y [m]'
set size ratio -1
set palette defined (0 '#0072B2', 1 '#E69F00', 2 '#D55E00')
set cblabel 'lateral force on the engine [N]' offset 1.5,0
unset key
plot table using (pick(1, column('x[m]'))):(column('y[m]')):(column('lateral[N]')) with points pt 7 ps 0.5 palette
set size noratio
set key below horizontal
set bmargin 6.5
set xlabel 's [m]'
set ylabel 'lateral force [N], curvature [1/(100 m)]'
plot for [k=1:3] table using (column('s[m]')):(pick(k, column('lateral[N]'))) with lines lw 1.5 lc rgb colour[k] title word(wagons, k), \
     table using (column('s[m]')):(pick(1, 100 * column('curvature[1/m]'))) with lines lw 2 dt 2 lc rgb '#444444' title 'curvature'
unset multiplot
