#!/bin/sh
# Schemes and joint types from shared objects: the examples obey their laws, and wrong objects are refused. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
examples=$DLS_TEST_SOURCE/examples

compile() { # SOURCE NAME
    # shellcheck disable=SC2086
    ${DLS_TEST_CC:-cc} -std=gnu17 -O1 -Wall -Wextra -Wpedantic -Wshadow -Werror -shared -fPIC $DLS_TEST_INCLUDES "$1" -o "$dir/$2.so" >"$dir/out" 2>&1
}

# run TABLES SCENE ARGUMENT...
run() {
    tables=$dir/$1 scene=$2
    shift 2
    rm -rf "$tables"
    "$program" run "$scene" -o "$tables" --figures svg "$@" >"$dir/out" 2>"$dir/err"
}

# column TABLE NAME: the values of that column
column() {
    grep -v '^#' "$1" | awk -F '\t' -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name "[") == 1 || $i == name) c = i; next } { print $c }'
}

# wrong WORDS NAME ARGUMENT...: run with these options ends with status 2 and one line with the words.
wrong() {
    words=$1 name=$2
    shift 2
    refuses "$name" "$words" run "$scenes/pendulum.yaml" --time 0.01 -o "$dir/no" "$@"
}

for example in own_scheme own_xpbd own_joint; do
    compile "$examples/$example.c" $example
    ok $? "$example.c compiles"
done
run static "$scenes/pendulum.yaml" --scheme "$dir/own_scheme.so" --time 0.01
if grep -q 'cannot be loaded: .*undefined symbol' "$dir/err"; then
    skip "shared objects" "the program is linked statically"
    echo "1..$number"
    exit 0
fi

# --- implicit midpoint ---

# gain OUT ...: the largest change of the total energy over the largest kinetic energy
gain() {
    run "$@" && paste "$tables/pendulum.energy.tsv" | grep -v '^#' | awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^kinetic\[/) k = i; if ($i ~ /^total\[/) t = i } next }
        NR == 2 { e = $t } { if ($k > m) m = $k; d = $t - e; if (d < 0) d = -d; if (d > w) w = d } END { printf "%.3e\n", w / m }'
}
midpoint=$(gain m "$scenes/pendulum.yaml" --scheme "$dir/own_scheme.so" --solver block-pivoting --dt 0.02 --time 4)
euler=$(gain e "$scenes/pendulum.yaml" --solver block-pivoting --dt 0.02 --time 4)
echo "# change of energy: $midpoint, Euler $euler" # rounding of 200 steps; Euler has an error of order h
awk -v m="$midpoint" -v e="$euler" 'BEGIN { exit !(m < 1e-12 && e > 1e-4) }'
ok $? "the midpoint rule conserves the energy of a pendulum"
error() { # H: the worst error of the pivot
    run d "$scenes/pendulum.yaml" --scheme "$dir/own_scheme.so" --solver block-pivoting --dt "$1" --time 1 --json &&
        sed 's/.*"joint_error_linear": \([^,]*\),.*/\1/' "$dir/out"
}
awk -v a="$(error 0.004)" -v b="$(error 0.002)" 'BEGIN { print "# position errors", a, b; exit !(a / b > 3.8 && a / b < 4.2) }'
ok $? "its position error is of second order"
run l "$scenes/arm-12.yaml" --scheme "$dir/own_scheme.so" --solver block-pivoting --dt 0.002 --time 0.1 --ledger --json &&
    awk -v m="$(sed 's/.*"ledger_mismatch": \([^,]*\),.*/\1/' "$dir/out")" 'BEGIN { exit !(m < 1e-12) }'
ok $? "its ledger balances"
run s "$scenes/four-bar.yaml" --scheme "$dir/own_scheme.so" --set scheme.passes=3 --solver block-pivoting --time 0.05 --json &&
    grep -q '"scheme": "own-midpoint"' "$dir/out" && ! grep -q '"examined": 0,' "$dir/out" && grep -q '"refuted": 0,' "$dir/out" &&
    grep -q 'scheme.passes' "$dir"/s/*.energy.tsv
ok $? "the examiner confirms its steps, and tables have its settings"

"$program" sweep "$scenes/pendulum.yaml" --schemes "euler,$dir/own_scheme.so" --set solver=block-pivoting --set time=5ms -o "$dir/sweep" >"$dir/out" 2>"$dir/err" &&
    column "$dir/sweep/pendulum.sweep.tsv" outcome | tr '\n' ' ' | grep -q '^finished finished $'
ok $? "sweeps have it beside others"

# --- extended position based dynamics ---

cat >"$dir/spring.yaml" <<'END'
name: spring
world: {gravity: [0, 0, -10], step: 10 ms, duration: 10 s}
bodies:
  - {name: bob, shape: sphere, radius: 0.1 m, mass: 2.5 kg, position: [0, 0, -1]}
joints:
  - {name: spring, type: distance, body1: bob, anchor1: [0, 0, -1], anchor2: [0, 0, 0], stiffness: 1000, damping: 0}
END
for sweeps in 1 4; do
    run x "$dir/spring.yaml" --scheme "$dir/own_xpbd.so" --iterations $sweeps --ledger --json &&
        sed 's/.*"ledger_mismatch": \([^,]*\),.*/\1/' "$dir/out" | awk '{ exit !($1 < 1e-12) }' &&
        column "$tables/spring.trajectory.tsv" z | tail -1 | awk '{ d = -1 - $1 - 0.025; print "# off its static deflection by", d; exit !(d < 1e-9 && d > -1e-9) }'
    ok $? "XPBD ends at the static deflection of a spring, $sweeps sweeps"
