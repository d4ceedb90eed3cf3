# Variables: table (problems), summary (a table).
height = 480
load plots.'/style.gp'
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
stats summary using (strcol('mechanism') eq 'rod' ? 1 : NaN) nooutput name 'rods'
last = rods_records - 1 # rods stand first
plot summary every ::0::last using 'open':xtic(2) lc rgb colour[1] title 'open', '' every ::0::last using 'slide' lc rgb colour[2] title 'slide', \
     '' every ::0::last using 'stick' lc rgb colour[3] title 'stick', '' every ::0::last using 'no_answer' lc rgb '#bbbbbb' title 'no answer'
unset multiplot
