# Variables: table (scores of families), first (its first row at the tolerance), families and solvers (names, blanks
# between; solvers the best first), place (of each solver of the table among these).
n_families = words(families)
n_solvers = words(solvers)
height = 260 + 17 * (n_solvers > 8 ? n_solvers : 8)
load plots.'/style.gp'
set yrange [n_solvers + 0.5:0.5] # the best on top
set xrange [-0.5:n_families - 0.5]
unset grid
set border 0
set tics scale 0
set lmargin 30
set tmargin 1
set bmargin at screen 190.0 / height
set xtics rotate by 90 right noenhanced ()
set ytics noenhanced ()
do for [k=1:n_solvers] { set ytics add (word(solvers, k) k) }
do for [k=1:n_families] { set xtics add (word(families, k) k - 1) }
set xlabel ''
set ylabel ''
set palette defined (0 '#ffffff', 0.001 '#fbe3cf', 0.5 '#f5c518', 1 colour[3])
set cbrange [0:1]
set format cb '%g'
set cblabel 'share of right answers [1]'
family_of(i) = int(i) / n_solvers
place_of(i) = int(word(place, int(i) % n_solvers + 1))
rows = 'every ::int(first)::int(first)+n_families*n_solvers-1'
set style fill solid 1 noborder
plot table @rows using (family_of($0)):(place_of($0)):(family_of($0) - 0.46):(family_of($0) + 0.46):(place_of($0) - 0.46):(place_of($0) + 0.46):(column('share')) \
        with boxxyerror lc palette notitle, \
    table @rows using (column('refused') == column('problems') ? family_of($0) : NaN):(place_of($0)) with points pt 7 ps 0.25*marks lc rgb '#bbbbbb' notitle, \
    table @rows using (column('silently_wrong') > 0 ? family_of($0) : NaN):(place_of($0)) with points pt 2 ps marks lw 2 lc rgb '#d50000' notitle
