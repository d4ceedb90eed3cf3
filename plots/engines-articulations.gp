# Variables: table (articulations), scene, runners.
load plots.'/engines-style.gp'
abscissa(k) = 1.0 / column('step[s]')
ordinate(k) = beside(k) ? column('distance_from_the_motion[m]') : NaN
# The same range for both panels.
set yrange [*:*]
stats table every ::first_row::last_row using (column('distance_from_the_motion[m]')) nooutput
low = STATS_records ? 0.5 * STATS_min : 1e-4
high = STATS_records ? 2 * STATS_max : 1
stats table every ::first_row::last_row using (1.0 / column('step[s]')) nooutput
start = 0.9 * STATS_min
stop = 1.1 * STATS_max
set multiplot
scale = 'xy'
set format x '%g'
set format y '10^{%T}'
set xtics (50, 100, 250, 500, 1000, 2000, 5000, 10000)
set xlabel 'steps per second'
do for [panel=1:panels] {
    set title name_panel(panel) noenhanced
    gutter = panel == 1 ? 84 : 56
    set ylabel panel == 2 ? '' : 'largest distance from the motion [m]'
    load plots.'/panel.gp'
    plot for [e=-8:2] 10**(0.5 * e) * start / x with lines lw 1 dt 3 lc rgb '#888888', \
         for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw 2 dashtype dash[k] pt 7 ps 0.7*marks lc rgb paint(k)
}
unset multiplot
