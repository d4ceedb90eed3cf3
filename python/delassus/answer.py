"""Answers and their verification: `solve` and `examine`."""

from __future__ import annotations

import dataclasses
import enum
import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from . import _delassus
from ._arrays import array, doubles
from ._names import unknown
from .problem import Problem, as_problem
from .solver import Solver, as_solver, check_settings, direct_solvers

if TYPE_CHECKING:
    from .scene import Scene

#: How a solve ended: the examiner's word, not the solver's claim.
Outcome = enum.Enum("Outcome", {word.upper().replace("-", "_"): word for word in _delassus.outcomes})

_OFF = (Outcome.NUMERICAL_FAILURE, Outcome.ITERATION_LIMIT, Outcome.TIME_LIMIT)

FIGURES = tuple(_delassus.figures)


@dataclasses.dataclass(frozen=True)
class Certificate:
    """The examiner's figures for given impulses, recomputed from the problem alone (reference.h).

    With w = A lambda + b, D = diag(A), T_i = |b_i| + sum_j |A_ij| |lambda_j|, Lambda_i = min_j T_j / |A_ji|:
    """

    natural_residual: float  #: max_i |lambda_i - clamp(lambda_i - w_i)|: mixed units
    natural_residual_velocity: float  #: max_i |lambda_i - clamp(lambda_i - w_i / D_i)| D_i [m/s, rad/s]
    natural_residual_impulse: float  #: the same without the factor D_i [N s, N m s]
    impulse_residual: float  #: max_i distance of lambda_i from its bounds, over Lambda_i or the bounds if smaller [1]
    #: max_i |w_i| / T_i where lambda_i may move the way w_i presses, or how far it may move / Lambda_i
    velocity_residual: float
    scaled_residual: float  #: the worse of these two, what tolerances are held against [1]
    least_residual: float  #: at least so much of it is no rounding of its evaluation [1]
    #: the violations against b alone: near 1 where large impulses hide that there is no solution [1]
    data_residual: float
    inconsistent: float  #: the largest w that redundant rows keep in every solution [m/s, rad/s]
    bound_violation: float  #: max_i distance of lambda_i from its bounds [N s]
    cone_violation: float  #: the same of contacts under Coulomb's cone [N s]
    complementarity_gap: float  #: sum_i |slack_i w_i| [J]
    friction_dissipation: float  #: -sum lambda_t . w_t of friction that follows normal impulses [J]
    objective: float  #: 1/2 lambda^T A lambda + b^T lambda where A is symmetric, else NaN [J]
    w_max: float  #: max |w| [m/s]
    worst_row: "int | None"  #: the row of the scaled residual; None where that is 0


_SENTENCES = (
    ("velocity residual", "velocity_residual", "w of the wrong sign, against |b_i| + |A_i||lambda| [1]"),
    ("impulse residual", "impulse_residual", "lambda off its bounds, against impulses that move a row [1]"),
    ("residual_D", "natural_residual_velocity", "max |lambda - clamp(lambda - w / D)| D, D = diag(A) [m/s]"),
    ("bound violation", "bound_violation", "distance of lambda from its bounds [N s]"),
    ("gap", "complementarity_gap", "sum of |slack w| [J]"),
)


@dataclasses.dataclass(frozen=True)
class Bounds:
    """Proved upper bounds of the distance from given impulses to a solution, including all rounding errors.

    A bound is infinite if nothing is proved of its quantity. The truth value is whether anything is proved.
    """

    kind: str  #: 'none', 'backward', 'independent', 'exists', 'active-set' or 'velocity' (reference.h, dls_bounds_kind)
    text: str  #: one sentence: what is proved, or why nothing is
    unique: bool  #: whether there is no other solution
    impulses: float  #: max_i |lambda_i - solution_i| at most [N s]
    w: float  #: max_i |w_i - w_i of the solution| at most [m/s]
    velocity: float  #: |v(lambda) - v+| in the norm of M at most [sqrt(J)]
    dependent: int  #: rows that are left out of the proof, for they depend on others,
    inconsistent: float  #: and how far their w is from 0 at most [m/s]
    #: of friction that follows normal impulses: lambda solves the problem with another b [m/s] and another mu, this far
    b_off: float
    mu_off: float  #: off at most
    between: int
    at_bound: int
    undecided: int  #: rows by their proved state
    radius_impulses: "np.ndarray | None"
    radius_w: "np.ndarray | None"  #: (n,) the same bounds for each row; None where nothing is proved

    def __bool__(self):
        return self.kind != "none"

    @classmethod
    def _of(cls, raw):
        for key in ("radius_impulses", "radius_w"):
            raw[key] = None if raw[key] is None else array(raw[key])
        return cls(**raw)


