# Variables: table (differences to direct steps), counts (N, blanks between).
load plots.'/style.gp'
seen(x) = x > 1e-17 ? x : 1e-17
pick(rig, n) = strcol('rig') eq rig && column('iterations') == real(word(counts, n))
shade(n) = colour[(n - 1) % 6 + 1]
stats table using (column('kp')) nooutput name 'kp' # not under a log scale
set multiplot layout 1,2
set key below horizontal maxrows 2
set bmargin 6.5
set logscale xy
set format x '10^{%L}'
set xrange [0.5*kp_min:3*kp_max]
set yrange [5e-18:10]
set ylabel 'largest difference to direct steps'
do for [rig in 'slider hinge'] {
    set xlabel (rig eq 'slider' ? 'kp of the mass on a slider [N/m]' : 'kp of the wheel on a hinge [N m/rad]')
    plot for [n=1:words(counts)] table \
        using (column('kp')):(pick(rig, n) ? seen(column('difference_to_direct')) : NaN) \
        with linespoints lw 1.8 pt 7 ps 0.8 lc rgb shade(n) title 'N = '.word(counts, n)
}
unset multiplot
