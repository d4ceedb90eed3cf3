#!/bin/sh
# The report in small: every experiment and scene is in it, and whatever its page names is there and not empty. TAP.
program=${DLS_TEST_PROGRAM:-./delassus}
DELASSUS_DATADIR=$DLS_TEST_SOURCE
export DELASSUS_DATADIR
if ! command -v gnuplot >/dev/null; then
    echo "1..0 # SKIP there is no gnuplot"
    exit 0
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
number=0
ok() { # status, name: what failed stands in $dir/told
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; sed 's/^/# /' "$dir/told" | head -20; fi
}
holds() { # name: $dir/told is empty, or has what is wrong
    [ ! -s "$dir/told" ]
    ok $? "$1"
}

"$program" report --small -o "$dir/report" >"$dir/out" 2>"$dir/told"
ok $? "the report in small"
grep -q "$dir/report/index.html" "$dir/out"
ok $? "it tells where its page is"
page=$dir/report/index.html

grep -o 'src="[^"]*"\|href="[^"]*"' "$page" | sed 's/.*="//; s/"$//' | sort -u >"$dir/named"
[ "$(wc -l <"$dir/named")" -gt 100 ] || echo "only $(wc -l <"$dir/named") files" >"$dir/told"
[ "$(wc -l <"$dir/named")" -gt 100 ]
ok $? "the page names more than a hundred files"
while read -r name; do
    [ -s "$dir/report/$name" ] || echo "$name is not there, or empty"
done <"$dir/named" >"$dir/told"
holds "every file that the page names is there, and not empty"
for name in "$dir/report"/*.tsv "$dir/report"/*.svg "$dir/report"/*.png; do
    grep -qxF "${name##*/}" "$dir/named" || echo "${name##*/}"
done >"$dir/told"
holds "every table and figure is named on the page"
# Where no peer was built, as of a program that is linked statically, its experiment has nothing to tell.
empty='events|changes'
"$program" list peers | grep -q '^  [a-z0-9-]* (' || empty='events|changes|peers'
for name in "$dir/report"/*.tsv; do
    awk -F'\t' -v empty="$empty" '/^#/ { notes++; next } !columns { columns = NF; next } NF != columns { wrong++ } { rows++ }
        END { if (!notes || !columns || (!rows && FILENAME !~ empty) || wrong) printf "%s: %d notes, %d columns, %d rows, %d of another width\n", FILENAME, notes, columns, rows, wrong }' "$name"
done >"$dir/told"
holds "every table has provenance, columns, and rows of that width, or no event or change to tell"
for name in "$dir/report"/*.svg; do
    grep -q '<path' "$name" && grep -q '</svg>' "$name" || echo "${name##*/}"
    [ -s "${name%.svg}.caption.txt" ] || echo "${name##*/} has no caption"
done >"$dir/told"
holds "every figure is a whole drawing, and has a caption"
grep '<img' "$page" | sed -n 's/.*<figcaption>\(.*\)/\1/p' | awk 'length($0) < 20 { print "an empty caption: " $0 }' >"$dir/told"
holds "captions stand on the page"
"$program" list experiments | sed -n 's/^  \([a-z]*\):.*/\1/p' | while read -r name; do
    ls "$dir/report" | grep -q "^$name.*\.tsv$" || echo "$name has no table"
    ls "$dir/report" | grep -q "^$name.*\.svg$" || echo "$name" | grep -Eqx "$empty" || echo "$name has no figure"
done >"$dir/told"
holds "every experiment has a table and a figure"
awk -F'\t' '/^[^#]/ { print $1 }' "$dir/report/runs.summary.tsv" >"$dir/runs"
for scene in "$DLS_TEST_SOURCE"/scenes/*.yaml; do
    stem=$(basename "$scene" .yaml)
    grep -qxF "$stem" "$dir/runs" || grep -q '^ *collide: *true' "$scene" || echo "$stem was not run"
done >"$dir/told"
holds "every scene was run"
awk -F'\t' '/^[^#]/ && $1 != "file" && $5 > 11 { print }' "$dir/report/runs.summary.tsv" >"$dir/told"
holds "ten steps each"

: >"$dir/file"
"$program" report --small -o "$dir/file" >"$dir/out" 2>"$dir/err"
status=$?
cp "$dir/err" "$dir/told"
[ $status -eq 2 ] && [ "$(wc -l <"$dir/err")" -eq 1 ]
ok $? "a file in place of its folder is one error"
DELASSUS_DATADIR=$dir/none "$program" report --small -o "$dir/other" >"$dir/out" 2>"$dir/told"
[ $? -eq 2 ] && grep -q 'none' "$dir/told" && [ ! -e "$dir/other/index.html" ]
ok $? "so is a folder of scenes that is not there; there is no page then"
echo "1..$number"
