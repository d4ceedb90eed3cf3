"""No verdict depends on units: b and the bounds times t, and rows in units of their own, powers of two near the ends of
the range of doubles, have the same outcome by every method, and impulses that are the same to the bit."""
import delassus as dls
import numpy as np
import pytest


# Methods that add up squares of impulses or velocities: beyond the square roots of the range of a double they find less.
SQUARES = {"sparse-active-set", "sparse-ppa", "greedy", "mass-splitting", "admm", "prox", "extragradient", "pgs-sm",
           "apgd", "spg", "mprgp", "anderson", "nncg", "projected-cg"}
FAILS = {dls.Outcome.ITERATION_LIMIT, dls.Outcome.NUMERICAL_FAILURE}


def drawn_lcp(rng, reach):
    n = int(rng.integers(1, 5))
    G = rng.integers(-3, 4, (n, n)).astype(float)
    A = [G @ G.T, G, G @ G.T + G - G.T, G @ G.T + np.eye(n) * 2.0 ** -rng.integers(0, 60)][rng.integers(4)]
    b, lo, hi = rng.integers(-3, 4, n).astype(float), np.zeros(n), np.full(n, np.inf)
    if rng.random() < 0.5:
        lo, hi = -rng.integers(0, 3, n).astype(float), rng.integers(0, 4, n).astype(float)
    t, s = 2.0 ** int(rng.integers(-reach, reach)), 2.0 ** rng.integers(-reach // 2, reach // 2, n)
    return (dls.Problem(A, b, lo, hi), (dls.Problem(A, t * b, t * lo, t * hi), t),
            (dls.Problem(A * np.outer(s, s), s * b, lo / s, hi / s), 1 / s))


def drawn_contacts(rng, reach):
    contacts, nv = int(rng.integers(1, 3)), int(rng.integers(3, 7))
    J = rng.integers(-2, 3, (3 * contacts, nv)).astype(float)
    M, v = np.diag(2.0 ** rng.integers(-3, 4, nv)), rng.integers(-3, 4, nv).astype(float)
    mu, law = float(rng.choice([0, 0.3, 1, 5])), str(rng.choice(["cone", "box"]))
    parent = sum([[None, 3 * k, 3 * k] for k in range(contacts)], [])
    t = 2.0 ** int(rng.integers(-reach, reach))
    make = lambda t: dls.Problem.from_mechanics(M=M, J=J, v_star=v * t, lo=0, parent=parent, mu=mu, law=law)
    return make(1.0), (make(t), t)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("draw", [drawn_lcp, drawn_contacts])
@pytest.mark.parametrize("wide", [False, True])
def test_no_verdict_depends_on_units(draw, seed, wide):
    one, *others = draw(np.random.default_rng(seed), 900 if wide else 400)
    for method in dls.solvers():
        if method in SQUARES and wide:
            continue
        expected = dls.solve(one, method)
        for problem, unit in others:
            answer = dls.solve(problem, method)
            assert answer.outcome is expected.outcome, f"{method}: {answer.message}"
            if expected.outcome is dls.Outcome.SOLVED:
                assert np.array_equal(answer.impulses, expected.impulses * unit), method


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("draw", [drawn_lcp, drawn_contacts])
def test_squares_that_overflow_solve_nothing_else(draw, seed):
    one, *others = draw(np.random.default_rng(seed), 900)
    for method in SQUARES:
        expected = dls.solve(one, method)
        for problem, unit in others:
            answer = dls.solve(problem, method)
            assert answer.outcome is expected.outcome or answer.outcome in FAILS, f"{method}: {answer.message}"
