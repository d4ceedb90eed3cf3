# Variables: table (errors), second (the motion).
load plots.'/style.gp'
array steps[4] = [500, 20, 100, 500]
stats table using (column('kp')) nooutput name 'kp'
set multiplot
panels = 2
source = second
lines = 4
name(k) = k == 1 ? 'exact' : sprintf('%d steps', steps[k])
paint(k) = k == 1 ? '#999999' : colour[k - 1]
abscissa(k) = column('periods')
ordinate(k) = column('steps_a_period') == steps[k] ? (k == 1 ? column('exact') : column('C_over_start')) : NaN
set format y '%g'
set title 'undamped, by steps per period' noenhanced
set xlabel 'periods'
set ylabel 'C over its start'
panel = 1
load plots.'/panel.gp'
plot for [k=1:4] second @of_line using (abscissa(k)):(ordinate(k)) with lines lw (k == 1 ? 4 : 1.8) lc rgb paint(k)
source = table
lines = 5
zetas = '0 0.01 0.3 1 3'
name(k) = 'ratio '.word(zetas, k)
paint(k) = colour[k]
abscissa(k) = column('w_h')
ordinate(k) = strcol('rig') eq 'slider' && column('kp') == kp_min && column('damping_ratio') == number(word(zetas, k)) ? column('error_over_amplitude') : NaN
scale = 'xy'
set format xy '10^{%L}'
set title 'by damping ratio; dashed: order 1' noenhanced
set xlabel 'w h'
set ylabel 'largest error over the amplitude'
panel = 2
load plots.'/panel.gp'
plot for [k=1:5] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.8 lw (k == 1 ? 3.5 : 1.8) lc rgb paint(k), \
     x with lines dt 2 lc rgb '#444444'
unset multiplot
