# Variables: table (the sweep of ERP), iterations.
height = 680
load plots.'/drift-style.gp'
unset datafile missing # a line ends where nothing passes zero
mechanisms = 'chain four-bar hinge-pair'
array counts[2] = [0, int(iterations)]
abscissa(k) = column('erp')
ordinate(k) = is(mechanism, k) && column('iterations') == counts[row] ? seen(column('overshoot'), 1e-6) : NaN
set multiplot
set format x '%g'
set xlabel 'ERP'
scale = 'y'
panels = 3
low = 1e-4
high = 1
start = 0
stop = 1.2
gutter = 76
do for [row=1:2] {
    top = row == 1 ? 0.94 : 0.45
    bottom = row == 1 ? 0.58 : 0.09
    do for [panel=1:3] {
        mechanism = word(mechanisms, panel)
        set title mechanism.(row == 1 ? ', solved exactly' : ', PGS '.iterations) noenhanced
        set ylabel panel == 1 ? 'overshoot, of the first error' : ''
        load plots.'/panel.gp'
        set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dt 3 lc rgb '#444444'
        plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw width[k] pt shape[k] ps marks*0.5 lc rgb paint(k)
    }
}
unset multiplot
