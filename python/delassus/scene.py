"""Scenes: definitions of mechanisms, from files and from Python."""

from __future__ import annotations

import os

import numpy as np

from . import _delassus
from ._arrays import path_bytes
from .problem import Problem
from .solver import _fields


def _yaml(value, indent, lines, key):
    """Appends a value of a scene as YAML, with each key on a separate line, so that errors name it."""
    blank = "  " * indent
    if isinstance(value, dict):
        if not value:
            lines[-1] += " {}"
        for name, entry in value.items():
            if not isinstance(name, str):
                raise TypeError(f"{key}: keys of a scene are str, not {name!r}")
            lines.append(f"{blank}{_word(name)}:")
            _yaml(entry, indent + 1, lines, f"{key}.{name}" if key else name)
    elif isinstance(value, np.ndarray):
        _yaml(value.tolist(), indent, lines, key)
    elif isinstance(value, (list, tuple)) and any(isinstance(v, dict) for v in value):
        for number, entry in enumerate(value):
            lines.append(f"{blank}-")
            _yaml(entry, indent + 1, lines, f"{key}[{number}]")
    else:
        lines[-1] += " " + as_text(value, key)


def as_text(value, key):
    """A value of a scene as text in YAML."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(as_text(v, key) for v in value) + "]"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return _word(value)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise TypeError(f"{key}: a scene has numbers, text, true and false, lists and dicts, no {type(value).__name__}")


def _word(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Scene:
    """The definition of a mechanism: bodies, articulations, joints, world (doc/scene-format.md).

    Parameters
    ----------
    source : path, or dict
        A file in YAML, MJCF or URDF; or the same keys and values in Python, with numbers in SI units or text with a
        unit::

            Scene({"world": {"gravity": [0, 0, -9.81], "step": "1 ms"},
                   "bodies": [{"name": "bob", "shape": "sphere", "radius": 0.1, "mass": 2.5, "position": [1, 0, 0]}],
                   "joints": [{"name": "pivot", "type": "ball", "body1": "bob", "anchor": [0, 0, 0]}]})

    Errors are exceptions that name file, line and key.
    """

    def __init__(self, source: str | os.PathLike | dict):
        if isinstance(source, dict):
            lines = [""]
            _yaml(source, 0, lines, "")
            self._low = _delassus.Scene.parse("\n".join(lines[1:] + [""]).encode(), "<dict>")
        elif isinstance(source, (str, os.PathLike)):
            self._low = _delassus.Scene.load(path_bytes(source))
        else:
            raise TypeError(f"a scene is made from a path or a dict, not {type(source).__name__}")

    @classmethod
    def parse(cls, text: str | bytes, name: str = "<text>") -> Scene:
        """A scene from text in YAML, MJCF or URDF; `name` stands for the file in errors."""
        self = cls.__new__(cls)
        self._low = _delassus.Scene.parse(text.encode() if isinstance(text, str) else bytes(text), name)
        return self

    @property
    def name(self) -> str:
        return self._low.name

    @property
    def world(self) -> dict[str, str]:
        """{key: value as text} of the settings of the world."""
        return self._low.world()

    @property
    def notes(self) -> list[tuple[int, str, str, int]]:
        """(line, key, reason, count) of the parts of the file that were ignored."""
        return self._low.notes()

    def set(self, key: str, value) -> Scene:
        """Sets 'world.KEY', 'bodies.NAME.KEY' or 'joints.NAME.KEY'; NAME may be a pattern with `*`. Returns the
        scene."""
        text = as_text(value, key)
        self._low.set(key, value if isinstance(value, str) else text)
        return self

    def problem(self, h: float | None = None) -> Problem:
        """The Problem of the first step with the time step h [s] (default: the scene's), including detected
        contacts."""
        if h is not None and not float(h) > 0.0:
            raise ValueError(f"the step must be above 0, not {h}")
        return Problem._of(self._low.problem(0.0 if h is None else float(h)), format="scene")

    def __repr__(self):
        return f"<Scene {self.name!r}>"


def joint_types():
    """{name: (summary, equation, {key: Field})} of the joint types of scenes."""
    return {name: (summary, equation, _fields(fields)) for name, summary, equation, fields in _delassus.joint_types()}
