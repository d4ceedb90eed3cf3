"""delassus: numerical verification of rigid-body constraint solvers, from Python.

The mixed linear complementarity problem, of a mechanism or from any other source,

    w = A lambda + b,   lo <= lambda <= hi,   w_i >= 0 at lo_i,   w_i <= 0 at hi_i,   w_i = 0 in between,

with the Delassus matrix A = J M^-1 J^T, is a Problem: from arrays, from a file, or from the first step of a Scene.
`solve` runs any solver on it, `examine` measures any impulses by code that no solver shares (in three lines:
`delassus.examine(A, b, x)`), `compare` compares
solvers, including your own, a `Simulation` steps a Scene, a `Batch` many copies of one, `sweep` runs a scene for all
combinations of given values, and `motion` follows a scene in continuous time. `read_table` returns the tables of the program as arrays.

    >>> import delassus as dls
    >>> answer = dls.solve(dls.Problem([[2, 1], [1, 2]], [-5, -6]), "lemke")
    >>> answer.outcome, answer.impulses
    (<Outcome.SOLVED: 'solved'>, array([1.33333333, 2.33333333]))

The unknowns lambda are called impulses, since lambda is a keyword of Python. Units are SI, arrays are float64, and
returned arrays belong to the caller. Errors of the library are exceptions that derive from Error, with file, line and
key of the error. The manual is doc/python.md.
"""

from ._arrays import Law
from ._delassus import (
    IO,
    BadArgument,
    BadInput,
    Error,
    NoMemory,
    NotFinite,
    NotWritten,
    Refused,
    Unavailable,
    Unsolvable,
    Unsolved,
    data_folder,
)
from ._delassus import version as __version__
from ._names import suggest as _suggest
from .answer import Answer, Bounds, Certificate, Outcome, examine, solve, velocities
from .batch import Batch
from .comparison import Comparison, Curve, compare
from .motion import Motion, MotionEvent, MotionStates, motion
from .problem import Facets, Problem, formats, manufacture
from .scene import Scene, joint_types
from .simulation import Contact, Event, Pose, RowForce, Simulation, Trajectory
from .solver import Field, Solver, peers, schemes, serve, solver, solvers
from .statement import Statement, certify
from .sweep import sweep
from .table import Table, read_table

__all__ = [
    "Answer", "BadArgument", "BadInput", "Batch", "Bounds", "Certificate", "Comparison", "Contact", "Curve", "Error",
    "Event", "Facets", "Field", "IO", "Law", "Motion", "MotionEvent", "MotionStates", "NoMemory", "NotFinite", "NotWritten", "Outcome", "Pose", "Problem",
    "Refused", "RowForce", "Scene", "Simulation", "Solver", "Statement", "Table", "Trajectory", "Unavailable", "Unsolvable",
    "Unsolved", "certify", "compare", "data_folder", "examine", "formats", "joint_types", "manufacture", "motion", "peers", "read_table",
    "schemes", "serve", "solve", "solver", "solvers", "sweep", "velocities",
]  # fmt: skip

for _name in __all__:
    globals()[_name] = _suggest(globals()[_name])
