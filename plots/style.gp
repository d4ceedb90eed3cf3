# Common style: called by every script with the variables format ('svg', 'png', 'pdf' or 'tikz') and figure (a file, or
# '' for standard output); height [px of 960 across] where 400 is not enough.
if (!exists('height')) { height = 400 }
terminal = format eq 'svg' ? 'svg' : format eq 'png' ? 'pngcairo' : format eq 'pdf' ? 'pdfcairo' : 'tikz'
if (!strstrt(' '.GPVAL_TERMINALS.' ', ' '.terminal.' ')) {
    printerr 'this gnuplot has no terminal '.terminal.', which draws figures as '.format
    exit status 69
}
# All have the same proportions of text, lines and marks. SVG and PNG are drawn at twice the size that a page shows;
# TikZ is as wide as the text of an article, in its \scriptsize.
if (format eq 'svg') { set terminal svg size 1920,2*height font 'Helvetica,27' linewidth 1.8 background rgb 'white' }
if (format eq 'png') \
    { set terminal pngcairo size 1920,2*height font 'Helvetica,13' fontscale 1.6 linewidth 1.8 background rgb 'white' }
if (format eq 'pdf') \
    { set terminal pdfcairo size 10,height/96.0 font 'Helvetica,15.5' linewidth 1.2 background rgb 'white' }
tikz = "set terminal tikz size 16cm,%gcm charsize 0.165cm,0.29cm font '\\scriptsize'" # which takes no expression
if (format eq 'tikz') { eval sprintf(tikz, height / 60.0) }
# Marks have the size marks*x: the formats do not agree on what 1 is.
marks = format eq 'svg' ? 0.6 : 1
set pointsize marks
letter = format eq 'tikz' ? 7.9 : 7.4 # width of a letter, with some room [px of 960 across]
if (figure ne '') { set output figure }
set encoding utf8
# The number that a text is: gnuplot reads none with an exponent and no point, such as 1e-14.
with_point(text, e) = e == 0 || strstrt(text, '.') ? text : text[1:e - 1].'.0'.text[e:*]
number(text) = real(with_point(text, strstrt(text, 'e')))
set datafile separator tab
set datafile columnheaders
set datafile missing NaN # also from expressions: lines go on across rows that are not picked
set border 3 lc rgb '#444444'
set tics nomirror textcolor rgb '#222222'
set grid lc rgb '#dddddd' lt 1 lw 0.6
set key samplen 2.5 spacing 1.1 textcolor rgb '#222222'
set key noenhanced
set format '%g'
set format y '10^{%L}'
# Okabe and Ito's colours: told apart in print and by the colour-blind. Figures have them from here.
array colour[6] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9']
# With black and brown, for more lines.
array tone[8] = [colour[1], colour[2], colour[3], colour[4], '#000000', colour[5], colour[6], '#9A6A00']
# The colour of line k, where a figure has no other; and its dashes, which change where the colours begin again.
paint(k) = colour[(k - 1) % |colour| + 1]
dashes(k) = 1 + (k - 1) / |colour|
set xlabel offset 0,0.4
if (format eq 'svg') { set ylabel offset 1.2,0 }
set bmargin 5
set tmargin 2.5
# `plot for [k=1:lines] table @of_line using ...` reads the rows from the first to the last one of line k alone (panel.gp):
# gnuplot makes several system calls for each row whose columns it evaluates.
of_line = 'every ::from_row[k]::to_row[k]'
