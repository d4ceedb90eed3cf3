# Variables: table (paths), scene, runners. The names stand beside the right panel alone: on the left the lines are to
# lie on the circles.
load plots.'/engines-style.gp'
ordinate(k) = strcol('runner') eq who(k) ? (panel == 1 ? column('travel[m]') : seen(column('distance[m]'))) : NaN
of_law(x) = strcol('runner') eq who(1) || strcol('runner') eq 'ours-exact' ? x : NaN
name(k) = panel == 1 ? '' : who(k)
set multiplot
set format x '%g'
set xlabel 'time [s]'
panels = 2
start = 0
scale = ''
low = NaN
set title 'distance from the start [m], circles: in closed form' noenhanced
panel = 1
load plots.'/panel.gp'
set format y '%g'
few = (last_row - first_row) / 400
plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw wide(k) dashtype dash(k) lc rgb paint(k), \
    table every (few < 1 ? 1 : few + 10)::first_row::last_row using (column('time[s]')):(of_law(column('exact_travel[m]'))) with points pt 6 ps 1.1 lw 1.2 lc rgb '#000000'
panel = 2
scale = 'y'
low = 1e-6
set title 'distance from the closed form [m]' noenhanced
load plots.'/panel.gp'
set format y '10^{%T}'
plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw wide(k) dashtype dash(k) lc rgb paint(k)
unset multiplot
