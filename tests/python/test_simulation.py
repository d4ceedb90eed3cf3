"""Scenes from Python and from files, and their simulations."""

import math
import os
import subprocess

import delassus as dls
import numpy as np
import pytest
from delassus import Outcome, Scene, Simulation

PENDULUM = {
    "name": "pendulum",
    "world": {"gravity": np.array([0, 0, -9.81]), "step": "1 ms"},
    "bodies": [{"name": "bob", "shape": "sphere", "radius": "10 cm", "mass": 2.5, "position": [1.0, 0, 0]}],
    "joints": [{"name": "pivot", "type": "ball", "body1": "bob", "anchor": (0, 0, 0)}],
}


def test_a_dict_is_the_file(scenes):
    text = """name: pendulum
world:
  gravity: [0, 0, -9.81]
  step: 1 ms
bodies:
  - name: bob
    shape: sphere
    radius: 10 cm
    mass: 2.5 kg
    position: [1 m, 0, 0]
joints:
  - name: pivot
    type: ball
    body1: bob
    anchor: [0, 0, 0]
"""
    one, other = Scene(PENDULUM), Scene.parse(text)
    assert one.name == other.name == "pendulum" and one.world == other.world
    assert one.problem().A.tobytes() == other.problem().A.tobytes()
    assert one.world["step"].startswith("0.001") and "pendulum" in repr(one) and one.notes == []
    quoted = {"name": 'a "b"', "mass": np.float64(1), "shape": "box", "size": np.ones(3)}
    assert Simulation({"bodies": [quoted]}).bodies == ['a "b"']


@pytest.mark.parametrize(
    "change, error, words, key",
    [
        ({"bodies": [{"name": "bob", "mass": "1 m"}]}, dls.BadInput, "wrong unit 'm'", "mass"),
        ({"bodys": []}, dls.BadInput, "bodies", "bodys"),
        ({"bodies": [{"name": "bob", "mass": math.nan}]}, dls.Error, "mass", "mass"),
        ({"bodies": [{"name": "bob", "mass": object()}]}, TypeError, r"bodies\[0\].mass", None),
        ({"bodies": [{1: "bob"}]}, TypeError, "keys of a scene are str", None),
        ({"joints": [{"name": "x", "type": "bal", "body1": "bob"}]}, dls.BadInput, "ball", "type"),
    ],
)
def test_wrong_scenes(change, error, words, key):
    with pytest.raises(error, match=words) as caught:
        Scene({**PENDULUM, **change}).problem()
    if key:
        assert caught.value.key == key and caught.value.line > 0


def test_wrong_sources(tmp_path):
    with pytest.raises(OSError):
        Scene(tmp_path / "none.yaml")
    with pytest.raises(TypeError):
        Scene(3)
    bad = tmp_path / "bad.yaml"
    bad.write_text("bodies:\n  - name: a\n    mas: 1\n")
    with pytest.raises(dls.BadInput) as caught:
        Scene(bad)
    assert caught.value.file == str(bad) and caught.value.line == 3


def test_set():
    s = Scene(PENDULUM).set("world.step", 0.01).set("bodies.*.mass", "5 kg")
    assert s.problem().h == 0.01 and s.problem(0.002).h == 0.002
    np.testing.assert_allclose(np.diag(s.problem().M)[:3], 5)
    with pytest.raises(dls.BadInput):
        s.set("world.stp", 1)
    with pytest.raises(ValueError, match="above 0"):
        s.problem(-1)


def test_free_fall_and_newtons_law():
    """Semi-implicit Euler moves the bob by h v+, and the joint's force is what changes its momentum."""
    s = Simulation(Scene(PENDULUM))
    h, m, g = 1e-3, 2.5, 9.81
    for _ in range(20):
        before = s.velocity[:3]
        x = s.position[0]
        s.step(h)
        force, _, _ = s.forces_of("pivot")
        np.testing.assert_allclose(m * (s.velocity[:3] - before), h * (force[:3] + [0, 0, -m * g]), atol=1e-13)
        np.testing.assert_allclose(s.position[0], x + h * s.velocity[:3], atol=1e-15)
    assert s.outcome is Outcome.SOLVED and s.time == pytest.approx(0.02) and s.message == ""
    assert dls.examine(s.problem, s.impulses).is_solution
    assert [r.owner for r in s.rows] == ["pivot"] * 3 and [r.impulse for r in s.rows] == s.impulses.tolist()
    assert s.rows[0].force == pytest.approx(s.rows[0].impulse / h) and s.problem.h == h


