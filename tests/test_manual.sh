#!/bin/sh
# doc/delassus.texi: its listings and commands, run in order in one folder, give what it prints; its reference chapter is
# what the program says; makeinfo has nothing to complain about. The man page has its sections, its examples run. TAP.
#
# An @smallexample that follows a line '@c file: NAME' is a file. In all others a line that begins with '$ ' is a command; the
# lines behind it must come in its output in that order, numbers to one part in a thousand. '...' at the end of a line
# stands for anything, and alone for lines left out.
. "$DLS_TEST_SOURCE/tests/script.sh"
here=$(pwd)
source=$DLS_TEST_SOURCE
manual=$source/doc/delassus.texi

# The examples: files into work/, commands numbered into steps/, each with the output that follows it.
mkdir "$dir/work" "$dir/steps"
awk -v work="$dir/work" -v steps="$dir/steps" '
    /^@c file: / { file = work "/" $3; next }
    /^@smallexample$/ { inside = 1; next }
    /^@end smallexample$/ { if (file != "") close(file); inside = 0; file = ""; step = ""; next }
    !inside { next }
    { gsub(/@\{/, "{"); gsub(/@\}/, "}"); gsub(/@@/, "@") }
    file != "" { print > file; next }
    /^\$ / {
        step = sprintf("%s/%03d", steps, ++count)
        print substr($0, 3) > (step ".command")
        printf "" > (step ".shown")
        next
    }
    step != "" { print > (step ".shown") }' "$manual"
cmp "$dir/work/own_solver.py" "$source/examples/own_solver.py" >"$dir/told" 2>&1
ok $? "own_solver.py of the manual is that of examples/"
ln -s "$here/delassus" "$dir/delassus"
PATH=$dir:$PATH

# Does FOUND have the lines of SHOWN, in that order?
holds() { # shown, found
    [ -s "$1" ] || return 0
    awk '
        function number(word) { return word ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?,?$/ }
        function same(a, b) {
            if (!number(a) || !number(b)) return a == b
            a += 0; b += 0
            d = a > b ? a - b : b - a; s = a < 0 ? -a : a
            return d <= 1e-3 * s
        }
        function fits(shown, found,   n, m, a, b, i) {
            n = split(shown, a); m = split(found, b)
            for (i = 1; i <= n; i++) {
                if (a[i] == "...") return 1
                if (i > m || !same(a[i], b[i])) return 0
            }
            return n == m
        }
        FNR == NR { if ($0 != "...") want[++wanted] = $0; next }
        { if (next_one < wanted && fits(want[next_one + 1], $0)) next_one++ }
        END { if (next_one < wanted) { print "not found: " want[next_one + 1]; exit 1 } }' "$1" "$2"
}

