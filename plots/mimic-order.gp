# Variables: table (runs), mechanism, rival, step.
load plots.'/style.gp'
ways = 'pgs tgs-step tgs-substep'
h = real(step)
seen(x) = x > 1e-16 ? x : 1e-16
is(k, order) = strcol('mechanism') eq mechanism && strcol('rival') eq rival && strcol('rows_of_mimic') eq order \
    && strcol('scheme') eq word(ways, k) && abs(column('step[s]') - h) < 1e-3 * h
pick(k, order, x) = is(k, order) ? seen(x) : NaN
set multiplot layout 1,2
set logscale xy
set xtics (1, 4, 16, 64)
set format x '%g'
set xlabel 'iterations N per step'
set yrange [5e-17:20]
set key below horizontal maxrows 2
set bmargin 6.5
set xrange [0.9:80]
set title 'mimic row first: full; last: dashed' noenhanced
set ylabel 'largest |C| [rad]'
plot for [k=1:3] table using (column('iterations')):(pick(k, 'first', column('max_C'))) with linespoints lw 2 pt 7 ps 0.8 lc rgb colour[k] \
        title word(ways, k), \
     for [k=1:3] table using (column('iterations')):(pick(k, 'last', column('max_C'))) with linespoints lw 2 dt 2 pt 6 ps 1.2 lc rgb colour[k] \
        notitle
set ylabel 'largest difference to dense steps [rad]'
set yrange [1e-8:20]
plot for [k=1:3] table using (column('iterations')):(pick(k, 'first', column('distance_to_dense'))) with linespoints lw 2 pt 7 ps 0.8 lc rgb colour[k] \
        title word(ways, k), \
     for [k=1:3] table using (column('iterations')):(pick(k, 'last', column('distance_to_dense'))) with linespoints lw 2 dt 2 pt 6 ps 1.2 lc rgb colour[k] \
        notitle
unset multiplot
