# Variables: table (energies of a run), title.
load plots.'/style.gp'
positive(x) = x > 1e-15 ? x : NaN # below is rounding
larger(a, b) = a > b ? a : b
stats table using (column('total[J]')) every ::0::0 nooutput name 'first'
set multiplot layout 1,2 title title noenhanced font ',14'
set xlabel 'time [s]'
set autoscale xfix
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
stats table using (larger(column('joint_error[m]'), larger(column('joint_error[rad]'), column('penetration[m]')))) nooutput name 'error'
if (error_max > 1e-15) {
    plot table using (column('time[s]')):(positive(column('joint_error[m]'))) with lines lw 2 lc rgb colour[1] title 'joints [m]', \
         table using (column('time[s]')):(positive(column('joint_error[rad]'))) with lines lw 2 lc rgb colour[2] title 'joints [rad]', \
         table using (column('time[s]')):(positive(column('penetration[m]'))) with lines lw 2 lc rgb colour[3] title 'contacts [m]'
} else {
    set yrange [1e-16:1]
    set label 1 'no error above 10^{-15}' at graph 0.5,0.5 center
    plot table using (column('time[s]')):(1e-17) with lines notitle
}
unset multiplot
