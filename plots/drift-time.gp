# Variables: table (history), mechanism, iterations.
load plots.'/drift-style.gp'
mine(n) = strcol('mechanism') eq mechanism
load plots.'/rows.gp'
chosen(k, n) = is(mechanism, k) && column('iterations') == n
abscissa(k) = column('time[s]')
set multiplot
set format x '%g'
set xlabel 'time [s]'
scale = 'y'
panels = 2
low = 1e-8
array counts[2] = [0, int(iterations)]
do for [panel=1:2] {
    ordinate(k) = chosen(k, counts[panel]) ? down_to(column('error[m]'), low) : NaN
    set title panel == 1 ? 'solved exactly (TGS: many iterations)' : 'PGS, '.iterations.' iterations or substeps' noenhanced
    set ylabel panel == 1 ? 'joint error [m]' : ''
    load plots.'/panel.gp'
    plot for [k=1:lines] table @of_line using (abscissa(k)):(ordinate(k)) with lines lw width[k] lc rgb paint(k)
}
unset multiplot
