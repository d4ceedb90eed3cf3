#!/bin/sh
# Certificates that travel: every one that is written is accepted by both programs that check them without this library,
# with the same words, and corrupted or forged ones by neither, unless what they claim is still true.
. "$DLS_TEST_SOURCE/tests/script.sh"

echo 1..15
python=
for candidate in /usr/bin/python3 python3; do
    command -v "$candidate" >/dev/null 2>&1 && python=$candidate && break
done
if [ -z "$python" ]; then
    for name in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do skip "certificates $name" "there is no python3"; done
    exit 0
fi
checker=$DLS_TEST_SOURCE/proof/check_certificate.py
second=${DLS_TEST_CHECKER:-proof/check_certificate}
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

count=150 nodes=500 few=few
[ -z "$DLS_TEST_FULL" ] || count=10000 nodes=20000 few=

# both FILE...: their verdicts and words are the same; those of the program are in $dir/out.
both() {
    "$second" "$@" >"$dir/out" 2>"$dir/err"
    "$python" "$checker" "$@" >"$dir/python" 2>>"$dir/err"
    diff "$dir/out" "$dir/python" >"$dir/told"
}

[ "$(wc -l <"$checker")" -le 300 ]
ok $? "the checker in Python has at most 300 lines"

# Drawn problems: all solutions, and where there is one, its distance from impulses that a method has.
"$python" "$DLS_TEST_SOURCE/tests/certificate_problems.py" "$dir" 7 $few 2>"$dir/err"
: >"$dir/told"
for problem in "$dir"/*.json; do
    name=${problem%.json}
    "$program" certify "$problem" -o "$name.all.cert.json" >"$dir/out" 2>>"$dir/told" ||
        echo "$problem: $(cat "$dir/out")" >>"$dir/told"
    grep -q "there is one solution" "$dir/out" || continue
    "$program" solve "$problem" --solver lemke --json >"$dir/answer" 2>/dev/null || continue
    "$program" certify "$problem" "$dir/answer" -o "$name.near.cert.json" >"$dir/out" 2>>"$dir/told" ||
        echo "$problem: $(cat "$dir/out")" >>"$dir/told"
done
nothing_told "certificates of drawn problems are written"

both "$dir"/*.cert.json && ! grep -q REJECTED "$dir/out"
ok $? "all of them are accepted, by both with the same words"

# Mechanisms: joints, contacts, friction laws, redundant rows, articulations.
: >"$dir/told"
mkdir "$dir/scenes"
for scene in "$scenes"/*.yaml; do
    name=$dir/scenes/$(basename "$scene" .yaml)
    "$program" certify "$scene" --nodes $nodes -o "$name.cert.json" >"$dir/out" 2>"$dir/err" ||
        grep -q "no direct method has a solution" "$dir/err" || cat "$dir/out" "$dir/err" >>"$dir/told"
done
nothing_told "the certificate of every scene is written"

both "$dir"/scenes/*.cert.json && ! grep -q REJECTED "$dir/out"
ok $? "all of them are accepted, by both with the same words"

grep -q "no solution" "$dir/out" && grep -q "v+ of all solutions" "$dir/out" && grep -q "b off by" "$dir/out" &&
    grep -q "every point between" "$dir/out" && grep -q "the only solution" "$dir/out"
ok $? "scenes have certificates of all these kinds"

# Corruption and forgery.
"$python" "$DLS_TEST_SOURCE/tests/certificates.py" "$checker" "$second" "$dir" $count 1 "$dir"/*.cert.json \
    "$dir"/scenes/painleve.cert.json "$dir"/scenes/lift.cert.json >"$dir/out" 2>"$dir/err"
status=$?
sed 's/^/# /' "$dir/out"
ok $status "no corrupted certificate is accepted whose claim is false, and both verdicts are the same"

mkdir "$dir/forged"
"$python" "$DLS_TEST_SOURCE/tests/certificate_forgeries.py" "$checker" "$dir/forged" 2>"$dir/err" &&
    both "$dir"/forged/*.true && ! grep -q REJECTED "$dir/out"
ok $? "true certificates of the same form are accepted"

"$second" "$dir"/forged/*.true2 >"$dir/out" 2>"$dir/err"
ok $? "and true ones of kinds that the second program alone knows"

# Redundant loops without the dependent rows; the associated law; existence under friction.
: >"$dir/told"
mkdir "$dir/kinds"
claim() { # claim NAME WORDS ARGUMENT...: writes NAME.cert.json, whose statement has the words
    name=$1 words=$2
    shift 2
    "$program" certify "$@" -o "$dir/kinds/$name.cert.json" >"$dir/out" 2>>"$dir/told"
    grep -q "$words" "$dir/out" || cat "$dir/out" >>"$dir/told"
}
for scene in four-bar bennett; do
    claim $scene "without 3 dependent rows.*there is one solution" "$scenes/$scene.yaml" --independent
done
for k in 3 17; do
    "$program" collection get spheres-associated/$k -o "$dir/kinds/$k.problem" >/dev/null 2>>"$dir/told"
    "$program" solve "$dir/kinds/$k.problem" --solver primal --json >"$dir/kinds/$k.answer" 2>/dev/null
    claim associated-$k "v+ of all solutions" "$dir/kinds/$k.problem" "$dir/kinds/$k.answer"
done
both "$dir"/kinds/associated-*.cert.json && ! grep -q REJECTED "$dir/out" || cat "$dir/out" >>"$dir/told"
for problem in spheres-cone/7 spheres-box/3; do
    "$program" collection get $problem -o "$dir/kinds/contacts.problem" >/dev/null 2>>"$dir/told"
    claim "$(basename $problem)" "contacts stick or slide as stated" "$dir/kinds/contacts.problem" --existence
done
"$second" "$dir"/kinds/*.cert.json >"$dir/out" 2>&1 || cat "$dir/out" >>"$dir/told"
nothing_told "dependent rows, the associated law and existence under friction are stated and proved"

"$python" "$checker" "$dir"/forged/*.forged >"$dir/told" 2>&1
"$second" "$dir"/forged/*.forged >>"$dir/told" 2>&1
sed -i '/: REJECTED: /d' "$dir/told"
nothing_told "forged certificates are rejected by both"

# The table of doc/certificates.md: bounds of Chen and Xiang, and the published example of verlcpall.
if "$python" -c "import numpy" 2>/dev/null; then
    "$python" "$DLS_TEST_SOURCE/tests/certificate_bounds.py" "$program" "$second" "$dir" $few >"$dir/out" 2>"$dir/err"
    ok $? "radii are no smaller than errors, and all 14 solutions of verlcpall's example are found"
else
    skip "bounds beside published ones" "there is no numpy"
fi

# The name of a problem does not depend on how its numbers are written, and depends on each of them.
printf '{"A": [[2.0, 1], [1, 2e0]], "b": [-1, -1.00]}' >"$dir/one"
printf '{"b": [-1.0, -1], "A": [[2, 1.0], [1.0, 2]]}' >"$dir/two"
printf '{"b": [-1.0, -1], "A": [[2, 1.0], [1.0, 2.0000000000000004]]}' >"$dir/three"
for file in one two three; do
    "$program" certify "$dir/$file" 2>/dev/null | sed -n 's/^sha256.*: //p'
done >"$dir/names"
[ "$(sed -n 1p "$dir/names")" = "$(sed -n 2p "$dir/names")" ] && [ "$(sort -u "$dir/names" | wc -l)" -eq 2 ]
ok $? "the name of a problem is that of its numbers"

printf '1 1 1\n' >"$dir/three-impulses"
refuses "impulses of another problem are refused" "holds 3 numbers" certify "$dir/one" "$dir/three-impulses"

"$python" "$checker" "$dir/one" "$dir/none" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && [ "$(grep -c REJECTED "$dir/out")" -eq 2 ]
ok $? "files that are no certificates are rejected"
