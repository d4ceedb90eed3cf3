#!/bin/sh
# Causes that a diagnosis names: of public bug reports, each in a scene with its numbers (tests/diagnosis/threads), and of
# faults that tests/diagnosis/plant.py plants into models: those of the project, and one of others where DLS_TEST_DATA has
# it. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

# plants NAME MODEL...: all kinds of fault are found in these models, and there are at least twenty.
plants() {
    name=$1
    shift
    python3 "$DLS_TEST_SOURCE/tests/diagnosis/plant.py" --program "$program" "$@" >"$dir/out" 2>"$dir/err" &&
        [ "$(awk -F'\t' '$2 > 0 && $3 == $2' "$dir/out" | wc -l)" -ge 20 ]
    ok $? "$name"
}

# names FILE CAUSE SUBJECT OPTION...: a bug report's cause is found at the part that has it.
names() {
    file=$1 cause=$2 subject=$3
    shift 3
    "$program" diagnose "$DLS_TEST_SOURCE/tests/diagnosis/threads/$file" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -le 1 ] && awk -v cause="$cause:" -v subject="$subject" '/^[a-z]/ { here = $2 == cause }
        { sub(/contact [0-9]+ of/, "contact of") }
        here && index($0, "    " subject) == 1 { found = 1 } END { exit !found }' "$dir/out"
    ok $? "the cause of a bug report: $file"
}

names gains.yaml stiff-spring servo
names tube.yaml tunnelling ball
names heavy-on-light.yaml mass-ratio "contact of cube on cylinder"
names gripped.yaml mass-ratio "contact of block on"
names ragdoll.yaml mass-ratio shoulder
names two-joints.xml energy-growth gains --time 40
names soft-floor.yaml soft-contact box
names no-inertia.yaml inertia-size a1.upper_shoulder

# tells RUN WORDS NAME OPTION...: the tables of a run of a scene, of which the diagnosis says the words.
tells() {
    scene=$1 words=$2 name=$3
    shift 3
    "$program" run "$scene" "$@" -o "$dir/run" >"$dir/out" 2>"$dir/err"
    "$program" diagnose "$dir/run" >"$dir/out" 2>"$dir/err"
    [ $? -le 1 ] && grep -q "$words" "$dir/out"
    ok $? "$name"
    rm -rf "$dir/run"
}

threads=$DLS_TEST_SOURCE/tests/diagnosis/threads
tells "$threads/gains.yaml" "^first finding: at 0.035 s" "tables of a run that diverges in its eighth step"
tells "$threads/ragdoll.yaml" "joints come apart by up to" "tables of a run whose joints come apart"
tells "$threads/heavy-on-light.yaml" "in the column 'bias' of the ledger" "tables with an account of energy" --solver sor
tells "$scenes/chain-10.yaml" ": 0 faults" "tables of a sound run" --solver block-pivoting --time 0.2
tells "$scenes/driven-arm.yaml" ": 0 faults, 0 risks" "tables of a run with drives, which give it energy"
printf '# step: 0.1 s\ntime[s]\toutcome\n0\tsolved\n0.1\n' >"$dir/cut.energy.tsv"
refuses "a table that was cut off" "cut.energy.tsv:4:1: the line has 1 cells" diagnose "$dir/cut.energy.tsv"
"$program" diagnose - <"$scenes/pendulum.yaml" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'read twice' "$dir/err" && [ ! -s "$dir/out" ]
ok $? "a scene from standard input is refused"
mkdir "$dir/none"
refuses "a folder without tables" "neither steps" diagnose "$dir/none"

if python3 -c 'import yaml' 2>/dev/null; then
    plants "every fault in models of the project is found" "$DLS_TEST_SOURCE/models/mjcf-arm.xml" \
        "$DLS_TEST_SOURCE/models/gripper.urdf"
    if [ -f "$data/urdf/baxter_simple.urdf" ]; then
        plants "every fault in a published robot is found" "$data/urdf/baxter_simple.urdf"
    else
        skip "every fault in a published robot is found" "no $data/urdf/baxter_simple.urdf"
    fi
else
    skip "every fault in models of the project is found" "python3 has no PyYAML"
fi
echo "1..$number"
