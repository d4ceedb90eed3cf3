# Variables: table (runs), published (PhysX's figures), step.
load plots.'/style.gp'
ways = 'pgs tgs-step tgs-substep dense'
h = real(step)
seen(x) = x > 1e-16 ? x : 1e-16
is(m, r) = strcol('mechanism') eq m && strcol('rival') eq r && strcol('rows_of_mimic') eq 'first' && abs(column('step[s]') - h) < 1e-3 * h
pick(m, r, k) = (is(m, r) && strcol('scheme') eq word(ways, k)) ? seen(column('max_C')) : NaN
theirs(a, r) = (strcol('arrangement') eq a && strcol('rival') eq r) ? seen(column('physx_5.6.1_max_C[rad]')) : NaN
arrangements = 'parallel series parallel'
rivals = 'drive drive drive+limit'
titles = "'parallel, drive' 'in series, drive' 'parallel, drive and limit'"
set multiplot layout 1,3
set logscale xy
set xtics (1, 4, 16, 64)
set format x '%g'
set xlabel 'iterations N per step'
set ylabel 'largest |C| [rad]'
set yrange [5e-17:20]
set key below horizontal maxrows 2
set bmargin 6.5
set xrange [0.9:80]
do for [p=1:3] {
    a = word(arrangements, p)
    r = word(rivals, p)
    set title word(titles, p) noenhanced
    plot for [k=1:3] table using (column('iterations')):(pick(a.'+0.5', r, k)) with linespoints lw 2 pt 7 ps 0.8 lc rgb colour[k] title word(ways, k), \
         published using (column('iterations')):(theirs(a, r)) with points pt 6 ps 2 lw 2 lc rgb '#000000' title 'PhysX 5.6.1'
}
unset multiplot
