"""Solving, examining, comparing: answers against what is known, and what must not be believed."""

import _thread
import gc
import math
import signal
import threading
import time

import delassus as dls
import numpy as np
import pytest
from delassus import Outcome

LCP = [[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]  # lambda = (4/3, 7/3)


def test_an_answer():
    a = dls.solve(dls.Problem(*LCP), "lemke")
    assert a and a.is_solution and a.outcome is Outcome.SOLVED and a.message == ""
    np.testing.assert_allclose(a.impulses, [4 / 3, 7 / 3], rtol=1e-15)
    np.testing.assert_allclose(a.w, [0, 0], atol=1e-15)
    assert a.certificate.scaled_residual == a.scaled_residual <= 1e-15 and a.certificate.w_max <= 1e-15
    assert a.bounds and a.bounds.kind == "active-set" and a.bounds.unique and a.bounds.impulses < 1e-14
    assert (a.bounds.radius_impulses < 1e-14).all() and a.bounds.between == 2
    assert a.status == ["between", "between"] and a.history is None and a.iterates is None
    assert a.right is True and a.proved and a.row is None and a.by == a.bounds.impulses
    assert a.proof == "certificate"
    assert str(a) == a.sentence and a.sentence.startswith("right to ") and "the only solution" in a.sentence
    assert a.details.startswith(a.sentence) and "certified: active set proved" in a.details and "solved" in repr(a)


@pytest.mark.parametrize(
    "name", [n for n, s in dls.solvers().items() if s.kind == "direct" and "cone" not in s.accepts]
)
def test_every_direct_method_finds_the_chosen_solution(name):
    p, x, w = dls.manufacture(8, seed=11)
    a = dls.solve(p, name)
    if "needs the masses" in a.message:
        pytest.skip("no method for a matrix")
    assert a.is_solution, str(a)
    np.testing.assert_allclose(a.impulses, x, atol=1e-11)
    np.testing.assert_allclose(a.w, w, atol=1e-11)


def test_without_a_solver_the_reference_solves(scenes):
    a = dls.solve(scenes / "four-bar.yaml")
    assert a.is_solution and a.bounds and a.solver in dls.solvers()


def test_no_solution_is_proved():
    p = dls.Problem([[0.0]], [-1.0])
    assert dls.solve(p).outcome is Outcome.NO_SOLUTION
    a = dls.solve(p, "lemke")
    assert a.outcome is Outcome.NO_SOLUTION and not a and a.proof == "farkas" and a.proof_vector[0] > 0


def test_exact_fractions():
    a = dls.solve(dls.Problem(*LCP), "exact")
    assert a.fractions is not None and [str(f) for f in a.fractions[0]] == ["4/3", "7/3"]
    np.testing.assert_allclose(a.solutions, [[4 / 3, 7 / 3]])
    assert a.proof == "exact"


def test_several_solutions():
    a = dls.solve(dls.Problem([[-1.0]], [1.0]), "exact")
    assert a.outcome is Outcome.SEVERAL and sorted(a.solutions[:, 0]) == [0, 1]


def test_histories():
    p, x, _ = dls.manufacture(6, seed=2)
    a = dls.solve(p, "pgs", history=True, iterates=True, stop=False, iterations=60)
    assert a.iterations == 60 and len(a.history) == 61 and a.iterates.shape == (61, 6)
    assert a.history["iteration"].tolist() == list(range(61)) and (a.iterates[0] == 0).all()
    np.testing.assert_array_equal(a.iterates[-1], a.impulses)
    for k in (0, 1, 7, 60):  # each record is what the examiner says of that iterate
        c = dls.examine(p, a.iterates[k], certify=False).certificate
        for figure in ("scaled_residual", "natural_residual", "complementarity_gap", "w_max"):
            assert a.history[figure][k] == getattr(c, figure)
    # The sweep, written out.
    y, A, b = np.zeros(6), p.A, p.b
    for i in range(6):
        y[i] = max(0.0, y[i] - (A[i] @ y + b[i]) / A[i, i])
    np.testing.assert_allclose(a.iterates[1], y, rtol=1e-13, atol=1e-15)
    early = dls.solve(p, "pgs", history=True)
    assert early.outcome is Outcome.SOLVED and early.iterations < 60 and early.history["scaled_residual"][-1] <= 1e-9
    assert (early.history["scaled_residual"][:-1] > 1e-9).all()


def test_start_and_limits():
    p, x, _ = dls.manufacture(6, seed=2)
    start = x.copy()
    a = dls.solve(p, "pgs", start=start, iterations=1)
    assert a.is_solution and (start == x).all()
    assert dls.solve(p, "pgs", iterations=2).outcome is Outcome.ITERATION_LIMIT
    for bad, error in (
        ({"iterations": -1}, ValueError),
        ({"iterations": 1.5}, ValueError),
        ({"start": [1]}, ValueError),
        ({"start": np.full(6, np.nan)}, dls.NotFinite),
        ({"tolerance": math.nan}, ValueError),
    ):
        with pytest.raises(error):
            dls.solve(p, "pgs", **bad)


def test_settings():
    s = dls.Solver("sor", omega=1.25)
    assert s.settings["omega"] == "1.25" and s.fields["omega"].kind == "real" and s.fields["omega"].most == 2
    assert dls.Solver("sor", omega="1.25").settings == s.settings
    assert s.name == "sor" and s.kind == "iterative" and "free" in s.accepts and s.source and s.summary
    p = dls.Problem(*LCP)
    assert dls.solve(p, s).impulses.tolist() == dls.solve(p, "sor", omega=1.25).impulses.tolist()
    for bad, words in (
        ({"omega": 7}, "outside"),
        ({"omega": "x"}, "omega"),
        ({"colour": 1}, "unknown key"),
        ({"omega": np.nan}, "omega"),
    ):
        with pytest.raises(dls.Error, match=words):
            dls.Solver("sor", **bad)
    with pytest.raises(dls.BadInput, match="did you mean 'lemke'"):
        dls.Solver("lemk")
    with pytest.raises(TypeError, match="settings already"):
        dls.solve(p, s, omega=1)
    with pytest.raises(TypeError, match="need a solver"):
        dls.solve(p, colour=1)
    with pytest.raises(TypeError, match="a name, a Solver or a callable"):
        dls.solve(p, 3)
    with pytest.raises(TypeError, match="real numbers"):
        dls.Solver("sor", omega=None)


def test_a_refusal_is_an_outcome():
    p = dls.Problem([[2, 1], [0, 3]], [-1, -1])  # not symmetric
    refusing = [s for s in dls.solvers().values() if s.refuses(p)]
    assert refusing
    for s in refusing:
        a = dls.solve(p, s)
        assert a.outcome is Outcome.REFUSED and s.refuses(p) in a.message


def test_examine():
    p = dls.Problem(*LCP)
    good = dls.examine(p, [4 / 3, 7 / 3])
    assert good and good.bounds and str(good).startswith("right to ")
    bad = dls.examine(p, [1, 2])
    assert not bad and bad.right is False and bad.row == bad.certificate.worst_row == 0 and not bad.proved
    assert bad.by == 1 and str(bad).startswith("wrong by 1 in row 0: ") and "at most 1e-09" in bad.message
    # Every figure, from its definition.
    A, b, x = np.array(LCP[0]), np.array(LCP[1]), np.array([1.0, 2.0])
    w, D = A @ x + b, np.diag(A)
    c = bad.certificate
    np.testing.assert_allclose(c.natural_residual, np.abs(x - np.maximum(x - w, 0)).max())
    np.testing.assert_allclose(c.natural_residual_velocity, (np.abs(x - np.maximum(x - w / D, 0)) * D).max())
    np.testing.assert_allclose(c.velocity_residual, (np.abs(w) / (np.abs(b) + np.abs(A) @ np.abs(x))).max())
    np.testing.assert_allclose(c.objective, x @ A @ x / 2 + b @ x)
    np.testing.assert_allclose(bad.w, w)
    assert not dls.examine(p, [np.nan, 1]) and math.isnan(dls.examine(p, [np.nan, 1]).scaled_residual)
    with pytest.raises(ValueError, match=r"impulses has the shape \(3,\); \(2,\)"):
        dls.examine(p, [1, 2, 3])
    with pytest.raises(TypeError, match="either"):
        dls.examine(p)


def test_three_lines():
    answer = dls.examine(*LCP, [4 / 3, 7 / 3])
    assert answer.right and str(answer).count("\n") == 0
    np.testing.assert_array_equal(answer.impulses, [4 / 3, 7 / 3])
    A, b, x = np.eye(2), [-1.0, 0.5], [1.0, 0.0]
    assert dls.examine(A, b, x) and dls.examine(A, b, [0.5, 0.0], hi=0.5) and dls.examine(A, b, [1.0, -0.5], lo=-np.inf)
    assert not dls.examine(A, b, x, lo=-np.inf)
    assert dls.examine(A, [-1, -0.5], [1, 0.25], parent=[None, 0], mu=[0, 0.25])
    # A residual of 0 of a singular A proves no distance; with J and M there is a bound of v+.
    J, M = np.array([[1.0], [1.0]]), np.array([[2.0]])
    answer = dls.examine(J @ J.T / 2, [-1, -1], [1, 1])
    assert answer.right and not answer.proved and "give J and M" in str(answer)
    answer = dls.examine(dls.Problem.from_mechanics(M, J, [-1]), [1, 1])
    assert answer.right and answer.proved and "the impulses are not unique" in str(answer)


def test_a_sparse_matrix():
    sparse = pytest.importorskip("scipy.sparse")
    A = np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 1]])
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix):
        answer = dls.examine(form(A), [-5, -6, 1], [4 / 3, 7 / 3, 0])
        assert answer and (answer.problem.A == A).all()
    assert dls.solve(dls.Problem.from_mechanics(sparse.identity(3), sparse.csr_matrix(A), [-5, -6, 1]))


