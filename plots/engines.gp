# Variables: table (history), scene, what (a column), title, runners.
load plots.'/engines-style.gp'
quantity(k) = column(shown)
ordinate(k) = beside(k) ? size(quantity(k)) : NaN
set multiplot
set format x '%g'
scale = 'y'
do for [row=1:2] {
    top = row == 1 ? 0.94 : 0.46
    bottom = row == 1 ? 0.57 : 0.09
    least = row == 1 ? 1e-12 : 1e-8
    shown = row == 1 ? what : 'energy_change[J]'
    eval reach
    set xlabel row == 1 ? '' : 'time [s]'
    do for [panel=1:panels] {
        set title (row == 2 ? '' : name_panel(panel)) noenhanced
        gutter = panel == 1 ? 84 : 56
        set ylabel panel == 2 ? '' : row == 1 ? title : '|change of energy| [J]'
        load plots.'/panel.gp'
        plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 dashtype dash[k] lc rgb paint(k)
    }
}
unset multiplot
