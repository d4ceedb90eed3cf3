#!/bin/sh
# delassus plot, and sweep --figure: columns that are found, points that are drawn, and what is refused. The points are
# those that gnuplot gets, of a program in its place that keeps its input. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
path=$PATH
mkdir "$dir/bin"
{ echo '#!/bin/sh' && echo "cat >'$dir/script'" &&
    sed 1d "$DLS_TEST_SOURCE/tests/idle_gnuplot.sh"; } >"$dir/bin/gnuplot"
chmod +x "$dir/bin/gnuplot"
PATH=$dir/bin:$PATH
# curve K: the points of curve K, a line each.
curve() {
    awk -v want="$1" '/^EOD/ { exit }
        begun { if ($0 == "") empty++; else { if (empty) { k++; empty = 0 } if (k == want - 1) print } }
        /<< EOD/ { begun = 1 }' "$dir/script"
}
plots() { # NAME ARGUMENT...
    name=$1
    shift
    rm -f "$dir/script"
    "$program" plot "$@" -o "$dir/f.svg" >"$dir/out" 2>"$dir/err" && [ -s "$dir/script" ] && [ ! -s "$dir/err" ]
    ok $? "$name"
}
wrong() { # NAME WORDS ARGUMENT...
    name=$1 words=$2
    shift 2
    refuses "$name" "$words" plot "$@" -o "$dir/no.svg"
}
t=$dir/t.tsv

cat >"$t" <<'END'
# a note
size[m]	error[m]	error[rad]	way	time
1	0.1	1	a	2 ms
2	0.2	nan	b	4ms
3	0.3	3	a	1 s
4	-0.4	4	b	1 s
END
plots "a curve for each value of a column" "$t" --x size --y 'error[m]' --by way
[ "$(curve 1 | tr '\t\n' ' ;')" = '1 0.10000000000000001;3 0.29999999999999999;' ] &&
    [ "$(curve 2 | tr '\t\n' ' ;')" = '2 0.20000000000000001;4 -0.40000000000000002;' ]
ok $? "has the points of the table"
[ -s "$dir/f.svg" ] &&
    grep -q 'error.m. over size, a curve for each value of way: 4 points of 4 rows' "$dir/f.caption.txt" &&
    grep -q 'From t.tsv' "$dir/f.caption.txt"
ok $? "the figure and its caption are there"
grep -q "x_label = 'size \[m\]'" "$dir/script" && grep -q "y_label = 'error \[m\]'" "$dir/script" &&
    grep -q "title\[2\] = 'b'" "$dir/script"
ok $? "axes have names with units, and curves the values"
plots "a number that is NaN" "$t" --x size --y 'error[rad],error[m]'
[ "$(curve 1 | wc -l)" = 3 ] && [ "$(curve 2 | wc -l)" = 4 ] &&
    grep -q "left out .*1 of 4 rows have no finite number in error\[rad\] (line 4 has 'nan')" "$dir/out"
ok $? "is left out, and counted"
plots "a logarithmic axis" "$t" --x size --y 'error[m]' --log xy
[ "$(curve 1 | wc -l)" = 3 ] && grep -q 'left out .*1 points at or below 0' "$dir/out"
ok $? "has no point below 0"
plots "a unit in the cells" "$t" --x time --y size
[ "$(curve 1 | cut -f1 | tr '\n' ' ')" = '0.002 0.0040000000000000001 1 1 ' ] &&
    grep -q "x_label = 'time \[s\]'" "$dir/script" && grep -q 'joined\[1\] = 0' "$dir/script"
ok $? "is converted, and points at one place are not joined"
plots "some rows" "$t" --x size --y time --where way=b
[ "$(curve 1 | cut -f1 | tr '\n' ' ')" = '2 4 ' ] && grep -q 'joined\[1\] = 1' "$dir/script"
ok $? "are chosen"
printf 'a b,"c, ""d"" it'"'"'s"\r\n1,"2"\r\n"x\ny",4\r\n3,6\r\n' >"$dir/t.csv"
plots "commas and quotes" "$dir/t.csv" --x 'a b' --y 'a b'
[ "$(curve 1 | tr '\t\n' ' ;')" = '1 1;3 3;' ] && grep -q 'line 3 has' "$dir/out"
ok $? "are read"
printf 'k;v\n1;2\n' >"$dir/s.csv"
plots "semicolons" "$dir/s.csv" --x k --y v

