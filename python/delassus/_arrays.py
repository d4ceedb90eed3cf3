"""Conversion of arrays for the library and back."""

import enum
import os

import numpy as np


class Law(enum.IntEnum):
    """The law that bounds the impulse of a row."""

    FIXED = 0  #: lo and hi
    BOX = 1  #: friction of each tangent alone: |lambda_t| <= mu lambda_n
    CONE = 2  #: Coulomb's law of both tangents together, the two rows after their normal row; and of rolling friction
    ASSOCIATED = 3  #: the same cone under the associated law: w in its dual, orthogonal to lambda


def doubles(values, name, shape=None):
    """`values`, or a sparse matrix of scipy, as a C-contiguous float64 array; ValueError or TypeError, with its name,
    if they do not have this shape."""
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    if array.dtype.kind not in "fiub":
        kind = "complex" if array.dtype.kind == "c" else array.dtype
        raise TypeError(f"{name} must be real numbers, not {kind}")
    array = np.ascontiguousarray(array, dtype=np.float64) if array.ndim else array.astype(np.float64)
    if shape is not None and array.shape != tuple(shape):
        raise ValueError(f"{name} has the shape {array.shape}; {tuple(shape)} is needed")
    return array


def array(raw, *shape):
    """A bytearray of doubles from the library as an array that owns it."""
    values = np.frombuffer(raw, dtype=np.float64)
    return values.reshape(shape) if shape else values


def frozen(values):
    """The same array, read-only: a copy of the library's numbers, whose change would have no effect."""
    values.flags.writeable = False
    return values


def path_bytes(path):
    """A path as bytes, the form that the library takes."""
    return os.fsencode(os.fspath(path))
