# Variables: table (events), crossings (names, blanks between).
height = 900
load plots.'/drift-style.gp'
columns = 4
rows = 3
abscissa(k) = 1.0 / column('steps_a_second')
ordinate(k) = is(crossing, k) ? seen(column('error[m|rad]'), 1e-16) : NaN
set multiplot
set logscale xy
set format x '10^{%L}'
set key off
do for [panel=1:words(crossings)] {
    crossing = word(crossings, panel)
    across = (panel - 1) % columns
    down = (panel - 1) / columns
    set lmargin at screen (across + 0.29) / columns
    set rmargin at screen (across + 0.95) / columns
    set tmargin at screen 1 - (down + 0.12) / rows
    set bmargin at screen 1 - (down + 0.82) / rows
    set title crossing noenhanced offset 0,-0.5
    set ylabel across == 0 ? "error [m, rad]" : ""
    set xlabel (panel + columns > words(crossings) ? 'time step [s]' : '')
    set yrange [*:*]
    set xrange [*:*]
    shown = ''
    do for [k=1:lines] {
        n_shown = 0
        stats table using (n_shown = n_shown + (ordinate(k) == ordinate(k)), 1) nooutput
        if (n_shown) { shown = shown.' '.k }
    }
    plot x with lines lw 1 dt 3 lc rgb '#888888', for [k in shown] table using (abscissa(int(k))):(ordinate(int(k))) \
         with linespoints lw width[int(k)] pt shape[int(k)] ps marks*0.5 lc rgb paint(int(k))
}
# The names, in the cells that are left.
unset logscale
unset border
unset tics
unset grid
unset title
unset xlabel
unset ylabel
set lmargin at screen (words(crossings) % columns + 0.1) / columns
set rmargin at screen 0.99
set tmargin at screen 1 - (rows - 1 + 0.1) / rows
set bmargin at screen 0.02
set xrange [0:1]
set yrange [0:1]
set key inside center center maxrows 8 Left reverse
plot for [k=1:lines] NaN with linespoints lw width[k] pt shape[k] ps marks*0.8 lc rgb paint(k) title name(k), \
     NaN with lines lw 1 dt 3 lc rgb '#888888' title 'order 1'
unset multiplot
