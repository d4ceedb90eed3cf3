# Variables: table (depths at rest).
load plots.'/style.gp'
source = table
ways = 'euler tgs-step tgs-substep split-impulse projection-newton small-steps'
lines = 6
array shape[6] = [7, 6, 4, 8, 2, 1]
is(rig, k) = strcol('rig') eq rig && strcol('scheme') eq word(ways, k)
name(k) = word(ways, k)
abscissa(k) = column('kp')
set multiplot
panels = 3
gutter = 76
scale = 'xy'
set format x '10^{%L}'
set xtics (1, 1e2, 1e4, 1e6, 1e8)
set xlabel 'kp [N/m]'
set title 'depth on the contact' noenhanced
set ylabel 'depth [m]'
name(k) = ''
room = 10
ordinate(k) = is('contact', k) ? column('depth[m]') : NaN
panel = 1
load plots.'/panel.gp'
set label 1 'line: m g / kp' at graph 0.95, graph 0.93 right
plot table using (abscissa(1)):(is('contact', 1) ? column('m_g_over_kp[m]') : NaN) with lines lw 1.5 lc rgb '#444444', \
     for [k=1:6] table @of_line using (abscissa(k)):(ordinate(k)) with points pt shape[k] ps marks*(0.6 + 0.3*k) lw 1.5 lc rgb paint(k)
name(k) = word(ways, k)
room = 130
low = 1e-17 # an error of 0 leaves the frame
high = 1e-8
rigs = 'limit contact'
ordinate(k) = is(word(rigs, panel - 1), k) ? (abs(column('relative_error')) > low ? abs(column('relative_error')) : low / 100) : NaN
do for [panel=2:3] {
    set xtics (1, 1e4, 1e8)
    set title 'relative error, '.word(rigs, panel - 1) noenhanced
    set ylabel ''
    load plots.'/panel.gp'
    plot for [k=1:6] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt shape[k] ps marks*0.8 lw 1.5 lc rgb paint(k)
}
unset multiplot
