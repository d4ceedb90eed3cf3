"""Solvers written in Python: right ones, and those that fail, lie or end early."""

import gc
import io
import json
import shlex
import subprocess
import sys
import threading
import time
import weakref

import delassus as dls
import numpy as np
import pytest
from delassus import Outcome


def gauss_seidel(problem, start):
    A, b, x = problem.A, problem.b, start
    while True:
        for i in range(problem.n):
            lo, hi = problem.bounds(x)
            x[i] = np.clip(x[i] - (A[i] @ x + b[i]) / A[i, i], lo[i], hi[i])
        yield x


class Jacobi:
    def __init__(self, problem, start):
        self.A, self.b, self.x, self.bounds = problem.A, problem.b, start, problem.bounds
        self.D = np.diag(self.A)

    def iterate(self):
        self.x = np.clip(self.x - 0.5 * (self.A @ self.x + self.b) / self.D, *self.bounds(self.x))
        return self.x


@dls.solver("linear-algebra", accepts=["free"])
def linear(problem, start):
    return np.linalg.lstsq(problem.A, -problem.b, rcond=None)[0]


def test_it_is_the_same_as_ours(scenes):
    c = dls.compare(scenes / "stack-10.yaml", [gauss_seidel, "pgs"], iterations=40)
    assert list(c) == ["gauss-seidel", "pgs"]
    np.testing.assert_allclose(c["gauss-seidel"].distance, c["pgs"].distance, rtol=1e-9)


def test_kinds_of_solvers(scenes):
    p = dls.Problem.load(scenes / "pendulum.yaml")
    for one in (gauss_seidel, Jacobi, linear, lambda q, start: iter([start, dls.solve(p).impulses])):
        a = dls.solve(p, one, history=True)
        assert a.is_solution, str(a)
    assert dls.solve(p, Jacobi).solver == "Jacobi" and dls.solve(p, linear).iterations == 1
    assert dls.Solver(lambda q, s: s).name == "lambda"
    assert dls.solve(scenes / "stack-10.yaml", linear).outcome is Outcome.REFUSED
    with pytest.raises(ValueError, match="none of free"):
        dls.solver(accepts=["all"])


def test_the_start_is_handed_over():
    p, x, _ = dls.manufacture(5, seed=3)
    seen = []

    def keep(problem, start):
        seen.append(start.copy())
        yield start

    assert dls.solve(p, keep, start=x).is_solution
    np.testing.assert_array_equal(seen[0], x)


def test_a_lie_is_found_out():
    p, x, _ = dls.manufacture(5, seed=3)
    a = dls.solve(p, lambda q, start: x + 1e-3)
    assert a.outcome is Outcome.NUMERICAL_FAILURE and "examiner finds" in a.message
    b = dls.solve(p, lambda q, start: np.full(q.n, np.nan))
    assert b.outcome is Outcome.NUMERICAL_FAILURE and "not a number" in b.message


@pytest.mark.parametrize(
    "bad, error, words",
    [
        (lambda q, s: 1 / 0, ZeroDivisionError, "division by zero"),
        (lambda q, s: None, TypeError, "returned None"),
        (lambda q, s: np.zeros(q.n + 1), ValueError, "an iterate has the shape"),
        (lambda q, s: "text", TypeError, "real numbers"),
        (lambda q, s: (1 / (k - 2) * s for k in range(9)), ZeroDivisionError, "division by zero"),
        (lambda: None, TypeError, "positional argument"),
    ],
)
def test_what_it_raises_is_raised(bad, error, words):
    p, _, _ = dls.manufacture(5, seed=3)
    for call in (lambda: dls.solve(p, bad), lambda: dls.compare(p, ["pgs", bad])):
        with pytest.raises(error, match=words):
            call()
    assert dls.solve(p, gauss_seidel).is_solution  # nothing is spoiled


def test_a_loan_ends():
    kept = []

    def keep(problem, start):
        kept.append((problem, problem.copy(), problem.A))
        yield start

    p, _, _ = dls.manufacture(4, seed=3)
    dls.solve(p, keep, iterations=1)
    lent, copy, A = kept[0]
    with pytest.raises(RuntimeError, match="this problem has ended"):
        lent.A
    np.testing.assert_array_equal(copy.A, A)
    np.testing.assert_array_equal(p.A, A)


