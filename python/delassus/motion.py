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


class Motion(Trajectory):
    """The motion at T times, without time steps. `error` estimates its error, and is no bound."""

    error: np.ndarray  #: (T, 2): distance from the motion with 100 times the tolerance, [m, rad] and [m/s, rad/s]
    events: list  #: of MotionEvent
    ended: str | None  #: why it ended before the last time; None: it did not


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
    found = _delassus.motion(scene._low, times, 0.0 if tolerance is None else float(tolerance), bool(project))
    done, ends = found["done"], found["ends"]

    def array(name, *shape):
        values = np.frombuffer(found[name], dtype=np.float64)
        return values[: done * int(np.prod(shape, dtype=int))].reshape(done, *shape)

    result = Motion()
    result.ends = ends
    result.time = np.concatenate([[0.0], times])[:done]
    result.position = array("position", len(ends), 3)
    result.orientation = array("orientation", len(ends), 4)
    result.velocity = array("velocity", len(ends), 6)
    width = len(found["coordinates"]) // 8 // (len(times) + 1)
    result.coordinates = array("coordinates", width)
    result.kinetic, result.potential = array("kinetic"), array("potential")
    result.error = array("distance", 2)
    result.events = [MotionEvent(*event) for event in found["events"]]
    result.ended = found["ended"]
    return result
