# Variables: table (a history), file (the case), solvers (names, blanks between), title.
load plots.'/style.gp'
name(k) = word(solvers, k)
pick(k, x) = (strcol('file') eq file && strcol('solver') eq name(k)) ? x : NaN
positive(x) = x > 1e-20 ? x : NaN # rounding is far above
shown(text) = (strcol('file') eq file && text ne 'nan' && real(text) > 1e-20) ? real(text) : 0
set multiplot layout 1,2 title title noenhanced font ',14'
set xlabel 'iteration'
set ylabel 'natural residual, D-scaled [m/s]'
# Few short names stand in one row, others below each other.
rows = strlen(solvers) > 36 ? words(solvers) : 1
set bmargin 4 + 1.1 * rows
set key below horizontal maxrows rows noenhanced
stats table using (shown(strcol('natural_residual_velocity[m/s]'))) nooutput name 'residual'
stats table using (shown(strcol('m_norm_error[sqrt(J)]'))) nooutput name 'distance'
set logscale y
# Where every method was exact at once, or the norm is none (A not symmetric), a log axis has nothing to show.
if (residual_max > 0) {
    plot for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('natural_residual_velocity[m/s]')))) \
        with lines lw 2 lc rgb colour[k] title name(k)
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
set style fill solid 1.0 noborder
if (floor_max > 0) {
    set yrange [floor/30:*]
    set label 1 'below the certified error of the reference' at graph 0.02,first floor offset 0,-0.7 front textcolor rgb '#555555'
}
if (distance_max > 0) {
    plot table using (column('iteration')):(pick(1, floor)) with filledcurves y1=floor/30 lc rgb '#e4e4e4' notitle, \
         for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('m_norm_error[sqrt(J)]')))) \
        with lines lw 3.5 lc rgb colour[k] notitle, \
         for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('predicted_m_norm_error[sqrt(J)]')))) \
        with lines lw 1.2 dashtype (10,8) lc rgb '#000000' title (k == 1 ? 'predicted rate (colours as on the left)' : '')
} else {
    set yrange [1e-20:1]
    set label 1 'no error above 10^{-20}, or no norm: A not symmetric' at graph 0.5,0.5 center
    plot table using (column('iteration')):(1e-21) with lines notitle
}
unset multiplot
