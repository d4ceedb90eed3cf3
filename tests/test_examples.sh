#!/bin/sh
# The examples: as built here, and compiled against the tree as it is installed, shared and static. TAP.
number=0
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
here=$(pwd)
examples=$DLS_TEST_SOURCE/examples
DELASSUS_DATADIR=$DLS_TEST_SOURCE
export DELASSUS_DATADIR

ok() { # status, name
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; sed 's/^/# /' "$dir/out" 2>/dev/null | head -20; fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }

# run FOLDER NAME: each example measures its own result and exits with 0 where it is right.
run() {
    for example in hanging hanging_cpp own_lcp arms own_solver; do
        argument=
        [ $example = arms ] && argument=$DLS_TEST_SOURCE/scenes/arm-12.yaml
        [ $example = own_solver ] && argument=$DLS_TEST_SOURCE/scenes/four-bar.yaml
        (cd "$dir" && "$1/$example" $argument) >"$dir/out" 2>&1
        ok $? "$example, $2"
    done
}

run "$here/examples" "as built"
[ "$(grep -c 'rate predicted' "$dir/out")" -eq 3 ]
ok $? "own_solver is compared with two others"

# Each block of code that a header shows stands in an example, line after line.
for header in scene simulation batch; do
    case $header in batch) example=arms ;; *) example=hanging ;; esac
    sed 's/^ *//' "$examples/$example.c" | tr '\n' '~' >"$dir/example"
    awk '/^ \*     /{sub(/^ \* */, ""); b = b $0 "~"; next} b != ""{print b; b = ""} /\*\//{exit}' \
        "$DLS_TEST_SOURCE/lib/delassus/$header.h" >"$dir/blocks"
    while IFS= read -r block; do
        grep -qF -- "$block" "$dir/example" || echo "$block"
    done <"$dir/blocks" >"$dir/out"
    [ -s "$dir/blocks" ] && [ ! -s "$dir/out" ]
    ok $? "the example in $header.h is one"
done

# --- installed ---

root=$dir/root
if $DLS_TEST_MAKE install DESTDIR="$root" >"$dir/out" 2>&1; then ok 0 "make install"; else ok 1 "make install"; fi
flags() { # further options of pkg-config
    PKG_CONFIG_PATH=$root$DLS_TEST_LIBDIR/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} pkg-config \
        --define-variable=libdir="$root$DLS_TEST_LIBDIR" --define-variable=includedir="$root$DLS_TEST_INCLUDEDIR" "$@" delassus
}
# compile FOLDER OPTION...: every example into the folder with the flags that pkg-config tells.
compile() {
    to=$1
    shift
    mkdir -p "$to"
    for example in arms hanging own_lcp own_solver; do
        $DLS_TEST_CC $DLS_TEST_CFLAGS -std=c17 $(flags --cflags) "$examples/$example.c" $(flags --libs "$@") -lm $DLS_TEST_LDFLAGS \
            -o "$to/$example" || return 1
    done
    $DLS_TEST_CXX $DLS_TEST_CFLAGS -std=c++17 $(flags --cflags) "$examples/hanging.cpp" $(flags --libs "$@") $DLS_TEST_LDFLAGS \
        -o "$to/hanging_cpp"
}
if [ -e "$root$DLS_TEST_LIBDIR/libdelassus.so" ]; then
    compile "$dir/shared" >"$dir/out" 2>&1
    ok $? "pkg-config --libs"
    LD_LIBRARY_PATH=$root$DLS_TEST_LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    run "$dir/shared" "against the installed shared library"
    if [ -d python/here ]; then
        (mkdir "$dir/python" && cd "$dir/python" && PYTHONPATH=$root$DLS_TEST_PYTHON_SITE PYTHONDONTWRITEBYTECODE=1 \
            "$DLS_TEST_PYTHON" "$examples/own_solver_package.py" "$DLS_TEST_SOURCE/scenes/four-bar.yaml") >"$dir/out" 2>&1 &&
            [ -s "$dir/python/out/four-bar.summary.tsv" ]
        ok $? "own_solver_package.py, with the installed package"
    else
        skip "own_solver_package.py" "the Python package is not built"
    fi
    unset LD_LIBRARY_PATH
else
    skip "pkg-config --libs" "no shared library was built"
fi
rm -f "$root$DLS_TEST_LIBDIR"/libdelassus.so* "$root$DLS_TEST_LIBDIR"/libdelassus.la
if [ -e "$root$DLS_TEST_LIBDIR/libdelassus.a" ]; then
    compile "$dir/static" --static >"$dir/out" 2>&1
    ok $? "pkg-config --static --libs"
    run "$dir/static" "against the installed static library"
else
    skip "pkg-config --static --libs" "no static library was built"
fi
echo "1..$number"
