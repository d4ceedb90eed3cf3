# Variables: table (best), scene, methods (names, blanks between).
load plots.'/style.gp'
lines = words(methods)
array marks_of[9] = [7, 5, 9, 11, 13, 4, 6, 8, 10]
is(k) = strcol('scene') eq scene && strcol('method') eq word(methods, k)
pick(k, x) = is(k) && x > 0 && x < 1e3 ? x : NaN
stats table using (strcol('scene') eq scene && strcol('distance[m]') ne 'nan' ? 1 : 0) nooutput name 'truth'
second = truth_sum > 0 ? 'distance[m]' : 'energy_error[J]'
set multiplot
set logscale xy
set format x '10^{%L}'
set xlabel 'processor time [s]'
# Two panels, with the names beside the second one.
left(panel) = panel == 1 ? 0.085 : 0.46
right(panel) = panel == 1 ? 0.385 : 0.76
set bmargin 4
do for [panel=1:2] {
    set lmargin at screen left(panel)
    set rmargin at screen right(panel)
    if (panel == 2) { set key at screen 0.995, 0.9 right top vertical Right noreverse } else { unset key }
    measure = panel == 1 ? 'joint_error' : second
    set ylabel panel == 1 ? 'largest joint error or depth [m]' : truth_sum > 0 ? 'distance from the truth [m]' : 'change of energy [J]'
    plot for [k=1:lines] table using (pick(k, column('measured_time[s]'))):(pick(k, abs(column(measure)))) with linespoints pt marks_of[(k - 1) % 9 + 1] ps marks*1.3 lw 2 dashtype 1 + (k - 1) / 6 lc rgb paint(k) title word(methods, k)
}
unset multiplot
