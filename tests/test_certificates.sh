#!/bin/sh
# Certificates that travel: every one that is written is accepted by the program that checks them without this library,
# and corrupted ones are not, unless what they claim is still true.
. "$DLS_TEST_SOURCE/tests/script.sh"

echo 1..9
python=
for candidate in /usr/bin/python3 python3; do
    command -v "$candidate" >/dev/null 2>&1 && python=$candidate && break
done
if [ -z "$python" ]; then
    for name in 1 2 3 4 5 6 7 8 9; do skip "certificates $name" "there is no python3"; done
    exit 0
fi
checker=$DLS_TEST_SOURCE/proof/check_certificate.py
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

count=500 nodes=500
[ -z "$DLS_TEST_FULL" ] || count=10000 nodes=20000

[ "$(wc -l <"$checker")" -le 300 ]
ok $? "the checker has at most 300 lines"

# Drawn problems: all solutions, and where there is one, its distance from impulses that a method has.
"$python" "$DLS_TEST_SOURCE/tests/certificate_problems.py" "$dir" 7 2>"$dir/err"
: >"$dir/told"
for problem in "$dir"/*.json; do
    name=${problem%.json}
    "$program" certify "$problem" -o "$name.all.cert.json" >"$dir/out" 2>>"$dir/told" || echo "$problem: $(cat "$dir/out")" >>"$dir/told"
    grep -q "there is one solution" "$dir/out" || continue
    "$program" solve "$problem" --solver lemke --json >"$dir/answer" 2>/dev/null || continue
    "$program" certify "$problem" "$dir/answer" -o "$name.near.cert.json" >"$dir/out" 2>>"$dir/told" ||
        echo "$problem: $(cat "$dir/out")" >>"$dir/told"
done
nothing_told "certificates of drawn problems are written"

"$python" "$checker" "$dir"/*.cert.json >"$dir/out" 2>"$dir/err"
ok $? "all of them are accepted"

# Mechanisms: joints, contacts, friction laws, redundant rows, articulations.
: >"$dir/told"
mkdir "$dir/scenes"
for scene in "$scenes"/*.yaml; do
    name=$dir/scenes/$(basename "$scene" .yaml)
    "$program" certify "$scene" --nodes $nodes -o "$name.cert.json" >"$dir/out" 2>"$dir/err"
    case $? in
    0) "$python" "$checker" "$name.cert.json" >>"$dir/checked" 2>&1 || tail -n 1 "$dir/checked" >>"$dir/told" ;;
    *) grep -q "no direct method has a solution" "$dir/err" || cat "$dir/out" "$dir/err" >>"$dir/told" ;;
    esac
done
nothing_told "the certificate of every scene is accepted"

grep -q "no solution" "$dir/checked" && grep -q "v+ of all solutions" "$dir/checked" && grep -q "b off by" "$dir/checked" &&
    grep -q "every point between" "$dir/checked" && grep -q "the only solution" "$dir/checked"
ok $? "scenes have certificates of all these kinds"

# Corruption.
"$python" "$DLS_TEST_SOURCE/tests/certificates.py" "$checker" $count 1 "$dir"/*.cert.json "$dir"/scenes/painleve.cert.json \
    "$dir"/scenes/lift.cert.json >"$dir/out" 2>"$dir/err"
status=$?
sed 's/^/# /' "$dir/out"
ok $status "no corrupted certificate is accepted whose claim is false"

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
