"""Many copies of a scene in one call: the same states as one simulation each, and arrays that cross in place."""

import delassus as dls
import numpy as np
import pytest
from delassus import Batch, Outcome, Simulation


def simulation(scenes, **more):
    return Simulation(scenes / "arm-12.yaml", "pgs", iterations=10, **more)


def test_copies_are_simulations(scenes):
    batch = Batch(scenes / "arm-12.yaml", 5, "pgs", iterations=10, threads=2)
    speeds = np.linspace(-0.3, 0.4, 5 * batch.data["joint-velocity"]).reshape(5, -1)
    batch.write("joint-velocity", speeds)
    batch.step(count=20)
    for copy in (0, 3):
        one = simulation(scenes)
        one.velocity = speeds[copy]
        one.step(count=20)
        np.testing.assert_array_equal(batch.read("joint-velocity")[copy], one.velocity)
        np.testing.assert_array_equal(batch.read("joint-position")[copy], one.coordinates)
    assert len(batch) == 5 and batch.failed == {} and (batch.time == one.time).all()
    assert batch.outcomes == [Outcome.ITERATION_LIMIT] * 5 and "5 copies" in repr(batch)


def test_arrays_in_place(scenes):
    batch = Batch(scenes / "arm-12.yaml", 3)
    n = batch.data["joint-position"]
    wide = np.full((3, n + 2), 7.5)
    assert batch.read("joint-position", out=wide) is wide
    np.testing.assert_array_equal(wide[:, :n], batch.read("joint-position"))
    assert (wide[:, n:] == 7.5).all()
    wide[1, :n] += 0.125
    batch.write("joint-position", wide, copies=[1])
    moved = batch.read("joint-position", copies=[1, 2])
    np.testing.assert_array_equal(moved[1], wide[1, :n])
    assert np.isnan(moved[0]).all() and (moved[2] != moved[1]).any()
    batch.reset([1])
    np.testing.assert_array_equal(batch.read("joint-position")[1], moved[2])
    batch.write("joint-velocity", 0.25)
    assert (batch.read("joint-velocity") == 0.25).all()


def test_a_copy_that_fails(scenes):
    batch = Batch(scenes / "arm-12.yaml", 3)
    speeds = np.zeros((3, batch.data["joint-velocity"]))
    speeds[1] = 1e300
    batch.write("joint-velocity", speeds)
    batch.step(count=3)
    assert list(batch.failed) == [1] and batch.failed[1]
    assert batch.time[0] > 2 * batch.time[1]
    batch.reset([1])
    assert batch.failed == {} and batch.step().failed == {}


def test_copies_sleep(scenes):
    scene = {
        "world": {"collide": True, "sleep": True, "sleep_time": "3 ms", "step": "1 ms"},
        "bodies": [
            {"name": "ground", "static": True, "shape": "plane"},
            {"name": "box", "shape": "box", "size": [1, 1, 1], "mass": 1, "position": [0, 0, 0.5]},
        ],
    }
    batch = Batch(scene, 4)
    counters = np.array([[0.0005], [0.0015], [0.0025], [9.0]])
    batch.write("wake-counter", counters)
    np.testing.assert_allclose(batch.read("wake-counter"), counters, atol=1e-15)
    for step in range(1, 4):
        batch.step()
        asleep = batch.read("island") != 0
        np.testing.assert_array_equal(asleep, counters < 0.001 * step)
    batch.write("island", [0.0], copies=[0])
    assert (batch.read("island")[:, 0] != 0).tolist() == [False, True, True, False]
    assert batch.read("wake-counter")[0] == 0.003
    with pytest.raises(dls.BadArgument, match="whole numbers"):
        batch.write("island", [0.5])
    assert "island" in Batch(scenes / "towers.yaml", 1).data


def test_what_it_refuses(scenes):
    with pytest.raises(dls.BadArgument):
        Batch(scenes / "arm-12.yaml", 0)
    with pytest.raises(dls.Refused, match="has changes"):
        Batch(scenes / "changing.yaml", 2)
    with pytest.raises(dls.Refused, match="Simulation takes any"):
        Batch(scenes / "arm-12.yaml", 2, "exec:true")
    batch = Batch(scenes / "arm-12.yaml", 2)
    n = batch.data["joint-velocity"]
    for wrong, error in (("link-pose", dls.BadArgument), ("joint", KeyError)):
        with pytest.raises(error):
            batch.write(wrong, np.zeros((2, batch.data.get(wrong, 1))))
    with pytest.raises(ValueError, match="is needed"):
        batch.read("joint-velocity", out=np.zeros((2, n - 1)))
    with pytest.raises(TypeError, match="float64"):
        batch.read("joint-velocity", out=np.zeros((2, n), dtype=np.float32))
    out = np.zeros((2, n))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        batch.read("joint-velocity", out=out)
    with pytest.raises(dls.BadArgument, match="copy"):
        batch.read("joint-velocity", copies=[-1])
    with pytest.raises(dls.NotFinite, match="copy 1"):
        batch.write("joint-velocity", [[0.0] * n, [np.nan] * n])
    with pytest.raises(ValueError, match="above 0"):
        batch.step(-1)
