# Variables: table (track.lateral).
load plots.'/style.gp'
source = table
tracks = 'clothoid arc'
lines = 2
is(k) = strcol('track') eq word(tracks, k)
name(k) = word(tracks, k)
abscissa(k) = column('s[m]')
ordinate(k) = is(k) ? column(quantity) : NaN
set multiplot
set format y '%g'
set xlabel 's [m]'
panels = 3
gutter = 76
set title 'lateral force; dashed: m u^2 c' enhanced
set ylabel 'force [N]'
quantity = 'lateral[N]'
panel = 1
load plots.'/panel.gp'
plot for [k=1:2] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2.5 lc rgb paint(k), \
     for [k=1:2] table using (abscissa(k)):(is(k) ? column('lateral_exactly[N]') : NaN) with lines lw 1.2 dt 2 lc rgb '#222222'
# The two differ a thousandfold: each has a panel of its own.
quantity = 'drive[N]'
lines = 1
unset ylabel
do for [panel=2:3] {
    which = panel == 2 ? 2 : 1
    name(k) = ''
    paint(k) = colour[which]
    ordinate(k) = is(which) ? column(quantity) : NaN
    set title 'motor [N], '.word(tracks, which) noenhanced
    load plots.'/panel.gp'
    plot table using (abscissa(1)):(ordinate(1)) with lines lw 2 lc rgb paint(1)
}
unset multiplot