def history_array(raw, count, **columns):
    """Figures of iterates as a structured array: iteration, the given columns, then each figure of a Certificate."""
    types = [("iteration", np.int64)] + [(k, np.float64) for k in (*columns, *FIGURES)]
    table = np.empty(count, dtype=types)
    table["iteration"] = np.arange(count)
    for key, values in columns.items():
        table[key] = values
    figures = array(raw, count, len(FIGURES))
    for i, key in enumerate(FIGURES):
        table[key] = figures[:, i]
    return table


class Answer:
    """Impulses, the solver's report on them, and the examiner's figures.

    print(answer) is one sentence: whether it is right, by how much it may be off, and why. Its truth value is whether
    it is a solution.
    """

    #: Outcome: SOLVED only where the examiner finds a solution to the tolerance, NO_SOLUTION only where that is proved.
    outcome: Outcome
    message: str  #: why, for every outcome but SOLVED, and any rescue a method took
    sentence: str  #: str(answer): 'right to 2e-15: ...', 'wrong by 0.3 in row 4: ...', 'undecided: ...'
    proved: bool  #: whether `by` of a right answer is a proved bound, and not the measured residual
    #: right: the bound of the error of lambda, or of w where lambda is not unique, or the scaled residual; wrong: the
    #: violation of `row`; else NaN
    by: float
    row: "int | None"  #: the row with the largest violation, of an answer that is wrong
    impulses: np.ndarray  #: lambda, (n,) [N s, N m s]
    w: np.ndarray  #: A lambda + b, (n,) [m/s, rad/s]
    velocity: np.ndarray  #: v+ = v* + M^-1 J^T lambda, (nv,); lambda in the matrix form
    certificate: Certificate
    bounds: Bounds
    iterations: int  #: sweeps, pivots, factorisations or Newton steps
    seconds: float  #: the solver alone: its set-up and its iterations [s]
    total_seconds: float  #: the same with its process, the examinations and the certificate [s]
    history: "np.ndarray | None"  #: structured array, a record for each iterate from the start on: iteration, figures
    iterates: "np.ndarray | None"  #: (iterates, n)
    solutions: "np.ndarray | None"  #: (solutions, n) of the outcomes SEVERAL and CONTINUUM, and of exact methods
    fractions: "list | None"  #: the same as fractions.Fraction, where they are known exactly
    proof: str  #: 'none', 'farkas', 'enumeration', 'exact', or 'certificate': a bound proves that there is a solution
    proof_vector: "np.ndarray | None"  #: y of Farkas' lemma, (n,)
    left: float  #: of a velocity that was examined: the part of it that no impulse makes [1]; else 0

    def __init__(self, problem, solver, impulses, raw, tolerance, left=0.0):
        self.problem, self.solver, self.impulses, self.tolerance, self.left = problem, solver, impulses, tolerance, left
        self.outcome = Outcome(raw["outcome"])
        self.message = raw["message"]
        self.certificate = Certificate(**raw["figures"])
        self.bounds = Bounds._of(raw["bounds"])
        self.sentence, self.proved, self.by, self.row = raw["sentence"]
        self.w, self.velocity = array(raw["w"]), array(raw["velocity"])
        for key in ("iterations", "factorizations", "row_visits", "dead_rows", "inconsistent", "seconds", "total_seconds", "proof"):
            setattr(self, key, raw[key])
        n, count = len(impulses), raw["count"]
        self.history = None if raw["history"] is None else history_array(raw["history"], count)
        self.iterates = None if raw["iterates"] is None else array(raw["iterates"], count, n)
        self.solutions = None if raw["solutions"] is None else array(raw["solutions"], raw["n_solutions"], n)
        self.fractions = None if raw["fractions"] is None else _fractions(raw["fractions"], n)
        self.proof_vector = None if raw["proof_vector"] is None else array(raw["proof_vector"])

    @property
    def is_solution(self) -> bool:
        """Whether the examiner confirms a solution to the tolerance."""
        return self.outcome in (Outcome.SOLVED, Outcome.SEVERAL, Outcome.CONTINUUM)

    @property
    def scaled_residual(self) -> float:
        return self.certificate.scaled_residual

    @property
    def status(self) -> list[str]:
        """'between', 'lower', 'upper' or 'cone' for each row."""
        return self.problem.status(self.impulses)

    def __bool__(self):
        return self.is_solution

    @property
    def right(self) -> bool | None:
        """True: a solution; False: refuted, or not yet one; None: undecided, or there is no answer."""
        if self:
            return True
        return False if self.outcome in _OFF else None

    @property
    def details(self) -> str:
        """The sentence, and the examiner's figures and the certificate behind it, one in a line."""
        lines = [self.sentence]
        for name, key, meaning in _SENTENCES:
            lines.append(f"{name:20} {getattr(self.certificate, key):12.3e}  {meaning}")
        if self.certificate.worst_row is not None:
            i = self.certificate.worst_row
            name = self.problem.rows[i]
            lines.append(f"the worst row is {i}, {name}: lambda = {self.impulses[i]:.9g}, w = {self.w[i]:.9g}")
        if self.message:
            lines.append(f"{self.outcome.value}: {self.message}")
        if self:
            lines.append(f"{'certified' if self.bounds else 'not certified'}: {self.bounds.text}")
        return "\n".join(lines)

    def __str__(self):
        return self.sentence

    def __repr__(self):
        by = f" by {self.solver}" if self.solver else ""
        figures = f"scaled residual {self.scaled_residual:.3e}, {self.iterations} iterations"
        return f"<Answer{by}: {self.outcome.value}, {figures}>"