def test_before_the_first_step():
    s = Simulation(Scene(PENDULUM))
    assert s.problem is None and s.outcome is None and s.impulses.shape == (0,) and s.rows == [] and s.contacts == []
    assert (
        s.time == 0 and s.bodies == s.ends == ["bob"] and s.joints == ["pivot"] and s.events == [] and s.ledger is None
    )
    with pytest.raises(dls.BadArgument):
        s.forces_of("pivot")
    with pytest.raises(KeyError, match="no joint 'hook'"):
        s.forces_of("hook")
    with pytest.raises(KeyError, match="no body or link"):
        s.pose("hook")


def test_states_are_set_by_assignment():
    s = Simulation(Scene(PENDULUM))
    s.velocity = [0, 1, 0, 0, 0, 1]
    s.position = [[0, 0, -1]]
    s.orientation = [[1.0001, 0, 0, 0]]
    s.force = np.arange(6)
    np.testing.assert_array_equal(s.velocity, [0, 1, 0, 0, 0, 1])
    np.testing.assert_array_equal(s.orientation, [[1, 0, 0, 0]])
    np.testing.assert_array_equal(s.pose("bob").position, [0, 0, -1])
    np.testing.assert_array_equal(s.pose("bob").angular_velocity, [0, 0, 1])
    np.testing.assert_array_equal(s.force, np.arange(6))
    with pytest.raises(ValueError, match="read-only"):
        s.velocity[0] = 1
    for name, value, error in (
        ("velocity", np.zeros(5), ValueError),
        ("velocity", [np.nan] + [0] * 5, dls.NotFinite),
        ("orientation", [[2, 0, 0, 0]], ValueError),
        ("position", np.zeros(3), ValueError),
    ):
        before = s.velocity
        with pytest.raises(error):
            setattr(s, name, value)
        np.testing.assert_array_equal(s.velocity, before)
    s.step()


def test_energy_and_momentum():
    body = {
        "name": "top",
        "shape": "box",
        "size": [0.3, 0.2, 0.1],
        "mass": 1.7,
        "position": [1, 2, 3],
        "velocity": [1, -2, 0.5],
        "omega": [0.3, 2, -1],
    }
    s = Simulation({"world": {"gravity": [0, 0, 0]}, "bodies": [body]})
    I = 1.7 / 12 * np.array([0.2**2 + 0.1**2, 0.3**2 + 0.1**2, 0.3**2 + 0.2**2])
    v, w, x = np.array(body["velocity"]), np.array(body["omega"]), np.array(body["position"])
    assert s.energy[0] == pytest.approx(1.7 / 2 * v @ v + w @ (I * w) / 2) and s.energy[1] == 0
    np.testing.assert_allclose(s.momentum, [*(1.7 * v), *(np.cross(x, 1.7 * v) + I * w)])


def test_turns_are_kept():
    solid = {"parent": "root", "mass": 1, "inertia": [1, 1, 1]}
    links = [
        {"name": "root", "static": True},
        {"name": "shaft", "motion": "spherical", "spin": [30, 0, 0], **solid},
        {"name": "wheel", "motion": "revolute", "axis": [1, 0, 0], "speed": -30, **solid},
    ]
    brake = {"name": "stop", "type": "limit", "coordinates": {"a.shaft.twist": 1}, "upper": 100}
    arm = [{"name": "a", "links": links}]
    s = Simulation({"world": {"gravity": [0, 0, 0]}, "articulations": arm, "joints": [brake]})
    s.step(0.001, 700)
    before, turns = s.coordinates.copy(), s.turns
    assert turns.dtype == np.int64 and list(turns) == [3, 0, 0, 0, -2]
    s.step(0.001, 900)
    assert list(s.turns) != list(turns)
    s.coordinates, s.turns = before, turns
    assert list(s.turns) == list(turns) and s.coordinates.tobytes() == before.tobytes()
    for bad in ([0.5, 0, 0, 0, 0], [0, 0, 0], [1e300, 0, 0, 0, 0]):
        with pytest.raises(ValueError):
            s.turns = bad
    assert list(s.turns) == list(turns)


