# Variables: table (growth per step, predicted and measured).
load plots.'/style.gp'
source = table
erps = '0.10000000000000001 0.20000000000000001 0.5'
names = '0.1 0.2 0.5'
lines = 3
is(k) = strcol('erp') eq word(erps, k)
sane(x) = x > 0 && x < 100 ? x : NaN
name(k) = 'ERP '.word(names, k)
abscissa(k) = column('iterations')
set multiplot
set format y '%g'
set xlabel 'iterations of PGS per step'
panels = 2
start = 0
do for [panel=1:2] {
    set ylabel panel == 1 ? 'growth of the error per step' : 'period [steps]'
    quantity = panel == 1 ? 'growth' : 'period[steps]'
    if (panel == 2) { low = 0; high = 40 }
    ordinate(k) = is(k) ? sane(column('predicted_'.quantity)) : NaN
    load plots.'/panel.gp'
    if (panel == 1) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#444444' dt 2; set label 1 'unstable above' at graph 0.98, first 1 right offset 0,0.6 }
    plot for [k=1:3] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 lc rgb paint(k), \
         for [k=1:3] table using (abscissa(k)):(is(k) ? sane(column('measured_'.quantity)) : NaN) with points pt 7 ps marks*0.8 lc rgb paint(k)
}
unset multiplot
