#!/bin/sh
# The program as a user meets it: exit statuses, JSON, tables, wrong input. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

# exits STATUS NAME ARGUMENT...: the program ends with that status.
exits() {
    want=$1 name=$2
    shift 2
    "$program" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got -eq "$want" ] || echo "# exit status $got, expected $want"
    [ $got -eq "$want" ]
    ok $? "$name"
}

scene() { cat >"$dir/scene.yaml"; }

# Where figures are not looked at, gnuplot draws nothing.
path=$PATH
if command -v gnuplot >/dev/null; then
    mkdir "$dir/bin" && cp "$DLS_TEST_SOURCE/tests/idle_gnuplot.sh" "$dir/bin/gnuplot"
    PATH=$dir/bin:$path
fi

# Shipped scenes and models by their names, in a folder that has none of them; a file of that folder goes first.
case $program in /*) there=$program ;; *) there=$(pwd)/$program ;; esac
mkdir "$dir/elsewhere"
cp "$scenes/pendulum.yaml" "$dir/elsewhere/star-5.yaml"
"$program" dump "$scenes/chain-10.yaml" -o "$dir/by-path" >"$dir/out" 2>&1
for name in chain-10 chain-10.yaml scenes/chain-10.yaml; do
    (cd "$dir/elsewhere" && "$there" dump "$name" -o ../by-name) >"$dir/out" 2>"$dir/err" && diff -r "$dir/by-path" "$dir/by-name" >/dev/null &&
        [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q "$name: no such file here; taken from $scenes/chain-10.yaml" "$dir/err"
    ok $? "a shipped scene as $name"
done
(cd "$dir/elsewhere" && "$there" check gripper.urdf) >"$dir/out" 2>"$dir/err"
ok $? "a shipped model"
(cd "$dir/elsewhere" && "$there" solve star-5.yaml) >"$dir/out" 2>"$dir/err" && [ ! -s "$dir/err" ] && grep -q ' 3 rows' "$dir/out"
ok $? "a file of that name goes before a shipped one"
refuses "a file that is nowhere" "none-such: .*No such file or directory.* $scenes or " solve none-such

exits 0 "help" --help
refuses "no command" "a command is missing"
for command in $("$program" complete -- | grep -v "^-"); do exits 0 "help of $command" $command --help; done
exits 0 "list" list
refuses "unknown command" "did you mean 'solve'" slove
refuses "control characters in a word" "there is no command 'so?\[31mlve?x'" "$(printf 'so\033[31mlve\nx')"
refuses "unknown option" "did you mean '--solver'" solve --solvr pgs "$scenes/pendulum.yaml"
refuses "option without value" "needs a value" solve "$scenes/pendulum.yaml" --solver
refuses "unknown solver" "did you mean 'lemke'" solve "$scenes/pendulum.yaml" --solver lemk
refuses "a scheme is no solver" "is a scheme" compare "$scenes/pendulum.yaml" --solvers pgs,tgs -o "$dir/o"
refuses "unknown setting" "no solver in use has this key" solve "$scenes/pendulum.yaml" --solver pgs --set colour=red
refuses "setting out of range" "outside" solve "$scenes/pendulum.yaml" --solver pgs --set omega=7
refuses "setting that is NaN" "NaN" solve "$scenes/pendulum.yaml" --solver pgs --set omega=nan
refuses "bad count" "not a whole number" compare "$scenes/pendulum.yaml" --iterations -3 -o "$dir/o"
refuses "a count with a sign" "not a whole number" compare "$scenes/pendulum.yaml" --iterations ' -5' -o "$dir/o"
refuses "an empty folder name" "empty value" run "$scenes/pendulum.yaml" -o ''
refuses "a setting that the world has not" "the keys are: gravity" run "$scenes/pendulum.yaml" --set world.zzz=1 -o "$dir/o"
refuses "published problems that are not there" "No such file" experiment convergence --data "$dir/none" -o "$dir/o"
refuses "two files of one name" "would both write" compare "$scenes/pendulum.yaml" "$scenes/../scenes/pendulum.yaml" -o "$dir/o"
refuses "an unknown part to dump" "none of M, J, A" dump "$scenes/pendulum.yaml" --what M,Q -o "$dir/o"
[ ! -e "$dir/o" ]
ok $? "what is refused writes nothing"
refuses "unknown list" "there is no list" list cheeses
refuses "unknown experiment" "did you mean 'convergence'" experiment convergenc -o "$dir/o"
refuses "unknown scheme" "did you mean 'euler'" run "$scenes/pendulum.yaml" --scheme eulr -o "$dir/o"
refuses "an unknown choice of steps to examine" "'all' is not samples, every or never" run "$scenes/pendulum.yaml" --examine all -o "$dir/o"
refuses "more steps than can be taken" "steps of .* too many" run "$scenes/pendulum.yaml" --time 1e300 -o "$dir/o"
refuses "too many arguments" "unexpected argument" check "$scenes/pendulum.yaml" again

exits 0 "check of the pendulum" check "$scenes/pendulum.yaml"
exits 0 "check of a robot" check "$DLS_TEST_SOURCE/models/gripper.urdf"
exits 0 "the first step of a robot" solve "$DLS_TEST_SOURCE/models/gripper.urdf"
for kind in $("$program" list --help | sed -n 's/^Lists: //p'); do exits 0 "list of $kind" list "$kind"; done
exits 0 "the list of motions" list motions
missing=
for motion in fix prismatic revolute revolute-unwrapped spherical spherical-2; do grep -q "^  $motion " "$dir/out" || missing="$missing $motion"; done
[ -z "$missing" ]
ok $? "names every motion"
exits 0 "the list of joints" list joints
for type in mimic limit drive motor; do grep -q "^  $type: " "$dir/out" || missing="$missing $type"; done
[ -z "$missing" ]
ok $? "names every joint on coordinates"
exits 0 "every direct method on the chain" solve "$scenes/chain-10.yaml"
exits 4 "too few iterations are not called solved" solve "$scenes/chain-10.yaml" --solver pgs --iterations 3
exits 1 "a sweep that diverges" solve "$scenes/chain-10.yaml" --solver jacobi --set omega=1.99
grep -q 'impulse [0-9]* is .* after [0-9]* iterations' "$dir/out" && ! grep -q ' nan' "$dir/out"
ok $? "names its first impulse that is not finite"
# Time limits of methods in our own process: those that are killed are named, with their last iterate where they have one.
limited() { exits 4 "$1" solve "$scenes/$2" --seconds "$3" --solver "$4" --iterations 1000000000 --tolerance 1e-300 --json; }
limited "a sweep that is out of time" chain-100.yaml 0.2 pgs
grep -q '"outcome": "time-limit".*"message": "no final answer within 0.2 s: killed"' "$dir/out" && ! grep -q '"lambda": \[\]' "$dir/out"
ok $? "shows its last iterate"
limited "a direct method that is out of time" stack-10.yaml 1e-9 block-pivoting
grep -q '"outcome": "time-limit".*"message": "no answer within 1.*e-09 s: killed"' "$dir/out" && grep -q '"lambda": \[\]' "$dir/out"
ok $? "shows no impulses"
exits 4 "in words" solve "$scenes/stack-10.yaml" --solver block-pivoting --seconds 1e-9
grep -q '^block-pivoting  *time-limit  *0  *-' "$dir/out"
ok $? "names it"
exits 4 "methods that nobody has named" solve "$scenes/stack-10.yaml" --seconds 1e-9
! grep -q '^[a-z-]*  *solved' "$dir/out" && grep -q '^pgs  *time-limit' "$dir/out"
ok $? "have it too"
refuses "a time limit of 0" "is not a positive number" solve "$scenes/pendulum.yaml" --seconds 0
# Sweeps have a turn by default where no direct method has solved the problem, and only there.
contact=$DLS_TEST_SOURCE/tests/fuzz/corpus/siconos-fc3d/fc3d
exits 0 "sweeps take the place of direct methods" solve "$contact" --set work=1 --set sweeps=0
grep -q '^cone-newton *iteration-limit' "$dir/out" && grep -q '^nsgs *solved' "$dir/out" && grep -q 'tried because no direct method' "$dir/out"
ok $? "and are named"
exits 0 "a contact" solve "$contact"
grep -q '^cone-newton *solved' "$dir/out" && ! grep -q '^nsgs' "$dir/out"
ok $? "is solved without them"
exits 4 "who names a method has no other" solve "$contact" --solver cone-newton --set work=1
! grep -q '^nsgs' "$dir/out"
ok $? "whatever becomes of it"
# They go on for as long as there is time. Boxes of 1, 30 and 1000 kg on each other take them some 1e5 sweeps.
cat >"$dir/heavy.yaml" <<END
world: {collide: true, contact_margin: 1 mm, mu: 0.6, friction: box}
bodies:
  - {name: ground, static: true, shape: plane}
  - {repeat: {i: 3}, name: "low{i}", shape: box, size: [1, 1, 1], mass: 1, position: {start: [0, 0, 0.5], i: [1, 0, 0]}}
  - {repeat: {i: 2}, name: "mid{i}", shape: box, size: [1, 1, 1], mass: 30, position: {start: [0.5, 0, 1.5], i: [1, 0, 0]}}
  - {name: high, shape: box, size: [1, 1, 1], mass: 1000, position: [1, 0, 2.5]}
END
exits 0 "sweeps that take long" solve "$dir/heavy.yaml" --set work=1 --json
grep -q '"solver": "pgs", "outcome": "solved".*"iterations": [0-9]\{5,\},' "$dir/out"
ok $? "take it"
exits 4 "unless their number is limited" solve "$dir/heavy.yaml" --set work=1 --iterations 10000
# Where a sweep changes nothing, none will: row 0 asks for a velocity that no impulse makes.
printf '%s' '{"A": [[0, 0, 0], [0, 2, 1], [0, 1, 2]], "b": [-1, -1, 0.5], "lo": [0, 0, 0], "hi": [null, null, 0],' \
    ' "parent": [null, null, 1], "mu": [0, 0, 0.5], "law": [null, null, "box"]}' >"$dir/still.json"
exits 4 "sweeps that come to rest" solve "$dir/still.json" --set work=1
grep -q '^    the impulses stand still' "$dir/out"
ok $? "end"
# A problem that is too large for dense methods is solved by the one on sparse factors.
cat >"$dir/many.yaml" <<END
world: {collide: true, contact_margin: 1 mm, mu: 0.6, friction: box}
bodies:
  - {name: ground, static: true, shape: plane}
  - {repeat: {i: 60, k: 60}, name: "s{i}-{k}", shape: sphere, radius: 0.5, mass: 1, position: {start: [0, 0, 0.5], i: [2, 0, 0], k: [0, 2, 0]}}
END
exits 0 "10,800 rows" solve "$dir/many.yaml"
grep -q '^sparse-active-set *solved' "$dir/out" && ! grep -q '^fixed-point' "$dir/out"
ok $? "are solved by the method for large problems alone"
printf '{"A": [[0, 0], [0, 1]], "b": [-1, 1], "lo": [0, 0], "hi": [null, null]}' >"$dir/unsolvable.json"
exits 3 "a problem that is proved to have no solution" solve "$dir/unsolvable.json"
exits 3 "has none to compare with" compare "$dir/unsolvable.json" -o "$dir/compare"
exits 3 "whatever is compared after it" compare "$dir/unsolvable.json" "$scenes/pendulum.yaml" -o "$dir/compare"
exits 2 "but for bad input" compare "$dir/unsolvable.json" "$dir/none" -o "$dir/compare"
exits 0 "Painleve's rod" solve "$scenes/painleve.yaml"
grep -q 'v+ has several values; found: 3' "$dir/out"
ok $? "opens, slides or sticks"
# The proof of a planar loop holds for its independent rows, and of joints that repeat each other for all.
printf '%s\n' 'bodies:' '  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [1, 0, 0]}' 'joints:' \
    '  - {name: one, type: ball, body1: a, anchor: [0, 0, 0]}' '  - {name: two, type: ball, body1: a, anchor: [0, 0, 0]}' >"$dir/twice.yaml"
proved() { # SCENE WHAT WORDS: the bounds of its steps, in the table and in words
    "$program" run "$1" --solver block-pivoting --certify --time 0.02 --samples 0 -o "$dir/proved" >"$dir/out" 2>"$dir/err" &&
        [ "$(grep -v '^#' "$dir"/proved/*.energy.tsv | cut -f14 | sort -u | tr '\n' ' ')" = "$(printf '%s\n' - bound_to "$2" | sort -u | tr '\n' ' ')" ] &&
        grep -q "^  certified .*to the solution${3:+ $3} at most" "$dir/out" && [ "$(grep -c '^  certified' "$dir/out")" = 1 ]
    ok $? "a bound to the solution${3:+ $3}"
    rm -r "$dir/proved"
}
proved "$scenes/four-bar.yaml" independent-rows "for the independent rows alone"
proved "$dir/twice.yaml" solution ""
exits 0 "a run that certifies" run "$scenes/chain-10.yaml" --solver lemke --certify --time 0.01 -o "$dir/run"
grep -q '10 confirmed, 0 refuted' "$dir/out" && grep -q 'certified *10 steps' "$dir/out"
ok $? "proves the error of every step"
"$program" solve "$scenes/four-bar.yaml" --solver newton --solver lemke --json -o "$dir/four-bar.tsv" >"$dir/four-bar.json"
"$program" solve "$scenes/four-bar.yaml" --solver newton --solver lemke -o "$dir/four-bar.tsv" >/dev/null
exits 0 "examine a column of a table" examine "$scenes/four-bar.yaml" "$dir/four-bar.tsv" --where solver=newton
grep -q '^right to [0-9.e-]*: ' "$dir/out" && grep -q '^certified: ' "$dir/out"
ok $? "it is a solution, and certified"
grep -q '^# set newton\.' "$dir/four-bar.tsv"
ok $? "settings stand in the table with the name of their solver"
"$program" solve "$scenes/stack-10.yaml" --solver block-pivoting -o "$dir/stack.tsv" >/dev/null
awk -F'\t' '$5 ~ /friction/ {n += $7 > 0; wrong += $6 != -$7 || $8 > $7 || $8 < $6} END {exit !(n > 0 && wrong == 0)}' "$dir/stack.tsv"
ok $? "bounds of friction are those at its normal impulse"
for command in solve check certify; do
    "$program" $command - <"$scenes/four-bar.yaml" >"$dir/out" 2>"$dir/err" && [ -s "$dir/out" ] && [ ! -s "$dir/err" ]
    ok $? "$command reads standard input"
done
"$program" examine - "$dir/four-bar.tsv" --where solver=newton <"$scenes/four-bar.yaml" >"$dir/out" 2>"$dir/err" &&
    "$program" examine "$scenes/four-bar.yaml" - --where solver=newton <"$dir/four-bar.tsv" >"$dir/out" 2>"$dir/err"
ok $? "examine reads the problem, or the impulses, from standard input"
refuses "both" "holds one file, and was given 2 times" examine - -
refuses "a mistyped setting" "no solver in use has this key; did you mean 'omega'" solve "$scenes/four-bar.yaml" --solver sor --set omga=1
for command in solve compare run; do
    refuses "an option as a setting of $command" "did you mean '--iterations'" $command "$scenes/four-bar.yaml" --solver sor --set iteration=5
done
refuses "a mistyped key of a sweep" "sover.*did you mean 'solver'" sweep "$scenes/four-bar.yaml" --over sover=pgs,lemke -o "$dir/swept"
for command in solve examine run; do
    "$program" help $command >"$dir/out" 2>"$dir/err" && "$program" $command --help | cmp -s - "$dir/out"
    ok $? "help $command"
done
refuses "help on no command" "did you mean 'solve'" help slove
exits 0 "examine JSON" examine "$scenes/four-bar.yaml" "$dir/four-bar.json" --where solver=lemke --json
grep -q '"solution": true' "$dir/out"
ok $? "the verdict in JSON"
exits 0 "examine a velocity" examine "$scenes/four-bar.yaml" "$dir/four-bar.json" --where solver=lemke --velocity
grep -v '^#' "$dir/four-bar.tsv" | awk -F'\t' '$2 == "newton" {print $8}' >"$dir/lambda.txt"
exits 0 "examine plain numbers" examine "$scenes/four-bar.yaml" "$dir/lambda.txt"
awk 'NR == 2 {printf "%.17g\n", $1 * (1 + 1e-6) + 1e-9; next} {print}' "$dir/lambda.txt" >"$dir/wrong.txt"
exits 1 "what is off by 1e-6 is no solution" examine "$scenes/four-bar.yaml" "$dir/wrong.txt" -o "$dir/wrong.tsv"
grep -q '^wrong by [0-9.e-]* in row [0-9]*' "$dir/out" && grep -q 'the worst row is' "$dir/out" && grep -q '^# verdict: not a solution' "$dir/wrong.tsv"
ok $? "the verdict, the worst row and the table"
refuses "a vector of another length" "holds [0-9]* numbers; the problem has" examine "$scenes/pendulum.yaml" "$dir/four-bar.tsv"
refuses "a column that is not there" "no such column" examine "$scenes/four-bar.yaml" "$dir/four-bar.tsv" --column lamda
refuses "no impulses" "cannot read" examine "$scenes/four-bar.yaml" "$dir/none"
refuses "a condition that is none" "is not COLUMN=VALUE" examine "$scenes/four-bar.yaml" "$dir/four-bar.tsv" --where newton
"$program" dump "$scenes/stack-10.yaml" --what A,b -o "$dir/set" >/dev/null
exits 0 "a folder of Matrix Market files" solve "$dir/set" --solver block-pivoting
grep -q '120 rows' "$dir/out" && grep -q 'read as matrix-market' "$dir/out"
ok $? "its problem"
exits 0 "the file of A" examine "$dir/set/stack-10.A.mtx" "$dir/set/stack-10.b.mtx" --tolerance 1e9
"$program" dump "$scenes/painleve.yaml" --what A,b -o "$dir/cone" >/dev/null
exits 0 "friction in Matrix Market" solve "$dir/cone"
grep -q '1 contacts under' "$dir/out" && grep -q 'found: 3' "$dir/out"
ok $? "the cone and its three velocities"
refuses "one matrix is no problem" "STEM.A.mtx" solve "$dir/set/stack-10.b.mtx"
cp "$dir/cone/painleve.A.mtx" "$dir/set/other.A.mtx"
refuses "a folder of two problems" "other.A.mtx, stack-10.A.mtx" solve "$dir/set"
refuses "a set without b" "other.b.mtx: cannot read" solve "$dir/set/other.A.mtx"
cp "$dir/set/stack-10.b.mtx" "$dir/set/other.b.mtx"
refuses "a set whose sizes differ" "120 x 1; A has 3 rows" solve "$dir/set/other.A.mtx"
mkdir "$dir/empty"
refuses "a folder without problems" "holds no problem" solve "$dir/empty"
exits 0 "the examiner stops an iterative solver" solve "$scenes/pendulum.yaml" --solver pgs --json
grep -q '"outcome": "solved"' "$dir/out"
ok $? "JSON says solved"
sed 's/friction: box/friction: cone/' "$scenes/all-joints.yaml" >"$dir/cone.yaml"
exits 0 "a scene under Coulomb's cone" solve "$dir/cone.yaml"
refuses "two laws at once" "two laws" solve "$dir/cone.yaml" --facets 8 --convex-facets 8
refuses "a polygon of two facets" "from 3 up" solve "$dir/cone.yaml" --facets 2
exits 0 "facets in its place" solve "$dir/cone.yaml" --facets 8 --solver lemke -o "$dir/facets.tsv"
grep -q '^# converted: 8 facets' "$dir/facets.tsv"
ok $? "the table names the conversion"
exits 1 "sweeps that do not know the cone refuse it" solve "$dir/cone.yaml" --solver pgs
grep -q "does not take Coulomb's cone" "$dir/out"
ok $? "by name"
exits 0 "solve writes a table" solve "$scenes/pendulum.yaml" --solver lemke -o "$dir/table.tsv"
[ "$(grep -vc '^#' "$dir/table.tsv")" -eq 4 ]
ok $? "the table has a line of names and one a row"
grep -q '^# blas: OpenBLAS.*threads [0-9]' "$dir/table.tsv"
ok $? "and names BLAS and its threads"
cp "$scenes/pendulum.yaml" "$dir/it's \$HOME.yaml"
exits 0 "a name that a shell would take apart" solve "$dir/it's \$HOME.yaml" --solver lemke -o "$dir/quoted.tsv"
sed -n 's/^# command: delassus//p' "$dir/quoted.tsv" >"$dir/again"
(eval "set -- $(cat "$dir/again")" && [ $# -eq 6 ] && [ "$2" = "$dir/it's \$HOME.yaml" ])
ok $? "stands in the table as a shell takes it back"
# problem FILE BOUND ROW1 ROW2...: a problem in the matrix form, b = (-4, -6, ...), upper bounds BOUND.
problem() {
    file=$1 bound=$2
    shift 2
    {
        printf 'delassus-problem 1\nname "rows"\nform matrix\nstep 1\nmasses 0\nrows %d\nblocks %d\ncoefficients %d\n' $# $# $(($# * $#))
        c=4
        for row; do
            printf 'row 0 %d 0 %s 0 0 - - 1 "r"\nblock 0 %d %s\n' $c "$bound" $# "$row"
            c=$((c + 2))
        done
        echo end
    } >"$file"
}
problem "$dir/unsymmetric.problem" 2.5 "1 -1" "0 1"
exits 0 "a small problem" solve "$dir/unsymmetric.problem" --solver enumeration --json
grep -q '"lambda": \[2.5, 2.5\], "w": \[-4.0, -3.5\], "natural_residual": 0.0,' "$dir/out"
ok $? "has the answer worked out by hand"
exits 1 "every solver that was named must solve" solve "$dir/unsymmetric.problem" --solver enumeration --solver dantzig
# In a process of its own, with a time limit, the same answer bit by bit: several solutions, fractions and proofs too.
problem "$dir/three.problem" inf "1 2" "2 1"
problem "$dir/none.problem" inf 0
# answer FILE ARGUMENT...: its JSON without the time it took
answer() { into=$1; shift; "$program" solve "$@" --json 2>/dev/null | sed 's/"[a-z_]*seconds": [^,]*,//g' >"$into"; }
for file in "$dir/three.problem" "$dir/none.problem" "$scenes/four-bar.yaml"; do
    answer "$dir/before" "$file" --solver exact,enumeration,lemke,newton
    answer "$dir/out" "$file" --solver exact,enumeration,lemke,newton --seconds 60
    cmp -s "$dir/before" "$dir/out" && [ "$(wc -l <"$dir/out")" -ge 4 ]
    ok $? "the answers of four methods within a time limit to ${file##*/}"
