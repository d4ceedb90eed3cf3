# Variables: table (least forces), folder (of the table of sweeps), few, many, boxes.
load plots.'/style.gp'
boxes = int(boxes)
sweeps = folder.'/friction.stack.sweeps.tsv'
set multiplot
panels = 2
abscissa(k) = column('box')
own_ticks = 1
set xtics 1
set xlabel 'pulled box, from the ground up'
start = 0.7
stop = boxes + 0.3
# Laws that agree are rings, crosses and dots of different size at one place.
source = table
lines = 4
laws = 'box facets-8 cone fixed'
array shape[4] = [6, 2, 7, 7]
array size[4] = [2.0, 2.6, 0.7, 0.7]
array hue[4] = [3, 4, 1, 2]
name(k) = word("'box' '8 facets' 'cone' 'fixed bound'", k)
paint(k) = colour[hue[k]]
ordinate(k) = strcol('law') eq word(laws, k) ? column('least_force[N]') : NaN
predicted(k) = strcol('law') eq word(laws, k) ? column('predicted[N]') : NaN
low = 0
set format y '%g'
set ylabel 'least force that moves it [N]'
set title 'by the reference; lines: predicted' noenhanced
panel = 1
load plots.'/panel.gp'
plot for [k=3:4] table using (abscissa(k)):(predicted(k)) with lines lw 1.5 lc rgb paint(k), \
     for [k=1:4] table @of_line using (abscissa(k)):(ordinate(k)) with points pt shape[k] ps marks*size[k] lw 1.5 lc rgb paint(k)

source = sweeps
lines = 6
low = NaN
scale = 'y'
laws = 'fixed box cone fixed box cone'
dashes(k) = k > 3 ? 2 : 1
work(k) = k > 3 ? int(many) : int(few)
array hue[3] = [2, 3, 1]
short(k) = word("'fixed' 'box' 'cone'", (k - 1) % 3 + 1)
name(k) = short(k).', '.work(k)
paint(k) = colour[hue[(k - 1) % 3 + 1]]
ordinate(k) = strcol('law') eq word(laws, k) && column('iterations') == work(k) && column('force_over_least') < 1 \
    ? abs(column('speed[m/s]') / column('speed_without_friction[m/s]')) : NaN
set format y '10^{%L}'
set ylabel 'speed at 0.9 of that force, over free'
set title 'by '.few.' and '.many.' iterations of PGS, NSGS (cone)' noenhanced
panel = 2
load plots.'/panel.gp'
plot for [k=1:6] sweeps @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt (k > 3 ? 6 : 7) ps marks*0.9 lw 1.5 dashtype dashes(k) lc rgb paint(k)
unset multiplot
