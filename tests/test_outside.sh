#!/bin/sh
# Other programs as solvers: right ones, and those that crash, hang, lie or babble. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

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
ends 0 '"seconds": 0.25,' "the time that it says" "echo 0 0 0 seconds 0.125; echo 0 0 1; cat $dir/answer; echo seconds 0.25" --json
ends 0 '"seconds": 0.125,' "the time of the iterate that is the answer" "cat $dir/answer; echo seconds 0.125; cat $dir/answer; echo seconds 1e3" --json
ends 1 "'seconds' and a time from 0 on stand behind a vector of 3 numbers" "a time within a vector" "echo 1 2 seconds 0.1 3"
ends 1 "'seconds' and a time from 0 on" "a negative time" "echo 1 2 3 seconds -0.1"
ends 1 "ends with 'seconds', without a number" "no time" "echo 1 2 3 seconds"
ends 4 "iteration-limit" "an answer above the tolerance, which nobody claims" "echo 1 2 3"
ends 1 "says solved, the examiner finds a scaled residual of" "a lie is found out" "echo 1 2 3; echo status solved"
ends 0 "certified" "a claim that is true" "cat $dir/answer; echo status solved"
ends 4 "iteration-limit" "its own iteration limit" "echo 1 2 3; echo status iteration-limit"
ends 1 "refused.*only boxes" "a refusal, and its reason" "echo status refused only boxes"
ends 1 "not solved: the program gives no reason" "a refusal without one" "echo status refused"
ends 4 "out of patience" "its own time limit" "echo 1 2 3; echo status time-limit out of patience"
ends 1 "a status is solved, no-solution, refused" "no status" "echo 1 2 3; echo status splendid"
ends 1 "goes on behind its status" "numbers behind the status" "echo status solved; echo 1 2 3"
ends 1 "answered 0 numbers" "a claim without an answer" "echo status solved"
ends 1 "its Farkas vector is not proved" "no solution, which is false" "echo 1 2 3; echo status no-solution"
ends 1 "answered 2 numbers; 3 rows need 3" "too few" "echo 1 2"
ends 1 "answered 4 numbers" "too many" "echo 1 2 3 4"
ends 1 "answered 0 numbers" "nothing" "true"
ends 1 "'hello' in the program's answer is no number" "babble" "echo hello"
ends 1 "impulse 1 is not a number" "NaN" "echo 0 nan 0"
ends 1 "impulse 2 is not a number" "null" "echo '[0, 0, null]'"
ends 1 "failed: .*ended with status 3: out of luck" "a failure with its last words" "echo first >&2; echo out of luck >&2; exit 3"
ends 1 "ended with status 127" "a program that is not there" "no-such-program"
ends 1 "ended by signal 11" "a crash" 'kill -SEGV $$'
ends 4 "time-limit" "a program that hangs" "sleep 100" --set seconds=0.5
ends 4 "time-limit" "one that babbles without end" "yes" --set seconds=0.5
ends 0 "certified" "what it leaves running is ended" "sleep 100 >/dev/null 2>&1 & cat $dir/answer"
# The end of the command is the end of its answer, whoever else holds the pipe, writes on, or has left its group.
ends 0 "certified" "what it leaves running with its pipes is ended" "sleep 100 & cat $dir/answer" --set seconds=30
ends 0 "certified" "so is what only holds its standard error" "sleep 100 >/dev/null & cat $dir/answer" --set seconds=30
ends 1 "ended with status 3: last words" "the end of a failure with such a one" "sleep 100 & echo last words >&2; exit 3" --set seconds=30
if command -v setsid >/dev/null 2>&1; then
    ends 0 "certified" "one that has left the group is not waited for" "setsid sleep 5 & cat $dir/answer" --set seconds=30
fi
ends 1 "answered 0" "one that does not read" "exec <&-"
ends 4 "time-limit" "one that hangs with its streams closed" 'exec >&- 2>&-; sleep 100' --set seconds=0.5
ends 1 "a zero byte" "a zero byte" "cat $dir/answer; printf '\\000 7'"
ends 1 "status 3: the last words" "the last of many words" 'seq 20000 >&2; echo the last words >&2; exit 3'
ends 2 "needs a command" "no command" " "