done
answer "$dir/out" "$dir/three.problem" --solver exact --seconds 60
grep -q '"outcome": "several"' "$dir/out" && grep -q '"8/3", "2/3"' "$dir/out"
ok $? "three solutions in fractions"
problem "$dir/bounded.problem" 0.75 8
exits 0 "dump of a problem" dump "$dir/bounded.problem" -o "$dir/dump"
[ "$(for part in A b lo hi; do sed -n '$p' "$dir/dump/bounded.$part.mtx"; done | tr '\n' ' ')" = "8 -4 0 0.75 " ]
ok $? "its numbers are those of the problem"
exits 0 "dump" dump "$scenes/chain-10.yaml" -o "$dir/dump"
[ -s "$dir/dump/chain-10.A.mtx" ] && [ -s "$dir/dump/chain-10.M.mtx" ] && [ -s "$dir/dump/chain-10.lo.mtx" ]
ok $? "dump wrote Matrix Market files"
exits 0 "a dumped problem is solved again" solve "$dir/dump/chain-10.problem" --solver block-pivoting
exits 0 "dump of friction in a box" dump "$scenes/all-joints.yaml" --what b -o "$dir/dump"
[ "$(grep -vc '^%' "$dir/dump/all-joints.coupling.mtx")" -eq $((1 + 3 * $(grep -v '^%' "$dir/dump/all-joints.lo.mtx" | sed -n '1s/ .*//p'))) ]
ok $? "its coupling comes with it"
if command -v gnuplot >/dev/null; then
    exits 0 "experiment track, in small" experiment track --set seconds=0.25 --set step=0.002 --set contact_step=0.001 --set iterations=30 -o "$dir/track"
    awk -F'\t' '/^[0-9]/ { n++; bad += !(($2 - $3) ^ 2 < 0.3 ^ 2 && ($4 / $5 - 1) ^ 2 < 0.005 ^ 2) } END { exit !(n == 7 && !bad) }' "$dir/track/track.contact.tsv"
    ok $? "carts leave the hump and pass the loop as the closed forms say"
    awk -F'\t' '$1 == "dense" || $1 == "pgs" || $1 == "tgs" { if ($1 == method && $2 == erp) { n++; bad += !(before / $4 > 1.8 && before / $4 < 2.2) }
        method = $1; erp = $2; before = $4 } END { exit !(n >= 32 && !bad) }' "$dir/track/track.order.tsv"
    ok $? "the way down the helix is of first order in the step"
    awk -F'\t' '$3 ~ /^[0-9]/ { left[$1 " " $2] = $4 } END { exit !(left["printed 1"] > 0.1 && left["printed 0.5"] < 1e-12 && left["half 1"] < 1e-12 && left["vector 1"] < 1e-12) }' \
        "$dir/track/track.angle.tsv"
    ok $? "the printed angle error doubles erp"
    awk -F'\t' '$1 == "after" || $1 == "nearest" { n++; bad += !($4 < 1e-13 && $5 < 1e-13) } END { exit !(n && !bad) }' "$dir/track/track.momentum.tsv"
    ok $? "track and cart keep their momentum"
    exits 0 "forces of a run" run "$scenes/four-bar.yaml" --time 0.01 --samples 2 --record forces,rows -o "$dir/forces"
    awk -F'\t' '/^[^#]/ && $2 == "joint" && $3 == "D" && $4 != 0 { found = 1 } END { exit !found }' "$dir/forces/four-bar.forces.tsv"
    ok $? "its joints' forces stand in a table by their names"
    refuses "a table that is not recorded" "'torques' is not forces or rows" run "$scenes/four-bar.yaml" --record forces,torques -o "$dir/forces"
    awk -F'\t' '/^[^#]/ && $2 == "D" && $3 == "axis x" && $6 == "between" { found = 1 } END { exit !found }' "$dir/forces/four-bar.rows.tsv"
    ok $? "and so do its rows"
    exits 0 "a scene's rows" solve "$scenes/four-bar.yaml" --solver lemke --json
    grep -q '"rows": \["A.x", "A.y",.*"status": \["between",' "$dir/out"
    ok $? "are named"
    PATH=$path
    exits 0 "compare" compare "$scenes/chain-10.yaml" --iterations 20 -o "$dir/compare"
    [ -s "$dir/compare/chain-10.svg" ] && [ -s "$dir/compare/chain-10.png" ] && [ -s "$dir/compare/chain-10.history.tsv" ]
    ok $? "compare drew its figures"
    printf '{"A": [[1e-14, 1, 1, 2], [3, 1e-14, -2, 2], [1, -1, 1e-14, 2], [0, 3, 2, 1e-14]], "b": [0, -4, -2, 0], "lo": [-2, -2, -2, -2], "hi": [0.5, 0, 1, 0]}' \
        >"$dir/tiny.json"
    exits 0 "compare, where a residual is 1e-14" compare "$dir/tiny.json" -k 5 --solver pgs -o "$dir/compare"
    cat >"$dir/apart.yaml" <<'END'
