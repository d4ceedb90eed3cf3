# What the figures on engines share: the lines of a scene. Variables: table, scene, runners.
height = 560
load plots.'/style.gp'
mine(n) = strcol('scene') eq scene
load plots.'/rows.gp'
source = table
lines = words(runners)
# Engines in wide lines, a colour for each library; ours in narrow ones, a colour for each method, dotted from a warm start.
library(name) = strstrt(name, 'ode-') == 1 ? '#0072B2' : strstrt(name, 'bullet') == 1 ? '#D55E00' : strstrt(name, 'mujoco') == 1 ? '#009E73' : strstrt(name, 'dart') == 1 ? '#9A6A00' : strstrt(name, 'simbody') == 1 ? '#56B4E9' : '#CC79A7'
who(k) = word(runners, k)
name(k) = who(k)
ours(k) = strstrt(who(k), 'ours-') == 1
warm(k) = ours(k) && strstrt(who(k).' ', '-warm ') > 0
array own[6] = ['#000000', '#999999', '#E69F00', '#56B4E9', '#9A6A00', '#F0C000']
array shade[lines]
last = 0
do for [k=1:lines] {
    if (ours(k) && !(warm(k) && k > 1 && who(k) eq who(k-1).'-warm')) { last = last + 1 }
    shade[k] = last
}
paint(k) = ours(k) ? own[(shade[k] - 1) % 6 + 1] : library(who(k))
dash(k) = warm(k) ? 3 : !ours(k) && strstrt(' ode-quick bullet-dantzig mujoco-loose dart-pgs simbody-euler2 ', ' '.who(k).' ') ? 2 : 1
wide(k) = ours(k) ? 1.2 : 2.4
# A value below the axis takes its line out of the frame; a run that left the finite numbers has no point.
low = 1e-12
seen(x) = abs(x) < 1e8 ? (abs(x) > low ? abs(x) : low / 100) : NaN
abscissa(k) = column('time[s]')
