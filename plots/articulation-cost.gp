# Variables: table (measured times).
load plots.'/style.gp'
time = 'time_measured_10_iterations[s]'
direct = 'time_measured_direct[s]'
is(joints, form) = strcol('joints') eq joints && strcol('coordinates') eq form
kinds = 'hinges balls few'
names = "hinges 'ball joints' 'four hinges, else fixed'"
stats table using (column('links')) nooutput name 'links'
at_last(x) = column('links') == links_max ? x : NaN
set multiplot
set logscale xy
set format x '%g'
set yrange [2e-6:0.1]
set xrange [3:200]
set key off
set xlabel 'links'
set ylabel 'time of a step, measured [s]' offset 1,0
set lmargin at screen 0.075
set rmargin at screen 0.355
set title 'a chain of hinges'
set label 1 'bodies, direct' at graph 0.62, 0.93 right textcolor rgb colour[6]
plot table using (column('links')):(is('hinges', 'maximal') ? column(direct) : NaN) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb colour[6], \
     table using (column('links')):(is('hinges', 'maximal') ? column(time) : NaN) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb colour[1], \
     table using (column('links')):(is('hinges', 'reduced') ? column(time) : NaN) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb colour[2], \
     table using (column('links')):(is('hinges', 'maximal') ? at_last(column(time)) : NaN):('bodies, PGS') with labels right offset 0,-2.5 textcolor rgb colour[1], \
     table using (column('links')):(is('hinges', 'reduced') ? at_last(column(time)) : NaN):('articulation') with labels right offset 0,-3 textcolor rgb colour[2]
unset label 1
unset ylabel
set yrange [2e-6:2e-4]
array paint[3] = ['#D55E00', '#009E73', '#0072B2']
do for [p=2:3] {
    set lmargin at screen 0.085 + 0.315 * (p - 1)
    set rmargin at screen 0.365 + 0.315 * (p - 1)
    set title p == 2 ? 'articulations, by links' : 'the same, by degrees of freedom'
    set xlabel p == 2 ? 'links' : 'degrees of freedom'
    set xrange [3:(p == 2 ? 200 : 800)]
    do for [k=1:3] { if (p == 2) { set label k word(names, k) at graph 0.05, 0.97 - 0.075 * k left textcolor rgb paint[k] } }
    if (p == 3) { do for [k=1:3] { unset label k } }
    plot for [k=1:3] table using (column(p == 2 ? 'links' : 'velocities')):(is(word(kinds, k), 'reduced') ? column(time) : NaN) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb paint[k], \
         table using (column('velocities')):(p == 3 && is('few', 'reduced') ? at_last(column(time)) : NaN):('four, always') with labels left offset 0,1 textcolor rgb paint[3]
}
unset multiplot
