#!/usr/bin/env python3
"""Checks certificates of constraint problems: python3 check_certificate.py FILE.cert.json ...

Impulses x and velocities w of n rows solve a problem where

    w = A x + b,   lo <= x <= hi,   w_i >= 0 where x_i = lo_i,   w_i <= 0 where x_i = hi_i,   w_i = 0 in between.

In the matrix form the rows of A are stored, and b = -c. In the mechanical form A = J M^-1 J^T + Gamma, b = J v* - c and
v+ = v* + M^-1 J^T x, with the rows of J, the symmetric blocks of M, the diagonal Gamma, v* and c. Under a friction law
the bounds of a row, or of the two rows of a disc, are mu times the impulse of a normal row. Stored doubles are exact
numbers, and so are the integers and fractions below; a comment says where one is rounded, and how far. Exit status: 0
if all files are accepted, 1 if one is rejected, 2 without a file."""
import hashlib, json, math, struct, sys
from fractions import Fraction as Q
sys.set_int_max_str_digits(0)  # fractions such as "-385/2" may have thousands of digits

def insist(condition, reason):
    if not condition:
        raise ValueError(reason)

def root_above(x):  # at least the square root of x >= 0
    shift = 100 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    return Q(math.isqrt((x.numerator << 2 * shift) // x.denominator) + 1, 1 << shift)

def digest(x):
    """The bytes of the problem's hash: names in alphabetical order, numbers as doubles, little end first."""
    if isinstance(x, (dict, list)):
        parts = [k.encode() + b":" + digest(x[k]) for k in sorted(x)] if isinstance(x, dict) else map(digest, x)
        return b"[" + b"".join(parts) + b"]"
    if x is None or isinstance(x, str):
        return x.encode() + b";" if x else b"n"
    insist(type(x) in (int, float) and math.isfinite(x) and float(x) == x, "a number of the problem is no double")
    return struct.pack("<d", x)

def reduced(system, m, positive=False):
    """S^-1 R of the rows [S | R], by elimination in integers (E. H. Bareiss 1968); `positive`: S = S^T is proved to be
    positive definite by its leading minors (J. J. Sylvester)."""
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
    def __init__(self, stored):
        insist(sorted(stored) == sorted("n form rows gamma c lo hi friction mass v_star".split()), "an unknown member")
        self.n, self.matrix = n, _ = stored["n"], {"matrix": True, "mechanical": False}[stored["form"]]
        self.v_star = [Q(x) for x in stored["v_star"]]
        self.columns = n if self.matrix else len(self.v_star)
        insist(all(len(stored[key]) == n for key in ("rows", "gamma", "c", "lo", "hi")), "a list has no n entries")
        self.rows = []  # (columns, integers, shift): entry k is integers[k] / 2^shift
        for row in stored["rows"]:
            at, ratios = row[0::2], [float(x).as_integer_ratio() for x in row[1::2]]
            insist(len(at) == len(ratios) and all(type(k) is int and 0 <= k < self.columns for k in at) and
                   all(a < b for a, b in zip(at, at[1:])), "a row is no list of ascending columns and their entries")
            under = max([q for _, q in ratios], default=1)
            self.rows.append((at, [p * (under // q) for p, q in ratios], under.bit_length() - 1))
        self.gamma, self.c = [[Q(x) for x in stored[key]] for key in ("gamma", "c")]
        self.lo, self.hi = [[None if x is None else Q(x) for x in stored[key]] for key in ("lo", "hi")]
        self.friction = stored["friction"]  # ["box", normal, row, mu] or ["cone", normal, first row, mu_1, mu_2]
        self.mass, self.inverse, end = [], [], 0  # (first velocity, block of M), (.., its inverse)
        for first, m, lower in stored["mass"]:
            insist(first == end and m > 0 and len(lower) == m * (m + 1) // 2, "the blocks of M are not in order")
            M = [[Q(lower[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)]) for j in range(m)] for i in range(m)]
            self.mass.append((first, M))
            self.inverse.append((first, reduced([M[i] + [Q(i == j) for j in range(m)] for i in range(m)], m, True)))
            end = first + m
        insist(end == len(self.v_star) and (not end if self.matrix else min(self.gamma, default=0) >= 0), "v*, M, Gamma")
        insist(all(type(k) is int and 0 <= k < n for f in self.friction for k in (f[1], f[2], f[2] + len(f) - 4)) and
               all(m >= 0 for f in self.friction for m in f[3:]) and
               all(a is None or b is None or a <= b for a, b in zip(self.lo, self.hi)), "a number is out of range")
    def transposed(self, y):
        """The transpose of the stored rows, times y."""
        total = [Q(0)] * self.columns
        for (at, entries, shift), factor in zip(self.rows, y):
            for k, a in zip(at, entries) if factor else ():
                total[k] += factor * Q(a, 1 << shift)
        return total
    def response(self, force):
        """M^-1 force."""
        return [sum(a * f for a, f in zip(row, force[first:first + len(block)]) if f)
                for first, block in self.inverse for row in block]
    def times(self, v):
        """The stored rows times v."""
        common = math.lcm(*(a.denominator for a in v))
        whole = [a.numerator * (common // a.denominator) for a in v]
        return [Q(sum(a * whole[k] for k, a in zip(at, entries)), common << shift) for at, entries, shift in self.rows]
    def w(self, x):
        v = x if self.matrix else [a + b for a, b in zip(self.v_star, self.response(self.transposed(x)))]
        return [f + g * t - c for f, g, t, c in zip(self.times(v), self.gamma, x, self.c)]
    def fault(self, i, x, w):
        """How far w must change for row i to hold; infinite where x is outside its bounds."""
        lo, hi = self.lo[i], self.hi[i]
        if (lo is not None and x < lo) or (hi is not None and x > hi):
            return math.inf
        return max(Q(0), -w if x != hi else 0, w if x != lo else 0)
    def solved_by(self, x):
        insist(len(x) == self.n, "impulses have no n entries")
        return not any(map(self.fault, range(self.n), x, self.w(x)))

def product(rows, columns, most):
    """The rows of R C, integers, |entries of C and R C| < most; R is given by rows that are mappings of places to
    entries, C by rows, each of which becomes one long integer with a digit of `width` bytes for each entry."""
    width = (most.bit_length() + 8) // 8
    half, count = 1 << 8 * width - 1, len(columns[0]) if columns else 0
    bias = int.from_bytes(half.to_bytes(width, "little") * count, "little")
    packed = [int.from_bytes(b"".join((a + half).to_bytes(width, "little") for a in row), "little") - bias
              for row in columns]
    for row in rows:
        total = (sum(a * packed[k] for k, a in row.items()) + bias).to_bytes(width * count, "little")
        yield [int.from_bytes(total[k:k + width], "little") - half for k in range(0, len(total), width)]

grid = lambda x, bits: (x.numerator << bits) // x.denominator  # x 2^bits, rounded down to an integer

def definite(problem, witness):
    """mu > 0 with z.(S z) >= mu z.z for all z, where S = D A D, D = diag(2^scale); D; norms of the rows of S.

    THEOREM. If S = alpha + L L^T + E, then mu = alpha - max_i sum_j |E_ij + E_ji| / 2, since z.(E z) is at most that
    times z.z (S. A. Gershgorin 1931). Entries of S are rounded to multiples of u = 2^-120, and in the mechanical form
    those of R = M^-1 J^T D before to u / 2^80, which changes (D J R)_ij by at most |D J_i|_1 u / 2^80."""
    n, unit, fine = problem.n, 120, 200
    insist(all(type(e) is int and abs(e) < 1100 for e in witness["scale"]), "the scale is no list of exponents")
    D, factor = [Q(2) ** e for e in witness["scale"]], witness["factor"]
    insist(len(D) == n and [len(row) for row in factor] == list(range(1, n + 1)), "the factor is not lower triangular")
    rows = [{k: a * d / (1 << shift) for k, a in zip(at, entries)} for d, (at, entries, shift) in zip(D, problem.rows)]
    if problem.matrix:
        S, lost = [[grid(row.get(j, 0) * D[j], unit) for j in range(n)] for row in rows], 0
    else:
        R = [[grid(a, fine) for a in problem.response([row.get(k, 0) for k in range(problem.columns)])] for row in rows]
        lost = 1 + math.ceil(max([sum(map(abs, row.values())) for row in rows], default=0))
        shift = max([a.denominator for row in rows for a in row.values()], default=1).bit_length() - 1
        whole = [{k: grid(a, shift) for k, a in row.items()} for row in rows]
        most = (1 + max([abs(a) for row in R for a in row], default=0)) * (lost << shift)
        S = [[a >> fine - unit + shift for a in row] for row in product(whole, list(map(list, zip(*R))), most)]
    for i, d in enumerate(D):
        S[i][i] += grid(problem.gamma[i] * d * d, unit)
    L = [{k: int(a * 2.0 ** (unit // 2)) for k, a in enumerate(row) if a} for row in factor]
    most, alpha = 1 + max([sum(a * a for a in row.values()) for row in L], default=0), grid(Q(witness["alpha"]), unit)
    LLT = product(L, [[row.get(k, 0) for row in L] for k in range(n)], most)
    E = [[a - b - (i == j) * alpha for j, (a, b) in enumerate(zip(*both))] for i, both in enumerate(zip(S, LLT))]
    worst = max([sum(abs(a + b) for a, b in zip(row, column)) for row, column in zip(E, zip(*E))], default=0)
    mu = Q(alpha - worst // 2 - 1 - n * (lost + 4), 1 << unit)
    insist(mu > 0, "A is not proved positive definite")
    return mu, D, [root_above(Q(sum((abs(a) + lost + 4) ** 2 for a in row), 1 << 2 * unit)) for row in S]

def check_solution(problem, claim, witness):
    """The witness x is a solution, or solves the problem with w changed by e.

    THEOREM. If z.(D A D z) >= mu z.z for all z, there is one solution x*, and with z = (x - x*) / d, monotony gives
    mu z.z <= z.(D A D z) <= z.(D e). So |z| <= r = |D e| / mu, |x_i - x*_i| <= d_i r, and |d_i (w_i - w*_i)| is at most
    r times the norm of row i of D A D. In the mechanical form all solutions have the same v+, as A is semidefinite."""
    insist(not problem.friction, "solutions under a friction law cannot be checked")
    x = [Q(a) if isinstance(a, str) else sum(map(Q, a)) for a in witness["x"]]
    w = problem.w(x)
    e = list(map(problem.fault, range(problem.n), x, w))
    insist(len(x) == problem.n and math.inf not in e, "an impulse is outside its bounds")
    near = near_w = [Q(0)] * problem.n
    if claim["unique"] == "impulses":
        mu, D, norms = definite(problem, witness)
        r = root_above(sum((d * t) ** 2 for d, t in zip(D, e))) / mu if any(e) else Q(0)
        near = [d * r for d in D]
        near_w = [norm * r / d for norm, d in zip(norms, D)]
    else:
        insist(not any(e), "the witness is no solution")
        insist(claim["unique"] is None or (claim["unique"] == "velocity" and not problem.matrix), "uniqueness")
    insist(len(claim["states"]) == problem.n == len(claim["given"]) == len(claim["radius"]), "a list has no n entries")
    for i, (state, lo, hi) in enumerate(zip(claim["states"], problem.lo, problem.hi)):
        insist({"lower": x[i] == lo and (lo == hi or w[i] > near_w[i]),
                "upper": x[i] == hi and (lo == hi or w[i] < -near_w[i]),
                "between": (lo is None or x[i] - near[i] > lo) and (hi is None or x[i] + near[i] < hi),
                "open": True}[state], f"row {i} is not proved to be {state}")
    insist(all(abs(Q(g) - a) + r <= Q(b) for g, a, r, b in zip(claim["given"], x, near, claim["radius"])), "a radius")
    words = {"impulses": "the only solution", "velocity": "a solution with the v+ of all solutions", None: "a solution"}
    return f"{words[claim['unique']]} is within {max(claim['radius'], default=0):.3g} of the given impulses"

def check_several(problem, claim, witness):
    """Different solutions; a continuum: two, and all points between them. x_i and w_i are affine between two solutions,
    so that row i holds between them where it is in one and the same state in both."""
    found = [list(map(Q, x)) for x in claim["solutions"]]
    flows = list(map(problem.w, found))
    insist(len(found) > 1 and not problem.friction and len(set(map(tuple, found))) == len(found) and
           all(map(problem.solved_by, found)), "these are no different solutions")
    if claim["kind"] == "several":
        return f"{len(found)} different solutions"
    for i, (x, y, v, w) in enumerate(zip(*found, *flows, strict=True)):  # found: two
        insist(v == w == 0 or (x == y == problem.lo[i] and min(v, w) >= 0) or
               (x == y == problem.hi[i] and max(v, w) <= 0), f"row {i} does not hold between the solutions")
    return "every point between the two given solutions is one"

def check_farkas(problem, y, states):
    """THEOREM. w = A x + b gives y.w - (A^T y).x = y.b for every y. If the left side is larger than y.b for all x and w
    that the states allow, no solution has them (J. Farkas 1902). Where w_i may have any sign, y_i = 0. Friction gives
    z_t x_t >= -mu |z_t| x_n. In the mechanical form A^T y = J M^-1 J^T y + Gamma y and y.b = v*.J^T y - c.y."""
    insist(len(y) == problem.n, "a Farkas vector has no n entries")
    force = problem.transposed(y)
    z = force if problem.matrix else problem.times(problem.response(force))
    z = [-t - g * s for t, g, s in zip(z, problem.gamma, y)]
    least = sum(s * c for s, c in zip(y, problem.c)) - sum(a * b for a, b in zip(problem.v_star, force))
    for law, normal, first, *mu in problem.friction:
        for t, m in zip({"box": [first], "cone": [first, first + 1]}[law], mu, strict=True):
            insist(y[t] == 0 and problem.lo[normal] is not None and problem.lo[normal] >= 0, "friction")
            z[normal], z[t] = z[normal] - Q(m) * abs(z[t]), Q(0)
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
    found = [tuple(map(Q, x)) for x in claim["solutions"]]
    insist(not problem.friction or ("farkas" in witness["tree"] and not found), "no search proves this under friction")
    insist(len(set(found)) == len(found) and all(map(problem.solved_by, found)), "these are no different solutions")
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
            check_farkas(problem, list(map(Q, node["farkas"])), states)
        else:
            free = [i for i in range(problem.n) if states[i] == "zero"]
            x = [{"upper": b, "zero": Q(0)}.get(states[i], a) for i, (a, b) in enumerate(zip(problem.lo, problem.hi))]
            start, change = problem.w(x), [problem.w([t + (k == j) for k, t in enumerate(x)]) for j in free]
            system = [[w[i] - start[i] for w in change] + [-start[i]] for i in free]
            for i, (value,) in zip(free, reduced(system, len(free))):  # w = 0 on the free rows has one solution
                x[i] = value
            insist(tuple(x) in found or not problem.solved_by(x), "a solution is not listed")
    return ["no solution", "one solution, and no other", f"{len(found)} solutions, and no others"][min(len(found), 2)]

def check_velocity(problem, claim, witness):
    """All solutions have one v+, within `within` of the velocity v of the given impulses x in the norm |v|_M.

    THEOREM (duality of quadratic programs). For x in its bounds and any change u of v, let g = w + J u. If g_i >= 0
    where hi_i is infinite and g_i <= 0 where lo_i is, a solution exists, and
    |v - v+|_M^2 <= |u|_M^2 + 2 sum_i g_i (x_i - lo_i if g_i > 0, x_i - hi_i if g_i < 0; at most g_i / (2 Gamma_i))."""
    x, u, (within,) = list(map(Q, claim["given"])), list(map(Q, witness["change"])), map(Q, claim["within"])
    insist(len(x) == problem.n and len(u) == len(problem.v_star) and not problem.friction, "no velocity, or friction")
    square = sum(u[k + i] * a * u[k + j] for k, M in problem.mass for i, row in enumerate(M) for j, a in enumerate(row))
    for i, (t, w, change) in enumerate(zip(x, problem.w(x), problem.times(u))):
        insist(problem.fault(i, t, w) != math.inf, "an impulse is outside its bounds")
        g, bound = w + change, problem.lo[i] if w + change > 0 else problem.hi[i]
        insist(g == 0 or bound is not None or problem.gamma[i], f"row {i} has the wrong sign")
        terms = [g * (t - bound)] if bound is not None else []
        square += 2 * min(terms + ([g * g / (2 * problem.gamma[i])] if problem.gamma[i] else []), default=0)
    insist(0 <= within and square <= within ** 2, "the velocity is not proved")
    return f"the velocity v+ of all solutions is within {float(within):.3g} of that of the given impulses"

def check_backward(problem, claim, witness):
    """The given impulses solve the problem with b_i off by at most b_off and mu by at most mu_off. A tangent impulse
    t beside a normal impulse n sticks where |t| <= mu n, w = 0; it slides where |t| = mu n, w = -s t with an s >= 0. A
    disc with two coefficients is round in t_k / r_k and r_k w_k, r_k = mu_k / max mu; both change by one factor."""
    x, (b_off, mu_off), tangents = list(map(Q, claim["given"])), map(Q, claim["off"]), []
    w = problem.w(x)
    for law, normal, first, *mu in problem.friction:
        rows = {"box": [first], "cone": [first, first + 1]}[law]
        tangents += rows
        r, n = [Q(m) / Q(max(mu)) for m in mu] if max(mu) else [Q(1)] * len(rows), x[normal]
        t2 = sum((x[i] / a) ** 2 for i, a in zip(rows, r, strict=True))
        s = max(Q(0), -sum(x[i] * w[i] for i in rows) / t2) if t2 else Q(0)
        most, least = (Q(max(mu)) + mu_off) * n, max(Q(0), Q(max(mu)) - mu_off) * n
        sticks, slides = [sum((w[i] + k * x[i] / a ** 2) ** 2 for i, a in zip(rows, r)) <= b_off ** 2 for k in (0, s)]
        insist(n >= 0 and t2 <= most ** 2 and (sticks or (slides and t2 >= least ** 2) or t2 == least == 0),
               f"the friction of row {first} is not proved")
    insist(len(x) == problem.n and len({*tangents} - {f[1] for f in problem.friction}) == len(tangents), "tangents")
    insist(all(problem.fault(i, x[i], w[i]) <= b_off for i in set(range(problem.n)) - set(tangents)), "a row is off")
    return f"the impulses solve the problem with b off by at most {float(b_off):.3g} and mu by {float(mu_off):.3g}"

def check(text):
    """The words that the certificate in this JSON text proves; an exception where it proves none."""
    certificate = json.loads(text)
    claim, name = certificate["claim"], hashlib.sha256(digest(certificate["problem"])).hexdigest()
    insist(certificate["format"] == "delassus certificate 1" and name == certificate["sha256"], "wrong format or hash")
    kind = {"solution": check_solution, "several": check_several, "continuum": check_several, "all": check_all,
            "velocity": check_velocity, "backward": check_backward}[claim["kind"]]
    return kind(Problem(certificate["problem"]), claim, certificate["witness"])

if __name__ == "__main__":
    status = 0 if sys.argv[1:] else 2
    for file in sys.argv[1:]:
        try:
            print(f"{file}: accepted: {check(open(file, encoding='utf-8').read())}")
        except Exception as reason:
            print(f"{file}: REJECTED: {type(reason).__name__}: {reason}")
            status = 1
    sys.exit(status)
