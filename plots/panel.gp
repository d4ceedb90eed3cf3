# One panel of a figure, with the name of every line where the line ends. Loaded before the plot of each panel.
# Variables: source (a table), lines (their number), and of line k in a row of the table abscissa(k) and ordinate(k), NaN
# where the row is not of this line, or is not drawn; name(k), paint(k).
# panel, panels: the place among panels side by side.
# scale: '', 'x', 'y' or 'xy', the logarithmic axes. low, high: the range of the vertical axis; NaN: what the lines take.
# start, stop: the same of the horizontal one.
# own_ticks: where it exists the script sets the numbers on the horizontal axis.
# room [px of 960]: for the names on the right; NaN: as the longest takes.
if (!exists('panel')) { panel = 1; panels = 1 }
if (!exists('scale')) { scale = '' }
if (!exists('low')) { low = NaN }
if (!exists('high')) { high = NaN }
if (!exists('start')) { start = NaN }
if (!exists('stop')) { stop = NaN }
if (!exists('room')) { room = NaN }
if (!exists('gutter')) { gutter = 78 } # on the left, for the numbers and the title of the axis [px of 960]
if (!exists('top')) { top = 0.9 }
if (!exists('bottom')) { bottom = 60.0 / height }
unset logscale
unset label
unset arrow
is_number(x) = x == x
tall = strstrt(scale, 'y') > 0
wide = strstrt(scale, 'x') > 0
on_axis(y) = tall ? log10(y) : y

# Where each line ends, and what all of them take.
array end_x[lines]
array end_y[lines]
least = NaN
most = NaN
first_x = NaN
last_x = NaN
inside(y) = is_number(y) && (!tall || y > 0) && !(is_number(low) && y < low) && !(is_number(high) && y > high)
note(k, x, y) = is_number(x) && inside(y) ? (end_y[k] = is_number(end_x[k]) && x < end_x[k] ? end_y[k] : y, \
    end_x[k] = is_number(end_x[k]) && x < end_x[k] ? end_x[k] : x, least = (least <= y ? least : y), \
    most = (most >= y ? most : y), first_x = (first_x <= x ? first_x : x), last_x = (last_x >= x ? last_x : x), 1) : 1
longest = 0
set yrange [*:*]
do for [k=1:lines] {
    end_x[k] = NaN
    end_y[k] = NaN
    stats source using (note(k, abscissa(k), ordinate(k))) nooutput
    longest = strlen(name(k)) > longest ? strlen(name(k)) : longest
}
if (!is_number(least)) { least = 1; most = 10; first_x = 1; last_x = 10 }
spread = tall ? 0 : 0.05 * (most > least ? most - least : abs(most) > 0 ? abs(most) : 1)
from = is_number(low) ? low : tall ? 0.6 * least : least - spread
to = is_number(high) ? high : tall ? 1.7 * most : most + spread
few = tall ? 1 - 0.5 * log10(to / from) : 0
if (few > 0 && !is_number(low)) { from = from / 10**few } # two decades at least
if (few > 0 && !is_number(high)) { to = to * 10**few }
set yrange [from:to]
from_x = is_number(start) ? start : wide ? 0.85 * first_x : NaN
if (is_number(start)) { first_x = start }
if (is_number(stop)) { last_x = stop }
set xrange [*:*]
set autoscale xfixmax
if (is_number(from_x)) { set xrange [from_x:*] }
if (is_number(stop)) { set xrange [*:stop] }
if (is_number(from_x) && is_number(stop)) { set xrange [from_x:stop] }

# The frame.
beside = is_number(room) ? room : 14 + 7.4 * longest
share = 1.0 / panels
left = (panel - 1) * share + gutter / 960.0
right = panel * share - (beside + 6) / 960.0
set lmargin at screen left
set rmargin at screen right
set tmargin at screen top
set bmargin at screen bottom
set key off
# Few numbers on a linear horizontal axis: as many as there is room for.
nice(step, unit) = (step / unit < 1.5 ? 1 : step / unit < 3.5 ? 2 : step / unit < 7.5 ? 5 : 10) * unit
ahead = last_x > first_x ? (last_x - first_x) * 60.0 / (960 * (right - left)) : 0
if (!wide && !exists('own_ticks') && ahead > 0) { set xtics nice(ahead, 10**floor(log10(ahead))) }

# Names next to the ends, moved apart until they do not overlap; one that was moved has a thin line to its end.
array place[lines]
array rank[lines]
apart = 17.0 / (height * (top - bottom))
named = 0
# Of lines that end at the same height the one that goes further has its name above, so that no thin line crosses one.
order_of(k) = place[k] + apart * (last_x > first_x ? (end_x[k] - first_x) / (last_x - first_x) : 0)
do for [k=1:lines] {
    place[k] = is_number(end_y[k]) ? (on_axis(end_y[k]) - on_axis(from)) / (on_axis(to) - on_axis(from)) : NaN
    if (is_number(place[k])) {
        named = named + 1
        rank[named] = k
        do for [i=1:named-1] {
            j = named - i
            if (order_of(rank[j]) > order_of(rank[j + 1])) { other = rank[j]; rank[j] = rank[j + 1]; rank[j + 1] = other }
        }
    }
}
do for [pass=1:60] {
    do for [i=1:named-1] {
        lack = apart - (place[rank[i + 1]] - place[rank[i]])
        if (lack > 1e-4) {
            place[rank[i]] = place[rank[i]] - 0.5 * lack
            place[rank[i + 1]] = place[rank[i + 1]] + 0.5 * lack
        }
    }
    do for [i=1:named] { # not below the axis, not above the frame
        if (place[rank[i]] < 0.02) { place[rank[i]] = 0.02 }
        if (place[rank[i]] > 1) { place[rank[i]] = 1 }
    }
}
do for [i=1:named] {
    k = rank[i]
    beyond = 8.0 / (960 * (right - left))
    set label 100 + k name(k) at graph 1 + beyond, graph place[k] left noenhanced textcolor rgb paint(k)
    set arrow 100 + k from first end_x[k], first end_y[k] to graph 1 + 0.8 * beyond, graph place[k] nohead lw 0.7 lc rgb paint(k)
}
if (scale ne '') { set logscale @scale }
