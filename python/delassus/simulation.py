"""Simulations: a scene in motion."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable

import numpy as np

from . import _delassus
from ._arrays import array, doubles, frozen
from .answer import Outcome
from .problem import Problem
from .scene import Scene
from .solver import Solver, as_solver, as_value


@dataclasses.dataclass(frozen=True)
class Pose:
    """Position, orientation and velocity of a body or link, in the world frame."""

    position: np.ndarray  #: centre of mass, (3,) [m]
    orientation: np.ndarray  #: unit quaternion (w, x, y, z), body to world, (4,)
    velocity: np.ndarray  #: of the centre of mass, (3,) [m/s]
    angular_velocity: np.ndarray  #: (3,) [rad/s]


@dataclasses.dataclass(frozen=True)
class RowForce:
    """The impulse of a row in the last step (its last substep)."""

    owner: str  #: the joint, or 'contact K of BODY1 on BODY2'
    label: str
    impulse: float  #: lambda [N s, N m s]
    force: float  #: lambda / h [N, N m]
    angular: bool  #: N m
    status: str  #: 'between', 'lower', 'upper' or 'cone'


@dataclasses.dataclass(frozen=True)
class Contact:
    """A contact that was detected at the start of the last step."""

    body1: str
    body2: str
    point1: np.ndarray
    point2: np.ndarray  #: the contact point on each body, (3,) [m]
    normal: np.ndarray  #: unit, from body 2 to body 1, (3,)
    gap: float  #: n . (point1 - point2) [m]; negative: penetration
    mu: float


@dataclasses.dataclass(frozen=True)
class Event:
    """An event of the last step: a joint broke, a body fell asleep or woke."""

    kind: str
    subject: str
    cause: str
    time: float
    value: float
    threshold: float


def _spread(values, have, wanted):
    """Rows of `values`, one for each name in `have`, in the order of `wanted`; NaN for other names."""
    if have == wanted:
        return values
    places = {name: i for i, name in enumerate(wanted)}
    spread = np.full((len(wanted), *values.shape[1:]), np.nan)
    spread[[places[name] for name in have]] = values
    return spread


class Trajectory:
    """The record of a run: T states of E bodies and links.

    If the scene changes during the run, E counts all bodies and links that ever existed, with NaN at times when they do
    not exist. Coordinates are those of the articulations at each time, followed by NaN.
    """

    ends: list  #: their names
    time: np.ndarray  #: (T,) [s]
    position: np.ndarray  #: (T, E, 3) [m]
    orientation: np.ndarray  #: (T, E, 4), (w, x, y, z)
    velocity: np.ndarray  #: (T, E, 6), (v, omega) [m/s, rad/s]
    coordinates: np.ndarray  #: (T, C) of articulations [rad, m]
    kinetic: np.ndarray  #: (T,) [J]
    potential: np.ndarray  #: (T,) [J]
    error: np.ndarray  #: (T, 2): the largest joint error, linear [m] and angular [rad]

    def of(self, end: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(positions (T, 3), orientations (T, 4), velocities (T, 6)) of a body or link by its name."""
        i = self.ends.index(end)
        return self.position[:, i], self.orientation[:, i], self.velocity[:, i]

    @property
    def energy(self) -> np.ndarray:
        """Kinetic plus potential energy, (T,) [J]."""
        return self.kinetic + self.potential

    def __repr__(self):
        span = f"{self.time[0]:g} to {self.time[-1]:g} s"
        return f"<Trajectory: {len(self.time)} states of {len(self.ends)} bodies and links, {span}>"


def checked_step(scene, h):
    """The step h [s], or the scene's if h is None."""
    h = float(scene.world["step"].split()[0] if h is None else h)
    if not 0.0 < h < math.inf:
        raise ValueError(f"the step must be above 0 and finite, not {h}")
    return h


