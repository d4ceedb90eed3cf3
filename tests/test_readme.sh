#!/bin/sh
# README.md: its first scene and commands give what it prints; every link in it and in doc/ leads to a
# file, and every test that doc/errata.md names is there. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
here=$(pwd)
source=$DLS_TEST_SOURCE

sed -n '/^```yaml$/,/^```$/p' "$source/README.md" | sed '/^```/d' >"$dir/hook.yaml"
[ "$(grep -c . "$dir/hook.yaml")" -ge 5 ]
ok $? "README.md has a scene"

ln -s "$here/delassus" "$dir/delassus"
sed -n 's/^    \(\.\/delassus .*hook\.yaml[^#]*\).*/\1/p' "$source/README.md" >"$dir/commands"
while IFS= read -r command; do
    (cd "$dir" && sh -c "$command") >"$dir/told" 2>&1
    status=$?
    grep -q 'gnuplot could not be started' "$dir/told" && status=0
    ok $status "$command"
    case $command in *compare*) cp "$dir/told" "$dir/compared" ;; esac
done <"$dir/commands"
[ "$(grep -c . "$dir/commands")" -eq 3 ]
ok $? "README.md has three commands on it"

# Solvers, outcomes, iterations, row visits and the first four digits of the rates: what no processor changes.
table() { awk '$2 == "solved" || $2 == "iteration-limit" { print $1, $2, $3, $6, substr($9, 1, 6), $10, $11 }' "$1"; }
sed -n '/^The second command prints$/,/^## /p' "$source/README.md" | sed 's/^    //' >"$dir/printed"
table "$dir/printed" >"$dir/claimed"
table "$dir/compared" >"$dir/found"
diff "$dir/claimed" "$dir/found" >"$dir/told" && [ -s "$dir/claimed" ]
ok $? "the second prints what README.md says"

# Links within the project.
for page in README.md CONTRIBUTING.md $(cd "$source" && ls doc/*.md); do
    grep -o '](\([^)#]*\)[^)]*)' "$source/$page" | sed 's/^](//; s/[#)].*//' | grep -v -e '^https\{0,1\}:' -e '^$' | sort -u |
        while IFS= read -r link; do
            [ -e "$source/$(dirname "$page")/$link" ] || echo "$page: $link"
        done
done >"$dir/told"
[ ! -s "$dir/told" ]
ok $? "links lead to files"

# The tests that doc/errata.md names: one of each, which a rename would lose.
grep -o '`test_[a-z0-9_]*`' "$source/doc/errata.md" | tr -d '`' | sort -u >"$dir/named"
while IFS= read -r name; do
    grep -q "^TEST($name)" "$source"/tests/*.c || echo "doc/errata.md: $name"
done <"$dir/named" >"$dir/told"
[ ! -s "$dir/told" ] && [ -s "$dir/named" ]
ok $? "the tests of doc/errata.md are there"
echo "1..$number"
