# Variables: table (energies over time), one, many (mechanisms), coarse, fine (steps).
load plots.'/style.gp'
ways = 'dense pgs tgs-step tgs-substep'
is(m, h, k) = strcol('mechanism') eq m && strcol('scheme') eq word(ways, k) && abs(column('step[s]') - h) < 1e-3 * h
pick(m, h, k) = is(m, h, k) ? column('energy_change[J]') : NaN
set multiplot layout 1,2
set format y '%g'
set xlabel 'time [s]'
set ylabel 'energy, change since the start [J]'
set key below horizontal maxrows 2
set bmargin 6.5
set title 'two rods, one row: all ways alike' noenhanced
plot for [k=1:4] table using (column('time[s]')):(pick(one, real(coarse), k)) with lines lw (6 - k) lc rgb colour[k] title word(ways, k), \
     for [k=1:1] table using (column('time[s]')):(pick(one, real(fine), k)) with lines lw 1.5 dt 2 lc rgb '#000000' \
        title sprintf('all, %g s', real(fine))
set title 'chain of mimics' noenhanced
plot for [k=1:4] table using (column('time[s]')):(pick(many, real(coarse), k)) with lines lw (6 - k) lc rgb colour[k] title word(ways, k), \
     for [k=1:1] table using (column('time[s]')):(pick(many, real(fine), k)) with lines lw 1.5 dt 2 lc rgb '#000000' \
        title sprintf('dense, %g s', real(fine))
unset multiplot
