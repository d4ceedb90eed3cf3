# Variables: table (least forces), folder (of the table of sweeps), few, many, boxes.
load plots.'/style.gp'
boxes = int(boxes)
sweeps = folder.'/friction.stack.sweeps.tsv'
laws = 'fixed box facets-8 cone'
names = "fixed box '8 facets' cone"
array line[4] = [2, 3, 5, 1]
array shape[4] = [7, 6, 2, 7]
array size[4] = [1.0, 2.0, 1.3, 0.7]
pick(k, x) = strcol('law') eq word(laws, k) ? x : NaN
share(law, n) = strcol('law') eq law && column('iterations') == n && column('force_over_least') < 1 \
    ? abs(column('speed[m/s]')/column('speed_without_friction[m/s]')) : NaN
set multiplot layout 1,2
set key below horizontal maxrows 2
set bmargin 6.5
set xlabel 'pulled box, from the ground up'
set xrange [0.7:boxes+0.3]
set xtics 1
set yrange [0:*]
set format y '%g'
set ylabel 'least force that moves it [N]'
plot for [k=1:4:3] table using (column('box')):(pick(k, column('predicted[N]'))) with lines lw 1.5 lc rgb colour[line[k]] notitle, \
     for [k=1:4] table using (column('box')):(pick(k, column('least_force[N]'))) with points pt shape[k] ps size[k] lw 1.5 lc rgb colour[line[k]] title word(names, k), \
     NaN with lines lw 1.5 lc rgb '#444444' title 'predicted'
set format y '10^{%L}'
set logscale y
set yrange [*:1]
set ylabel 'speed at 0.9 of that force, over free'
plot sweeps using (column('box')):(share('fixed', few)) with linespoints pt 7 lw 1.5 lc rgb colour[2] title 'fixed, PGS '.few, \
     sweeps using (column('box')):(share('fixed', many)) with linespoints pt 6 lw 1.5 dt 2 lc rgb colour[2] title 'PGS '.many, \
     sweeps using (column('box')):(share('box', few)) with linespoints pt 7 lw 1.5 lc rgb colour[3] title 'box, PGS '.few, \
     sweeps using (column('box')):(share('box', many)) with linespoints pt 6 lw 1.5 dt 2 lc rgb colour[3] title 'PGS '.many, \
     sweeps using (column('box')):(share('cone', few)) with linespoints pt 7 lw 1.5 lc rgb colour[1] title 'cone, NSGS '.few, \
     sweeps using (column('box')):(share('cone', many)) with linespoints pt 6 lw 1.5 dt 2 lc rgb colour[1] title 'NSGS '.many
unset multiplot
