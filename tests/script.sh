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
