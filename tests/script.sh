# script.sh - the beginning of the tests that are scripts: . "$DLS_TEST_SOURCE/tests/script.sh"
program=${DLS_TEST_PROGRAM:-./delassus}
scenes=$DLS_TEST_SOURCE/scenes
data=${DLS_TEST_DATA:-$DLS_TEST_SOURCE/../shared/data}
DELASSUS_DATADIR=$DLS_TEST_SOURCE
export DELASSUS_DATADIR
dir=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
number=0

# ok STATUS NAME: a test; of one that fails, the files out, err and told in $dir are printed.
ok() {
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        cat "$dir/out" "$dir/err" "$dir/told" 2>/dev/null | head -40 | sed 's/^/# /'
    fi
}

# skip NAME REASON
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }

# nothing_told NAME: $dir/told is empty, or has the problems.
nothing_told() { [ ! -s "$dir/told" ]; ok $? "$1"; }

# complains STATUS NAME WORDS ARGUMENT...: the program ends with that status, and one line on standard error with the words.
complains() {
    want=$1 name=$2 words=$3
    shift 3
    "$program" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got -eq "$want" ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q -- "$words" "$dir/err" && [ ! -s "$dir/out" ]
    ok $? "$name"
}

# refuses NAME WORDS ARGUMENT...: the same with exit status 2.
refuses() { complains 2 "$@"; }

# differ TABLE TABLE: prints the first line of two tables in which numbers differ by more than 1e-9 of the largest one, or
# texts.
differ() { # table, table
    awk -F'\t' -v OFS='\t' '/^#/ { next }
        FNR == NR { line[++n] = $0; for (i = 1; i <= NF; i++) if ($i + 0 > most) most = $i + 0; else if (-$i > most) most = -$i; next }
        { if (split(line[++m], a) != NF) { print "cells", m; n = m; exit }
          for (i = 1; i <= NF; i++) if (a[i] != $i && ($i + 0 == 0 && $i !~ /^[-0.e]/ || (a[i] - $i) ^ 2 > (1e-9 * most) ^ 2)) { print m, a[i], $i; n = m; exit } }
        END { if (m != n) print "lines", n, m }' "$1" "$2"
}
