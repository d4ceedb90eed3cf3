# Variables: table (track.order).
load plots.'/style.gp'
source = table
erps = '0 0.2 0.8 1'
lines = 4
is(m, k) = strcol('method') eq m && strcol('erp') eq word(erps, k)
shown(x) = abs(x) > 1e-15 ? abs(x) : NaN
name(k) = 'ERP '.word(erps, k)
abscissa(k) = column('step[s]')
ordinate(k) = is('dense', k) ? shown(column(quantity)) : NaN
sweeps(m, k) = is(m, k) ? shown(column(quantity)) : NaN
set multiplot
scale = 'xy'
set format x '%g'
set xtics (0.0005, 0.001, 0.002, 0.004, 0.008)
set xlabel 'time step [s]'
panels = 2
stop = 0.0092
do for [panel=1:2] {
    quantity = panel == 1 ? 'error_of_s' : 'off_rail[m]'
    set ylabel panel == 1 ? 'relative error of the distance travelled' : 'largest distance off the rail [m]'
    load plots.'/panel.gp'
    set label 1 'lines: dense; x: PGS; o: TGS' at graph 0.03, graph 0.95
    plot for [k=1:4] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw (k == 2 ? 4 : k == 3 ? 2.6 : 1.4) lc rgb paint(k), \
         for [k=1:4] table using (abscissa(k)):(sweeps('pgs', k)) with points pt 2 lc rgb paint(k), \
         for [k=1:4] table using (abscissa(k)):(sweeps('tgs', k)) with points pt 6 ps marks*1.4 lc rgb paint(k)
}
unset multiplot
