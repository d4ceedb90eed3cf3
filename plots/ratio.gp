# Variables: table (work), solvers (names, blanks between), measure (a column), title.
lines = words(solvers)
height = lines > 14 ? 400 + 20 * (lines - 14) : 400
load plots.'/style.gp'
source = table
forms = 'maximal reduced'
solver(k) = word(solvers, k)
name(k) = solver(k)
is(k) = strcol('form') eq word(forms, panel) && strcol('solver') eq solver(k)
abscissa(k) = is(k) ? column('mass_ratio') : NaN
ordinate(k) = is(k) && strcol(measure) ne 'nan' && column(measure) > 0 ? column(measure) : NaN
set multiplot
panels = 2
scale = 'xy'
p_ends = 1
# Both panels have one range.
panel_of(f) = strcol('form') eq f
stats table using (strcol(measure) ne 'nan' && column(measure) > 0 ? column(measure) : NaN) nooutput name 'all'
low = exists('all_min') ? 0.5 * all_min : NaN
high = exists('all_max') ? 2 * all_max : NaN
stats table using (column('mass_ratio')) nooutput name 'mass'
start = 0.7 * mass_min
stop = 1.4 * mass_max
do for [panel=1:2] {
    set title panel == 1 ? 'maximal coordinates: bodies and joints' : 'reduced coordinates: an articulation'
    set ylabel panel == 1 ? title : ''
    set xlabel 'mass ratio of the lowest rod [1]'
    set format x '10^{%L}'
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks lw 2 dashtype dashes(k) lc rgb paint(k)
}
unset multiplot
