"""No verdict depends on units: b and the bounds times t, and rows in units of their own, powers of two near the ends of
the range of doubles, have the same outcome by every method, and impulses that are the same to the bit."""
import delassus as dls
import numpy as np
import pytest


def drawn_lcp(rng):
    n = int(rng.integers(1, 5))
    G = rng.integers(-3, 4, (n, n)).astype(float)
    A = [G @ G.T, G, G @ G.T + G - G.T, G @ G.T + np.eye(n) * 2.0 ** -rng.integers(0, 60)][rng.integers(4)]
    b, lo, hi = rng.integers(-3, 4, n).astype(float), np.zeros(n), np.full(n, np.inf)
    if rng.random() < 0.5:
        lo, hi = -rng.integers(0, 3, n).astype(float), rng.integers(0, 4, n).astype(float)
    t, s = 2.0 ** int(rng.integers(-960, 960)), 2.0 ** rng.integers(-450, 450, n)
    return (dls.Problem(A, b, lo, hi), (dls.Problem(A, t * b, t * lo, t * hi), t),
            (dls.Problem(A * np.outer(s, s), s * b, lo / s, hi / s), 1 / s))


def drawn_contacts(rng):
    contacts, nv = int(rng.integers(1, 3)), int(rng.integers(3, 7))
    J = rng.integers(-2, 3, (3 * contacts, nv)).astype(float)
    M, v = np.diag(2.0 ** rng.integers(-3, 4, nv)), rng.integers(-3, 4, nv).astype(float)
    mu, law = float(rng.choice([0, 0.3, 1, 5])), str(rng.choice(["cone", "box"]))
    parent = sum([[None, 3 * k, 3 * k] for k in range(contacts)], [])
    t = 2.0 ** int(rng.integers(-900, 900))
    make = lambda t: dls.Problem.from_mechanics(M=M, J=J, v_star=v * t, lo=0, parent=parent, mu=mu, law=law)
    return make(1.0), (make(t), t)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("draw", [drawn_lcp, drawn_contacts])
def test_no_verdict_depends_on_units(draw, seed):
    one, *others = draw(np.random.default_rng(seed))
    for method in dls.solvers():
        expected = dls.solve(one, method)
        for problem, unit in others:
            answer = dls.solve(problem, method)
            assert answer.outcome is expected.outcome, f"{method.name}: {answer.message}"
            if expected.outcome is dls.Outcome.SOLVED:
                assert np.array_equal(answer.impulses, expected.impulses * unit), method.name
