# Variables: table (a history), file (the case), solvers (names, blanks between), title.
# The key has as many columns as half a figure is wide.
longest = 0
do for [k=1:words(solvers)] { longest = strlen(word(solvers, k)) > longest ? strlen(word(solvers, k)) : longest }
columns = longest < 30 ? floor(60.0 / (longest + 8)) : 1
rows = strlen(solvers) + 8 * words(solvers) > 60 ? ceil(words(solvers) / (1.0 * columns)) : 1
height = 400 + 20 * (rows > 6 ? rows - 6 : 0)
load plots.'/style.gp'
# More solvers than colours: the dashes change where the colours begin again.
paint(k) = colour[(k - 1) % |colour| + 1]
dashes(k) = 1 + (k - 1) / |colour|
name(k) = word(solvers, k)
pick(k, x) = (strcol('file') eq file && strcol('solver') eq name(k)) ? x : NaN
positive(x) = x > 1e-20 ? x : NaN # rounding is far above
shown(text) = (strcol('file') eq file && text ne 'nan' && real(text) > 1e-20) ? real(text) : 0
set multiplot layout 1,2 title title noenhanced font ',14'
set xlabel 'iteration'
set ylabel 'natural residual, D-scaled [m/s]'
set bmargin 4 + 1.1 * rows
set key below horizontal maxrows rows noenhanced
stats table using (shown(strcol('natural_residual_velocity[m/s]'))) nooutput name 'residual'
stats table using (shown(strcol('m_norm_error[sqrt(J)]'))) nooutput name 'distance'
set logscale y
# Where every method was exact at once, or the norm is none (A not symmetric), a log axis has nothing to show.
if (residual_max > 0) {
    plot for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('natural_residual_velocity[m/s]')))) \
        with lines lw 2 dashtype dashes(k) lc rgb paint(k) title name(k)
} else {
    set yrange [1e-20:1]
    set label 1 'no residual above 10^{-20}' at graph 0.5,0.5 center
    plot table using (column('iteration')):(1e-21) with lines notitle
    unset label 1
    set autoscale y
}
set ylabel 'velocity error, M-norm [J^{1/2}]'
# A prediction that holds hides its measurement, so it is drawn thin and black on top.
# Below the proved error of the reference a curve means nothing: the axis ends there.
stats table using (shown(strcol('reference_bound[sqrt(J)]'))) nooutput name 'floor'
floor = floor_max > 0 ? floor_max : 1e-300
if (floor_max > 0) {
    set yrange [floor/30:*]
    set object 1 rectangle from graph 0, first floor/30 to graph 1, first floor behind fillcolor rgb '#e4e4e4' fillstyle solid noborder
    set label 1 'below the certified error of the reference' at graph 0.02,first floor offset 0,-0.7 front textcolor rgb '#555555'
}
if (distance_max > 0) {
    plot for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('m_norm_error[sqrt(J)]')))) \
        with lines lw 3.5 dashtype dashes(k) lc rgb paint(k) notitle, \
         for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('predicted_m_norm_error[sqrt(J)]')))) \
        with lines lw 1.2 dashtype (10,8) lc rgb '#000000' title (k == 1 ? 'predicted rate (colours as on the left)' : '')
} else {
    set yrange [1e-20:1]
    set label 1 'no error above 10^{-20}, or no norm: A not symmetric' at graph 0.5,0.5 center
    plot table using (column('iteration')):(1e-21) with lines notitle
}
unset multiplot
