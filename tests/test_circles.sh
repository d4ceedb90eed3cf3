#!/bin/sh
# Calls between the objects of the libraries: none of two files that call each other, directly or through others, and none
# against the direction of the house. Tables that name methods are data, not calls, and peers are plug-ins. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

# calls OBJECTS: the pairs "caller called" of source files; objects whose source is gone are left out.
calls() {
    while read -r object; do
        folder=${object%/*} file=${object##*/}
        source=${folder%/.libs}/${file#*_la-}
        [ -e "${DLS_CALLS_SOURCE:-$DLS_TEST_SOURCE}/${source%.o}.c" ] && nm "$object" | sed "s,^,${source%.o} ,"
    done <"$1" | awk 'NF > 2 && $(NF - 1) == "T" { home[$NF] = $1 } $(NF - 1) == "U" { call[$1 " " $NF] = 1 }
        END { for (k in call) { split(k, a, " "); if (a[2] in home && home[a[2]] != a[1]) print a[1], home[a[2]] } }' | LC_ALL=C sort -u
}

mkdir "$dir/a" "$dir/b"
echo 'void second(void); void first(void); void first(void) { second(); }' >"$dir/a/one.c"
echo 'void second(void); void first(void); void second(void) { first(); }' >"$dir/b/two.c"
(cd "$dir" && $DLS_TEST_CC -c -o a/x_la-one.o a/one.c && $DLS_TEST_CC -c -o b/x_la-two.o b/two.c &&
    printf 'a/x_la-one.o\nb/x_la-two.o\n' >objects && DLS_CALLS_SOURCE=$dir && calls objects >pairs)
! tsort "$dir/pairs" >/dev/null 2>&1 && [ "$(wc -l <"$dir/pairs")" -eq 2 ]
ok $? "two files that call each other are found"

find lib solvers reference experiments -name '*_la-*.o' ! -path 'solvers/peers/*' >"$dir/objects"
calls "$dir/objects" >"$dir/pairs"
[ "$(wc -l <"$dir/pairs")" -gt 1000 ] && tsort "$dir/pairs" 2>&1 >/dev/null | sed 's/^tsort: //' >"$dir/told"
nothing_told "no file calls one that calls it"

grep -E '^(lib/[^ ]* (solvers|reference|experiments)|solvers/[^ ]* (reference|experiments)|reference/[^ ]* (solvers|experiments))/' \
    "$dir/pairs" >"$dir/told"
nothing_told "lib calls no other part, and solvers and reference do not meet"
echo "1..$number"