def test_run(scenes):
    s = Simulation(scenes / "arm-12.yaml")
    t = s.run(0.02, 0.002, every=3)
    np.testing.assert_allclose(t.time, [0, 0.006, 0.012, 0.018, 0.02], atol=1e-15)
    assert (
        t.position.shape == (5, len(s.ends), 3)
        and t.orientation.shape == (5, len(s.ends), 4)
        and t.error.shape == (5, 2)
    )
    assert t.coordinates.shape == (5, len(s.coordinates)) and (t.coordinates[-1] == s.coordinates).all()
    np.testing.assert_array_equal(t.of(s.ends[-1])[0][-1], s.pose(s.ends[-1]).position)
    np.testing.assert_allclose(np.linalg.norm(t.orientation, axis=2), 1, atol=1e-12)
    again = Simulation(scenes / "arm-12.yaml").step(0.002, 10)
    assert again.coordinates.tobytes() == s.coordinates.tobytes()
    for bad in ({"h": 0}, {"h": np.nan}, {"duration": -1}, {"every": 0}):
        with pytest.raises(ValueError):
            s.run(**{"duration": 0.01, **bad})


def test_schemes(scenes):
    names = dls.schemes()
    assert {"euler", "tgs", "small-steps"} <= set(names) and "feedback" in names["euler"][2]
    for name in names:
        s = Simulation(scenes / "four-bar.yaml", "pgs", name, iterations=20, warm=True).step(count=20)
        assert max(s.error) < 1e-2 and s.iterations >= 20
    off = Simulation(
        scenes / "four-bar.yaml", "pgs", "tgs", scheme_settings={"time_base": "substep"}, solver_settings={"omega": 1.1}
    )
    assert off.step().time > 0
    with pytest.raises(ValueError, match="no scheme 'verlet'"):
        Simulation(scenes / "four-bar.yaml", scheme="verlet")
    with pytest.raises(dls.BadInput, match="unknown key"):
        Simulation(scenes / "four-bar.yaml", scheme_settings={"colour": 1})
    with pytest.raises(dls.BadInput, match="unknown key"):
        Simulation(scenes / "four-bar.yaml", warm={"colour": 1})


def test_warm_starts(scenes):
    def residual(warm):
        s = Simulation(scenes / "stack-10-found.yaml", "pgs", iterations=10, warm=warm).step(count=60)
        return dls.examine(s.problem, s.impulses, certify=False).scaled_residual

    assert residual({"distance": "2 cm", "age": 2}) == residual(True) < residual(False)


def test_ledger_and_contacts(scenes):
    s = Simulation(scenes / "stack-10-found.yaml", "pgs", ledger=True, warm=True).step(count=30)
    l = s.ledger
    parts = {k: v for k, v in l.items() if k not in ("sum", "change", "mismatch")}
    assert sum(parts.values()) == pytest.approx(l["sum"], abs=1e-12)
    assert l["mismatch"] < 1e-12 and l["sum"] == pytest.approx(l["change"], abs=1e-12)
    assert s.contacts and all(c.gap < 1e-3 for c in s.contacts)
    assert all(np.linalg.norm(c.normal) == pytest.approx(1) for c in s.contacts)
    assert {r.label for r in s.rows} == {"normal", "friction 1", "friction 2"} and "contact" in s.rows[0].owner
    # Newton's law of the whole stack: the ground's normal forces and the weight change its momentum.
    before = s.momentum[2]
    s.step()
    carried = sum(r.force for r in s.rows if r.label == "normal" and "ground" in r.owner)
    mass = sum(np.diag(s.problem.M)[::6])
    assert carried > 0 and s.momentum[2] - before == pytest.approx(s.problem.h * (carried - 9.81 * mass), abs=1e-9)


def test_a_loan_of_a_step():
    s = Simulation(Scene(PENDULUM)).step()
    lent = s.problem
    kept, A = lent.copy(), lent.A
    s.step()
    with pytest.raises(RuntimeError, match="this problem has ended"):
        dls.solve(lent)
    np.testing.assert_allclose(kept.A, A, atol=1e-15)
    last = s.problem
    del s
    with pytest.raises(RuntimeError, match="this problem has ended"):
        last.n


