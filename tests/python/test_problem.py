"""Problems: from arrays, files and mechanics; wrong ones; their numbers."""

import copy
import gc

import delassus as dls
import numpy as np
import pytest
from delassus import Law


def cones(contacts):
    """Contacts in space under Coulomb's cone, pressed together: A is definite."""
    n = 3 * contacts
    G = np.random.default_rng(contacts).normal(size=(n, n))
    b = np.tile([-1.0, 0.3, -0.2], contacts)
    parent = [3 * (i // 3) if i % 3 else -1 for i in range(n)]
    return dls.Problem(G @ G.T / n + np.eye(n), b, parent=parent, mu=0.6, law="cone")


def test_from_arrays():
    A, b = np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([-5.0, 2.5])
    p = dls.Problem(A, b, lo=[-np.inf, 0], hi=[np.inf, 7])
    assert (p.n, p.nv, p.h, p.form, p.symmetric) == (2, 2, 1.0, "matrix", False)
    for got, wanted in (
        (p.A, A),
        (p.b, b),
        (p.lo, [-np.inf, 0]),
        (p.hi, [np.inf, 7]),
        (p.gamma, [0, 0]),
        (p.mu, [0, 0]),
    ):
        np.testing.assert_array_equal(got, wanted)
    assert p.parent.tolist() == [-1, -1] and p.law.tolist() == [Law.FIXED] * 2


def test_any_layout_and_type():
    A = np.arange(1.0, 10.0).reshape(3, 3) + 10 * np.eye(3)
    for given in (A, A.copy(order="F"), np.repeat(A, 2, axis=1)[:, ::2], A.tolist(), A.astype(np.float32)):
        np.testing.assert_array_equal(dls.Problem(given, [1, 2, 3]).A, A)
    big = A.astype(">f8")
    np.testing.assert_array_equal(dls.Problem(big, [1, 2, 3]).A, A)
    np.testing.assert_array_equal(dls.Problem(np.eye(2, dtype=int), np.array([1, 2])).A, np.eye(2))


def test_its_arrays_are_the_callers_own():
    A = np.eye(2)
    p = dls.Problem(A, [1, 2])
    A[0, 0] = 7
    got = p.A
    got[1, 1] = 9
    np.testing.assert_array_equal(p.A, np.eye(2))
    del p
    gc.collect()
    np.testing.assert_array_equal(got, [[1, 0], [0, 9]])


def test_default_bounds_are_those_of_an_lcp():
    p = dls.Problem(np.eye(3), np.zeros(3))
    assert p.lo.tolist() == [0] * 3 and p.hi.tolist() == [np.inf] * 3
    assert dls.Problem(np.eye(2), np.zeros(2), lo=-1, hi=2).hi.tolist() == [2, 2]


def test_friction():
    A = np.eye(4) + 0.1
    box = dls.Problem(A, [-1, 2, 3, 0], parent=[None, 0, 0, None], mu=0.7)
    assert box.parent.tolist() == [-1, 0, 0, -1] and box.law.tolist() == [0, 1, 1, 0]
    np.testing.assert_array_equal(box.mu, [0, 0.7, 0.7, 0])
    lo, hi = box.bounds([2, 0, 0, 1])
    np.testing.assert_allclose(lo, [0, -1.4, -1.4, 0])
    np.testing.assert_allclose(hi, [np.inf, 1.4, 1.4, np.inf])
    cone = dls.Problem(A[:3, :3], [-1, 2, 3], parent=[-1, 0, 0], mu=[0, 0.5, 0.5], law="cone")
    assert cone.law.tolist() == [0, 2, 2]
    assert cone.status([1, 0.3, 0.4]) == ["between", "cone", "cone"]
    with pytest.raises(dls.BadInput, match="parent must be a row"):
        dls.Problem(A, np.zeros(4), parent=[-1, 9, -1, -1], mu=1)
    with pytest.raises(ValueError, match="needs mu"):
        dls.Problem(A, np.zeros(4), parent=[-1, 0, -1, -1])
    with pytest.raises(ValueError, match="'cone' or 'associated'"):
        dls.Problem(A, np.zeros(4), parent=[-1, 0, -1, -1], mu=1, law="disc")
    with pytest.raises(TypeError, match="whole numbers"):
        dls.Problem(A, np.zeros(4), parent=[-1, 0.5, -1, -1], mu=1)
    with pytest.raises(dls.BadInput):  # tangents of a cone are the two rows after their normal row
        dls.Problem(A, np.zeros(4), parent=[-1, -1, -1, 0], mu=1, law="cone")


@pytest.mark.parametrize(
    "friction, words",
    [
        ({"mu": 0.5}, "mu needs parent"),
        ({"law": ["fixed", "box"]}, "row 1 has a friction law"),
        ({"law": "cone"}, "row 0 has a friction law"),
        ({"parent": [None, -7], "mu": [0, 0.5]}, "row 1: its parent must be a row"),
        ({"parent": [None, -1], "mu": [0, 0.5]}, "row 1 has mu = 0.5, and no parent"),
        ({"parent": [None, -1], "mu": 0.5}, "no row has a parent"),
        ({"parent": [1, None], "mu": 0.5, "law": ["box", "cone"]}, "row 1 has a friction law, and no parent"),
        ({"parent": [1, None], "mu": 0.5, "law": "fixed"}, "row 0 has a parent"),
    ],
)
def test_friction_that_would_vanish(friction, words):
    with pytest.raises((dls.BadInput, ValueError), match=words):
        dls.Problem(np.eye(2), [-1, -2], **friction)
    with pytest.raises((dls.BadInput, ValueError), match=words):
        dls.Problem.from_mechanics(np.eye(2), np.eye(2), [-1, -2], **friction)


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        (([[1, 2, 3]], [1]), ValueError, r"A has the shape \(1, 3\); \(1, 1\) is needed"),
        ((np.eye(2), [[1, 2]]), ValueError, r"b has the shape \(1, 2\)"),
        ((np.eye(2), [1, 2], [0, 0, 0]), ValueError, "broadcast"),
        (([[1, np.nan], [0, 1]], [1, 2]), dls.NotFinite, r"A\[0, 1\] is nan"),
        ((np.eye(2), [1, np.inf]), dls.NotFinite, r"b\[1\] is inf"),
        ((np.eye(2), [1, 2], [0, np.nan]), dls.NotFinite, r"lo\[1\] is NaN"),
        ((np.eye(2), [1, 2], [0, 5], [1, 4]), dls.BadInput, r"lo\[1\] = 5.0 is above hi\[1\] = 4.0"),
        ((np.eye(2), [1, 2], [np.inf, 0]), dls.BadInput, "bounds"),
        (([["a"]], [1]), TypeError, "A must be real numbers"),
        (([[1j]], [1]), TypeError, "A must be real numbers, not complex"),
        (([[None]], [1]), TypeError, "A must be real numbers"),
    ],
)
def test_wrong_arrays(arguments, error, words):
    with pytest.raises(error, match=words):
        dls.Problem(*arguments)


