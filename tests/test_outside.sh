#!/bin/sh
# Other programs as solvers: right ones, and those that crash, hang, lie or babble. TAP.
program=${DLS_TEST_PROGRAM:-./delassus}
scenes=$DLS_TEST_SOURCE/scenes
DELASSUS_DATADIR=$DLS_TEST_SOURCE
export DELASSUS_DATADIR
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
number=0

ok() { # status, name
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; sed 's/^/# /' "$dir/out" "$dir/err" 2>/dev/null | head -20; fi
}

# ends STATUS WORDS NAME COMMAND ARGUMENT...: the solver exec:COMMAND ends the solve with that status, and the words are said.
ends() {
    want=$1 words=$2 name=$3 command=$4
    shift 4
    "$program" solve "$scenes/pendulum.yaml" --solver "exec:$command" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got -eq "$want" ] && grep -q -- "$words" "$dir/out" "$dir/err"
    ok $? "$name"
}

"$program" solve "$scenes/pendulum.yaml" --solver lemke --json | sed 's/.*"lambda": \[\([^]]*\)\].*/\1/' >"$dir/answer"

ends 0 "certified: active set proved" "plain numbers" "cat $dir/answer"
ends 0 "certified" "a JSON array" "(echo '['; cat $dir/answer; echo ']')"
ends 0 " 3 " "iterates, then the answer" "echo 0 0 0; echo 1 1 1; cat $dir/answer"
ends 1 "scaled residual of" "a lie is found out" "echo 1 2 3"
ends 1 "answered 2 numbers; 3 rows need 3" "too few" "echo 1 2"
ends 1 "answered 4 numbers" "too many" "echo 1 2 3 4"
ends 1 "answered 0 numbers" "nothing" "true"
ends 1 "'hello' in the program's answer is no number" "babble" "echo hello"
ends 1 "impulse 1 is not a number" "NaN" "echo 0 nan 0"
ends 1 "impulse 2 is not a number" "null" "echo '[0, 0, null]'"
ends 1 "ended with status 3: out of luck" "a failure with its last words" "echo first >&2; echo out of luck >&2; exit 3"
ends 1 "ended with status 127" "a program that is not there" "no-such-program"
ends 1 "ended by signal 11" "a crash" 'kill -SEGV $$'
ends 1 "no answer within 0.5 s: killed" "a program that hangs" "sleep 100" --set seconds=0.5
ends 1 "no answer within 0.5 s: killed" "one that babbles without end" "yes" --set seconds=0.5
ends 0 "certified" "what it leaves running is ended" "sleep 100 >/dev/null 2>&1 & cat $dir/answer"
ends 1 "answered 0" "one that does not read" "exec <&-"
ends 2 "needs a command" "no command" " "

# What it reads.
ends 1 "" "JSON on standard input" "cat >$dir/problem.json"
grep -q '"n": 3' "$dir/problem.json" && grep -q '"A": \[\[' "$dir/problem.json" && grep -q '"lo": \[null' "$dir/problem.json"
ok $? "its A, b and bounds"
ends 1 "" "the text of a problem" "cat >$dir/problem.text" --set input=text
"$program" solve "$dir/problem.text" --solver lemke >"$dir/out" 2>"$dir/err"
ok $? "which is solved again"
[ -z "$(ls "${TMPDIR:-/tmp}" | grep delassus-exec)" ]
ok $? "no temporary file is left"

# In a comparison and in a run, beside our own.
cat >"$dir/zero.sh" <<'END'
tr '[' '\n' | sed -n 's/^\([-0-9.e, ]*\)\], "b".*/\1/p' | tr ',' '\n' | sed 's/.*/0/'
END
"$program" compare "$scenes/pendulum.yaml" --solvers "exec:cat $dir/answer,pgs" -o "$dir/o" >"$dir/out" 2>"$dir/err"
ok $? "compare takes it"
grep -q 'exec:cat-answer' "$dir"/o/*.tsv
ok $? "its history stands in the table"
"$program" run "$scenes/pendulum.yaml" --solver "exec:sh $dir/zero.sh" --dt 0.01 --time 0.05 -o "$dir/r" >"$dir/out" 2>"$dir/err"
[ $? -le 1 ] && grep -q 'refuted' "$dir/out"
ok $? "run counts its steps, and the examiner refutes them"

# Projected Gauss-Seidel in Python: the same iterates as ours, to rounding.
if command -v python3 >/dev/null 2>&1; then
    "$program" solve "$scenes/four-bar.yaml" --solver "exec:python3 $DLS_TEST_SOURCE/examples/own_solver.py" --solver pgs --json >"$dir/out" 2>"$dir/err"
    [ $? -eq 0 ] && [ "$(sed 's/.*"iterations": \([0-9]*\).*/\1/' "$dir/out" | sort -u | wc -l)" -eq 1 ]
    ok $? "a solver in Python needs as many sweeps as ours"
else
    number=$((number + 1)); echo "ok $number - a solver in Python # SKIP no python3"
fi
echo "1..$number"
