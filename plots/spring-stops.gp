# Variables: table (depths at rest).
load plots.'/style.gp'
ways = 'euler tgs-step tgs-substep split-impulse projection-newton small-steps'
seen(x) = abs(x) > 1e-17 ? abs(x) : 1e-17
pick(rig, k) = strcol('rig') eq rig && strcol('scheme') eq word(ways, k)
array shape[6] = [7, 6, 4, 8, 2, 1]
stats table using (column('kp')) nooutput name 'kp' # not under a log scale
set multiplot layout 1,2
set key below horizontal maxrows 3
set bmargin 7
set logscale xy
set format x '10^{%L}'
set xrange [0.5*kp_min:3*kp_max]
set xlabel 'kp [N/m]'
set ylabel 'depth on the contact [m]'
plot table using (column('kp')):(pick('contact', 1) ? column('m_g_over_kp[m]') : NaN) \
        with lines lw 1.5 lc rgb '#444444' notitle, \
     for [k=1:6] table using (column('kp')):(pick('contact', k) ? column('depth[m]') : NaN) \
        with points pt shape[k] ps 0.6 + 0.3*k lw 1.5 lc rgb colour[k] title word(ways, k)
set ylabel 'relative error; contact full, limit dashed'
set yrange [5e-18:1e-6]
plot for [k=1:6] table using (column('kp')):(pick('contact', k) ? seen(column('relative_error')) : NaN) \
        with linespoints pt shape[k] ps 1 lw 1.5 lc rgb colour[k] title word(ways, k), \
     for [k=1:6] table using (column('kp')):(pick('limit', k) ? seen(column('relative_error')) : NaN) \
        with lines dt 2 lw 1.5 lc rgb colour[k] notitle
unset multiplot
