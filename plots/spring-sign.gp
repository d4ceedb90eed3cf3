# Variables: table (factors per step), second (a run).
load plots.'/style.gp'
signs = 'correct printed'
lines = 2
is(k) = strcol('sign') eq word(signs, k)
name(k) = word(signs, k)
set multiplot
panels = 2
source = second
abscissa(k) = column('steps')
ordinate(k) = is(k) ? column('abs_C') : NaN
scale = 'y'
set xlabel 'steps'
set ylabel '|C| [m]'
panel = 1
load plots.'/panel.gp'
plot for [k=1:2] second @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.5 lw 1.5 lc rgb paint(k)
source = table
abscissa(k) = column('w_h')
ordinate(k) = is(k) && column('damping_ratio') == 0 ? column('factor') : NaN
scale = 'xy'
set format x '10^{%L}'
set xlabel 'w h'
set ylabel 'factor per step, undamped'
low = 1e-3
high = 1e2
start = 0.01
stop = 500
panel = 2
load plots.'/panel.gp'
set arrow 1 from first 2, graph 0 to first 2, graph 1 nohead dt 3 lc rgb '#444444'
set samples 2000
plot 1 with lines dt 3 lc rgb '#444444', \
     1/sqrt(1 + x*x) with lines lw 1.2 lc rgb paint(1), 1/abs(1 - x) with lines lw 1.2 lc rgb paint(2), \
     for [k=1:2] table @of_line using (abscissa(k)):(ordinate(k)) with points pt 7 ps marks*0.8 lc rgb paint(k)
unset multiplot
