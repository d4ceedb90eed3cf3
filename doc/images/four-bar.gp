# README's picture, from this folder, with delassus on the PATH:
#     sed 's/gravity: .*/gravity: [0.7, 1, -9.81]/' ../../scenes/four-bar.yaml >/tmp/aside.yaml
#     delassus view ../../scenes/four-bar.yaml -o /tmp/four-bar.png
#     delassus compare /tmp/aside.yaml --solvers pgs,sor --iterations 900 -o /tmp
#     gnuplot four-bar.gp
set terminal pngcairo size 1680,640 font 'Helvetica,13' fontscale 1.5 linewidth 1.8 background rgb 'white'
set output 'four-bar.png'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN
set multiplot
set lmargin at screen 0
set rmargin at screen 0.52
set tmargin at screen 1
set bmargin at screen 0
unset border
unset tics
unset key
set xrange [0:959]
set yrange [70:680]
set size ratio -1
plot '/tmp/four-bar.png' binary filetype=png with rgbimage
set border 3 lc rgb '#444444'
set xtics nomirror textcolor rgb '#222222'
set ytics nomirror textcolor rgb '#222222'
set size noratio
set grid lc rgb '#dddddd' lt 1 lw 0.6
set lmargin at screen 0.60
set rmargin at screen 0.97
set tmargin at screen 0.93
set bmargin at screen 0.15
set format y '10^{%L}'
set logscale y
set xrange [0:900]
set yrange [3e-18:1]
set xtics 200 nomirror
set xlabel 'iteration'
set ylabel 'velocity error [J^{1/2}]'
pick(s, x) = strcol('solver') eq s && x > 0 ? x : NaN
stats '/tmp/aside.history.tsv' using (column('reference_bound[sqrt(J)]')) nooutput
set object 1 rectangle from graph 0, graph 0 to graph 1, first STATS_max behind fillcolor rgb '#e4e4e4' fillstyle solid noborder
set label 1 'proved error of the reference' at graph 0.03, first STATS_max offset 0,-0.8 textcolor rgb '#555555'
set label 2 'PGS' at 660,1e-12 textcolor rgb '#0072B2'
set label 3 'SOR' at 330,1e-13 textcolor rgb '#D55E00'
set label 4 'dashed: the predicted rates' at 330,3e-3
plot '/tmp/aside.history.tsv' using (column('iteration')):(pick('pgs', column('m_norm_error[sqrt(J)]'))) with lines lw 4 lc rgb '#0072B2', \
     '' using (column('iteration')):(pick('sor', column('m_norm_error[sqrt(J)]'))) with lines lw 4 lc rgb '#D55E00', \
     '' using (column('iteration')):(pick('pgs', column('predicted_m_norm_error[sqrt(J)]'))) with lines lw 1.4 dt (8,6) lc rgb 'black', \
     '' using (column('iteration')):(pick('sor', column('predicted_m_norm_error[sqrt(J)]'))) with lines lw 1.4 dt (8,6) lc rgb 'black'
unset multiplot