commands=0
for command in "$dir"/steps/*.command; do
    text=$(cat "$command")
    commands=$((commands + 1))
    case $text in
        'cc '*)
            if [ -x "$here/examples/own_solver" ]; then
                ln -s "$here/examples/own_solver" "$dir/work/own_solver"
                skip "$text" "tests/test_examples.sh compiles it"
            else
                skip "$text" "examples/own_solver is not built"
            fi
            continue ;;
        './own_solver '*) [ -x "$dir/work/own_solver" ] || { skip "$text" "it is not built"; continue; } ;;
        *python3*) command -v python3 >/dev/null 2>&1 || { skip "$text" "no python3"; continue; } ;;
        'gnuplot '*) command -v gnuplot >/dev/null 2>&1 || { skip "$text" "no gnuplot"; continue; } ;;
    esac
    (cd "$dir/work" && sh -c "$text") >"$dir/found" 2>&1
    status=$?
    grep -q 'gnuplot could not be started' "$dir/found" && status=0
    cp "$dir/found" "$dir/told"
    [ $status -eq 0 ] && holds "${command%.command}.shown" "$dir/found" >"$dir/told"
    ok $? "$text"
done
[ "$commands" -ge 10 ]
ok $? "the manual has its commands"

# Columns that the tutorial picks out of a table.
awk '$1 == "pgs" || $1 == "sor" { print $1, $2, $3, $4 }' "$manual" | grep '^[a-z]* *0\.' >"$dir/claimed"
(cd "$dir/work" && delassus compare lamp.yaml --solvers pgs,sor -o again) |
    awk '($1 == "pgs" || $1 == "sor") { print $1, $(NF - 5), $(NF - 3), $(NF - 1) }' >"$dir/found"
[ "$(grep -c . "$dir/claimed")" -eq 2 ] && holds "$dir/claimed" "$dir/found" >"$dir/told"
ok $? "rates in the tutorial"
for run in exact:lt cold:lt split:lt warm:gt; do # what the text says of energies
    awk -F '\t' -v way="${run#*:}" '
        /^#/ { next }
        !column { for (i = 1; i <= NF; i++) if ($i ~ /^total/) column = i; next }
        first == "" { first = $column }
        { last = $column }
        END { print first, last; exit !(way == "lt" ? last < first : last > first) }' \
        "$dir/work/${run%:*}/lamp.energy.tsv" >"$dir/told" 2>&1
    ok $? "energy of the run ${run%:*}"
done

if command -v python3 >/dev/null 2>&1; then
    python3 "$source/doc/reference.py" ./delassus >"$dir/reference.texi" 2>"$dir/told" &&
        diff "$source/doc/reference.texi" "$dir/reference.texi" >"$dir/told"
    ok $? "doc/reference.texi is what the program says (else: make update-reference)"
    sed -n '/^@c python$/,/^@end smallexample/p' "$manual" | sed '/^@/d' >"$dir/work/short.py"
    python=${DLS_TEST_PYTHON:-python3}
    if [ -d "$here/python/here/delassus" ] && PYTHONPATH=$here/python/here "$python" -c 'import delassus' 2>/dev/null; then
        (cd "$dir/work" && PYTHONPATH=$here/python/here "$python" short.py) >"$dir/told" 2>&1
        ok $? "the Python example"
    else
        skip "the Python example" "the package is not built for this python3"
    fi
else
    skip "doc/reference.texi" "no python3"
    skip "the Python example" "no python3"
fi
if command -v makeinfo >/dev/null 2>&1; then
    printf '@set VERSION 0\n@set UPDATED 0\n' >"$dir/version.texi"
    makeinfo -I "$dir" -I "$source/doc" -o "$dir/delassus.info" "$manual" >"$dir/told" 2>&1 && [ ! -s "$dir/told" ]
    ok $? "makeinfo reads the manual without a warning"
else
    skip "makeinfo reads the manual" "no makeinfo"
fi
if command -v texi2pdf >/dev/null 2>&1 && command -v pdftex >/dev/null 2>&1; then
    (cd "$dir" && TEXINPUTS=$source/build-aux: texi2pdf -b -I "$dir" -I "$source/doc" -o manual.pdf "$manual") \
        >"$dir/told" 2>&1
    ok $? "TeX typesets the manual"
else
    skip "TeX typesets the manual" "no texi2pdf with pdftex"
fi

# The man page is made where help2man is found.
page=doc/delassus.1
[ -f "$page" ] || page=$source/doc/delassus.1
if [ -f "$page" ]; then
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS" ENVIRONMENT FILES EXAMPLES "SEE ALSO"; do
        grep "^\.SH \"\{0,1\}$section\"\{0,1\}\$" "$page" >"$dir/told" || echo "no section $section" >>"$dir/missing"
    done
    for variable in OPENBLAS_NUM_THREADS \
        $(cat "$source"/cmd/*.c "$source"/experiments/*.c "$source"/experiments/*/*.c | sed -n 's/.*getenv("\([A-Z_]*\)").*/\1/p'); do
        grep "$variable" "$page" >"$dir/told" || echo "nothing of $variable" >>"$dir/missing"
    done
    for command in $(./delassus --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        grep "^\.B delassus $command" "$page" >"$dir/told" || echo "no section of $command" >>"$dir/missing"
    done
    touch "$dir/missing"
    cp "$dir/missing" "$dir/told"
    [ ! -s "$dir/missing" ]
    ok $? "the man page has its sections, commands and environment variables"
    sed -n '/^\.SH EXAMPLES/,/^\.SH/s/^    \(delassus \([a-z]*\) .*\)/\1/p' "$page" | sed 's/\\-/-/g' >"$dir/examples"
    ln -s "$source/scenes" "$dir/work/scenes"
    (cd "$dir/work" && [ -s "$dir/examples" ] &&
        delassus dump scenes/four-bar.yaml --what problem -o . && mv four-bar.problem problem.txt &&
        delassus solve problem.txt --solver block-pivoting --json >impulses.txt &&
        mkdir steps && cp problem.txt steps/four-bar.problem && cp impulses.txt steps/four-bar.impulses && cp "$here/examples/dump/stack_engine" engine &&
        sh -e "$dir/examples") >"$dir/told" 2>&1
    ok $? "the examples of the man page"
else
    skip "the man page has its sections" "no man page"
    skip "the examples of the man page" "no man page"
fi
if [ -f "$page" ] && command -v mandoc >/dev/null 2>&1; then
    mandoc -Tlint -W warning "$page" >"$dir/told" 2>&1
    ok $? "mandoc reads the man page without a warning"
else
    skip "mandoc reads the man page" "no mandoc, or no page"
fi
echo "1..$number"
