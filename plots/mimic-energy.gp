# Variables: table (energies over time), one, many (mechanisms), coarse, fine (steps).
load plots.'/style.gp'
source = table
ways = 'dense pgs tgs-step tgs-substep dense'
lines = 5 # the last one with the fine step
h(k) = k < 5 ? number(coarse) : number(fine)
is(m, k) = strcol('mechanism') eq m && strcol('scheme') eq word(ways, k) && abs(column('step[s]') - h(k)) < 1e-3 * h(k)
name(k) = k < 5 ? word(ways, k) : sprintf('dense, %g s', number(fine))
paint(k) = k < 5 ? colour[k] : '#000000'
# Lines that coincide take turns: of four dashes from the start, each is a quarter shorter than the one below it.
do for [k=2:4] { eval sprintf('set dashtype %d (%d,%d)', 10 + k, 10 * (5 - k), 10 * (k - 1)) }
dashes(k) = k == 5 ? 2 : k == 1 || panel == 2 ? 1 : 10 + k
width(k) = k < 5 && panel == 2 ? 4.5 - 0.8 * k : 2
gutter = 108
abscissa(k) = column('time[s]')
ordinate(k) = is(panel == 1 ? one : many, k) ? column('energy_change[J]') : NaN
set multiplot
set format y '%g'
set xlabel 'time [s]'
panels = 2
do for [panel=1:2] {
    set title panel == 1 ? 'two rods, one row: all alike' : 'chain of mimics' noenhanced
    set ylabel panel == 1 ? 'energy, change since the start [J]' : ''
    load plots.'/panel.gp'
    plot for [k=1:5] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw width(k) dashtype dashes(k) lc rgb paint(k)
}
unset multiplot
