# Variables: table (a history), file (the case), solvers (names, blanks between), title.
load plots.'/style.gp'
name(k) = word(solvers, k)
pick(k, x) = (strcol('file') eq file && strcol('solver') eq name(k)) ? x : NaN
positive(x) = x > 1e-20 ? x : NaN # rounding is far above
set multiplot layout 1,2 title title font ',14'
set logscale y
set xlabel 'iteration'
set ylabel 'natural residual, D-scaled [m/s]'
set key below horizontal maxrows 1
plot for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('natural_residual_velocity[m/s]')))) \
    with lines lw 2 lc rgb colour[k] title name(k)
set ylabel 'velocity error, M-norm [J^{1/2}]'
# A prediction that holds hides its measurement, so it is drawn thin and black on top.
plot for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('m_norm_error[sqrt(J)]')))) \
    with lines lw 3.5 lc rgb colour[k] notitle, \
     for [k=1:words(solvers)] table using (column('iteration')):(pick(k, positive(column('predicted_m_norm_error[sqrt(J)]')))) \
    with lines lw 1.2 dashtype (10,8) lc rgb '#000000' title (k == 1 ? 'predicted rate (colours as on the left)' : '')
unset multiplot