articulations:
  - name: arm
    links:
      - {name: base, static: true}
      - {name: upper, parent: base, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}
      - {name: lower, parent: upper, motion: revolute, anchor: [1, 0, 0], axis: [0, 1, 0], mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}
joints:
  - {name: tip, type: ball, body1: arm.lower, anchor: [2, 0, 0]}
  - {name: rod, type: distance, body1: arm.lower, anchor1: [2, 0, 0], anchor2: [0, 0, 0], length: 2.1}
END
    exits 1 "a run that diverges in its first step" run "$dir/apart.yaml" --scheme small-steps --time 0.01 -o "$dir/apart"
    exits 0 "compare, for a paper" compare "$scenes/chain-10.yaml" -k 20 --solver pgs --figures tikz,pdf -o "$dir/paper"
    [ -s "$dir/paper/chain-10.pdf" ] && [ -s "$dir/paper/chain-10.tikz" ] && [ ! -e "$dir/paper/chain-10.svg" ] &&
        grep -q 'figure .*/chain-10.pdf, .tikz$' "$dir/out"
    ok $? "compare drew the formats that were chosen, and tells them"
    mkdir "$dir/data" && cp -r "$DLS_TEST_SOURCE/plots" "$dir/data" && chmod -R u+w "$dir/data" &&
        sed "s/'pdfcairo'/'absent'/" "$DLS_TEST_SOURCE/plots/style.gp" >"$dir/data/plots/style.gp"
    DELASSUS_DATADIR=$dir/data exits 2 "a terminal that gnuplot is built without" \
        compare "$scenes/chain-10.yaml" -k 20 --solver pgs --figures pdf -o "$dir/absent"
    grep -q 'this gnuplot has no terminal absent, which draws figures as pdf; choose other formats' "$dir/err" &&
        [ ! -e "$dir/absent/chain-10.pdf" ]
    ok $? "is named, and there is no figure"
    PATH=$dir/bin:$path
    awk -F'\t' '/^[^#]/ && !column["file"] { for (i = 1; i <= NF; i++) column[$i] = i; next }
        /^[^#]/ { p = $column["predicted_m_norm_error[sqrt(J)]"] } p != "nan" && p != "" { found = 1; exit }
        END { exit !(found && p == $column["m_norm_error[sqrt(J)]"]) }' "$dir/compare/chain-10.history.tsv"
    ok $? "the prediction starts at the measured error"
    exits 0 "compare of one row" compare "$dir/bounded.problem" --solvers pgs -o "$dir/compare"
    awk -F'\t' '/^[^#]/ { for (i = 1; i <= NF; i++) column[$i] = i; getline
        exit !($column["natural_residual[N s]"] == 0.75 && $column["natural_residual_velocity[m/s]"] == 4 && $column["scaled_residual"] == 1 &&
               $column["m_norm_error[sqrt(J)]"] ^ 2 - 2 < 1e-15 && $column["complementarity_gap[J]"] == 3) }' "$dir/compare/bounded.history.tsv"
    ok $? "its figures at lambda = 0 are those worked out by hand"
    exits 0 "compare where A is not symmetric" compare "$dir/unsymmetric.problem" --iterations 20 -o "$dir/compare"
    exits 0 "compare of a method that is exact at once" compare "$scenes/pendulum.yaml" --solvers lemke -o "$dir/compare"
    exits 0 "run" run "$scenes/pendulum.yaml" --time 0.05 -o "$dir/run"
    cp "$dir/run/pendulum.energy.tsv" "$dir/first.tsv"
    exits 0 "run again" run "$scenes/pendulum.yaml" --time 0.05 -o "$dir/run"
    cmp -s "$dir/first.tsv" "$dir/run/pendulum.energy.tsv"
    ok $? "the same run gives the same bytes"
    exits 0 "a run with another scheme" run "$scenes/pendulum.yaml" --time 0.05 --scheme tgs --set scheme.time_base=substep -o "$dir/run"
    grep -q '^# set scheme.time_base: substep' "$dir/run/pendulum.energy.tsv"
    ok $? "its table names the scheme's settings"
    refuses "a setting that the scheme has not" "time_base" run "$scenes/pendulum.yaml" --scheme tgs --set scheme.time_bas=substep
    refuses "a direct solver where sweeps are needed" "take an iterative solver" run "$scenes/pendulum.yaml" --scheme tgs --solver lemke -o "$dir/run"
    exits 0 "a run at rest under a direct solver" run "$scenes/stack-10.yaml" --solver dantzig --time 0.02 -o "$dir/run"
    exits 1 "a step that the solver refuses" run "$scenes/all-joints.yaml" --solver lemke -o "$dir/refused"
    grep -q 'step 1, from 0 s, is not solved.*: refused: ' "$dir/err" && tail -1 "$dir/refused/all-joints.energy.tsv" | grep -q refused
    ok $? "is an end of the run, told with its tables"
    printf '%s\n' 'world: {collide: true, mu: 0}' 'bodies:' \
        '  - {name: floor, shape: box, size: [1, 1, 0.2], position: [0, 0, -0.1], static: true}' \
        '  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 0.1]}' \
        '  - {name: ram, shape: box, size: [1, 1, 0.2], position: [0, 0, 0.3005], kinematic: true, velocity: [0, 0, -1]}' >"$dir/press.yaml"
    printf '%s\n' '<robot name="solo"><link name="hull"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' \
        '<collision><geometry><mesh filename="a.stl"/></geometry></collision><collision><geometry><mesh filename="b.stl"/></geometry></collision></link></robot>' >"$dir/solo.urdf"
    exits 0 "a robot whose collision shapes are meshes" run "$dir/solo.urdf" --set world.collide=true --set world.meshes=skip --time 0.01 -o "$dir/solo"
    grep -q 'articulation solo: 2 of 2 meshes skipped; it collides with nothing' "$dir/err" && grep -q '^  collisions  *articulation solo: 2 of 2 meshes skipped' "$dir/out"
    ok $? "is told to collide with nothing, at the start and in the summary"
    printf '%s\n' 'world: {collide: true}' 'bodies: [{name: rock, shape: mesh, mesh: rock.obj, mass: 1, inertia: [1, 1, 1]}]' >"$dir/rock.yaml"
    exits 0 "a body that is a mesh" run "$dir/rock.yaml" --set world.meshes=skip --time 0.01 -o "$dir/solo"
    grep -q 'meshes of bodies: 1; they collide with nothing' "$dir/err" && grep -q '^  collisions  *meshes of bodies: 1' "$dir/out"
    ok $? "is told to collide with nothing too"
    exits 3 "a step that is proved to have no solution: a ball between a floor and a ram" run "$dir/press.yaml" --solver lemke --time 0.01 -o "$dir/press"
    grep -q 'step 2, from 0.001 s, is not solved.*: no-solution: ' "$dir/err" && tail -1 "$dir/press/press.energy.tsv" | grep -q no-solution
    ok $? "is the end of its tables"
    exits 1 "its copies" run "$dir/press.yaml" --solver lemke --time 0.01 --copies 2 -o "$dir/press"
    grep -q '2 of 2 copies failed.*step 2: copy 0: lemke, step from 0.001 s: no-solution' "$dir/err" && [ "$(tail -1 "$dir/press/press.copies.tsv" | cut -f1)" = 0.001 ]
    ok $? "end before that step"
    exits 1 "a run that diverges" run "$scenes/four-bar.yaml" --solver jacobi --set omega=1 --dt 0.1 --time 200 --samples 0 --energy-limit none -o "$dir/diverged"
    grep -q 'diverged in step 5' "$dir/err"
    ok $? "it says in which step"
    [ "$(grep -c . "$dir/diverged/four-bar.trajectory.tsv")" -gt 18 ] && tail -n 1 "$dir/diverged/four-bar.energy.tsv" | grep -q diverged
    ok $? "its tables stand up to that step"
    exits 1 "a run that gains energy from nothing" run "$scenes/four-bar.yaml" --solver jacobi --set omega=1 --dt 0.1 --time 200 --samples 0 -o "$dir/gained"
    grep -q "step 2, to 0.2 s, ends the run: .* in the ledger's column 'constraint'" "$dir/err" && [ "$(tail -n 1 "$dir/gained/four-bar.energy.tsv" | cut -f1 | cut -c1-3)" = 0.2 ]
    ok $? "ends after the step that it names, with its column, and has its tables"
    exits 0 "a run that gains less than is told" run "$scenes/loop-track.yaml" --time 1 -o "$dir/gained"
    ! grep -q 'energy gain' "$dir/out"
    ok $? "does not speak of it"
    for law in newton poisson; do
        printf 'world: {gravity: [0, 0, 0]}\nbodies:\n  - {name: rod, mass: 1.3, inertia: [0.13, 0.13, 0.13], position: [0.34, 0, 0.43], velocity: [1, 0, -1]}\njoints:\n  - {name: tip, type: contact, body1: rod, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4, friction: cone, restitution: 0.9, impact: %s}\n' $law | scene
        exits 0 "a rod that lands by the law $law" run "$dir/scene.yaml" --solver cone-newton --time 0.01 -o "$dir/rod"
        grep -q '^  impacts  *created .* in 1 steps, the first to 0.001 s' "$dir/out"
        [ $? -eq "$([ $law = newton ]; echo $?)" ]
        ok $? "is told to have gained energy by newton alone"
    done
