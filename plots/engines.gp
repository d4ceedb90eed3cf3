# Variables: table (history), scene, what (a column), title, runners.
height = 480
load plots.'/style.gp'
mine(n) = strcol('scene') eq scene
load plots.'/rows.gp'
source = table
lines = words(runners)
# Engines in wide lines, a colour for each library; ours in narrow ones.
library(name) = strstrt(name, 'ode-') == 1 ? '#0072B2' : strstrt(name, 'bullet') == 1 ? '#D55E00' : strstrt(name, 'mujoco') == 1 ? '#009E73' : '#CC79A7'
ours(k) = strstrt(word(runners, k), 'ours-') == 1
array own[5] = ['#000000', '#999999', '#E69F00', '#56B4E9', '#9A6A00']
first = 1
do for [k=1:lines] { if (!ours(k)) { first = k + 1 } }
name(k) = word(runners, k)
paint(k) = ours(k) ? own[(k - first) % 5 + 1] : library(name(k))
dash(k) = ours(k) ? 1 : strstrt(' ode-quick bullet-dantzig mujoco-loose ', ' '.name(k).' ') ? 2 : 1
wide(k) = ours(k) ? 1.2 : 2.4
# A value below the axis takes its line out of the frame; a run that left the finite numbers has no point.
low = 1e-12
seen(x) = abs(x) < 1e8 ? (abs(x) > low ? abs(x) : low / 100) : NaN
abscissa(k) = column('time[s]')
ordinate(k) = strcol('runner') eq name(k) ? seen(column(shown)) : NaN
set multiplot
set format x '%g'
set xlabel 'time [s]'
panels = 2
scale = 'y'
start = 0
do for [panel=1:2] {
    shown = panel == 1 ? what : 'energy_change[J]'
    low = panel == 1 ? 1e-12 : 1e-8
    set title panel == 1 ? title : '|change of energy| [J]' noenhanced
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw wide(k) dashtype dash(k) lc rgb paint(k)
}
unset multiplot
