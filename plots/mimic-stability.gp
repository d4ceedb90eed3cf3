# Variables: table (stability).
load plots.'/style.gp'
ways = 'tgs-step tgs-substep'
erps = '0.2 0.5 1'
mechanisms = 'star hand chain'
titles = "'star on the root, driven' 'star on the leader, driven' 'chain, driven'"
seen(x) = x < 100 ? x : 100
is(m, k, e) = strcol('mechanism') eq m && strcol('rival') eq 'drive' && strcol('scheme') eq word(ways, k) && abs(column('erp') - real(word(erps, e))) < 1e-9
pick(m, k, e) = is(m, k, e) ? seen(column('max_C[rad]')) : NaN
set multiplot layout 1,3
set logscale xy
set xtics (1, 4, 16, 64)
set format x '%g'
set xlabel 'iterations N per step'
set ylabel 'largest |C| [rad]'
set xrange [0.9:80]
set yrange [1e-4:150]
set key below horizontal maxrows 3
set bmargin 8
do for [p=1:3] {
    m = word(mechanisms, p)
    set title word(titles, p) noenhanced
    plot for [e=1:3] table using (column('iterations')):(pick(m, 1, e)) with linespoints lw 2 dt 2 pt 6 ps 1.2 lc rgb colour[e] \
            title 'step, '.word(erps, e), \
         for [e=1:3] table using (column('iterations')):(pick(m, 2, e)) with linespoints lw 2 pt 7 ps 0.8 lc rgb colour[e] \
            title 'substep, '.word(erps, e)
}
unset multiplot
