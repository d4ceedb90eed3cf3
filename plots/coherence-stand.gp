# Variables: table (heights over time), work (what one part of it is).
load plots.'/style.gp'
set multiplot layout 1,2
set format y '%g'
set xlabel 'time [s]'
set ylabel 'height of the top, change [mm]'
set yrange [-110:150]
set key top right
run(label) = strcol('run') eq label ? 1e3 * column('height_change[m]') : NaN
set title work font ',12'
plot table using (column('time[s]')):(run('euler|1|1|0|cold')) with lines lw 2 dt 2 lc rgb colour[1] title 'euler cold', \
     table using (column('time[s]')):(run('euler|1|1|0|warm')) with lines lw 2 lc rgb colour[1] title 'euler warm', \
     table using (column('time[s]')):(run('tgs|1|1|0.01|warm')) with lines lw 2 lc rgb colour[2] title 'tgs warm, margin', \
     table using (column('time[s]')):(run('split-impulse|1|1|0|cold')) with lines lw 2 dt 2 lc rgb colour[3] title 'split impulse cold', \
     table using (column('time[s]')):(run('split-impulse|1|1|0|warm')) with lines lw 2 lc rgb colour[3] title 'split impulse warm'
set title 'four times the work' font ',12'
set yrange [-40:80]
plot table using (column('time[s]')):(run('euler|4|1|0.01|cold')) with lines lw 2 dt 2 lc rgb colour[1] title 'euler, iterations times 4, cold', \
     table using (column('time[s]')):(run('euler|4|1|0.01|warm')) with lines lw 2 lc rgb colour[1] title 'euler, iterations times 4, warm', \
     table using (column('time[s]')):(run('euler|1|4|0.01|warm')) with lines lw 2 lc rgb colour[4] title 'euler, step over 4, warm', \
     table using (column('time[s]')):(run('tgs|4|1|0.01|warm')) with lines lw 2 lc rgb colour[2] title 'tgs, iterations times 4, warm'
unset multiplot
