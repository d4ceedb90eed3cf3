"""Problems: mixed linear complementarity problems, from arrays and files of every format that the library reads."""

from __future__ import annotations

import dataclasses
import io
import os
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _delassus
from ._arrays import Law, array, doubles, frozen, path_bytes


def _laws(law, n):
    """Laws of n rows from one name, a Law, or a sequence of either."""
    if isinstance(law, (str, Law)):
        law = [law] * n
    names = {law.name.lower(): law for law in Law}
    try:
        return np.array([names[x] if isinstance(x, str) else Law(x) for x in law], dtype=np.int64)
    except (KeyError, ValueError):
        raise ValueError(f"law must be 'box', 'cone' or 'associated', for all rows or for each, not {law!r}") from None


def _parents(parent, n):
    """Parents as int64, with -1 for None."""
    parent = np.array([-1 if p is None else p for p in parent])
    if parent.dtype.kind not in "iu" and n > 0:
        raise TypeError("parent must be whole numbers, -1 or None for rows without one")
    return parent.astype(np.int64)


def _friction(parent, mu, law, n):
    """(parent, law, mu) of n rows, or None if no row has friction; an error if a law or a coefficient would be lost."""
    laws = _laws(law, n)
    if parent is None:
        if mu is not None and np.any(np.asarray(mu) != 0):
            raise ValueError("mu needs parent, the normal row of each friction row")
        if (laws != Law.FIXED).any() and (np.ndim(law) > 0 or law not in ("box", Law.BOX)):
            i = int((laws != Law.FIXED).argmax())
            raise ValueError(f"row {i} has a friction law; it needs parent, the normal row")
        return None
    if mu is None:
        raise ValueError("parent needs mu, the friction coefficients")
    parent, each = _parents(parent, n), doubles(np.broadcast_to(mu, (n,)), "mu")
    for what, x in (("parent", parent), ("law", laws)):
        if x.shape != (n,):
            raise ValueError(f"{what} has the shape {x.shape}; {(n,)} is needed")
    for i in range(n):
        if not -1 <= parent[i] < n:
            raise _delassus.BadInput(f"row {i}: its parent must be a row below {n}, -1 or None, not {parent[i]}")
        if parent[i] >= 0 and laws[i] == Law.FIXED:
            raise _delassus.BadInput(f"row {i} has a parent; its law must be 'box', 'cone' or 'associated'")
        if parent[i] < 0 and np.ndim(mu) > 0 and each[i] != 0:
            raise _delassus.BadInput(f"row {i} has mu = {each[i]}, and no parent; give its normal row, or mu = 0")
        if parent[i] < 0 and np.ndim(law) > 0 and laws[i] != Law.FIXED:
            raise _delassus.BadInput(f"row {i} has a friction law, and no parent; give its normal row, or 'fixed'")
    if (parent < 0).all() and (each != 0).any():
        raise _delassus.BadInput("mu is given, and no row has a parent; give the normal row of each friction row")
    return parent, laws, each


def _symmetric(M):
    """M, made symmetric: one triangle where the other is zero, with a warning, else the lower one; an error if the two
    differ by more than rounding."""
    for i, j in np.argwhere(~np.isfinite(M))[:1]:
        raise _delassus.NotFinite(f"M[{i}, {j}] is {M[i, j]}; it must be finite")
    lower, upper = np.tril(M, -1), np.triu(M, 1)
    if lower.any() != upper.any():
        given, other = ("lower", "upper") if lower.any() else ("upper", "lower")
        warnings.warn(f"the {other} triangle of M is zero; the {given} one is taken for both", stacklevel=3)
        return M + (lower + upper).T
    size = np.sqrt(np.abs(np.diag(M)))
    off = np.abs(lower - upper.T) > 1e-12 * np.outer(size, size)
    for i, j in np.argwhere(off)[:1]:
        raise _delassus.BadInput(f"M is not symmetric: M[{i}, {j}] is {M[i, j]}, and M[{j}, {i}] is {M[j, i]}")
    return np.diag(np.diag(M)) + lower + lower.T


def _text_of(words):
    return " ".join(repr(float(x)) for x in words)


@dataclasses.dataclass(frozen=True)
class Facets:
    """A problem with facets instead of friction cones and boxes: an LCP, if its other rows are those of an LCP."""

    problem: Problem  #: in m unknowns z
    T: np.ndarray  #: (n, m): the impulses of the original problem are T z

    def impulses(self, z: ArrayLike) -> np.ndarray:
        """The impulses of the original problem, (n,) [N s], from the answer z of `problem`, (m,)."""
        return self.T @ doubles(z, "z", (self.T.shape[1],))


