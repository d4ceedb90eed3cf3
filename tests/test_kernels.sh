#!/bin/sh
# The same outcomes, and the same method as reference, under every kernel of OpenBLAS that this processor runs, with one
# thread and with two. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

set -- "$scenes"/chain-10.yaml "$scenes"/four-bar.yaml "$scenes"/stack-10.yaml "$scenes"/heavy-on-light.yaml "$scenes"/painleve.yaml
[ ! -d "$data/siconos" ] || set -- "$@" "$data"/siconos/lcp/*.dat "$data"/siconos/mlcp/*.dat "$data"/siconos/relay/*.dat

# Figures are not looked at here, and are most of the time of a comparison: gnuplot draws nothing.
cp "$DLS_TEST_SOURCE/tests/idle_gnuplot.sh" "$dir/gnuplot"
PATH=$dir:$PATH

# The outcome of each direct method on each problem, and which of them becomes the reference.
outcomes() {
    for file in "$@"; do
        "$program" solve "$file" --json 2>/dev/null | sed 's/.*"solver": "\([^"]*\)", "outcome": "\([^"]*\)".*/\1 \2/'
        echo "$file exits $?"
    done
    "$program" compare "$@" --solvers pgs --iterations 2 --json -o "$dir/compare" 2>/dev/null |
        sed 's/.*"file": "\([^"]*\)".*"reference": "\([^"]*\)".*/\1 reference \2/'
}

OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=1 outcomes "$@" >"$dir/first"
for scene in "$scenes"/chain-10.yaml "$scenes"/painleve.yaml; do
    number=$((number + 1))
    if grep -q "^$scene reference " "$dir/first"; then echo "ok $number - a reference for $scene"; else echo "not ok $number - a reference for $scene"; fi
done
for kernel in $(sh "$DLS_TEST_SOURCE/build-aux/kernels.sh"); do
    for threads in 1 2; do
        number=$((number + 1))
        OPENBLAS_CORETYPE=$kernel OPENBLAS_NUM_THREADS=$threads outcomes "$@" >"$dir/now"
        if diff "$dir/first" "$dir/now" >"$dir/differences"; then echo "ok $number - $kernel, $threads threads"; else
            echo "not ok $number - $kernel, $threads threads"
            sed 's/^/# /' "$dir/differences" | head -20
        fi
    done
done
echo "1..$number"
