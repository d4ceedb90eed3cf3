# Variables: table (track.lateral).
load plots.'/style.gp'
tracks = 'clothoid arc'
pick(k, x) = strcol('track') eq word(tracks, k) ? x : NaN
set multiplot layout 1,2
set format y '%g'
set xlabel 's [m]'
set key below horizontal
set bmargin 6.5
set ylabel 'lateral force [N]'
plot for [k=1:2] table using (column('s[m]')):(pick(k, column('lateral[N]'))) with lines lw 2 lc rgb colour[k] title word(tracks, k), \
     for [k=1:2] table using (column('s[m]')):(pick(k, column('lateral_exactly[N]'))) with lines lw 1.5 dt 2 lc rgb '#444444' title (k == 1 ? 'm u^2 c' : '')
set ylabel 'force of the motor [N]'
plot for [k=1:2] table using (column('s[m]')):(pick(k, column('drive[N]'))) with lines lw 2 lc rgb colour[k] title word(tracks, k)
unset multiplot
