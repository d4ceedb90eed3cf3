# Variables: table (measured times).
load plots.'/articulation-style.gp'
set multiplot
set ylabel 'time of a step, measured [s]'
set yrange [2e-7:1e4]
series = "'maximal' 'maximal' 'reduced'"
columns = 'time_measured_to_1e-6[s] time_measured_direct[s] time_measured_to_1e-6[s]'
names = "'bodies, PGS to 10^{-6}' 'bodies, block-pivoting' 'articulation'"
array paint[3] = ['#0072B2', '#56B4E9', '#D55E00']
array lift[3] = [0.9, 0.9, -0.9]
do for [m=1:3] {
    mechanism = word(mechanisms, m)
    set lmargin at screen 0.075 + 0.315 * (m - 1)
    set rmargin at screen 0.355 + 0.315 * (m - 1)
    set title word(titles, m)
    plot for [k=1:3] table using (column('mass_ratio')):(is(word(series, k)) ? shown(column(word(columns, k))) : NaN) with linespoints pt 7 ps marks*0.7 lw 2 lc rgb paint[k], \
         for [k=1:3] table using (column('mass_ratio')):(is(word(series, k)) ? at_last(column(word(columns, k))) : NaN):(word(names, k)) \
            with labels right offset 0,lift[k] textcolor rgb paint[k]
    unset ylabel
    set format y ''
}
unset multiplot
