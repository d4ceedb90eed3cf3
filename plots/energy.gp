# Variables: table (energies of a run), title. Panels: kinetic and potential energy; their sum, on an axis of its own;
# errors, where there are any.
load plots.'/style.gp'
unset datafile missing # a line ends where an error is none
source = table
floor = 1e-13 # below is rounding
larger(a, b) = a > b ? a : b
energies = 'kinetic potential total'
errors = 'joint_error[m] joint_error[rad] penetration[m]'
names = "'joints [m]' 'joints [rad]' 'contacts [m]'"
array kind[3] # the errors that there are
found = 0
do for [e=1:3] {
    stats table using (larger(column(word(errors, e)), 0)) nooutput name 'error'
    if (error_max > floor) { found = found + 1; kind[found] = e }
}
panels = found > 0 ? 3 : 2
# A run that has come to rest ends on the axis where it did.
set yrange [*:*]
stats table using (column('time[s]')) nooutput name 'time'
stats table using (column('kinetic[J]')) nooutput name 'kinetic'
stats table using (column('potential[J]')) nooutput name 'potential'
last_kinetic = 0; last_potential = 0; moved = 0
stats table using (last_kinetic = column('kinetic[J]'), last_potential = column('potential[J]'), 1) nooutput
far = 0.01 * larger(kinetic_max - kinetic_min, potential_max - potential_min)
stats table using (moved = abs(column('kinetic[J]') - last_kinetic) + abs(column('potential[J]') - last_potential) > far ? column('time[s]') : moved, 1) nooutput
early = last_kinetic < 0.01 * kinetic_max && moved > 0 && moved < 0.35 * time_max
start = 0
stop = early ? 2 * moved : time_max > 0 ? time_max : 1 # 0: the first step diverged
array began[3]
stats table every ::0::0 using (sum [k=1:3] (began[k] = column(word(energies, k).'[J]'), 0)) nooutput
change(k) = column(word(energies, k).'[J]') - began[k]
set multiplot title title noenhanced
top = 0.81
set xlabel early ? sprintf('time [s], of %g s', time_max) : 'time [s]'
set format y '%g'
abscissa(k) = column('time[s]') <= stop ? column('time[s]') : NaN

panel = 1
lines = 2
set title 'kinetic and potential' noenhanced
set ylabel 'change of energy [J]'
name(k) = word(energies, k)
ordinate(k) = change(k)
load plots.'/panel.gp'
plot for [k=1:2] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 lc rgb paint(k)

panel = 2
lines = 1
set title 'total energy' noenhanced
unset ylabel
name(k) = ''
ordinate(k) = change(3)
load plots.'/panel.gp'
plot for [k=1:1] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 lc rgb colour[3]

if (found > 0) {
    panel = 3
    lines = found
    set title 'error' noenhanced
    set ylabel 'error [m or rad]'
    set format y '10^{%L}'
    scale = 'y'
    name(k) = word(names, kind[k])
    paint(k) = colour[kind[k]]
    ordinate(k) = column(word(errors, kind[k])) > floor ? column(word(errors, kind[k])) : NaN
    load plots.'/panel.gp'
    plot for [k=1:found] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.15 lw 2 lc rgb paint(k)
}
unset multiplot