def test_without_rows():
    p = dls.Problem(np.zeros((0, 0)), [])
    assert p.n == 0 and p.A.shape == (0, 0)
    assert dls.solve(p, "lemke").is_solution


def test_from_mechanics():
    rng = np.random.default_rng(5)
    G, J = rng.normal(size=(5, 5)), rng.normal(size=(3, 5))
    M, v, c, gamma = G @ G.T + np.eye(5), rng.normal(size=5), rng.normal(size=3), np.array([0.0, 0.1, 0.2])
    p = dls.Problem.from_mechanics(M, J, v, c, gamma, lo=[-np.inf, 0, -1], hi=[np.inf, np.inf, 1], h=0.01)
    np.testing.assert_allclose(p.A, J @ np.linalg.solve(M, J.T) + np.diag(gamma), rtol=1e-12)
    np.testing.assert_allclose(p.b, J @ v - c, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(p.J, J)
    np.testing.assert_array_equal(np.tril(p.M), np.tril(M))
    np.testing.assert_array_equal(p.v_star, v)
    assert (p.h, p.form, p.nv) == (0.01, "mechanical", 5)
    x = rng.normal(size=3)
    np.testing.assert_allclose(p.velocity(x), v + np.linalg.solve(M, J.T @ x), rtol=1e-10)
    contact = dls.Problem.from_mechanics(np.eye(3), np.eye(3), [1, 2, -3], parent=[-1, 0, 0], mu=0.4, law="cone")
    assert contact.law.tolist() == [0, 2, 2]
    rolling = dls.Problem(np.eye(5), [-1, 2, 0, 1, 0], parent=[-1, 0, 0, 0, 0], mu=[0, 0.5, 0.5, 0.1, 0.1], law="associated")
    assert rolling.law.tolist() == [0, 3, 3, 3, 3] and (rolling.law[1:] == Law.ASSOCIATED).all()
    same = dls.Problem.from_mechanics(
        np.eye(5), np.eye(5), [-1, 2, 0, 1, 0], parent=[-1, 0, 0, 0, 0], mu=[0, 0.5, 0.5, 0.1, 0.1], law="associated"
    )
    assert (same.law == rolling.law).all() and (same.mu == rolling.mu).all()
    with pytest.raises(ValueError, match=r"J has the shape \(3, 3\); \(n, 2\)"):
        dls.Problem.from_mechanics(np.eye(2), np.eye(3), [1, 2])
    with pytest.raises(dls.BadInput, match="definite"):
        dls.Problem.from_mechanics(-np.eye(2), np.eye(2), [1, 2])


def test_masses_are_symmetric():
    rng = np.random.default_rng(7)
    G = rng.normal(size=(4, 4))
    M = G @ G.T + np.eye(4)
    make = lambda M: dls.Problem.from_mechanics(M, np.eye(4), [1, 2, 3, 4])
    A = make(M).A
    np.testing.assert_allclose(A, np.linalg.inv(M), rtol=1e-10)
    for triangle in np.tril(M), np.triu(M):  # as LAPACK and files of finite elements store it
        with pytest.warns(UserWarning, match="triangle of M is zero"):
            np.testing.assert_allclose(make(triangle).A, A, rtol=1e-10)
    rounded = M + np.triu(1e-15 * M, 1)
    np.testing.assert_array_equal(make(rounded).M, M)
    wrong = M.copy()
    wrong[1, 3] += 0.1
    with pytest.raises(dls.BadInput, match=r"M\[3, 1\] is .* and M\[1, 3\] is"):
        make(wrong)
    with pytest.raises(dls.NotFinite, match=r"M\[0, 2\]"):
        make(np.where(np.arange(16).reshape(4, 4) == 2, np.nan, M))


def test_scene_and_its_names(scenes):
    p = dls.Problem.load(scenes / "four-bar.yaml")
    assert p.form == "mechanical" and p.format == "scene" and p.rows[:3] == ["A.x", "A.y", "A.z"]
    np.testing.assert_allclose(p.A, p.J @ np.linalg.solve(p.M, p.J.T) + np.diag(p.gamma), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(p.b, p.J @ p.v_star - p.c, rtol=1e-12, atol=1e-12)
    assert p.copy().form == "matrix"
    np.testing.assert_array_equal(p.copy().A, p.copy().A.T)


def test_every_written_format_comes_back(tmp_path):
    lcp, x, _ = dls.manufacture(6, seed=3)
    contacts = cones(4)
    written = []
    for format in dls.formats(written=True):
        for p, solution in ((lcp, x), (contacts, np.zeros(contacts.n))):
            path = tmp_path / f"{format}-{p.n}"
            try:
                lost = p.write(path, format, solution)
            except (dls.Refused, dls.Unavailable):
                continue
            written.append(format)
            assert all(isinstance(sentence, str) for sentence in lost)
            from_file = dls.Problem.load(tmp_path / f"{format}-{p.n}.A.mtx" if format == "matrix-market" else path)
            np.testing.assert_allclose(from_file.A, p.A, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(from_file.b, p.b, rtol=1e-12, atol=1e-12)
    assert set(written) >= {"problem", "json", "matrix-market", "siconos-lcp", "siconos-fc3d", "contactbench", "dart"}


def test_files_that_are_wrong(tmp_path):
    bad = tmp_path / "bad.problem"
    bad.write_text('delassus-problem 1\nname "x"\nform matrix\nstep one\n')
    with pytest.raises(dls.BadInput) as caught:
        dls.Problem.load(bad)
    e = caught.value
    assert e.file == str(bad) and e.line == 4 and e.status == "bad input" and e.message in str(e)
    assert isinstance(e, ValueError) and isinstance(e, dls.Error)
    with pytest.raises(OSError, match="No such file"):
        dls.Problem.load(tmp_path / "none")
    with pytest.raises(dls.Error):
        dls.Problem.parse(b"\x00\x01\x02")
    with pytest.raises(dls.Error, match="no format|formats"):
        dls.Problem.parse("{}", "no-such-format")
    with pytest.raises(TypeError):
        dls.Problem.load(7)


def test_a_stored_solution_is_examined(tmp_path):
    if "fclib" not in dls.formats(written=True):
        pytest.skip("FCLIB is not built in")
    p = cones(4)
    a = dls.solve(p)
    try:
        p.write(tmp_path / "x.hdf5", "fclib", a.impulses)
    except dls.Unavailable as e:
        pytest.skip(str(e))
    q = dls.Problem.load(tmp_path / "x.hdf5")
    assert dls.examine(q, q.stored).is_solution


def test_manufactured():
    p, x, w = dls.manufacture(9, "semidefinite", "boxed", degenerate=0.3, seed=4)
    np.testing.assert_allclose(p.A @ x + p.b, w, atol=1e-12)
    again, y, _ = dls.manufacture(9, "semidefinite", "boxed", degenerate=0.3, seed=4)
    assert x.tobytes() == y.tobytes() and p.A.tobytes() == again.A.tobytes()
    with pytest.raises(ValueError, match="matrix is one of"):
        dls.manufacture(3, "round")
    with pytest.raises((ValueError, OverflowError)):
        dls.manufacture(-1)


def test_what_it_cannot_do():
    p = dls.Problem(np.eye(2), [1, 2])
    with pytest.raises(dls.Refused, match="no masses"):
        p.M
    with pytest.raises(ValueError, match=r"impulses has the shape \(3,\); \(2,\)"):
        p.velocity([1, 2, 3])
    with pytest.raises(TypeError):
        copy.deepcopy(p)
    with pytest.raises(AttributeError):
        p.n = 3


def test_facets():
    """A block that is pushed harder than friction holds it: with four facets the LCP has the answer of the cone along
    an edge, and the relaxation lets it lift off."""
    cone = dls.Problem(np.diag([1.0, 1, 1]), [-2, 3, 0], parent=[None, 0, 0], mu=0.5, law="cone")
    facets = cone.facets(4)
    assert facets.problem.n == 1 + 4 + 1 and facets.T.shape == (3, 6) and not facets.problem.symmetric
    answer = dls.solve(facets.problem, "lemke")
    np.testing.assert_allclose(facets.impulses(answer.impulses), [2, -1, 0], atol=1e-12)
    assert dls.examine(cone, np.round(facets.impulses(answer.impulses), 12))
    relaxed = cone.facets(4, convex=True)
    assert relaxed.problem.symmetric
    lifted = relaxed.impulses(dls.solve(relaxed.problem, "lemke").impulses)
    assert cone.velocity(lifted).shape == (3,) and lifted[0] > 2.1
    with pytest.raises(ValueError, match="at least 3"):
        cone.facets(2)
    with pytest.raises(ValueError, match="shape"):
        facets.impulses([1, 2])
