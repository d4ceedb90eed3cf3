"""Corrupts certificates: python3 certificates.py CHECKER.py CHECKER FOLDER COUNT SEED FILE.cert.json ...

Each certificate gets one other number, in the claim, in the witness, or in the problem, and both checkers must have the
same verdict: the one in Python, and the program, to which the files are given in FOLDER (absent: Python alone). It must
be rejected unless what it claims is still true, which is decided here, by arithmetic that the checkers do not share. Of
problems of few rows all solutions are found by trying every choice of states of their rows in fractions; their hash,
and that of problems with friction, is made right again after a change of the problem, as a forger would. Of other
problems the exact solution is that of NAME.all.cert.json beside NAME.near.cert.json.
Prints how many were corrupted, rejected, and accepted with a true claim. Exit status 1 if a false claim was accepted,
or the verdicts differ.
"""
import copy
import hashlib
import importlib.util
import itertools
import json
import os
import random
import subprocess
import sys
from fractions import Fraction as F

MOST_ROWS = 5  # of problems whose solutions are found by trial


def solve(rows, right):
    """The solution of a square system, or None."""
    n = len(rows)
    rows = [list(row) + [b] for row, b in zip(rows, right)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def dense(problem):
    """A and b of a stored problem, in fractions."""
    n = problem["n"]
    columns = n if problem["form"] == "matrix" else len(problem["v_star"])
    J = [[F(0)] * columns for _ in range(n)]
    for row, stored in zip(J, problem["rows"]):
        for k, value in zip(stored[::2], stored[1::2]):
            row[k] = F(value)
    b = [-F(c) for c in problem["c"]]
    if problem["form"] == "matrix":
        A = [list(row) for row in J]
    else:
        M = [[F(0)] * columns for _ in range(columns)]
        for first, m, lower in problem["mass"]:
            values = iter(lower)
            for i in range(m):
                for j in range(i + 1):
                    M[first + i][first + j] = M[first + j][first + i] = F(next(values))
        response = [solve(M, row) for row in J]
        A = [[sum(a * v for a, v in zip(row, other)) for other in response] for row in J]
        b = [value + sum(a * F(v) for a, v in zip(row, problem["v_star"])) for value, row in zip(b, J)]
    for i in range(n):
        A[i][i] += F(problem["gamma"][i])
    return A, b


def flow(A, b, x):
    return [value + sum(a * t for a, t in zip(row, x)) for row, value in zip(A, b)]


def is_solution(A, b, lo, hi, x):
    for t, w, low, high in zip(x, flow(A, b, x), lo, hi):
        if (low is not None and t < low) or (high is not None and t > high):
            return False
        if w > 0 and t != low or w < 0 and t != high:
            return False
    return True


class Truth:
    """The solutions of a problem with fixed bounds, by trial; `all_found`: none of the systems was singular."""

    def __init__(self, problem):
        self.A, self.b = dense(problem)
        self.lo, self.hi = [[None if x is None else F(x) for x in problem[key]] for key in ("lo", "hi")]
        self.solutions, self.all_found = set(), True
        sides = [[s for s in ("free", lo, hi) if s is not None] for lo, hi in zip(self.lo, self.hi)]
        for choice in itertools.product(*sides):
            free = [i for i, s in enumerate(choice) if s == "free"]
            x = [F(0) if s == "free" else s for s in choice]
            w = flow(self.A, self.b, x)
            found = solve([[self.A[i][j] for j in free] for i in free], [-w[i] for i in free])
            if found is None:
                self.all_found = False
                continue
            for i, value in zip(free, found):
                x[i] = value
            if is_solution(self.A, self.b, self.lo, self.hi, x):
                self.solutions.add(tuple(x))

    def holds(self, x):
        return is_solution(self.A, self.b, self.lo, self.hi, x)


def near(claim, solution):
    return all(abs(F(g) - x) <= F(r) for g, x, r in zip(claim["given"], solution, claim["radius"]))


def states_hold(truth, claim, x):
    w = flow(truth.A, truth.b, x)
    for state, t, v, lo, hi in zip(claim["states"], x, w, truth.lo, truth.hi):
        if state == "lower" and not (t == lo and (v > 0 or lo == hi)):
            return False
        if state == "upper" and not (t == hi and (v < 0 or lo == hi)):
            return False
        if state == "between" and ((lo is not None and t <= lo) or (hi is not None and t >= hi)):
            return False
    return True


def backward_is_true(problem, claim):
    """By sampling in floating point where b and mu would have to change; allows for its own rounding."""
    A, b = dense(problem)
    x = [F(t) for t in claim["given"]]
    w, (b_off, mu_off) = flow(A, b, x), map(F, claim["off"])
    tangents = set()
    for law, normal, first, *mu in problem["friction"]:
        rows = [first] if law == "box" else [first, first + 1]
        tangents |= set(rows)
        n, m = x[normal], F(max(mu))
        scale = [F(a) / m if m else F(1) for a in mu]
        y = [float(x[i] / a) for i, a in zip(rows, scale)]
        size, slack = sum(t * t for t in y) ** 0.5, 1e-12
        least_mu, most_mu = max(0.0, float(m - mu_off)), float(m + mu_off)
        if n < 0 or size > most_mu * float(n) * (1 + slack) + 1e-300:
            return False
        stuck = sum(float(w[i]) ** 2 for i in rows) ** 0.5 <= float(b_off) * (1 + slack)
        best = 0.0
        if size > 0:
            best = max(0.0, -sum(float(x[i] * w[i]) for i in rows) / size ** 2)
        apart = [float(w[i] + F(best) * x[i] / a ** 2) for i, a in zip(rows, scale)]
        slides = sum(t * t for t in apart) ** 0.5 <= float(b_off) * (1 + slack) + 1e-300
        if not (stuck or (slides and size >= least_mu * float(n) * (1 - slack)) or size == least_mu * float(n) == 0):
            return False
    for i in set(range(problem["n"])) - tangents:
        lo, hi = [None if v is None else F(v) for v in (problem["lo"][i], problem["hi"][i])]
        if (lo is not None and x[i] < lo) or (hi is not None and x[i] > hi):
            return False
        off = 0 if x[i] == lo == hi else -w[i] if x[i] == lo else w[i] if x[i] == hi else abs(w[i])
        if off > b_off:
            return False
    return True


def is_true(certificate, truth):
    """Whether the claim holds; None where this program cannot tell."""
    problem, claim = certificate["problem"], certificate["claim"]
    if claim["kind"] == "backward":
        return backward_is_true(problem, claim)
    if problem["n"] > MOST_ROWS or problem["friction"]:
        if truth is None:
            return None
        solution = [F(x) for x in truth]
        if claim["kind"] == "solution" and claim["unique"] == "impulses":
            A, b = dense(problem)
            found = Truth.__new__(Truth)
            found.A, found.b = A, b
            found.lo, found.hi = [[None if x is None else F(x) for x in problem[key]] for key in ("lo", "hi")]
            return near(claim, solution) and states_hold(found, claim, solution)
        return None
    found = Truth(problem)
    listed = [tuple(map(F, x)) for x in claim.get("solutions", [])]
    if claim["kind"] == "all":
        return set(listed) == found.solutions if found.all_found or not found.solutions <= set(listed) else None
    if claim["kind"] == "several":
        return len(set(listed)) > 1 and all(map(found.holds, listed))
    if claim["kind"] == "continuum":
        between = [[(x * k + y * (8 - k)) / 8 for x, y in zip(*listed)] for k in range(9)]
        return len(listed) == 2 and listed[0] != listed[1] and all(map(found.holds, between))
    if claim["kind"] == "solution":
        unique = claim["unique"] == "impulses"
        right = [x for x in found.solutions if near(claim, x) and states_hold(found, claim, x)]
        if unique:
            return len(right) == len(found.solutions) == 1
        return True if right else None
    return None


def numbers(x, path=()):
    """The places of all numbers, and of all fractions in texts."""
    if isinstance(x, dict):
        for key in x:
            yield from numbers(x[key], path + (key,))
    elif isinstance(x, list):
        for i, entry in enumerate(x):
            yield from numbers(entry, path + (i,))
    elif isinstance(x, (int, float)) or (isinstance(x, str) and x.lstrip("-").replace("/", "").isdigit()):
        yield path


def other_number(draw, x):
    if isinstance(x, str):
        value = F(x)
        near = [value + F(1, 2**80), value * F(2**40 + 1, 2**40)]
        return str(draw.choice([value + F(1, 7), -value, value * 2, F(0), *near]))
    if isinstance(x, int):
        return draw.choice([x + 1, x - 1, -x, 0, 2 * x, x + 0.5])
    near = [x * (1 + 2.0**-52), x * (1 + 1e-6), x - 1e-9]
    return draw.choice([-x, 0.0, x * 2.0, x * 0.5, x + 1.0, x * 1e6, x * 1e-6, *near])


def load_checker(path):
    spec = importlib.util.spec_from_file_location("checker", path)
    checker = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(checker)
    return checker


def accepts(checker, text):
    try:
        checker.check(text)
    except Exception:
        return False
    return True


def verdicts_of(program, folder, texts):
    """Which of these certificates the program accepts."""
    names = [os.path.join(folder, f"{k}.corrupted") for k in range(len(texts))]
    for name, text in zip(names, texts):
        with open(name, "w", encoding="utf-8") as to:
            to.write(text)
    lines = subprocess.run([program, *names], capture_output=True, text=True, check=False).stdout.splitlines()
    for name in names:
        os.remove(name)
    verdicts = {line.split(": ")[0]: line.split(": ")[1] for line in lines}
    assert set(verdicts) == set(names) and set(verdicts.values()) <= {"accepted", "REJECTED"}, lines[:3]
    return [verdicts[name] == "accepted" for name in names]


def read_original(checker, file):
    with open(file, encoding="utf-8") as opened:
        certificate = json.load(opened)
    assert accepts(checker, json.dumps(certificate)), file
    truth = None
    if file.endswith(".near.cert.json"):
        with open(file.replace(".near.", ".all."), encoding="utf-8") as opened:
            truth = json.load(opened)["claim"]["solutions"][0]
    places = {part: list(numbers(certificate[part])) for part in ("problem", "claim", "witness")}
    return file, certificate, truth, places


def corrupt(checker, draw, original):
    """(the corrupted certificate, its part, words about the change)."""
    file, certificate, _, places = original
    corrupted = copy.deepcopy(certificate)
    part = draw.choice([p for p in places if places[p]])
    path = draw.choice(places[part])
    holder = corrupted[part]
    for step in path[:-1]:
        holder = holder[step]
    before = holder[path[-1]]
    holder[path[-1]] = other_number(draw, before)
    decidable = certificate["problem"]["n"] <= MOST_ROWS or certificate["claim"]["kind"] == "backward"
    if part == "problem" and decidable:
        try:
            corrupted["sha256"] = hashlib.sha256(checker.digest(corrupted["problem"])).hexdigest()
        except Exception:
            pass
    return corrupted, part, f"{file}: {part} {path}: {before} -> {holder[path[-1]]}"


def main():
    program, folder, count, draw = sys.argv[2], sys.argv[3], int(sys.argv[4]), random.Random(int(sys.argv[5]))
    checker = load_checker(sys.argv[1])
    originals = [read_original(checker, file) for file in sys.argv[6:]]
    rejected, true, unknown, wrong = 0, 0, 0, []
    while count > 0:
        chosen = [draw.choice(originals) for _ in range(min(count, 500))]
        corrupted = [corrupt(checker, draw, original) for original in chosen]
        count -= len(chosen)
        texts = [json.dumps(certificate) for certificate, _, _ in corrupted]
        ours = [accepts(checker, text) for text in texts]
        theirs = verdicts_of(program, folder, texts) if program != "none" else ours
        for (_, _, truth, _), (certificate, part, words), accepted, other in zip(chosen, corrupted, ours, theirs):
            if accepted != other:
                wrong.append(f"{'only Python' if accepted else 'only the program'} accepts {words}")
            if not accepted and not other:
                rejected += 1
                continue
            verdict = is_true(certificate, truth if part != "problem" else None)
            if verdict is None and part == "witness":
                verdict = True  # the claim is that of the original file
            true, unknown = true + (verdict is True), unknown + (verdict is None)
            if verdict is False:
                wrong.append(words)
    print(f"{sys.argv[4]} corrupted certificates: {rejected} rejected; accepted with a true claim: {true}, an "
          f"undecided one: {unknown}; false or of different verdicts: {len(wrong)}", *wrong[:20], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
