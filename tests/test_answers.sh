#!/bin/sh
# The output of commands with --json: an object a line of doc/answers.schema.json, and of nothing else; the same figures as
# in the text; and the exit status is that of the text. Validated where Python has jsonschema. TAP.
set -u
. "$DLS_TEST_SOURCE/tests/script.sh"
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import jsonschema' 2>/dev/null || python=$candidate
done
# One process for all answers: each line of "$dir/kept", NUMBER NAME LINES, is a test of the file of that number.
cat >"$dir/validate.py" <<'END'
import json, sys
import jsonschema

def refuse(word):
    raise ValueError(word + " is no JSON")

def problem(name, lines, path):
    """What is wrong with a file of answers, or None."""
    answers = open(path).read().splitlines()
    if len(answers) != lines:
        return "%d lines" % len(answers)
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/" + name, "$defs": schema["$defs"]})
    for line in answers:
        try:
            validator.validate(json.loads(line, parse_constant=refuse))
        except (ValueError, jsonschema.ValidationError) as error:
            return str(error)
    return None

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for test in open(sys.argv[2] + "/kept").read().splitlines():
    number, name, lines = test.split()
    told = problem(name, int(lines), sys.argv[2] + "/kept." + number)
    print("%s %d - %s by the schema" % ("ok" if told is None else "not ok", int(sys.argv[3]) + int(number), name))
    if told is not None:
        print("".join("# " + line + "\n" for line in told.splitlines()[:40]), end="")
END

valids=0
valid() { # NAME LINES: what was printed is kept until the schema has its turn
    valids=$((valids + 1))
    cp "$dir/out" "$dir/kept.$valids"
    echo "$valids $1 $2" >>"$dir/kept"
}

# answers STATUS LINES COMMAND ARGUMENT...: with the exit status it has without --json, it prints so many valid lines.
answers() {
    want=$1 lines=$2 command=$3
    shift 3
    "$program" "$command" "$@" >"$dir/text" 2>"$dir/err"
    plain=$?
    "$program" "$command" "$@" --json >"$dir/out" 2>"$dir/err"
    [ $? -eq "$want" ] && [ $plain -eq "$want" ] && [ "$(wc -l <"$dir/out")" -eq "$lines" ]
    ok $? "$command --json"
    valid "$command" "$lines"
}
# value KEY: of the one line that was printed
value() { sed "s/.*\"$1\": \\([^,}]*\\).*/\\1/" "$dir/out"; }

