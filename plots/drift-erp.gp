# Variables: table (the sweep of ERP), iterations.
load plots.'/drift-style.gp'
mechanisms = 'chain four-bar hinge-pair'
pick(k, n, x) = picks(k) && column('iterations') == n ? seen(x, 1e-6) : NaN
set multiplot
set logscale y
set format x '%g'
set xlabel 'ERP'
set xtics 0.4
set yrange [1e-4:2]
set xrange [0:1.2]
set ylabel 'overshoot, of the first error'
do for [m=1:3] {
    mechanism = word(mechanisms, m)
    set lmargin at screen 0.07 + 0.245 * (m - 1)
    set rmargin at screen 0.28 + 0.245 * (m - 1)
    set title mechanism noenhanced
    plot for [k=1:10] table using (column('erp')):(pick(k, 0, column('overshoot'))) with linespoints lw width[k] dt dash[k] pt shape[k] ps 0.7 lc rgb line[k], \
         for [k=1:10] table using (column('erp')):(pick(k, int(iterations), column('overshoot'))) with lines lw 1.4 dt 3 lc rgb line[k]
    unset ylabel
    set format y ''
}
only = ' baumgarte split-impulse tgs-step tgs-substep small-steps small-steps-relaxed '
load plots.'/drift-key.gp'
unset multiplot
