#!/bin/sh
# The wheel of the build folder: made by pip, installed in a new virtual environment, and used in another folder, with its
# own libraries alone. Only with DLS_TEST_FULL, since packing takes half a minute. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
python=$DLS_TEST_PYTHON
leave_out() {
    skip "a wheel" "$1"
    echo "1..$number"
    exit 0
}
[ -n "$DLS_TEST_FULL" ] || leave_out "DLS_TEST_FULL is not set"
[ -d python/here ] || leave_out "the Python package is not built: $DLS_TEST_PYTHON_WHY"
[ -e .libs/libdelassus.so ] || leave_out "no shared library was built"
command -v patchelf >/dev/null 2>&1 || leave_out "patchelf is not installed"
"$python" -c 'import pip, venv, ensurepip' 2>/dev/null || leave_out "$python has no pip or no venv"
unset PYTHONPATH LD_LIBRARY_PATH DELASSUS_DATADIR
PYTHONDONTWRITEBYTECODE=1 DELASSUS_BUILD=$(pwd)
export PYTHONDONTWRITEBYTECODE DELASSUS_BUILD

wheel() { "$python" -m pip wheel -q --no-build-isolation --no-deps --disable-pip-version-check "$DLS_TEST_SOURCE" -w "$1" >"$dir/out" 2>&1; }
wheel "$dir/wheel"
ok $? "pip makes a wheel"
"$python" -m venv --system-site-packages "$dir/venv" >"$dir/out" 2>&1 &&
    "$dir/venv/bin/python" -m pip install -q --no-index --no-deps --disable-pip-version-check "$dir"/wheel/*.whl >"$dir/out" 2>&1
ok $? "it is installed in a new environment"

mkdir "$dir/elsewhere"
cat >"$dir/use.py" <<'END'
import os, re, sys
def mapped():
    return {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
import numpy
before = mapped()
import delassus
assert delassus.__file__.startswith(sys.prefix) and delassus.data_folder.startswith(sys.prefix)
assert delassus.examine([[2, 1], [1, 2]], [-5, -6], [4 / 3, 7 / 3]).proved
scene = os.path.join(delassus.data_folder, "scenes", "four-bar.yaml")
assert delassus.solve(scene) and len(delassus.Simulation(scene, "pgs").run(0.01, every=5).time) == 3
# Of the libraries that came with it, those that are not in the wheel are the system's.
system = r"(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv|libutil|libnsl|libgcc_s|libstdc\+\+)(-[0-9.]+)?\.so.*"
outside = [p for p in mapped() - before if not p.startswith(sys.prefix) and "/lib-dynload/" not in p]
assert all(re.fullmatch(system, os.path.basename(p)) for p in outside), outside
END
if [ -r /proc/self/maps ]; then
    (cd "$dir/elsewhere" && "$dir/venv/bin/python" "$dir/use.py") >"$dir/out" 2>&1
    ok $? "examines, solves and steps with its own libraries"
else
    skip "its own libraries" "no /proc"
fi
(cd "$dir/elsewhere" && "$dir/venv/bin/delassus" solve four-bar --solver lemke) >"$dir/out" 2>&1 && grep -q '^lemke: right to' "$dir/out"
ok $? "its program solves a scene of its own"
licences=$(echo "$dir"/venv/lib/python3*/site-packages/delassus-*.dist-info/licenses)
[ -s "$licences/COPYING" ] && grep -q 'under GPL-3.0-or-later (COPYING), and so is the wheel' "$licences/BUNDLED.md" &&
    ! grep '^| lib.*[.]so' "$licences/BUNDLED.md" | cut -d'|' -f5 | tr -d ' ' | grep -v '^notfound' | while read -r file; do
        [ -s "$licences/$file" ] || echo "$file"
    done | grep -q .
ok $? "the licence of every library that it names is inside"
mv "$dir/wheel" "$dir/first"
wheel "$dir/wheel" && cmp "$dir"/first/*.whl "$dir"/wheel/*.whl >"$dir/out" 2>&1
ok $? "the same build makes the same bytes"
echo "1..$number"
