# Variables: table (history), mechanism, iterations.
load plots.'/drift-style.gp'
stats table using (column('time[s]')) nooutput name 'time'
duration = time_max
pick(k, x, n) = picks(k) && column('iterations') == n ? seen(x, 1e-17) : NaN
set multiplot
set logscale y
set format x '%g'
set xlabel 'time [s]'
set yrange [1e-17:10]
set xtics 0.1 * (duration > 1.01 ? ceil(duration) : 1)
set title 'exact solves (TGS: many iterations)' noenhanced
set ylabel 'joint error [m]'
set lmargin at screen 0.08
set rmargin at screen 0.41
plot for [k=1:10] table using (column('time[s]')):(pick(k, column('error[m]'), 0)) with lines lw width[k] dt dash[k] lc rgb line[k]
set title 'PGS, '.iterations.' iterations or substeps' noenhanced
set lmargin at screen 0.5
set rmargin at screen 0.78
plot for [k=1:10] table using (column('time[s]')):(pick(k, column('error[m]'), int(iterations))) with lines lw width[k] dt dash[k] lc rgb line[k]
only = ' '.ways.' '
load plots.'/drift-key.gp'
unset multiplot
