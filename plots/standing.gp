# Variables: table (survival), scene, methods (names, blanks between), iterations, duration [s].
load plots.'/style.gp'
lines = words(methods)
pick(k, start, x) = strcol('scene') eq scene && strcol('method') eq word(methods, k) && strcol('start') eq start && column('iterations') == real(iterations) ? x : NaN
set multiplot
set format y '%g %%'
set xlabel 'time [s]'
set yrange [-4:104]
set xrange [0:duration]
# Two panels, with the names beside the second one.
left(panel) = panel == 1 ? 0.085 : 0.46
right(panel) = panel == 1 ? 0.385 : 0.76
set bmargin 4
do for [panel=1:2] {
    start = panel == 1 ? 'cold' : 'warm'
    set lmargin at screen left(panel)
    set rmargin at screen right(panel)
    if (panel == 2) { set key at screen 0.995, 0.9 right top vertical Right noreverse } else { unset key }
    set title panel == 1 ? 'each step from zero impulse' : 'each step from the impulses before'
    set ylabel panel == 1 ? 'copies that stand' : ''
    plot for [k=1:lines] table using (column('time[s]')):(pick(k, start, 100 * column('least'))):(100 * column('most')) with filledcurves fs transparent solid 0.12 noborder fc rgb paint(k) notitle, \
         for [k=1:lines] '' using (column('time[s]')):(pick(k, start, 100 * column('standing'))) with steps lw 2.5 dashtype 1 + (k - 1) / 6 lc rgb paint(k) title word(methods, k)
}
unset multiplot
