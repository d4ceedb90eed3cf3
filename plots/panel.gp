# One panel of a figure, with the name of every line where the line ends. Loaded before the plot of each panel.
# Variables: source (a table), lines (their number), and of line k in a row of the table abscissa(k) and ordinate(k), NaN
# where the row is not of this line, or is not drawn; name(k), paint(k).
# first_row, last_row: the part of a long table that the lines are in; as a rule all of it.
# panel, panels: the place among panels side by side.
# scale: '', 'x', 'y' or 'xy', the logarithmic axes. low, high: the range of the vertical axis; NaN: what the lines take.
# start, stop: the same of the horizontal one. A line that is wholly below a logarithmic axis has its name at the bottom, after an arrow.
# own_ticks: where it exists the script sets the numbers on the horizontal axis.
# room [px of 960]: for the names on the right; NaN: as the longest takes. What begins with p_ is of this file.
# It sets from_row[k] and to_row[k], the first and the last row of line k, which style.gp's of_line refers to.
if (!exists('panel')) { panel = 1; panels = 1 }
if (!exists('scale')) { scale = '' }
if (!exists('low')) { low = NaN }
if (!exists('high')) { high = NaN }
if (!exists('start')) { start = NaN }
if (!exists('stop')) { stop = NaN }
if (!exists('first_row')) { first_row = 0; last_row = 1000000000 }
if (!exists('room')) { room = NaN }
if (!exists('gutter')) { gutter = 78 } # on the left, for the numbers and the title of the axis [px of 960]
if (!exists('top')) { top = 0.9 }
if (!exists('bottom')) { bottom = 60.0 / height }
unset logscale
unset label
unset arrow
is_number(x) = x == x
p_tall = strstrt(scale, 'y') > 0
p_wide = strstrt(scale, 'x') > 0
on_axis(y) = p_tall ? log10(y) : y

# Where each line ends, and what all of them take.
array end_x[lines]
array end_y[lines]
array p_under[lines]
p_least = NaN
p_most = NaN
p_first_x = NaN
p_last_x = NaN
inside(y) = is_number(y) && (!p_tall || y > 0) && !(is_number(low) && y < low) && !(is_number(high) && y > high)
note(k, x, y) = p_tall && is_number(low) && y < low ? (p_under[k] = 1, 1) : inside(y) ? (end_y[k] = is_number(end_x[k]) && x < end_x[k] ? end_y[k] : y, \
    end_x[k] = is_number(end_x[k]) && x < end_x[k] ? end_x[k] : x, p_least = (p_least <= y ? p_least : y), \
    p_most = (p_most >= y ? p_most : y), p_first_x = (p_first_x <= x ? p_first_x : x), p_last_x = (p_last_x >= x ? p_last_x : x), 1) : 1
# One pass over the table for all lines.
array from_row[lines]
array to_row[lines]
look(k) = (p_y = ordinate(k), !is_number(p_y)) ? 0 : (p_x = abscissa(k), !is_number(p_x)) ? 0 : \
    (from_row[k] = from_row[k] < 0 ? first_row + int($0) : from_row[k], to_row[k] = first_row + int($0), note(k, p_x, p_y))
p_longest = 0
do for [k=1:lines] {
    end_x[k] = NaN
    end_y[k] = NaN
    p_under[k] = 0
    from_row[k] = -1
    to_row[k] = first_row
}
set yrange [*:*]
stats source every ::first_row::last_row using (sum [p_i=1:lines] look(p_i)) nooutput
do for [k=1:lines] {
    if (from_row[k] < 0) { from_row[k] = first_row }
    p_under[k] = p_under[k] && !is_number(end_y[k]) && strlen(name(k)) > 0
    p_letters = strlen(name(k)) + 3 * p_under[k]
    p_longest = p_letters > p_longest ? p_letters : p_longest
}
p_found = is_number(p_least)
if (!p_found) { p_least = 1; p_most = 10; p_first_x = 1; p_last_x = 10 }
p_spread = p_tall ? 0 : 0.05 * (p_most > p_least ? p_most - p_least : abs(p_most) > 0 ? abs(p_most) : 1)
p_from = is_number(low) ? low : p_tall ? 0.6 * p_least : p_least - p_spread
p_to = is_number(high) ? high : p_tall ? 1.7 * p_most : p_most + p_spread
p_few = p_tall ? 1 - 0.5 * log10(p_to / p_from) : 0
if (p_few > 0 && !is_number(low)) { p_from = p_from / 10**p_few } # two decades at least
if (p_few > 0 && !is_number(high)) { p_to = p_to * 10**p_few }
set yrange [p_from:p_to]
p_from_x = is_number(start) ? start : p_wide ? 0.85 * p_first_x : NaN
if (is_number(start)) { p_first_x = start }
if (is_number(stop)) { p_last_x = stop }
set xrange [*:*]
set autoscale xfixmax
if (is_number(p_from_x)) { set xrange [p_from_x:*] }
if (is_number(stop)) { set xrange [*:stop] }
if (is_number(p_from_x) && is_number(stop)) { set xrange [p_from_x:stop] }
if (!p_found) { set xrange [p_first_x:p_last_x] } # a range of nothing is an error

