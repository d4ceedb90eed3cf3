# Variables: table (curves), tolerances, solvers (names, blanks between).
panels = words(tolerances)
height = 300 * panels + 24 * words(solvers) / 3
load plots.'/style.gp'
set multiplot layout panels, 1
set logscale x
set xrange [1:*]
set yrange [0:1.02]
set format x '%g'
set format y '%g'
set xlabel 'time, in times of the fastest right answer [1]'
set ylabel 'share of problems [1]'
set key outside right top
do for [t=1:panels] {
    tolerance = number(word(tolerances, t))
    set title sprintf('tolerance %s', word(tolerances, t))
    same(s) = strcol('cost') eq 'seconds' && abs(column('tolerance') / tolerance - 1) < 1e-6 && strcol('solver') eq word(solvers, s)
    plot for [s=1:words(solvers)] table using (same(s) ? column('ratio') : NaN):(column('share')) with steps lw 2 \
        dashtype 1 + (s - 1) / |colour| lc rgb colour[(s - 1) % |colour| + 1] title word(solvers, s)
}
unset multiplot
