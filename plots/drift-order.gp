# Variables: table (runs).
load plots.'/drift-style.gp'
mechanisms = 'chain four-bar hinge-pair'
pick(k, x) = picks(k) && column('iterations') == 0 ? seen(x, 1e-16) : NaN
set multiplot
set logscale xy
set format x '10^{%L}'
set xlabel 'time step [s]'
set yrange [1e-14:10]
set xrange [7e-4:5e-2]
set ylabel 'largest joint error [m]'
do for [m=1:3] {
    mechanism = word(mechanisms, m)
    set lmargin at screen 0.07 + 0.245 * (m - 1)
    set rmargin at screen 0.28 + 0.245 * (m - 1)
    set title mechanism noenhanced
    plot 3*x with lines lw 1 dt 3 lc rgb '#888888', 30*x**2 with lines lw 1 dt 3 lc rgb '#888888', \
         for [k=1:10] table using (1/column('steps_a_second')):(pick(k, column('worst_error[m]'))) with linespoints lw width[k] dt dash[k] pt shape[k] ps 0.7 lc rgb line[k]
    unset ylabel
    set format y ''
}
only = ' '.ways.' '
load plots.'/drift-key.gp'
unset multiplot
