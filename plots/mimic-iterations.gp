# Variables: table (runs), published (PhysX's figures), step.
load plots.'/style.gp'
source = table
ways = 'pgs tgs-step tgs-substep'
lines = 3
h = number(step)
arrangements = 'parallel series parallel'
actuations = 'drive drive drive+limit'
titles = "'parallel, drive' 'in series, drive' 'parallel, drive and limit'"
none = 2e-18 # where a published 0 stands, below the numbers of the axis
is(k) = strcol('mechanism') eq word(arrangements, panel).'+0.5' && strcol('actuation') eq word(actuations, panel) && strcol('rows_of_mimic') eq 'first' \
    && abs(column('step[s]') - h) < 1e-3 * h && strcol('scheme') eq word(ways, k)
theirs(x) = strcol('arrangement') eq word(arrangements, panel) && strcol('actuation') eq word(actuations, panel) ? (x > 0 ? x : none) : NaN
name(k) = word(ways, k)
paint(k) = colour[k]
abscissa(k) = column('iterations')
ordinate(k) = is(k) ? (column('max_C') > 0 ? column('max_C') : none) : NaN
set multiplot
scale = 'xy'
set xtics (1, 4, 16, 64)
set ytics ('0' none, '10^{-16}' 1e-16, '10^{-12}' 1e-12, '10^{-8}' 1e-8, '10^{-4}' 1e-4, '1' 1)
set format x '%g'
set xlabel 'iterations N per step'
panels = 3
gutter = 90
low = 5e-19
high = 20
start = 0.8
stop = 80
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    set ylabel panel == 1 ? 'largest |C| [rad]' : ''
    load plots.'/panel.gp'
    set label 1 'o PhysX 5.6.1' at graph 0.04, graph 0.13
    plot for [k=1:3] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw 2 pt 7 ps marks*0.8 lc rgb paint(k), \
         published using (column('iterations')):(theirs(column('physx_5.6.1_max_C[rad]'))) with points pt 6 ps marks*2 lw 2 lc rgb '#000000'
}
unset multiplot
