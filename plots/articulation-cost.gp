# Variables: table (measured times).
load plots.'/style.gp'
source = table
measured = 'time_measured_10_iterations[s]'
direct = 'time_measured_direct[s]'
is(joints, form) = strcol('joints') eq joints && strcol('coordinates') eq form
kinds = 'hinges balls few'
panels = 3
scale = 'xy'
gutter = 76
lines = 3
set format x '%g'
set multiplot
do for [panel=1:3] {
    room = panel == 1 ? 106 : 90
    set xlabel panel == 3 ? 'degrees of freedom' : 'links'
    set ylabel panel == 1 ? 'time of a step, measured [s]' : ''
    set title word("'a chain of hinges' 'articulations, by links' 'by degrees of freedom'", panel) noenhanced
    abscissa(k) = column(panel == 3 ? 'velocities' : 'links')
    if (panel == 1) {
        name(k) = word("'bodies, direct' 'bodies, PGS' articulation", k)
        paint(k) = colour[int(word('6 1 2', k))]
        ordinate(k) = is('hinges', k < 3 ? 'maximal' : 'reduced') ? column(k == 1 ? direct : measured) : NaN
    } else {
        name(k) = word("hinges 'ball joints' 'four hinges'", k)
        paint(k) = colour[int(word('2 3 1', k))]
        ordinate(k) = is(word(kinds, k), 'reduced') ? column(measured) : NaN
    }
    load plots.'/panel.gp'
    plot for [k=1:3] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb paint(k)
}
unset multiplot
