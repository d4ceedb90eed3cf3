#!/usr/bin/env python3
"""Checks certificates of constraint problems: python3 check_certificate.py FILE.cert.json ...

Impulses x and velocities w of n rows solve a problem where
    w = A x + b,   lo <= x <= hi,   w_i >= 0 where x_i = lo_i,   w_i <= 0 where x_i = hi_i,   w_i = 0 in between.
In the matrix form the rows of A are stored, and b = -c. In the mechanical form A = J M^-1 J^T + Gamma, b = J v* - c and
v+ = v* + M^-1 J^T x, with the rows of J, the symmetric blocks of M, the diagonal Gamma, v* and c. Under a friction law
the bounds of a row, or of the two rows of a disc, are mu times the impulse of a normal row; under the associated law w
is in the dual of the cone of these impulses, and orthogonal to x. Stored doubles are exact, and so is what follows; a
comment says where a number is rounded. Exit status: 0: all files are accepted, 1: one is rejected, 2: there is none."""
import hashlib, itertools, json, math, operator, re, struct, sys
from fractions import Fraction as Q
sys.set_int_max_str_digits(0)  # fractions may have thousands of digits
dot = lambda x, y: sum(map(operator.mul, x, y))  # over the shorter of both

def insist(condition, reason):
    if not condition:
        raise ValueError(reason)
def exact(x):  # a double, or a fraction such as "-385/2"
    insist(type(x) is float or type(x) is int and abs(x) < 1 << 63 and float(x) == x or
           type(x) is str and re.fullmatch("-?[0-9]+(/[0-9]+)?", x), "an entry is no number")
    return Q(x)
def vector(x, n):
    insist(type(x) is list and len(x) == n, f"a list has no {n} entries")
    return list(map(exact, x))
