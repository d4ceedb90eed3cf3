# Variables: table (sums of the ledger's columns), scene. A bar for each method: gains to the right, losses to the left.
height = 560
load plots.'/style.gp'
mine(n) = strcol('scene') eq scene
load plots.'/rows.gp'
parts = 'constraint bias compliance friction collision projection integrator'
array hue[7] = [colour[1], colour[2], colour[3], colour[4], colour[6], '#F0E442', '#999999']
joules(k) = column(word(parts, k).'[J]')
# A bar begins where those of the same sign before it end.
base(k) = k == 1 ? 0 : (sum [j=1:k-1] (joules(j) * joules(k) > 0 ? joules(j) : 0))
# A part that is nowhere visible has no place in the key.
array most[7]
widest = 0
do for [k=1:7] {
    stats table every ::first_row::last_row using (abs(joules(k))) nooutput name 'part'
    most[k] = part_max
    widest = part_max > widest ? part_max : widest
}
set style fill solid 0.9 border lc rgb '#444444'
set format x '%g'
set format y '%s'
set ytics noenhanced scale 0
unset grid
set grid xtics lc rgb '#dddddd' lt 1 lw 0.6
set lmargin at screen 0.22
set rmargin at screen 0.84
set tmargin at screen 0.96
set bmargin at screen 0.13
set key at screen 0.855, screen 0.95 left top vertical Left reverse samplen 1.2
set yzeroaxis lt 1 lw 1 lc rgb '#444444'
set xlabel 'energy over the run [J]'
set yrange [last_row - first_row + 0.7:-0.7]
plot for [k=1:7] table every ::first_row::last_row using (base(k)):0:(base(k)):(base(k) + joules(k)):($0 - 0.36):($0 + 0.36):ytic(strcol('way')) \
    with boxxyerror lc rgb hue[k] title (most[k] > 2e-3 * widest ? word(parts, k) : ''), \
     table every ::first_row::last_row using (column('change[J]')):0 with points pt 7 ps marks*0.9 lc rgb '#000000' title 'change'
