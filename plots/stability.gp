# Variables: table (steps), methods (names, blanks between), solver ('exact' or 'pgs'), iterations (of PGS, or substeps).
height = 500
load plots.'/style.gp'
stats table using (column('mass_ratio')) nooutput name 'ratio'
lines = words(methods)
array marks_of[9] = [7, 5, 9, 11, 13, 4, 6, 8, 10]
count_of(k) = solver eq 'pgs' || strstrt(word(methods, k), 'small-steps') || word(methods, k) eq 'soft-step' ? real(iterations) : 1
is(r, k) = column('mass_ratio') == r && strcol('solver') eq solver && strcol('method') eq word(methods, k) && column('iterations') == count_of(k)
pick(r, k, x) = is(r, k) && x > 0 && x < 1e3 ? x : NaN
set multiplot
set logscale xy
set format x '%g'
set format y '%g'
set yrange [0.8:200]
set xlabel 'step times highest frequency [1]'
# A panel for each of two ratios, with the names beside the last one.
panels = ratio_min < ratio_max ? 2 : 1
left(panel) = panel == 1 ? 0.085 : 0.435
right(panel) = panel == 1 && panels == 2 ? 0.36 : 0.71
set bmargin 4
set arrow 1 from 2,0.8 to 2,200 nohead dashtype 2 lw 1.5 lc rgb '#555555'
do for [panel=1:panels] {
    r = panel == 1 ? ratio_min : ratio_max
    set title sprintf('mass ratio of the last link: %g', r)
    set ylabel panel == 1 ? 'growth per step [1]' : ''
    set lmargin at screen left(panel)
    set rmargin at screen right(panel)
    if (panel == panels) { set key at screen 0.995, 0.9 right top vertical Right noreverse } else { unset key }
    plot for [k=1:lines] table using (column('step_times_frequency')):(pick(r, k, column('spectral_radius'))) with lines lw 2 lc rgb paint(k) dashtype 1 + (k - 1) / 6 notitle, \
         for [k=1:lines] '' using (column('step_times_frequency')):(pick(r, k, column('measured_growth'))) with points pt marks_of[(k - 1) % 9 + 1] ps marks*1.5 lc rgb paint(k) title word(methods, k), \
         for [k=1:lines] '' using (column('step_times_frequency')):(pick(r, k, column('radius_by_the_law'))) with lines lw 1.2 lc rgb '#000000' dashtype 3 notitle, \
         1e9 with lines lw 1.2 lc rgb '#000000' dashtype 3 title 'law'
}
unset multiplot