# The problem that it reads.
ends 1 "" "JSON on standard input" "cat >$dir/problem.json"
grep -q '"n": 3' "$dir/problem.json" && grep -q '"A": \[\[' "$dir/problem.json" && grep -q '"lo": \[null' "$dir/problem.json"
ok $? "its A, b and bounds"
ends 1 "" "the text of a problem" "cat >$dir/problem.text" --set input=text
"$program" solve "$dir/problem.text" --solver lemke >"$dir/out" 2>"$dir/err"
ok $? "which is solved again"
[ -z "$(ls "${TMPDIR:-/tmp}" | grep delassus-exec)" ]
ok $? "no temporary file is left"

# In a comparison and in a run, beside our own.
"$program" compare "$scenes/pendulum.yaml" --solver "pgs,exec:cat $dir/answer" -o "$dir/o" >"$dir/out" 2>"$dir/err"
ok $? "compare takes it"
grep -q 'exec:cat-answer' "$dir"/o/*.tsv
ok $? "its history stands in the table"
"$program" run "$scenes/pendulum.yaml" --solver "exec:sed 's/.*/0 0 0/'" --dt 0.01 --time 0.05 -o "$dir/r" >"$dir/out" 2>"$dir/err"
[ $? -eq 0 ] && grep -q ' 0 confirmed, 0 refuted, 5 undecided' "$dir/out" && grep -q 'undecided: 5 of 5 steps are above 1e-09' "$dir/out"
ok $? "run counts its steps, and says what undecided means"
"$program" run "$scenes/pendulum.yaml" --solver "exec:cat >/dev/null; echo 0 0 0; echo status solved" --dt 0.01 --time 0.05 -o "$dir/r" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q ' 0 confirmed, 5 refuted' "$dir/out" && grep -q '5 of 5 steps are unsolved; the first is step 1, from 0 s' "$dir/err"
ok $? "and the examiner refutes what it claims"

# A run ends before the first step that its solver does not solve, whatever the failure is: the reason is told once, with
# the step and the time, and the tables are those of the steps before it.
cat >"$dir/second.sh" <<'END'
n=$(($(cat "$1/count" 2>/dev/null || echo 0) + 1))
echo $n >"$1/count"
[ $n -lt 3 ] || eval "$2"
sed 's/.*/0 0 0/'
END
unsolved() { # WORDS NAME SOLVER ARGUMENT...: the solver solves two steps
    words=$1 name=$2 solver=$3
    shift 3
    rm -rf "$dir/r" "$dir/count"
    "$program" run "$scenes/pendulum.yaml" --solver "$solver" --dt 0.01 --time 1 -o "$dir/r" --examine never --set seconds=1 "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && [ "$(grep -c -- "$words" "$dir/err")" = 1 ] && grep -q 'step 3, from 0.02 s, is not solved' "$dir/err" &&
        [ "$(tail -1 "$dir/r/pendulum.trajectory.tsv" | cut -f1)" = 0.02 ]
    ok $? "run: $name"
}
unsolved "numerical-failure: the program ended with status 3: gave up" "a solver that ends" "exec:sh $dir/second.sh $dir 'echo gave up >&2; exit 3'"
unsolved 'numerical-failure: the program ended .*\(139\|signal 11\)' "one that crashes" "exec:sh $dir/second.sh $dir 'kill -SEGV \$\$'"
unsolved "numerical-failure: impulse 1 is not a number" "NaN" "exec:sh $dir/second.sh $dir 'echo 0 nan 0; exit'"
unsolved "numerical-failure: the program answered 2 numbers" "too few numbers" "exec:sh $dir/second.sh $dir 'echo 1 2; exit'"
unsolved "time-limit: no answer within 1 s" "a hang" "exec:sh $dir/second.sh $dir 'sleep 100'"
for more in "" "--samples 2" "--scheme small-steps --iterations 1" "--scheme split-impulse" "--scheme projection-newton" "--ledger" "--format hdf5"; do
    case $more in *hdf5) "$program" run "$scenes/pendulum.yaml" --format hdf5 --time 0.001 -o "$dir/h" 2>&1 | grep -q 'without HDF5' && continue ;; esac
    rm -rf "$dir/r" "$dir/count"
    # shellcheck disable=SC2086
    "$program" run "$scenes/pendulum.yaml" --solver "exec:sh $dir/second.sh $dir 'exit 3'" --dt 0.01 --time 1 $more -o "$dir/r" >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && [ "$(grep -c 'is not solved.*numerical-failure: .*status 3' "$dir/err")" = 1 ] || echo "$more"
