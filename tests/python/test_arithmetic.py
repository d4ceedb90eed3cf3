"""Shared objects that were compiled with -Ofast set the processor to replace subnormal numbers by 0."""

import os
import shlex
import subprocess
import sys

import pytest

# As the start-up code of such objects does it, whichever linker is used.
OBJECT = """
#include <xmmintrin.h>
__attribute__((constructor)) static void flush(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
"""

WORK = """
import ctypes, sys

def load(when):
    if sys.argv[2] == when:
        ctypes.CDLL(sys.argv[1])

load("first")
import delassus as dls
load("later")
flushed = 5e-324 * float("1") == 0.0
p = dls.Problem([[0, 0, 0], [0, 5.4683415146672981e-304, 0], [0, 0, 2.7341707573336491e-304]],
                [1.5810100666919889e-322, -7.9050503334599447e-323, 1.5810100666919889e-322])
try:
    for name, s in dls.solvers().items():
        if "cone" not in s.accepts:
            a = dls.solve(p, name, iterations=10)
            print(name, a.outcome, a.impulses.tobytes(), a.w.tobytes(), a.scaled_residual, a.message)
    print(dls.solve(dls.manufacture(500, seed=3)[0], "newton").bounds.impulses) # the BLAS uses its threads
except dls.Error as e:
    print(e)
assert flushed == (5e-324 * float("1") == 0.0)
print(flushed, file=sys.stderr)
"""


def test_objects_that_flush_subnormal_numbers(tmp_path):
    if not os.environ.get("DLS_TEST_CC"):
        pytest.skip("no compiler")
    (tmp_path / "flush.c").write_text(OBJECT)
    compiler = shlex.split(os.environ["DLS_TEST_CC"])
    made = subprocess.run([*compiler, "-shared", "-fPIC", "flush.c", "-o", "flush.so"], cwd=tmp_path)
    if made.returncode:
        pytest.skip("the processor has no such state, or the compiler makes no shared object")

    def work(when, threads):
        done = subprocess.run(
            [sys.executable, "-c", WORK, tmp_path / "flush.so", when],
            env={**os.environ, "OPENBLAS_NUM_THREADS": str(threads)},
            capture_output=True,
            text=True,
        )
        assert done.stderr == f"{when != 'never'}\n"
        return done.stdout

    for threads in (1, 2):
        usual = work("never", threads)
        assert "block-pivoting" in usual and "error bounds would not hold" not in usual
        assert work("later", threads) == usual
    assert work("first", 1) == work("never", 1)
    # The threads of OpenBLAS began in that state, and nobody but OpenBLAS can change it.
    assert "threads of OpenBLAS replace subnormal numbers by 0" in work("first", 2) or os.cpu_count() == 1
