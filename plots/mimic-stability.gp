# Variables: table (stability).
height = 480
load plots.'/style.gp'
source = table
ways = 'step substep'
erps = '0.2 0.5 1'
mechanisms = 'star hand chain'
titles = "'star on the root, driven' 'star on the leader, driven' 'chain, driven'"
lines = 6 # the bias over the step, then over the substep
way(k) = word(ways, k > 3 ? 2 : 1)
erp(k) = word(erps, (k - 1) % 3 + 1)
is(k) = strcol('mechanism') eq word(mechanisms, panel) && strcol('actuation') eq 'drive' && strcol('scheme') eq 'tgs-'.way(k) \
    && abs(column('erp') - number(erp(k))) < 1e-9
failed(k) = column('failed_at_step') > 0
name(k) = way(k).', '.erp(k)
paint(k) = colour[(k - 1) % 3 + 1]
dashes(k) = k > 3 ? 1 : 2
beside(k) = 1.22**(k - 3.5) # so that marks at one place are told apart
diverged = 60 # where runs stand that left the finite numbers, above the axis' numbers
abscissa(k) = column('iterations')
ordinate(k) = is(k) && !failed(k) ? column('max_C[rad]') : NaN
set multiplot
scale = 'xy'
set xtics (1, 4, 16, 64)
set ytics ('10^{-4}' 1e-4, '10^{-3}' 1e-3, '10^{-2}' 1e-2, '10^{-1}' 1e-1, '1' 1, 'diverged' diverged)
set format x '%g'
set xlabel 'iterations N per step'
panels = 3
low = 1e-4
room = 100
high = 150
start = 0.8
stop = 80
do for [panel=1:3] {
    set title word(titles, panel) noenhanced
    gutter = panel == 1 ? 108 : 72
    set ylabel panel == 1 ? 'largest |C| [rad]' : ''
    load plots.'/panel.gp'
    plot for [k=1:6] table using (is(k) && failed(k) ? abscissa(k)*beside(k) : abscissa(k)):(is(k) ? (failed(k) ? diverged : ordinate(k)) : NaN) \
            with lines lw 1.4 dashtype dashes(k) lc rgb paint(k), \
         for [k=1:6] table @of_line using (abscissa(k)):(ordinate(k)) with points pt (k > 3 ? 7 : 6) ps marks*(k > 3 ? 0.8 : 1.2) lc rgb paint(k), \
         for [k=1:6] table using (abscissa(k)*beside(k)):(is(k) && failed(k) ? diverged : NaN) with points pt (k > 3 ? 9 : 8) ps marks*1.6 lw 1.5 lc rgb paint(k)
}
unset multiplot