else
    skip "compare and run" "no gnuplot"
fi

printf 'bodies:\n  - name: a\n    mass: 1\n    inertia: [1, 1, 1]\n' | scene
refuses "a comparison of nothing" "has no rows" compare "$dir/scene.yaml" -o "$dir/o"
exits 0 "a problem without rows" solve "$dir/scene.yaml"
exits 0 "dynamics of a robot" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" --quantity generalized-mass-matrix
[ "$(wc -l <"$dir/out")" -eq 5 ] && grep -q '^left_slide' "$dir/out"
ok $? "a line a joint under a line of names"
# At q = 90 degrees the palm and both fingers hang sideways: g (0.4 0.03 + 2 0.05 0.09) = 0.20601 N m about the wrist.
printf 'joint\tq\nwrist\t1.5707963267948966\n' >"$dir/state.tsv"
exits 0 "gravity in a state" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" --state "$dir/state.tsv" --quantity generalized-gravity-force
awk -F '\t' '$1 == "wrist" { d = $2 + 0.20601; exit !(d < 1e-12 && d > -1e-12) }' "$dir/out"
ok $? "is that of pencil and paper"
# There J^T f about the wrist, +y, is 0.5 - 0.03 2 of the palm and -0.09 1 of a finger; the finger slides along y, as the force
# of 3 does, 0.09 m away from the axis of roll.
printf '# forces\nlink\tfz\tty\tfy\npalm\t2\t0.5\nleft_finger\t1\t\t3\n' >"$dir/forces.tsv"
exits 0 "forces on links" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" -s "$dir/state.tsv" --forces "$dir/forces.tsv" -q generalized-external-force
awk -F '\t' 'function is(x) { n += ($2 - x) ^ 2 < 1e-28 } $1 == "roll" { is(-0.27) } $1 == "wrist" { is(-0.35) } $1 == "left_slide" { is(-3) }
    $1 == "right_slide" { is(0) } END { exit n != 4 }' "$dir/out"
ok $? "are held by -J^T f"
forces() { # NAME WORDS TABLE: such forces are refused
    printf "$3" >"$dir/forces.tsv"
    refuses "$1" "$2" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" -f "$dir/forces.tsv" -q generalized-external-force
}
forces "a link that is not there" "forces.tsv:3:2: link: there is no link 'thumb'" 'fx\tlink\n1\tpalm\n1\tthumb\n'
forces "forces without links" "forces.tsv:1:1: link: this column is missing" 'fx\n1\n'
forces "a force with a wrong name" "forces.tsv:1:2: Fx: unknown column" 'link\tFx\npalm\t1\n'
forces "a force that is no number" "forces.tsv:2:2: fx: '.2' after a number" 'link\tfx\npalm\t1..2\n'
forces "a force without end" "forces.tsv:2:2: tz: must be finite" 'link\ttz\npalm\tinf\n'
forces "a link's forces given twice" "forces.tsv:3:1: link:.*'palm' has a line already" 'link\tfx\npalm\t1\npalm\t2\n'
forces "a force too many" "forces.tsv:2:3: more cells" 'link\tfx\npalm\t1\t2\n'
refuses "forces for a quantity without them" "only generalized-external-force" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" -f "$dir/forces.tsv" -q joint-force
# words COMMAND...: what bash completes at the end of that line.
words() { bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _delassus; echo " ${COMPREPLY[*]} "' "$DLS_TEST_SOURCE/completions/delassus" "$program" "$@"; }
for quantity in $("$program" list quantities | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    exits 0 "$quantity" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" --quantity "$quantity"
    "$program" dynamics --help | grep -q "^  $quantity " && words dynamics --quantity '' | grep -q " $quantity " && grep -q "\`$quantity\`" "$DLS_TEST_SOURCE/doc/dynamics.md"
    ok $? "is in the help, is completed, and is in doc/dynamics.md"
done
for format in $("$program" list formats | sed -n 's/^  \([a-z0-9-]*\) .*/\1/p'); do
    "$program" list formats | grep -q "^  $format " && words solve --format '' | grep -q " $format " && grep -q "^| \`$format\`" "$DLS_TEST_SOURCE/doc/problem-format.md"
    ok $? "$format is in the help, is completed, and is in doc/problem-format.md"
done
words list "" | grep -q " formats " && words experiment "" | grep -q " coherence " && words solve --solver "" | grep -q " lemke " && words solve -- | grep -q " --json " &&
    words run --figures "" | grep -q " tikz " &&
    words compare x --solver pgs,le | grep -q " pgs,lemke " && words run x --solver pgs --set om | grep -q " omega= "
ok $? "lists, experiments, solvers and options are completed"
if command -v fish >/dev/null 2>&1; then
    fished() { PATH=$(cd "$(dirname "$program")" && pwd):$PATH fish -c "source '$DLS_TEST_SOURCE/completions/delassus.fish'; complete -C '$1'"; }
    fished 'delassus solve --solver pgs,lem' | grep -qx 'pgs,lemke' && fished 'delassus exper' | grep -qx experiment && fished 'delassus run x --sch' | grep -qx -- --scheme
    ok $? "in fish too"
else
    skip "completion in fish" "no fish"
fi
cat >"$dir/float.urdf" <<'END'
<robot name="float"><link name="world"/><link name="hull"><inertial><mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="rod"><inertial><mass value="2"/><inertia ixx="0.5" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="0.5"/></inertial></link>
<joint name="free" type="floating"><parent link="world"/><child link="hull"/></joint>
<joint name="slide" type="prismatic"><parent link="hull"/><child link="rod"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
END
# Two masses on a line: 3 and 2 kg, free of the base 3 2 / (3 + 2) kg.
exits 0 "a floating base let go" dynamics "$dir/float.urdf" --quantity generalized-mass-matrix-root-eliminated
awk -F '\t' 'NR == 2 { d = $2 - 1.2 } END { exit !(NR == 2 && NF == 2 && d < 1e-15 && d > -1e-15) }' "$dir/out"
ok $? "leaves the reduced mass"
exits 0 "a floating base" dynamics "$dir/float.urdf" --quantity generalized-mass-matrix
awk -F '\t' 'NR == 2 { ok = $1 == "base.x" && $2 == 5 && $8 == 2 } END { exit !(ok && NR == 8 && NF == 8) }' "$dir/out"
ok $? "has six rows and columns"
cat >"$dir/camera.urdf" <<'END'
<robot name="head"><link name="base"/><link name="neck"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="mount"/><link name="camera"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="neck"/><axis xyz="0 0 1"/></joint>
<joint name="tilt" type="continuous"><parent link="neck"/><child link="mount"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/></joint>
<joint name="lens" type="fixed"><parent link="mount"/><child link="camera"/><origin xyz="0.25 0 0"/></joint></robot>
END
exits 0 "kinematics where a joint moves no mass" dynamics "$dir/camera.urdf" --quantity dense-jacobian
# The camera is 0.25 m before both axes: turning moves it to the left, tilting downwards.
awk -F '\t' '$1 == "camera" { n += $2 == "vy" && ($3 - 0.25) ^ 2 + $4 ^ 2 < 1e-30; n += $2 == "vz" && $3 ^ 2 + ($4 + 0.25) ^ 2 < 1e-30 } END { exit n != 2 }' "$dir/out"
ok $? "is that of pencil and paper, too"
for quantity in $("$program" list quantities | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    case $quantity in
    joint-acceleration | coefficient-matrix | loop-*)
        refuses "what needs the inverse of M" "camera.urdf:4:1: mass: link 'mount': its joint moves no mass" dynamics "$dir/camera.urdf" -q "$quantity" ;;
    *)
        exits 0 "$quantity without it" dynamics "$dir/camera.urdf" -q "$quantity" ;;
    esac
done
refuses "a run of it" "link 'mount': its joint moves no mass" run "$dir/camera.urdf" -o "$dir/o"
sed 's/<inertial>.*<.inertial>//' "$dir/camera.urdf" >"$dir/weightless.urdf"
refuses "the centre of no mass" "robot 'head' has no mass" dynamics "$dir/weightless.urdf" -q centre-of-mass
sed 's/<inertial>.*<.inertial>//' "$dir/float.urdf" >"$dir/weightless.urdf"
refuses "a floating base without mass" "floating base 'hull' cannot be eliminated" dynamics "$dir/weightless.urdf" -q generalized-mass-matrix-root-eliminated
printf 'joint\ttau\nbase.x\t5\nslide\t2\n' >"$dir/state.tsv"
exits 0 "forces on a base and on its joint" dynamics "$dir/float.urdf" --state "$dir/state.tsv" --quantity joint-acceleration
# 5 N on both masses, and 2 N between them: (5 - 2) / 3 of the hull, 2 / 2 - 1 of the rod against it.
awk -F '\t' '$1 == "base.x" { n += ($2 - 1) ^ 2 < 1e-28 } $1 == "slide" { n += $2 ^ 2 < 1e-28 } END { exit n != 2 }' "$dir/out"
ok $? "move both"
printf 'joint\ttau\nbase\t5\n' >"$dir/state.tsv"
refuses "a base without an axis" "state.tsv:2:.*no joint 'base'" dynamics "$dir/float.urdf" --state "$dir/state.tsv"
printf 'joint\tq\nfoot\t1\n' >"$dir/state.tsv"
refuses "a joint that is not there" "state.tsv:2:.*no joint 'foot'" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" --state "$dir/state.tsv"
cat >"$dir/scene.yaml" <<'END'
articulations:
  - name: swing
    links:
      - {name: post, static: true, mass: 3, inertia: [1, 1, 1]}
      - {name: bob, joint: shoulder, parent: post, motion: spherical, anchor: [0, 0, 0], mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, -1], spin: [0, 0, 7]}
  - name: puck
    links:
      - {name: disc, mass: 4, inertia: [1, 1, 1], velocity: [1, 0, 0]}