def test_mistyped_arguments():
    p = dls.Problem(*LCP)
    for call, suggested in (
        (lambda: dls.solve(p, iteration=5), "iterations"),
        (lambda: dls.solve(p, "sor", iteration=5), "iterations"),
        (lambda: dls.solve(p, "sor", toleranse=5), "tolerance"),
        (lambda: dls.solve(p, "sor", omega=1.2, toleranse=5), "tolerance"),
        (lambda: dls.solve(p, "sor", toleranse=5, omega=1.2), "tolerance"),
        (lambda: dls.solve(p, "sor", other=1, omega=1.2, toleranse=5), "tolerance"),
        (lambda: dls.examine(p, [0, 0], tolerence=1), "tolerance"),
        (lambda: dls.examine(*LCP, [0, 0], low=1), "lo"),
        (lambda: dls.Problem(*LCP, low=1), "lo"),
        (lambda: dls.Problem.from_mechanics(np.eye(1), np.eye(1), [1], gama=1), "gamma"),
        (lambda: dls.compare(p, ["pgs"], iteration=1), "iterations"),
    ):
        with pytest.raises(TypeError, match=f"did you mean '{suggested}'"):
            call()
    with pytest.raises(dls.BadInput, match="did you mean 'omega'"):
        dls.solve(p, "sor", omga=1)
    with pytest.raises(TypeError, match=r"examine\(A, b, x, lo=...\)"):
        dls.examine(p, [0, 0], lo=0)


