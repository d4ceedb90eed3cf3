# Variables: table (residual and height of a wall over time).
load plots.'/style.gp'
runs = '"euler cold" "euler warm" "split-impulse warm"'
set multiplot layout 1,2
set xlabel 'time [s]'
set key below horizontal
set bmargin 6
set autoscale xfixmax
run(name, x) = strcol('run') eq name ? x : NaN
set logscale y
set ylabel 'scaled residual'
plot for [k=1:words(runs)] table using (column('time[s]')):(run(word(runs, k), column('scaled_residual'))) with lines lw 2 lc rgb colour[k] title word(runs, k)
unset logscale y
set format y '%g'
set ylabel 'lowest brick of the top course, change [mm]'
set yrange [-20:10]
plot for [k=1:words(runs)] table using (column('time[s]')):(run(word(runs, k), 1e3 * column('height_change[m]'))) with lines lw 2 lc rgb colour[k] title word(runs, k)
unset multiplot
