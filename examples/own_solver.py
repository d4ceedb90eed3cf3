"""Projected Gauss-Seidel as a program of its own:
delassus compare SCENE --solvers "pgs,exec:python3 own_solver.py" -o out"""
import json, sys, time

p = json.load(sys.stdin)
if "cone" in p["law"]:
    sys.exit("this solver does not take Coulomb's cone")  # the reason, wherever it is run
n, A, b, x, inf = p["n"], p["A"], p["b"], p["lambda0"], float("inf")
lo = [-inf if v is None else v for v in p["lo"]]
hi = [inf if v is None else v for v in p["hi"]]
start = time.perf_counter()
for sweep in range(200):
    for i in range(n):
        if p["parent"][i] is not None:  # friction, within mu times the normal impulse
            hi[i] = p["mu"][i] * max(x[p["parent"][i]], 0.0)
            lo[i] = -hi[i]
        if A[i][i] > 0.0:  # else the impulse does not move its own row
            x[i] -= (b[i] + sum(a * v for a, v in zip(A[i], x))) / A[i][i]
        x[i] = min(max(x[i], lo[i]), hi[i])
    print(*x, "seconds", time.perf_counter() - start)  # an iterate; the last one is the answer
