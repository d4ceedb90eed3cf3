# The key of drift's figures, in a panel of its own. Variable: only (names of ways between blanks).
unset title
unset border
unset tics
unset label
unset xlabel
unset ylabel
unset logscale
unset grid
set lmargin at screen 0.8
set rmargin at screen 0.99
set xrange [0:1]
set yrange [0:1]
set key at screen 0.81, screen 0.9 left top Left reverse samplen 2 spacing 1.15
plot for [k=1:10] (strstrt(only, ' '.word(ways, k).' ') ? 2 : NaN) with linespoints lw width[k] dt dash[k] pt shape[k] ps 0.7 lc rgb line[k] title (strstrt(only, ' '.word(ways, k).' ') ? word(names, k) : '')
