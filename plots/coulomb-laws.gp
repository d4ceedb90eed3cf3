# Variables: table (thicknesses), creep (a table).
load plots.'/style.gp'
set multiplot layout 1,2
set lmargin 11
set bmargin 6
set key below horizontal
set logscale xy
set format x '%g'
set xrange [3:400]
set xlabel 'stones [1]'
set ylabel 'thickness missing to the continuous arch [1]' offset 0.5,0
plot table using 'stones':'difference' with linespoints pt 7 ps marks lw 1.5 lc rgb colour[1] title 'least thickness, by proof'
unset logscale
set format y '%g'
set xlabel 'slope, tangent [1]'
set ylabel 'creep [mm/s]'
set xrange [0:*]
set yrange [0:*]
slope(y) = strcol('case') eq 'slope' ? y : NaN
plot creep using (slope(column('tangent'))):(1e3*column('law[m/s]')) with lines lw 1.5 lc rgb colour[1] title 'closed form', \
     creep using (slope(column('tangent'))):(1e3*column('speed[m/s]')) with points pt 7 ps marks lc rgb colour[2] title 'MuJoCo'
unset multiplot
