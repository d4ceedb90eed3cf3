"""Tables of the program as arrays."""

from __future__ import annotations

import os
import re
import shlex

import numpy as np

_COLUMN = re.compile(r"(?P<name>[^\[\]]*)(\[(?P<unit>.*)\])?$")


def _column(cells):
    """The cells as integers, floating-point numbers or text: the first type that fits all of them."""
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(c) for c in cells], dtype=kind)
        except (ValueError, OverflowError):
            pass
    return np.array(cells, dtype=np.str_)


class Table:
    """A table: a mapping from names of columns to arrays. The names have no units, unless two columns differ only in
    their unit.

    Attributes
    ----------
    array : structured array with a record for each row
    units : {name: unit}, '' if there is none
    notes : {key: text} of the lines above the columns: version, command, every setting
    """

    def __init__(self, columns, units, notes):
        self.units, self.notes = units, notes
        rows = len(next(iter(columns.values()))) if columns else 0
        self.array = np.empty(rows, dtype=[(name, values.dtype) for name, values in columns.items()])
        for name, values in columns.items():
            self.array[name] = values

    def __getitem__(self, name: str) -> np.ndarray:
        if isinstance(name, str) and name not in self.units:
            raise KeyError(f"there is no column {name!r}; these are {', '.join(self.units)}")
        return self.array[name]

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return iter(self.units)

    def keys(self):
        return self.units.keys()

    def where(self, **values) -> Table:
        """The rows with the given values in these columns: table.where(solver='pgs')."""
        keep = np.ones(len(self), dtype=bool)
        for name, value in values.items():
            keep &= self[name] == value
        kept = Table.__new__(Table)
        kept.array, kept.units, kept.notes = self.array[keep], self.units, self.notes
        return kept

    @property
    def command(self) -> list[str] | None:
        """The words of the command that reproduces the table, or None."""
        return shlex.split(self.notes["command"]) if "command" in self.notes else None

    def __repr__(self):
        return f"<Table of {len(self)} rows: {', '.join(f'{n}[{u}]' if u else n for n, u in self.units.items())}>"


def read_table(path: str | os.PathLike) -> Table:
    """A table that the program wrote: '# key: value' lines, a line of columns `name[unit]`, then tab-separated rows."""
    notes, names, rows = {}, None, []
    with open(path, encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if names is None and line.startswith("#"):
                key, _, text = line[1:].strip().partition(":")
                notes[key] = text.strip()
            elif names is None:
                names = line.split("\t")
            else:
                cells = line.split("\t")
                if len(cells) != len(names):
                    raise ValueError(f"{path}:{number}: {len(cells)} cells; there are {len(names)} columns")
                rows.append(cells)
    if names is None:
        raise ValueError(f"{path}: there is no line of columns")
    parts = [_COLUMN.match(name) for name in names]
    plain = [p["name"] if p else name for p, name in zip(parts, names)]
    plain = [p if plain.count(p) == 1 else name for p, name in zip(plain, names)]
    units = {n: (p["unit"] or "") if p else "" for p, n in zip(parts, plain)}
    if len(units) != len(names):
        raise ValueError(f"{path}: two columns have one name")
    return Table({n: _column([r[i] for r in rows]) for i, n in enumerate(plain)}, units, notes)
