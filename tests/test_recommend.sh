#!/bin/sh
# delassus recommend: the command that it prints is one that a shell takes, and its run holds the error against a closed
# form; what cannot be recommended is told. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
if command -v gnuplot >/dev/null; then
    mkdir "$dir/bin" && cp "$DLS_TEST_SOURCE/tests/idle_gnuplot.sh" "$dir/bin/gnuplot"
    PATH=$dir/bin:$PATH
else
    echo "1..0 # SKIP no gnuplot"
    exit 0
fi
delassus() { "$program" "$@"; }

mkdir "$dir/it's here"
cat >"$dir/it's here/a ball.yaml" <<'END'
bodies:
  - {name: ball, shape: sphere, radius: 0.5, mass: 2}
END
"$program" recommend "$dir/it's here/a ball.yaml" --error 0.01 --time 1 --schemes euler --solvers pgs \
    --set 'world.gravity=[0, 0, -1.62]' -o "$dir/out of it" >"$dir/out" 2>"$dir/err"
ok $? "an error that can be held"
command=$(grep '^    delassus run ' "$dir/out")
eval "$command -o \"\$dir/run\"" >"$dir/told" 2>&1
ok $? "the command is one for a shell"
# The ball is 2 sqrt(3) r sqrt(3 / 5) large: the diagonal of a cube of twice its radius of gyration.
grep -v '^#' "$dir/run/a ball.trajectory.tsv" | tail -1 | awk -F'\t' '{
    exit !($1 > 0.999999 && ($5 + 0.81) ^ 2 <= (0.01 * 2 * sqrt(3) * 0.5 * sqrt(0.6)) ^ 2) }'
ok $? "its run holds the error against g t^2 / 2"
[ "$(awk -F'\t' '!/^#/ && $12 == 1' "$dir/out of it/a ball.recommend.tsv" | wc -l)" -eq 1 ] &&
    [ -s "$dir/out of it/a ball.recommend.svg" ]
ok $? "the table marks one run, and the figure is there"

"$program" recommend "$scenes/pendulum.yaml" --error 1e-18 --time 1 -o "$dir/none" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'No error of 1e-18 can be asked for beyond ' "$dir/out" && [ ! -e "$dir/none" ]
ok $? "an error below that of the truth"
"$program" recommend "$scenes/pendulum.yaml" --error 1e-7 --time 1 --seconds 1ms --schemes euler -o "$dir/few" \
    >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'No settings that were tried are known to hold an error of 1e-07' "$dir/out" &&
    grep -q 'the budget of --seconds is spent' "$dir/out" && [ -s "$dir/few/pendulum.recommend.tsv" ]
ok $? "a budget that is too small"
refuses "no error" "error is missing" recommend "$scenes/pendulum.yaml" -o "$dir/no"
refuses "an error of 0" "not a positive number" recommend "$scenes/pendulum.yaml" --error 0 -o "$dir/no"
refuses "a scene that changes" "changes during the run" recommend "$scenes/changing.yaml" --error 1 -o "$dir/no"
refuses "an unknown scheme" "there is no scheme 'foo'" recommend "$scenes/pendulum.yaml" --error 1 --schemes foo
refuses "an unknown solver" "there is no solver 'foo'" recommend "$scenes/pendulum.yaml" --error 1 --solvers foo
printf 'bodies:\n  - {name: rock, static: true, shape: sphere, radius: 1}\n' >"$dir/still.yaml"
refuses "nothing that moves" "can move" recommend "$dir/still.yaml" --error 1 -o "$dir/no"
[ ! -e "$dir/no" ]
ok $? "what is refused writes nothing"
echo "1..$number"
