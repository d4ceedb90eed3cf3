# What the figures on drift share: ways and their lines.
if (!exists('height')) { height = 440 }
load plots.'/style.gp'
ways = 'none split-impulse baumgarte soft projection-gauss-seidel projection-newton tgs-step tgs-substep small-steps small-steps-relaxed soft-step soft-reference midpoint rattle moreau-jean xpbd avbd'
names = "none 'split imp.' Baumgarte soft 'proj. G.-S.' 'proj. Newton' 'TGS step' 'TGS substep' 'small steps' relaxed 'soft step' 'soft ref.' midpoint RATTLE Moreau-Jean XPBD AVBD"
array line[17] = ['#777777', colour[6], colour[1], colour[4], colour[5], colour[2], colour[3], '#00553C', '#000000', '#9A6A00', '#B0A000', '#8C564B', '#7A3E9D', '#C0392B', '#5D8A00', '#FF5FA2', '#3D5AFE']
array width[17] = [1.6, 4.5, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 3.2, 1.2, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6] # wide lines lie below those that may cover them
array shape[17] = [2, 5, 7, 9, 11, 13, 4, 8, 7, 6, 1, 2, 12, 10, 3, 5, 9]
lines = words(ways)
source = table
name(k) = word(names, k)
paint(k) = line[k]
# A run that left the finite numbers has no point.
seen(x, low) = x > low && x < 1e8 ? x : NaN
# A line that comes below the axis leaves the frame, and is named there.
down_to(x, low) = x < low ? low / 100 : seen(x, low)
is(m, k) = strcol('mechanism') eq m && strcol('way') eq word(ways, k)
# Newton's projection leaves its tolerance, far below all others.
newton = 6
room = 112