def _fractions(text, n):
    from fractions import Fraction

    numbers = [Fraction(word) for word in text.split()]
    return [numbers[i : i + n] for i in range(0, len(numbers), n)] if n else []


def _count(value, name):
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} must be a whole number of at least 0, not {value!r}")
    return int(value)


def _tolerance(value):
    value = float(value)
    if not value >= 0.0:
        raise ValueError(f"the tolerance must be a number of at least 0, not {value}")
    return value


def _methods(problem, tolerance):
    """The direct method of the reference; if there is none, every direct method that accepts the problem, and sweeps.

    Where the dense problem is too large for the memory, these are left."""
    sweeps = next(one for one in (as_solver("pgs"), as_solver("nsgs")) if one.refuses(problem) is None)
    try:
        return [as_solver(_delassus.reference(problem._low, tolerance))]
    except _delassus.NoMemory:
        return [sweeps]
    except (_delassus.Refused, _delassus.Unsolvable):
        return [*direct_solvers(problem), sweeps]


def solve(
    problem: Problem | Scene | str | os.PathLike,
    solver: Solver | str | Callable | None = None,
    *,
    start: ArrayLike | None = None,
    iterations: int = 10000,
    tolerance: float = 1e-9,
    stop: bool = True,
    certify: bool = True,
    history: bool = False,
    iterates: bool = False,
    **settings,
) -> Answer:
    """Solves a problem, and measures the answer.

    Parameters
    ----------
    problem : Problem, Scene, or the path of a file
    solver : Solver, name or callable, optional
        Default: the direct method of the reference, that is the first one, in the order of speed, whose answer is
        within the tolerance. If there is none, every direct method that accepts the problem is tried for a proof that
        there is no solution, and then sweeps (pgs, or nsgs under Coulomb's cone); sweeps alone where the dense problem
        is too large for the memory.
    start : (n,), optional
        Initial impulses of an iterative solver; default: 0.
    iterations : int
        Greatest number of iterations of an iterative solver.
    tolerance : float
        Scaled residual up to which an answer is a solution [1].
    stop : bool
        Whether an iterative solver ends as soon as the residual is within the tolerance, before its last iteration.
    certify : bool
        Whether to prove bounds of the answer's error (`Answer.bounds`), for at most 2500 rows: the cost grows with the
        cube of their number.
    history, iterates : bool
        Whether to store the examiner's figures of every iterate, and the iterates themselves.
    **settings
        Settings of the solver (`Solver.fields`).

    Returns
    -------
    Answer
        If the solver refuses the problem, fails or does not converge, the outcome says so; this is not an exception.
        Wrong arguments are exceptions. Ctrl-C takes effect between iterations; a direct method is one iteration.
    """
    problem = as_problem(problem)
    start = np.zeros(problem.n) if start is None else doubles(start, "start", (problem.n,))
    if not np.isfinite(start).all():
        raise _delassus.NotFinite("start must be finite")
    check_settings(solve, solver, settings)
    if solver is None and settings:
        raise TypeError(f"settings need a solver: {', '.join(settings)}")
    limit, tolerance, best = _count(iterations, "iterations"), _tolerance(tolerance), None
    for one in [as_solver(solver, settings)] if solver is not None else _methods(problem, tolerance):
        x = start.copy()
        raw = _delassus.solve(
            problem._low, one._low, x, limit, tolerance, tolerance if stop else -1.0, certify, history, iterates
        )
        answer = Answer(problem, one.name, x, raw, tolerance)
        if answer or answer.outcome is Outcome.NO_SOLUTION:
            return answer
        if best is None or math.isnan(best.scaled_residual) or answer.scaled_residual < best.scaled_residual:
            best = answer
    return best


