# Variables: table (runs against implicit Euler), second (runs against the laws).
load plots.'/style.gp'
rigs = 'slider hinge distance distance-erp-cfm'
ways = 'tgs-step tgs-substep small-steps small-steps-relax-1 small-steps-relax-3'
exact = 4e-19 # where differences of 0 stand, below the numbers of the axis
group(k) = word(panel == 1 ? rigs : ways, k)
label_of(k) = word(panel == 1 ? "slider hinge distance 'ERP, CFM'" : "'TGS step' substep 'small steps' relaxed 'relaxed 3'", k)
difference = 'difference_to_implicit_euler difference_to_law'
name(k) = ''
step(k) = (panel == 1 ? 1.22 : 1.08)**(k - (panel == 1 ? 2.5 : 3)) # so that marks at one place are told apart
abscissa(k) = (panel == 1 ? column('kp') : column('iterations')) * step(k)
value_of(x) = x > 1e-18 ? x : exact
ordinate(k) = strcol(panel == 1 ? 'rig' : 'scheme') eq group(k) ? value_of(column(word(difference, panel))) : NaN
set multiplot
set ytics ('0' exact, '10^{-18}' 1e-18, '10^{-16}' 1e-16, '10^{-14}' 1e-14, '10^{-12}' 1e-12, '10^{-10}' 1e-10)
panels = 2
gutter = 100
scale = 'xy'
low = 2e-19
high = 3e-10
top = 0.8
room = 10
do for [panel=1:2] {
    source = panel == 1 ? table : second
    lines = panel == 1 ? 4 : 5
    set format x (panel == 1 ? '10^{%L}' : '%g')
    if (panel == 2) { set xtics (1, 2, 4, 8, 16, 32, 64) }
    set xlabel panel == 1 ? 'kp [N/m, N m/rad]' : 'iterations or substeps N'
    set ylabel panel == 1 ? 'largest difference to implicit Euler' : 'largest difference to the law'
    stop = panel == 1 ? 3e8 : 45
    load plots.'/panel.gp'
    do for [k=1:lines] { set label k label_of(k) at graph (k - 0.5) / lines, graph 1.07 center textcolor rgb paint(k) }
    bound = panel == 1 ? 1e-12 : 1e-10
    set label 50 'bound of the tests' at graph 0.98, first bound right offset 0,-0.6 textcolor rgb '#444444'
    plot for [k=1:lines] source @of_line using (abscissa(k)):(ordinate(k)) with points pt 7 ps marks*0.6 lc rgb paint(k), bound with lines dt 3 lc rgb '#444444'
}
unset multiplot
