# Variables: x_label, y_label, key_title, log ('', 'x', 'y', 'xy'); curves, and of curve k title[k], joined[k] (whether
# a line joins its points) and thin[k] (every so many points have a mark); $curves has a block of numbers for each
# curve.
load plots.'/style.gp'
unset datafile columnheaders
array mark[8] = [7, 5, 9, 13, 4, 11, 6, 8]
set xlabel x_label noenhanced
set ylabel y_label noenhanced
set format y '%g'
if (strstrt(log, 'x')) { set logscale x; set format x '10^{%L}' }
if (strstrt(log, 'y')) { set logscale y; set format y '10^{%L}' }
named = 0
do for [k=1:curves] { if (title[k] ne '') { named = 1 } }
if (named) { set key outside right top vertical Left reverse } else { set key off }
if (key_title ne '') { set key title key_title noenhanced left }
# A linear axis ends soon after its last point, a logarithmic one at whole powers of ten.
if (!strstrt(log, 'x')) { set autoscale xfix; set offsets graph 0.02, graph 0.02 }
plot for [k=1:curves] $curves index k-1 using 1:(joined[k] ? $2 : NaN) with lines lw 2 lc rgb tone[k] notitle, \
    for [k=1:curves] $curves index k-1 every thin[k] using 1:2 \
        with points pt mark[k] ps marks*1.4 lw 2 lc rgb tone[k] notitle, \
    for [k=1:curves] keyentry with linespoints pt mark[k] ps marks*1.4 lw (joined[k] ? 2 : 0) \
        lc rgb tone[k] title title[k]
