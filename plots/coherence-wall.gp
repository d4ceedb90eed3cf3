# Variables: table (residual and height of a wall over time).
load plots.'/style.gp'
source = table
runs = '"euler cold" "euler warm" "split-impulse warm"'
deepest = -20 # [mm]: further down the wall has fallen
lines = words(runs)
array falls[lines]
is(k) = strcol('run') eq word(runs, k)
height_of(k) = 1e3 * column('height_change[m]')
do for [k=1:lines] {
    falls[k] = 0
    stats table using (is(k) && height_of(k) < deepest && falls[k] == 0 ? (falls[k] = column('time[s]'), 1) : 1) nooutput
}
name(k) = word(runs, k).(falls[k] > 0 ? ': falls' : '')
abscissa(k) = column('time[s]')
set multiplot
set xlabel 'time [s]'
panels = 2
start = 0
panel = 1
low = deepest
high = 5
set format y '%g'
set ylabel 'lowest brick of the top course, change [mm]'
ordinate(k) = is(k) && height_of(k) >= deepest ? height_of(k) : NaN
set title 'what the wall does' noenhanced
load plots.'/panel.gp'
plot for [k=1:lines] table using (abscissa(k)):(is(k) ? height_of(k) : NaN) with lines lw 2 lc rgb paint(k)
# What lies on the ground is no wall: its residual is not drawn.
low = NaN
high = NaN
set format y '10^{%L}'
set ylabel 'scaled residual'
scale = 'y'
panel = 2
ordinate(k) = is(k) && (falls[k] == 0 || column('time[s]') < falls[k]) ? column('scaled_residual') : NaN
set title 'residual while it stands' noenhanced
load plots.'/panel.gp'
plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 lc rgb paint(k)
unset multiplot
