# Variables: table (track.angle).
load plots.'/style.gp'
source = table
erps = '0.2 0.5 0.8 1'
angles = 'half printed vector'
titles = "'half the sum' 'the sum, as printed' 'rotation vector'"
lines = 4
# What rounding leaves is 0: a line that comes there leaves the frame.
least_shown = 1e-15
is(k) = strcol('angle') eq word(angles, panel) && strcol('erp') eq word(erps, k)
name(k) = 'ERP '.word(erps, k)
abscissa(k) = column('step')
ordinate(k) = is(k) ? (column('theta[rad]') > least_shown ? column('theta[rad]') : least_shown / 100) : NaN
set multiplot
set xlabel 'step'
panels = 3
scale = 'y'
low = least_shown
high = 2
start = 0
stop = 20
gutter = 76
room = 70
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    set ylabel panel == 1 ? 'angle left [rad]' : ''
    load plots.'/panel.gp'
    plot for [k=1:4] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw 2 pt 7 ps marks*0.6 lc rgb paint(k)
}
unset multiplot
