#!/bin/sh
# Every installed header compiles alone, as C17 and as C++17, without a warning; schemes need no other headers. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only'
for header in $DLS_TEST_HEADERS; do
    printf '#include "delassus/%s"\n' "$header" >"$dir/alone.c"
    cp "$dir/alone.c" "$dir/alone.cpp"
    { $DLS_TEST_CC -std=c17 $warnings $DLS_TEST_INCLUDES "$dir/alone.c" &&
        $DLS_TEST_CXX -std=c++17 $warnings $DLS_TEST_INCLUDES "$dir/alone.cpp"; } >"$dir/out" 2>&1
    ok $? "$header"
done
[ "$number" -gt 0 ] || echo "Bail out! DLS_TEST_HEADERS names no header"
grep -n '#include "' "$DLS_TEST_SOURCE"/lib/simulation/schemes/*.[ch] |
    grep -vE '"(delassus/[a-z0-9_]+\.h|positions\.h|halfway\.h|mobility\.h|substeps\.h|schemes\.def)"' >"$dir/told"
nothing_told "schemes include public headers alone"
echo "1..$number"
