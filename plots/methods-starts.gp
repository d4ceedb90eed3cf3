# Variables: table (work), solvers (names, blanks between). Marks for each problem: filled cold, open warm.
lines = words(solvers)
height = 560
load plots.'/style.gp'
problems = ''
known(p) = strstrt(' '.problems.' ', ' '.p.' ') > 0
stats table using (known(strcol('problem')) ? 0 : (problems = problems.' '.strcol('problem'), 1)) nooutput
solver(k) = word(solvers, k)
array filled[4] = [7, 5, 9, 13]
array hollow[4] = [6, 4, 8, 12]
shape(k) = ((k - 1) / |colour|) % 4 + 1
place(p) = words(substr(' '.problems.' ', 1, strstrt(' '.problems.' ', ' '.p.' '))) + 1
shift(k) = 0.7 * ((k - 0.5) / lines - 0.5)
pick(k, s) = strcol('solver') eq solver(k) && strcol('start') eq s && strcol('target') eq '1e-6' && strcol('row_visits') ne 'nan' ? column('row_visits') : NaN
set logscale y
set format y '10^{%L}'
set ylabel 'row visits to a certified 10^{-6}'
set xrange [0.5:words(problems) + 0.5]
set xtics () noenhanced rotate by -30 left
do for [i=1:words(problems)] { set xtics add (word(problems, i) i) }
set grid noxtics
do for [i=1:words(problems) - 1] { set arrow from first i + 0.5, graph 0 to first i + 0.5, graph 1 nohead lc rgb '#dddddd' lw 0.6 }
set key outside right top vertical Left reverse width -2
set bmargin 6
# The series with a mark: gnuplot complains of empty ones.
cold = ''
warm = ''
do for [k=1:lines] {
    n_cold = 0
    n_warm = 0
    stats table using (n_cold = n_cold + (pick(k, 'cold') == pick(k, 'cold')), n_warm = n_warm + (pick(k, 'warm') == pick(k, 'warm')), 1) nooutput
    if (n_cold) { cold = cold.' '.k }
    if (n_warm) { warm = warm.' '.k }
}
marks_of(list, start, shapes) = list eq '' ? '' : ', for [k in "'.list.'"] table using (place(strcol("problem")) + shift(int(k))):(pick(int(k), "'.start.'"))' \
    .' with points pt '.shapes.'[shape(int(k))] ps 1.4*marks lc rgb paint(int(k)) '.(start eq 'cold' ? 'title solver(int(k))' : 'notitle')
drawn = marks_of(cold, 'cold', 'filled').marks_of(warm, 'warm', 'hollow')
if (drawn eq '') { set label 1 'nothing reaches 10^{-6}' at graph 0.5,0.5 center; set yrange [1:10]; plot NaN notitle } else { eval 'plot '.drawn[3:*] }
