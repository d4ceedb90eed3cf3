# Variables: table (least forces), folder (of the tables of directions).
load plots.'/style.gp'
deg = 180 / pi
directions = folder.'/friction.direction.tsv'
predicted = folder.'/friction.direction.predicted.tsv'
laws = 'box facets-4 facets-8 facets-16 cone'
names = "'box, fixed' '4 facets' '8 facets' '16 facets' cone"
pick(k, x) = strcol('law') eq word(laws, k) ? x : NaN
here(k) = strcol('law') eq word(laws, k) && column('iterations') == 0 && column('direction[rad]') < 1.5709
seen(k, x) = here(k) ? x : NaN
array line[5] = [3, 4, 5, 6, 1]
set multiplot layout 1,2
set key outside right center vertical
set size ratio -1
set xrange [-1.5:1.5]
set yrange [-1.5:1.5]
set xtics 0.5
set ytics 0.5
set format y '%g'
set xlabel 'least force along u_1 over μ m g'
set ylabel 'along u_2'
plot for [k=1:5] table using (pick(k, column('least_force_over_mu_m_g')*cos(column('direction[rad]')))):(column('least_force_over_mu_m_g')*sin(column('direction[rad]'))) \
        with linespoints pt 7 ps marks*0.3 lw 2 lc rgb colour[line[k]] title word(names, k)
unset key
set size noratio
set xrange [0:90]
set yrange [-45:45]
set xtics 15
set ytics 15
set xlabel 'direction of the pull [deg]'
set ylabel 'motion off the pull [deg]'
plot for [k=1:5] predicted using (column('direction[rad]')*deg):(pick(k, column('off_the_pull[rad]')*deg)) with lines lw 1.5 lc rgb colour[line[k]], \
     for [k=1:5] directions using (column('direction[rad]')*deg):(seen(k, column('off_the_pull[rad]')*deg)) with points pt 7 ps marks*0.8 lc rgb colour[line[k]]
unset multiplot
