# Variables: table (history), scene, what (a column), title, runners.
height = 480
load plots.'/style.gp'
# Engines in wide lines, a colour for each library; ours in narrow ones.
library(name) = strstrt(name, 'ode-') == 1 ? 0x0072B2 : strstrt(name, 'bullet') == 1 ? 0xD55E00 : strstrt(name, 'mujoco') == 1 ? 0x009E73 : 0xCC79A7
ours(k) = strstrt(word(runners, k), 'ours-') == 1
array own[5] = [0x000000, 0x999999, 0xE69F00, 0x56B4E9, 0xB8A800]
first = 1
do for [k=1:words(runners)] { if (!ours(k)) { first = k + 1 } }
paint(k) = ours(k) ? own[(k - first) % 5 + 1] : library(word(runners, k))
dash(k) = ours(k) ? 1 : strstrt(' ode-quick bullet-dantzig mujoco-loose ', ' '.word(runners, k).' ') ? 2 : 1
wide(k) = ours(k) ? 1.2 : 2.4
low = 1e-12
seen(x) = abs(x) < 1e8 ? (abs(x) > low ? abs(x) : low) : NaN
pick(k, name) = strcol('scene') eq scene && strcol('runner') eq word(runners, k) ? seen(column(name)) : NaN
set multiplot
set logscale y
set yrange [low:*]
set format x '%g'
set xlabel 'time [s]'
set bmargin at screen 0.15
set tmargin at screen 0.91
set key off
set title title noenhanced
set lmargin at screen 0.08
set rmargin at screen 0.39
plot for [k=1:words(runners)] table using (column('time[s]')):(pick(k, what)) with lines lw wide(k) dt dash(k) lc rgb paint(k)
set title '|change of energy| [J]' noenhanced
low = 1e-8
set yrange [low:*]
set lmargin at screen 0.48
set rmargin at screen 0.77
set key at screen 0.785, screen 0.9 left top Left reverse samplen 2 spacing 1.15 noenhanced
plot for [k=1:words(runners)] table using (column('time[s]')):(pick(k, 'energy_change[J]')) with lines lw wide(k) dt dash(k) lc rgb paint(k) title word(runners, k)
unset multiplot
