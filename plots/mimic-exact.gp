# Variables: table (errors over the step).
height = 700
load plots.'/style.gp'
source = table
ways = 'dense pgs tgs-step tgs-substep'
lines = 4
mechanisms = 'series+0.5 chain series+0.5 series+0.5 series+0.5'
actuations = 'alone alone drive limit drive+limit'
titles = "'in series, alone' 'chain of mimics' 'in series, driven' 'in series, limit' 'driven to a limit'"
is(k) = strcol('mechanism') eq word(mechanisms, case) && strcol('actuation') eq word(actuations, case) && strcol('scheme') eq word(ways, k)
name(k) = word(ways, k)
abscissa(k) = column('step[s]')
ordinate(k) = is(k) && column('error[rad]') > 1e-10 ? column('error[rad]') : NaN
width(k) = 5.5 - k
size(k) = 1.7 - 0.3 * k
set multiplot
scale = 'xy'
set format x '%g'
set xtics (0.0003, 0.002, 0.01)
set xlabel 'step h [s]'
panels = 3
gutter = 76
do for [case=1:5] {
    panel = (case - 1) % 3 + 1
    top = case > 3 ? 0.44 : 0.94
    bottom = case > 3 ? 0.09 : 0.59
    set title word(titles, case) noenhanced
    set ylabel panel == 1 ? 'largest error of a coordinate [rad]' : ''
    load plots.'/panel.gp'
    set label 1 'dashed: order 1' at graph 0.05, graph 0.95
    dense_at = p_least / p_first_x # the line of order 1 begins at the smallest error
    plot dense_at * x with lines lw 1.2 dt 2 lc rgb '#000000', \
         for [k=1:4] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw width(k) pt 7 ps marks*size(k) lc rgb paint(k)
}
unset multiplot