def test_divergence_is_an_exception():
    s = Simulation({"bodies": [{"name": "ball", "shape": "sphere", "radius": 1, "mass": 1, "velocity": [1e308, 0, 0]}]})
    with pytest.raises(dls.NotFinite, match="ball"):
        s.step(100)


@pytest.mark.parametrize("command", ["/nonexistent", "kill -SEGV $$", "echo 1", "echo 0 nan 0", "exit 3"])
def test_a_solver_that_fails_is_an_exception(command):
    s = Simulation(Scene(PENDULUM), f"exec:{command}")
    before = s.velocity.copy()
    with pytest.raises(dls.Unsolved, match="from 0 s: numerical-failure: "):
        s.step(1e-3)
    assert s.outcome == dls.Outcome.NUMERICAL_FAILURE and s.time == 0
    np.testing.assert_array_equal(s.velocity, before)
    assert dls.solve(s.problem, "lemke")  # the problem that was not solved
    with pytest.raises(dls.Unsolved):
        s.run(0.01)
    s = Simulation(Scene(PENDULUM), f"exec:{command}", go_on=True)
    if "nan" in command:  # there is nothing to go on with
        with pytest.raises(dls.NotFinite):
            s.step(1e-3)
        return
    s.step(1e-3, 2)
    assert s.outcome == dls.Outcome.NUMERICAL_FAILURE and s.time == pytest.approx(2e-3)


def test_the_energy_of_a_spring_and_a_weight_is_kept():
    m, k = 2.385, 700.0
    scene = {
        "world": {"gravity": [0, 0, -9.81]},
        "bodies": [{"name": "weight", "shape": "sphere", "radius": 0.1, "mass": m, "position": [0.3, 0, 0]}],
        "joints": [
            {"name": "rail", "type": "slider", "body1": "weight", "axis": [0, 0, 1]},
            {"name": "spring", "type": "drive", "coordinates": {"rail": 1}, "stiffness": k},
        ],
    }
    h, s = 1e-5, Simulation(scene)
    energies = [sum(s.energy) + s.elastic_energy(h)]
    for _ in range(20):
        s.step(h, 500)
        energies.append(sum(s.energy) + s.elastic_energy(h))
        drop = -s.position[0][2]
        assert s.elastic_energy(h) == pytest.approx(k * drop**2 / 2, rel=1e-9, abs=1e-15)
    assert np.ptp(energies) < 1e-3 * m * 9.81 * (2 * m * 9.81 / k)


def test_drives_and_breaks(scenes):
    links = [
        {"name": "base", "static": True},
        {
            "name": "arm",
            "parent": "base",
            "joint": "shoulder",
            "motion": "revolute",
            "anchor": [0, 0, 0],
            "axis": [0, -1, 0],
            "shape": "sphere",
            "radius": 0.1,
            "mass": 2,
            "position": [0.3, 0, 0],
        },
    ]
    drive = {"name": "lift", "type": "drive", "coordinates": {"robot.shoulder": 1}, "stiffness": 900, "damping": 30}
    up, down = (Simulation({"articulations": [{"name": "robot", "links": links}], "joints": [drive]}) for _ in range(2))
    up.drive("lift", 0.5)
    down.drive("lift", -0.5)
    angles = [sim.step(0.002, 1000).coordinates[0] for sim in (up, down)]
    torque = 2 * 9.81 * 0.3 * np.cos(angles)  # of the weight, which the spring holds at rest
    np.testing.assert_allclose(900 * (np.array([0.5, -0.5]) - angles), torque, rtol=1e-3)
    with pytest.raises(KeyError):
        up.drive("none", 1)
    with pytest.raises(dls.NotFinite):
        up.drive("lift", math.nan)
    with pytest.raises(dls.BadArgument):
        Simulation(Scene(PENDULUM)).drive("pivot", 1)
    with pytest.raises(dls.BadArgument, match="schedule"):
        Simulation(scenes / "driven-arm.yaml").drive("lift", 1)
    p = Simulation(Scene(PENDULUM))
    p.break_joint("pivot")
    p.step()
    assert [(e.kind, e.subject, e.cause) for e in p.events] == [("break", "pivot", "call")]
    np.testing.assert_allclose(p.velocity[:3], [0, 0, -9.81e-3])


