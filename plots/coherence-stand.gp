# Variables: table (shares that stand over time), duration [s], work (what one part of it is).
load plots.'/style.gp'
set multiplot layout 1,2
set format y '%g %%'
set xlabel 'time [s]'
set ylabel 'stacks that stand'
set yrange [-4:104]
set xrange [0:duration]
set key below vertical maxrows 3 Left reverse
set bmargin 7
run(label) = strcol('run') eq label ? 100 * column('standing') : NaN
set title work
plot table using (column('time[s]')):(run('euler|1|1|0|cold')) with steps lw 2 dt 2 lc rgb colour[1] title 'euler, cold', \
     table using (column('time[s]')):(run('euler|1|1|0|warm')) with steps lw 3 lc rgb colour[1] title 'euler, warm', \
     table using (column('time[s]')):(run('tgs|1|1|0|warm')) with steps lw 3 lc rgb colour[2] title 'tgs, warm', \
     table using (column('time[s]')):(run('split-impulse|1|1|0|cold')) with steps lw 2 dt 3 lc rgb colour[3] title 'split impulse, cold', \
     table using (column('time[s]')):(run('split-impulse|1|1|0|warm')) with steps lw 3 lc rgb colour[3] title 'split impulse, warm', \
     table using (column('time[s]')):(run('split-impulse|1|1|0.01|warm')) with steps lw 2 lc rgb colour[4] title 'the same, margin 10 mm'
set title 'four times the iterations'
plot table using (column('time[s]')):(run('euler|4|1|0|warm')) with steps lw 3 lc rgb colour[1] title 'euler, warm', \
     table using (column('time[s]')):(run('tgs|4|1|0|warm')) with steps lw 3 lc rgb colour[2] title 'tgs, warm', \
     table using (column('time[s]')):(run('split-impulse|4|1|0|cold')) with steps lw 2 dt 3 lc rgb colour[3] title 'split impulse, cold', \
     table using (column('time[s]')):(run('split-impulse|4|1|0|warm')) with steps lw 3 lc rgb colour[3] title 'split impulse, warm', \
     table using (column('time[s]')):(run('small-steps relaxed|4|1|0|warm')) with steps lw 2 lc rgb colour[5] title 'small steps, warm', \
     table using (column('time[s]')):(run('euler|4|1|0|cold')) with steps lw 1.5 dt (12,12) lc rgb '#000000' title 'euler, cold'
unset multiplot
