"""Executes the code cells of a notebook without Jupyter: PYTHONPATH=... python3 execute_notebook.py NOTEBOOK stores what
they print and show in it (make update-notebook). In a folder that may be written to."""

import ast
import contextlib
import io
import json
import pathlib
import sys


def shown(value):
    """The representations of the last expression of a cell, as Jupyter stores them."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    svg = value._repr_svg_() if hasattr(value, "_repr_svg_") else None
    if svg:
        data["image/svg+xml"] = svg.splitlines(keepends=True)
    return data


def execute(notebook):
    """Gives every code cell its outputs; returns the names that the cells leave."""
    names = {}
    for number, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), 1):
        tree, cell["outputs"], cell["execution_count"] = ast.parse("".join(cell["source"])), [], number
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number}", "exec"), names)
            value = last and eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        if printed.getvalue():
            text = printed.getvalue().splitlines(keepends=True)
            cell["outputs"].append({"name": "stdout", "output_type": "stream", "text": text})
        if value is not None:
            result = {"data": shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
            cell["outputs"].append(result)
    return names


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1])
    content = json.loads(file.read_text())
    execute(content)
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
