"""The motion of a scene at any time, against closed forms."""

import delassus as dls
import numpy as np
import pytest

G = 9.81


def falling(**world):
    return dls.Scene({
        "world": {"gravity": [0, 0, -G], "collide": True, "mu": 0, **world},
        "bodies": [
            {"name": "ball", "shape": "sphere", "radius": 0.1, "mass": 2, "position": [0, 0, 1.1]},
            {"name": "floor", "shape": "plane", "static": True},
        ],
    })


def test_any_time_in_any_order():
    first = np.sqrt(2 / G)
    motion = dls.motion(falling(restitution=0.5), [0.5, 0.6])
    times = np.random.default_rng(1).uniform(0, 0.6, 50)
    states = motion.at(times)
    late = times - first
    height = np.where(late < 0, 1 - G * times**2 / 2, late * (G * first / 2 - G * late / 2))
    assert np.abs(states.position[:, 0, 2] - 0.1 - height).max() < 1e-13
    assert np.abs(states.kinetic + states.potential - 2 * G * 1.1 + np.where(late < 0, 0, 0.75 * 2 * G)).max() < 1e-12
    assert np.array_equal(motion.at(motion.time[-1:]).position, motion.position[-1:])


def test_limits_at_an_impact():
    motion = dls.motion(falling(restitution=0.5), [1.0])
    time = motion.events[0].time
    assert motion.events[0].kind == "impact"
    assert abs(motion.at(time, before=True).velocity[0, 0, 2] + np.sqrt(2 * G)) < 1e-13
    assert abs(motion.at(time).velocity[0, 0, 2] - 0.5 * np.sqrt(2 * G)) < 1e-13


def test_forces():
    motion = dls.motion(falling(restitution=0), [1.0])
    states = motion.at([0.9, 0.1])
    assert states.rows == [("ball on floor", "normal")]
    assert np.abs(states.force - [[2 * G], [0]]).max() < 1e-12


def test_a_change_of_the_scene_changes_no_motion():
    scene = falling(restitution=0)
    motion = dls.motion(scene, [0.1])
    scene.set("world.gravity", [0, 0, 0])
    assert abs(motion.at(0.1).position[0, 0, 2] - 1.1 + G * 0.01 / 2) < 1e-14


def test_times_beyond_the_motion():
    motion = dls.motion(falling(), [0.1])
    with pytest.raises(dls.BadArgument, match="is known from t = 0 s to 0.1"):
        motion.at(0.2)
