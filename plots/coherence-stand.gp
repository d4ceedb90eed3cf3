# Variables: table (heights over time), schemes, titles (separated by blanks).
load plots.'/style.gp'
set multiplot layout 1,2
set format y '%g'
set xlabel 'time [s]'
set ylabel 'height of the top, change [mm]'
set yrange [-110:80]
set key bottom right maxrows 4
run(label) = strcol('run') eq label ? 1e3 * column('height_change[m]') : NaN
set title '10 iterations a step of 1/60 s' font ',12'
plot table using (column('time[s]')):(run('euler|1|1|0|cold')) with lines lw 2 dt 2 lc rgb colour[1] title 'euler cold', \
     table using (column('time[s]')):(run('euler|1|1|0|warm')) with lines lw 2 lc rgb colour[1] title 'euler warm', \
     table using (column('time[s]')):(run('tgs|1|1|0.01|warm')) with lines lw 2 lc rgb colour[2] title 'tgs warm, margin', \
     (split ne '' ? table : '/dev/null') using (column('time[s]')):(run('split-impulse|1|1|0|cold')) with lines lw 2 dt 2 lc rgb colour[3] title 'split impulse cold', \
     (split ne '' ? table : '/dev/null') using (column('time[s]')):(run('split-impulse|1|1|0|warm')) with lines lw 2 lc rgb colour[3] title 'split impulse warm'
set title 'more work' font ',12'
set yrange [-60:60]
plot table using (column('time[s]')):(run('euler|4|1|0.01|cold')) with lines lw 2 dt 2 lc rgb colour[1] title 'euler, 40 iterations, cold', \
     table using (column('time[s]')):(run('euler|4|1|0.01|warm')) with lines lw 2 lc rgb colour[1] title 'euler, 40 iterations, warm', \
     table using (column('time[s]')):(run('euler|1|4|0.01|warm')) with lines lw 2 lc rgb colour[4] title 'euler, 10 iterations of h/4, warm', \
     table using (column('time[s]')):(run('tgs|4|1|0.01|warm')) with lines lw 2 lc rgb colour[2] title 'tgs, 40 iterations, warm'
unset multiplot
