"""Projected Gauss-Seidel: python3 own_solver_package.py SCENE; or --solver "exec:python3 own_solver_package.py" """
import sys, delassus, numpy

@delassus.solver(accepts=["free", "boxed", "unsymmetric", "coupled"])  # others are refused
def gauss_seidel(problem, x):
    A, b = problem.A, problem.b
    while True:
        for i in range(problem.n):
            lo, hi = problem.bounds(x)  # of friction, mu times the normal impulse of now
            if A[i, i] > 0:  # else the impulse does not move its own row
                x[i] -= (A[i] @ x + b[i]) / A[i, i]
            x[i] = numpy.clip(x[i], lo[i], hi[i])
        yield x  # an iterate

if len(sys.argv) > 1:
    delassus.compare(sys.argv[1], [gauss_seidel, "pgs", "sor"], output="out")  # tables, and out/SCENE.svg
else:
    delassus.serve(gauss_seidel, iterations=200)
