# Variables: table (runs), mechanism, iterations.
load plots.'/drift-style.gp'
pick(k, x, low) = picks(k) && strcol('solver') eq 'pgs' && column('iterations') == real(iterations) ? seen(x, low) : NaN
set multiplot
set logscale xy
set format x '10^{%L}'
set xlabel 'row-iterations per second of motion'
set title 'joint error' noenhanced
set ylabel 'largest joint error [m]'
set lmargin at screen 0.08
set rmargin at screen 0.41
plot for [k=1:10] table using (column('row_iterations_a_second')):(pick(k, column('worst_error[m]'), 1e-14)) with linespoints lw width[k] dt dash[k] pt shape[k] ps 0.7 lc rgb line[k]
set title 'energy' noenhanced
set ylabel 'largest |change of energy| [J]'
set lmargin at screen 0.5
set rmargin at screen 0.78
plot for [k=1:10] table using (column('row_iterations_a_second')):(pick(k, column('worst_energy_change[J]'), 1e-14)) with linespoints lw width[k] dt dash[k] pt shape[k] ps 0.7 lc rgb line[k]
only = ' '.ways.' '
load plots.'/drift-key.gp'
unset multiplot
