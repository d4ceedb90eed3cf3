# Variables: table (track.contact).
load plots.'/style.gp'
source = table
lines = 1
name(k) = ''
paint(k) = colour[1]
abscissa(k) = column('k')
quantities = 'leaves least_speed'
units = '[deg] [m/s]'
ordinate(k) = column(word(quantities, panel).'_exactly'.word(units, panel))
set multiplot
set format y '%g'
set xtics 0.1
set xlabel 'k = m / (m + I / R^2)'
panels = 2
own_ticks = 1
start = 0.37
stop = 1.03
do for [panel=1:2] {
    set ylabel panel == 1 ? 'leaves the hump at [deg]' : 'least speed through the loop [m/s]'
    load plots.'/panel.gp'
    set label 1 (panel == 1 ? 'cos θ = 2 k cos θ_0 / (1 + 2 k)' : 'u^2 = g R (1 + 2 k (1 + cos θ_0))') at graph (panel == 1 ? 0.97 : 0.62), graph 0.93 right textcolor rgb colour[1]
    set label 2 'circles: measured' at graph (panel == 1 ? 0.97 : 0.62), graph 0.85 right textcolor rgb colour[2]
    plot table using (abscissa(1)):(ordinate(1)) with lines lw 2 lc rgb colour[1], \
         table using (abscissa(1)):(column(word(quantities, panel).word(units, panel))) with points pt 6 ps marks*2.2 lw 2 lc rgb colour[2]
}
unset multiplot
