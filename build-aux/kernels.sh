#!/bin/sh
# The kernels of OpenBLAS that round differently, by the flag that a processor needs to run them: those that this one
# runs, one per line, for OPENBLAS_CORETYPE. "few": the one of each width of vectors that .ci/run tests.
[ "${1-few}" = few ] || { echo "usage: kernels.sh [few]" >&2; exit 2; }
while read -r kernel flag choice; do
    if [ $# -eq 1 ] && [ "$choice" != few ]; then continue; fi
    if [ "$flag" = any ] || grep -qw "$flag" /proc/cpuinfo; then echo "$kernel"; fi
done <<END
Prescott any few
Nehalem sse4_2
Sandybridge avx
Haswell avx2 few
Zen avx2
SkylakeX avx512f few
END