END
refuses "one of several articulations" "several articulations; choose one of them by --articulation: swing, puck" dynamics "$dir/scene.yaml"
refuses "an articulation that is not there" "there is no 'swin'; those of .*scene.yaml are swing, puck" dynamics "$dir/scene.yaml" -a swin
refuses "dynamics of bodies alone" "no articulation" dynamics "$DLS_TEST_SOURCE/scenes/pendulum.yaml"
refuses "a base of another kind" "'swimming' is not scene, fixed, floating or moved" dynamics "$dir/scene.yaml" -a swing --base swimming
refuses "gravity that is no vector" "^delassus: --gravity: " dynamics "$dir/scene.yaml" -a swing --gravity 9.81
# value NAME NUMBER: the last table has this one, to 1e-12.
value() { awk -F '\t' -v name="$1" -v is="$2" '$1 == name { n = ($2 - is) ^ 2 <= 1e-24 } END { exit !n }' "$dir/out"; }
# A quarter of a turn about y takes the bob from below the shoulder to its -x: 2 kg, 1 m, held by +19.62 N m about y.
printf 'joint\tq\tqd\tqdd\nshoulder.swing1\t90\nshoulder.swing2\t0\t0\n' | sed 's/90/1.5707963267948966/' >"$dir/state.tsv"
exits 0 "a spherical joint" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" -q generalized-gravity-force
value shoulder.swing1 19.62 && value shoulder.twist 0 && value shoulder.swing2 0
ok $? "is turned by its coordinates"
exits 0 "gravity of the moon" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" -q generalized-gravity-force --gravity "[0, 0, -1.62]"
value shoulder.swing1 3.24
ok $? "is a setting"
# The scene's own spin of 7 rad/s about the vertical throws the bob outwards, through the shoulder: no torque but that of weight.
exits 0 "the bias force" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" -q bias-force
value shoulder.swing1 19.62 && value shoulder.swing2 0
ok $? "has the scene's speeds"
exits 0 "a floating articulation of a scene" dynamics "$dir/scene.yaml" -a puck -q inverse-dynamics
value base.z 39.24 && value base.x 0
ok $? "is held by its weight"
exits 0 "the same on a fixed base" dynamics "$dir/scene.yaml" -a puck -q inverse-dynamics --base fixed
[ "$(wc -l <"$dir/out")" -eq 1 ]
ok $? "has no degree of freedom"
# In a lift that accelerates with g all weighs twice as much; the base is carried by the weight of 5 kg.
printf 'joint\tq\tqdd\nbase.z\t4\t9.81\nshoulder.swing1\t1.5707963267948966\n' >"$dir/state.tsv"
exits 0 "a lift" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" --base moved
value base.z 98.1 && value shoulder.swing1 39.24 && value shoulder.swing2 0
ok $? "doubles weights"
exits 0 "what falls in a lift" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" --base moved -q joint-acceleration
value base.z 9.81 && value shoulder.swing1 -15.696 && value base.x 0
ok $? "falls twice as fast, about 2.5 kg m^2, and the lift goes on"
exits 0 "a lift let go" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" --base floating -q joint-acceleration
value base.z -9.81 && value shoulder.swing1 0
ok $? "falls as all in it does"
# At rest a turn of the base does nothing; turned by half a turn about x the bob, at the place of its drawing, hangs upwards.
printf 'joint\tq\nbase.twist\t3.1415926535897931\nbase.x\t5\n' >"$dir/state.tsv"
exits 0 "a turned base" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv" --base floating -q centre-of-mass
value x 5 && value z 0.4
ok $? "turns the tree"
printf 'joint\tq\nshoulder.swing1\t1e308\nshoulder.twist\t1e308\n' >"$dir/state.tsv"
refuses "an angle beyond all" "state.tsv: q: joint 'shoulder' left the finite" dynamics "$dir/scene.yaml" -a swing -s "$dir/state.tsv"
for model in arm balls loops tendons; do
    file=$DLS_TEST_SOURCE/models/mjcf-$model.xml
    exits 0 "the rows of mjcf-$model" check "$file" --poses 2
    exits 0 "its first problem" solve "$file"
    exits 0 "a run of it" run "$file" --time 0.02 -o "$dir/mjcf"
    grep -v 'is ignored\|motors have no force' "$dir/err" >"$dir/rest"
    [ ! -s "$dir/rest" ]
    ok $? "names what it leaves out, and nothing else"
done
exits 0 "dynamics of one of its articulations" dynamics "$DLS_TEST_SOURCE/models/mjcf-balls.xml" -a raft -q generalized-mass-matrix
grep -q '^foot.swing1' "$dir/out" && grep -q '^base.twist' "$dir/out"
ok $? "has a ball joint on a floating base"
printf '<mujoco>\n<worldbody><body><freejoint/>\n<geom type="mesh" mesh="m"/></body></worldbody></mujoco>\n' >"$dir/mesh.urdf"
refuses "MJCF with a mesh, whatever its name" "mesh.urdf:3:1: mesh: there is no mesh 'm' in <asset>" run "$dir/mesh.urdf" -o "$dir/o"
# A parallelogram: all of it swings as a pendulum of length 1 with the weight of both cranks at half of it and of the rod at
# the end, so a motor at A holds it by g (m / 2 + m / 2 + m') 1 m, and one at the rod by nothing else than the loop.
cat >"$dir/loop.yaml" <<'END'
articulations:
  - name: bar
    links:
      - {name: base, static: true}
      - {name: crank, parent: base, joint: A, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 0], shape: box, size: [1, 0.1, 0.1], mass: 3, position: [0.5, 0, 0]}
      - {name: rod, parent: crank, joint: B, motion: revolute, axis: [0, 1, 0], anchor: [1, 0, 0], shape: box, size: [0.1, 0.1, 2], mass: 5, position: [1, 0, 1]}
      - {name: rocker, parent: rod, joint: C, motion: revolute, axis: [0, 1, 0], anchor: [1, 0, 2], shape: box, size: [1, 0.1, 0.1], mass: 3, position: [0.5, 0, 2]}
joints:
  - {name: D, type: ball, body1: bar.rocker, anchor: [0, 0, 2]}
  - {name: spring, type: drive, coordinates: {bar.A: 1}, stiffness: 3}
END
exits 0 "a loop, driven at one joint" dynamics "$dir/loop.yaml" -q loop-joint-force --motors A
awk -F '\t' '$1 == "A" { n += ($2 + 9.81 * 8) ^ 2 < 1e-24 } $1 == "B" || $1 == "C" { n += $2 == 0 } END { exit n != 3 }' "$dir/out" && grep -q '^# joint forces: unique$' "$dir/out"
ok $? "has the moment of pencil and paper"
exits 0 "forces of its loop" dynamics "$dir/loop.yaml" -q loop-lambda --motors A
grep -q '^D.x' "$dir/out" && grep -q '^# lambda: not unique' "$dir/out" && grep -q '^# rows: 3, of rank 2; 2 by' "$dir/out"
ok $? "say that across the plane they are free"
exits 0 "a loop with two motors" dynamics "$dir/loop.yaml" -q loop-lambda --motors A,B
rate=$(sed -n 's/^# iteration: .*the last change \([0-9.e-]*\) of the one before.*/\1/p' "$dir/out")
sed -n 's/^# predicted rate: \([0-9.e-]*\); spectral radius 1: lambda stays as at the start in 1 dimension$/\1/p' "$dir/out" |
    awk -v measured="$rate" '{ n = ($1 - measured) ^ 2 < 1e-8 * measured ^ 2 } END { exit !n }' &&
    grep -q '^# lambda: not unique in 2 dimensions;' "$dir/out"
