#!/bin/sh
# Solvers of other projects on small problems: right where they take them, refused by name where they do not, and a wrong
# answer called wrong. A peer that was not built is skipped, and says what it lacks. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

vector() { # FILE NUMBER...
    file=$1; shift
    { echo "%%MatrixMarket matrix array real general"; echo "$# 1"; for x; do echo "$x"; done; } >"$file"
}
matrix() { # FILE ROWS NUMBER..., column by column
    file=$1 n=$2; shift 2
    { echo "%%MatrixMarket matrix array real general"; echo "$n $n"; for x; do echo "$x"; done; } >"$file"
}
for kind in lcp box mixed half; do
    mkdir "$dir/$kind"
    matrix "$dir/$kind/A.mtx" 4 4 1 .5 -.25 1 3 -.5 .125 .5 -.5 5 1 -.25 .125 1 2
    vector "$dir/$kind/b.mtx" -1.5 2.25 -3.125 .75
done
vector "$dir/box/lo.mtx" -.2 -.3 .1 -1
vector "$dir/box/hi.mtx" .3 .2 .4 1.5
vector "$dir/mixed/lo.mtx" -inf 0 -inf -1
vector "$dir/mixed/hi.mtx" inf inf .5 .25
# Two contacts, one that slides and one that sticks, as Siconos writes them.
vector "$dir/half/lo.mtx" 0 0 0 0
vector "$dir/half/hi.mtx" 1 inf 1 1
cone=$dir/contacts.dat
cat >"$cone" <<'END'
3
2
0
6
6
6 6
3 .25 -.5 .5 .125 0
.25 2 .125 0 .25 .5
-.5 .125 2.5 -.25 0 .125
.5 0 -.25 4 .5 .25
.125 .25 0 .5 3 -.5
0 .5 .125 .25 -.5 2
-3 2.5 .75 -2 .125 -.25
.375 .5
END

"$program" list peers >"$dir/peers" 2>"$dir/err"
ok $? "list peers"
grep -qi siconos-nsgs "$dir/peers" && grep -q ode-dantzig "$dir/peers"
ok $? "which names them all, built or not"
DELASSUS_PEERDIR=$dir "$program" solve "$dir/lcp" --solver ode-dantzig >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q "the peer 'ode-dantzig' was not built: it needs the Open Dynamics Engine (libode-dev" "$dir/err"
ok $? "one that is not there says what it needs"
DELASSUS_PEERDIR=$dir "$program" solve "$dir/lcp" --solver all-peers >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q "no peer was built" "$dir/err"
ok $? "none at all is an error"
"$program" solve "$dir/lcp" --solver ode-dantzg >"$dir/out" 2>"$dir/err"
grep -q "did you mean 'ode-dantzig'" "$dir/err"
ok $? "a name with a slip gets its neighbour"

built() { grep -q "^  $1 (" "$dir/peers"; }
if ! grep -q "^  [a-z0-9-]* (" "$dir/peers"; then
    skip "the peers" "no peer was built"
    echo "1..$number"
    exit 0
fi

# line_of PEER: its line in the table of solve; a long name has the line before
line_of() { sed -e "/^$1\$/N" -e 's/\n */ /' "$dir/out" | grep "^$1 "; }

# solves PEER TOLERANCE PROBLEM...: each within the tolerance of the examiner's scaled residual, 10 times the peer's own.
solves() {
    peer=$1 tolerance=$2
    shift 2
    for problem; do
        if ! built "$peer"; then skip "$peer" "it was not built"; continue; fi
        "$program" solve "$problem" --solver "$peer" --tolerance "$tolerance" >"$dir/out" 2>"$dir/err" && line_of "$peer" | grep -q "^$peer  *solved"
        ok $? "$peer solves $(basename "$problem")"
    done
}
# refuses PEER WORDS PROBLEM
refuses() {
    if ! built "$1"; then skip "$1" "it was not built"; return; fi
    "$program" solve "$3" --solver "$1" >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && line_of "$1" | grep -q "^$1  *refused" && grep -q -- "$2" "$dir/out"
    ok $? "$1 refuses $(basename "$3")"
}

solves ode-dantzig 1e-14 "$dir/lcp" "$dir/box" "$dir/mixed"
solves bullet-dantzig 1e-14 "$dir/lcp" "$dir/box" "$dir/mixed"
solves bullet-pgs 1e-12 "$dir/lcp" "$dir/box" "$dir/mixed"
solves dart-dantzig 1e-14 "$dir/lcp" "$dir/box" "$dir/mixed"
solves dart-pgs 1e-12 "$dir/lcp" "$dir/box" "$dir/mixed"
solves dart-lemke 1e-14 "$dir/lcp"
refuses dart-lemke "bounds" "$dir/box"
solves bullet-lemke 1e-14 "$dir/lcp" "$dir/box"
refuses bullet-lemke "free rows" "$dir/mixed"
refuses bullet-lemke "row 1 is not bounded" "$dir/half"
for method in lemke pivot pivot-lumod bard murty avi newton-fb newton-min-fb enum; do
    solves "siconos-lcp-$method" 1e-9 "$dir/lcp" "$dir/box"
    refuses "siconos-lcp-$method" "free rows" "$dir/mixed"
