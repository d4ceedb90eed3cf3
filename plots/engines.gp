# Variables: table (history), scene, what (a column), title, runners.
load plots.'/engines-style.gp'
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