ok $? "says at which rate it converges although the spectral radius is 1"
exits 0 "its coefficient matrix" dynamics "$dir/loop.yaml" -q coefficient-matrix
awk -F '\t' 'NR == 1 { n = $2 == "D.x" && $3 == "D.y" && $4 == "D.z" } $1 == "A" { n += ($2 - 2) ^ 2 < 1e-24 && $3 == 0 && $4 ^ 2 < 1e-24 } END { exit n != 2 }' "$dir/out"
ok $? "has the arms of the row about each joint"
# A foot of 2 kg on the ground, whose slide has no motor: the ground carries its weight.
cat >"$dir/foot.yaml" <<'END'
world: {collide: true, mu: 0}
bodies: [{name: ground, static: true, shape: plane}]
articulations:
  - name: leg
    links:
      - {name: hip, static: true, position: [0, 0, 1]}
      - {name: foot, parent: hip, joint: knee, motion: prismatic, axis: [0, 0, 1], shape: sphere, radius: 0.25, mass: 2, position: [0, 0, 0.25]}
      - {name: arm, parent: hip, joint: elbow, motion: revolute, axis: [0, 1, 0], anchor: [0, 0, 1], mass: 1, inertia: [1, 1, 1], position: [0, 0, 1.5]}
END
exits 0 "a contact in inverse dynamics" dynamics "$dir/foot.yaml" -q loop-lambda --contacts detected --motors elbow
awk -F '\t' '/^contact .*ground.*normal/ { n += ($2 - 19.62) ^ 2 < 1e-20 } END { exit n != 1 }' "$dir/out"
ok $? "carries the weight"
sed -i 's/mu: 0/mu: 0.5/' "$dir/foot.yaml"
refuses "friction in inverse dynamics" "contact .*ground.* has friction (mu = 0.5)" dynamics "$dir/foot.yaml" -q loop-lambda --contacts detected --motors elbow
exits 0 "a contact whose friction is left out" dynamics "$dir/foot.yaml" -q loop-lambda --contacts frictionless --motors elbow
refuses "contacts of no kind" "'all' is not none, detected or frictionless" dynamics "$dir/foot.yaml" -q loop-lambda --contacts all
refuses "contacts for a quantity without them" "only the quantities of loops have contacts" dynamics "$dir/foot.yaml" -q joint-force --contacts detected
refuses "contacts of a scene without" "no contacts are detected" dynamics "$dir/loop.yaml" -q loop-lambda --contacts detected
refuses "a motor that is not there" "'E' is no degree of freedom" dynamics "$dir/loop.yaml" -q loop-lambda --motors A,E
refuses "motors for a quantity without them" "only the quantities of loops have motors" dynamics "$dir/loop.yaml" -q joint-force --motors A
refuses "an unknown quantity" "did you mean 'joint-force'" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" --quantity joint-forc

refuses "a name that is like no command" "there is no command 'zzzzzzzzzz'; see delassus --help" zzzzzzzzzz
refuses "nor like an option" "unknown option '--zzzzzzzzzz'; see delassus solve --help" solve --zzzzzzzzzz
refuses "nor like a list" "see delassus list --help" list zzzzzzzzzz
refuses "nor like a scheme" "see delassus list schemes" run "$scenes/pendulum.yaml" --scheme zzzzzzzzzz
refuses "nor like an experiment" "see delassus list experiments" experiment zzzzzzzzzz
refuses "nor like a quantity" "see delassus list quantities" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" -q zzzzzzzzzz
refuses "no file" "solve: too few arguments; usage: delassus solve FILE" solve
refuses "a step in kilograms" "--dt: .*kg" run "$scenes/pendulum.yaml" --dt '1 kg' -o "$dir/o"
refuses "a step of no length" "--dt: '0' is not a positive number in s" run "$scenes/pendulum.yaml" --dt 0 -o "$dir/o"
refuses "a run without end" "--time: 'inf' is not a positive number" run "$scenes/pendulum.yaml" --time inf -o "$dir/o"
refuses "a tolerance of two numbers" "--tolerance: '2' after a number without unit" solve "$scenes/pendulum.yaml" --tolerance '1 2'
for command in "solve $scenes/pendulum.yaml --solver pgs" "compare $scenes/pendulum.yaml" "run $scenes/pendulum.yaml" "experiment convergence"; do
    refuses "a setting without a value, ${command%% *}" "--set: 'omega' is not KEY=VALUE" $command --set omega
done
refuses "a setting of the world without a value" "--set: 'world.gravity' is not KEY=VALUE" run "$scenes/pendulum.yaml" --set world.gravity
refuses "a setting of warm starts that they have not" "the keys are: start, distance, age" run "$scenes/pendulum.yaml" --set warm.zzz=1 -o "$dir/o"
refuses "a solver of a run that is none" "there is no solver 'zzz'" run "$scenes/pendulum.yaml" --solver zzz -o "$dir/o"
refuses "a setting that an experiment has not" "zzz" experiment convergence --set zzz=1 -o "$dir/o"
refuses "a file in the place of a folder" "pendulum.yaml: Not a directory" experiment convergence --data "$scenes/pendulum.yaml" -o "$dir/o"
refuses "a report of a folder that is a file" "pendulum.yaml: Not a directory" report --data "$scenes/pendulum.yaml" -o "$dir/o"
complains 7 "a table in the place of a folder" "Is a directory" solve "$scenes/pendulum.yaml" --solver lemke -o "$scenes"
[ ! -e "$dir/o" ]
ok $? "and still nothing is written"
exits 3 "nothing moves the only row" solve "$dir/none.problem" --json
grep -q '"outcome": "no-solution"' "$dir/out" && grep -q '"proof": \[0.5\]' "$dir/out" && grep -q '"lambda": \[\]' "$dir/out"
ok $? "the proof is there, and no impulse"
exits 3 "the same in words" solve "$dir/none.problem"
grep -q 'diagonal entries of A: 1 are 0 (sweeps skip these rows), 0 negative' "$dir/out"
ok $? "its diagonal entry is reported"
exits 0 "a small problem in fractions" solve "$dir/unsymmetric.problem" --solver exact --json
grep -q '"fractions": \["5/2", "5/2"\]' "$dir/out"
ok $? "has the same answer to every digit"
exits 0 "Painleve's rod in JSON" solve "$scenes/painleve.yaml" --json
grep -o '"velocities": \[\[.*' "$dir/out" | head -n 1 | sed 's/\]\].*/]]/' | grep -o '\[[^][]*\]' | wc -l | grep -qx ' *3'
ok $? "opens, slides or sticks, too"
exits 0 "facets in JSON" solve "$dir/cone.yaml" --facets 8 --solver lemke --json
grep -q '"conversion": "8 facets' "$dir/out" && grep -q '"impulses": \[[-0-9]' "$dir/out" && grep -q '"scaled_residual_before_conversion": [0-9]' "$dir/out"
ok $? "come with the impulses of the cones, and what those are worth"
exits 0 "the convex relaxation" solve "$dir/cone.yaml" --convex-facets 8 --solver lemke
grep -q '^CONVERTED: 8 facets .*the convex relaxation' "$dir/out" && grep -q 'before the conversion: velocity' "$dir/out"
ok $? "says so, and what it is worth before it"
bytes=$(printf 'bob\377')
if cp "$scenes/pendulum.yaml" "$dir/$bytes.yaml" 2>/dev/null; then
    exits 0 "a file whose name is not UTF-8" solve "$dir/$bytes.yaml" --solver lemke --json
    grep -q '/bob?.yaml", "solver"' "$dir/out"
    ok $? "is named with a question mark in JSON"
fi
rm -rf "$dir/dump"
exits 0 "dump of single parts" dump "$scenes/pendulum.yaml" --what lo,hi,M -o "$dir/dump"
[ "$(ls "$dir/dump" | tr '\n' ' ')" = "pendulum.M.mtx pendulum.hi.mtx pendulum.lo.mtx " ]
ok $? "writes those alone"

# Whether sweeps converged decides where that is asked for.
exits 0 "a run whose sweeps have not converged" run "$scenes/heavy-on-light.yaml" --time 0.01 -o "$dir/heavy"
grep -q 'examined       10 steps: 0 confirmed' "$dir/out"
ok $? "confirms none of its steps"
exits 4 "the same with a tolerance" run "$scenes/heavy-on-light.yaml" --time 0.01 --tolerance 1e-6 -o "$dir/heavy"
refuses "a tolerance without an examiner" "examine never" run "$scenes/pendulum.yaml" --tolerance 1e-6 --examine never
exits 0 "with the iterations that it takes" run "$scenes/pendulum.yaml" --time 0.01 --iterations 200 --tolerance 1e-6 -o "$dir/heavy"

# A scene's first step in every format that says it, solved from each alike; what is left out is told.
exits 0 "convert to JSON" convert "$scenes/painleve.yaml" "$dir/painleve.json" --to json
grep -q 'left out  the masses' "$dir/out"
ok $? "says what is left out"
exits 0 "convert to the global form" convert "$scenes/painleve.yaml" "$dir/painleve.dat" --to siconos-gfc3d
for problem in painleve.json painleve.dat; do
    exits 0 "solve $problem" solve "$dir/$problem"
    grep -q 'v+ has several values; found: 3' "$dir/out"
    ok $? "has the scene's three solutions"