def test_every_scene_takes_a_step(scenes):
    for path in sorted(scenes.glob("*.yaml")):
        try:
            s = Simulation(path, "pgs").step()
        except dls.Refused as e:
            if "come and go" in str(e):
                assert path.stem == "changing"
                continue
            assert "cone" in str(e), path
            s = Simulation(path, "nsgs").step()
        assert np.isfinite(s.velocity).all() and len(s.run(2 * s.problem.h).time) >= 2


def test_joint_types():
    types = dls.joint_types()
    assert "ball" in types and types["hinge"][2]["axis"].kind == "vector"


def test_a_scene_that_changes(scenes, tmp_path):
    """As `delassus run` has it: what is there at each time, and the states to the last bit."""
    sim = Simulation(scenes / "changing.yaml", "pgs", iterations=10)
    assert "right rope" in sim.joints and "arm.hand" not in sim.ends and sim.changed == 0
    sim.step(count=500)
    assert "right rope" in sim.joints and sim.changed == 0
    sim.step()
    assert "right rope" not in sim.joints and sim.changed == 1
    sim.step(count=699)
    assert "arm.hand" in sim.ends and "weld" in sim.joints and "ball" not in sim.bodies and sim.changed == 3
    sim.step(count=201)
    assert "arm.fore" not in sim.ends and "ball" in sim.bodies and "beam" not in sim.bodies and sim.changed == 5
    assert sim.position.shape == (len(sim.bodies), 3) and sim.pose("ball").velocity[2] < 0
    program = os.environ.get("DLS_TEST_PROGRAM")
    if not program:
        pytest.skip("the program is not there")
    command = [program, "run", scenes / "changing.yaml", "--solver", "pgs", "-k", "10", "--time", "1.401"]
    command += ["--samples", "0", "--set", "warm.start=false", "-o", tmp_path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    last = dls.read_table(tmp_path / "changing.trajectory.tsv").where(body="ball")
    np.testing.assert_array_equal([last[axis][-1] for axis in "xyz"], sim.pose("ball").position)


def test_a_trajectory_of_what_comes_and_goes(scenes):
    run = Simulation(scenes / "changing.yaml", "pgs", iterations=10).run(1.5, every=250)
    assert len(run.time) == 7 and {"beam", "ball", "arm.hand", "arm.fore"} <= set(run.ends)
    there = {name: np.isfinite(run.of(name)[0]).all(axis=1) for name in run.ends}
    assert list(there["beam"]) == [True] * 6 + [False] and list(there["ball"]) == [False] * 5 + [True] * 2
    assert there["floor"].all() and np.isfinite(run.energy).all()
    assert np.isnan(run.coordinates[-1]).any() and np.isfinite(run.coordinates[3]).all()


def test_what_is_removed(scenes):
    """A pendulum whose joint goes has no rows from then on."""
    text = (scenes / "pendulum.yaml").read_text()
    sim = Simulation(Scene.parse(text + "changes: [{time: 0.003, remove: {joints: ['*']}}]\n"))
    sim.step(count=4)
    assert sim.joints == [] and sim.problem.n == 0 and len(sim.rows) == 0


def test_sensors():
    """What a hand carries at rest is its weight, and what a sensor has in its axes is turned."""
    gravity = 9.81
    scene = {
        "world": {"gravity": [0, 0, -gravity], "step": "1 ms"},
        "articulations": [
            {
                "name": "arm",
                "links": [
                    {"name": "post", "static": True},
                    {
                        "name": "hand",
                        "parent": "post",
                        "joint": "wrist",
                        "motion": "prismatic",
                        "axis": [1, 0, 0],
                        "mass": 2.5,
                        "shape": "sphere",
                        "radius": 0.1,
                        "position": [0.5, 0, 0],
                    },
                ],
            }
        ],
        "sensors": [
            {"name": "all", "link": "arm.hand"},
            {"name": "held", "link": "arm.hand", "gravity": False},
        ],
    }
    sim = Simulation(scene).step(count=3)
    assert sim.sensors == ["all", "held"]
    np.testing.assert_allclose(sim.sensor("all")[:3], 0, atol=1e-12)
    np.testing.assert_allclose(sim.sensor("held")[:3], [0, 0, 2.5 * gravity], rtol=1e-12, atol=1e-12)
    with pytest.raises(KeyError, match="no sensor"):
        sim.sensor("none")
    with pytest.raises(dls.BadArgument):
        Simulation(scene).sensor("all")
