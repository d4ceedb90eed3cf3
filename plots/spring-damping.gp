# Variables: table (damping ratio and frequency over N).
load plots.'/style.gp'
source = table
ways = 'euler small-steps small-steps-relax-1 tgs-substep tgs-step'
lines = 5
array hue[5] = [1, 3, 6, 5, 2]
array width[5] = [2, 6, 2, 2, 2] # relaxed small steps coincide with small steps
name(k) = word(ways, k)
paint(k) = colour[hue[k]]
abscissa(k) = column('iterations')
ordinate(k) = strcol('scheme') eq word(ways, k) ? column(quantity) : NaN
set multiplot
set xtics (1, 2, 4, 8, 16, 32, 64)
set format x '%g'
set xlabel 'iterations or substeps N'
panels = 2
do for [panel=1:2] {
    quantity = panel == 1 ? 'damping_ratio' : 'frequency_over_w'
    scale = panel == 1 ? 'xy' : 'x'
    set format y (panel == 1 ? '10^{%L}' : '%g')
    set ylabel panel == 1 ? 'damping ratio' : 'frequency over w'
    load plots.'/panel.gp'
    plot for [k=1:5] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints lw width[k] pt 7 ps marks*0.6 lc rgb paint(k)
}
unset multiplot