done >"$dir/told"
[ ! -s "$dir/told" ]
ok $? "with any scheme and any tables"
rm -f "$dir/count"
"$program" run "$scenes/pendulum.yaml" --solver "exec:sh $dir/second.sh $dir 'exit 3'" --dt 0.01 --time 0.05 --examine never --go-on --json -o "$dir/r" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q '"steps": 5,.*"steps_unsolved": 3, "unsolved": {"step": 3,.*status 3.*"ended": "finished"' "$dir/out"
ok $? "with --go-on it goes on, and the exit status stays"
rm -rf "$dir/count" "$dir/r"
"$program" sweep "$scenes/pendulum.yaml" --over "solver=pgs,exec:false" --set time=0.01 -o "$dir/r" >"$dir/out" 2>"$dir/err"
grep -v '^#' "$dir"/r/*.sweep.tsv | cut -f2-4,17- | tail -1 | grep -q '^exec:false	unsolved	0	step 1 from 0 s: numerical-failure: the program ended with status 1'
ok $? "a sweep has the reason in the row of the cell"
"$program" compare "$scenes/pendulum.yaml" --solver exec:false -o "$dir/o" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'ended with status 1' "$dir/out"
ok $? "compare of a solver that fails alone is no success"

# Projected Gauss-Seidel in Python: the same iterates as ours, to rounding.
if command -v python3 >/dev/null 2>&1; then
    "$program" solve "$scenes/four-bar.yaml" --solver "exec:python3 $DLS_TEST_SOURCE/examples/own_solver.py" --solver pgs --json >"$dir/out" 2>"$dir/err"
    [ $? -eq 0 ] && [ "$(sed 's/.*"iterations": \([0-9]*\).*/\1/' "$dir/out" | sort -u | wc -l)" -eq 1 ]
    ok $? "a solver in Python needs as many sweeps as ours"
else
    number=$((number + 1)); echo "ok $number - a solver in Python # SKIP no python3"
fi
# Shared objects. A program that is linked statically has no functions for them, and says so.
includes="-I$DLS_TEST_SOURCE/lib -I$DLS_TEST_SOURCE/solvers -I$DLS_TEST_SOURCE/reference -I$DLS_TEST_SOURCE/experiments"
plugin() { # MODE, or nothing for the example: its file is $dir/MODE.so or $dir/own.so
    source=$DLS_TEST_SOURCE/examples/own_plugin.c file=own
    [ $# -eq 0 ] || { source=$DLS_TEST_SOURCE/tests/outside_plugin.c; file=$1; }
    # shellcheck disable=SC2086
    ${DLS_TEST_CC:-cc} -std=gnu17 -O1 -shared -fPIC $includes ${1:+-DMODE=$1} "$source" -o "$dir/$file.so" >"$dir/out" 2>&1
}

# loads STATUS WORDS NAME MODE ARGUMENT...
loads() {
    want=$1 words=$2 name=$3 mode=$4
    shift 4
    plugin "$mode" && "$program" solve "$scenes/pendulum.yaml" --solver "$dir/$mode.so" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got -eq "$want" ] && grep -q -- "$words" "$dir/out" "$dir/err"
    ok $? "$name"
}

plugin && "$program" solve "$scenes/pendulum.yaml" --solver "$dir/own.so" >"$dir/out" 2>"$dir/err"
if grep -q 'cannot be loaded: .*undefined symbol' "$dir/err"; then
    number=$((number + 1)); echo "ok $number - shared objects # SKIP the program is linked statically"
    echo "1..$number"
    exit 0
