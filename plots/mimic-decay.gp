# Variables: table (decay), mechanism.
load plots.'/style.gp'
ways = 'dense pgs tgs-step tgs-substep'
is(k) = strcol('mechanism') eq mechanism && strcol('scheme') eq word(ways, k)
pick(k, x) = is(k) && x > 1e-16 ? x : NaN
set logscale y
set yrange [1e-12:1]
set xlabel 'steps k'
set ylabel '|C| [rad]'
set key right outside vertical Left reverse
plot for [k=1:4] table using (column('steps')):(pick(k, column('predicted_C'))) with lines lw 1.5 lc rgb colour[k] notitle, \
     for [k=1:4] table using (column('steps')):(pick(k, column('C'))) with points pt (k == 1 ? 6 : 7) ps (k == 1 ? 2 : 1) lc rgb colour[k] \
        title word(ways, k), \
     NaN with lines lw 1.5 lc rgb '#444444' title 'predicted'
