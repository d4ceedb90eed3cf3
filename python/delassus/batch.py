"""Batches: many copies of one scene, stepped in one call."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _delassus
from ._arrays import doubles
from .answer import Outcome
from .scene import Scene
from .simulation import checked_step, simulation_arguments
from .solver import Solver


class Batch:
    """Many copies of one scene, stepped in one call by several threads (batch.h).

    Parameters
    ----------
    scene : Scene, path or dict
        Without `changes`.
    copies : int
        Number of copies, each in the scene's initial state.
    solver : Solver or name
        One of `solvers()`.
    scheme, solver_settings, scheme_settings, iterations, velocity_iterations, warm, go_on
        As of a `Simulation`, for every copy.
    threads : int
        0: as many as OpenMP gives. The states are equal to the last bit for any number of threads.

    Copies differ in their states, setpoints and applied forces, which are read and written as arrays with one row per
    copy. ``batch.data`` lists them, with the length of a row; the table in batch.h has their order and units: poses are
    a centre of mass and a unit quaternion (w, x, y, z), velocities (v, omega), forces (f, tau), world axes. In a world
    with sleep, 'island' is 0 for what is awake, and 'wake-counter' the time at rest after which it may fall asleep [s].
    """

    def __init__(
        self,
        scene: Scene | str | os.PathLike | dict,
        copies: int,
        solver: Solver | str = "pgs",
        scheme: str = "euler",
        *,
        solver_settings: dict | None = None,
        scheme_settings: dict | None = None,
        iterations: int = 0,
        velocity_iterations: int = 0,
        warm: bool | dict = False,
        threads: int = 0,
        go_on: bool = False,
    ):
        self.scene, self.solver, low = simulation_arguments(
            scene, solver, scheme, solver_settings, scheme_settings, iterations, velocity_iterations, warm, False, go_on
        )
        self.scheme, self._count = scheme, int(copies)
        self._low = _delassus.Batch(low, self._count, int(threads))
        self._numbers, self._threads, self._bytes = self._low.facts()

    def __len__(self):
        return self._count

    @property
    def data(self) -> dict[str, int]:
        """{name: numbers of one copy} of what `read` gives; 'link-pose' and 'link-velocity' cannot be written."""
        return dict(self._numbers)

    @property
    def threads(self) -> int:
        """The largest number of threads that a step uses."""
        return self._threads

    def step(self, h: float | None = None, count: int = 1) -> Batch:
        """`count` time steps of h [s] of every copy that has not failed; default: the scene's step.

        A copy that diverges, or whose problem the solver does not solve or refuses, keeps the state before that step and is not stepped
        any further; `failed` lists it. Other threads of Python run during the steps, and Ctrl-C takes effect between
        them.
        """
        self._low.step(checked_step(self.scene, h), int(count))
        return self

    def _shape(self, name):
        if name not in self._numbers:
            raise KeyError(f"a batch has no {name!r}; it has {', '.join(self._numbers)}")
        return self._count, self._numbers[name]

    def read(self, name: str, copies: Sequence[int] | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """The data `name`, one row per copy of the batch, (copies, numbers).

        `out` is an array that receives them in place: float64, C-contiguous, with one row per copy, which may be longer
        than needed. `copies` lists the copies to read; the other rows of `out` are unchanged, or NaN without `out`.
        """
        count, numbers = self._shape(name)
        if out is None:
            out = np.full((count, numbers), np.nan)
        elif out.ndim != 2 or out.shape[0] != count or out.shape[1] < numbers:
            raise ValueError(f"out has the shape {out.shape}; ({count}, {numbers}) is needed, or longer rows")
        self._low.read(name, out, self._chosen(copies))
        return out

    def write(self, name: str, values: ArrayLike, copies: Sequence[int] | None = None) -> None:
        """Writes the data `name` of all copies, or of the listed ones. `values` has one row per copy of the batch,
        which may be longer than needed, or one row for all copies.

        C-contiguous arrays of float64 are read in place. If a number is not valid, nothing is written, and the
        exception names the copy and the entry.
        """
        count, numbers = self._shape(name)
        values = doubles(values, name)
        if values.ndim < 2:
            values = np.ascontiguousarray(np.broadcast_to(values, (count, numbers)))
        if values.ndim != 2 or values.shape[0] != count or values.shape[1] < numbers:
            raise ValueError(f"{name} has the shape {values.shape}; ({count}, {numbers}) is needed, or longer rows")
        self._low.write(name, values, self._chosen(copies))

    @staticmethod
    def _chosen(copies):
        return None if copies is None else np.ascontiguousarray(copies, dtype=np.int64)

    def reset(self, copies: Sequence[int] | None = None) -> None:
        """Resets the listed copies, or all, to the scene's initial state; they no longer count as failed."""
        self._low.reset(self._chosen(copies))

    @property
    def time(self) -> np.ndarray:
        """Time of each copy, (copies,) [s]."""
        return np.array([time for time, _, _ in self._low.copies()])

    @property
    def outcomes(self) -> list[Outcome]:
        """How the last solve of each copy ended."""
        return [Outcome(outcome) for _, outcome, _ in self._low.copies()]

    @property
    def failed(self) -> dict[int, str]:
        """{copy: reason} of the copies that have failed."""
        return {copy: why for copy, (_, _, why) in enumerate(self._low.copies()) if why is not None}

    def __repr__(self):
        return f"<Batch of {self._count} copies of {self.scene.name!r} by {self.solver.name}, {self.scheme}>"
