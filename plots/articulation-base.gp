# Variables: table (differences), bases and erps (numbers, blanks between).
load plots.'/style.gp'
source = table
middle_mass = number(word(bases, (words(bases) + 1) / 2))
middle_erp = number(word(erps, (words(erps) + 1) / 2))
near(x, y) = abs(x - y) <= 1e-9 * abs(y)
mass(k) = panel == 1 ? number(word(bases, k)) : middle_mass
erp(k) = panel == 1 ? middle_erp : number(word(erps, k))
name(k) = panel == 1 ? word(bases, k).' kg' : 'ERP '.word(erps, k)
abscissa(k) = column('iterations')
# What rounding leaves is 0, and not drawn.
ordinate(k) = near(column('base_mass[kg]'), mass(k)) && near(column('erp'), erp(k)) && column('iterations') > 0 \
    && column('difference[m]') > 2e-15 ? column('difference[m]') : NaN
set multiplot
panels = 2
scale = 'xy'
set format x '%g'
set xlabel 'iterations of PGS'
low = 1e-13
high = 0.1
do for [panel=1:2] {
    lines = panel == 1 ? words(bases) : words(erps)
    set ylabel panel == 1 ? 'largest distance to the fixed arm [m]' : ''
    set title panel == 1 ? sprintf('ERP %g, by the mass of the base', middle_erp) : sprintf('base of %g kg, by ERP', middle_mass) noenhanced
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt 7 ps marks*0.8 lw 2 lc rgb paint(k)
}
unset multiplot
