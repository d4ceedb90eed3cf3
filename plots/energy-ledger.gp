# Variables: table (sums of the ledger's columns), scene.
height = 460
load plots.'/style.gp'
parts = 'constraint bias compliance friction collision projection integrator'
array paint[7] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#F0E442', '#999999']
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 border lc rgb '#444444'
set boxwidth 0.7
set format y '%g'
set xtics rotate by -25 left noenhanced scale 0
unset grid
set grid ytics lc rgb '#dddddd' lt 1 lw 0.6
set bmargin at screen 0.28
set rmargin at screen 0.86
set lmargin at screen 0.09
set key at screen 0.875, screen 0.9 left top Left reverse samplen 1.2
set xzeroaxis lt 1 lw 1 lc rgb '#444444'
set ylabel 'energy over the run [J]'
stats table using (strcol('scene') eq scene ? 1 : 0) nooutput name 'row'
first = -1
do for [i=0:row_records-1] {
    stats table using (strcol('scene') eq scene ? 1 : 0) every ::i::i nooutput name 'one'
    if (one_max > 0.5 && first < 0) { first = i }
}
last = first + int(row_sum) - 1
set xrange [-0.7:last-first+0.7]
plot for [k=1:7] table every ::first::last using (column(word(parts, k).'[J]')):xtic(strcol('way')) lc rgb paint[k] title word(parts, k), \
     table every ::first::last using ($0):(column('change[J]')) with points pt 7 ps marks*0.9 lc rgb '#000000' title 'change'