done
# The collection: a problem is written as itself, and wrong names are refused.
exits 0 "a problem of the collection" collection get painleve/8 -o "$dir/collected.problem"
exits 0 "its name" collection list painleve
sha=$(sed -n 's|^painleve-1/8 .*sha256 ||p' "$dir/out")
"$program" certify "$dir/collected.problem" >"$dir/out" 2>"$dir/err"
[ -n "$sha" ] && grep -q "$sha" "$dir/out"
ok $? "is that of the written problem"
OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=2 "$program" collection list mass-ratio humanoid track pile >"$dir/other"
exits 0 "names with the default BLAS" collection list mass-ratio humanoid track pile
cmp -s "$dir/out" "$dir/other"
ok $? "are those with another kernel and two threads"
refuses "an unknown set" "did you mean 'painleve'" collection list painlev
refuses "an unknown problem" "painleve/0 to painleve/35" collection describe painleve/36
refuses "get without an output" "-o FILE" collection get painleve/8
refuses "an output of list" "no option --output" collection list painleve -o "$dir/collected"
refuses "a format of check" "no option --to" collection check painleve/8 --to matrix-market
refuses "a format of describe" "no option --to" collection describe painleve/8 --to matrix-market
refuses "an unknown action" "none of list, get, describe, check" collection solve
# Published problems: files of any format, of which those without a problem are named.
mkdir -p "$dir/published/inside"
cp "$dir/collected.problem" "$dir/published/inside/rod.problem"
echo "no problem" >"$dir/published/README"
exits 0 "a folder of files" collection describe "$dir/published" copies/1
grep -q '^files-published/inside/rod.problem: 3 rows' "$dir/out" && grep -q '^copies-1/1: 4 rows' "$dir/out" && grep -q '^no problem: .*README' "$dir/out"
ok $? "is described, and its other files are named"
exits 0 "the same, certified" collection check "$dir/published" -o "$dir/answers"
awk -F'\t' '$1 == "files-published/inside/rod.problem" { print $4 }' "$dir/answers/files-published.tsv" | grep -q several && [ -s "$dir/answers/files-published/inside/rod.problem.cert.json" ]
ok $? "has the answer of the problem, with its certificate"
refuses "a folder without a problem" "no problem in a format" collection check "$DLS_TEST_SOURCE/completions"
refuses "a format that cannot say the problem" "cannot hold row 0" convert "$scenes/painleve.yaml" "$dir/no.dat" --to siconos-lcp
[ ! -e "$dir/no.dat" ]
ok $? "leaves no file"
exits 0 "convert with -o" convert "$scenes/painleve.yaml" -o "$dir/painleve.problem"
refuses "two outputs" "name one output" convert "$scenes/painleve.yaml" "$dir/no.dat" -o "$dir/no.dat"
refuses "no output" "name one output" convert "$scenes/painleve.yaml"

# No output replaces an input, whatever names it: the same path, a link of either kind, a file in the folder of outputs.
cp "$dir/painleve.problem" "$dir/in.problem"
"$program" solve "$dir/in.problem" -o "$dir/in.tsv" >"$dir/out" 2>"$dir/err"
cp "$dir/in.tsv" "$dir/copy.tsv"
ln -s in.problem "$dir/soft.problem"
ln "$dir/in.problem" "$dir/hard.problem"
for output in in.problem soft.problem hard.problem; do
    refuses "solve onto its input, $output" "is the input" solve "$dir/in.problem" -o "$dir/$output"
    refuses "convert onto its input, $output" "is the input" convert "$dir/$output" -o "$dir/in.problem" --to json
    refuses "the same by position, $output" "is the input" convert "$dir/in.problem" "$dir/$output"
done
refuses "examine onto its impulses" "is the input" examine "$dir/in.problem" "$dir/in.tsv" -o "$dir/in.tsv"
refuses "dump onto its input" "is the input" dump "$dir/in.problem" --what problem -o "$dir"
exits 0 "a set" convert "$dir/in.problem" -o "$dir/set" --to matrix-market
cp "$dir/set.b.mtx" "$dir/b.copy"
refuses "a set onto itself" "is the input" convert "$dir/set.A.mtx" -o "$dir/set" --to matrix-market
cmp "$dir/set.b.mtx" "$dir/b.copy" && cmp "$dir/in.problem" "$dir/painleve.problem" && cmp "$dir/in.tsv" "$dir/copy.tsv"
ok $? "every input is what it was"
exits 0 "an output that is there already" solve "$dir/in.problem" -o "$dir/in.tsv"

# Whatever memory there is, a command ends, with an answer or with a word about memory. The least is what the libraries
# take before main; a sanitizer takes more address space than can be limited.
least=0
command -v timeout >/dev/null && for v in $(seq 100000 10000 300000); do
    (ulimit -v "$v" && exec "$program" --version) >/dev/null 2>&1 && { least=$v && break; }
done
if [ "$least" -gt 0 ]; then
    ends=0
    for more in 0 10000 30000 60000 100000 140000 180000 400000; do
        for command in "solve $scenes/pendulum.yaml" "solve $scenes/four-bar.yaml -s pgs" "run $scenes/tendons.yaml --time 0.01 -s block-pivoting --certify -o $dir/limit"; do
            (ulimit -v $((least + more)) && exec timeout -s KILL 60 "$program" $command) >"$dir/out" 2>"$dir/err"
            got=$?
            if [ $got -ne 0 ] && ! { [ $got -le 7 ] && grep -q memory "$dir/err"; }; then
                ends=1 && echo "# $command with $((least + more)) kB: exit status $got"
            fi
        done
    done
    ok $ends "a command ends whatever memory there is"
    (ulimit -v $((least + 400000)) && exec timeout -s KILL 60 "$program" solve "$dir/many.yaml" -s lemke,fixed-point,pgs) >"$dir/out" 2>"$dir/err"
    [ $? -eq 6 ] && grep -q '^fixed-point *refused' "$dir/out" && grep -q 'no memory' "$dir/err" && grep -q '^pgs *solved' "$dir/out"
    ok $? "a method without memory is refused, and the others have their turn"
else
    skip "a command ends whatever memory there is" "memory cannot be limited"
fi

# A problem without rows.
printf 'bodies:\n  - {name: a, shape: sphere, radius: 1, mass: 1}\n' >"$dir/free.yaml"
exits 0 "a scene without rows" solve "$dir/free.yaml"
grep -q 'nothing to solve' "$dir/out" && ! grep -q 'proved\|solved' "$dir/out"
ok $? "has nothing to solve, and nothing is proved"
echo 0 >"$dir/zero"
refuses "a file of 0" "0 rows" solve "$dir/zero"
refuses "JSON without rows" "no rows" solve /dev/stdin <<END
{"A": [], "b": []}
END

refuses "an unknown format" "did you mean 'json'" convert "$scenes/painleve.yaml" "$dir/no.dat" --to jsno
words convert --to '' | grep -q ' siconos-gfc3d '
ok $? "formats that are written are completed"

if [ -d "$data/siconos" ]; then
    exits 0 "a Siconos file" solve "$data/siconos/lcp/lcp_mmc.dat" --json
    exits 3 "a problem without solution" solve "$data/siconos/lcp/lcp_Pang_isolated_sol_perturbed.dat" --solver enumeration --json
    grep -q '"outcome": "no-solution"' "$dir/out"
    ok $? "is reported as without solution"
    exits 0 "a global problem" solve "$data/siconos/gfc3d/GFC3D_Example00.dat"
    grep -q 'read as siconos-gfc3d' "$dir/out"
    ok $? "is known as such"
    cp "$data/contactbench/2cubes_t0.txt" "$dir/gfc3d-mlcp.yaml"
    exits 0 "a file under a name that says something else" solve "$dir/gfc3d-mlcp.yaml"
    head -1 "$dir/out" | grep -q '24 rows.*read as contactbench'
    ok $? "is known by what it holds"
    exits 3 "a comparison without reference" compare "$data/siconos/lcp/lcp_Pang_isolated_sol_perturbed.dat" -o "$dir/compare"
    exits 0 "three solutions" solve "$data/siconos/lcp/lcp_CPS_3.dat" --solver enumeration --json
    grep -q '"outcome": "several"' "$dir/out" && [ "$(grep -o '"solutions": .*"fractions"' "$dir/out" | grep -o '\[[^][]*\]' | grep -c .)" -eq 3 ]
    ok $? "are all reported"
else
    skip "Siconos' files" "no folder of published problems"
fi

printf 'name: x\nbodies:\n  - name: a\n    shape: sphere\n    radius: 1 m\n    mass: 2 kg\n' >"$dir/good.yaml"
cat >"$dir/wheel.yaml" <<'END'
world: {gravity: [0, 0, 0]}
bodies:
  - {name: gear, shape: sphere, radius: 0.1, mass: 1, omega: [0, 0, -20]}
  - {name: rod, shape: sphere, radius: 0.1, mass: 1, velocity: [0, 0, 2]}
  - {name: box, shape: sphere, radius: 0.1, mass: 1, omega: [0, 0, 1]}
articulations:
  - name: w
    links:
      - {name: hub, static: true}
      - {name: rim, parent: hub, motion: revolute, axis: [0, 0, 1], shape: sphere, radius: 1, mass: 1, speed: 40}
joints:
  - {name: pin, type: hinge, body1: gear, anchor: [0, 0, 0], axis: [0, 0, 1]}
  - {name: loose, type: hinge, body1: box, anchor: [0, 0, 0], axis: [0, 0, 1]}
  - {name: rack, type: slider, body1: rod, axis: [0, 0, 1]}
  - {name: mesh, type: mimic, coordinates: {pin: 0.1, rack: 1}}
