# Variables: table (summary), problems (names, blanks between). Marks for each problem and order.
load plots.'/style.gp'
orders = 'given reversed random upwards downwards symmetric greedy'
array shape[7] = [7, 5, 9, 13, 11, 4, 6]
array hue[7] = [1, 2, 3, 4, 5, 6, 1]
place(p) = words(substr(' '.problems.' ', 1, strstrt(' '.problems.' ', ' '.p.' '))) + 1
shift(o) = 0.09 * (o - 4)
known(text) = text ne 'inf' && text ne 'nan'
pick(o) = strcol('order') eq word(orders, o) && known(strcol('median_sweeps')) ? column('median_sweeps') : NaN
set logscale y
set format y '10^{%L}'
set ylabel 'row visits to a certified 10^{-6} [sweeps]'
set xrange [0.5:words(problems) + 0.5]
set xtics () noenhanced
do for [i=1:words(problems)] { set xtics add (word(problems, i) i) }
set grid noxtics
do for [i=1:words(problems) - 1] { set arrow from first i + 0.5, graph 0 to first i + 0.5, graph 1 nohead lc rgb '#dddddd' lw 0.6 }
set key outside right center vertical Left reverse
set bmargin 4
shown = ''
do for [o=1:7] {
    n_shown = 0
    stats table using (n_shown = n_shown + (pick(o) == pick(o)), 1) nooutput
    if (n_shown) { shown = shown.' '.o }
}
if (shown eq '') { set label 1 'no order reaches 10^{-6}' at graph 0.5,0.5 center; set yrange [1:10]; plot NaN notitle } else {
    plot table using (place(strcol('problem')) + shift(3)):(pick(3)):(column('least_sweeps')):(known(strcol('most_sweeps')) ? column('most_sweeps') : column('median_sweeps')) \
             with yerrorbars pt 0 lw 2 lc rgb colour[hue[3]] notitle, \
         for [o in shown] table using (place(strcol('problem')) + shift(int(o))):(pick(int(o))) \
             with points pt shape[int(o)] ps 1.6*marks lw 1.5 lc rgb colour[hue[int(o)]] title word(orders, int(o))
}
