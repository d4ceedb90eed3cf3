# Variables: table (errors), second (the motion).
load plots.'/style.gp'
array steps[3] = [20, 100, 500]
stats table using (column('kp')) nooutput name 'kp'
stats table using (column('damping_ratio')) nooutput name 'damping'
pick(z) = strcol('rig') eq 'slider' && column('kp') == kp_min && column('damping_ratio') == z
set multiplot layout 1,2
set key below horizontal maxrows 2
set bmargin 6.5
set format y '%g'
set xlabel 'periods'
set ylabel 'C over its start'
set yrange [-1.1:1.1]
plot second using (column('periods')):(column('steps_a_period') == 500 ? column('exact') : NaN) \
        with lines lw 4 lc rgb '#bbbbbb' title 'exact', \
     for [k=1:3] second \
        using (column('periods')):(column('steps_a_period') == steps[k] ? column('C_over_start') : NaN) \
        with lines lw 1.8 lc rgb colour[k] title sprintf('%d steps a period', steps[k])
set logscale xy
set format y '10^{%L}'
set format x '10^{%L}'
set xlabel 'w h'
set ylabel 'largest error over the amplitude'
set yrange [1e-5:1]
set xrange [3e-4:0.2]
zetas = '0 0.01 0.3 1 3'
plot for [k=1:5] table using (column('w_h')):(pick(real(word(zetas, k))) ? column('error_over_amplitude') : NaN) \
        with linespoints pt 7 ps 0.8 lw 1.8 lc rgb colour[k] title sprintf('damping ratio %s', word(zetas, k)), \
     x with lines dt 2 lc rgb '#444444' title 'order 1'
unset multiplot
