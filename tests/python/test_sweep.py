"""Sweeps from Python: the table is that of the program."""

import os
import shutil
import subprocess

import delassus as dls
import numpy as np
import pytest


def test_the_table_is_that_of_the_program(scenes, tmp_path):
    over = {"solver": ["pgs", "lemke"], "dt": "1ms,2ms"}
    table = dls.sweep(scenes / "pendulum.yaml", over, {"time": 0.02, "iterations": 5}, tmp_path, jobs=2)
    assert set(table["outcome"]) == {"finished"} and list(table["solver"]) == ["pgs", "pgs", "lemke", "lemke"]
    program = os.environ.get("DLS_TEST_PROGRAM")
    if not program or not shutil.which(program):
        pytest.skip("the program is not there")
    command = [program, "sweep", scenes / "pendulum.yaml", "--over", "solver=pgs,lemke", "--over", "dt=1ms,2ms"]
    command += ["--set", "time=0.02", "--set", "iterations=5", "-o", tmp_path / "there"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    other = dls.read_table(tmp_path / "there" / "pendulum.sweep.tsv")
    assert list(table) == list(other)
    for name in table:
        np.testing.assert_array_equal(table[name], other[name])


def test_numbers_and_outcomes(scenes, tmp_path):
    over = {"bodies.*.mass": np.array([2.5, -1.0])}
    table = dls.sweep(scenes / "pendulum.yaml", over, {"time": 0.01}, tmp_path, stem="steps")
    assert list(table["outcome"]) == ["finished", "refused"] and (tmp_path / "steps.sweep.tsv").exists()


def test_wrong_sweeps(scenes, tmp_path):
    with pytest.raises(dls.Error):
        dls.sweep(scenes / "pendulum.yaml", {"dt": "1:2"}, output=tmp_path)
    with pytest.raises(ValueError, match="at least 1"):
        dls.sweep(scenes / "pendulum.yaml", {"dt": [0.001]}, output=tmp_path, jobs=0)
    with pytest.raises(OSError):
        dls.sweep(scenes / "none.yaml", {"dt": [0.001]}, output=tmp_path)