END
exits 0 "a small scene" solve "$dir/good.yaml"
sed 's/radius/radios/' "$dir/good.yaml" | scene
if command -v gnuplot >/dev/null; then
    exits 0 "free fall" run "$dir/good.yaml" --dt 0.01 --time 0.1 --samples 0 -o "$dir/run"
    awk -F'\t' '/^[^#]/ { time = $1; z = $5; vz = $12 } END {
        exit !((time - 0.1) ^ 2 < 1e-28 && (vz + 0.981) ^ 2 < 1e-28 && (z + 9.81e-4 * 55) ^ 2 < 1e-28) }' "$dir/run/good.trajectory.tsv"
    ok $? "is that of the semi-implicit Euler method, to rounding"
    tail -n 1 "$dir/run/good.energy.tsv" | awk -F'\t' '{ exit !(($1 - 0.1) ^ 2 < 1e-28 && ($2 - 0.981 ^ 2) ^ 2 < 1e-28 && $12 == "nan") }'
    ok $? "the last line of the energies is the state after the last step"
    exits 0 "a wheel, a pinion and its rack" run "$dir/wheel.yaml" --dt 0.01 --time 1 --samples 10 -o "$dir/run"
    awk -F'\t' '/^[^#]/ { q[$2] = $3; qd[$2] = $4; lines[$2]++ } END {
        exit !((q["w.rim"] - 40) ^ 2 < 1e-24 && qd["w.rim"] == 40 && (q["pin"] + 20) ^ 2 < 1e-20 && (qd["rack"] - 2) ^ 2 < 1e-20 &&
               lines["pin"] == 11 && lines["w.rim"] == 11 && !("loose" in q)) }' "$dir/run/wheel.joints.tsv"
    ok $? "have whole angles and their rates in the table of joints"
    cut -f2 "$dir/run/wheel.trajectory.tsv" | grep -v '^#' | sort -u | tr '\n' ' ' | grep -q 'box gear rod w.rim '
    ok $? "links stand beside bodies in the trajectory, and what cannot move does not"
    exits 0 "a joint that breaks" run "$scenes/hanging-bridge.yaml" --time 0.28 --iterations 300 --ledger -o "$dir/run"
    grep -q "broke  *'hinge0' in the step to 0.261" "$dir/out"
    ok $? "is named with its time"
    awk -F'\t' '$2 == "break" { n++; bad += !($4 == "force" && $5 > $6 && $6 == 3500) } END { exit !(n == 5 && !bad) }' "$dir/run/hanging-bridge.events.tsv"
    ok $? "and has a line in the table of events"
    exits 0 "towers that fall asleep" run "$scenes/towers.yaml" --time 1.2 --iterations 100 -o "$dir/run"
    awk -F'\t' '$2 == "sleep" { s[$3]++ } $2 == "wake" { w[$3] = $4 } END {
        exit !(s["box0-0"] == 2 && s["box1-2"] == 1 && w["box0-1"] == "touch" && !("box1-0" in w)) }' "$dir/run/towers.events.tsv"
    ok $? "sleep and wake as islands, and the table of events says why"
    exits 0 "a scene with changes" run "$scenes/changing.yaml" --time 1.3 --iterations 100 --samples 20 --ledger -o "$dir/run"
    grep -q 'changes  *4 of 5 were carried out; energy by them' "$dir/out"
    ok $? "says how many were carried out"
    awk -F'\t' '$2 == "scene" { n++ } $3 == "gone" { g = g " " $4 } $3 == "new" { a = a " " $4 } END {
        exit !(n == 4 && g == " right rope arm.fore arm.hand" && a == " arm.hand weld ball") }' "$dir/run/changing.changes.tsv"
    ok $? "its table of changes has every part that came or went"
    awk -F'\t' '/^[0-9]/ { twice += seen[$1 $2]++ } $2 == "arm.hand" { first = first ? first : $1; last = $1 } END {
        exit !(!twice && (first - 0.7) ^ 2 < 1e-20 && (last - 1.2) ^ 2 < 1e-20) }' "$dir/run/changing.trajectory.tsv"
    ok $? "parts begin and end at their changes, with one line at each time"
    exits 0 "other commands" solve "$scenes/changing.yaml"
    grep -q 'changes: ignored here' "$dir/err"
    ok $? "say that they take the scene as it starts"
    ! [ -e "$dir/run/good.joints.tsv" ]
    ok $? "without coordinates there is no table of joints"
    # Speeds of 1.3e154 m/s at 0.75 s and 1.4e154 at 1 s: v^2 overflows, the state does not.
    printf 'world: {gravity: [0, 0, 0]}\nbodies:\n  - {name: still, shape: sphere, radius: 0.1, mass: 1}\n  - {name: rocket, shape: sphere, radius: 0.1, mass: 1, velocity: [1e154, 0, 0], force: [4e153, 0, 0]}\n' >"$dir/rocket.yaml"
    exits 1 "a run whose energy overflows" run "$dir/rocket.yaml" --dt 0.25 --time 4 --samples 0 -o "$dir/run"
    grep -q "diverged in step 4, .*energy of body 'rocket' .*at t = 1 s" "$dir/err" && ! grep -q 'inf' "$dir/run/rocket.energy.tsv"
    ok $? "has diverged: it names the body and the time, and no table has an infinite energy"
    [ "$(grep -c '^0.75.rocket' "$dir/run/rocket.trajectory.tsv")" -eq 1 ] && ! grep -q '^1.rocket' "$dir/run/rocket.trajectory.tsv" && tail -n 1 "$dir/run/rocket.energy.tsv" | grep -q '^0.75.*diverged'
    ok $? "its tables stand up to the step before"
    sed 's/velocity: \[1e154/velocity: [1e155/' "$dir/rocket.yaml" >"$dir/fast.yaml"
    refuses "a start whose energy overflows" "energy of body 'rocket' .*at t = 0 s" run "$dir/fast.yaml" -o "$dir/run"
    exits 0 "a run of few iterations" run "$scenes/chain-10.yaml" --iterations 2 --time 0.02 --samples 0 -o "$dir/run"
    worst=$(awk -F'\t' '/^[0-9]/ && $12 != "nan" { if ($12 > worst) worst = $12 } END { printf "%.3e", worst }' "$dir/run/chain-10.energy.tsv")
    [ "$worst" != 0.000e+00 ] && grep -q "residual *$worst at worst" "$dir/out" && grep -q "0 confirmed, 0 refuted, 20 undecided" "$dir/out"
    ok $? "names the worst residual of its table"
    for which in samples every never; do
        exits 0 "a run that examines $which" run "$scenes/chain-10.yaml" --time 0.02 --samples 4 --examine $which -o "$dir/run"
        grep -q "^# examined: $which" "$dir/run/chain-10.energy.tsv"
        ok $? "says so in its tables"
        grep -v '^#' "$dir/run/chain-10.energy.tsv" | cut -f 1-10 >"$dir/$which.tsv"
        grep '^  examined' "$dir/out" >"$dir/$which.worst"
    done
    cmp -s "$dir/samples.tsv" "$dir/every.tsv" && cmp -s "$dir/never.tsv" "$dir/every.tsv"
    ok $? "the examiner changes nothing"
    grep -q ' 5 steps' "$dir/samples.worst" && grep -q ' 20 steps' "$dir/every.worst" && ! [ -s "$dir/never.worst" ]
    ok $? "the number of examined steps is told"
else
    skip "runs with figures known in advance" "no gnuplot"
fi
refuses "unknown key" "scene.yaml:5:.*radios.*did you mean 'radius'" solve "$dir/scene.yaml"
sed 's/1 m$/1 s/' "$dir/good.yaml" | scene
refuses "wrong unit" "scene.yaml:5:.*radius.*wrong unit 's'" solve "$dir/scene.yaml"
sed 's/1 m$/.nan/' "$dir/good.yaml" | scene
refuses "NaN" "scene.yaml:5:.*radius" solve "$dir/scene.yaml"
sed 's/2 kg/-2 kg/' "$dir/good.yaml" | scene
refuses "negative mass" "scene.yaml:6:.*mass" solve "$dir/scene.yaml"
{ cat "$dir/good.yaml"; echo '    inertia: [1, 1, -1]'; } | scene
refuses "inertia that is not positive definite" "scene.yaml:.*inertia" solve "$dir/scene.yaml"
{ cat "$dir/good.yaml"; printf '  - name: a\n    static: true\n'; } | scene
refuses "duplicate name" "scene.yaml:7:.*duplicate name 'a'" solve "$dir/scene.yaml"
{ cat "$dir/good.yaml"; printf 'joints:\n  - name: j\n    type: ball\n    body1: b\n    anchor: [0, 0, 0]\n'; } | scene
refuses "joint to a body that is not there" "scene.yaml:8:.*no body 'b'" solve "$dir/scene.yaml"
: >"$dir/scene.yaml"
refuses "empty file" "scene.yaml" solve "$dir/scene.yaml"
mkdir "$dir/folder.yaml"
refuses "a folder instead of a file" "folder.yaml" solve "$dir/folder.yaml"
refuses "a file that is not there" "none.yaml" solve "$dir/none.yaml"
refuses "a device instead of a file" "a device, neither a file nor a pipe" solve /dev/null
cat "$dir/good.yaml" | "$program" solve /dev/stdin >"$dir/out" 2>"$dir/err"
ok $? "a scene from standard input"
if command -v timeout >/dev/null && mkfifo "$dir/fifo.yaml" 2>/dev/null; then
    waits() { # STATUS NAME WORDS ARGUMENT...: is refused at once; 20 seconds are the time of a busy machine
        want=$1 name=$2 words=$3
        shift 3
        timeout 20 "$program" "$@" >"$dir/out" 2>"$dir/err"
        [ $? -eq "$want" ] && grep -q -- "$words" "$dir/err"
        ok $? "$name"
    }
    waits 2 "a pipe to which nobody writes" "fifo.yaml: is a pipe to which nobody writes" solve "$dir/fifo.yaml"
    waits 2 "such a pipe as a state" "fifo.yaml: is a pipe to which nobody writes" dynamics "$DLS_TEST_SOURCE/models/gripper.urdf" -s "$dir/fifo.yaml"
    waits 7 "a pipe from which nobody reads" "fifo.yaml: cannot write" solve "$scenes/pendulum.yaml" -o "$dir/fifo.yaml"
    (exec 3>"$dir/fifo.yaml"; sleep 1; cat "$dir/good.yaml" >&3) &
    cat "$dir/fifo.yaml" | "$program" solve /dev/stdin >"$dir/out" 2>"$dir/err"
    ok $? "a pipe whose writer is slow"
    wait
else
    skip "pipes" "no mkfifo or no timeout"
fi
truncate -s 1G "$dir/scene.yaml"
refuses "1 GB of zeros" "scene.yaml" solve "$dir/scene.yaml"
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "["; print "" }' >"$dir/scene.yaml"
refuses "deep nesting" "scene.yaml" solve "$dir/scene.yaml"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$dir/locked" && chmod a-w "$dir/locked"
    complains 7 "unwritable output" "locked" solve "$dir/good.yaml" -o "$dir/locked/table.tsv"
else
    complains 7 "unwritable output" "/proc" solve "$dir/good.yaml" -o /proc/delassus/table.tsv
fi
if [ -w /dev/full ]; then
    for words in --help --version list "list solvers --json" "run --help" "solve $scenes/pendulum.yaml --solver lemke" complete; do
        # shellcheck disable=SC2086
        "$program" $words >/dev/full 2>"$dir/err"
        [ $? -eq 7 ] && grep -q "standard output cannot be written: No space left" "$dir/err" || echo "$words"
    done >"$dir/out"
    [ ! -s "$dir/out" ]
    ok $? "a full standard output, of every kind of output"
fi
# Sanitizers need more memory than such a limit.
if command -v timeout >/dev/null && (ulimit -v 1500000 && timeout 20 "$program" list) >/dev/null 2>&1; then
    (ulimit -v 1500000; timeout 20 "$program" run "$scenes/pendulum.yaml" --copies 100000000 --threads 1 -o "$dir/none") >"$dir/out" 2>"$dir/err"
    [ $? -eq 6 ] && grep -q 'no memory for a batch of 100000000 copies' "$dir/err" && [ "$(wc -l <"$dir/err")" -eq 1 ]
    ok $? "too little memory is no bad input"
else
    skip "too little memory" "the program does not run in 1.5 GB"
fi
# Numbers that OpenBLAS passes over ask for nothing: one thread, whose last digits are those of no number.
one_thread() { env -u GOTO_NUM_THREADS -u OMP_NUM_THREADS "$@" "$program" solve "$scenes/chain-100.yaml" --solver block-pivoting --json; }
one_thread -u OPENBLAS_NUM_THREADS | sed 's/"[a-z_]*seconds": [^,}]*//g' >"$dir/alone"
for number_of in '' 0 none; do
    one_thread OPENBLAS_NUM_THREADS=$number_of | sed 's/"[a-z_]*seconds": [^,}]*//g' | cmp "$dir/alone" - || echo "'$number_of'"
done >"$dir/told" 2>&1
grep -q '"outcome": "solved"' "$dir/alone" && [ ! -s "$dir/told" ]
ok $? "OPENBLAS_NUM_THREADS that is no positive number asks for one thread"
ls "$dir" | grep -q '\.tmp\|temporary'
[ $? -ne 0 ]
ok $? "no temporary file is left"
echo "1..$number"