fi
plugin && "$program" solve "$scenes/four-bar.yaml" --solver "$dir/own.so" --solver pgs --json >"$dir/out" 2>"$dir/err"
[ $? -eq 0 ] && [ "$(sed 's/.*"iterations": \([0-9]*\).*/\1/' "$dir/out" | sort -u | wc -l)" -eq 1 ]
ok $? "a shared object needs as many sweeps as ours"
"$program" solve "$scenes/four-bar.yaml" --solver "inside:$dir/own.so" >"$dir/out" 2>"$dir/err" && grep -q '^textbook  *solved' "$dir/out"
ok $? "in our own process"
"$program" compare "$scenes/pendulum.yaml" --solvers "$dir/own.so,pgs" -o "$dir/c" >"$dir/out" 2>"$dir/err" && grep -q 'textbook' "$dir"/c/*.tsv
ok $? "compare draws it"
"$program" run "$scenes/pendulum.yaml" --solver "$dir/own.so" --dt 0.01 --time 0.1 -o "$dir/s" >"$dir/out" 2>"$dir/err"
ok $? "run steps with it"
loads 1 "a scaled residual of" "a lie is found out" LIE
loads 1 '"lambda": .2.5, 2.5, 2.5.' "its settings" RIGHT --set badly.value=2.5 --json
loads 2 "the keys are: value, seconds" "a setting that it has not" RIGHT --set badly.colour=1
loads 1 "ended by signal 11 .*before the end" "a crash and its last words" CRASH
loads 1 "ended by signal 11" "a crash in its opening" CRASH_IN_OPEN
loads 4 "no answer within 0.5 s: killed" "a hang" HANG --set seconds=0.5
loads 1 "ended by signal 11" "a crash that leaves a process with its pipes" CRASH_AND_LEAVE --set seconds=30
for mode in CRASH CRASH_AND_LEAVE EXIT NOT_A_NUMBER REFUSE NO_SOLUTION; do
    plugin $mode && "$program" run "$scenes/pendulum.yaml" --solver "$dir/$mode.so" --time 0.01 -o "$dir/r" >"$dir/out" 2>"$dir/err"
    [ $? -eq 1 ] && grep -q 'step 1, from 0 s, is not solved' "$dir/err" || echo $mode
done >"$dir/told"
[ ! -s "$dir/told" ]
ok $? "run ends with all of these, and with a proof that is none"
"$program" solve "$scenes/pendulum.yaml" --solver "inside:$dir/HANG.so" --seconds 0.5 >"$dir/out" 2>"$dir/err"
[ $? -eq 4 ] && grep -q '^badly  *time-limit' "$dir/out"
ok $? "a hang in our own process, with a time limit for all"
# With its parent a solver ends too: its process keeps the descriptor, so that cat ends only then.
case $(uname -s) in
Linux)
    mkfifo "$dir/held"
    "$program" solve "$scenes/pendulum.yaml" --solver "$dir/HANG.so" --seconds 50 >/dev/null 2>&1 9>"$dir/held" &
    parent=$!
    { sleep 1; kill -KILL $parent; } &
    timeout 20 cat "$dir/held" >"$dir/out" 2>"$dir/err"
    ok $? "a hang ends with our process"
    wait
    ;;
esac
loads 1 "ended with status 7" "an exit" EXIT
loads 1 "impulse 0 is not a number" "NaN" NOT_A_NUMBER
loads 1 "it does not like the problem" "a refusal" REFUSE
loads 1 "no solution, and gives no proof" "no solution without a proof" NO_SOLUTION
loads 2 "was compiled for another delassus" "another version" OLD
loads 2 "lacks name, summary" "an incomplete descriptor" INCOMPLETE
loads 2 "lacks name, summary" "no descriptor" EMPTY
for lacking in NO_NAME NO_SUMMARY NO_SOURCE NO_OPEN NO_ITERATE NO_CLOSE; do
    loads 2 "lacks name, summary" "a descriptor with $lacking" $lacking
done
for of in OLD_SOLVER OLD_PROBLEM OLD_REPORT; do
    loads 2 "was compiled for another delassus" "a structure of another size, $of" $of
done
loads 2 "it has lost its numbers" "a failure within an iteration" LOST
# w = -1 whatever lambda is: the vector 1 proves that there is no solution, and on the problem of a pendulum it does not.
mkdir "$dir/void"
printf '%%%%MatrixMarket matrix array real general\n1 1\n0\n' >"$dir/void/A.mtx"
printf '%%%%MatrixMarket matrix array real general\n1 1\n-1\n' >"$dir/void/b.mtx"
loads 1 "its Farkas vector is not proved" "a wrong proof that there is no solution" FARKAS
"$program" solve "$dir/void" --solver "$dir/FARKAS.so" >"$dir/out" 2>"$dir/err"
[ $? -eq 3 ] && grep -q 'proved exactly' "$dir/out"
ok $? "a right one"
"$program" solve "$dir/void" --solver "exec:echo 1; echo status no-solution" >"$dir/out" 2>"$dir/err"
[ $? -eq 3 ] && grep -q 'proved exactly' "$dir/out"
ok $? "one of another program"
mkdir "$dir/identity"
printf '%%%%MatrixMarket matrix array real general\n2 2\n1 0 0 1\n' >"$dir/identity/A.mtx"
printf '%%%%MatrixMarket matrix array real general\n2 1\n-2.5 -2.5\n' >"$dir/identity/b.mtx"
loads 2 "has several solvers; name one behind a colon, PATH:NAME: badly second" "several, of which none is named" TWO
"$program" solve "$dir/identity" --solver "$dir/TWO.so:second" >"$dir/out" 2>"$dir/err"
grep -q '^second  *numerical-failure' "$dir/out"
ok $? "one of several, by its name"
"$program" solve "$dir/identity" --solver "$dir/TWO.so:third" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'has no solver of that name.*badly second' "$dir/err"
ok $? "a name that none of several has"
loads 2 "has no 'dls_plugin_here'" "a shared object of another kind" NOTHING
plugin SEVERAL && "$program" solve "$dir/identity" --solver "$dir/SEVERAL.so" --set badly.value=2.5 >"$dir/out" 2>"$dir/err"
[ $? -eq 0 ] && grep -q '^badly  *solved ' "$dir/out" && grep -q 'lists no second solution' "$dir/out"
ok $? "several solutions of which none is listed are one"
# Objects that change the floating-point environment when they are loaded change no verdict.
cat >"$dir/denormal.json" <<'END'
{"n": 3, "A": [[0, 0, 0], [0, 5.4683415146672981e-304, 0], [0, 0, 2.7341707573336491e-304]],
 "b": [1.5810100666919889e-322, -7.9050503334599447e-323, 1.5810100666919889e-322]}
END
judged() { # SOLVER: what is said of the other solvers in the same process
    "$program" solve "$dir/denormal.json" --solver "$1,dantzig,lemke,block-pivoting,enumeration,newton,exact,pgs" --json 2>"$dir/err" |
        sed -E -e 1d -e 's/"(total_)?seconds": [^,]*//g'
}
judged pgs >"$dir/usual"
for where in '' inside:; do
    plugin OTHER_ARITHMETIC && judged "$where$dir/OTHER_ARITHMETIC.so" >"$dir/other"
    [ "$(grep -c outcome "$dir/usual")" -eq 7 ] && cmp -s "$dir/usual" "$dir/other"
    ok $? "another floating-point environment, $where"
