# Variables: table, methods.
height = 560
load plots.'/style.gp'
set multiplot layout 2,3
set lmargin 9
set logscale xy
set format x '%g'
set xlabel 'step [s]'
set key off
set xrange [0.002:0.03]
scenes = "incline:0.4:0 backspin:0.5:0 turntable:0.2:2 turntable:0.5:2 box:0.5:0 box:0.55:0"
colon(s) = strstrt(s, ':')
scene_of(s) = s[1:colon(s) - 1]
rest_of(s) = s[colon(s) + 1:*]
mu_of(s) = real(rest_of(s)[1:colon(rest_of(s)) - 1])
turn_of(s) = real(rest_of(s)[colon(rest_of(s)) + 1:*])
is(s, m) = strcol('scene') eq scene_of(s) && abs(column('mu') - mu_of(s)) < 1e-9 && abs(column('turn[rad/s]') - turn_of(s)) < 1e-9 \
           && strcol('method') eq m
do for [i=1:words(scenes)] {
    s = word(scenes, i)
    set title scene_of(s).sprintf(', mu %g', mu_of(s)).(turn_of(s) > 0 ? sprintf(', %g rad/s', turn_of(s)) : '')
    if (i % 3 == 1) { set ylabel 'distance [m]' } else { unset ylabel }
    if (i == 4) { set key at screen 0.5,0.01 center bottom horizontal } else { set key off }
    plot for [k=1:words(methods)] table using (is(s, word(methods, k)) ? column('step[s]') : NaN):(column('position_error[m]')) \
        with linespoints pt 7 ps marks lw 1.5 lc rgb colour[k] title word(methods, k)
}
unset multiplot
