# Variables: table (iterations to a residual over time), limit (where those stand that were not enough).
load plots.'/style.gp'
piles = 'stack wall'
titles = '"stack of 10" "wall of 100"'
set multiplot layout 1,2
set logscale y
set xlabel 'time [s]'
set ylabel 'iterations'
set yrange [0.8:1.3*limit]
set key below horizontal
count(pile, start, to) = strcol('pile') eq pile && strcol('start') eq start ? (strcol(to) eq 'nan' ? limit + 0 : column(to) < 1 ? 1 : column(to)) : NaN
do for [p=1:2] {
    set title word(titles, p) font ',12'
    plot table using (column('time[s]')):(count(word(piles, p), 'cold', 'iterations_to_1e-2')) with linespoints pt 6 dt 2 lc rgb colour[1] title 'cold, 10^{-2}', \
         table using (column('time[s]')):(count(word(piles, p), 'warm', 'iterations_to_1e-2')) with linespoints pt 7 lc rgb colour[1] title 'warm, 10^{-2}', \
         table using (column('time[s]')):(count(word(piles, p), 'cold', 'iterations_to_1e-3')) with linespoints pt 6 dt 2 lc rgb colour[2] title 'cold, 10^{-3}', \
         table using (column('time[s]')):(count(word(piles, p), 'warm', 'iterations_to_1e-3')) with linespoints pt 7 lc rgb colour[2] title 'warm, 10^{-3}'
}
unset multiplot
