"""The notebook: its cells as they stand give the outputs that it stores, and Jupyter executes it where that is
installed."""

import copy
import json
import re
import subprocess
import sys

import pytest
from conftest import SOURCE
from execute_notebook import execute

NOTEBOOK = SOURCE / "examples" / "notebook.ipynb"

EXECUTE = """
import sys
import nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
print(sum("image/svg+xml" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])))
"""


def texts(notebook):
    """What each code cell prints and shows as text, with # for each number, whose last digits the BLAS decides."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            lines = []
            for output in cell["outputs"]:
                lines += output["text"] if "text" in output else output["data"]["text/plain"]
            yield re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "#", "".join(lines))


def test_its_cells(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stored = json.loads(NOTEBOOK.read_text())
    made = copy.deepcopy(stored)
    names = execute(made)
    assert list(texts(made)) == list(texts(stored))  # else: make update-notebook
    said = "".join(texts(stored))
    assert "right to #" in said and "wrong by #" in said and "<svg" in names["found"]._repr_svg_()
    assert any("image/svg+xml" in o.get("data", {}) for c in stored["cells"] for o in c.get("outputs", []))


def test_its_outputs_name_no_machine():
    text = NOTEBOOK.read_text()
    assert str(SOURCE) not in text and not re.search(r"/(home|root|tmp|usr|work)/", text)


def test_in_jupyter(tmp_path):
    needed = subprocess.run([sys.executable, "-c", "import nbclient, nbformat, ipykernel"], capture_output=True)
    if needed.returncode:
        pytest.skip("nbclient and ipykernel are not installed")
    done = subprocess.run([sys.executable, "-c", EXECUTE, NOTEBOOK], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 1  # the figure is shown