_ROWS = ("lo", "hi", "parent", "mu", "law")


def examine(
    problem: Problem | Scene | str | os.PathLike | ArrayLike,
    impulses: ArrayLike | None = None,
    x: ArrayLike | None = None,
    *,
    velocity: ArrayLike | None = None,
    tolerance: float = 1e-9,
    certify: bool = True,
    **rows,
) -> Answer:
    """Measures impulses from any source, or a velocity v+, by code that no solver shares, and certifies them.

    ``examine(problem, impulses)``, or ``examine(A, b, x)`` for w = A x + b with 0 <= x, w >= 0, x . w = 0; other
    bounds and friction by ``lo=``, ``hi=``, ``parent=``, ``mu=``, ``law=``:

        import delassus
        answer = delassus.examine([[2, 1], [1, 2]], [-5, -6], [4 / 3, 7 / 3])
        print(answer)    # right to ...: every impulse is proved to be within that of the only solution; ...

    Parameters
    ----------
    problem : Problem, Scene, or the path of a file; or A, (n, n), an array or a sparse matrix of scipy
    impulses : (n,); after A: b
    x : (n,)
        The impulses, after A and b.
    velocity : (nv,)
        In place of impulses, for a problem in mechanical form: among the impulses that cause this velocity, those
        nearest to the reference's are examined, and `Answer.left` is the part of it that no impulses cause.
    tolerance, certify
        As for `solve`.
    **rows
        lo, hi, parent, mu and law as for `Problem`, after A and b.

    Returns
    -------
    Answer
        Its truth value is whether they are a solution; str() is one sentence, `Answer.details` all figures.
    """
    known = ("velocity", "tolerance", "certify") + (_ROWS if x is not None else ())
    for name in rows:
        if name in _ROWS and x is None:
            raise TypeError(f"{name} belongs to A, b and x: delassus.examine(A, b, x, {name}=...)")
        if name not in known:
            raise unknown("delassus.examine", name, known)
    if x is not None:
        problem, impulses = Problem(problem, impulses, **rows), x
    problem, left, tolerance = as_problem(problem), 0.0, _tolerance(tolerance)
    if (impulses is None) == (velocity is None):
        raise TypeError("either impulses or velocity are examined")
    if velocity is not None:
        raw, left = _delassus.impulses_of_velocity(problem._low, doubles(velocity, "velocity", (problem.nv,)))
        impulses = array(raw)
    impulses = doubles(impulses, "impulses", (problem.n,)).copy()
    answer = Answer(
        problem, None, impulses, _delassus.examine(problem._low, impulses, tolerance, certify), tolerance, left
    )
    if not left <= tolerance:
        answer.outcome, answer.by, answer.row, answer.proved = Outcome.NUMERICAL_FAILURE, left, None, False
        answer.message = (
            f"no impulses on these rows make this velocity: {left:.3e} of a body's or articulation's is left over"
        )
        answer.sentence = f"wrong by {left:.2g}: {answer.message}"
    elif answer.outcome is Outcome.NUMERICAL_FAILURE:
        residual = answer.certificate.scaled_residual
        answer.message = f"the scaled residual is {residual:.3e}; at most {tolerance:g} is asked"
    return answer


def velocities(problem: Problem | Scene | str | os.PathLike, tolerance: float = 1e-9) -> np.ndarray:
    """Solutions with different v+, if friction depends on the normal impulses, (count, n); empty if none are known.

    They are found by facets and enumeration, and each is examined to `tolerance`; there may be more.
    """
    problem = as_problem(problem)
    count, raw = _delassus.velocities(problem._low, _tolerance(tolerance))
    return array(raw, count, problem.n)
