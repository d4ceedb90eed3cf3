#!/bin/sh
# The packages of Debian are the same wherever they are listed: the libraries that are linked stand in the Containerfile,
# and what bootstrap installs to build with in debian/control. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"

# Packages of the libraries that ours are linked to, but for those that every list would have: the C and C++ libraries,
# OpenMP's of clang, which stands for gcc's in a build by clang, GMP, which FLINT brings along, and Ignition's
# mathematics, which libsdformat does.
if command -v dpkg-query >/dev/null && command -v objdump >/dev/null && grep -q bookworm /etc/os-release; then
    find . \( -name '*.so*' -o -name delassus \) -type f ! -path './tests/*' -exec objdump -p {} + 2>/dev/null | awk '/NEEDED/ { print $2 }' | sort -u |
        while IFS= read -r library; do
            path=$(PATH=$PATH:/sbin ldconfig -p | awk -v library="$library" '$1 == library { print $NF; exit }')
            [ -z "$path" ] || dpkg-query -S "$(readlink -f "$path")" "$path" 2>/dev/null | head -1 | cut -d: -f1
        done | sed 's/^libopenblas0-.*/libopenblas0-pthread/' | sort -u | grep -vxE 'libc6|libgcc-s1|libstdc\+\+6|libomp.*|libgmp10|libignition-math.*' >"$dir/linked"
    sed -n '/apt-get install/,/lists/p' "$DLS_TEST_SOURCE/Containerfile" | tr -s ' \\' '\n' >"$dir/listed"
    grep -vxFf "$dir/listed" "$dir/linked" >"$dir/told"
    sed 's/^/# not listed: /' "$dir/told"
    [ -s "$dir/linked" ] && [ ! -s "$dir/told" ]
    ok $? "the Containerfile has every library that is linked"
else
    skip "the Containerfile has every library that is linked" "not on Debian 12 with objdump"
fi

if [ -f "$DLS_TEST_SOURCE/debian/control" ]; then
    sed -n '/^apt_packages=/,/"$/p' "$DLS_TEST_SOURCE/bootstrap" | tr -s ' "=' '\n' | grep -E '^lib.*-dev$|^(nettle|zlib1g|python3)-dev$' >"$dir/needed"
    sed -n '/^Build-Depends:/,/^Standards/p' "$DLS_TEST_SOURCE/debian/control" | tr -s ' ,' '\n' >"$dir/listed"
    grep -vxFf "$dir/listed" "$dir/needed" >"$dir/told"
    sed 's/^/# not listed: /' "$dir/told"
    [ -s "$dir/needed" ] && [ ! -s "$dir/told" ]
    ok $? "debian/control has every library that bootstrap installs"
else
    skip "debian/control has every library that bootstrap installs" "not in the distribution"
fi

sh "$DLS_TEST_SOURCE/bootstrap" --packages --no-install >"$dir/out" 2>&1 && ! grep -q autoreconf "$dir/out"
ok $? "bootstrap stops after the packages"
echo "1..$number"
