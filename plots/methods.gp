# Variables: table (profiles), solvers (names, blanks between). A step line for each solver.
lines = words(solvers)
height = lines > 14 ? 400 + 20 * (lines - 14) : 400
load plots.'/style.gp'
source = table
measures = 'row_visits seconds'
solver(k) = word(solvers, k)
name(k) = solver(k)
is(k) = strcol('measure') eq word(measures, panel) && strcol('solver') eq solver(k)
abscissa(k) = is(k) ? column('ratio') : NaN
ordinate(k) = is(k) && column('share') > 0 ? 100 * column('share') : NaN
set multiplot
set format y '%g'
panels = 2
scale = 'x'
low = 0
high = 102
start = 1
do for [panel=1:2] {
    set title panel == 1 ? 'row visits of iterative methods' : 'time of the solver alone'
    set ylabel panel == 1 ? 'problems certified to 10^{-6} [%]' : ''
    set xlabel 'multiple of the best method''s work [1]'
    set format x '10^{%L}'
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with steps lw 2 dashtype dashes(k) lc rgb paint(k)
}
unset multiplot
