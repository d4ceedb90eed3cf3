# Variables: table (energies over time), growth (of a step).
load plots.'/style.gp'
stats table using (column('time[s]')) nooutput name 't'
of(m, way) = strcol('mechanism') eq m && strcol('way') eq way
low = 1e-3; high = 1e2
seen(x) = x > low && x < high ? x : NaN
at_end(x) = column('time[s]') > 0.995 * t_max ? x : NaN
array line[8] = [colour[2], colour[5], colour[3], colour[1], colour[6], colour[4], '#999999', '#000000']
set multiplot
set key off
set xlabel 'time [s]'
set ylabel 'energy over that at the start' offset 1,0
set format y '%g'
set xrange [0:t_max]
set yrange [0:2.5]
set lmargin at screen 0.06
set rmargin at screen 0.23
set title 'rotor of three inertias'
ways = "'explicit' 'a tenth of the step' 'implicit' 'keep momentum' '' 'damper' 'speed limit' 'semi-implicit, none'"
keys = "'explicit' 'a tenth of the step' 'implicit' 'keep_momentum' 'none' 'damper' 'speed limit' 'semi-implicit'"
array lift[8] = [0, 0.6, -0.4, 0.2, 0, 0.3, -0.4, 0.05]
plot for [k=1:8] table using (column('time[s]')):(of('rotor', word(keys, k)) ? column('energy_over_start') : NaN) with lines lw 2 lc rgb line[k], \
     for [k=1:8] table using (column('time[s]')):(of('rotor', word(keys, k)) ? at_end(column('energy_over_start')) : NaN):(word(ways, k)) with labels left offset 0.5,lift[k] textcolor rgb line[k]
unset ylabel
set logscale y
set format y '10^{%L}'
set yrange [0.3:high]
set lmargin at screen 0.42
set rmargin at screen 0.59
set title 'flail of two rods'
keys = "'articulation' 'a tenth of the step' 'damper' 'speed limit' 'bodies' 'implicit' 'semi-implicit'"
array hue[7] = [1, 2, 6, 7, 4, 3, 8]
array rise[7] = [0, 0.5, 1.3, 0, 0.1, -0.6, -0.3]
set label 1 'explicit' at graph 0.82, 0.6 right textcolor rgb line[1]
plot for [k=1:7] table using (column('time[s]')):(of('flail', word(keys, k)) ? seen(column('energy_over_start')) : NaN) with lines lw 2 lc rgb line[hue[k]], \
     for [k=2:7] table using (column('time[s]')):(of('flail', word(keys, k)) ? at_end(seen(column('energy_over_start'))) : NaN):(word(keys, k)) with labels left offset 0.5,rise[k] textcolor rgb line[hue[k]]
unset label 1
unset logscale y
set format y '%g'
set logscale x
set format x '10^{%L}'
set xrange [0.008:4]
set yrange [-1.4:1.4]
set xlabel 'h W'
set ylabel 'logarithm of the factor of a step' offset 1,0
set lmargin at screen 0.835
set rmargin at screen 0.985
set title 'axisymmetric rotor'
set label 1 'explicit' at first 0.01, first 1.0 left textcolor rgb line[1]
set label 4 'semi-implicit' at first 0.01, first 0.12 left textcolor rgb line[8]
set label 3 'o body, x link' at first 0.01, first 0.7 left textcolor rgb line[1]
set label 2 'implicit' at first 0.01, first -0.5 left textcolor rgb line[3]
grows(way) = strcol('way') eq way ? column('growth') : NaN
plot 0.5 * log(1 + x**2) with lines lw 1.4 lc rgb '#000000', -0.5 * log(1 + x**2) with lines lw 1.4 lc rgb '#000000', \
     growth using (column('h_W')):(grows('explicit')) with points pt 6 ps marks*2.2 lw 2 lc rgb line[1], \
     growth using (column('h_W')):(grows('link, explicit')) with points pt 2 ps marks*1 lw 2 lc rgb line[1], \
     growth using (column('h_W')):(grows('implicit')) with points pt 6 ps marks*2.2 lw 2 lc rgb line[3], \
     growth using (column('h_W')):(grows('link, implicit')) with points pt 2 ps marks*1 lw 2 lc rgb line[3], \
     growth using (column('h_W')):(grows('link, semi-implicit')) with points pt 2 ps marks*1 lw 2 lc rgb line[8]
unset multiplot
