# Variables: table (a history), file (the case), solvers (names, blanks between), title.
height = words(solvers) > 14 ? 400 + 18 * (words(solvers) - 14) : 400
load plots.'/style.gp'
source = table
lines = words(solvers)
solver(k) = word(solvers, k)
name(k) = solver(k)
width(k) = lines > 6 ? 2 : 1.8 + (lines > 3 ? 0.6 : 1.4) * (lines - k) # a line below one that it coincides with is wider
is(k) = strcol('file') eq file && strcol('solver') eq solver(k)
here(text) = strcol('file') eq file && text ne 'nan' && number(text) > 1e-20 ? number(text) : 0 # rounding is far above
# The case's own rows, one after another in a table of many cases.
mine(n) = strcol('file') eq file
load plots.'/rows.gp'
rows = sprintf('every ::%d::%d', first_row, last_row)
# Direct methods visit no rows one after the other: with one of them in the figure the axis has iterations.
direct = 0
is_shown = ' '.solvers.' '
stats table @rows using (direct = strcol('file') eq file && strstrt(is_shown, ' '.strcol('solver').' ') && strcol('row_visits') eq 'nan' ? 1 : direct, 1) nooutput
work = direct ? 'iteration' : 'row_visits'
stats table @rows using (strcol('file') eq file && strcol(work) ne 'nan' ? column(work) : 0) nooutput name 'work'
unit = direct ? 1 : work_max > 1e6 ? 1e6 : 1000
abscissa(k) = is(k) ? column(work) / unit : NaN
residual = 'natural_residual_velocity[m/s]'
distance = 'm_norm_error[sqrt(J)]'
set yrange [*:*]
stats table @rows using (here(strcol(residual))) nooutput name 'residual'
stats table @rows using (here(strcol(distance))) nooutput name 'distance'
stats table @rows using (here(strcol('reference_bound[sqrt(J)]'))) nooutput name 'floor'
set multiplot title title noenhanced
panels = 2
start = 0
top = 0.87
set xlabel direct ? 'iterations' : sprintf('row visits, in %s', unit > 1000 ? 'millions' : 'thousands')
set ylabel 'natural residual, D-scaled [m/s]'
shown = residual
low = NaN
is_number(x) = x == x
# An error of 0 takes its line out of the frame, where the frame has a lower edge.
ordinate(k) = is(k) ? (column(shown) > 1e-20 ? column(shown) : column(shown) == 0 && is_number(low) ? low / 1000 : NaN) : NaN
panel = 1
# Where every method was exact at once, or the norm is none (A not symmetric), a log axis has nothing to show.
scale = residual_max > 0 ? 'y' : ''
load plots.'/panel.gp'
if (residual_max > 0) {
    plot for [k=1:lines] table @rows using (abscissa(k)):(ordinate(k)) with lines lw width(k) dashtype dashes(k) lc rgb paint(k)
} else {
    set label 1 'no residual above 10^{-20}' at graph 0.5,0.5 center
    unset ytics
    plot table @rows using (column(work)/unit):(0) with lines notitle
    set ytics nomirror
}
set ylabel 'velocity error, M-norm [J^{1/2}]'
shown = distance
panel = 2
# A run that hardly moves says how much of its first error is left.
array part[lines]
array first[lines]
least = 1e300
note_part(k, x) = (first[k] = first[k] > 0 ? first[k] : x, part[k] = x / first[k], least = x > 0 && x < least ? x : least, 1)
set yrange [*:*]
do for [k=1:lines] { first[k] = 0; part[k] = 0 }
stats table @rows using (sum [k=1:lines] (is(k) && column(distance) == column(distance) ? note_part(k, column(distance)) : 0)) nooutput
name(k) = solver(k).(part[k] > 0.1 ? sprintf(': %.3g %% left', 100 * part[k]) : '')
# Below the proved error of the reference a curve means nothing: where one comes near, the axis ends there.
near = floor_max > 0 && least < 1e4 * floor_max
if (near) { low = floor_max / 30 }
scale = distance_max > 0 ? 'y' : ''
load plots.'/panel.gp'
if (floor_max > 0 && distance_max > 0 && !near) {
    set label 1 sprintf('proved error of the reference: %.1e', floor_max) at graph 1, graph 1.05 right textcolor rgb '#555555'
}
if (near && distance_max > 0) {
    set object 1 rectangle from graph 0, first floor_max/30 to graph 1, first floor_max behind fillcolor rgb '#e4e4e4' fillstyle solid noborder
    set label 1 (p_right - p_left > 0.25 ? 'below the certified error of the reference' : 'below the proved error') at graph 0.02,first floor_max offset 0,-0.7 front textcolor rgb '#555555'
}
# A prediction that holds hides its measurement, so it is drawn thin and black on top.
if (distance_max > 0) {
    plot for [k=1:lines] table @rows using (abscissa(k)):(ordinate(k)) with lines lw width(k) + 1 dashtype dashes(k) lc rgb paint(k), \
         for [k=1:lines] table @rows using (abscissa(k)):(column('predicted_m_norm_error[sqrt(J)]') > 0 ? column('predicted_m_norm_error[sqrt(J)]') : NaN) \
        with lines lw 1.2 dashtype (10,8) lc rgb '#000000'
} else {
    set label 1 'no error above 10^{-20}, or no norm: A not symmetric' at graph 0.5,0.5 center
    unset ytics
    plot table @rows using (column(work)/unit):(0) with lines notitle
}
unset multiplot
