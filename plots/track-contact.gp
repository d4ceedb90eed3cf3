# Variables: table (track.contact).
load plots.'/style.gp'
set multiplot layout 1,2
set format y '%g'
set xlabel 'k = m / (m + I / R^2)'
set key below horizontal
set bmargin 6.5
set ylabel 'leaves the hump at [deg]'
plot table using (column('k')):(column('leaves_exactly[deg]')) with lines lw 2 lc rgb colour[1] title 'cos {/Symbol q} = 2 k cos {/Symbol q}_0 / (1 + 2 k)', \
     table using (column('k')):(column('leaves[deg]')) with points pt 7 lc rgb colour[2] title 'measured'
set ylabel 'least speed through the loop [m/s]'
plot table using (column('k')):(column('least_speed_exactly[m/s]')) with lines lw 2 lc rgb colour[1] title 'u^2 = g R (1 + 2 k (1 + cos {/Symbol q}_0))', \
     table using (column('k')):(column('least_speed[m/s]')) with points pt 7 lc rgb colour[2] title 'measured'
unset multiplot
