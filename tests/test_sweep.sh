#!/bin/sh
# Sweeps: the cells of a product, the same table for any number of processes, as shards and after a kill; what goes wrong
# in a cell stays in its row. TAP.
set -u
. "$DLS_TEST_SOURCE/tests/script.sh"
sweep() { "$program" sweep "$@" >"$dir/out" 2>&1; }
rows() { grep -v '^#' "$1" | tail -n +2; }
column() { # NAME TABLE
    grep -v '^#' "$2" | awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

# 2 x 3 x 2 cells of a scene with joints: a joint's erp, the step, two solvers.
four_bar() { # extra arguments
    sweep "$scenes/four-bar.yaml" --over 'joints.*.erp=0.1,0.5' --over dt=1ms:4ms:3 --solvers pgs,dantzig --set time=0.05 "$@"
}
four_bar -o "$dir/one"
ok $? "a sweep runs"
[ "$(rows "$dir/one/four-bar.sweep.tsv" | wc -l)" = 12 ]
ok $? "it has a row for each cell"
[ "$(column dt "$dir/one/four-bar.sweep.tsv" | sort -u | tr '\n' ' ')" = "1 ms 2.5 ms 4 ms " ]
ok $? "a range has its values, with their unit"
[ "$(column outcome "$dir/one/four-bar.sweep.tsv" | sort | uniq -c | tr -s ' ')" = " 12 finished" ]
ok $? "all cells finished"
[ "$(column steps "$dir/one/four-bar.sweep.tsv" | sort -n | uniq -c | awk '{ print $1 "x" $2 }' | tr '\n' ' ')" = "4x13 4x20 4x50 " ]
ok $? "the steps are those of each dt"
[ ! -e "$dir/one/four-bar.sweep.journal" ]
ok $? "no journal is left"

# A cell is the run of its settings.
"$program" run "$scenes/four-bar.yaml" --solver dantzig --dt 2.5ms --time 0.05 --set 'joints.*.erp=0.5' --samples 0 -o "$dir/run" >"$dir/out" 2>&1
last=$(tail -1 "$dir/run/four-bar.energy.tsv" | cut -f4)
rows "$dir/one/four-bar.sweep.tsv" | awk -F '\t' -v last="$last" '$2 == "0.5" && $3 == "2.5 ms" && $4 == "dantzig" { found = 1; if ($8 != last) exit 1 } END { exit !found }'
ok $? "the last energy of a cell is that of 'run' with its settings, to the last digit"

four_bar -o "$dir/three" --jobs 3 && rows "$dir/one/four-bar.sweep.tsv" >"$dir/a" && rows "$dir/three/four-bar.sweep.tsv" | cmp -s - "$dir/a"
ok $? "three processes make the same rows"
for k in 1 2 3; do four_bar -o "$dir/shards" --shard $k/3 || break; done
"$program" merge "$dir"/shards/*-of-3.tsv -o "$dir/merged" >"$dir/out" 2>&1 && rows "$dir/merged/four-bar.sweep.tsv" | cmp -s - "$dir/a"
ok $? "three shards make the same rows, merged"
"$program" merge "$dir"/shards/*.sweep.[12]-of-3.tsv -o "$dir/merged" >"$dir/out" 2>&1
[ $? -eq 2 ] && grep -q 'a shard is missing' "$dir/out"
ok $? "a missing shard is told"
"$program" merge "$dir"/shards/*.sweep.1-of-3.tsv "$dir"/shards/*.sweep.1-of-3.tsv -o "$dir/merged" >"$dir/out" 2>&1
[ $? -eq 2 ] && grep -q 'in another table, too' "$dir/out"
ok $? "a shard that is given twice is told"

# Cut off: by a signal at any time, or, as here, by a disk that is full within a line of the journal.
(trap '' XFSZ; ulimit -f 2; four_bar -o "$dir/again"; [ $? -eq 7 ] && grep -q 'four-bar.sweep.journal: cannot be written: ' "$dir/out")
ok $? "a full disk is an error with a name and a reason"
four_bar -o "$dir/again" && grep -q '[1-9][0-9]* of them kept' "$dir/out" && rows "$dir/again/four-bar.sweep.tsv" | cmp -s - "$dir/a"
ok $? "a sweep that was cut off goes on, and makes the same rows"
mkdir "$dir/other" && echo "delassus-sweep 1 of another kind" >"$dir/other/four-bar.sweep.journal"
four_bar -o "$dir/other"
[ $? -eq 2 ] && grep -q 'journal of another sweep' "$dir/out" && [ -e "$dir/other/four-bar.sweep.journal" ]
ok $? "the journal of another sweep is kept, and told"
(trap '' XFSZ; ulimit -f 1; sweep "$scenes/pendulum.yaml" --over 'world.mu=0:1:200' --set time=2ms -o "$dir/full"; [ $? -eq 7 ]) && [ ! -e "$dir/full/pendulum.sweep.tsv" ]
ok $? "a full disk is an error, and leaves no table"

# Errors in a cell.
sweep "$scenes/pendulum.yaml" --over solver=pgs,nonesuch,sor --set time=0.01 -o "$dir/refused" &&
    [ "$(column outcome "$dir/refused/pendulum.sweep.tsv" | tr '\n' ' ')" = "finished refused finished " ] &&
    column reason "$dir/refused/pendulum.sweep.tsv" | grep -q 'nonesuch'
ok $? "a solver that there is not is refused in its cell, with the reason"
printf 'world: {gravity: [0, 0, -9.81]}\nbodies:\n  - {name: a, shape: sphere, radius: 0.1, mass: 1, velocity: [1e300, 0, 0]}\njoints:\n  - {type: ball, name: j, body1: a, body2: world, anchor: [0, 0, 0]}\n' >"$dir/fast.yaml"
sweep "$dir/fast.yaml" --over 'bodies.a.velocity=[0, 1, 0],[1e300, 0, 0]' --set time=0.05 -o "$dir/diverged"
[ "$(column outcome "$dir/diverged/fast.sweep.tsv" | head -1)" = finished ] && column outcome "$dir/diverged/fast.sweep.tsv" | grep -Eq 'diverged|refused'
ok $? "a cell that diverges is marked; values in brackets keep their commas"
sweep "$scenes/pendulum.yaml" --over 'solver=pgs,exec:kill -9 $PPID' --set time=0.002 -o "$dir/crash" --jobs 2 &&
    [ "$(column outcome "$dir/crash/pendulum.sweep.tsv" | tr '\n' ' ')" = "finished crashed " ] &&
    column reason "$dir/crash/pendulum.sweep.tsv" | grep -q 'signal 9'
ok $? "a process that is killed leaves its cell as crashed, and the others are done"

# Keys of schemes, of warm starts, of one solver alone, and of the run. Of each: its outcomes, in order.
outcomes() { # WHAT OUTCOMES ARGUMENTS
    what=$1 want=$2
    shift 2
    rm -rf "$dir/keys"
    sweep "$scenes/pendulum.yaml" --set time=5ms "$@" -o "$dir/keys"
    [ "$(column outcome "$dir/keys/pendulum.sweep.tsv" | tr '\n' ' ')" = "$want " ]
    ok $? "$what"
}
outcomes "schemes, of which one there is not" "finished finished refused" --schemes euler,tgs,nonesuch
column reason "$dir/keys/pendulum.sweep.tsv" | grep -q "scheme=nonesuch: there is no scheme 'nonesuch'"
ok $? "which is told"
outcomes "a setting of the scheme" "finished finished" --set scheme=tgs --over scheme.time_base=step,substep
outcomes "one that it has not" "finished refused" --over scheme=tgs,euler --set scheme.time_base=substep
outcomes "a setting of warm starts" "finished finished refused" --over warm.start=true,false,perhaps
outcomes "a setting of one solver, which others ignore" "finished refused finished finished" --solvers sor,pgs --over sor.omega=1.3,-1
outcomes "examined steps" "finished finished refused" --over examine=every,never,sometimes
column examined "$dir/keys/pendulum.sweep.tsv" | tr '\n' ' ' | grep -q '^5 0 0 $'
ok $? "are counted"
outcomes "too many steps" "finished refused" --over time=5ms,1e9
column reason "$dir/keys/pendulum.sweep.tsv" | grep -q 'steps of .* are too many'
ok $? "are told"
outcomes "seconds of runs that finish and are refused" "finished refused" --over dt=1ms,0 --seconds
column 'seconds[s]' "$dir/keys/pendulum.sweep.tsv" | tr '\n' ' ' | grep -Eq '^[0-9.e-]+ nan $'
ok $? "are numbers, or none"

# Offsets are draws of their seed.
sweep "$scenes/stack-10.yaml" --over seed=1:3:3 --set offset=1e-6m --set time=0.02 -o "$dir/seeds" &&
    [ "$(column 'energy_start[J]' "$dir/seeds/stack-10.sweep.tsv" | sort -u | wc -l)" = 3 ]
ok $? "seeds make different starts"

refuses() { # WHAT MESSAGE ARGUMENTS
    what=$1 message=$2
    shift 2
    sweep "$@" -o "$dir/none"
    [ $? -eq 2 ] && grep -q -- "$message" "$dir/out" && [ ! -e "$dir/none" ]
    ok $? "$what is refused before anything runs"
}
refuses "a key that nothing has" "no solver in use has this key" "$scenes/pendulum.yaml" --over omgea=1,2
refuses "a joint that there is not" "no joint is called" "$scenes/pendulum.yaml" --over joints.nonesuch.erp=1,2
refuses "a name" "cannot be set" "$scenes/pendulum.yaml" --over 'bodies.*.name=a,b'
refuses "an empty value" "is empty" "$scenes/pendulum.yaml" --over dt=1ms,,2ms
refuses "a range without end" "FIRST:LAST:COUNT" "$scenes/pendulum.yaml" --over dt=1:2:0
refuses "a logarithm of zero" "FIRST:LAST:COUNT" "$scenes/pendulum.yaml" --over dt=0:2:3:log
refuses "a key that is swept twice" "swept twice" "$scenes/pendulum.yaml" --over dt=1ms --over dt=2ms
refuses "several values of --set" "one value" "$scenes/pendulum.yaml" --set dt=1ms,2ms
refuses "axes without a figure" "there is no figure" "$scenes/pendulum.yaml" --over dt=1ms --log xy
refuses "axes that there are not" "are no axes" "$scenes/pendulum.yaml" --over dt=1ms --figure dt,time --log z
refuses "no shard" "is not K/N" "$scenes/pendulum.yaml" --shard 3/2
refuses "a scene that there is not" "cannot read" "$dir/nowhere.yaml" --over dt=1ms

# GNU parallel carries shards, as the example does.
if command -v parallel >/dev/null 2>&1 && parallel --version 2>/dev/null | grep -q GNU; then
    DELASSUS=$program sh "$DLS_TEST_SOURCE/examples/sweep-parallel.sh" 2 "$dir/parallel" "$scenes/pendulum.yaml" --over dt=1ms,2ms,4ms --set time=0.01 >"$dir/out" 2>&1 &&
        [ "$(rows "$dir/parallel/pendulum.sweep.tsv" | wc -l)" = 3 ]
    ok $? "GNU parallel runs the shards, and they are merged"
else
    number=$((number + 1)); echo "ok $number - GNU parallel # SKIP it is not installed"
fi

# So does Slurm: its two daemons on this machine, without any of its services, configuration or accounts.
start_slurm() { # folder, name of the machine
    mkdir -p "$1/state" "$1/spool"
    cat >"$1/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$2(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_res
SelectTypeParameters=CR_CPU
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((40000 + $$ % 20000))
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
NodeName=$2 NodeAddr=127.0.0.1 CPUs=1
PartitionName=all Nodes=ALL Default=YES
END
    SLURM_CONF=$1/slurm.conf
    export SLURM_CONF
    slurmctld -D -f "$SLURM_CONF" >"$1/slurmctld.out" 2>&1 &
    slurm="$!"
    slurmd -D -f "$SLURM_CONF" >"$1/slurmd.out" 2>&1 &
    slurm="$slurm $!"
    trap 'kill $slurm 2>/dev/null; wait; rm -rf "$dir"' EXIT
    for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 1
    done
    return 1
}
PATH=$PATH:/usr/sbin
if command -v slurmctld >/dev/null 2>&1 && command -v slurmd >/dev/null 2>&1; then
    set -- "$scenes/pendulum.yaml" --over dt=1ms,2ms,4ms --set time=0.01
    "$program" sweep "$@" -o "$dir/whole" >/dev/null 2>&1
    start_slurm "$dir/slurm" "$(uname -n | sed 's/[.].*//')" >"$dir/out" 2>&1 &&
        DELASSUS=$(realpath "$program") timeout 120 sbatch --wait --array=1-2 -D "$dir/slurm" "$DLS_TEST_SOURCE/examples/sweep-slurm.sh" "$dir/slurm/out" "$@" >"$dir/out" 2>&1 &&
        "$program" merge "$dir"/slurm/out/pendulum.sweep.*-of-2.tsv -o "$dir/slurm/out" >>"$dir/out" 2>&1 &&
        rows "$dir/slurm/out/pendulum.sweep.tsv" >"$dir/first" && rows "$dir/whole/pendulum.sweep.tsv" | cmp - "$dir/first" >>"$dir/out" 2>&1
    ok $? "an array of Slurm runs the shards, and merged they are the whole"
else
    number=$((number + 1)); echo "ok $number - Slurm # SKIP it is not installed"
fi
echo "1..$number"
