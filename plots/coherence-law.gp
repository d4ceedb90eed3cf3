# Variables: table (growth per step, predicted and measured).
load plots.'/style.gp'
erps = '0.10000000000000001 0.20000000000000001 0.5'
names = '0.1 0.2 0.5'
pick(k, x) = strcol('erp') eq word(erps, k) ? x : NaN
set multiplot layout 1,2
set format y '%g'
set xlabel 'iterations of PGS per step'
set ylabel 'growth of the error per step'
set key top right
set arrow 1 from graph 0,first 1 to graph 1,first 1 nohead lc rgb '#444444' dt 2
plot for [k=1:3] table using (column('iterations')):(pick(k, column('predicted_growth'))) with lines lw 2 lc rgb colour[k] notitle, \
     for [k=1:3] table using (column('iterations')):(pick(k, column('measured_growth'))) with points pt 7 ps 0.8 lc rgb colour[k] title 'erp '.word(names, k)
unset arrow 1
set ylabel 'period [steps]'
set yrange [0:40]
positive(x) = x > 0 && x < 100 ? x : NaN
plot for [k=1:3] table using (column('iterations')):(pick(k, positive(column('predicted_period[steps]')))) with lines lw 2 lc rgb colour[k] notitle, \
     for [k=1:3] table using (column('iterations')):(pick(k, positive(column('measured_period[steps]')))) with points pt 7 ps 0.8 lc rgb colour[k] title 'erp '.word(names, k)
unset multiplot
