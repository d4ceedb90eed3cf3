# Variables: table (runs), mechanism, actuation, step.
load plots.'/style.gp'
source = table
ways = 'pgs tgs-step tgs-substep'
lines = 6 # with the mimic row first, then with the mimic row last
h = number(step)
way(k) = word(ways, (k - 1) % 3 + 1)
order(k) = k > 3 ? 'last' : 'first'
is(k) = strcol('mechanism') eq mechanism && strcol('actuation') eq actuation && strcol('rows_of_mimic') eq order(k) \
    && strcol('scheme') eq way(k) && abs(column('step[s]') - h) < 1e-3 * h
name(k) = way(k).', '.order(k)
paint(k) = colour[(k - 1) % 3 + 1]
dashes(k) = k > 3 ? 2 : 1
abscissa(k) = column('iterations')
ordinate(k) = is(k) && column(quantity) > 0 ? column(quantity) : NaN
set multiplot
scale = 'xy'
set xtics (1, 4, 16, 64)
set format x '%g'
set xlabel 'iterations N per step'
panels = 2
start = 0.85
stop = 75
do for [panel=1:2] {
    quantity = panel == 1 ? 'max_C' : 'm_norm_error[sqrt(J)]'
    set ylabel panel == 1 ? 'largest |C| [rad]' : 'largest error of a step [J^{0.5}]'
    load plots.'/panel.gp'
    plot for [k=1:6] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw 2 dashtype dashes(k) pt (k > 3 ? 6 : 7) ps marks*(k > 3 ? 1.2 : 0.8) lc rgb paint(k)
}
unset multiplot
