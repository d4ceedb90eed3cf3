"""Certificates beside published bounds: python3 certificate_bounds.py PROGRAM CHECKER FOLDER [few].

Prints a table. Error bounds of impulses that are off by 1e-6: that of X. Chen and S. Xiang, "Computation of error
bounds for P-matrix linear complementarity problems", Mathematical Programming 106 (2006), for H-matrices with a
positive diagonal, |x - x*| <= |<M>^-1 max(diag M, 1)| |min(x, M x + q)| in the maximum norm, computed here in floating point,
without its rounding errors; and that of a certificate, which the checker accepts. And all solutions of the example of
J. Rohn's verlcpall (VERSOFT, 2008), whose numbers were published with four decimals.
Exit status 1 if a bound is below the error, if a solution of the example is missing, or a certificate is rejected."""
import json
import random
import subprocess
import sys
import time
from fractions import Fraction

import numpy as np

# verlcpall, example 1: x+ = M x- + q. M, q, and x, the middles of its 14 intervals, by columns.
M = np.array([
    [-0.7267, 0.3215, 0.4428, -0.3401, 0.0279, -0.0413],
    [0.1583, 0.9376, -0.838, 0.5187, -0.2159, 0.1201],
    [0.8271, -0.2549, -0.8813, -0.3767, -0.4145, -0.3428],
    [-0.8641, -0.9621, 0.24, 0.5504, -0.3624, 0.9646],
    [-0.7942, 0.9878, 0.6991, -0.2685, -0.9371, 0.8826],
    [0.0365, -0.3602, 0.7635, 0.8513, -0.8853, -0.4667],
])
Q = np.array([0.4392, -0.1077, 0.9563, 0.3622, 0.5596, 0.4114])
X = np.array([
    [0.93865, -1.08315, -0.52595, 0.47615, -0.50965, -0.80175, 0.53935, 0.53975, -0.86955, -0.58605, 0.69695,
     -1.57715, -0.55185, 0.40355],
    [-0.69875, -0.48795, 0.06255, -0.11485, 0.05985, -0.32415, -0.34095, -0.34145, -0.38015, -0.03155,
     -0.34835, -0.70165, 0.09075, -0.00215],
    [-0.78925, -1.41385, 1.32815, 0.92705, 1.25495, -0.94715, -0.29085, -0.28785, -0.66645, 1.14875, -0.45595,
     -1.33355, 1.09585, 0.65415],
    [-0.21945, -1.27895, -0.16765, 0.25175, -0.21105, -1.16955, -0.49105, -0.48615, -0.67645, -0.06585,
     1.44695, 1.19555, 0.77705, 1.20875],
    [1.74275, 0.82635, 0.09685, 0.67305, -0.10475, -0.63085, -1.03285, -1.03825, -1.20985, -0.38695, 2.42155,
     3.26695, 0.93725, 1.33815],
    [0.94905, 2.44335, 0.57325, 0.36995, 0.51685, 1.48415, 0.01435, -0.00605, -0.68535, -0.28885, -1.35855,
     -2.64495, -0.92455, -0.87975],
])


def run(*command):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return time.perf_counter() - start


def obstacle(side):
    """The Laplacian of a square membrane that is pressed against a plane in its middle: an M-matrix."""
    n = side * side
    A = 4.0 * np.eye(n)
    for i in range(n):
        for j in ((i + 1) if (i + 1) % side else n, i + side):
            if j < n:
                A[i, j] = A[j, i] = -1.0
    return A, np.array([-1.0 if abs(i % side - side / 2) < side / 4 else 0.25 for i in range(n)])


def dominant(n, draw, skew):
    """Strictly diagonally dominant with a unit diagonal, symmetric or not: an H-matrix."""
    A = np.array([[draw.gauss(0, 1) for _ in range(n)] for _ in range(n)])
    A = A if skew else (A + A.T) / 2
    np.fill_diagonal(A, 0.0)
    A /= 1.1 * np.maximum(np.abs(A).sum(0), np.abs(A).sum(1)).max()
    np.fill_diagonal(A, 1.0)
    return A, np.array([draw.gauss(0, 1) for _ in range(n)])


def murty(n):
    """K. G. Murty's P-matrix, 1 on its diagonal and 2 below it, here an H-matrix, as it is triangular."""
    return np.tril(2.0 * np.ones((n, n)), -1) + np.eye(n), -np.ones(n)


