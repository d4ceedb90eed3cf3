# Variables: table (runs), second (measured times), mechanism, iterations.
height = 760
load plots.'/drift-style.gp'
chosen(k) = is(mechanism, k) && column('iterations') == number(iterations) && (panel == 2 || strcol('row_order') eq 'given')
work(k) = column('row_iterations_a_second')
seconds(k) = column('time_measured_a_step[s]') * column('steps_a_second')
columns = 'worst_error[m] worst_energy_change[J]'
set multiplot
set format x '10^{%L}'
scale = 'xy'
panels = 2
do for [row=1:2] {
    top = row == 1 ? 0.95 : 0.46
    bottom = row == 1 ? 0.58 : 0.085
    least_shown = row == 1 ? 1e-9 : 1e-14
    shown = word(columns, row)
    do for [panel=1:2] {
        source = panel == 1 ? table : second
        abscissa(k) = chosen(k) ? (panel == 1 ? work(k) : seconds(k)) : NaN
        ordinate(k) = chosen(k) ? seen(column(shown), least_shown) : NaN
        set xlabel panel == 1 ? 'row-iterations per second of motion' : 'measured time per second of motion [s]'
        set ylabel row == 1 ? 'largest joint error [m]' : 'largest |change of energy| [J]'
        load plots.'/panel.gp'
        if (row == 1 && !is_number(end_y[newton])) { set label 1 'proj. Newton: below 10^{-9} m' at graph 0.03, graph 0.05 textcolor rgb paint(newton) }
        plot for [k=1:lines] source @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw width[k] pt shape[k] ps marks*0.6 lc rgb paint(k)
    }
}
unset multiplot