done
solves siconos-lcp-newton-min 1e-9 "$dir/lcp"
solves siconos-lcp-pgs 1e-9 "$dir/lcp"
solves siconos-lcp-psor 1e-9 "$dir/lcp"
solves siconos-lcp-latin 1e-9 "$dir/lcp"
for method in fb enum; do
    solves "siconos-mlcp-$method" 1e-9 "$dir/lcp" "$dir/box" "$dir/mixed"
done
for method in lemke avi pgs; do
    solves "siconos-relay-$method" 1e-9 "$dir/box"
    refuses "siconos-relay-$method" "row 0 has not" "$dir/lcp"
done
for method in nsgs nsn-ac nsn-fb nsn-nm prox tfp eg admm; do
    solves "siconos-$method" 1e-8 "$cone"
    refuses "siconos-$method" "Coulomb's cone" "$dir/box"
done
for method in pgs cg newton; do # R = 1e-7 diag(A) leaves a residual of as much
    solves "mujoco-$method" 1e-7 "$dir/lcp" "$dir/box" "$dir/mixed"
    refuses "mujoco-$method" "Coulomb's cone" "$cone"
done
solves siconos-dsfp 1e-8 "$DLS_TEST_SOURCE/tests/fuzz/corpus/siconos-fc3d/fc3d" # of a fixed step, which is too long for the other
refuses siconos-dsfp "Coulomb's cone" "$dir/box"
refuses ode-dantzig "Coulomb's cone" "$cone"
refuses siconos-lcp-enum "more than 20" "$DLS_TEST_SOURCE/scenes/stack-10.yaml"

# The examiner has the last word: with a tolerance of its own that is loose, a peer claims what is not so.
if built siconos-mlcp-fb; then
    "$program" solve "$dir/mixed" --solver siconos-mlcp-fb --set tolerance=0.1 >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && grep -q "^siconos-mlcp-fb  *numerical-failure" "$dir/out" && grep -q "scaled residual of" "$dir/out"
    ok $? "a wrong answer is called wrong"
else
    skip "a wrong answer is called wrong" "Siconos was not built"
fi
if built siconos-lcp-lemke; then # nor does a tolerance that no answer meets make a right one wrong
    "$program" solve "$dir/box" --solver siconos-lcp-lemke --set tolerance=1e-300 >"$dir/out" 2>"$dir/err"
    [ $? -eq 0 ] && grep -q "^siconos-lcp-lemke  *solved" "$dir/out"
    ok $? "a right answer of a peer that reports a failure is right"
else
    skip "a right answer of a peer that reports a failure is right" "Siconos was not built"
fi
if built mujoco-newton; then
    "$program" solve "$dir/mixed" --solver mujoco-newton --set regularization=1e-4 >"$dir/out" 2>"$dir/err"
    [ $? -eq 4 ] && grep -q '^mujoco-newton  *iteration-limit  *[0-9]*  *[1-9].[0-9]*e-05' "$dir/out"
    ok $? "MuJoCo's own softness is not our problem"
else
    skip "MuJoCo's own softness is not our problem" "MuJoCo was not built"
fi
if built bullet-pgs && built ode-dantzig; then
    "$program" solve "$dir/box" --solver inside:ode-dantzig >"$dir/out" 2>"$dir/err" && grep -q '^ode-dantzig  *solved' "$dir/out"
    ok $? "in our own process"
    "$program" compare "$DLS_TEST_SOURCE/scenes/heavy-on-light.yaml" --solvers bullet-pgs,pgs --iterations 20 -o "$dir/c" >"$dir/out" 2>"$dir/err" &&
        grep -q 'bullet-pgs' "$dir"/c/*.history.tsv
    ok $? "compare has the history of an iterative one"
else
    skip "in our own process" "ODE or Bullet was not built"
fi
"$program" solve "$dir/box" --solver all-peers --json >"$dir/out" 2>"$dir/err"
[ "$(grep -c '"solver"' "$dir/out")" -eq "$(grep -c '^  [a-z0-9-]* (' "$dir/peers")" ]
ok $? "all-peers is every peer that was built"
"$program" compare "$dir/box" --solvers all-peers --iterations 20 -o "$dir/all" >"$dir/out" 2>"$dir/err"
grep -q '^box	' "$dir"/all/box.summary.tsv
ok $? "compare takes all-peers"
echo "1..$number"
