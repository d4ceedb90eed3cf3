# What the figures on engines share: the lines of a scene in two rows of panels, engines of other projects on the left and ours
# on the right. Variables: table, scene, runners. A figure sets quantity(k), the value of line k in a row of the table, and for
# each row of panels `least`, the smallest value that an axis shows; `eval reach` then sets low and high.
height = 760
load plots.'/style.gp'
mine(n) = strcol('scene') eq scene
load plots.'/rows.gp'
source = table
lines = words(runners)
who(k) = word(runners, k)
ours(k) = strstrt(who(k), 'ours-') == 1
warm(k) = ours(k) && strstrt(who(k).' ', '-warm ') > 0
name(k) = ours(k) ? who(k)[6:*] : who(k)
# A colour for each library, whose further methods are dashed, and for each of our methods, dotted from a warm start: black for
# the first.
library(k) = strstrt(who(k), '-') ? who(k)[1:strstrt(who(k), '-') - 1] : who(k)
family(k) = warm(k) ? who(k)[1:strlen(who(k)) - 5] : ours(k) ? who(k) : library(k)
hue(n, own) = own && n == 1 ? '#000000' : colour[(n - 1 - own) % |colour| + 1]
array shade[lines]
array dash[lines]
count = 0
do for [k=1:lines] {
    if (k > 1 && ours(k) && !ours(k - 1)) { count = 0 }
    again = k > 1 ? family(k) eq family(k - 1) && ours(k) == ours(k - 1) : 0
    count = count + !again
    shade[k] = count
    dash[k] = !again ? 1 : ours(k) ? 3 : 2
}
paint(k) = hue(shade[k], ours(k))
is(k) = strcol('runner') eq who(k)
# Where no engine of others is among them, ours have the whole figure.
others = sum [k=1:lines] !ours(k)
panels = others ? 2 : 1
of_others(panel) = panels == 2 && panel == 1
name_panel(panel) = of_others(panel) ? 'engines of other projects' : 'delassus'
beside(k) = is(k) && ours(k) != of_others(panel)
abscissa(k) = column('time[s]')
start = 0
is_number(x) = x == x
# The axis of both panels of a row, logarithmic: from 0.4 times the smallest median of the lines that are ever above `least`, but
# not from below `least`, to 1.7 times the largest value, and over two powers of ten at least. Values up to `least` lie below it;
# a run that reached 1e8 has no point there.
size(x) = abs(x) < 1e8 ? (abs(x) > least ? abs(x) : least / 100) : NaN
array most[lines]
note_most(k, x) = is_number(x) && x > most[k] ? (most[k] = x, 1) : 1
reach = "set yrange [*:*]; do for [k=1:lines] { most[k] = least }; \
    stats table every ::first_row::last_row using (sum [k=1:lines] (is(k) ? note_most(k, size(quantity(k))) : 0)) nooutput; \
    low = 1e300; high = 100 * least; \
    do for [k=1:lines] { \
        if (most[k] > least) { \
            stats table every ::first_row::last_row using (is(k) ? size(quantity(k)) : NaN) nooutput; \
            low = 0.4 * STATS_median < low ? 0.4 * STATS_median : low; \
            high = 1.7 * most[k] > high ? 1.7 * most[k] : high \
        } \
    }; \
    low = low < least || low > 1e299 ? least : low > high / 100 ? high / 100 : low"
