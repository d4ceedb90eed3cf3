# Variables: table (differences to direct steps), counts (N, blanks between).
load plots.'/style.gp'
source = table
lines = words(counts)
rigs = 'slider hinge'
least_shown = 1e-15 # below is rounding: a line that comes there leaves the frame
name(k) = 'N = '.word(counts, k)
abscissa(k) = column('kp')
ordinate(k) = strcol('rig') eq word(rigs, panel) && column('iterations') == number(word(counts, k)) \
    ? (column('difference_to_direct') > least_shown ? column('difference_to_direct') : least_shown / 100) : NaN
set multiplot
set format x '10^{%L}'
panels = 2
scale = 'xy'
low = least_shown
high = 10
do for [panel=1:2] {
    set xlabel (panel == 1 ? 'kp of the mass on a slider [N/m]' : 'kp of the wheel on a hinge [N m/rad]')
    set ylabel panel == 1 ? 'largest difference to direct steps' : ''
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw 1.8 pt 7 ps marks*0.8 lc rgb paint(k)
}
unset multiplot
