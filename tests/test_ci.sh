#!/bin/sh
# Steps that engines dump in their own tests: examined by `delassus ci`, with its reports, and compared by `delassus
# determinism`; the writers in C and in Python, and the action and the container. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
dumps=$DLS_TEST_SOURCE/examples/dump
engine=$(pwd)/examples/dump/stack_engine

# exits STATUS NAME ARGUMENT...
exits() {
    want=$1 name=$2
    shift 2
    "$program" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$want" ]
    ok $? "$name"
}
column() { # TABLE NAME: its cells, without the head
    grep -v '^#' "$1" | awk -F'\t' -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k; next } { print $at }'
}

# --- ci: more sweeps make the stack of balls right, fewer make it wrong ---

mkdir "$dir/good" "$dir/bad"
DELASSUS_DUMP=$dir/good "$engine" 400 && DELASSUS_DUMP=$dir/bad "$engine" 3
ok $? "an engine that dumps its steps"
exits 0 "a solver that has converged" ci "$dir/good" -o "$dir/good.tsv" --junit "$dir/good.xml" --sarif "$dir/good.sarif" --badge "$dir/good.json"
grep -q ' 0 fail, 0 cannot be examined' "$dir/out" && [ "$(column "$dir/good.tsv" verdict | sort -u)" = pass ]
ok $? "passes in every step"
exits 1 "three sweeps" ci "$dir/bad" -o "$dir/bad.tsv" --junit "$dir/bad.xml" --sarif "$dir/bad.sarif" --badge "$dir/bad.json"
grep -q '^fail .*, the worst is [0-9]*, ball[0-9]\.[a-z]*: lambda' "$dir/out"
ok $? "fail, and the worst row is named"
step=$(column "$dir/bad.tsv" verdict | grep -n fail | head -1 | cut -d: -f1)
which=$(column "$dir/bad.tsv" step | sed -n "${step}p")
"$program" examine "$dir/bad/$which.problem" "$dir/bad/$which.impulses" --json >"$dir/one" 2>"$dir/err"
[ $? -eq 1 ] && grep -q "\"scaled_residual\": $(column "$dir/bad.tsv" 'scaled_residual[1]' | sed -n "${step}p")[,0]" "$dir/one"
ok $? "with the residual that examine measures"
exits 1 "a tolerance that some of them reach" ci "$dir/bad" --tolerance 0.075
awk '$1 == "pass" { n++; wrong += $2 > 0.07505 } $1 == "fail" { m++ } END { exit !(n && m && !wrong) }' "$dir/out"
ok $? "lets no other pass"
touch "$dir/bad/stack-000099.problem" "$dir/bad/stack-1000000.impulses" "$dir/bad/stack-000099.kept" "$dir/bad/stack-001-000002.impulses"
DELASSUS_DUMP=$dir/bad "$engine" 3
[ ! -e "$dir/bad/stack-000099.problem" ] && [ ! -e "$dir/bad/stack-1000000.impulses" ] && rm "$dir/bad/stack-000099.kept" "$dir/bad/stack-001-000002.impulses"
ok $? "a second run removes the steps of a longer one, and no other file"
exits 0 "a baseline of the same run" ci "$dir/bad" --baseline "$dir/bad.tsv"
exits 1 "a baseline of a better run" ci "$dir/bad" --baseline "$dir/good.tsv"
grep -Eq '^fail .*; baseline [0-9.e-]+$' "$dir/out"
ok $? "tells both residuals"
awk -F'\t' -v OFS='\t' '/^stack/ { $5 = $5 / 3 } { print }' "$dir/bad.tsv" >"$dir/third.tsv"
exits 1 "three times the residual of the baseline" ci "$dir/bad" --baseline "$dir/third.tsv"
exits 0 "within a factor of four" ci "$dir/bad" --baseline "$dir/third.tsv" --factor 4
refuses "a table that is no baseline" "good.xml.*step: no table of delassus ci" ci "$dir/bad" --baseline "$dir/good.xml"
row=$(grep -n '^stack' "$dir/bad.tsv" | sed -n 4p | cut -d: -f1)
for cell in nan inf -1 1e999 '' 0x 1e-3.; do
    awk -F'\t' -v OFS='\t' -v row="$row" -v cell="$cell" 'NR == row { $5 = cell } { print }' "$dir/bad.tsv" >"$dir/broken.tsv"
    refuses "a baseline with the residual '$cell'" "broken.tsv:$row:.*scaled_residual" ci "$dir/bad" --baseline "$dir/broken.tsv"