done
run x "$scenes/four-bar.yaml" --scheme "$dir/own_xpbd.so" --dt 0.001 --time 0.2 --iterations 20 --ledger --json
sed 's/.*"joint_error_linear": \([^,]*\),.*"ledger_mismatch": \([^,]*\),.*/\1 \2/' "$dir/out" | awk '{ print "#", $0; exit !($1 < 1e-4 && $2 < 1e-12) }'
ok $? "XPBD holds a loop of joints"

# --- a joint type ---

cat >"$dir/ice.yaml" <<'END'
name: ice
world: {gravity: [0, 0, -10], step: 10 ms, duration: 1 s}
bodies:
  - {name: puck, shape: sphere, radius: 0.1 m, mass: 2.5 kg, position: [0, 0, 0]}
joints:
  - {name: ice, type: own-plane, body1: puck, anchor: [0, 0, 0], normal: [0, 3, 4]}
END
run i "$dir/ice.yaml" --joint-type "$dir/own_joint.so" --solver block-pivoting &&
    column "$tables/ice.trajectory.tsv" vy | tail -1 | awk '{ d = $1 - 4.8; print "# off by", d; exit !(d < 1e-13 && d > -1e-13) }' # g sin cos
ok $? "a puck on a plane has the acceleration g sin(slope) along it"
for command in check solve "dump -o $dir/dump"; do
    # shellcheck disable=SC2086
    "$program" $command "$dir/ice.yaml" --joint-type "$dir/own_joint.so" >"$dir/out" 2>"$dir/err"
    ok $? "${command%% *} with the joint type"
done
"$program" list joints --joint-type "$dir/own_joint.so" >"$dir/out" 2>"$dir/err" && grep -q '^ *own-plane' "$dir/out"
ok $? "list has it"
"$program" check "$dir/ice.yaml" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q "there is no joint type 'own-plane'" "$dir/err"
ok $? "without the object there is no such type"

# --- wrong objects ---

write() { # NAME: a C file from standard input, compiled
    { echo '#include <delassus/delassus.h>'; cat; } >"$dir/$1.c"
    compile "$dir/$1.c" "$1"
}
wrong "cannot be loaded" "a scheme whose file is not there" --scheme "$dir/none.so"
wrong "has no 'dls_scheme_plugin_here': declare DLS_SCHEME_PLUGIN" "a joint type as a scheme" --scheme "$dir/own_joint.so"
wrong "has no 'dls_joint_plugin_here': declare DLS_JOINT_PLUGIN" "a scheme as a joint type" --joint-type "$dir/own_scheme.so"
wrong "has no scheme of that name.*own-midpoint" "a scheme that the object has not" --scheme "$dir/own_scheme.so:other"
wrong "the keys are: passes\|passes" "a setting that the scheme has not" --scheme "$dir/own_scheme.so" --set scheme.passs=1
sed 's/own-midpoint/euler/' "$examples/own_scheme.c" >"$dir/taken.c" && compile "$dir/taken.c" taken
wrong "has the name of one of delassus, 'euler'" "a scheme whose name is taken" --scheme "$dir/taken.so"
sed 's/own-plane/hinge/' "$examples/own_joint.c" >"$dir/hinge.c" && compile "$dir/hinge.c" hinge
wrong "there is a joint type 'hinge' already" "a joint type whose name is taken" --joint-type "$dir/hinge.so"
wrong "there is a joint type 'own-plane' already" "two objects with one name" --joint-type "$dir/own_joint.so" --joint-type "$(cp "$dir/own_joint.so" "$dir/copy.so" && echo "$dir/copy.so")"
write old_scheme <<'END'
const dls_scheme_plugin dls_scheme_plugin_here = {0, sizeof(dls_scheme), sizeof(dls_problem), sizeof(dls_list_row), NULL};
END
wrong "was compiled for another delassus" "a scheme of another version" --scheme "$dir/old_scheme.so"
write small_joint <<'END'
const dls_joint_plugin dls_joint_plugin_here = {1, sizeof(dls_joint_type) - 8, sizeof(dls_joint), sizeof(dls_row), NULL};
END
wrong "was compiled for another delassus" "a joint type of another size" --joint-type "$dir/small_joint.so"
write idle <<'END'
static const dls_scheme idle = {.name = "idle", .summary = "nothing", .source = "none", .fields = {NULL, 0, 1}};
DLS_SCHEME_PLUGIN(idle);
END
wrong "lacks name, summary, source, or step" "a scheme without a step" --scheme "$dir/idle.so"
write rowless <<'END'
static const dls_joint_type rowless = {.name = "rowless", .summary = "nothing", .equation = "none"};
DLS_JOINT_PLUGIN(rowless);
END
wrong "lacks name, summary, equation, place" "a joint type without rows" --joint-type "$dir/rowless.so"
echo "1..$number"
