"""Sweeps: runs of one scene over the values of any keys."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Mapping

from . import _delassus
from ._arrays import path_bytes
from .scene import as_text
from .table import Table, read_table


def _values(key, values):
    if isinstance(values, str):
        return f"{key}={values}"
    if not isinstance(values, Iterable):
        values = [values]
    return f"{key}=" + ",".join(v if isinstance(v, str) else as_text(v, key) for v in values)


def sweep(
    scene: str | os.PathLike,
    over: Mapping,
    fixed: Mapping | None = None,
    output: str | os.PathLike = "sweep",
    *,
    stem: str | None = None,
    jobs: int = 1,
) -> Table:
    """Runs a scene for each combination of the values of some keys, and returns the table of all runs.

    Parameters
    ----------
    scene : path
    over : {key: values}
        Values are a list of numbers and texts, or text as on the command line: 'pgs,sor', '0.1:10:5:log'. Keys: those
        of a scene ('world.KEY', 'bodies.NAME.KEY', 'joints.NAME.KEY'), 'solver', 'scheme', 'scheme.KEY', 'warm.KEY',
        settings of solvers, and of the run 'iterations', 'dt', 'time', 'examine', 'seed', 'offset' (doc/sweeps.md).
    fixed : {key: value}
        Values that are the same in all runs.
    output : path
        Folder of the table, OUTPUT/STEM.sweep.tsv.
    stem : str
        Default: the name of the scene's file.
    jobs : int
        Number of processes; the table does not depend on it.

    The column `outcome` tells if a run diverged, a setting was refused or a process crashed. An interrupted sweep is
    continued by the same call. Ctrl-C takes effect when the sweep has ended.
    """
    stem = os.path.splitext(os.path.basename(os.fspath(scene)))[0] if stem is None else stem
    path = _delassus.sweep(
        path_bytes(scene),
        [_values(key, values) for key, values in over.items()],
        [_values(key, value) for key, value in (fixed or {}).items()],
        path_bytes(output),
        stem,
        shlex.join(["python3", *sys.argv]),
        int(jobs),
    )
    return read_table(os.fsdecode(path))
