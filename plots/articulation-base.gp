# Variables: table (differences), bases and erps (numbers, blanks between).
load plots.'/style.gp'
seen(x) = x > 2e-15 ? x : NaN # what rounding leaves is 0
middle_mass = real(word(bases, (words(bases) + 1) / 2))
middle_erp = real(word(erps, (words(erps) + 1) / 2))
near(x, y) = abs(x - y) <= 1e-9 * abs(y)
stats table using (column('iterations') > 0 ? column('iterations') : NaN) nooutput name 'n'
set multiplot
set logscale xy
set format x '%g'
set xlabel 'iterations of PGS'
set ylabel 'largest distance to the fixed arm [m]'
set yrange [1e-13:0.1]
set xrange [n_min/7.0:n_max*1.3]
set key off
set lmargin at screen 0.085
set rmargin at screen 0.38
set title sprintf('ERP %g, by the mass of the base', middle_erp)
pick(m, e) = near(column('base_mass[kg]'), m) && near(column('erp'), e) && column('iterations') > 0
plot for [k=1:words(bases)] table using (column('iterations')):(pick(real(word(bases, k)), middle_erp) ? seen(column('difference[m]')) : NaN) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb colour[k], \
     for [k=1:words(bases)] table using (column('iterations')):(pick(real(word(bases, k)), middle_erp) && column('iterations') == n_min ? seen(column('difference[m]')) : NaN):(word(bases, k).' kg') with labels right offset -0.8,(k == 1 ? 0.35 : k == 2 ? -0.25 : 0) textcolor rgb colour[k]
set lmargin at screen 0.53
set rmargin at screen 0.825
unset ylabel
set title sprintf('base of %g kg, by ERP', middle_mass)
plot for [k=1:words(erps)] table using (column('iterations')):(pick(middle_mass, real(word(erps, k))) ? seen(column('difference[m]')) : NaN) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb colour[k], \
     for [k=1:words(erps)] table using (column('iterations')):(pick(middle_mass, real(word(erps, k))) && column('iterations') == n_max ? seen(column('difference[m]')) : NaN):('ERP '.word(erps, k)) with labels left offset 1,(k == 2 ? 0.4 : k == 3 ? -0.5 : 0) textcolor rgb colour[k]
unset multiplot
