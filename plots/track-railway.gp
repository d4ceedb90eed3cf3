# Variables: table (track.railway).
load plots.'/style.gp'
source = table
wagons = 'engine wagon1 wagon2'
is(k) = strcol('wagon') eq word(wagons, k)
set multiplot
set format y '%g'
set xlabel 'x [m]'
set ylabel 'y [m]'
set lmargin at screen 0.06
set rmargin at screen 0.37
set tmargin at screen 0.72
set bmargin at screen 0.15
set size ratio -1
set palette defined (0 colour[1], 1 colour[5], 2 colour[2])
set colorbox user horizontal origin screen 0.06, screen 0.88 size screen 0.31, screen 0.03
set cbtics 10
set ytics 2
set cblabel 'lateral force on the engine [N]' offset 0,0.4
unset key
plot table using (is(1) ? column('x[m]') : NaN):(column('y[m]')):(column('lateral[N]')) with points pt 7 ps marks*0.5 palette
set size noratio
set ytics autofreq
panels = 2
gutter = 40
panel = 2
lines = 4
name(k) = k > 3 ? 'curvature' : word(wagons, k)
paint(k) = k > 3 ? '#222222' : colour[k]
abscissa(k) = column('s[m]')
ordinate(k) = k > 3 ? (is(1) ? 100 * column('curvature[1/m]') : NaN) : is(k) ? column('lateral[N]') : NaN
set xlabel 's [m]'
set ylabel 'lateral force [N], curvature [1/(100 m)]'
load plots.'/panel.gp'
plot for [k=1:3] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 1.5 lc rgb paint(k), \
     table using (abscissa(4)):(ordinate(4)) with lines lw 2 dt 2 lc rgb paint(4)
unset multiplot
