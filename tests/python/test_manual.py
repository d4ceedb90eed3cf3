"""What doc/python.md shows is run: its code in Python in one go, and its recipes where their programs are installed."""

import os
import re
import shutil
import subprocess
import sys

import delassus as dls
import pytest
from conftest import SOURCE

MANUAL = (SOURCE / "doc" / "python.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", MANUAL, re.M | re.S)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "scenes").symlink_to(SOURCE / "scenes")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_code_of_the_manual(folder):
    code = blocks("python")
    assert len(code) >= 8
    names = {}
    for number, block in enumerate(code):
        exec(compile(block, f"doc/python.md, block {number + 1}", "exec"), names)


def test_its_solver_is_the_example():
    (shown,) = blocks("py")
    assert shown == (SOURCE / "examples" / "own_solver_package.py").read_text()


RECIPES = {
    "r": ["Rscript"],
    "octave": ["octave-cli", "--norc", "--quiet"],
    "python3": [sys.executable, "-W", "default"],
    "julia": ["julia", "--startup-file=no"],
}


@pytest.mark.parametrize("language", RECIPES)
def test_recipe(language, folder):
    command = RECIPES[language]
    (recipe,) = blocks(language)
    assert len(recipe.splitlines()) == 3
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    if (
        language == "python3"
        and subprocess.run([*command, "-c", "import pandas"], stderr=subprocess.DEVNULL).returncode
    ):
        pytest.skip("pandas is not installed")
    program = os.environ.get("DLS_TEST_PROGRAM", SOURCE / "delassus")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = re.search(r"^    delassus (run .*)$", MANUAL, re.M)[1].split()
    subprocess.run([program, *words], check=True, **quiet)
    file = folder / "recipe"
    file.write_text(recipe)
    done = subprocess.run([*command, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    wanted = dls.read_table("out/four-bar.energy.tsv")["kinetic"].max()
    assert float(done.stdout) == pytest.approx(wanted, rel=1e-5)  # R prints seven digits
