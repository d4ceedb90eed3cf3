# Variables: table; bound, the error that was asked for; ways, the schemes with solvers on the front, SCHEME/SOLVER.
load plots.'/style.gp'
array mark[7] = [7, 5, 9, 13, 4, 11, 8] # another number than of colours: pairs repeat only after 56 lines
lines = words(ways)
paint(k) = tone[(k - 1) % |tone| + 1]
shape(k) = mark[(k - 1) % 7 + 1]
reached(x) = x > 0 && x <= 10 ? x : NaN
of_way(k, x) = column('front') == 1 && strcol('scheme').'/'.strcol('solver') eq word(ways, k) ? reached(x) : NaN
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set xlabel 'work [row visits]'
set ylabel 'largest error [sizes of the mechanism]'
set key outside right top vertical Left reverse
asked = number(bound)
set yrange [*<0.5*asked:*]
plot table using 'work':(reached(column('error'))) with points pt 7 ps marks*0.5 lc rgb '#bbbbbb' title 'all runs', \
    for [k=1:lines] table using 'work':(of_way(k, column('error'))) \
        with points pt shape(k) ps marks*1.6 lw 2 lc rgb paint(k) title word(ways, k), \
    table using 'work':(column('recommended') == 1 ? reached(column('error')) : NaN) \
        with points pt 6 ps marks*3.2 lw 2.4 lc rgb '#000000' title 'recommended', \
    asked with lines dashtype 2 lw 1.6 lc rgb '#444444' title 'error asked for'