done
sed "${row}p" "$dir/bad.tsv" >"$dir/broken.tsv"
refuses "a baseline with a step twice" "broken.tsv:$((row + 1)):.*a second row" ci "$dir/bad" --baseline "$dir/broken.tsv"
sed "${row}s/\t.*//" "$dir/bad.tsv" >"$dir/broken.tsv"
refuses "a baseline with a row that is cut" "broken.tsv:$row:.*no such cell" ci "$dir/bad" --baseline "$dir/broken.tsv"
refuses "an infinite tolerance" "--tolerance" ci "$dir/bad" --tolerance inf
refuses "a negative factor" "--factor" ci "$dir/bad" --factor -1
refuses "a folder that is not there" "none: cannot read" ci "$dir/none"
mkdir "$dir/empty"
refuses "a folder without steps" "DELASSUS_DUMP" ci "$dir/empty"
mkdir "$dir/mixed" "$dir/mixed/below"
cp "$dir/good/$which.problem" "$dir/good/$which.impulses" "$dir/mixed/below"
cp "$dir/good/$which.problem" "$dir/mixed/alone.problem"
exits 2 "a step without impulses" ci "$dir/mixed" --junit "$dir/mixed.xml" --sarif "$dir/mixed.sarif" -o "$dir/mixed.tsv"
grep -q '^error .* alone: .*alone.impulses' "$dir/out" && grep -q "^pass .* below/$which" "$dir/out" && grep -q '1 of 2 steps cannot be examined' "$dir/err"
ok $? "is named, and the others are examined"
rm "$dir/mixed/alone.problem"
exits 0 "and is none of a baseline" ci "$dir/mixed" --baseline "$dir/mixed.tsv"

# --- determinism ---

