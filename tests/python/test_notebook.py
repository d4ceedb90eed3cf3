"""The notebook: its cells as they stand, and executed by Jupyter where that is installed."""

import json
import subprocess
import sys

import pytest
from conftest import SOURCE

NOTEBOOK = SOURCE / "examples" / "notebook.ipynb"

EXECUTE = """
import sys
import nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
print(sum("image/svg+xml" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])))
"""


def test_its_cells(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = [c for c in json.loads(NOTEBOOK.read_text())["cells"] if c["cell_type"] == "code"]
    assert len(cells) >= 7 and all(c["outputs"] == [] for c in cells)
    names = {}
    for number, cell in enumerate(cells):
        exec(compile("".join(cell["source"]), f"cell {number + 1}", "exec"), names)
    said = capsys.readouterr().out
    assert "certified" in said and "NOT A SOLUTION" in said and "<svg" in names["found"]._repr_svg_()


def test_in_jupyter(tmp_path):
    needed = subprocess.run([sys.executable, "-c", "import nbclient, nbformat, ipykernel"], capture_output=True)
    if needed.returncode:
        pytest.skip("nbclient and ipykernel are not installed")
    done = subprocess.run([sys.executable, "-c", EXECUTE, NOTEBOOK], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 1  # the figure is shown
