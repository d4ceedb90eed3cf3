# Variables: table (energies of a run), title.
load plots.'/style.gp'
positive(x) = x > 0 ? x : NaN
stats table using (column('total[J]')) every ::0::0 nooutput name 'first'
set multiplot layout 1,2 title title noenhanced font ',14'
set xlabel 'time [s]'
set format y '%g'
set ylabel 'energy, change since the start [J]'
stats table using (column('kinetic[J]')) every ::0::0 nooutput name 'k0'
stats table using (column('potential[J]')) every ::0::0 nooutput name 'p0'
set key below horizontal
plot table using (column('time[s]')):(column('kinetic[J]') - k0_min) with lines lw 2 lc rgb colour[1] title 'kinetic', \
     table using (column('time[s]')):(column('potential[J]') - p0_min) with lines lw 2 lc rgb colour[2] title 'potential', \
     table using (column('time[s]')):(column('total[J]') - first_min) with lines lw 2 lc rgb colour[3] title 'total'
set format y '10^{%L}'
set logscale y
set ylabel 'error [m or rad]'
set key below horizontal
plot table using (column('time[s]')):(positive(column('joint_error[m]'))) with lines lw 2 lc rgb colour[1] title 'joints [m]', \
     table using (column('time[s]')):(positive(column('joint_error[rad]'))) with lines lw 2 lc rgb colour[2] title 'joints [rad]', \
     table using (column('time[s]')):(positive(column('penetration[m]'))) with lines lw 2 lc rgb colour[3] title 'contacts [m]'
unset multiplot