def root_above(x):  # at least the square root of x >= 0, and 0 where x is
    shift = 100 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Q(math.isqrt((x.numerator << 2 * shift) // x.denominator) + (x != 0), 1 << shift)

def digest(x):
    """The bytes of the problem's hash: names in alphabetical order, numbers as d and a double, little end first."""
    if isinstance(x, (dict, list)):
        parts = [k.encode() + b":" + digest(x[k]) for k in sorted(x)] if isinstance(x, dict) else map(digest, x)
        return b"[" + b"".join(parts) + b"]"
    words = "matrix", "mechanical", "box", "cone", "associated"
    insist(x in words or type(x) is not str, "a number of the problem is no double")
    return x.encode() + b";" if x in words else b"n" if x is None else b"d" + struct.pack("<d", float(exact(x)))

def reduced(system, m, positive=False):
    """S^-1 R of the rows [S | R], in integers (E. H. Bareiss 1968); `positive`: and S = S^T is proved definite."""
    common, last = math.lcm(*(a.denominator for row in system for a in row)), 1
    system = [[a.numerator * (common // a.denominator) for a in row] for row in system]
    for k in range(m):
        pivot = k if positive else next((i for i in range(k, m) if system[i][k]), None)
        insist(pivot is not None and (system[k][k] > 0 or not positive), "a matrix is singular, or M not definite")
        system[k], system[pivot] = system[pivot], system[k]
        top = system[k]
        system = [row if i == k else [(top[k] * a - row[k] * b) // last for a, b in zip(row, top)]
                  for i, row in enumerate(system)]
        last = top[k]
    return [[Q(a, last) for a in row[m:]] for row in system]

class Problem:
    def __init__(self, stored):  # the numbers are doubles: digest has seen them
        insist(sorted(stored) == sorted("n form rows gamma c lo hi friction mass v_star".split()), "an unknown member")
        self.n, self.matrix = n, _ = stored["n"], {"matrix": True, "mechanical": False}[stored["form"]]
        self.v_star, self.gamma, self.c = [list(map(Q, stored[key])) for key in ("v_star", "gamma", "c")]
        self.columns = n if self.matrix else len(self.v_star)
        insist(all(len(stored[key]) == n for key in ("rows", "gamma", "c", "lo", "hi")), "a list has no n entries")
        self.rows = []  # (columns, integers, shift): entry k is integers[k] / 2^shift
        for row in stored["rows"]:
            at, ratios = row[0::2], [float(x).as_integer_ratio() for x in row[1::2]]
            insist(len(at) == len(ratios) and at == sorted({*at} & {*range(self.columns)}), "a row of J or A")
            under = max([q for _, q in ratios], default=1)
            self.rows.append((at, [p * (under // q) for p, q in ratios], under.bit_length() - 1))
        self.lo, self.hi = [[None if x is None else Q(x) for x in stored[key]] for key in ("lo", "hi")]
        self.mass, end = [], 0  # (first velocity, block of M, its inverse)
        for first, m, lower in stored["mass"]:
            insist(first == end and m > 0 and len(lower) == m * (m + 1) // 2, "a block of M")
            M = [[Q(lower[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)]) for j in range(m)] for i in range(m)]
            self.mass.append((first, M, reduced([M[i] + [Q(i == j) for j in range(m)] for i in range(m)], m, True)))
            end = first + m
        insist(end == len(self.v_star) and (not end if self.matrix else min(self.gamma, default=0) >= 0), "v*, M")
        insist(all(a is None or b is None or a <= b for a, b in zip(self.lo, self.hi)), "bounds are crossed")
        self.friction = []  # (law, normal row, rows of a disc or the row under a box, their mu)
        for law, normal, first, *mu in stored["friction"]:
            rows = range(first, first + {"box": 1, "cone": 2, "associated": 2}[law])
            insist(len(mu) == len(rows) and min(normal, first, *mu) >= 0 and {normal, *rows} <= {*range(n)}, "friction")
            self.friction.append((law, normal, rows, list(map(Q, mu))))
        self.tangents = [i for _, _, rows, _ in self.friction for i in rows]
        insist(len({*self.tangents} - {f[1] for f in self.friction}) == len(self.tangents), "a row has two laws")
    def transposed(self, y):  # the transpose of the stored rows, times y
        total = [Q(0)] * self.columns
        for (at, entries, shift), factor in zip(self.rows, y):
            for k, a in zip(at, entries) if factor else ():
                total[k] += factor * Q(a, 1 << shift)
        return total
    def response(self, force):  # M^-1 force
        return [sum(a * f for a, f in zip(row, force[first:first + len(block)]) if f)
                for first, _, block in self.mass for row in block]
    def times(self, v):  # the stored rows times v
        common = math.lcm(*(a.denominator for a in v))
        whole = [a.numerator * (common // a.denominator) for a in v]
        return [Q(sum(a * whole[k] for k, a in zip(at, entries)), common << shift) for at, entries, shift in self.rows]
    def row(self, i):  # row i of A
        line = self.transposed([Q(k == i) for k in range(self.n)])
        line = line if self.matrix else self.times(self.response(line))
        return [a + self.gamma[i] if k == i else a for k, a in enumerate(line)]
    def w(self, x):
        v = x if self.matrix else [a + b for a, b in zip(self.v_star, self.response(self.transposed(x)))]
        return [f + g * t - c for f, g, t, c in zip(self.times(v), self.gamma, x, self.c)]
    def fault(self, i, x, w):  # how far w must change for row i to hold; infinite where x is outside its bounds
        lo, hi = self.lo[i], self.hi[i]
        if (lo is not None and x < lo) or (hi is not None and x > hi):
            return math.inf
        return max(Q(0), -w if x != hi else 0, w if x != lo else 0)
    def solved_by(self, x):
        return not self.friction and not any(map(self.fault, range(self.n), x, self.w(x)))
    def solutions(self, claim):
        found = [tuple(vector(x, self.n)) for x in claim["solutions"]]
        insist(len({*found}) == len(found) and all(map(self.solved_by, found)), "these are no different solutions")
        return found

def definite(problem, witness):
    """mu > 0 with z.(S z) >= mu z.z for all z, where S = D A D, D = diag(2^scale); D; norms of the rows of S.
    THEOREM. If S = alpha + L L^T + E, then mu = alpha - max_i sum_j |E_ij + E_ji| / 2, since z.(E z) is at most that
    times z.z (S. A. Gershgorin 1931). Entries of S and alpha are rounded down to multiples of 2^-120, those of L to
    multiples of 2^-60, before E is computed; so 1 + n of these units are taken off for S."""
    n, unit, scale, factor = problem.n, 120, witness["scale"], witness["factor"]
    insist(len(scale) == len(factor) == n and all(type(e) is int and abs(e) < 1100 for e in scale), "the scale")
    grid = lambda a, bits: ((a.numerator << bits) if bits >= 0 else a.numerator >> -bits) // a.denominator
    S = [[grid(a, unit + e + f) for a, f in zip(problem.row(i), scale)] for i, e in enumerate(scale)]
    L = [[grid(a, unit // 2) for a in vector(row, i + 1)] for i, row in enumerate(factor)]
    alpha, E = grid(exact(witness["alpha"]), unit), [[0] * n for _ in range(n)]  # E: twice the symmetric part
    for i in range(n):
        for j in range(i + 1):
            E[i][j] = E[j][i] = abs(S[i][j] + S[j][i] - 2 * dot(L[j], L[i]) - 2 * alpha * (i == j))
    mu = Q(alpha - max(map(sum, E), default=0) // 2 - 1 - n, 1 << unit)
    insist(mu > 0, "A is not proved positive definite")
    norms = [root_above(Q(sum((abs(a) + 1) ** 2 for a in row), 1 << 2 * unit)) for row in S]
    return mu, [Q(2) ** e for e in scale], norms

def check_solution(problem, claim, witness):
    """The witness x is a solution, or solves the problem with w changed by e.
    THEOREM. If z.(D A D z) >= mu z.z for all z, there is one solution x*, and with z = (x - x*) / d, monotony gives
    mu z.z <= z.(D A D z) <= z.(D e). So |z| <= r = |D e| / mu, |x_i - x*_i| <= d_i r, and |d_i (w_i - w*_i)| is at most
    r times the norm of row i of D A D. In the mechanical form all solutions have the same v+, as A is semidefinite."""
    n, unique = problem.n, claim["unique"]
    insist(not problem.friction, "solutions under a friction law cannot be checked here")
    given, radius = vector(claim["given"], n), vector(claim["radius"], n)
    x = [exact(a) if type(a) is str else sum(vector(a, 2)) for a in witness["x"]]
    w = problem.w(x)
    e = list(map(problem.fault, range(n), x, w))
    insist(len(x) == n == len(claim["states"]) and math.inf not in e, "an impulse is outside its bounds")
    near = near_w = [Q(0)] * n
    if unique == "impulses":
        mu, D, norms = definite(problem, witness)
        r = root_above(sum((d * t) ** 2 for d, t in zip(D, e))) / mu if any(e) else Q(0)
        near = [d * r for d in D]
        near_w = [norm * r / d for norm, d in zip(norms, D)]
    else:
        insist(not any(e), "the witness is no solution")
        insist(unique is None or (unique == "velocity" and not problem.matrix), "uniqueness is not proved")
    for i, (state, lo, hi) in enumerate(zip(claim["states"], problem.lo, problem.hi)):
        insist({"lower": x[i] == lo and (lo == hi or w[i] > near_w[i]),
                "upper": x[i] == hi and (lo == hi or w[i] < -near_w[i]),
                "between": (lo is None or x[i] - near[i] > lo) and (hi is None or x[i] + near[i] < hi),
                "open": True}[state], f"row {i} is not proved to be {state}")
    insist(all(abs(g - a) + r <= b for g, a, r, b in zip(given, x, near, radius)), "a radius")
    words = {"impulses": "the only solution", "velocity": "a solution with the v+ of all solutions", None: "a solution"}
    return f"{words[unique]} is within {float(max(radius, default=0)):.3g} of the given impulses"

def check_several(problem, claim, witness):
    """Different solutions; a continuum: two, and all points between them. x_i and w_i are affine between two solutions,
    so that row i holds between them where it is in one and the same state in both."""
    found = problem.solutions(claim)
    insist(len(found) > 1, "one solution is not several")
    if claim["kind"] == "several":
        return f"{len(found)} different solutions"
    for i, (x, y, v, w) in enumerate(zip(*found, *map(problem.w, found), strict=True)):  # found: two
        insist(v == w == 0 or (x == y == problem.lo[i] and min(v, w) >= 0) or
               (x == y == problem.hi[i] and max(v, w) <= 0), f"row {i} does not hold between the solutions")
    return "every point between the two given solutions is one"

def check_farkas(problem, y, states):
    """THEOREM. w = A x + b gives y.w - (A^T y).x = y.b for every y. If the left side is larger than y.b for all x and w
    that the states allow, no solution has them (J. Farkas 1902). Where w_i may have any sign, y_i = 0. Friction gives
    z_t x_t >= -mu |z_t| x_n. In the mechanical form A^T y = J M^-1 J^T y + Gamma y and y.b = v*.J^T y - c.y."""
    force = problem.transposed(y)
    z = force if problem.matrix else problem.times(problem.response(force))
    z = [-t - g * s for t, g, s in zip(z, problem.gamma, y)]
    least = sum(s * c for s, c in zip(y, problem.c)) - sum(a * b for a, b in zip(problem.v_star, force))
    for law, normal, rows, mu in problem.friction:
        insist(law != "associated" and (problem.lo[normal] or 0) >= 0 and problem.lo[normal] is not None, "friction")
        for t, m in zip(rows, mu):
            insist(y[t] == 0, "w of a row under friction may have any sign")
            z[normal], z[t] = z[normal] - m * abs(z[t]), Q(0)
    for i, (s, t) in enumerate(zip(y, z)):
        lo, hi, state = problem.lo[i], problem.hi[i], states.get(i, "any")
        a, b = {"lower": (lo, lo), "upper": (hi, hi)}.get(state, (lo, hi))
        sign = {"zero": True, "lower": s > 0, "upper": s < 0, "any": hi is None if s > 0 else lo is None}[state]
        insist((s == 0 or sign) and (t == 0 or (a if t > 0 else b) is not None), f"row {i} may be otherwise")
        least += t * (a if t > 0 else b) if t else 0
    insist(least > 0, "the Farkas vector proves nothing")

def check_all(problem, claim, witness):
    """The listed solutions are all. Every solution has each row in one of three closed states: w = 0, x = lo, x = hi;
    a row without bounds in the first, a row with lo = hi in any. A leaf of the tree of choices has no solution, or one
    point, which is listed or is no solution."""
    found, A = problem.solutions(claim), [problem.row(i) for i in range(problem.n)]
    insist(not problem.friction or "farkas" in witness["tree"], "no search proves this under friction")
    alone = {i: "zero" if a is None else "any" for i, (a, b) in enumerate(zip(problem.lo, problem.hi)) if a == b}
    nodes = [(witness["tree"], alone)]
    while nodes:
        node, states = nodes.pop()
        if "row" in node:
            i = node["row"]
            insist(type(i) is int and 0 <= i < problem.n and i not in states, "a wrong branch")
            sides = [("zero", True), ("lower", problem.lo[i] is not None), ("upper", problem.hi[i] is not None)]
            nodes += [(node[side], {**states, i: side}) for side, there in sides if there]
        elif "farkas" in node:
            check_farkas(problem, vector(node["farkas"], problem.n), states)
        else:
            free = [i for i in range(problem.n) if states[i] == "zero"]
            x = [{"upper": b, "zero": Q(0)}.get(states[i], a) for i, (a, b) in enumerate(zip(problem.lo, problem.hi))]
            start = problem.w(x)
            system = [[A[i][j] for j in free] + [-start[i]] for i in free]
            for i, (value,) in zip(free, reduced(system, len(free))):  # w = 0 on the free rows has one solution
                x[i] = value
            insist(tuple(x) in found or not problem.solved_by(x), "a solution is not listed")
    return ["no solution", "one solution, and no other", f"{len(found)} solutions, and no others"][min(len(found), 2)]

def check_velocity(problem, claim, witness):
    """All solutions have one v+, within `within` of the velocity of the given impulses in the norm |v|_M.
    THEOREM (duality of convex programs). For x in its bounds and any change u of v, let g = w + J u. If g_i >= 0 where
    hi_i is infinite and g_i <= 0 where lo_i is, and g_n > sum |mu g_t| for each contact under the associated law, a
    solution exists (R. T. Rockafellar, Convex Analysis, theorem 28.2), and, a row of a contact counting with g_i x_i,
    |v - v+|_M^2 <= |u|_M^2 + 2 sum_i g_i (x_i - lo_i if g_i > 0, x_i - hi_i if g_i < 0; at most g_i / (2 Gamma_i))."""
    given, x = vector(claim["given"], problem.n), vector(witness["x"], problem.n)
    u, (within,), slope = vector(witness["change"], problem.columns), vector(claim["within"], 1), {}
    insist(not problem.matrix, "a matrix has no velocity")
    g = list(map(operator.add, problem.w(x), problem.times(u)))
    square = sum(u[k + i] * dot(row, u[k:]) for k, M, _ in problem.mass for i, row in enumerate(M))
    for law, normal, rows, mu in problem.friction:
        insist(law == "associated" and problem.lo[normal] == 0 and problem.hi[normal] is None, "a law without a cone")
        t2 = sum((x[i] / m) ** 2 for i, m in zip(rows, mu) if m or x[i])
        insist(x[normal] >= 0 and t2 <= x[normal] ** 2, f"the impulse of row {normal} is outside of its cone")
        slope[normal] = slope.get(normal, 0) + root_above(sum((m * g[i]) ** 2 for i, m in zip(rows, mu)))
    for i, (t, lo, hi, gamma) in enumerate(zip(x, problem.lo, problem.hi, problem.gamma)):
        if i in slope or i in problem.tangents:
            insist(i in problem.tangents or g[i] > slope[i], f"the velocity of row {i} is outside of a dual cone")
            square += 2 * g[i] * t
        else:
            insist((lo is None or t >= lo) and (hi is None or t <= hi), f"impulse {i} is outside its bounds")
            bound = lo if g[i] > 0 else hi
            insist(g[i] == 0 or bound is not None or gamma, f"row {i} has the wrong sign")
            terms = [g[i] * (t - bound)] if bound is not None else []
            square += 2 * min(terms + ([g[i] ** 2 / (2 * gamma)] if gamma else []), default=0)
    force = problem.transposed(list(map(operator.sub, given, x)))  # |v(given) - v(x)|_M^2 is force . M^-1 force
    insist(root_above(square) + root_above(Q(dot(force, problem.response(force)))) <= within, "it is not proved")
    return f"the velocity v+ of all solutions is within {float(within):.3g} of that of the given impulses"

def check_backward(problem, claim, witness):
    """The given impulses solve the problem with b_i off by at most b_off and mu by at most mu_off. A tangent impulse
    t beside a normal impulse n sticks where |t| <= mu n, w = 0; it slides where |t| = mu n, w = -s t with an s >= 0. A
    disc is round in t_k / r_k and r_k w_k, r_k = mu_k / max mu; both mu_k change by one factor. Under the associated
    law the normal row has w_n less |mu w_t| of its discs in place of w_n, which is s |t|^2 / n where one slides."""
    x, (b_off, mu_off) = vector(claim["given"], problem.n), vector(claim["off"], 2)
    w, lifts = problem.w(x), {i: [] for i in range(problem.n)}  # |mu w_t| as it may be chosen, by normal rows
    insist(b_off >= 0 and mu_off >= 0, "a bound is negative")
    for law, normal, rows, mu in problem.friction:
        r, n = [m / max(mu) for m in mu] if max(mu) else [Q(1)] * len(rows), x[normal]
        t2 = sum((x[i] / a) ** 2 for i, a in zip(rows, r))
        s = max(Q(0), -sum(x[i] * w[i] for i in rows) / t2) if t2 else Q(0)
        sticks, slides = [sum((w[i] + k * x[i] / a ** 2) ** 2 for i, a in zip(rows, r)) <= b_off ** 2 for k in (0, s)]
        insist(n >= 0 and t2 <= ((max(mu) + mu_off) * n) ** 2, f"the friction of row {rows[0]} is too large")
        lift = [Q(0)] if sticks or t2 == 0 and max(mu) <= mu_off else []
        lift += [s * t2 / n] if slides and n and t2 >= (max(0, max(mu) - mu_off) * n) ** 2 else []
        lift += [root_above(sum((m * w[i]) ** 2 for i, m in zip(rows, mu)))] if n == 0 else []
        insist(lift, f"the friction of row {rows[0]} is not proved")
        lifts[normal] += [lift] if law == "associated" else []
    for i in set(range(problem.n)) - set(problem.tangents):
        insist(any(problem.fault(i, x[i], w[i] - sum(h)) <= b_off for h in itertools.product(*lifts[i])), "a row")
    return f"the impulses solve the problem with b off by at most {float(b_off):.3g} and mu by {float(mu_off):.3g}"

def check(text):
    """The words that the certificate in this JSON text proves; an exception where it proves none."""
    def members(pairs):
        insist(len(dict(pairs)) == len(pairs), "a member is given twice")
        return dict(pairs)
    certificate = json.loads(text, object_pairs_hook=members)
    insist(sorted(certificate) == ["claim", "format", "problem", "sha256", "witness"], "an unknown or missing member")
    problem, claim, witness = certificate["problem"], certificate["claim"], certificate["witness"]
    name = hashlib.sha256(digest(problem)).hexdigest()
    insist(certificate["format"] == "delassus certificate 1" and name == certificate["sha256"], "wrong format or hash")
    kind, names = {"solution": (check_solution, "given radius unique states"), "several": (check_several, "solutions"),
                   "continuum": (check_several, "solutions"), "all": (check_all, "solutions"), "velocity":
                   (check_velocity, "given within"), "backward": (check_backward, "given off")}[claim["kind"]]
    insist(sorted(claim) == sorted(["kind", *names.split()]), "an unknown or missing member of the claim")
    return kind(Problem(problem), claim, witness)

if __name__ == "__main__":
    status = 0 if sys.argv[1:] else 2
    for file in sys.argv[1:]:
        try:
            print(f"{file}: accepted: {check(open(file, encoding='utf-8').read())}")
        except Exception as reason:
            print(f"{file}: REJECTED: {type(reason).__name__}: {reason}")
            status = 1
    sys.exit(status)
