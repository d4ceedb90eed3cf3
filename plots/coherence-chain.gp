# Variables: table (joint errors over time), schemes (separated by blanks).
height = 720
load plots.'/style.gp'
source = table
ratios = '1 100'
titles = '"equal balls" "the last ball 100 times as heavy"'
starts = 'cold warm'
lines = words(schemes)
name(k) = word(schemes, k)
abscissa(k) = column('time[s]')
ordinate(k) = strcol('mass_ratio') eq word(ratios, panel) && strcol('start') eq word(starts, row) && strcol('scheme') eq word(schemes, k) \
    && column('joint_error[m]') > 0 ? column('joint_error[m]') : NaN
set multiplot
set xlabel 'time [s]'
panels = 2
scale = 'y'
low = 1e-4
high = 300
start = 0
do for [row=1:2] {
    top = row == 1 ? 0.94 : 0.455
    bottom = row == 1 ? 0.58 : 0.09
    do for [panel=1:2] {
        set title word(titles, panel).', '.word(starts, row) noenhanced
        set ylabel panel == 1 ? 'joint error [m]' : ''
        load plots.'/panel.gp'
        plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 1.8 lc rgb paint(k)
    }
}
unset multiplot
