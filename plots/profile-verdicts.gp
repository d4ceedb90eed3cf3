# Variables: table (scores), first (its first row at the tolerance), count (its rows: solvers, the best first).
count = int(count)
height = 170 + 20 * (count > 8 ? count : 8)
load plots.'/style.gp'
array fate[7] = ['right', 'unfinished', 'unproved', 'failed', 'silently_wrong', 'refused', 'unanswered']
array bar[7] = [colour[3], colour[5], colour[6], '#999999', '#D50000', '#e0e0e0', '#f4f4f4']
array words_of[7] = ['right', 'unfinished', 'unproved', 'failed, and says so', 'silently wrong', 'refused', 'no answer']
set yrange [count + 0.5:-0.5] # the first one on top
set xrange [0:*]
set autoscale xfixmax
set lmargin 30
set tmargin 6
set format x '%g'
unset grid
set xlabel 'problems [1]'
set ylabel ''
set key above horizontal maxrows 2
up_to(n) = (sum [i=1:n] column(fate[i]))
set style fill solid 1 noborder
plot for [n=1:7] table every ::int(first)::int(first)+count-1 using (up_to(n)):0:(up_to(n - 1)):(up_to(n)):($0 - 0.4):($0 + 0.4) \
        with boxxyerror lc rgb bar[n] title words_of[n], \
    table every ::int(first)::int(first)+count-1 using (0):0:ytic(sprintf('%s', strcol('solver'))) with points pt 0 notitle