wrong "an unknown column" "has no column 'zzz'; the columns are size\[m\], error\[m\], error\[rad\], way, time" \
    "$t" --x zzz --y size
wrong "a name of two columns" "2 columns are called 'error'; add the unit" "$t" --x size --y error
wrong "a column of words" "way has no finite number to draw: line 3 has 'a'" "$t" --x size --y way
wrong "no row" "no row has way=c" "$t" --x size --y time -w way=c
wrong "no x" "x is missing" "$t" --y size
wrong "other axes" "are no axes" "$t" --x size --y time --log z
refuses "another kind of figure" "use one of .svg, .png, .pdf, .tikz" plot "$t" --x size --y time -o "$dir/no.jpg"
printf 'a\tb\n1\t2\n3\n' >"$dir/short.tsv"
wrong "a short row" "short.tsv:3:1: the line has 1 cells, and the line of names 2" "$dir/short.tsv" --x a --y b
printf 'a,b\n1,2\n3,"4\n5,6\n' >"$dir/quote.csv"
wrong "a quote that is not closed" "quote.csv:3:3: the quote that opens this cell is not closed" "$dir/quote.csv" --x a --y b
printf '1\t2\n3\t4\n' >"$dir/bare.tsv"
wrong "no names" "line 1 has numbers alone" "$dir/bare.tsv" --x 1 --y 2
: >"$dir/empty.tsv"
wrong "an empty table" "is empty" "$dir/empty.tsv" --x a --y b
{ printf 'k\tv\tw\n'; for k in 1 2 3 4 5 6 7 8 9; do printf '%s\t1\t%s\n' $k $k; done; } >"$dir/many.tsv"
wrong "nine curves" "9 curves, and 8 can be told apart" "$dir/many.tsv" --x v --y w --by k
ls "$dir" | grep -q '^no\.'
[ $? -ne 0 ]
ok $? "what is refused writes nothing"

"$program" sweep "$scenes/pendulum.yaml" --over dt=1ms,2ms --solvers pgs,sor --set time=0.02 \
    --figure dt,steps,solver --log y -o "$dir/sweep" >"$dir/out" 2>"$dir/err" &&
    [ "$(curve 2 | tr '\t\n' ' ;')" = '0.001 20;0.002 10;' ] && grep -q 'figure .*pendulum.sweep.svg, .png' "$dir/out" &&
        [ -s "$dir/sweep/pendulum.sweep.png" ]
ok $? "a sweep draws its table"
refuses "a figure of one column" "is not X,Y or X,Y,BY" \
    sweep "$scenes/pendulum.yaml" --over dt=1ms --figure dt -o "$dir/none"
[ ! -e "$dir/none" ]
ok $? "before anything runs"

PATH=$path
if command -v gnuplot >/dev/null; then
    for kind in svg png pdf tikz; do
        case $kind in png | pdf) terminal=${kind}cairo ;; *) terminal=$kind ;; esac
        if gnuplot -e "print GPVAL_TERMINALS" 2>&1 | grep -qw "$terminal"; then
            "$program" plot "$t" --x size --y 'error[m],error[rad]' --by way --log x -o "$dir/real.$kind" \
                >"$dir/out" 2>"$dir/err" &&
                [ -s "$dir/real.$kind" ] && [ ! -s "$dir/err" ]
            ok $? "gnuplot draws it as $kind"
        else
            skip "gnuplot draws it as $kind" "no such terminal"
        fi
    done
else
    skip "figures" "no gnuplot"
fi
# The colours of figures stand in one file.
sed -n "s/^array colour.*= \[\(.*\)\]$/\1/p" "$DLS_TEST_SOURCE/plots/style.gp" | grep -o '#[0-9A-F]*' >"$dir/colours"
if [ "$(wc -l <"$dir/colours")" -eq 6 ]; then : ; else echo "not six colours"; fi >"$dir/told"
grep -il -f "$dir/colours" "$DLS_TEST_SOURCE"/plots/*.gp | grep -v '/style.gp$' >>"$dir/told"
nothing_told "no other script of plots has a colour of style.gp"
echo "1..$number"
