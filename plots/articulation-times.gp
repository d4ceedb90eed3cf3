# Variables: table (measured times).
load plots.'/articulation-style.gp'
forms = 'maximal maximal reduced'
columns = 'time_measured_to_1e-6[s] time_measured_direct[s] time_measured_to_1e-6[s]'
lines = 3
name(k) = word("'bodies, PGS' 'bodies, direct' articulation", k)
paint(k) = colour[int(word('1 6 2', k))]
ordinate(k) = is(word(forms, k)) ? shown(column(word(columns, k))) : NaN
low = 2e-7
high = 1e4
room = 104
set multiplot
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    set ylabel panel == 1 ? 'time of a step, measured [s]' : ''
    load plots.'/panel.gp'
    plot for [k=1:3] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.7 lw 2 lc rgb paint(k)
}
unset multiplot