def simulation_arguments(
    scene, solver, scheme, solver_settings, scheme_settings, iterations, velocity_iterations, warm, ledger, go_on
):
    """(Scene, Solver, arguments of the module's simulations)."""
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    solver = as_solver(solver, solver_settings)
    warm = {k: as_value(v) for k, v in warm.items()} if isinstance(warm, dict) else {} if warm else None
    settings = {k: as_value(v) for k, v in (scheme_settings or {}).items()}
    low = (scene._low, solver._low, scheme, settings, iterations, velocity_iterations, warm, ledger, go_on)
    return scene, solver, low


class Simulation:
    """A simulation by time steps, from the initial state of a scene.

    Parameters
    ----------
    scene : Scene, path or dict
    solver : Solver, name or callable
    scheme : str
        One of `schemes()`.
    solver_settings, scheme_settings : dict
    iterations, velocity_iterations : int
        Iterations of an iterative solver per step; 0: those of the scene's world.
    warm : bool or dict
        Whether each solve begins with the impulses of the previous step, or the settings of warm starts.
    ledger : bool
        Whether to keep an energy ledger of every step.
    go_on : bool
        Whether to make steps that the solver did not solve with the impulses that it left; `outcome` then tells. If
        false, they are exceptions: see `step`.

    Changes of the scene are carried out before the first step that begins at their time or later; `bodies`, `ends`,
    `joints` and `sensors` are those of the current model. Do not call `scene.set` before the last change.

    Returned arrays are read-only copies; assignment changes the state: ``sim.velocity = v``.
    """

    def __init__(
        self,
        scene: Scene | str | os.PathLike | dict,
        solver: Solver | str | Callable = "block-pivoting",
        scheme: str = "euler",
        *,
        solver_settings: dict | None = None,
        scheme_settings: dict | None = None,
        iterations: int = 0,
        velocity_iterations: int = 0,
        warm: bool | dict = False,
        ledger: bool = False,
        go_on: bool = False,
    ):
        self.scene, self.solver, low = simulation_arguments(
            scene, solver, scheme, solver_settings, scheme_settings, iterations, velocity_iterations, warm, ledger, go_on
        )
        self.scheme = scheme
        self._low = _delassus.Simulation(*low)
        self._changed, (self._bodies, self._ends, self._joints, self._sensors) = 0, self._low.names()

    # --- stepping ---

    def _step(self, h, count):
        try:
            self._low.step(h, count)
        finally:
            changed = self._low.changed()
            if changed != self._changed:
                self._changed, (self._bodies, self._ends, self._joints, self._sensors) = changed, self._low.names()

    def step(self, h: float | None = None, count: int = 1) -> Simulation:
        """`count` time steps of h [s]; default: the scene's step.

        Other threads of Python run during the steps, and Ctrl-C takes effect between them.

        NotFinite is raised, with the name of the body or joint, if the run diverges. Unsolved is raised, with the
        solver's message and the time, if it failed, ran out of time, or says that there is no solution, and Refused if it does not accept the problem; the state is then that before the step, and `problem`
        is the one that was not solved. An iterative solver that has made its number of iterations has not failed:
        `outcome` is ITERATION_LIMIT.
        """
        self._step(checked_step(self.scene, h), int(count))
        return self

    def run(self, duration: float | None = None, h: float | None = None, every: int = 1) -> Trajectory:
        """Steps for `duration` [s] (default: the scene's), and records each `every`-th state and the last."""
        h = checked_step(self.scene, h)
        duration = float(self.scene.world["duration"].split()[0] if duration is None else duration)
        count, every = round(duration / h), int(every)
        if count < 0 or every < 1:
            raise ValueError("the duration must not be negative, and every at least 1")
        taken = [self._sample()]
        for done in range(0, count, every):
            self._step(h, min(every, count - done))
            taken.append(self._sample())
        result = Trajectory()
        ends, *columns = zip(*taken)
        result.ends = list(dict.fromkeys(end for those in ends for end in those))
        names = ("time", "position", "orientation", "velocity", "coordinates", "kinetic", "potential", "error")
        for name, values in zip(names, columns):
            if name in ("position", "orientation", "velocity"):
                values = [_spread(v, those, result.ends) for v, those in zip(values, ends)]
            elif name == "coordinates":
                values = [np.append(v, np.full(max(map(len, values)) - len(v), np.nan)) for v in values]
            setattr(result, name, np.array(values))
        return result

    def _sample(self):
        n = len(self._ends)
        x, q, v = self._low.poses()
        kinetic, potential, _, linear, angular = self._low.energy()
        return (
            self._ends,
            self._low.time(),
            array(x, n, 3),
            array(q, n, 4),
            array(v, n, 6),
            array(self._low.get("coordinates")),
            kinetic,
            potential,
            (linear, angular),
        )

    # --- the state ---

    @property
    def time(self) -> float:
        """[s]"""
        return self._low.time()

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return list(self._bodies)

    @property
    def ends(self) -> list[str]:
        """Names of bodies and links, the possible ends of joints: BODY, ARTICULATION.LINK."""
        return list(self._ends)

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return list(self._joints)

    @property
    def changed(self) -> int:
        """How many changes of the scene have been carried out."""
        return self._changed

    def pose(self, end: str) -> Pose:
        """The Pose of a body or link by its name."""
        if end not in self._ends:
            raise KeyError(f"there is no body or link {end!r}; these are {', '.join(self._ends)}")
        i = self._ends.index(end)
        x, q, v = (array(a) for a in self._low.poses())
        return Pose(x[3 * i : 3 * i + 3], q[4 * i : 4 * i + 4], v[6 * i : 6 * i + 3], v[6 * i + 3 : 6 * i + 6])

    def _get(self, name, *shape):
        return frozen(array(self._low.get(name), *shape))

    def _set(self, name, values, shape):
        self._low.set(name, doubles(values, name, shape))

    @property
    def position(self) -> np.ndarray:
        """Centres of mass of the bodies, (bodies, 3) [m]."""
        return self._get("x", len(self._bodies), 3)

    @position.setter
    def position(self, values):
        self._set("x", values, (len(self._bodies), 3))

    @property
    def orientation(self) -> np.ndarray:
        """Unit quaternions (w, x, y, z) of the bodies, body to world, (bodies, 4); assigned ones are normalised."""
        return self._get("q", len(self._bodies), 4)

    @orientation.setter
    def orientation(self, values):
        q = doubles(values, "orientation", (len(self._bodies), 4))
        size = np.linalg.norm(q, axis=1, keepdims=True)
        if not (np.abs(size - 1.0) <= 1e-3).all():
            raise ValueError("a quaternion's norm must be within 0.1 % of 1")
        self._set("q", q / size, q.shape)

    @property
    def velocity(self) -> np.ndarray:
        """Generalised velocity, (nv,): (v, omega) of each free body, then the base and the joint speeds of each
        articulation."""
        return self._get("v")

    @velocity.setter
    def velocity(self, values):
        self._set("v", values, self._get("v").shape)

    @property
    def force(self) -> np.ndarray:
        """Applied generalised forces, (nv,), constant during a step, without gravity [N, N m]."""
        return self._get("force")

    @force.setter
    def force(self, values):
        self._set("force", values, self._get("force").shape)

    @property
    def link_force(self) -> np.ndarray:
        """Forces and torques applied at the centres of mass of the links, (links, 6), world frame [N, N m]."""
        return self._get("link_force", -1, 6)

    @link_force.setter
    def link_force(self, values):
        self._set("link_force", values, self.link_force.shape)

    @property
    def coordinates(self) -> np.ndarray:
        """Joint positions of the articulations, (coordinates,) [rad, m], and unit quaternions.

        Assignment does not change `turns`.
        """
        return self._get("coordinates")

    @coordinates.setter
    def coordinates(self, values):
        self._set("coordinates", values, self._get("coordinates").shape)

    @property
    def turns(self) -> np.ndarray:
        """Numbers of turns that the coordinates do not contain, (coordinates,) integers: for a revolute joint, whose
        position is kept in (-2 pi, 2 pi], the multiples of 4 pi that were subtracted; for a spherical joint, at the
        first entry of its quaternion, the full turns of its twist."""
        return array(self._low.turns()).astype(np.int64)

    @turns.setter
    def turns(self, values):
        self._low.set_turns(doubles(values, "turns", self._get("coordinates").shape))

    @property
    def energy(self) -> tuple[float, float]:
        """(kinetic, potential) [J], without that of springs."""
        return self._low.energy()[:2]

    def elastic_energy(self, h: float | None = None) -> float:
        """The energy that the springs of joints, drives and tendons store [J]. A spring that is given by ERP and CFM is
        another one for each step h [s]; default: the scene's."""
        return self._low.elastic(checked_step(self.scene, h))

    @property
    def momentum(self) -> np.ndarray:
        """(6,): momentum [kg m/s], and angular momentum about the world's origin [kg m^2/s]."""
        return array(self._low.energy()[2])

    @property
    def error(self) -> tuple[float, float]:
        """The largest joint error of the current state: (linear [m], angular [rad])."""
        return self._low.energy()[3:]

    # --- the last step (its last substep) ---

    @property
    def problem(self) -> Problem | None:
        """The Problem of the last step, valid until the next one (or keep its `copy()`); None before the first step."""
        low = self._low.problem()
        return None if low is None else Problem._of(low)

    @property
    def impulses(self) -> np.ndarray:
        """lambda of the last step, (n,) [N s, N m s]."""
        return frozen(array(self._low.impulses()))

    @property
    def outcome(self) -> Outcome | None:
        """The Outcome of the last solve as the solver reports it; `examine(sim.problem, sim.impulses)` measures the
        answer."""
        report = self._low.report()
        return None if report is None else Outcome(report["outcome"])

    @property
    def message(self) -> str:
        """The reason for every outcome other than SOLVED."""
        report = self._low.report()
        return "" if report is None else report["message"]

    @property
    def iterations(self) -> int:
        """Iterations of the last step: the sum over all its solves."""
        report = self._low.report()
        return 0 if report is None else report["iterations"]

    @property
    def rows(self) -> list[RowForce]:
        """A RowForce for each row of the last step."""
        return [RowForce(*row) for row in self._low.rows()]

    @property
    def contacts(self) -> list[Contact]:
        """The Contacts that were detected at the start of the last step."""
        found = []
        for body1, body2, raw, mu in self._low.contacts():
            x = array(raw)
            found.append(Contact(body1, body2, x[0:3], x[3:6], x[6:9], float(x[9]), mu))
        return found

    @property
    def sensors(self) -> list[str]:
        """Names of the sensors."""
        return list(self._sensors)

    def sensor(self, name: str) -> np.ndarray:
        """The wrench of a sensor in the last step, (6,): force and torque about its origin, in its axes or the world's
        [N, N m]."""
        return array(self._low.sensor(name))

    def forces_of(self, joint: str) -> tuple[np.ndarray, np.ndarray, float]:
        """The force of a joint in the last step: (on end 1, on end 2, along its coordinates) [N, N m].

        For each end the force and the torque about its centre of mass, (6,), world frame; for a joint on coordinates
        the force along their sum.
        """
        one, other, along = self._low.forces_of(joint)
        return array(one), array(other), along

    @property
    def ledger(self) -> dict[str, float] | None:
        """{part: J} of the last step's energy balance (ledger.h); None if no ledger is kept."""
        return self._low.ledger()

    @property
    def events(self) -> list[Event]:
        """The Events of the last step."""
        return [Event(*event) for event in self._low.events()]

    # --- what a program changes ---

    def drive(self, joint: str, target: float = 0.0, speed: float = 0.0, force: float = 0.0) -> None:
        """Sets the targets of a drive from the next step on: position [rad, m], speed, and feedforward force [N m,
        N]."""
        self._low.drive(joint, float(target), float(speed), float(force))

    def break_joint(self, joint: str) -> None:
        """Breaks the joint, which has no rows from now on."""
        self._low.break_joint(joint)

    def __repr__(self):
        return f"<Simulation of {self.scene.name!r} by {self.solver.name}, {self.scheme}: {self.time:g} s>"
