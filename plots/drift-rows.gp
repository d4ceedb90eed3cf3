# Variables: table (runs), iterations, rate.
height = 480
load plots.'/drift-style.gp'
mechanisms = 'chain hinge-pair' # the sweeps of the four-bar converge, in any order
orders = 'given reversed random symmetric'
array symbol[4] = [7, 8, 10, 4]
lines = words(orders)
# The place of a way on the axis, on which Newton's tolerance is left out.
place(i) = i < newton ? i : i - 1
name(k) = word(orders, k)
paint(k) = colour[k]
chosen(k) = strcol('mechanism') eq mechanism && strcol('row_order') eq word(orders, k) \
    && column('iterations') == number(iterations) && abs(column('steps_a_second') - number(rate)) < 1e-6 * number(rate)
abscissa(k) = sum [i=1:words(ways)] (i != newton && word(ways, i) eq strcol('way') ? place(i) : 0)
ordinate(k) = chosen(k) && abscissa(k) > 0 ? seen(column('worst_error[m]'), 1e-16) : NaN
set multiplot
scale = 'y'
panels = 2
gutter = 76
start = 0.5
stop = words(ways) - 0.5
bottom = 0.24
room = 92
set xtics rotate by 90 right
do for [panel=1:2] {
    mechanism = word(mechanisms, panel)
    set title mechanism noenhanced
    set ylabel panel == 1 ? 'largest joint error [m]' : ''
    set format x ''
    load plots.'/panel.gp'
    set xtics ()
    do for [i=1:words(ways)] { if (i != newton) { set xtics add (word(names, i) place(i)) } }
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with points pt symbol[k] ps marks*1.1 lw 2 lc rgb paint(k)
}
unset multiplot
