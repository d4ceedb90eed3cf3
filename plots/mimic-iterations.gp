# Variables: table (ours beside PhysX's figures).
load plots.'/style.gp'
source = table
loads = 'b1 b3 b4'
titles = "'b1: drive' 'b3: drive and limit' 'b4: two drives'"
arrangements = 'parallel series parallel series'
ways = 'pgs pgs tgs-substep tgs-substep'
lines = 4
none = 2e-18 # where a 0 stands, below the numbers of the axis
is(k) = strcol('load') eq word(loads, panel) && strcol('arrangement') eq word(arrangements, k) && strcol('scheme') eq word(ways, k)
shown(x) = x > 0 ? x : none
names = "'PGS' 'PGS, series' 'TGS' 'TGS, series'"
name(k) = word(names, k)
abscissa(k) = column('iterations')
ordinate(k) = is(k) ? shown(column('max_C[rad]')) : NaN
theirs(k) = is(k) ? shown(column('physx_5.6.1_max_C[rad]')) : NaN
set multiplot
scale = 'xy'
set xtics (1, 4, 16, 64)
set format x '%g'
set xlabel 'iterations N per step'
panels = 3
gutter = 90
high = 20
start = 0.8
stop = 80
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    # The axis goes down to 0 where a run comes there.
    zeros = 0
    stats table using (sum [k=1:lines] (is(k) && (column('max_C[rad]') == 0 || column('physx_5.6.1_max_C[rad]') == 0) ? (zeros = 1) : 0)) nooutput
    low = zeros ? 5e-19 : NaN
    if (zeros) { set ytics ('0' none, '10^{-16}' 1e-16, '10^{-12}' 1e-12, '10^{-8}' 1e-8, '10^{-4}' 1e-4, '1' 1) } else { set ytics autofreq }
    set ylabel panel == 1 ? 'largest |C| [rad]' : ''
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw 2 pt 7 ps marks*0.6 lc rgb paint(k), \
         for [k=1:lines] table @of_line using (abscissa(k)):(theirs(k)) with points pt (k < 3 ? 6 : 4) ps marks*2 lw 2 lc rgb paint(k)
}
unset multiplot
