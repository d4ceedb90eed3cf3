# What the figures on drift share: ways and their lines, and panels side by side with the key on the right.
load plots.'/style.gp'
if (format eq 'svg') \
    set terminal svg size 960,440 font 'Helvetica,13' background rgb 'white'; \
else \
    set terminal pngcairo size 1920,880 font 'Helvetica,13' fontscale 1.45 linewidth 1.6 background rgb 'white'
if (figure ne '') { set output figure }
# In the order of drawing: wide lines lie below those that may cover them.
ways = 'none split-impulse baumgarte soft projection-gauss-seidel projection-newton tgs-step tgs-substep small-steps small-steps-relaxed'
names = "none 'split impulse' Baumgarte soft 'projection, G.-S.' 'projection, Newton' 'TGS, step' 'TGS, substep' 'small steps' 'small st., relaxed'"
array line[10] = ['#777777', '#9ad0f0', '#0072B2', '#CC79A7', '#E69F00', '#D55E00', '#009E73', '#009E73', '#000000', '#F0E442']
array dash[10] = [1, 1, 1, 1, 1, 1, 1, 2, 1, 1]
array width[10] = [1.6, 5, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 3.4, 1]
array shape[10] = [2, 5, 7, 9, 11, 13, 4, 8, 7, 6]
seen(x, low) = x > low && x < 1e8 ? x : NaN
picks(k) = strcol('mechanism') eq mechanism && strcol('way') eq word(ways, k)
set bmargin at screen 0.16
set tmargin at screen 0.9
set key off
