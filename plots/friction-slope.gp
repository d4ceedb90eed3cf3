# Variables: table (slides), mu, few, many.
height = 440
load plots.'/style.gp'
source = table
mu = number(mu)
deg = 180 / pi
g = 9.81
is(law, n) = strcol('law') eq law && column('iterations') == n
abscissa(k) = column('angle[rad]') * deg
set multiplot
panels = 2
set xlabel 'slope [deg]'
start = 0
stop = 2 * atan(mu) * deg
low = -0.01
# Laws that agree are rings, crosses and dots of different size at one place.
lines = 4
laws = 'box facets-8 cone fixed'
array shape[4] = [6, 2, 7, 7]
array size[4] = [2.0, 2.6, 0.7, 0.7]
array hue[4] = [3, 4, 1, 2]
name(k) = word("'box' '8 facets' 'cone' 'fixed bound'", k)
paint(k) = colour[hue[k]]
ordinate(k) = is(word(laws, k), 0) ? column('acceleration[m/s^2]') / g : NaN
predicted(law) = is(law, 0) ? column('predicted[m/s^2]') / g : NaN
set format y '%g'
set ylabel 'acceleration down the slope over g'
set title 'by the reference; lines: predicted' noenhanced
panel = 1
load plots.'/panel.gp'
set arrow 1 from first atan(mu)*deg, graph 0 to first atan(mu)*deg, graph 1 nohead dt 3 lc rgb '#444444'
set arrow 2 from first asin(mu)*deg, graph 0 to first asin(mu)*deg, graph 1 nohead dt 3 lc rgb '#444444'
set label 1 'atan μ' at first atan(mu)*deg, graph 0.93 right offset -0.5,0
set label 2 'asin μ' at first asin(mu)*deg, graph 0.86 left offset 0.5,0
plot table using (abscissa(1)):(predicted('fixed')) with lines lw 1.5 lc rgb paint(4), \
     table using (abscissa(1)):(predicted('cone')) with lines lw 1.5 lc rgb paint(3), \
     for [k=1:4] table @of_line using (abscissa(k)):(ordinate(k)) with points pt shape[k] ps marks*size[k] lw 1.5 lc rgb paint(k)

# Below 1e-13 is rounding: a line that comes there leaves the frame.
low = 1e-13
high = 0.1
scale = 'y'
laws = 'fixed box cone fixed box cone'
lines = 6
dashes(k) = k > 3 ? 2 : 1
work(k) = k > 3 ? int(many) : int(few)
array hue[3] = [2, 3, 1]
short(k) = word("'fixed' 'box' 'cone'", (k - 1) % 3 + 1)
name(k) = short(k).', '.work(k)
paint(k) = colour[hue[(k - 1) % 3 + 1]]
error_of(k) = abs(column('acceleration[m/s^2]') - column('predicted[m/s^2]')) / g
ordinate(k) = is(word(laws, k), work(k)) ? (error_of(k) > low ? error_of(k) : low / 10) : NaN
set format y '10^{%L}'
set ylabel 'error of the acceleration over g'
set title 'by '.few.' and '.many.' iterations of PGS, NSGS (cone)' noenhanced
panel = 2
load plots.'/panel.gp'
plot for [k=1:6] table @of_line using (abscissa(k)):(ordinate(k)) with linespoints pt (k > 3 ? 6 : 7) ps marks*0.7 lw 1.5 dashtype dashes(k) lc rgb paint(k)
unset multiplot
