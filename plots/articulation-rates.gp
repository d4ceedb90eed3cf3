# Variables: table (rates and iterations).
load plots.'/articulation-style.gp'
forms = 'maximal reduced'
names = "bodies articulation"
array lift[2] = [1.0, -1.0]
set multiplot
set ylabel 'iterations of PGS to 10^{-6} of the first error'
set yrange [1:3e9]
do for [m=1:3] {
    mechanism = word(mechanisms, m)
    set lmargin at screen 0.075 + 0.315 * (m - 1)
    set rmargin at screen 0.355 + 0.315 * (m - 1)
    set title word(titles, m)
    if (m == 1) { set label 1 'articulation: no rows, no iterations' at graph 0.05, 0.07 left textcolor rgb colour[2] }
    if (m == 2) { set label 1 'lines: predicted from the rate' at graph 0.05, 0.94 left textcolor rgb '#222222'; set label 2 'points: measured' at graph 0.05, 0.87 left }
    if (m == 3) { unset label 1; unset label 2 }
    plot for [k=1:2] table using (column('mass_ratio')):(is(word(forms, k)) ? shown(column('predicted_iterations')) : NaN) with lines lw 2 lc rgb colour[k], \
         for [k=1:2] table using (column('mass_ratio')):(is(word(forms, k)) ? shown(column('iterations_to_1e-6')) : NaN) with points pt 7 ps marks*1.1 lc rgb colour[k], \
         for [k=1:2] table using (column('mass_ratio')):(is(word(forms, k)) ? at_last(column('predicted_iterations')) : NaN):(word(names, k)) \
            with labels right offset 0,lift[k] textcolor rgb colour[k]
    unset ylabel
    set format y ''
}
unset multiplot