def test_a_loan_waits_for_other_threads():
    """A problem that a solver hands to a thread stays until the thread's call has ended."""
    p, _, _ = dls.manufacture(60, seed=3)
    threads, found = [], []

    def work(problem):
        try:
            found.append(dls.solve(problem, "pgs", iterations=3000, stop=False, certify=False).iterations)
        except RuntimeError as late:
            assert "has ended" in str(late)
            found.append(3000)

    def hand_out(problem, start):
        threads.append(threading.Thread(target=work, args=(problem,)))
        threads[-1].start()
        time.sleep(0.01)
        yield start

    dls.solve(p, hand_out, iterations=1)
    del p
    threads[0].join()
    assert found == [3000]


def test_it_solves_within_itself(scenes):
    p = dls.Problem.load(scenes / "arm-12.yaml")

    def inner(problem, start):
        yield dls.solve(p, "pgs", certify=False, iterations=5, stop=False).impulses
        yield dls.solve(problem, certify=False).impulses

    assert dls.solve(p, inner).is_solution


def test_it_steps_a_simulation(scenes):
    ours, theirs = (dls.Simulation(scenes / "stack-10.yaml", s, iterations=10) for s in (gauss_seidel, "pgs"))
    for s in (ours, theirs):
        s.step(count=5)
    np.testing.assert_allclose(ours.velocity, theirs.velocity, rtol=1e-8, atol=1e-12)
    failing = dls.Simulation(scenes / "stack-10.yaml", lambda q, s: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failing.step()


def test_a_circle_is_collected(scenes):
    """A simulation refers to its solver, whose generator refers to the simulation."""

    class Study:
        def __init__(self, steps):
            self.sim = dls.Simulation(scenes / "pendulum.yaml", dls.Solver(self.method)).step(count=steps)

        def method(self, problem, start):
            while True:
                yield dls.solve(problem, certify=False).impulses if self else start

    for steps in (0, 2):
        gone = weakref.ref(Study(steps))
        gc.collect()
        assert gone() is None


def test_a_step_within_a_step(scenes):
    def greedy(problem, start):
        sims[0].step()

    sims = [dls.Simulation(scenes / "pendulum.yaml", greedy)]
    with pytest.raises(RuntimeError, match="within a step"):
        sims[0].step()


def test_serve(tmp_path):
    given = {"n": 2, "A": [[2, 1], [1, 2]], "b": [-5, -6], "lo": [0, 0], "hi": [None, None], "lambda0": [0, 0]}
    out = io.StringIO()
    dls.serve(gauss_seidel, 60, io.StringIO(json.dumps(given)), out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 60
    words = lines[-1].split()
    np.testing.assert_allclose([float(x) for x in words[:2]], [4 / 3, 7 / 3], rtol=1e-15)
    assert words[2] == "seconds" and 0 < float(words[3])


def test_serve_refuses():
    accepting = dls.solver("plain", accepts=["free", "boxed"])(gauss_seidel)
    given = {"n": 2, "A": [[2, 1], [1, 2]], "b": [-5, -6], "lo": [0, 0], "hi": [None, None], "lambda0": [0, 0]}
    given |= {"parent": [None, 0], "law": [None, "box"], "mu": [0, 0.5]}
    with pytest.raises(SystemExit, match="plain refuses the problem: .*friction"):
        dls.serve(accepting, 60, io.StringIO(json.dumps(given)), io.StringIO())


def test_the_example_draws_its_curve(scenes, tmp_path):
    from conftest import SOURCE

    example = SOURCE / "examples" / "own_solver_package.py"
    assert len(example.read_text().splitlines()) <= 20
    subprocess.run([sys.executable, example, scenes / "four-bar.yaml"], cwd=tmp_path, check=True)
    table = dls.read_table(tmp_path / "out" / "four-bar.history.tsv")
    assert set(table["solver"]) == {"gauss-seidel", "pgs", "sor"} and table.command[-1] == str(scenes / "four-bar.yaml")
    assert "gauss-seidel" in (tmp_path / "out" / "four-bar.svg").read_text()


def test_it_is_another_program(scenes, tmp_path):
    from conftest import SOURCE

    file = tmp_path / "mine.py"
    file.write_text((SOURCE / "examples" / "own_solver_package.py").read_text())
    a = dls.solve(scenes / "pendulum.yaml", f"exec:{shlex.join([sys.executable, str(file)])}")
    assert a.is_solution, str(a)