same() { # NAME WORDS OPTION... -- COMMAND...
    name=$1 words=$2
    shift 2
    rm -rf "$dir/runs"
    "$program" determinism -o "$dir/runs" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 0 ] && grep -q "$words" "$dir/out"
    ok $? "$name"
}
differs() {
    name=$1 words=$2
    shift 2
    rm -rf "$dir/runs"
    "$program" determinism -o "$dir/runs" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && grep -q "$words" "$dir/out"
    ok $? "$name"
}
same "an engine that does the same twice" '^a second run: the same, bit by bit, in [0-9]* steps' -- "$engine"
same "after a reset" '^after a reset: the same, bit by bit' --reset -- "$engine"
differs "Gauss-Seidel in another order" '^with its bodies in reversed order: .* in stack-0000[0-9]*, ball[0-9]\.[a-z]*, lambda: ' --permuted -- "$engine"
# A step of the three balls on each other, and the same with bodies and contacts in reversed order, written by hand.
step=$(grep -lx 'rows 6' "$dir"/good/*.problem | tail -1)
cat >"$dir/reverse.awk" <<'END'
/^mass / { mass[++masses] = $0; next }
/^velocity / { velocity[velocities++] = $0; next }
/^row / { row[rows++] = $0; next }
/^block / { $2 = 12 - $2; blocks[rows - 1] = $0 (rows - 1 in blocks ? "\n" blocks[rows - 1] : ""); next }
/^end/ {
    for (k = masses; k > 0; k--) print mass[k]
    for (k = masses - 1; k >= 0; k--) for (i = 0; i < 6; i++) print velocity[6 * k + i]
    for (k = rows - 2; k >= 0; k -= 2) for (i = k; i < k + 2; i++) {
        $0 = row[i]
        if ($8 != "-") $8 = rows - 2 - k
        print $0 "\n" blocks[i]
    }
    $0 = "end"
}
{ print }
END
awk '{ x[NR] = $1 } END { for (k = NR - 1; k > 0; k -= 2) print x[k] "\n" x[k + 1] }' "${step%.problem}.impulses" >"$dir/reversed.impulses"
cat >"$dir/reordered" <<END
cd "\$DELASSUS_DUMP" || exit 1
case \$DELASSUS_ORDER in
    given) cp "$step" stack.problem && cp "${step%.problem}.impulses" stack.impulses ;;
    *) awk -f "$dir/reverse.awk" "$step" >stack.problem && cp "$dir/reversed.impulses" stack.impulses ;;
esac
END
same "a step in reversed order" '^with its bodies in reversed order: the same' --permuted -- sh "$dir/reordered"
# changed NAME WORDS FILE AWK: with the awk program applied to one of the files in reversed order.
changed() {
    cat >"$dir/changed" <<END
sh "$dir/reordered" && cd "\$DELASSUS_DUMP" && case \$DELASSUS_ORDER in reversed) awk '$4' $3 >part && mv part $3 ;; esac
END
    differs "$1" "with its bodies in reversed order: .* is in stack, ball[0-9].[a-z]*, $2" --permuted -- sh "$dir/changed"
}
changed "a coefficient that differs" 'J: -*[0-9.]* and ' stack.problem '/ball1.normal/ { at = NR } at && NR == at + 1 { $6 += 0.25 } { print }'
changed "a body at the other end of a row" 'bodies that it acts on' stack.problem '/ball0.normal/ { at = NR } at && NR == at + 1 { $2 = 6 } { print }'
changed "a mass that differs" 'mass of a body: ' stack.problem '/^mass body/ && !done { $3 = 1.25; $4 = 0.8; done = 1 } { print }'
changed "a velocity that differs" 'v\* of a body: ' stack.problem '/^velocity/ && ++k == 3 { $2 -= 0.001 } { print }'
changed "friction of another contact" 'normal row of its friction: ' stack.problem '/ball1.friction/ { $8 = $8 > 0 ? 0 : 2 } { print }'
changed "an impulse that differs" 'lambda: -*[0-9.]* and 0.25' stack.impulses 'NR == 2 { $1 = 0.25 } { print }'
cat >"$dir/matrix" <<'END'
cd "$DELASSUS_DUMP" || exit 1
row() { printf 'row 0 %s 0 inf 0 0 - - 1 "%s"\nblock 0 2 %s\n' "$1" "$2" "$3"; }
{
    printf 'delassus-problem 1\nname "two"\nform matrix\nstep 1\nmasses 0\nvelocities 0\nrows 2\nblocks 2\ncoefficients 4\n'
    case $DELASSUS_ORDER in
        given) row 0.75 a '2.5 -1' && row 0.5 b '0.25 3.125' ;;
        *) row 0.5 b "3.125 $1" && row 0.75 a '-1 2.5' ;;
    esac
    echo end
} >two-000000.problem
case $DELASSUS_ORDER in given) printf '0.25\n0.125\n' ;; *) printf '0.125\n0.25\n' ;; esac >two-000000.impulses
END
same "a matrix in another order" '^with its bodies in reversed order: the same' --permuted -- sh "$dir/matrix" 0.25
differs "a matrix with another entry" 'two-000000, b, A: 0.25 and 0.375' --permuted -- sh "$dir/matrix" 0.375
# One sweep more in the second run: the first step with a contact that sweeps do not solve exactly differs, in its impulses.
cat >"$dir/other" <<END
case \$DELASSUS_DUMP in *second) exec "$engine" 4;; esac
exec "$engine" 3
END
differs "another number of sweeps" '^a second run: .*, lambda: ' -- sh "$dir/other"
first=$(sed 's/.* is in \(stack-[0-9]*\),.*/\1/' "$dir/out")
for k in $(seq 0 59); do
    step=$(printf 'stack-%06d' "$k")
    [ -e "$dir/runs/first/$step.problem" ] || continue
    cmp -s "$dir/runs/first/$step.impulses" "$dir/runs/second/$step.impulses" || break
done
[ "$first" = "$step" ] && cmp -s "$dir/runs/first/$step.problem" "$dir/runs/second/$step.problem"
ok $? "the step is the first whose impulses differ, of the same problem"
cat >"$dir/states" <<'END'
printf '# time: %s\nt[s]\tx[m]\n0\t1\n0.1\t%s\n' "$DELASSUS_DUMP" "$(case $DELASSUS_DUMP in *second) echo 1.5;; *) echo 1.25;; esac)" >"$DELASSUS_DUMP/states.tsv"
END
differs "a table of states" 'in states.tsv, row 2, x\[m\]: 1.25 and 1.5' -- sh "$dir/states"
cat >"$dir/more" <<'END'
printf 't[s]\n0\n' >"$DELASSUS_DUMP/a.tsv"
case $DELASSUS_DUMP in *second) cp "$DELASSUS_DUMP/a.tsv" "$DELASSUS_DUMP/b.tsv" ;; esac
END
differs "a table that the second run has alone" 'in b.tsv, present: 0 and 1' -- sh "$dir/more"
rm -rf "$dir/runs"
refuses "a command that fails" "false: has ended with status 1" determinism -o "$dir/runs" -- false
refuses "a command that is not there" "cannot be started" determinism -o "$dir/runs" -- "$dir/none"
refuses "a command that writes nothing" "has written no step" determinism -o "$dir/runs" -- true
refuses "an order that is ignored" "no use of DELASSUS_ORDER" determinism --permuted -o "$dir/runs/a" -- env DELASSUS_ORDER=given "$engine"
refuses "a reset that is ignored" "no use of DELASSUS_RESET" determinism --reset -o "$dir/runs/b" -- env DELASSUS_RESET=0 "$engine"
cat >"$dir/unnamed" <<END
"$engine" && sed -i 's/"ball[0-9]/"ball/' "\$DELASSUS_DUMP"/*.problem
END
refuses "rows of permuted bodies without names of their own" "two rows have the label 'ball.friction'" determinism --permuted -o "$dir/runs/c" -- sh "$dir/unnamed"
mkdir -p "$dir/runs/d/reset" && touch "$dir/runs/d/reset/reset"
refuses "the file of a reset of an earlier run" "remove it" determinism --reset -o "$dir/runs/d" -- env DELASSUS_RESET=0 "$engine"
refuses "steps of an earlier run" "remove it" determinism -o "$dir/runs/b" -- "$engine"

# --- the writers ---

for compiler in "$DLS_TEST_CC -std=c99" "$DLS_TEST_CXX -std=c++11 -x c++"; do
    # shellcheck disable=SC2086
    $compiler -Wall -Wextra -Wpedantic -Werror -I"$dumps" -c "$dumps/stack_engine.c" -o "$dir/engine.o" >"$dir/out" 2>"$dir/err"
    ok $? "the writer by $compiler"
done
python=${DLS_TEST_PYTHON:-python3}
if "$python" -c 'import numpy' 2>/dev/null; then
    mkdir "$dir/python"
    cat >"$dir/ball.py" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import numpy
from delassus_dump import Dump

dump = Dump("ball")
for k in range(3):
    dump.begin(0.01)
    ball = dump.body(2.385, 0.3 * numpy.eye(3), [0.0, 0.0, -0.0981, 0.0, 0.0, 0.0])
    normal = dump.row("ball.normal", {ball: [0, 0, 1, 0, 0, 0]}, impulse=(1 + 1e-3 * (k == 2)) * 2.385 * 0.0981, lo=0.0)
    dump.row("ball.tangent", {ball: [1, 0, 0, 0, -0.2, 0]}, impulse=0.0, friction=(normal, 1.0 / 3.0, "box"))
    dump.end()
try:
    dump.begin(0.01)
    dump.body(2.385, numpy.eye(3), [numpy.nan] * 6)
except ValueError as error:
    print(error)
END
    DELASSUS_DUMP=$dir/python "$python" "$dir/ball.py" "$dumps" >"$dir/told" 2>"$dir/err" && grep -q 'v_star is not finite' "$dir/told"
    ok $? "the writer in Python"
    rm -f "$dir/told"
    exits 1 "a resting ball, and one whose impulse is wrong by 1e-3" ci "$dir/python"
    [ "$(grep -c '^pass' "$dir/out")" -eq 2 ] && grep -q '^fail   5.00e-04  ball-000002' "$dir/out" && grep -q '0.33333333333333331' "$dir/python/ball-000000.problem"
    ok $? "with 1e-3 / 2.001 of its terms"
    cat >"$dir/matrix.py" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import numpy
from delassus_dump import Dump, order_reversed, reset_asked

A = numpy.array([[2.5, -1.0, 0.5], [0.25, 3.125, 0.0], [0.5, 0.125, 1.75]])
x = numpy.array([0.75, 0.0, 0.5])
order = [2, 1, 0] if order_reversed() else [0, 1, 2]

def run(dump, steps):
    for k in range(steps):
        b = numpy.array([0.0, 0.5 + k, 0.0]) - A @ x
        dump.begin_matrix(3)
        for i in order:
            dump.row("row %d" % i, {0: A[i, order]}, x[i], c=-b[i], lo=0.0)
        dump.end()

dump = Dump("matrix")
run(dump, 5 if reset_asked() else 3)
if reset_asked():
    dump.restart()
    run(dump, 3)
END
    same "problems in matrix form, in another order and after a reset" '^after a reset: the same, bit by bit, in 3 steps of 9 rows' \
        --permuted --reset -- "$python" "$dir/matrix.py" "$dumps"
    touch "$dir/runs/first/matrix-000007.problem" "$dir/runs/first/matrix-000007.kept"
    DELASSUS_DUMP=$dir/runs/first "$python" "$dir/matrix.py" "$dumps" && [ ! -e "$dir/runs/first/matrix-000007.problem" ] && [ -e "$dir/runs/first/matrix-000007.kept" ]
    ok $? "which remove the steps of a longer run"
    exits 0 "and are solved" ci "$dir/runs/first"
else
    skip "the writer in Python" "no numpy"
fi

# --- the reports ---

if "$python" -c 'import json, xml.dom' 2>/dev/null; then
    cat >"$dir/reports.py" <<'END'
import json, sys, xml.etree.ElementTree as xml
for name, failures, errors in (("good", 0, 0), ("bad", None, 0), ("mixed", 0, 1)):
    suite = xml.parse(sys.argv[1] + "/" + name + ".xml").getroot().find("testsuite")
    cases = suite.findall("testcase")
    failed = [c for c in cases if c.find("failure") is not None]
    broken = [c for c in cases if c.find("error") is not None]
    assert len(cases) == int(suite.get("tests")) and len(failed) == int(suite.get("failures")), name
    assert len(broken) == int(suite.get("errors")) == errors and failures in (None, len(failed)), name
    run = json.load(open(sys.argv[1] + "/" + name + ".sarif"))
    assert run["version"] == "2.1.0" and len(run["runs"]) == 1
    results = run["runs"][0]["results"]
    rules = [rule["id"] for rule in run["runs"][0]["tool"]["driver"]["rules"]]
    assert len(results) == len(failed) + len(broken) and all(r["ruleId"] in rules and r["message"]["text"] for r in results), name
badge = json.load(open(sys.argv[1] + "/good.json"))
assert badge["schemaVersion"] == 1 and badge["color"] == "brightgreen" and "residual" in badge["message"]
assert json.load(open(sys.argv[1] + "/bad.json"))["color"] == "red"
END
    "$python" "$dir/reports.py" "$dir" >"$dir/out" 2>"$dir/err"
    ok $? "JUnit, SARIF and the badge have the verdicts"
else
    skip "JUnit, SARIF and the badge" "no Python"
fi

# --- the action: its command, with a container that is this program ---

mkdir "$dir/bin"
cat >"$dir/bin/docker" <<END
#!/bin/sh
while [ "\$1" != ci ]; do shift; done
exec "$(cd "$(dirname "$program")" && pwd)/$(basename "$program")" "\$@"
END
chmod +x "$dir/bin/docker"
action=$DLS_TEST_SOURCE/examples/ci/action.yml
sed -n '/run: >-/,/- if:/p' "$action" | sed '1d;$d' | tr '\n' ' ' >"$dir/run"
for steps in good:0 bad:1; do
    (cd "$dir" && PATH=$dir/bin:$PATH FOLDER=${steps%:*} TOLERANCE=1e-6 IMAGE=none sh "$dir/run") >"$dir/out" 2>"$dir/err"
    [ $? -eq "${steps#*:}" ] && [ -s "$dir/delassus.xml" ] && [ -s "$dir/delassus.sarif" ] && [ -s "$dir/delassus.tsv" ]
    ok $? "the action on ${steps%:*} steps"
done
if "$python" -c 'import yaml' 2>/dev/null; then
    "$python" -c 'import sys, yaml; a = yaml.safe_load(open(sys.argv[1])); assert a["runs"]["using"] == "composite" and len(a["runs"]["steps"]) == 2' "$action" \
        2>"$dir/err"
    ok $? "the action is a composite one"
else
    skip "the action is a composite one" "no yaml in Python"
fi

# --- MuJoCo ---

if [ -x examples/dump/mujoco_dump ]; then
    mkdir "$dir/mujoco"
    DELASSUS_DUMP=$dir/mujoco examples/dump/mujoco_dump "$dumps/boxes.xml" 300 newton >"$dir/out" 2>"$dir/err"
    ok $? "MuJoCo dumps its steps"
    # Newton's method ends where the next decrease of its scaled cost is 1e-8; the median step has converged to rounding.
    exits 0 "which solve their problems" ci "$dir/mujoco" --tolerance 1e-3 -o "$dir/mujoco.tsv"
    column "$dir/mujoco.tsv" 'scaled_residual[1]' | sort -g | awk '{ r[NR] = $1 } END { exit !(NR == 300 && r[150] < 1e-10) }'
    ok $? "in the median to rounding"
    rm -rf "$dir/runs"
    exits 0 "and do so again, and after a reset" determinism --reset -o "$dir/runs" -- examples/dump/mujoco_dump "$dumps/boxes.xml" 100
else
    skip "MuJoCo's steps" "not built with MuJoCo"
fi

# --- DART ---

if [ -x examples/dump/dart_dump ]; then
    mkdir "$dir/dart"
    DELASSUS_DUMP=$dir/dart examples/dump/dart_dump 200 dantzig >"$dir/out" 2>"$dir/err"
    ok $? "DART dumps its steps"
    # Dantzig's algorithm is exact but for friction, whose bounds follow the normal impulses that it had when it began with a row.
    "$program" ci "$dir/dart" -o "$dir/dart.tsv" >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && grep -v '^#' "$dir/dart.tsv" | awk -F'\t' '$2 == "fail" { split($9, row, " "); n++; normal += row[2] % 3 == 0 } END { exit !(n && !normal) }'
    ok $? "which its friction alone keeps from being right"
    examples/dump/dart_dump 1 lemke >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q 'lemke is neither dantzig nor pgs' "$dir/err"
    ok $? "DART has no other solver"
else
    skip "DART's steps" "not built with DART"
fi
echo "1..$number"
