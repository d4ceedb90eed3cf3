# The part of a long table that a figure is about. Variables: table, mine(n): whether row n, the current one, is in it.
# Sets first_row and last_row, for panel.gp, and `every ::first_row::last_row`.
first_row = -1
last_row = 0
stats table using (mine($0) ? (first_row = first_row < 0 ? int($0) : first_row, last_row = int($0), 1) : 1) nooutput
if (first_row < 0) { first_row = 0 }
