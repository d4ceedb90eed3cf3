# Variables: table (iterations to a residual over time), limit (what was tried). Samples, not joined.
load plots.'/style.gp'
source = table
piles = 'stack wall'
titles = '"stack of 10" "wall of 100"'
starts = 'cold cold warm warm'
targets = '1e-3 1e-2 1e-3 1e-2'
lines = 4
array shape[4] = [6, 4, 7, 5]
array size[4] = [1.5, 1.4, 1.7, 0.9]
array hue[4] = [1, 2, 1, 2]
none = 0.5 # where steps that need no iteration stand, below the axis' first number
beyond = 2.0 * limit
name(k) = word(starts, k).' to '.word(targets, k)
paint(k) = colour[hue[k]]
abscissa(k) = column('time[s]')
needed(text) = text eq 'nan' ? beyond : number(text) < 1 ? none : number(text)
ordinate(k) = strcol('pile') eq word(piles, panel) && strcol('start') eq word(starts, k) ? needed(strcol('iterations_to_'.word(targets, k))) : NaN
set multiplot
set xlabel 'time [s]'
set ytics ('none' none, '1' 1, '10' 10, '100' 100, '1000' 1000, '> '.limit beyond)
panels = 2
gutter = 100
scale = 'y'
low = 0.35
high = 3.0 * limit
start = 0
do for [panel=1:2] {
    set title word(titles, panel) noenhanced
    set ylabel panel == 1 ? 'iterations needed' : ''
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with points pt shape[k] ps marks*size[k] lw 1.5 lc rgb paint(k)
}
unset multiplot
