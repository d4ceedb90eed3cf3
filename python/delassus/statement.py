"""Statements about problems that others can check: `certify`."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from . import _delassus
from ._arrays import doubles
from .problem import Problem, as_problem

if TYPE_CHECKING:
    from .scene import Scene


@dataclasses.dataclass(frozen=True)
class Statement:
    """A statement about a problem. Its truth value is whether anything is claimed; str() gives it in words."""

    kind: str  #: 'solution', 'several', 'continuum', 'all', 'velocity', 'backward' or 'none'; see doc/certificates.md
    text: str  #: the statement; of 'none', why there is none
    sha256: str  #: the name of the problem: SHA-256 of its numbers

    def __bool__(self):
        return self.kind != "none"

    def __str__(self):
        return self.text


def certify(
    problem: Problem | Scene | str | os.PathLike,
    impulses: ArrayLike | None = None,
    output: str | os.PathLike | None = None,
    *,
    farkas: ArrayLike | None = None,
) -> Statement:
    """Finds a statement about a problem, and writes it as a certificate, which proof/check_certificate.py checks.

    Parameters
    ----------
    problem : Problem, Scene, or the path of a file
    impulses : (n,)
        The statement is about a solution near them, or under friction laws about how far b and mu are off. None: about
        all solutions, of problems with up to 200 rows and fixed bounds, in a time that may grow exponentially.
    output : path
        The certificate; it is written if anything is claimed.
    farkas : (n,)
        A Farkas vector up to rounding errors, such as `Answer.proof_vector`, for 'there is no solution'.

    Returns
    -------
    Statement
        Not a proof: whether it is proved is for the program that checks the file.
    """
    problem = as_problem(problem)
    if impulses is not None and farkas is not None:
        raise TypeError("a statement is about impulses or about a Farkas vector")
    if impulses is not None:
        impulses = doubles(impulses, "impulses", (problem.n,))
    if farkas is not None:
        farkas = doubles(farkas, "farkas", (problem.n,))
    path = None if output is None else os.fspath(output)
    return Statement(*_delassus.certify(problem._low, impulses, farkas, path))
