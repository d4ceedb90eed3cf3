# Variables: table (curves); for each panel its tolerance, whether its cost is time (timed), its first and last rows, and
# for six best solvers in it (best: names or -) best_first and best_last, rows in the panel; of_best: ratios to the best.
of_best = int(of_best)
panels = words(tolerances)
rows = (panels + 1) / 2
height = 60 + 345 * rows
load plots.'/style.gp'
sixth(text, panel, k) = word(text, 6 * (panel - 1) + k)
set multiplot
set format x '10^{%L}'
set format y '%g'
set clip two
row = 0
column_of_panel = -1
before = ''
do for [panel=1:panels] {
    # Panels of one tolerance stand side by side.
    row = word(tolerances, panel) eq before ? row : row + 1
    before = word(tolerances, panel)
    timed_panel = word(timed, panel) eq '1'
    left = timed_panel ? 0.5 : 0
    set lmargin at screen left + 0.07
    set rmargin at screen left + 0.315
    set tmargin at screen 1 - (row - 1.0) / rows - 46.0 / height
    set bmargin at screen 1 - (1.0 * row) / rows + 62.0 / height
    # The panel's rows, read once: x, until, before, share, low, high. Ranges and scales would leave some out.
    unset logscale
    set xrange [*:*]
    set yrange [*:*]
    set datafile columnheaders
    set table $panel
    plot table every ::int(word(first, panel))::int(word(last, panel)) using 5:6:7:8:9:10 with table
    unset table
    unset datafile columnheaders
    stats $panel using 2 nooutput name 'until'
    stats $panel using 1 nooutput name 'from'
    least = of_best ? 1 : from_min
    set logscale x
    set yrange [0:1.02]
    edge = until_max > 1e4 && of_best ? 1e4 : until_max > 1.2*least ? until_max : 2*least
    set xrange [0.9*least:edge]
    end_of(until) = until < until_max ? until : edge # the last step goes on
    set title sprintf('tolerance %s', word(tolerances, panel)) noenhanced
    set xlabel of_best ? (timed_panel ? 'time, in times of the best [1]' : 'row visits, in times of the best [1]') \
        : timed_panel ? 'time [s]' : 'sweeps: visits of each row [1]'
    set ylabel timed_panel ? '' : 'share of problems [1]'
    set key at screen left + 0.325, screen 1 - (row - 1.0) / rows - 52.0 / height left top Left reverse vertical maxrows 7
    few = 6
    plot $panel using 1:3:(0):($4 - $3) with vectors nohead lw 0.6 lc rgb '#cccccc' notitle, \
        $panel using 1:4:(end_of($2) - $1):(0) with vectors nohead lw 0.6 lc rgb '#cccccc' notitle, \
        for [k=1:few] $panel every ::int(sixth(best_first, panel, k))::int(sixth(best_last, panel, k)) \
            using 1:(sixth(best, panel, k) eq '-' ? NaN : $4):1:(end_of($2)):5:6 with boxxyerror fs transparent solid 0.12 noborder \
            lc rgb colour[k] notitle, \
        for [k=1:few] $panel every ::int(sixth(best_first, panel, k))::int(sixth(best_last, panel, k)) \
            using 1:(sixth(best, panel, k) eq '-' ? NaN : $3):(0):($4 - $3) with vectors nohead lw 2 lc rgb colour[k] notitle, \
        for [k=1:few] $panel every ::int(sixth(best_first, panel, k))::int(sixth(best_last, panel, k)) \
            using 1:(sixth(best, panel, k) eq '-' ? NaN : $4):(end_of($2) - $1):(0) with vectors nohead lw 2 lc rgb colour[k] notitle, \
        for [k=1:few] keyentry with lines lw 2 lc rgb colour[k] title sixth(best, panel, k) eq '-' ? '' : sixth(best, panel, k), \
        keyentry with lines lw 0.6 lc rgb '#cccccc' title 'all others'
}
unset multiplot
