# Variables: table (rates and iterations).
load plots.'/articulation-style.gp'
forms = 'maximal reduced'
lines = 2
name(k) = word('bodies articulation', k)
ordinate(k) = is(word(forms, k)) ? shown(column('predicted_iterations')) : NaN
low = 1
high = 3e9
set multiplot
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    set ylabel panel == 1 ? 'iterations of PGS to 10^{-6} of the first error' : ''
    load plots.'/panel.gp'
    if (panel == 1) { set label 1 'articulation:' at graph 0.05, graph 0.16 textcolor rgb paint(2); set label 2 'no rows, no iterations' at graph 0.05, graph 0.08 textcolor rgb paint(2) }
    if (panel == 2) { set label 1 'lines: predicted' at graph 0.05, graph 0.94; set label 2 'points: measured' at graph 0.05, graph 0.86 }
    plot for [k=1:2] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw 2 lc rgb paint(k), \
         for [k=1:2] table using (abscissa(k)):(is(word(forms, k)) ? shown(column('iterations_to_1e-6')) : NaN) with points pt 7 ps marks*1.1 lc rgb paint(k)
}
unset multiplot
