#!/bin/sh
# Options of the compiler under which error bounds are false are refused, by what configure and the library run; all others
# are accepted. configure stops at once in folders that libtool cannot take. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

cat >"$dir/main.c" <<'END'
#include "arithmetic_fault.h"
#include <stdio.h>
int main(void) { const char *fault = dls_arithmetic_fault(); puts(fault ? fault : "sound"); return fault != NULL; }
END
# holds OPTION...: the verdict on the options: 0 error bounds hold, 1 they do not, 2 the compiler does not have the options.
holds() {
    echo 'int main(void) { return 0; }' >"$dir/none.c"
    # shellcheck disable=SC2086
    ${DLS_TEST_CC:-cc} -std=c17 "$@" "$dir/none.c" -o "$dir/none" >"$dir/told" 2>&1 || return 2
    # shellcheck disable=SC2086
    ${DLS_TEST_CC:-cc} -std=c17 -ffp-contract=off "$@" -I"$DLS_TEST_SOURCE/reference" "$dir/main.c" -o "$dir/main" -lm >"$dir/told" 2>&1 || return 1
    "$dir/main" >"$dir/told"
}

while read -r expected options; do
    # shellcheck disable=SC2086
    holds $options
    case $? in
    "$expected") ok 0 "$options" ;;
    2) skip "$options" "the compiler does not have them" ;;
    *) ok 1 "$options" ;;
    esac
done <<'END'
0 -O0
0 -O2 -g
0 -O3 -fno-math-errno -fno-trapping-math
0 -O2 -fno-signed-zeros
1 -Ofast
1 -O2 -ffast-math
1 -O2 -funsafe-math-optimizations
1 -O1 -fassociative-math -fno-signed-zeros -fno-trapping-math
1 -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
1 -O2 -freciprocal-math
1 -O2 -ffinite-math-only
1 -O2 -mfpmath=387
END
# Contraction changes something where the processor has an fma alone.
if grep -qw fma /proc/cpuinfo 2>/dev/null && ${DLS_TEST_CC:-cc} --version 2>/dev/null | grep -q 'Free Software Foundation'; then
    holds -O2 -mfma -ffp-contract=fast
    [ $? -eq 1 ]
    ok $? "-O2 -mfma -ffp-contract=fast"
else
    skip "-O2 -mfma -ffp-contract=fast" "clang contracts within expressions alone, and other processors have other names"
fi

if [ -x "$DLS_TEST_SOURCE/configure" ]; then
    for name in 'with space' 'with (brackets)' 'with[brackets]' 'colon:'; do
        mkdir "$dir/$name" && (cd "$dir/$name" && "$DLS_TEST_SOURCE/configure") >"$dir/told" 2>&1
        [ $? -ne 0 ] && grep -q "libtool fails in folders such as '$dir/" "$dir/told" && ! grep -q '^checking' "$dir/told"
        ok $? "configure in a folder '$name'"
    done
    (cd "$dir" && "$DLS_TEST_SOURCE/configure" --prefix="$dir/a prefix") >"$dir/told" 2>&1
    [ $? -ne 0 ] && grep -q "libtool fails in folders such as '$dir/a prefix'" "$dir/told"
    ok $? "a prefix with a space"
fi
echo "1..$number"
