"""Step problems of a simulator in Python, written to files that `delassus ci` examines. Needs numpy alone.

SPDX-License-Identifier: CC0-1.0
To the extent possible under law, the authors have waived all copyright and related rights to this file.

    dump = Dump("falling-box")                                  # in the folder of the variable DELASSUS_DUMP
    for each step:
        dump.begin(h)
        box = dump.body(mass, inertia, v_star)
        normal = dump.row("box-floor.normal", {box: J}, c=c, lo=0.0, impulse=impulse)
        dump.row("box-floor.tangent", {box: J_t}, impulse=impulse_t, friction=(normal, mu, "box"))
        dump.end()

with v+ = v* + M^-1 J^T lambda, w = J v+ + gamma lambda - c, lo <= lambda <= hi, and w >= 0 where lambda = lo, w <= 0
where lambda = hi, w = 0 in between; lambda are impulses [N s, N m s]. Each step writes FOLDER/NAME-000000.problem (the
format delassus-problem) and FOLDER/NAME-000000.impulses with 17 significant digits, which restore every bit; files of
this pattern from an earlier run are removed first. Without a folder nothing is written.

A solver that gets a matrix and no masses begins a step with begin_matrix(n), w = A lambda - c, and gives each row its
entries of A: dump.row(label, {0: A[i]}, c=-b[i], ...).
"""

import os
import re

import numpy

LAWS = {"box": "", "cone": "cone:", "associated": "associated:"}


def _words(values):
    """The numbers with 17 significant digits."""
    return " ".join("%.17g" % float(value) for value in numpy.ravel(values))


def _finite(what, values, shape=None):
    """The array; ValueError names it if it has another shape, or an entry that is not finite."""
    array = numpy.asarray(values, dtype=numpy.float64)
    if shape is not None and array.shape != shape:
        raise ValueError("%s has the shape %s, not %s" % (what, array.shape, shape))
    if not numpy.all(numpy.isfinite(array)):
        raise ValueError("%s is not finite" % what)
    return array


def order_reversed():
    """Whether `delassus determinism` asks for the bodies in reversed order."""
    return os.environ.get("DELASSUS_ORDER") == "reversed"


def reset_asked():
    """Whether it asks for a second pass of the same scene after a reset, which is the one to be compared."""
    return os.environ.get("DELASSUS_RESET") == "1"


class Dump:
    """A series of steps of one scene. `folder` exists; None: that of the variable DELASSUS_DUMP, if it is set.
    `name`: letters, digits, '-' and '_'; each series of a folder has its own."""

    def __init__(self, name, folder=None):
        self.name, self.step = name, 0
        self.folder = os.environ.get("DELASSUS_DUMP") if folder is None else folder
        self._clear()

    def _clear(self):
        """Removes the steps of an earlier run, which may have been longer."""
        own = re.compile(re.escape(self.name) + r"-[0-9]{6,}\.(problem|impulses)")
        for file in os.listdir(self.folder) if self.folder else []:
            if own.fullmatch(file):
                os.remove(os.path.join(self.folder, file))

    def restart(self):
        """After a reset: the steps are counted from 0 again, their files are removed; the file `reset` says that."""
        self.step = 0
        self._clear()
        if self.folder:
            with open(os.path.join(self.folder, "reset"), "w"):
                pass

    def begin(self, h):
        """Begins a step of h [s]."""
        self._h, self._matrix = float(_finite("h", h, ())), False
        self._masses, self._velocities, self._offsets, self._rows = [], [], [0], []

    def begin_matrix(self, n):
        """Begins a problem in matrix form instead: w = A lambda - c, n rows and no bodies. The block 0 of each row has
        the n entries of its row of A."""
        self.begin(1.0)
        self._matrix, self._offsets = True, [0, n]

    def _block(self, lines, v):
        self._masses += lines
        self._velocities += ["velocity " + _words(value) for value in v]
        self._offsets.append(self._offsets[-1] + len(v))
        return len(self._offsets) - 2

    def body(self, mass, inertia, v_star):
        """A free body: mass [kg], 3 x 3 inertia about its centre in the world frame [kg m^2], v* (6) [m/s, rad/s];
        the number of its block."""
        mass, inertia = _finite("mass", mass, ()), _finite("inertia", inertia, (3, 3))
        v = _finite("v_star", v_star, (6,))
        numbers = [_words(mass), _words(1.0 / mass), _words(inertia), _words(numpy.linalg.inv(inertia))]
        return self._block(["mass body " + " ".join(numbers)], v)

    def articulation(self, M, v_star):
        """An articulation: its n x n joint-space inertia and v* of its n speeds; the number of its block."""
        v = _finite("v_star", v_star)
        M = _finite("M", M, (len(v), len(v)))
        columns = ["column " + _words(M[j:, j]) for j in range(len(v))]
        return self._block(["mass dense %d" % len(v)] + columns, v)

    def row(self, label, jacobian, impulse, c=0.0, gamma=0.0, lo=-numpy.inf, hi=numpy.inf, error=0.0, friction=None):
        """A row: `jacobian` maps blocks to their coefficients, `impulse` is that of the simulator; `friction`:
        (number of the normal row, mu, law), law "box", "cone" or "associated". `error`: the position error [m, rad].
        The same constraint has the same label in every run. The row's number, from 0."""
        blocks = []
        for block in sorted(jacobian):
            start, end = self._offsets[block], self._offsets[block + 1]
            a = _finite("the Jacobian of " + label, jacobian[block], (end - start,))
            blocks.append("block %d %d %s" % (start, end - start, _words(a)))
        mu, parent = 0.0, "-"
        if friction is not None:
            lo, hi, mu, parent = 0.0, 0.0, friction[1], LAWS[friction[2]] + str(friction[0])
        _finite("gamma, c, error, mu or the impulse of " + label, [gamma, c, error, mu, impulse])
        if numpy.isnan(lo) or numpy.isnan(hi):
            raise ValueError("a bound of %s is not a number" % label)
        head = "row %s %s - %d \"%s\"" % (_words([gamma, c, lo, hi, error, mu]), parent, len(blocks), label)
        self._rows.append((head, blocks, float(impulse)))
        return len(self._rows) - 1

    def end(self):
        """Writes the step; a step without rows is counted alone."""
        if self.folder and self._rows:
            stem = os.path.join(self.folder, "%s-%06d" % (self.name, self.step))
            blocks = [block for row in self._rows for block in row[1]]
            masses, velocities = (0, 0) if self._matrix else (len(self._offsets) - 1, self._offsets[-1])
            lines = ["delassus-problem 1", 'name "%s %d"' % (self.name, self.step),
                     "form " + ("matrix" if self._matrix else "mechanical"), "step " + _words(self._h),
                     "masses %d" % masses, "velocities %d" % velocities, "rows %d" % len(self._rows),
                     "blocks %d" % len(blocks),
                     "coefficients %d" % sum(int(block.split()[2]) for block in blocks)]
            lines += self._masses + self._velocities
            for head, its, _ in self._rows:
                lines += [head] + its
            with open(stem + ".impulses", "w") as file:
                file.write("".join("%.17g\n" % row[2] for row in self._rows))
            with open(stem + ".problem", "w", encoding="utf-8") as file:
                file.write("\n".join(lines + ["end", ""]))
        self.step += 1
