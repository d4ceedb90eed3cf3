# Variables: table (track.angle).
load plots.'/style.gp'
erps = '0.2 0.5 0.8 1'
angles = 'half printed vector'
pick(a, e, x) = strcol('angle') eq word(angles, a) && strcol('erp') eq word(erps, e) ? (x > 1e-16 ? x : 1e-16) : NaN
set multiplot layout 1,3
set logscale y
set yrange [5e-17:2]
set xlabel 'step'
set key below horizontal maxrows 2
set bmargin 6.5
do for [a=1:3] {
    set title word(angles, a)
    set ylabel a == 1 ? 'angle left [rad]' : ''
    plot for [e=1:4] table using (column('step')):(pick(a, e, column('theta[rad]'))) with linespoints lw 2 pt 7 ps 0.6 lc rgb colour[e] title 'erp '.word(erps, e)
}
unset multiplot
