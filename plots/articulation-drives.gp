# Variables: table (borders), second (differences).
load plots.'/style.gp'
border(links) = strcol('drive') eq 'explicit' && column('links') == links ? column('h2_kp_over_m') : NaN
set multiplot
set key off
set format y '%g'
set xlabel 'h kd / m'
set ylabel 'h^2 kp / m'
set xrange [0:2.2]
set yrange [0:5]
set lmargin at screen 0.07
set rmargin at screen 0.42
set title 'stability of explicit drives'
set style fill solid 1.0 noborder
set label 1 'stable' at first 0.5, first 1.3 center
set label 2 '2 h kd / m + h^2 kp / m = 4' at first 0.98, first 2.6 left
set label 3 'unstable' at first 1.6, first 1.6 center
set label 6 'implicit drives: stable everywhere' at first 0.45, first 4.6 left
set label 4 'o one rod' at first 0.65, first 3.7 left textcolor rgb colour[1]
set label 5 'x four rods, m the least inertia' at first 0.65, first 3.3 left textcolor rgb colour[2]
plot (x <= 2 ? 4 - 2 * x : 0) with filledcurves y1=0 lc rgb '#eef4f8', \
     x < 2 ? 4 - 2 * x : NaN with lines lw 1.6 lc rgb '#000000', \
     table using (column('h_kd_over_m')):(border(1)) with points pt 6 ps marks*2.2 lw 2 lc rgb colour[1], \
     table using (column('h_kd_over_m')):(border(4)) with points pt 2 ps marks*1.3 lw 1.5 lc rgb colour[2]
do for [k=1:6] { unset label k }
set logscale xy
set format xy '10^{%L}'
set xlabel 'step h [s]'
set ylabel 'largest difference of a coordinate [rad]'
set xrange [1e-4:1e-2]
set yrange [2e-5:1e-2]
set lmargin at screen 0.54
set rmargin at screen 0.89
set title 'two rods that fall onto their drives'
stats second using (column('step[s]')) nooutput name 'h'
columns = 'implicit_minus_explicit[rad] explicit_error[rad] implicit_error[rad]'
names = "'implicit - explicit' 'explicit - exact' 'implicit - exact'"
plot for [k=1:3] second using (column('step[s]')):(column(word(columns, k))) with linespoints pt 7 ps marks*0.9 lw 2 lc rgb colour[k], \
     0.1 * x with lines lw 1.2 dt 3 lc rgb '#666666', \
     for [k=1:3] second using (column('step[s]')):(column('step[s]') == h_max ? column(word(columns, k)) : NaN):(word(names, k)) with labels left offset 1,(k == 1 ? 0.5 : k == 2 ? 0.1 : -0.5) textcolor rgb colour[k]
unset multiplot
