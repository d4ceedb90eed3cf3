# Variables: table (damping ratio and frequency over N).
load plots.'/style.gp'
ways = 'euler small-steps small-steps-relax-1 tgs-substep tgs-step'
array line[5] = [1, 3, 6, 5, 2]
array shape[5] = [7, 7, 6, 7, 7]
array large[5] = [0.8, 0.8, 1.6, 0.8, 0.8]
pick(k, x) = strcol('scheme') eq word(ways, k) ? x : NaN
stats table using (column('iterations')) nooutput name 'N' # not under a log scale
set multiplot layout 1,2
set key below horizontal maxrows 2
set bmargin 6.5
set logscale xy
set xtics (1, 2, 4, 8, 16, 32, 64)
set format x '%g'
set xlabel 'iterations or substeps N'
set ylabel 'damping ratio'
set xrange [0.9:1.1*N_max]
plot for [k=1:5] table using (column('iterations')):(pick(k, column('damping_ratio'))) \
        with linespoints lw 1.8 pt shape[k] ps large[k] lc rgb colour[line[k]] title word(ways, k)
unset logscale y
set format y '%g'
set ylabel 'frequency over w'
plot for [k=1:5] table using (column('iterations')):(pick(k, column('frequency_over_w'))) \
        with linespoints lw 1.8 pt shape[k] ps large[k] lc rgb colour[line[k]] title word(ways, k)
unset multiplot
