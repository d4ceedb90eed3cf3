"""Several solvers on one problem, every iterate measured against the reference solution."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from . import _delassus
from ._arrays import array
from .answer import Outcome, _count, history_array
from .problem import Problem, as_problem
from .solver import Solver, as_solver
from .solver import solvers as all_solvers

if TYPE_CHECKING:
    from .scene import Scene


class Curve:
    """The measured convergence of one solver."""

    solver: str
    outcome: Outcome
    message: str  #: why it refused the problem or failed; "" where there is nothing to say
    iterations: int
    seconds: float  #: the solver alone, for these iterations, without the examination of the iterates [s]
    #: structured array, a record for each iterate from the start on: iteration, distance = sqrt(dv^T M dv) to the
    #: reference [sqrt(J)], and the figures of a Certificate
    history: np.ndarray
    spectral_radius: float  #: of the iteration matrix on the free set; NaN where none is predicted
    predicted_rate: float  #: the same among the modes that this run holds: the factor of the error per iteration
    prediction: str  #: how much predicted_rate says: "exact", "bound", "estimate" or "none-known"
    rate_within: float  #: proved: how far predicted_rate is from the exact one at most; NaN: nothing
    no_rate: str  #: why none is predicted; "": one is
    fitted_rate: float  #: from the distances fit_first to fit_end - 1; NaN with fewer than 8 of them
    fit: str  #: "line"; beyond the regime of a rate "bent", "settling" (rows still come to bounds) or "short"
    fit_first: int
    fit_end: int
    bounds_settled: int  #: the last iteration at which a row came to a bound or left one,
    last_row: str  #: and which
    row_visits: float  #: work of the iterations; NaN: not counted
    iterations_to_1e6: float  #: iterations until the distance is below 1e-6 of the first; NaN: never

    def __init__(self, raw):
        for key in (
            "solver",
            "iterations",
            "seconds",
            "spectral_radius",
            "predicted_rate",
            "rate_within",
            "fitted_rate",
            "fit_first",
            "fit_end",
            "bounds_settled",
            "iterations_to_1e6",
            "last_row",
            "message",
            "no_rate",
            "row_visits",
            "prediction",
            "fit",
        ):
            setattr(self, key, raw[key])
        self.outcome = Outcome(raw["outcome"])
        self.history = history_array(raw["history"], raw["count"], distance=array(raw["distance"]))

    @property
    def distance(self) -> np.ndarray:
        """sqrt(dv^T M dv) to the reference of each iterate, (iterates,) [sqrt(J)]."""
        return self.history["distance"]

    def __repr__(self):
        figures = f"{self.iterations} iterations, fitted rate {self.fitted_rate:.6g}"
        return f"<Curve of {self.solver}: {self.outcome.value}, {figures}>"


class Comparison(dict):
    """{name: Curve} in the order of the solvers."""

    reference: str  #: the direct method whose answer the distances are to,
    reference_residual: float  #: its scaled residual [1],
    reference_bound: float  #: and what is proved of its error [sqrt(J)]; NaN: nothing
    output: "str | None"  #: the folder of tables and figure
    stem: str  #: how their names begin

    @property
    def svg(self) -> str | None:
        """The figure as text, which notebooks show; None if none was drawn."""
        return self._svg

    def _repr_svg_(self):
        return self._svg

    def __repr__(self):
        return f"<Comparison with {self.reference}: {', '.join(f'{k} {v.fitted_rate:.6g}' for k, v in self.items())}>"


def _stem(problem, given):
    stem = given or (os.path.splitext(os.path.basename(problem))[0] if isinstance(problem, (str, os.PathLike)) else "")
    return stem or getattr(problem, "name", "") or "problem"


def compare(
    problem: Problem | Scene | str | os.PathLike,
    solvers: Iterable[Solver | str | Callable] | None = None,
    *,
    iterations: int = 200,
    enough: float = 0.0,
    output: str | os.PathLike | None = None,
    stem: str | None = None,
    figure: bool = True,
) -> Comparison:
    """Runs each solver from 0, and measures every iterate by the examiner and against a direct method's answer.

    Parameters
    ----------
    problem : Problem, Scene, or the path of a file
    solvers : a sequence of Solvers, names and callables, optional
        Default: every iterative solver that accepts the problem.
    iterations : int
        Greatest number of iterations of each solver.
    enough : float
        A run ends when its distance is this share of the first one; 0: never.
    output : path, optional
        Folder for STEM.history.tsv, STEM.summary.tsv and, with `figure`, STEM.svg and STEM.png, as `delassus compare`
        writes them.
    stem : str, optional
        Beginning of the names of these files; default: the name of the problem.

    Returns
    -------
    Comparison
        {name: Curve}. Solvers that refuse the problem have this outcome. An exception of a solver written in Python
        ends the comparison and is raised here. Refused is raised if no direct method gives a reference, Unsolvable if
        one proves that the problem has no solution. Ctrl-C takes effect between iterations.
    """
    stem = _stem(problem, stem).replace("/", "-")
    problem = as_problem(problem)
    if solvers is None:
        chosen = [s for s in all_solvers().values() if s.kind == "iterative" and s.refuses(problem) is None]
    else:
        chosen = [
            as_solver(s) for s in ([solvers] if isinstance(solvers, (str, Solver)) or callable(solvers) else solvers)
        ]
    if problem.n == 0 or not chosen:
        raise ValueError("a comparison needs a problem with rows, and solvers")
    names = [s.name for s in chosen]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two solvers are called {name}: delassus.solver(NAME) gives one of yours another name")
    command = shlex.join(["python3", *sys.argv])
    folder = None if output is None else os.fspath(output)
    raw = _delassus.compare(
        problem._low,
        [s._low for s in chosen],
        _count(iterations, "iterations"),
        float(enough),
        folder,
        stem,
        command,
        figure,
    )
    found = Comparison()
    found.reference, found.reference_residual, found.reference_bound, curves = raw
    found.output, found.stem, found._svg = folder, stem, None
    for one in curves:
        found[one["solver"]] = Curve(one)
    if folder is not None and figure and any(c.outcome is not Outcome.REFUSED for c in found.values()):
        with open(os.path.join(folder, f"{stem}.svg"), encoding="utf-8") as file:
            found._svg = file.read()
    return found
