# What figures of three mechanisms side by side share.
load plots.'/style.gp'
mechanisms = 'chain four-bar arch'
titles = "'open chain' 'four-bar loop' 'chain held at both ends'"
is(form) = strcol('mechanism') eq mechanism && strcol('coordinates') eq form
shown(x) = x > 1e-15 && x < 1e12 ? x : NaN
stats table using (column('mass_ratio')) nooutput name 'ratio'
at_last(x) = column('mass_ratio') == ratio_max ? shown(x) : NaN
set logscale xy
set format x '10^{%L}'
set xlabel 'mass of the last solid over the others'
set key off
