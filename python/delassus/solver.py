"""Solvers by name, their settings, and solvers written in Python."""

from __future__ import annotations

import dataclasses
import inspect
import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import TextIO

import numpy as np

from . import _delassus
from ._arrays import array, doubles
from ._names import nearest, unknown
from .problem import Problem

_ACCEPTS = {"free": 1, "boxed": 2, "unsymmetric": 4, "coupled": 8, "cone": 16}  # dls_accepts
_NEEDS_CONE, _BY_NAME = 32, 64


@dataclasses.dataclass(frozen=True)
class Field:
    """A setting, as in the library's tables of fields."""

    key: str
    unit: str
    kind: str  #: real, count, bool, choice, vector, quaternion, name, lists of these, or a reference
    default: str  #: as text; None: required, '': unset
    least: float
    most: float  #: limits of a number; both 0: none
    open: bool  #: whether the least itself is excluded
    choices: tuple
    help: str

    @classmethod
    def _of(cls, field):
        return cls(*field[:7], tuple(field[7]), field[8])


def _fields(fields):
    return {f[0]: Field._of(f) for f in fields}


def as_value(value):
    """A setting in the form that the library takes: text, or an array of numbers in the field's unit."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        return ", ".join(value)
    return doubles(value, "a setting").reshape(-1)


class Solver:
    """A solver with its settings.

    Parameters
    ----------
    name : str, or a solver written in Python
        A name of `solvers()` or `peers()`, 'exec:COMMAND' for another program, the path of a shared object (with a
        '/'), or a solver written in Python (see `delassus.solver`).
    **settings
        Values of its fields: numbers in the field's unit, or text with any unit ('30 deg').
    """

    def __init__(self, name: str | Callable, **settings):
        if isinstance(name, Solver):
            raise TypeError("this is a Solver already")
        if isinstance(name, str):
            self._low = _delassus.Choice(name)
        elif callable(name):
            if settings:
                raise TypeError(
                    "a solver written in Python takes its settings itself: functools.partial, or its constructor"
                )
            self._low = _own(name)
        else:
            raise TypeError(f"a solver is a name, a Solver or a callable, not {type(name).__name__}")
        self._name, self._kind, self._summary, self._source, self._accepts, fields = self._low.describe()
        self._fields = _fields(fields)
        for key, value in settings.items():
            self._low.set(key, as_value(value))

    name = property(lambda self: self._name)
    kind = property(lambda self: self._kind, doc="'direct' or 'iterative'")
    summary = property(lambda self: self._summary)
    source = property(lambda self: self._source, doc="the paper")
    fields = property(lambda self: dict(self._fields), doc="{key: Field} of its settings")

    @property
    def accepts(self) -> set[str]:
        """Kinds of problems that it accepts besides rows 0 <= lambda: a set of 'free', 'boxed', 'unsymmetric',
        'coupled', 'cone'."""
        return {name for name, bit in _ACCEPTS.items() if self._accepts & bit}

    @property
    def settings(self) -> dict[str, str]:
        """{key: value as text}."""
        return self._low.settings()

    def refuses(self, problem: Problem) -> str | None:
        """The reason why it does not accept a problem; None if it accepts it."""
        return self._low.refuses(problem._low)

    def __repr__(self):
        settings = ", ".join(f"{k}={v!r}" for k, v in self.settings.items())
        return f"Solver({self.name!r}{', ' if settings else ''}{settings})"


def as_solver(solver, settings=None):
    """A Solver from a Solver, a name or a callable; settings are accepted only for the latter two."""
    if isinstance(solver, Solver):
        if settings:
            raise TypeError("a Solver has its settings already")
        return solver
    return Solver(solver, **(settings or {}))


def check_settings(function, solver, settings):
    """TypeError where a setting is rather a mistyped argument of the function than a setting of the solver (a Solver, a
    name, a callable, or None)."""
    low = getattr(solver, "_low", None) or (_delassus.Choice(solver) if isinstance(solver, str) else None)
    fields = [field[0] for field in low.describe()[5]] if low else []
    arguments = [name for name, p in inspect.signature(function).parameters.items() if p.kind is not p.VAR_KEYWORD]
    for name in settings:
        if name not in fields and nearest(name, fields + arguments) in arguments:
            raise unknown(f"delassus.{function.__name__}", name, arguments)


def solvers() -> dict[str, Solver]:
    """{name: Solver with default settings} of the library, direct methods first."""
    return {name: Solver(name) for name in _delassus.solvers()}


def direct_solvers(problem):
    """Direct methods that accept the problem and are used without being named."""
    all = (s for s in solvers().values() if s.kind == "direct" and not s._accepts & _BY_NAME)
    return [s for s in all if s.refuses(problem) is None]


def peers() -> dict[str, tuple[str, str, bool]]:
    """{name: (library, Debian's package, whether it was built)} of the solvers of other projects."""
    return {name: (library, package, built) for name, library, package, built in _delassus.peers()}


def schemes() -> dict[str, tuple[str, str, dict[str, Field]]]:
    """{name: (summary, source, {key: Field})} of the time stepping schemes."""
    return {name: (summary, source, _fields(fields)) for name, summary, source, fields in _delassus.schemes()}


# --- solvers written in Python ---


def solver(name: str | None = None, *, accepts: Iterable[str] = tuple(_ACCEPTS)) -> Callable:
    """Decorator that names a solver written in Python and states which problems it accepts.

    A solver is any callable `f(problem, start)`, which gets a Problem, valid during the solve, and the initial
    impulses, an array that it may change, and

    - yields iterates, as a generator does: each yield is an iteration; or
    - returns an object with a method `iterate()`, which returns the next iterate, or None if there is none; or
    - returns impulses: a direct method.

    Its answer is measured by the examiner. `accepts` is any of 'free' (rows without bounds), 'boxed'
    (two finite bounds), 'unsymmetric' (A), 'coupled' (friction in a box), 'cone'; other problems are refused without
    calling it. Without the decorator every problem is accepted, and the name is that of the function or class.

        @delassus.solver("my-sor", accepts=["free", "boxed"])
        def sor(problem, start): ...
    """
    unknown = set([accepts] if isinstance(accepts, str) else accepts) - set(_ACCEPTS)
    if unknown:
        raise ValueError(f"accepts: {', '.join(sorted(map(str, unknown)))} is none of {', '.join(_ACCEPTS)}")

    def mark(function):
        function.delassus_name = name or function.__name__
        function.delassus_accepts = tuple(accepts)
        return function

    return mark


def _name_of(function):
    name = getattr(function, "delassus_name", None) or getattr(function, "__name__", None) or type(function).__name__
    return name.strip("<>").replace("_", "-")[:63]


def _iterate_of(made, n):
    """A function that returns (the next iterate or None, whether it is the last) from the return value of a solver."""

    def checked(x):
        return doubles(x, "an iterate", (n,))

    if inspect.isgenerator(made) or hasattr(made, "__next__"):

        def step():
            x = next(made, None)
            return (None, True) if x is None else (checked(x), False)

    elif hasattr(made, "iterate"):

        def step():
            x = made.iterate()
            return (None, True) if x is None else (checked(x), False)

    else:
        if made is None:
            raise TypeError(
                "a solver yields iterates, or returns impulses or an object with iterate(); this one returned None"
            )

        def step():
            return checked(made), True

    return step


def _own(function):
    accepts = 0
    for name in getattr(function, "delassus_accepts", _ACCEPTS):
        accepts |= _ACCEPTS[name]

    def begin(low, start):
        problem = Problem._of(low)
        return _iterate_of(function(problem, array(start)), problem.n)

    return _delassus.Choice(_name_of(function), accepts, begin)


def serve(function: Callable, iterations: int = 1000, source: TextIO | None = None, to: TextIO | None = None) -> None:
    """Runs a solver written in Python as the program of `--solver "exec:python3 FILE"` (doc/outside-solvers.md).

    Reads a problem in JSON from standard input and writes at most `iterations` iterates to standard output; the last
    one is the answer. Behind each stand the seconds that `function` took for it. The program ends with the reason if
    the solver does not accept the problem.
    """
    given = json.load(source or sys.stdin)
    start = np.array(given.get("lambda0", np.zeros(given["n"])), dtype=float)
    problem = Problem.parse(json.dumps(given), "json", name="standard input")
    solver = Solver(function)
    reason = solver.refuses(problem)
    if reason is not None:
        sys.exit(f"{solver.name} refuses the problem: {reason}")
    begin, to = time.perf_counter(), to or sys.stdout
    step = _iterate_of(function(problem, start), problem.n)
    for _ in range(iterations):
        x, last = step()
        if x is not None:
            print(" ".join(map(repr, x.tolist())), "seconds", time.perf_counter() - begin, file=to)
        if last:
            break
