# Variables: table (errors), step [s], counts (numbers of iterations, blanks between).
load plots.'/articulation-style.gp'
shade(k) = word('#8fd0b8 #3aa681 #00553c', k > 3 ? 3 : k)
coarse(x) = column('step[s]') > 0.9 * real(step)
swept(k) = is('maximal') && strcol('solver') eq 'pgs' && column('iterations') == real(word(counts, k))
solved(form) = is(form) && column('iterations') == 0 && coarse(0)
fine(form) = is(form) && !coarse(0)
set multiplot
set ylabel 'largest distance to the exact trajectory [m]' offset 1,0
set yrange [3e-5:20]
set key top left Left reverse samplen 1.6 maxrows 6
do for [m=1:3] {
    mechanism = word(mechanisms, m)
    set lmargin at screen 0.075 + 0.315 * (m - 1)
    set rmargin at screen 0.355 + 0.315 * (m - 1)
    set title word(titles, m)
    plot for [k=1:words(counts)] table using (column('mass_ratio')):(swept(k) ? shown(column('error[m]')) : NaN) \
            with linespoints lw 1.8 pt 7 ps marks*0.6 lc rgb shade(k) title (m == 2 ? 'bodies, PGS, '.word(counts, k).' iterations' : ''), \
         table using (column('mass_ratio')):(solved('reduced') ? shown(column('error[m]')) : NaN) \
            with lines lw 5 lc rgb '#9ad0f0' title (m == 2 ? 'articulation' : ''), \
         table using (column('mass_ratio')):(solved('maximal') ? shown(column('error[m]')) : NaN) \
            with linespoints lw 1.6 pt 6 ps marks*0.8 lc rgb colour[2] title (m == 2 ? 'bodies, solved exactly' : ''), \
         table using (column('mass_ratio')):(fine('reduced') ? shown(column('error[m]')) : NaN) with points pt 5 ps marks*2 lc rgb '#9ad0f0' notitle, \
         table using (column('mass_ratio')):(fine('maximal') ? shown(column('error[m]')) : NaN) with points pt 4 ps marks*1.4 lw 1.6 lc rgb colour[2] notitle, \
         table using (column('mass_ratio')):(fine('maximal') ? shown(column('error[m]')) : NaN):('a tenth of the step') with labels right offset -1.2,0 textcolor rgb '#444444' notitle
    unset ylabel
    set format y ''
}
unset multiplot