class Problem:
    """A mixed linear complementarity problem.

        w = A lambda + b,   lo <= lambda <= hi,   w_i >= 0 at lo_i,   w_i <= 0 at hi_i,   w_i = 0 in between

    Parameters
    ----------
    A : (n, n)
        Symmetric or not, definite or not, an array or a sparse matrix of scipy [m/s per N s].
    b : (n,)
        [m/s, rad/s].
    lo, hi : (n,) or a number, optional
        Bounds of the impulses [N s, N m s], finite or infinite; default: 0 and inf, those of an LCP.
    parent : (n,) of int or None, optional
        Normal row, from 0, of each friction row; -1 or None for all other rows. The bounds of friction rows are
        -mu lambda_parent and mu lambda_parent; their entries of `lo` and `hi` are ignored.
    mu : (n,) or a number
        Friction coefficients of the friction rows; in an array those of other rows are 0.
    law : 'box', 'cone', 'associated', or one for each row
        Bounds of each row separately, Coulomb's cone, or the associated law. Under a cone the two tangents follow their
        normal row, and the two rows of rolling friction follow them; two different mu of two such rows are anisotropic
        friction. A row under 'box' with the same parent is torsional friction.
    name : str

    Other ways to create one: `Problem.load`, `Problem.parse`, `Problem.from_mechanics`, `Scene.problem`.
    """

    def __init__(
        self,
        A: ArrayLike,
        b: ArrayLike,
        lo: ArrayLike | None = None,
        hi: ArrayLike | None = None,
        *,
        parent: Sequence[int | None] | np.ndarray | None = None,
        mu: ArrayLike | None = None,
        law: str | Law | Sequence[str | Law] = "box",
    ):
        b = doubles(b, "b")
        if b.ndim != 1:
            raise ValueError(f"b has the shape {b.shape}; a vector is needed")
        n = len(b)
        A = doubles(A, "A", (n, n)) if n else np.zeros((0, 0))
        lo = doubles(np.broadcast_to(0.0 if lo is None else lo, (n,)), "lo")
        hi = doubles(np.broadcast_to(np.inf if hi is None else hi, (n,)), "hi")
        friction = _friction(parent, mu, law, n) or (None, None, None)
        for what, x in (("A", A), ("b", b)):
            if not np.isfinite(x).all():
                at = tuple(int(k) for k in np.argwhere(~np.isfinite(x))[0])
                raise _delassus.NotFinite(f"{what}[{', '.join(map(str, at))}] is {x[at]}; it must be finite")
        for what, x in (("lo", lo), ("hi", hi)):
            if np.isnan(x).any():
                raise _delassus.NotFinite(f"{what}[{int(np.isnan(x).argmax())}] is NaN")
        if (lo > hi).any():
            i = int((lo > hi).argmax())
            raise _delassus.BadInput(f"lo[{i}] = {lo[i]} is above hi[{i}] = {hi[i]}")
        self._low = _delassus.Problem.from_matrix(np.ascontiguousarray(A.T), b, lo, hi, *friction)
        self._stored = None
        self._format = None

    @classmethod
    def _of(cls, low, stored=None, format=None):
        self = cls.__new__(cls)
        self._low, self._stored, self._format = low, stored, format
        return self

    @classmethod
    def _content(cls, content):
        format, low, scene, stored = content
        if low is None:
            low = scene.problem(0.0)
        return cls._of(low, None if stored is None else array(stored), format)

    @classmethod
    def load(cls, path: str | os.PathLike, format: str | None = None) -> Problem:
        """The problem in a file of any format of `formats()`; for a scene that of its first step.

        The format is recognised from the content of the file unless `format` names it. Errors are exceptions with file,
        line and key.
        """
        return cls._content(_delassus.load(path_bytes(path), format, True))

    @classmethod
    def parse(cls, text: str | bytes, format: str | None = None, name: str = "<text>") -> Problem:
        """The same from str or bytes; `name` stands for the file in errors."""
        return cls._content(
            _delassus.parse(text.encode() if isinstance(text, str) else bytes(text), name, format)
        )

    @classmethod
    def from_mechanics(
        cls,
        M: ArrayLike,
        J: ArrayLike,
        v_star: ArrayLike,
        c: ArrayLike | None = None,
        gamma: ArrayLike | None = None,
        lo: ArrayLike | None = None,
        hi: ArrayLike | None = None,
        *,
        h: float = 1.0,
        parent: Sequence[int | None] | np.ndarray | None = None,
        mu: ArrayLike | None = None,
        law: str | Law | Sequence[str | Law] = "box",
        name: str = "mechanics",
    ) -> Problem:
        """The problem A = J M^-1 J^T + diag(gamma), b = J v_star - c, in the mechanical form with masses and
        velocities.

        Parameters
        ----------
        M : (nv, nv)
            Mass matrix, symmetric to rounding and positive definite. Where one triangle is zero the other stands for
            both, with a warning.
        J : (n, nv)
            Jacobian of the rows.
        v_star : (nv,)
            Velocity without constraints [m/s, rad/s].
        c, gamma : (n,), optional
            Right side [m/s] and compliance CFM / h; default: 0.
        lo, hi, parent, mu, law
            As for `Problem`.
        h : float
            Time step [s]; the equations do not use it.
        """
        v_star = doubles(v_star, "v_star")
        nv = len(v_star)
        M = _symmetric(doubles(M, "M", (nv, nv)))
        J = doubles(J, "J")
        if J.ndim != 2 or J.shape[1] != nv:
            raise ValueError(f"J has the shape {J.shape}; (n, {nv}) is needed")
        n = len(J)
        wide = {"c": 0.0, "gamma": 0.0, "lo": 0.0, "hi": np.inf}
        given = {"c": c, "gamma": gamma, "lo": lo, "hi": hi}
        x = {k: doubles(np.broadcast_to(wide[k] if given[k] is None else given[k], (n,)), k) for k in wide}
        friction = _friction(parent, mu, law, n)
        parent, laws, mus = friction or ([-1] * n, [Law.FIXED] * n, [0.0] * n)
        out = io.StringIO()
        out.write(f'delassus-problem 1\nname "{name}"\nform mechanical\nstep {float(h)!r}\nmasses {min(nv, 1)}\n')
        out.write(f"velocities {nv}\nrows {n}\nblocks {n if nv else 0}\ncoefficients {n * nv}\n")
        if nv:
            out.write(f"mass dense {nv}\n")
        for j in range(nv):
            out.write(f"column {_text_of(M[j:, j])}\n")
        out.writelines(f"velocity {float(v)!r}\n" for v in v_star)
        for i in range(n):
            coupled = parent[i] >= 0
            low, high = (0.0, 0.0) if coupled else (x["lo"][i], x["hi"][i])
            word = {Law.CONE: "cone:", Law.ASSOCIATED: "associated:"}.get(laws[i], "")
            of = f"{word}{parent[i]}" if coupled else "-"
            m = mus[i] if coupled else 0.0
            out.write(f'row {_text_of([x["gamma"][i], x["c"][i], low, high, 0.0, m])} {of} - {min(nv, 1)} "row"\n')
            if nv:
                out.write(f"block 0 {nv} {_text_of(J[i])}\n")
        out.write("end\n")
        return cls._of(_delassus.parse(out.getvalue().encode(), name, "problem")[1])

    def write(self, path: str | os.PathLike, format: str = "problem", solution: ArrayLike | None = None) -> list[str]:
        """Writes it in a format of `formats(written=True)`; returns a list of sentences about the information left out.

        Refused is raised if the format cannot represent data that determine the solutions. `solution`: impulses to
        store in the file.
        """
        if solution is not None:
            solution = doubles(solution, "solution", (self.n,))
        return self._low.write(path_bytes(path), format, solution)

    def copy(self) -> Problem:
        """An independent copy in matrix form, for example of a problem lent by a solver or a simulation."""
        return Problem._of(self._low.matrix_form())

    matrix_form = copy

    # --- sizes ---

    @property
    def n(self) -> int:
        """Number of rows."""
        return self._low.n

    @property
    def nv(self) -> int:
        """Number of generalised velocities; n in the matrix form."""
        return self._low.nv

    @property
    def h(self) -> float:
        """Time step [s]; 1 in the matrix form."""
        return self._low.h

    @property
    def name(self) -> str:
        return self._low.name

    @property
    def form(self) -> str:
        """'mechanical' (J, M, v*, c) or 'matrix' (A, b)."""
        return "mechanical" if self._low.mechanical else "matrix"

    @property
    def symmetric(self) -> bool:
        """Whether A is symmetric."""
        return self._low.symmetric

    @property
    def format(self) -> str | None:
        """The format in which its file was read; None if it was not read from a file."""
        return self._format

    @property
    def stored(self) -> np.ndarray | None:
        """Impulses that its file gives as the solution, (n,), or None; `examine` measures them."""
        return self._stored

    # --- numbers, each a copy ---

    @property
    def A(self) -> np.ndarray:
        """The Delassus matrix J M^-1 J^T + diag(gamma), (n, n). Computed at each call."""
        return array(self._low.dense()[0], self.n, self.n).T

    @property
    def b(self) -> np.ndarray:
        """J v* - c, (n,) [m/s, rad/s]."""
        return array(self._low.dense()[1])

    @property
    def J(self) -> np.ndarray:
        """Jacobian, (n, nv); A in the matrix form."""
        return array(self._low.jacobian(), self.nv, self.n).T

    @property
    def M(self) -> np.ndarray:
        """Mass matrix, (nv, nv), of the mechanical form."""
        if self.form == "matrix":
            raise _delassus.Refused("a problem in matrix form has no masses")
        return array(self._low.mass(), self.nv, self.nv).T

    @property
    def v_star(self) -> np.ndarray:
        """Velocity without constraints, (nv,) [m/s, rad/s]."""
        return array(self._low.vector("v_star"))

    @property
    def c(self) -> np.ndarray:
        """Right side of the rows, (n,) [m/s, rad/s]."""
        return array(self._low.vector("c"))

    @property
    def gamma(self) -> np.ndarray:
        """Compliance CFM / h of the rows, (n,)."""
        return array(self._low.vector("gamma"))

    @property
    def lo(self) -> np.ndarray:
        """Lower bounds, (n,) [N s, N m s]; 0 on rows of friction with a parent."""
        return array(self._low.vector("lo"))

    @property
    def hi(self) -> np.ndarray:
        """Upper bounds, (n,)."""
        return array(self._low.vector("hi"))

    @property
    def parent(self) -> np.ndarray:
        """Normal row of each friction row, (n,) of int64; -1 for all other rows."""
        return np.frombuffer(self._low.vector("parent"), dtype=np.int64)

    @property
    def mu(self) -> np.ndarray:
        """Friction coefficients, (n,); 0 on rows without a parent."""
        return array(self._low.vector("mu"))

    @property
    def law(self) -> np.ndarray:
        """Laws of the rows, (n,) of int: Law.FIXED, Law.BOX, Law.CONE."""
        return frozen(np.array(self._low.laws(), dtype=np.int64))

    @property
    def rows(self) -> list[str]:
        """Names of the rows, OWNER.LABEL if they are known."""
        return [f"{o}.{r}" if o else r for o, r in zip(self._low.owners(), self._low.labels())]

    # --- equations ---

    def velocity(self, impulses: ArrayLike) -> np.ndarray:
        """v+ = v* + M^-1 J^T lambda, (nv,); lambda in the matrix form."""
        return array(self._low.velocity(doubles(impulses, "impulses", (self.n,))))

    def facets(self, count: int = 8, convex: bool = False) -> Facets:
        """The problem with another friction law: `count` facets (at least 3) instead of each cone, and 2 instead of
        each box, which is exact. `convex` selects the relaxation in which sliding bodies lift off; its matrix is
        symmetric if A is. Refused if this law cannot represent the problem."""
        low, raw = self._low.facets(int(count), bool(convex))
        problem = Problem._of(low)
        return Facets(problem, array(raw, problem.n, self.n).T)

    def bounds(self, impulses: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """(lo, hi) at these impulses: bounds of friction follow from the normal impulses; for a cone, those of the
        square around its disc."""
        return tuple(array(x) for x in self._low.bounds(doubles(impulses, "impulses", (self.n,))))

    def status(self, impulses: ArrayLike) -> list[str]:
        """'between', 'lower', 'upper' or 'cone' for each row."""
        return self._low.row_status(doubles(impulses, "impulses", (self.n,)))

    def __repr__(self):
        return f"<Problem {self.name!r}: {self.n} rows, {self.nv} velocities, {self.form} form>"


def formats(written: bool = False) -> dict[str, str]:
    """{name: description} of the file formats that are read, or written."""
    return dict(_delassus.formats()[1 if written else 0])


_MATRICES = ("definite", "semidefinite", "monotone", "p")
_BOUNDS = ("lcp", "boxed")


def manufacture(
    n: int, matrix: str = "definite", bounds: str = "lcp", *, degenerate: float = 0.0, seed: int = 1
) -> tuple[Problem, np.ndarray, np.ndarray]:
    """(problem, impulses, w): a problem with a chosen solution, b = w - A lambda; the same
    arguments always give the same problem.

    `matrix`: 'definite', 'semidefinite' (lambda is not unique), 'monotone' or 'p' (not symmetric); `bounds`: 'lcp' or
    'boxed' (a third free, a third [0, inf), a third [-1, 1]); `degenerate`: the share of rows at a bound with w = 0.
    """
    if matrix not in _MATRICES or bounds not in _BOUNDS:
        raise ValueError(f"matrix is one of {', '.join(_MATRICES)}, and bounds one of {', '.join(_BOUNDS)}")
    low, x, w = _delassus.manufacture(_MATRICES.index(matrix), _BOUNDS.index(bounds), n, degenerate, seed)
    return Problem._of(low), array(x), array(w)


def as_problem(problem):
    """A Problem from a Problem, or from the path of a file."""
    if isinstance(problem, Problem):
        return problem
    if hasattr(problem, "problem") and callable(problem.problem):
        return problem.problem()
    if isinstance(problem, (str, os.PathLike)):
        return Problem.load(problem)
    raise TypeError(f"a Problem, a Scene or the path of a file is needed, not {type(problem).__name__}")
