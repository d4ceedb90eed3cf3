#!/bin/sh
# The patches of examples/dump, by which the solvers of Bullet, ODE and Box3D write their steps: applied to the sources of
# that version, built, run on a scene, and examined. The variables DLS_BULLET_SOURCE, DLS_ODE_SOURCE and DLS_BOX3D_SOURCE
# name the folders of the sources; what is not given is skipped. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
dumps=$DLS_TEST_SOURCE/examples/dump
cc="${DLS_TEST_CC:-cc} -O2 -w" cxx="${DLS_TEST_CXX:-c++} -O2 -w"

for patch in "$dumps"/*.patch; do
    [ "$(grep '^+' "$patch" | grep -vc '^+++')" -lt 50 ]
    ok $? "$(basename "$patch") adds less than 50 lines"
done

# steps NAME ARGUMENT...: $dir/NAME/boxes has dumped its steps, which are examined; their table is $dir/NAME.tsv.
steps() {
    engine=$1
    shift
    mkdir "$dir/$engine/steps" && DELASSUS_DUMP=$dir/$engine/steps "$dir/$engine/boxes" "$@" >"$dir/out" 2>"$dir/err" && [ ! -s "$dir/err" ]
    ok $? "$engine dumps its steps"
    "$program" ci "$dir/$engine/steps" --tolerance 1e-6 -o "$dir/$engine.tsv" >"$dir/out" 2>"$dir/err"
    [ $? -le 1 ] && grep -q ' 0 cannot be examined' "$dir/out"
    ok $? "which are problems"
}

# Bullet: after 5,000 sweeps no normal row is wrong. Friction is, at contacts whose normal impulse has come back to 0.
if [ -d "${DLS_BULLET_SOURCE:-}/src" ]; then
    mkdir "$dir/bullet" && cp -r "$DLS_BULLET_SOURCE/src" "$dir/bullet" && chmod -R u+w "$dir/bullet" &&
        (cd "$dir/bullet" && patch -p1 <"$dumps/bullet.patch" && cp "$dumps/delassus_dump.h" src && mkdir objects &&
            find src/LinearMath src/BulletCollision src/BulletDynamics -name '*.cpp' | xargs -P "$(nproc)" -I '{}' \
                sh -c "$cxx -DBT_USE_DOUBLE_PRECISION -Isrc -c '{}' -o objects/\$(basename '{}').o" &&
            $cxx -std=c++17 -DBT_USE_DOUBLE_PRECISION -Isrc "$dumps/bullet_boxes.cpp" objects/*.o -lpthread -o boxes) >"$dir/out" 2>"$dir/err"
    ok $? "Bullet with its patch"
    steps bullet 240 5000
    grep -v '^#' "$dir/bullet.tsv" | awk -F'\t' 'NR > 1 { n++; pass += $2 == "pass"; other += $2 == "fail" && $9 !~ /^friction/ } END { exit !(n > 200 && pass && !other) }'
    ok $? "of which friction alone is wrong"
else
    skip "Bullet with its patch" "DLS_BULLET_SOURCE is not given"
fi

# ODE: Dantzig's algorithm is exact but for friction, whose bounds follow the normal impulses that it had when it began with a row.
if [ -d "${DLS_ODE_SOURCE:-}/ode/src" ] && command -v cmake >/dev/null; then
    cp -r "$DLS_ODE_SOURCE" "$dir/ode" && chmod -R u+w "$dir/ode" && rm -rf "$dir/ode/built" &&
        (cd "$dir/ode" && patch -p1 --binary <"$dumps/ode.patch" && cp "$dumps/delassus_dump.h" ode/src && mkdir built && cd built &&
            cmake -DODE_WITH_DEMOS=OFF -DODE_WITH_TESTS=OFF -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Release .. && make -j "$(nproc)" &&
            $cxx -std=c++17 -I../include -Iinclude "$dumps/ode_boxes.cpp" libode.a -lpthread -o ../boxes) >"$dir/out" 2>"$dir/err"
    ok $? "ODE with its patch"
    steps ode 240
    grep -v '^#' "$dir/ode.tsv" | awk -F'\t' 'NR > 1 { n++; pass += $2 == "pass" && $5 < 1e-14; split($9, row, " "); other += $2 == "fail" && row[2] % 3 == 0 } END { exit !(n > 200 && pass && !other) }'
    ok $? "of which friction alone is wrong"
else
    skip "ODE with its patch" "DLS_ODE_SOURCE is not given, or no cmake"
fi
# Box3D: one sweep a substep, from the impulses of the substep before. A stack that comes to rest comes near to a solution.
if [ -d "${DLS_BOX3D_SOURCE:-}/include/box3d" ]; then
    mkdir "$dir/box3d" && cp -r "$DLS_BOX3D_SOURCE/src" "$DLS_BOX3D_SOURCE/include" "$dir/box3d" && chmod -R u+w "$dir/box3d" &&
        (cd "$dir/box3d" && patch -p1 <"$dumps/box3d.patch" && cp "$dumps/delassus_dump.h" src && mkdir objects &&
            find src -name '*.c' | xargs -P "$(nproc)" -I '{}' sh -c "$cc -std=gnu17 -Iinclude -Isrc -c '{}' -o objects/\$(basename '{}').o" &&
            $cc -std=gnu17 -Iinclude "$dumps/box3d_boxes.c" objects/*.o -lm -lpthread -o boxes) >"$dir/out" 2>"$dir/err"
    ok $? "Box3D with its patch"
    steps box3d 60 4
    grep -v '^#' "$dir/box3d.tsv" | awk -F'\t' 'NR > 1 { n++; last = $5; if ($5 > most) most = $5 } END { exit !(n > 200 && last < 0.01 * most) }'
    ok $? "which come near to solutions at rest"
else
    skip "Box3D with its patch" "DLS_BOX3D_SOURCE is not given"
fi
echo "1..$number"
