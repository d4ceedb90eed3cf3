# Variables: table (of verdicts). A bar for each solver.
load plots.'/style.gp'
set format y '%g'
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 noborder
set boxwidth 0.75
set xtics rotate by 60 right noenhanced font ','.(format eq 'svg' ? 19 : 9)
set bmargin 9
set ylabel 'problems'
set key outside top center horizontal Left reverse
set tmargin 4
plot table using (column('right')):xtic(1) lc rgb colour[3] title 'right', \
     '' using (column('unfinished')) lc rgb colour[6] title 'on its way', \
     '' using (column('unproved')) lc rgb colour[1] title 'neither proved nor refuted', \
     '' using (column('failed')) lc rgb colour[5] title 'failed, and says so', \
     '' using (column('silently_wrong')) lc rgb colour[2] title 'silently wrong', \
     '' using (column('refused')) lc rgb '#dddddd' title 'refused'