def test_perturbations_are_caught():
    rng = np.random.default_rng(8)
    for seed in range(20):
        p, x, _ = dls.manufacture(5, "definite", "boxed", seed=seed)
        assert dls.examine(p, x)
        for size in (1e-3, 1e-6, 1e-8):
            assert not dls.examine(p, x + size * (1 + np.abs(x)) * rng.choice([-1, 1], 5))


def test_a_velocity(scenes):
    p = dls.Problem.load(scenes / "four-bar.yaml")
    a = dls.solve(p)
    assert dls.examine(p, velocity=a.velocity).is_solution
    off = dls.examine(p, velocity=a.velocity + 1e-3)
    assert not off and off.left > 1e-6 and "no impulses" in off.message
    with pytest.raises(dls.Refused, match="matrix form"):
        dls.examine(p.copy(), velocity=np.zeros(p.n))


def test_several_velocities(scenes):
    found = dls.velocities(scenes / "painleve.yaml")
    assert len(found) == 3 and all(dls.examine(scenes / "painleve.yaml", x) for x in found)
    assert dls.velocities(dls.Problem(*LCP)).shape == (0, 2)


def test_compare(scenes, tmp_path):
    c = dls.compare(
        scenes / "four-bar.yaml", ["pgs", dls.Solver("sor", omega=1.3)], iterations=100, output=tmp_path, figure=False
    )
    assert list(c) == ["pgs", "sor"] and c.stem == "four-bar" and c.reference in dls.solvers()
    pgs = c["pgs"]
    assert len(pgs.history) == 101 and (pgs.distance[1:] <= pgs.distance[:-1] * (1 + 1e-9)).all()
    assert 0 < pgs.predicted_rate < 1 and abs(pgs.fitted_rate - pgs.predicted_rate) < 1e-3
    table = dls.read_table(tmp_path / "four-bar.history.tsv")
    assert table.units["m_norm_error"] == "sqrt(J)" and set(table["solver"]) == {"pgs", "sor"}
    np.testing.assert_array_equal(table.where(solver="pgs")["m_norm_error"], pgs.distance)
    np.testing.assert_array_equal(table.where(solver="pgs")["scaled_residual"], pgs.history["scaled_residual"])
    summary = dls.read_table(tmp_path / "four-bar.summary.tsv")
    np.testing.assert_array_equal(summary.where(solver="sor")["predicted_rate"], [c["sor"].predicted_rate])
    with pytest.raises(ValueError, match="two solvers are called"):
        dls.compare(scenes / "four-bar.yaml", ["pgs", "pgs"])
    with pytest.raises(dls.Unsolvable, match="no solution"):
        dls.compare(dls.Problem([[0.0]], [-1.0]), ["pgs"])
    assert set(dls.compare(dls.Problem(*LCP), iterations=5)) >= {"pgs", "sor", "jacobi"}


