# Variables: table (runs).
load plots.'/drift-style.gp'
mechanisms = 'chain four-bar hinge-pair'
abscissa(k) = column('steps_a_second')
ordinate(k) = is(mechanism, k) && column('iterations') == 0 ? down_to(column('worst_error[m]'), low) : NaN
set multiplot
set format x '%g'
set xtics (30, 100, 300, 1000)
set xlabel 'steps per second'
scale = 'xy'
panels = 3
low = 1e-8
high = 3
gutter = 76
start = 25
stop = 1000
room = 112
do for [panel=1:3] {
    mechanism = word(mechanisms, panel)
    set title mechanism noenhanced
    set ylabel panel == 1 ? 'largest joint error [m]' : ''
    load plots.'/panel.gp'
    plot 3 / x with lines lw 1 dt 3 lc rgb '#888888', 30 / x**2 with lines lw 1 dt 3 lc rgb '#888888', \
         for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw width[k] pt shape[k] ps marks*0.6 lc rgb paint(k)
}
unset multiplot
