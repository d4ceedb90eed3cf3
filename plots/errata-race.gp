# Variables: table (the races).
load plots.'/style.gp'
is(r) = abs(column('scaled_residual') / r - 1) < 1e-6
set logscale y
set lmargin 12
set bmargin 4
set xrange [-0.6:5.6]
set yrange [1e-4:1e4]
set ylabel 'seconds of PGS / fastest direct method'
set key top right
set label 1 'direct methods are faster' at graph 0.01, graph 0.95 tc rgb '#555555'
set label 2 'Gauss-Seidel is faster' at graph 0.01, graph 0.05 tc rgb '#555555'
set xtics ("sparse, regular\nchain" 0, "sparse, regular\nheavy chain" 1, "sparse, singular\nstack" 2, "sparse, singular\nwall" 3, "dense, regular\nmanufactured" 4, "dense, singular\nmanufactured" 5) scale 0
seen(y) = y > 1e4 ? 1e4 : y < 1e-4 ? 1e-4 : y
array names[6] = ['sparse, regular: chain', 'sparse, regular: heavy chain', 'sparse, singular: stack', 'sparse, singular: wall', 'dense, regular: manufactured', 'dense, singular: manufactured']
ratio(k, r) = is(r) && strcol('case') eq names[k] ? seen(column('measured_ratio')) : NaN
plot 1 with lines dt 2 lw 1.5 lc rgb '#555555' notitle, \
     for [k=1:6] table using (k - 1.1):(ratio(k, 1e-3)) with points pt 7 ps marks*3 lc rgb colour[1] title k == 1 ? 'to a residual of 1e-3' : '', \
     for [k=1:6] table using (k - 0.9):(ratio(k, 1e-6)) with points pt 5 ps marks*3 lc rgb colour[2] title k == 1 ? 'to a residual of 1e-6' : ''
