"""Tables of the program as arrays."""

import os
import subprocess

import delassus as dls
import numpy as np
import pytest


def test_columns_and_units(tmp_path):
    file = tmp_path / "x.tsv"
    file.write_text(
        "# delassus: 0.1.0\n# command: delassus 'a b' --x\n# empty:\n"
        "name\tcount\tlength[m]\todd[1/(m s)]\na\t1\t0.5\tnan\n-\t2\tinf\t-1e-300\n"
    )
    t = dls.read_table(file)
    assert len(t) == 2 and list(t) == ["name", "count", "length", "odd"] and dict(t)["count"].dtype == np.int64
    assert t.units == {"name": "", "count": "", "length": "m", "odd": "1/(m s)"}
    assert t["name"].tolist() == ["a", "-"] and t["length"].tolist() == [0.5, np.inf] and np.isnan(t["odd"][0])
    assert t.command == ["delassus", "a b", "--x"] and t.notes["empty"] == ""
    assert t.array.dtype.names == ("name", "count", "length", "odd") and len(t.where(name="a")) == 1
    with pytest.raises(KeyError, match="no column 'x'; these are name, count"):
        t["x"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "no line of columns"),
        ("# a: b\n", "no line of columns"),
        ("a\tb\n1\n", ":2: 1 cells"),
        ("a[m]\ta[m]\n", "one name"),
    ],
)
def test_what_is_no_table(tmp_path, text, words):
    (tmp_path / "x.tsv").write_text(text)
    with pytest.raises(ValueError, match=words):
        dls.read_table(tmp_path / "x.tsv")


def test_names_that_differ_in_units_alone(tmp_path):
    (tmp_path / "x.tsv").write_text("a[m]\ta[rad]\tb[s]\n1\t2\t3\n")
    t = dls.read_table(tmp_path / "x.tsv")
    assert t.units == {"a[m]": "m", "a[rad]": "rad", "b": "s"} and t["a[rad]"].tolist() == [2]


def test_without_rows(tmp_path):
    (tmp_path / "x.tsv").write_text("a[m]\tb\n")
    assert len(dls.read_table(tmp_path / "x.tsv")) == 0


def test_every_table_of_a_run(scenes, tmp_path):
    program = os.environ.get("DLS_TEST_PROGRAM", "./delassus")
    subprocess.run(
        [program, "run", scenes / "four-bar.yaml", "--time", "0.05", "--ledger", "-o", tmp_path],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    tables = sorted(tmp_path.glob("*.tsv"))
    assert len(tables) >= 3
    for path in tables:
        t = dls.read_table(path)
        assert len(t) > 0 and t.command[1] == "run"
    # The same run, from Python.
    run = dls.Simulation(scenes / "four-bar.yaml", "pgs").run(0.05)
    e = dls.read_table(tmp_path / "four-bar.energy.tsv")
    assert e.notes["solver"].startswith("pgs")
    np.testing.assert_allclose(run.kinetic, np.interp(run.time, e["time"], e["kinetic"]), rtol=1e-9)
