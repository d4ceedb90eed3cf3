# Variables: table (joint errors over time), schemes (separated by blanks). Cold dotted, warm solid.
load plots.'/style.gp'
ratios = '1 100'
titles = '"equal balls" "the last ball 100 times as heavy"'
set multiplot layout 1,2
set logscale y
set xlabel 'time [s]'
set ylabel 'joint error [m]'
set yrange [1e-5:100]
set key below horizontal
set bmargin 7
set xrange [0:*]
set autoscale xfixmax
run(ratio, scheme, start) = strcol('mass_ratio') eq ratio && strcol('scheme') eq scheme && strcol('start') eq start ? column('joint_error[m]') : NaN
do for [r=1:2] {
    set title word(titles, r) font ',12'
    plot for [s=1:words(schemes)] table using (column('time[s]')):(run(word(ratios, r), word(schemes, s), 'cold')) with lines dt 3 lw 1.2 lc rgb colour[s] notitle, \
         for [s=1:words(schemes)] table using (column('time[s]')):(run(word(ratios, r), word(schemes, s), 'warm')) with lines lw 1.8 lc rgb colour[s] title word(schemes, s)
}
unset multiplot
