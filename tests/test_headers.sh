#!/bin/sh
# Every installed header compiles alone, as C17 and as C++17, without a warning; schemes need no other headers. TAP.
number=0
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only'
for header in $DLS_TEST_HEADERS; do
    printf '#include "delassus/%s"\n' "$header" >"$dir/alone.c"
    cp "$dir/alone.c" "$dir/alone.cpp"
    number=$((number + 1))
    if { $DLS_TEST_CC -std=c17 $warnings $DLS_TEST_INCLUDES "$dir/alone.c" &&
        $DLS_TEST_CXX -std=c++17 $warnings $DLS_TEST_INCLUDES "$dir/alone.cpp"; } >"$dir/out" 2>&1
    then echo "ok $number - $header"
    else echo "not ok $number - $header"; sed 's/^/# /' "$dir/out" | head -20; fi
done
[ "$number" -gt 0 ] || echo "Bail out! DLS_TEST_HEADERS names no header"
number=$((number + 1))
grep -n '#include "' "$DLS_TEST_SOURCE"/lib/simulation/schemes/*.[ch] | grep -vE '"(delassus/[a-z0-9_]+\.h|positions\.h|schemes\.def)"' >"$dir/out"
if [ -s "$dir/out" ]; then echo "not ok $number - schemes include public headers alone"; sed 's/^/# /' "$dir/out"
else echo "ok $number - schemes include public headers alone"; fi
echo "1..$number"
