"""Nothing depends on what memory held before: the same bytes where every allocation comes filled with NaN."""

import os
import shlex
import subprocess
import sys

import pytest
from conftest import SOURCE

FILLED = """
#include <stddef.h>
#include <string.h>
void *__libc_malloc(size_t size);
void *__libc_memalign(size_t alignment, size_t size);
static void *filled(void *at, size_t size) { return at ? memset(at, 0xff, size) : at; }
void *malloc(size_t size) { return filled(__libc_malloc(size), size); }
void *aligned_alloc(size_t alignment, size_t size) { return filled(__libc_memalign(alignment, size), size); }
"""

WORK = """
import hashlib, sys
import numpy as np
import delassus as dls

scenes = sys.argv[1]
filled = np.isnan(np.empty(5000)).all()
print("filled" if filled else "plain", file=sys.stderr)

def show(*what):
    print(*(hashlib.sha1(x.tobytes()).hexdigest() if isinstance(x, np.ndarray) else x for x in what))

problems = [dls.Problem.load(f"{scenes}/{name}.yaml") for name in ("four-bar", "stack-10", "arm-12", "painleve")]
problems += [dls.manufacture(8, matrix, bounds, seed=3)[0]
             for matrix in ("definite", "semidefinite", "monotone", "p") for bounds in ("lcp", "boxed")]
problems.append(dls.Problem(np.eye(6) + 0.1, np.tile([-1, 0.3, 0.2], 2), parent=[-1, 0, 0, -1, 3, 3], mu=0.5, law="cone"))
for p in problems:
    show(p.name, p.A, p.b, p.J, p.symmetric)
    for name in dls.solvers():
        a = dls.solve(p, name, iterations=30)
        show(name, a.outcome, a.message, a.impulses, a.w, a.certificate, a.bounds.text)
    if p.form == "mechanical":
        v = dls.solve(p).velocity
        for velocity in (v, v + 1e-3):
            a = dls.examine(p, velocity=velocity)
            show(a.outcome, a.left, a.impulses)
for scheme in dls.schemes():
    s = dls.Simulation(f"{scenes}/four-bar.yaml", "pgs", scheme, iterations=10, warm=True, ledger=True).step(count=10)
    show(scheme, s.velocity, s.position, s.impulses, s.ledger, s.energy)
"""


def test_what_memory_held(tmp_path):
    if not sys.platform.startswith("linux") or not os.environ.get("DLS_TEST_CC"):
        pytest.skip("allocations are filled by glibc's names of them")
    (tmp_path / "filled.c").write_text(FILLED)
    compiler = shlex.split(os.environ["DLS_TEST_CC"])
    made = subprocess.run([*compiler, "-shared", "-fPIC", "-fno-builtin", "filled.c", "-o", "filled.so"], cwd=tmp_path)
    if made.returncode:
        pytest.skip("the compiler makes no shared object")
    said = []
    for preload in ("", str(tmp_path / "filled.so")):
        work = subprocess.run(
            [sys.executable, "-c", WORK, SOURCE / "scenes"],
            env={**os.environ, "LD_PRELOAD": preload},
            capture_output=True,
            text=True,
        )
        if preload and "plain" in work.stderr:
            pytest.skip("this C library's allocations cannot be replaced")
        assert work.returncode == 0, work.stderr
        said.append(work.stdout.splitlines())
    assert len(said[0]) == len(said[1]) > 150
    for plain, filled in zip(*said):
        assert plain == filled


LIMITED = """
import resource, sys
import delassus as dls

size = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize"))
problems = [dls.Problem([[2, 1], [1, 2]], [-1, -2]), dls.Problem([[-1, 0], [0, 1]], [-1, 1])]
resource.setrlimit(resource.RLIMIT_AS, ((size + int(sys.argv[1])) * 1024,) * 2)
for p in problems:
    for name in ("exact", "enumeration", "dantzig", "pgs"):
        try:
            print(name, dls.solve(p, name).outcome)
        except dls.NoMemory:
            print(name, "no memory")
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the size of the process is not known")
@pytest.mark.parametrize("more", [4000, 50000, 200000, 1000000])
def test_an_interpreter_outlives_a_lack_of_memory(more):
    """Each solver has an answer, or raises; with enough memory, as without a limit."""
    done = subprocess.run([sys.executable, "-c", LIMITED, str(more)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    if more == 1000000:
        assert not any(line.endswith("no memory") for line in lines)


LARGE = """
import resource, sys
import delassus as dls

size = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, ((size + 400000) * 1024,) * 2)
print(dls.solve(sys.argv[1]).outcome.value)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the size of the process is not known")
def test_sweeps_solve_what_is_too_large_to_be_dense(tmp_path):
    """10,800 rows, whose dense matrix has 900 MB."""
    scene = tmp_path / "many.yaml"
    scene.write_text(
        "world: {collide: true, contact_margin: 1 mm, mu: 0.6}\n"
        "bodies:\n"
        "  - {name: ground, static: true, shape: plane}\n"
        '  - {repeat: {i: 60, k: 60}, name: "s{i}-{k}", shape: sphere, radius: 0.5, mass: 1,'
        " position: {start: [0, 0, 0.5], i: [2, 0, 0], k: [0, 2, 0]}}\n"
    )
    done = subprocess.run([sys.executable, "-c", LARGE, str(scene)], capture_output=True, text=True, timeout=120)
    assert done.stdout == "solved\n", done.stderr