def test_another_program(scenes):
    from conftest import SOURCE

    a = dls.solve(scenes / "pendulum.yaml", f"exec:python3 {SOURCE / 'examples' / 'own_solver.py'}", seconds=30)
    assert a.is_solution
    assert 0 < a.seconds < a.total_seconds  # what it says itself, and the whole


def test_the_solver_takes_a_part_of_the_time(scenes):
    for name in ("pgs", "block-pivoting", *(name for name, (_, _, there) in dls.peers().items() if there)):
        a = dls.solve(scenes / "four-bar.yaml", name)
        assert a.outcome is Outcome.REFUSED or 0 < a.seconds < a.total_seconds
    curves = dls.compare(scenes / "four-bar.yaml", ["pgs", "block-pivoting"], iterations=20)
    assert all(curve.seconds > 0 for curve in curves.values())


def test_a_history_ends_with_the_answer(scenes):
    a = dls.solve(scenes / "four-bar.yaml", "pgs", history=True, iterates=True)
    assert len(a.history) == len(a.iterates) == a.iterations + 1 and (a.iterates[-1] == a.impulses).all()
    good = a.history["scaled_residual"] <= 1e-9
    assert good[-1] and not good[:-1].any()
    assert (dls.solve(scenes / "four-bar.yaml", "pgs").impulses == a.impulses).all()


def test_peers(scenes):
    built = [name for name, (_, _, there) in dls.peers().items() if there]
    if not built:
        pytest.skip("no peer was built")
    assert dls.solve(scenes / "pendulum.yaml", built[0]).outcome in (
        Outcome.SOLVED,
        Outcome.REFUSED,
        Outcome.NUMERICAL_FAILURE,
    )


def test_threads_share_a_problem(scenes):
    p = dls.Problem.load(scenes / "arm-12.yaml")  # an articulation, whose mass operator has scratch memory
    wanted = dls.solve(p, "pgs", iterations=50, stop=False).impulses
    found = []

    def work():
        for _ in range(20):
            found.append(dls.solve(p, "pgs", iterations=50, stop=False, certify=False).impulses)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 80 and all((x == wanted).all() for x in found)


def test_other_threads_run_during_a_solve():
    p, _, _ = dls.manufacture(60, seed=1)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    t = threading.Thread(target=tick)
    t.start()
    start = time.monotonic()
    dls.solve(p, "jacobi", iterations=20000, stop=False, certify=False, omega=0.01)
    end = time.monotonic()
    stop.set()
    t.join()
    assert end - start < 0.02 or sum(start < x < end for x in ticks) >= 2


@pytest.fixture
def interruptible():
    """A process in the background may have been told to ignore the interrupt key."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_a_solve(interruptible):
    p, _, _ = dls.manufacture(60, seed=1)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        dls.solve(p, "pgs", iterations=10**7, stop=False)
        time.sleep(60)
    assert time.monotonic() - start < 30


def test_an_interrupt_ends_a_comparison(interruptible):
    p, _, _ = dls.manufacture(60, seed=1)
    threading.Timer(0.5, _thread.interrupt_main).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        dls.compare(p, ["jacobi", "pgs"], iterations=300_000)
        time.sleep(60)
    assert time.monotonic() - start < 30
    assert "pgs" in dls.compare(p, ["pgs"], iterations=10)


def test_nothing_leaks():
    import resource

    p, x, _ = dls.manufacture(40, seed=1)

    def use():
        for _ in range(150):
            dls.solve(p, "pgs", iterations=20, history=True, iterates=True)
            dls.examine(p, x)
            dls.Problem(p.A, p.b)
            with pytest.raises(dls.BadInput):
                dls.Solver("sor", omega=9)
            dls.solve(p, lambda q, start: (start for _ in range(3)), certify=False)

    use()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3):
        use()
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3000  # kB; one Problem of 40 rows has 13