# The frame.
p_beside = is_number(room) ? room : 14 + letter * p_longest
p_share = 1.0 / panels
p_left = (panel - 1) * p_share + gutter / 960.0
p_right = panel * p_share - (p_beside + 6) / 960.0
set lmargin at screen p_left
set rmargin at screen p_right
set tmargin at screen top
set bmargin at screen bottom
set key off
# Few numbers on a linear horizontal axis: as many as there is room for.
nice(step, unit) = (step / unit < 1.5 ? 1 : step / unit < 3.5 ? 2 : step / unit < 7.5 ? 5 : 10) * unit
p_ahead = p_last_x > p_first_x ? (p_last_x - p_first_x) * 60.0 / (960 * (p_right - p_left)) : 0
if (!exists('p_ticks')) { p_ticks = 0 }
if (p_wide && p_ticks) { set xtics autofreq; p_ticks = 0 }
if (!p_wide && !exists('own_ticks') && p_ahead > 0) { set xtics nice(p_ahead, 10**floor(log10(p_ahead))); p_ticks = 1 }

# Names next to the ends, in their order, and moved apart as little as possible (least squares) so that they do not
# overlap. With the room of the names before it taken from the place of each, that is a regression by a growing
# function: neighbours in the wrong order are pooled, and have their mean. One that was moved has a thin line to its end.
array p_place[lines]
array p_rank[lines]
array p_mean[lines]
array p_size[lines]
p_apart = 17.0 / (height * (top - bottom))
p_named = 0
# Of lines that end at the same height the one that goes further has its name above, so that no thin line crosses one.
order_of(k) = p_place[k] + p_apart * (p_last_x > p_first_x && is_number(end_x[k]) ? (end_x[k] - p_first_x) / (p_last_x - p_first_x) : 0)
do for [k=1:lines] {
    p_place[k] = is_number(end_y[k]) ? (on_axis(end_y[k]) - on_axis(p_from)) / (on_axis(p_to) - on_axis(p_from)) : p_under[k] ? -p_apart * k : NaN
    if (is_number(p_place[k]) && strlen(name(k)) > 0) {
        p_named = p_named + 1
        p_rank[p_named] = k
        do for [p_i=1:p_named-1] {
            p_j = p_named - p_i
            if (order_of(p_rank[p_j]) > order_of(p_rank[p_j + 1])) { p_other = p_rank[p_j]; p_rank[p_j] = p_rank[p_j + 1]; p_rank[p_j + 1] = p_other }
        }
    }
}
if (p_named > 1 && (p_named - 1) * p_apart > 0.98) { p_apart = 0.98 / (p_named - 1) }
p_pools = 0
do for [p_i=1:p_named] {
    p_pools = p_pools + 1
    p_mean[p_pools] = p_place[p_rank[p_i]] - (p_i - 1) * p_apart
    p_size[p_pools] = 1
    while (p_pools > 1 && p_mean[p_pools > 1 ? p_pools - 1 : 1] >= p_mean[p_pools]) {
        p_other = p_size[p_pools - 1] + p_size[p_pools]
        p_mean[p_pools - 1] = (p_size[p_pools - 1] * p_mean[p_pools - 1] + p_size[p_pools] * p_mean[p_pools]) / p_other
        p_size[p_pools - 1] = p_other
        p_pools = p_pools - 1
    }
}
# Not below the axis, not above the frame.
p_within(y) = y < 0.02 ? 0.02 : y > 1 - (p_named - 1) * p_apart ? 1 - (p_named - 1) * p_apart : y
p_i = 0
do for [p_pool=1:p_pools] {
    do for [p_j=1:p_size[p_pool]] {
        p_place[p_rank[p_i + 1]] = p_within(p_mean[p_pool]) + p_i * p_apart
        p_i = p_i + 1
    }
}
do for [p_i=1:p_named] {
    p_k = p_rank[p_i]
    p_beyond = 8.0 / (960 * (p_right - p_left))
    set label 100 + p_k ''.(p_under[p_k] ? '↓ ' : '').name(p_k) at graph 1 + p_beyond, graph p_place[p_k] left noenhanced textcolor rgb paint(p_k)
    if (!p_under[p_k]) {
        # Dotted where the line ends early, so that it is not taken for one.
        p_early = p_last_x > p_first_x && p_last_x - end_x[p_k] > 0.05 * (p_last_x - p_first_x)
        set arrow 100 + p_k from first end_x[p_k], first end_y[p_k] to graph 1 + 0.8 * p_beyond, graph p_place[p_k] nohead lw 0.7 dashtype p_early ? 3 : 1 lc rgb paint(p_k)
    }
}
if (scale ne '') { set logscale @scale }
