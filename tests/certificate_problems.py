"""Draws problems for tests of certificates: python3 certificate_problems.py FOLDER SEED [few]. NAME.json."""
import json
import random
import sys


def product(G, H):
    return [[sum(a * b for a, b in zip(row, other)) for other in H] for row in G]


def draw_matrix(draw, kind, n):
    rank = n if kind != "semidefinite" else (n + 1) // 2
    G = [[draw.gauss(0, 1) for _ in range(rank)] for _ in range(n)]
    A = product(G, G)
    for i in range(n):
        A[i][i] += 0.3 if kind in ("definite", "skew", "scaled") else 0.0
    for i in range(n):
        for j in range(i):
            if kind == "skew":
                s = draw.gauss(0, 1)
                A[i][j], A[j][i] = A[i][j] + s, A[j][i] - s
            if kind == "integer":
                A[i][j] = A[j][i] = float(draw.randint(-2, 2))
        if kind == "integer":
            A[i][i] = float(draw.randint(-1, 2))
    if kind == "scaled":
        d = [2.0 ** draw.randint(-30, 30) for _ in range(n)]
        A = [[a * d[i] * d[j] for j, a in enumerate(row)] for i, row in enumerate(A)]
    return A


def main():
    folder, draw = sys.argv[1], random.Random(int(sys.argv[2]))
    for kind in ("definite", "skew", "scaled", "semidefinite", "integer"):
        sizes = (1, 2, 3, 4, 5, 9, 30) if kind in ("definite", "skew") else (2, 3, 4, 5)
        for n in sizes[1::2] if sys.argv[3:] == ["few"] else sizes:
            for boxed in (False, True):
                A = draw_matrix(draw, kind, n)
                lo = [draw.choice([None, 0.0, -1.0]) if boxed else 0.0 for _ in range(n)]
                hi = [draw.choice([None, 0.5, a]) if boxed and a is not None else None for a in lo]
                b = [float(draw.randint(-3, 3)) if kind == "integer" else draw.gauss(0, 1) for _ in range(n)]
                if kind == "semidefinite":
                    x = [0.5 if i % 2 else 0.0 for i in range(n)]
                    b = [-sum(a * t for a, t in zip(row, x)) for row in A]
                bounds = {"lo": lo, "hi": hi}
                with open(f"{folder}/{kind}-{n}-{int(boxed)}.json", "w", encoding="utf-8") as to:
                    json.dump({"A": A, "b": b, **bounds}, to)


if __name__ == "__main__":
    main()