def compare_bounds(name, A, b, files, draw):
    program, checker, folder = files
    n, problem, answer, certificate = len(b), *(f"{folder}/bounds.{end}" for end in ("json", "x", "cert.json"))
    with open(problem, "w", encoding="utf-8") as to:
        json.dump({"A": A.tolist(), "b": b.tolist()}, to)
    with open(answer, "w", encoding="utf-8") as to:
        to.write(subprocess.run([program, "solve", problem, "--solver", "lemke", "--json"], capture_output=True,
                                text=True, check=False).stdout)
    with open(answer, encoding="utf-8") as opened:
        exact = np.array(json.load(opened)["lambda"])
    x = np.maximum(0.0, exact + 1e-6 * np.array([draw.uniform(-1, 1) for _ in range(n)]))
    with open(answer, "w", encoding="utf-8") as to:
        to.write("\n".join(map(repr, x.tolist())))
    start = time.perf_counter()
    comparison = 2 * np.diag(np.diag(A)) - np.abs(A)
    factor = np.abs(np.linalg.inv(comparison) @ np.diag(np.maximum(np.diag(A), 1.0))).sum(1).max()
    theirs = factor * np.abs(np.minimum(x, A @ x + b)).max()
    spent = time.perf_counter() - start
    written, checked = run(program, "certify", problem, answer, "-o", certificate), run(checker, certificate)
    with open(certificate, encoding="utf-8") as opened:
        radius = max(json.load(opened)["claim"]["radius"])
    error = np.abs(x - exact).max()
    print(f"| {name} | {n} | {theirs / error:.3g} | {spent:.2g} | {radius / error:.7f} | {written:.2g} "
          f"| {checked:.2g} |")
    # The rounding errors of lemke's answer and of their bound, beside 1e-6.
    return theirs >= error * (1 - 1e-6) and radius >= error * (1 - 1e-6)


def find_published(files):
    """Whether each published solution is one of ours, within what the rounding of M and q to 5e-5 may change it."""
    program, checker, folder = files
    problem, certificate = f"{folder}/versoft.json", f"{folder}/versoft.cert.json"
    with open(problem, "w", encoding="utf-8") as to:
        json.dump({"A": M.tolist(), "b": Q.tolist()}, to)
    written, checked = run(program, "certify", problem, "-o", certificate), run(checker, certificate)
    with open(certificate, encoding="utf-8") as opened:
        claim = json.load(opened)["claim"]
    found = [np.array([float(Fraction(x)) for x in z]) for z in claim["solutions"]]
    ours, matched, most = [M @ z + Q - z for z in found], set(), 0.0
    for x in X.T:
        S = x < 0
        rounding = 5e-5 * (1.0 + np.abs(np.minimum(x, 0.0)).sum())
        inner = np.abs(np.linalg.inv(M[np.ix_(S, S)])).sum(1).max() * rounding if S.any() else 0.0
        allowed = 1.5 * (inner * (1.0 + np.abs(M).sum(1).max()) + rounding) + 1e-4
        nearest = min(range(len(ours)), key=lambda k: np.abs(ours[k] - x).max())
        most = max(most, np.abs(ours[nearest] - x).max())
        if np.abs(ours[nearest] - x).max() <= allowed:
            matched.add(nearest)
    print(f"verlcpall's example: {len(ours)} solutions and no others, in {written:.2g} s, checked in {checked:.2g} s; "
          f"published: {X.shape[1]}, of which {len(matched)} are ours, within {most:.2g}")
    return claim["kind"] == "all" and len(ours) == X.shape[1] == len(matched)


def main():
    files, few, draw = sys.argv[1:4], sys.argv[4:] == ["few"], random.Random(3)
    print("| problem | rows | Chen-Xiang / error | s | certificate / error | s | checked, s |\n" + "| --- " * 7 + "|")
    right = [compare_bounds(f"obstacle, {k} x {k}", *obstacle(k), files, draw) for k in ((5,) if few else (5, 10, 20))]
    for n in (20,) if few else (20, 100, 400):
        right.append(compare_bounds("dominant, symmetric", *dominant(n, draw, False), files, draw))
        right.append(compare_bounds("dominant, not symmetric", *dominant(n, draw, True), files, draw))
    right += [compare_bounds("Murty", *murty(n), files, draw) for n in ((5,) if few else (5, 10, 20))]
    right.append(find_published(files))
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
