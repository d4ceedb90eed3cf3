# Variables: table (problems), glide (a table), cases (names, blanks between).
load plots.'/style.gp'
lines = words(cases)
of(k) = strcol('case') eq word(cases, k)
pick(k, way, x) = of(k) && strcol('varied') eq way ? x : NaN
law(k) = of(k) && column('sigma') == 0 && column('beta') == 0 ? column('distance') : NaN
array rigid[lines]
do for [k=1:lines] {
    stats table using (law(k)) nooutput name 'law'
    rigid[k] = law_max
}
set multiplot layout 1,2
set logscale xy
set format x '10^{%L}'
set lmargin 9
set bmargin 7
set key below vertical maxrows 2 Left reverse
set xlabel 'sigma, the regularisation of the tangents [1]'
set ylabel 'distance from Coulomb''s answer [1]'
plot for [k=1:lines] table using (column('sigma')):(pick(k, 'sigma alone', column('distance'))) with linespoints pt 7 ps marks lw 2 lc rgb colour[(k - 1) % 6 + 1] title word(cases, k), \
     for [k=1:lines] rigid[k] with lines dashtype 2 lw 1.5 lc rgb colour[(k - 1) % 6 + 1] notitle
set xlabel 'time step [s]'
set ylabel 'height of a body that slides [m]'
plot glide using (column('step[s]')):(column('predicted_height[m]')) with lines lw 2 lc rgb colour[2] title 'h mu |v_t|', \
     '' using (column('step[s]')):(column('height[m]')) with points pt 7 ps marks*2 lc rgb colour[1] title 'measured'
unset multiplot
