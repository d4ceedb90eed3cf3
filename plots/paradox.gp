# Variables: table (problems), summary (a table).
height = 480
load plots.'/style.gp'
rod(x) = strcol('mechanism') eq 'rod' ? x : NaN
count(n, x) = strcol('mechanism') eq 'rod' && column('found') == n ? x : NaN
set multiplot layout 1,2
set format y '%g'
set lmargin 9
set bmargin 7
set key below horizontal
set xlabel 'inclination of the rod [degrees]'
set ylabel 'friction coefficient [1]'
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
plot for [n=1:3] table using (count(n, column('angle[deg]'))):(column('mu')) with points pt 7 ps marks*3 lc rgb colour[n] title n == 1 ? 'one solution' : n == 2 ? 'two' : 'three'
unset offsets
set style data histogram
set style histogram rowstacked
set style fill solid 0.9 noborder
set boxwidth 0.8
set xtics rotate by -60 scale 0 font ',9'
set xlabel ''
set ylabel 'rods with several solutions'
set bmargin 11
set yrange [0:*]
rods(x) = strcol('mechanism') eq 'rod' ? x : 1 / 0
plot '< grep -E "^(mechanism|rod)" "'.summary.'"' using 'open':xtic(2) lc rgb colour[1] title 'open', '' using 'slide' lc rgb colour[2] title 'slide', '' using 'stick' lc rgb colour[3] title 'stick', '' using 'no_answer' lc rgb '#bbbbbb' title 'no answer'
unset multiplot