done
plugin BROKEN_PIPE && "$program" run "$scenes/pendulum.yaml" --solver "$dir/BROKEN_PIPE.so" --dt 0.01 --time 0.03 -o "$dir/pipe" >"$dir/out" 2>"$dir/err"
[ -s "$dir/pipe/pendulum.energy.tsv" ] && [ -s "$dir/pipe/pendulum.trajectory.tsv" ]
ok $? "a signal in its process leaves our tables alone"
if command -v gnuplot >/dev/null; then
    (cd "$dir" && case $program in /*) ;; *) program=$OLDPWD/$program ;; esac &&
        "$program" experiment peers -o table --set solvers=./LIE.so,./REFUSE.so,pgs --set rows=3 --set made=1) >"$dir/out" 2>"$dir/err"
    grep -v '^#' "$dir/table/peers.summary.tsv" | awk -F '\t' '
        NR == 1 { next }
        $1 == "pgs" { good = $2 > 0 && $6 == 0 }
        seen++ == 0 { lies = $2 == 0 && $6 > 0 && $3 + $4 + $5 == 0; all = $6 + $7 }
        seen == 2 { refusals = $7 == all && $8 == 0 }
        END { exit !(good && lies && refusals) }'
    ok $? "the experiment counts lies, refusals and right answers"
    awk -F '\t' '/^#/ || $1 == "kind" { next } $8 == "silently-wrong" && !($6 == "solved" && $7 == "numerical-failure" && $10 > 1e-6) { bad++ } END { exit bad > 0 }' "$dir/table/peers.answers.tsv"
    ok $? "silently wrong is a claim that the examiner refutes"
fi
"$program" solve "$scenes/pendulum.yaml" --solver ./none.so >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q "none.so: cannot be loaded" "$dir/err"
ok $? "no such file"
echo "1..$number"
