"""The motion of a scene in continuous time."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _delassus
from .scene import Scene
from .simulation import Trajectory


class MotionEvent(NamedTuple):
    """One event of a motion (doc/motion.md)."""

    time: float  #: [s]; of an accumulation of impacts, its limit
    #: 'impact', 'touch', 'release', 'slip', 'stick', 'reverse', 'saturate', 'desaturate', 'accumulation' or 'break'
    kind: str
    owner: str  #: the joint, or the two bodies
    row: str
    speed: float  #: of the row before the event [m/s, rad/s]


class MotionStates(Trajectory):
    """The states and forces of a motion at T times that were asked for."""

    rows: list  #: (owner, row) of each row: the joint, or the two bodies
    force: np.ndarray  #: (T, R) of the rows [N, N m]; where they are not unique, one choice of them


class Motion(Trajectory):
    """The motion at T times, without time steps. `error` estimates its error, and is no bound."""

    error: np.ndarray  #: (T, 2): distance from the motion with 100 times the tolerance, [m, rad] and [m/s, rad/s]
    events: list  #: of MotionEvent
    ended: str | None  #: why it ended before the last time; None: it did not

    def at(self, times: ArrayLike, *, before: bool = False) -> MotionStates:
        """States and forces at any times from the start to the last time, in any order, as exact as at the given times.

        At an event it is the limit from the right, or with `before` the limit from the left: the velocities before an
        impact. The first call follows the motion once more, and keeps its steps.
        """
        times = np.ascontiguousarray(times, dtype=np.float64).ravel()
        found = _delassus.motion_at(self._course, times, bool(before))
        result = MotionStates()
        result.time = times
        fill_states(result, found, len(times))
        result.rows = found["rows"]
        result.force = states_array(found, "force", len(times), len(result.rows))
        return result


def states_array(found, name, count, *shape):
    """The first `count` entries of an array of the module."""
    values = np.frombuffer(found[name], dtype=np.float64)
    return values[: count * int(np.prod(shape, dtype=int))].reshape(count, *shape)


def fill_states(result, found, count):
    """The states of the first `count` times."""
    result.ends = found["ends"]
    n = len(result.ends)
    result.position = states_array(found, "position", count, n, 3)
    result.orientation = states_array(found, "orientation", count, n, 4)
    result.velocity = states_array(found, "velocity", count, n, 6)
    rooms = len(found["kinetic"])
    result.coordinates = states_array(found, "coordinates", count, len(found["coordinates"]) // max(rooms, 1))
    result.kinetic = states_array(found, "kinetic", count)
    result.potential = states_array(found, "potential", count)


def motion(
    scene: Scene | str | os.PathLike | dict,
    times: ArrayLike,
    *,
    tolerance: float | None = None,
    project: bool = False,
) -> Motion:
    """Follows a scene in continuous time, across impacts, contacts, friction, limits and forces that saturate.

    Parameters
    ----------
    scene : Scene, path or dict
    times : array
        Ascending, from the start of the scene on [s]; the motion begins with the start itself, at 0.
    tolerance : float
        Error of a step of the integrator, 1e-16 to 1e-3; default: 3e-15.
    project : bool
        Begin at the nearest pose and velocity that satisfy the joints.

    Where the motion has no continuation, or several, it ends before that: see `ended`. Raises `Refused` for scenes that
    have no motion in continuous time.
    """
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    times = np.ascontiguousarray(times, dtype=np.float64).ravel()
    if not np.all(np.isfinite(times)) or np.any(np.diff(times, prepend=0.0) < 0.0):
        raise ValueError("times must be finite, not negative and ascending")
    settings = (0.0 if tolerance is None else float(tolerance), bool(project))
    found = _delassus.motion(scene._low, times, *settings)
    course = _delassus.motion_course(scene._low, *settings, float(times[-1]) if len(times) else 0.0)
    done = found["done"]
    result = Motion()
    result.time = np.concatenate([[0.0], times])[:done]
    fill_states(result, found, done)
    result.error = states_array(found, "distance", done, 2)
    result.events = [MotionEvent(*event) for event in found["events"]]
    result.ended = found["ended"]
    result._course = course
    return result
