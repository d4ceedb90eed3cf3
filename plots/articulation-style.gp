# What figures of three mechanisms side by side share.
load plots.'/style.gp'
source = table
mechanisms = 'chain four-bar arch'
titles = "'open chain' 'four-bar loop' 'chain held at both ends'"
is(form) = strcol('mechanism') eq word(mechanisms, panel) && strcol('coordinates') eq form
shown(x) = x > 1e-15 && x < 1e12 ? x : NaN
abscissa(k) = column('mass_ratio')
panels = 3
scale = 'xy'
gutter = 76
room = 96
start = 1
set format x '10^{%L}'
set xtics (1, 1e2, 1e4, 1e6)
set xlabel 'mass ratio of the last solid'
