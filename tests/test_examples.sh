#!/bin/sh
# The examples: as built here, and compiled against the tree as it is installed, shared and static. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
here=$(pwd)
examples=$DLS_TEST_SOURCE/examples

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

# Every example that takes a file on every form of a problem: solved, or refused by name, and never a crash. A row that its
# own impulse does not move is in one of them, which sweeps do not solve.
forms=$dir/forms
mkdir "$forms"
cp "$DLS_TEST_SOURCE/scenes/four-bar.yaml" "$forms/scene"
"$program" dump "$forms/scene" --what problem -o "$dir/dump" >/dev/null && mv "$dir"/dump/*.problem "$forms/mechanical"
cp "$DLS_TEST_SOURCE/tests/fuzz/corpus/siconos-lcp/lcp" "$forms/lcp"
cp "$DLS_TEST_SOURCE/tests/fuzz/corpus/siconos-fc3d/fc3d" "$forms/cone"
cat >"$forms/box" <<'END'
{"A": [[2, 0.5, 0.25], [0.5, 3, 0.125], [0.25, 0.125, 2]], "b": [-1.5, 0.5, -2], "lo": [0, 0, 0], "hi": [null, 0, 0],
 "parent": [null, 0, 0], "law": [null, "box", "box"], "mu": [0, 0.3, 0.3]}
END
echo '{"A": [[0, 1], [1, 0]], "b": [-1, -2], "lo": [0, 0], "hi": [null, null]}' >"$forms/dead"
# expected FORM STATUS: whether the status and the output are what the form asks of a sweep.
expected() {
    case $1 in
    cone) [ "$2" -ne 0 ] && [ "$2" -lt 128 ] && grep -q "not take Coulomb's cone" "$dir/out" ;;
    dead) [ "$2" -ne 0 ] && [ "$2" -lt 128 ] && grep -Eq 'scaled residual|iteration-limit' "$dir/out" ;;
    *) [ "$2" -eq 0 ] ;;
    esac
}
sweeps() { # NAME SOLVER
    for form in scene mechanical lcp box dead cone; do
        "$program" solve "$forms/$form" --solver "$2" >"$dir/out" 2>&1
        expected "$form" $?
        ok $? "$1 on the form $form"
    done
}
for form in scene mechanical lcp box dead cone; do
    examples/own_solver "$forms/$form" >"$dir/out" 2>&1
    expected "$form" $?
    ok $? "own_solver on the form $form"
    examples/arms "$forms/$form" >"$dir/out" 2>&1 # for a scene with drives
    [ $? -eq 1 ] && [ -s "$dir/out" ]
    ok $? "arms refuses the form $form"
done
if command -v python3 >/dev/null 2>&1; then
    sweeps own_solver.py "exec:python3 $examples/own_solver.py"
else
    skip "own_solver.py" "no python3"
fi
if [ -d python/here ] && [ -z "$DLS_TEST_PYTHON_WHY" ]; then
    sweeps own_solver_package.py "exec:PYTHONPATH=$here/python/here:$PYTHONPATH PYTHONDONTWRITEBYTECODE=1 $DLS_TEST_PYTHON $examples/own_solver_package.py"
else
    skip "own_solver_package.py on every form" "${DLS_TEST_PYTHON_WHY:-the Python package is not built}"
fi
includes="-I$DLS_TEST_SOURCE/lib -I$DLS_TEST_SOURCE/solvers -I$DLS_TEST_SOURCE/reference -I$DLS_TEST_SOURCE/experiments"
for plugin in own_plugin momentum_plugin; do
    # shellcheck disable=SC2086
    $DLS_TEST_CC -std=gnu17 -O1 -shared -fPIC $includes "$examples/$plugin.c" -o "$dir/$plugin.so" >"$dir/out" 2>&1
    "$program" solve "$forms/lcp" --solver "$dir/$plugin.so" >"$dir/out" 2>&1
    if grep -q 'cannot be loaded: .*undefined symbol' "$dir/out"; then
        skip "$plugin.c" "the program is linked statically"
    else
        sweeps $plugin.c "$dir/$plugin.so"
    fi
done
# The smooth part of the error decays in a number of sweeps that grows with the square of a stack's height, and with the
# height alone with momentum.
if [ -s "$dir/momentum_plugin.so" ] && ! grep -q 'undefined symbol' "$dir/out"; then
    "$program" solve "$DLS_TEST_SOURCE/scenes/stack-10.yaml" --solver "$dir/momentum_plugin.so" -k 3000 >"$dir/out" 2>&1 &&
        ! "$program" solve "$DLS_TEST_SOURCE/scenes/stack-10.yaml" --solver pgs -k 3000 >>"$dir/out" 2>&1
    ok $? "momentum_plugin.c solves a stack in fewer iterations than pgs"
fi

# Before an installation pkg-config has the flags of this build folder.
if [ -e "$here/.libs/libdelassus.so" ]; then
    uninstalled() { PKG_CONFIG_PATH=$here/doc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} pkg-config "$@" delassus; }
    # shellcheck disable=SC2046,SC2086
    $DLS_TEST_CC -shared -fPIC "$examples/own_plugin.c" $(uninstalled --cflags --libs) -o "$dir/before.so" >"$dir/out" 2>&1 &&
        $DLS_TEST_CC $DLS_TEST_CFLAGS -std=c17 $(uninstalled --cflags) "$examples/own_lcp.c" $(uninstalled --libs) -lm $DLS_TEST_LDFLAGS \
            -o "$dir/before" >>"$dir/out" 2>&1 && "$dir/before" >>"$dir/out" 2>&1
    ok $? "the compile line works before an installation"
    sweeps "own_plugin.c, compiled so" "$dir/before.so"
else
    skip "the compile line before an installation" "no shared library was built"
fi

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
# Pages name each other, their pictures and schemas by links, which lead to files that are installed with them.
pages=$root$DLS_TEST_DOCDIR
for page in "$pages"/*.md; do
    grep -o '](\([^)#]*\)' "$page" | sed 's/](//; /^$/d; /^[a-z]*:/d' | sort -u | while read -r name; do
        [ -s "$pages/$name" ] || echo "${page##*/} names $name"
    done
done >"$dir/told"
[ "$(grep -c '](images/' "$pages/gallery.md")" -ge 8 ] || echo "few pictures in the gallery" >>"$dir/told"
nothing_told "what an installed page names is installed with it"
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
    for plugin in own_joint own_plugin own_scheme own_xpbd; do
        # shellcheck disable=SC2046,SC2086
        $DLS_TEST_CC $DLS_TEST_CFLAGS -std=c17 -shared -fPIC $(flags --cflags) "$examples/$plugin.c" $(flags --libs) \
            -o "$dir/shared/$plugin.so" >"$dir/out" 2>&1 || break
    done
    [ -s "$dir/shared/own_xpbd.so" ]
    ok $? "plug-ins with the installed headers"
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
