# Variables: table (edges of blocks), forces (a table), levels, stones.
height = 520
load plots.'/style.gp'
set multiplot layout 1,2
set format y '%g'
set size ratio -1
set lmargin 8
set bmargin 5
set key below horizontal
set xlabel 'x [m]'
set ylabel 'z [m]'
of(name, n, y) = strcol('structure') eq name && column('size') == n ? y : NaN
plot table using (of('catenary', stones + 0, column('x[m]'))):(column('z[m]')):(column('dx[m]')):(column('dz[m]')) \
         with vectors nohead lw 1 lc rgb '#888888' title 'stones', \
     forces using (of('catenary', stones + 0, column('x[m]'))):(column('z[m]')) with linespoints pt 7 ps marks*0.6 lw 1.5 \
         lc rgb colour[2] title 'line of thrust'
unset ylabel
share = 1.5
plot table using (of('house', levels + 0, column('x[m]'))):(column('z[m]')):(column('dx[m]')):(column('dz[m]')) \
         with vectors nohead lw 1 lc rgb '#888888' title 'cards', \
     forces using (of('house', levels + 0, column('x[m]'))):(column('z[m]')):(share*column('fx[m^2]')):(share*column('fz[m^2]')) \
         with vectors head filled lw 1.5 lc rgb colour[1] title 'forces of joints'
unset multiplot
