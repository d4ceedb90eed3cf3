# Variables: table (paths), scene, runners.
load plots.'/engines-style.gp'
quantity(k) = column('distance[m]')
ordinate(k) = beside(k) ? (row == 1 ? column('travel[m]') : size(quantity(k))) : NaN
of_law(x) = is(of_others(panel) ? 1 : exact) ? x : NaN
exact = 0
do for [k=1:lines] { exact = ours(k) && !exact ? k : exact }
set multiplot
set format x '%g'
few = (last_row - first_row) / 400
do for [row=1:2] {
    top = row == 1 ? 0.94 : 0.46
    bottom = row == 1 ? 0.57 : 0.09
    least = 1e-6
    low = NaN
    high = NaN
    if (row == 2) { eval reach }
    scale = row == 1 ? '' : 'y'
    set format y row == 1 ? '%g' : '10^{%T}'
    set xlabel row == 1 ? '' : 'time [s]'
    do for [panel=1:panels] {
        set title (row == 2 ? '' : name_panel(panel)) noenhanced
        gutter = panel == 1 ? 84 : 56
        set ylabel panel == 2 ? '' : row == 1 ? 'distance from the start [m]' : 'distance from the closed form [m]'
        load plots.'/panel.gp'
        plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 dashtype dash[k] lc rgb paint(k), \
             table every (few < 1 ? 1 : few + 10)::first_row::last_row using (column('time[s]')):(row == 1 ? of_law(column('exact_travel[m]')) : NaN) \
            with points pt 6 ps 1.1 lw 1.2 lc rgb '#000000'
    }
}
unset multiplot