answers 0 2 solve "$scenes/four-bar.yaml" --solver newton,lemke
cp "$dir/out" "$dir/answers.json"
answers 1 2 solve "$scenes/painleve.yaml" --solver enumeration,exact
answers 0 1 solve "$scenes/painleve.yaml" --facets 8 --solver lemke
answers 4 1 solve "$scenes/stack-10.yaml" --solver pgs --iterations 3
answers 0 1 examine "$scenes/four-bar.yaml" "$dir/answers.json" --where solver=lemke
answers 0 1 examine "$scenes/four-bar.yaml" "$dir/answers.json" --where solver=lemke --velocity
printf '%020d\n' 0 | sed 's/0/1 /g' >"$dir/wrong.txt"
answers 1 1 examine "$scenes/four-bar.yaml" "$dir/wrong.txt"
mkdir "$dir/steps"
engine=$(pwd)/examples/dump/stack_engine
DELASSUS_DUMP=$dir/steps "$engine" 3
answers 1 1 ci "$dir/steps" -o "$dir/steps.tsv"
answers 0 1 ci "$dir/steps" --baseline "$dir/steps.tsv"
answers 0 1 diagnose "$scenes/four-bar.yaml"
answers 1 1 diagnose "$DLS_TEST_SOURCE/tests/diagnosis/threads/soft-floor.yaml"
answers 0 1 diagnose "$dir/steps"
"$program" determinism --reset --permuted --json -o "$dir/runs" -- "$engine" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q '"run": "reset", "same": true' "$dir/out"
ok $? "determinism --json"
valid determinism 1
cat >"$dir/dead.txt" <<END
delassus-problem 1
name "dead"
form mechanical
step 0.01
masses 1
velocities 2
rows 2
blocks 2
coefficients 4
mass dense 2
column 2 0.5
column 0.5
velocity 0.3
velocity -0.7
row 0 0 -inf inf 0 0 - 0 1 "moves"
block 0 2 1 0
row 0 0 -inf inf 0 0 - 0 1 "dead"
block 0 2 0 0
end
END
answers 0 1 solve "$dir/dead.txt" --solver pgs
[ "$(value dead_rows)" = 1 ] && grep -q '1 are 0 (sweeps skip these rows)' "$dir/text"
ok $? "a row that no impulse can change is told"
if command -v gnuplot >/dev/null 2>&1; then
    answers 0 2 compare "$scenes/four-bar.yaml" "$scenes/pendulum.yaml" --solver pgs,lemke --iterations 30 -o "$dir/compare"
    answers 0 1 run "$scenes/four-bar.yaml" --time 0.05 --certify --ledger -o "$dir/run"
    [ "$(value steps)" -gt 0 ] && [ "$(value confirmed)" -le "$(value examined)" ] && grep -q " $(value steps) steps of" "$dir/text" &&
        grep -q "$(value examined) steps: $(value confirmed) confirmed" "$dir/text"
    ok $? "the figures of run are those of its text"
    if "$program" run "$scenes/pendulum.yaml" --time 0.01 --format hdf5 -o "$dir/run" >"$dir/text" 2>"$dir/err"; then
        answers 0 1 run "$scenes/pendulum.yaml" --time 0.01 --record rows,forces --format hdf5 -o "$dir/run"
        for blocks in 8 40 100 300; do # tables, the figure, the file itself: whatever finds no room, it is the file that is named (OpenMP's threads need 1)
            (trap '' XFSZ; ulimit -f $blocks; "$program" run "$scenes/pendulum.yaml" --format hdf5 -o "$dir/small" >"$dir/out" 2>"$dir/err"; exit $?)
            got=$?
            rm -f "$dir"/small/*
            [ $got -eq 0 ] && break
            grep -Eq 'small/pendulum\.(h5|energy\.(svg|png|tsv)): cannot write' "$dir/err" && [ $got -eq 7 ] || echo $blocks
        done >"$dir/told"
        [ ! -s "$dir/told" ]
        ok $? "a full disk: the file that was asked for is named"
        [ -s "$dir/run/pendulum.h5" ] && [ -s "$dir/run/pendulum.energy.svg" ] && [ -z "$(ls "$dir/run" | grep 'pendulum.*tsv')" ] &&
            grep -q 'pendulum.h5: trajectory, energy, forces, rows' "$dir/text"
        ok $? "the tables of run as one file of HDF5"
    else
        number=$((number + 1)); echo "ok $number - tables in HDF5 # SKIP $(cat "$dir/err")"
    fi
    answers 4 1 run "$scenes/chain-10.yaml" --time 0.05 --tolerance 1e-12 -o "$dir/run"
    sed '$a changes: [{time: 0.02, remove: {joints: ["*"]}}]' "$scenes/chain-10.yaml" >"$dir/falls.yaml"
    answers 0 1 run "$dir/falls.yaml" --time 0.05 -o "$dir/run"
    [ "$(value changes)" = 1 ]
    ok $? "and the changes of its scene"
    answers 0 1 experiment energy --set duration=0.05 -o "$dir/energy"
    sed 's/.*"tables": \[\([^]]*\)\].*/\1/; s/[",]//g' "$dir/out" | tr ' ' '\n' | while read -r table; do [ -s "$dir/energy/$table.tsv" ] || exit 1; done
    ok $? "its tables are there"
    grep -qF "\"sentence\": \"$(sed -n 2p "$dir/energy/energy.finding.txt")\"" "$dir/out"
    ok $? "and its finding"
    answers 0 1 report --small --only pendulum -o "$dir/report"
    [ -s "$(value page | tr -d '"')" ] && [ "$(value pdf)" = null ]
    ok $? "the page is there"
fi
"$program" run "$scenes/arm-12.yaml" --copies 3 --spread 0.01 --time 0.01 --json -o "$dir/copies" >"$dir/out" 2>"$dir/err"
[ $? -eq 0 ] && [ "$(value copies)" = 3 ] && [ "$(value failed)" = 0 ]
ok $? "run --copies --json"
valid copies 1
! command -v gnuplot >/dev/null ||
    answers 0 1 recommend "$scenes/pendulum.yaml" --error 0.01 --time 0.2 --schemes euler,midpoint -o "$dir/recommend"
answers 1 1 recommend "$scenes/pendulum.yaml" --error 1e-18 --time 0.2 -o "$dir/recommend"
answers 0 1 sweep "$scenes/pendulum.yaml" --over dt=1ms,2ms --set time=0.02 -o "$dir/sweep"
! command -v gnuplot >/dev/null || answers 0 1 plot "$dir/sweep/pendulum.sweep.tsv" --x dt --y steps -o "$dir/plot.svg"
answers 0 1 check "$scenes/four-bar.yaml"
answers 0 1 dynamics "$scenes/arm-12.yaml" --quantity generalized-mass-matrix
answers 0 1 dynamics "$scenes/gripper.yaml" --quantity generalized-gravity-force
answers 0 1 convert "$scenes/painleve.yaml" "$dir/painleve.json" --to json
answers 0 1 convert "$scenes/painleve.yaml" "$dir/painleve.dat" --to siconos-fc3d
answers 0 6 collection list copies
answers 0 1 collection get painleve/8 -o "$dir/collected"
answers 0 1 collection describe rank/3
answers 0 1 collection check painleve/8 -o "$dir/answers"
mkdir -p "$dir/published" && echo "no problem" >"$dir/published/README" && cp "$dir/collected" "$dir/published/rod.problem"
answers 0 2 collection describe "$dir/published"
answers 0 1 profile copies/1 --solvers pgs,lemke -o "$dir/profile"
answers 0 1 submit-check "$dir"/profile/answers/lemke/*.json
answers 0 1 leaderboard "$dir/profile"
answers 0 1 dump "$scenes/painleve.yaml" --what A,problem -o "$dir/dump"
[ -s "$(value output | tr -d '"')/$(value stem | tr -d '"').A.mtx" ] && grep -q '"what": \["A", "problem"\]' "$dir/out" && [ "$(value rows)" = 3 ]
ok $? "its rows, its parts and where they are"
answers 0 1 motion "$scenes/pendulum.yaml" --time 0.2 --samples 4 -o "$dir/motion"
[ "$(value ended)" = null ] && [ -s "$dir/motion/pendulum.motion-energy.tsv" ]
ok $? "its tables are there"
answers 1 1 motion "$scenes/box-on-slope-found.yaml" --set world.friction=cone --set 'bodies.box.torque=[0, 0, 1]' \
    --set 'bodies.box.velocity=[0.46984631, 0, -0.17101007]' --samples 4 -o "$dir/motion" # it turns on four corners
answers 0 1 view "$scenes/pendulum.yaml" -o "$dir/pendulum.svg"
[ -s "$(value picture | tr -d '"')" ] && [ "$(value time)" = 0.0 ]
ok $? "the picture is there"
answers 0 "$("$program" list nothing 2>/dev/null; "$program" list --help | sed -n 's/^Lists: //p' | wc -w)" list
answers 0 1 list solvers

if [ -n "$python" ]; then
    "$python" "$dir/validate.py" "$DLS_TEST_SOURCE/doc/answers.schema.json" "$dir" $number
    number=$((number + valids))
else
    number=$((number + 1))
    echo "ok $number - $valids answers by the schema # SKIP no jsonschema"
fi
echo "1..$number"
