# Variables: table (errors), step [s], counts (numbers of iterations, blanks between).
load plots.'/articulation-style.gp'
n = words(counts)
lines = n + 2 # bodies under PGS; the articulation and bodies, solved exactly
name(k) = k <= n ? 'PGS '.word(counts, k) : k == n + 1 ? 'articulation' : 'solved'
paint(k) = k <= n ? word('#8fd0b8 #3aa681 #00553c', k > 3 ? 3 : k) : k == n + 1 ? colour[6] : colour[2]
width(k) = k == n + 1 ? 5 : 1.7
coarse = 0.9 * number(step)
chosen(k) = k <= n ? is('maximal') && strcol('solver') eq 'pgs' && column('iterations') == number(word(counts, k)) \
    : is(k == n + 1 ? 'reduced' : 'maximal') && column('iterations') == 0
ordinate(k) = chosen(k) && column('step[s]') > coarse ? shown(column('error[m]')) : NaN
fine(k) = chosen(k) && column('step[s]') <= coarse ? shown(column('error[m]')) : NaN
failed(k) = k > n && chosen(k) && column('step[s]') > coarse && column('failed_step') > 0
diverged = 30 # where runs stand that left the finite numbers, above the axis' numbers
# The axis has room for the marks of other steps, and goes up to those of runs that diverged.
notice(k) = failed(k) ? (high = 100, 1) : is_number(shown(column('error[m]'))) && column('error[m]') < 2 * low ? (low = 0.5 * column('error[m]'), 1) : 1
is_number(x) = x == x
set multiplot
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    set ylabel panel == 1 ? 'largest distance to the exact trajectory [m]' : ''
    set yrange [*:*]
    low = 1e300
    high = NaN
    stats table using (sum [k=1:lines] (chosen(k) ? notice(k) : 0)) nooutput
    load plots.'/panel.gp'
    if (panel == 1) { set label 1 "squares: a tenth\nof the step" at graph 0.04, graph 0.14 textcolor rgb '#444444' }
    if (high == 100) { set label 2 'triangle: diverged' at graph 0.04, first diverged textcolor rgb '#444444' }
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw width(k) pt 7 ps marks*0.5 lc rgb paint(k), \
         for [k=n+1:n+2] table using (abscissa(k)):(fine(k)) with points pt (k == n + 1 ? 5 : 4) ps marks*(k == n + 1 ? 2.4 : 1.4) lc rgb paint(k), \
         for [k=n+1:n+2] table using (abscissa(k)):(failed(k) ? diverged : NaN) with points pt 9 ps marks*2 lc rgb paint(k)
}
unset multiplot
