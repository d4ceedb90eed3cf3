"""Forged certificates: python3 certificate_forgeries.py CHECKER.py FOLDER. Writes into FOLDER certificates whose claims
are false, or whose files are not what the format says, as NAME.forged, and a few true ones beside them as NAME.true.
Those of kinds that the program alone knows are NAME.true2."""
import copy
import hashlib
import importlib.util
import json
import sys

MATRIX = {"form": "matrix", "n": 2, "rows": [[0, 2.0, 1, 1.0], [0, 1.0, 1, 2.0]], "mass": [], "v_star": [],
          "gamma": [0, 0], "c": [5.0, 6.0], "lo": [0, 0], "hi": [None, None], "friction": []}  # x = (4/3, 7/3)
CONTACT = {"form": "mechanical", "n": 3, "rows": [[2, 1.0], [0, 1.0], [1, 1.0]], "mass": [[0, 3, [1, 0, 1, 0, 0, 1]]],
           "v_star": [1.0, 0.0, -1.0], "gamma": [0, 0, 0], "c": [0, 0, 0], "lo": [0, 0, 0], "hi": [None, 0, 0],
           "friction": []}
SOLUTION = {"kind": "solution", "given": [4 / 3, 7 / 3], "radius": [1e-15, 1e-15], "unique": None,
            "states": ["open"] * 2}
EXACT = {"x": ["4/3", "7/3"]}
FACTOR = {"x": [[4 / 3, 0], [7 / 3, 0]], "scale": [0, 0], "alpha": 0.5, "factor": [[1.22], [0.8, 0.9]]}


def matrix(**changes):
    return {**copy.deepcopy(MATRIX), **changes}


def solution(**changes):
    return {**copy.deepcopy(SOLUTION), **changes}


def contact(law, mu=(0.5, 0.5), **changes):
    return {**copy.deepcopy(CONTACT), "friction": [[law, 0, 1, *mu]], **changes}


def without_friction(**changes):
    return {**copy.deepcopy(CONTACT), **changes}


def backward(given, *off):
    return {"kind": "backward", "given": given, "off": list(off)}


def velocity(given, within):
    return {"kind": "velocity", "given": given, "within": [within]}


def change(x, u=(0.0, 0.0, 0.0)):
    return {"x": list(x), "change": list(u)}


ALONE = {"form": "matrix", "n": 1, "rows": [[]], "mass": [], "v_star": [], "gamma": [-1.0], "c": [1.0], "lo": [0],
         "hi": [None], "friction": []}
EMPTY = {**ALONE, "n": 0, "rows": [], "gamma": [], "c": [], "lo": [], "hi": []}
CHAINED = {"form": "matrix", "n": 3, "rows": [[2, 1.0], [1, 1.0], [0, 1.0]], "mass": [], "v_star": [], "gamma": [0] * 3,
           "c": [1.0, 0, 0], "lo": [0] * 3, "hi": [None, 0, 0], "friction": [["box", 0, 1, 1.0], ["box", 1, 2, 1.0]]}
NONE = {"kind": "all", "solutions": []}
LEAVES = {"row": 0, "zero": {"row": 1, "zero": {}, "lower": {}}, "lower": {"row": 1, "zero": {}, "lower": {}}}
BOTH = [["4/3", "7/3"], ["8/6", "14/6"]]

# A contact that slides: x = (1, -1/2, 0), w = (0, 1/2, 0).
SLIDES = ["between", "slides", "slides"]


def states(given, words, radius=1e-12):
    return {"kind": "states", "given": given, "radius": [radius] * 3, "states": words}


def pairs(*x):
    return {"x": [[a, 0] for a in x]}


# Three rows without bounds, the last one the sum of the others but for `off`.
def redundant(off=0.0, c=3.0, **changes):
    return without_friction(rows=[[0, 1.0], [1, 1.0], [0, 1.0, 1, 1.0 + off]], c=[1.0, 2.0, c], lo=[None] * 3,
                            hi=[None] * 3, **changes)


def without(rows, residual, claim=None):
    return {"kind": "without", "rows": rows, "residual": residual,
            "claim": claim or {"kind": "all", "solutions": [["0", "2"]]}}


def combinations(*rows):
    return {"combinations": list(rows), "witness": {"tree": {}}}


TRUE2 = {
    "slides": (contact("cone"), states([1.0, -0.5, 0.0], SLIDES), pairs(1.0, -0.5, 0.0)),
    "sticks": (contact("cone", v_star=[0.25, 0.0, -1.0]), states([1.0, -0.25, 0.0], ["between", "sticks", "sticks"]),
               pairs(1.0, -0.25, 0.0)),
    "open": (contact("cone", v_star=[1.0, 0.0, 1.0]), states([0.0] * 3, ["lower", "none", "none"], 0.0),
             pairs(0, 0, 0)),
    "without": (redundant(), without([2], [0.0, 0.0]), combinations([1.0, 1.0, 0])),
    "nearly-without": (redundant(2.0**-40, 3.0 + 2.0**-30), without([2], [2.0**-40, 2.0**-30]),
                       combinations([1.0, 1.0, 0])),
}
TRUE = {
    "solution": (matrix(), solution(), EXACT),
    "all": (matrix(), {"kind": "all", "solutions": [["4/3", "7/3"]]}, {"tree": LEAVES}),
    "backward": (contact("cone", v_star=[0.5, 0.0, -1.0]), backward([1.0, -0.5, 0.0], 0.0, 0.0), {}),
    "velocity": (without_friction(), velocity([1.0, 0, 0], 1e-9), change([1.0, 0, 0])),
    "associated-velocity": (contact("associated"), velocity([1.0, 0, 0], 10.0), change([1.0, 0, 0], [0, 0, 0.51])),
    "associated-backward": (contact("associated", v_star=[1.0, 0.0, -0.75]), backward([1.0, -0.5, 0.0], 0.0, 0.0), {}),
    "minus-zero": (matrix(gamma=[-0.0, 0]), solution(), EXACT),
}
FALSE = {
    # rows
    "two-entries-of-a-column": (matrix(rows=[[0, 1.0, 0, 1.0, 1, 1.0], [0, 1.0, 1, 2.0]]), solution(), EXACT),
    "columns-in-another-order": (matrix(rows=[[1, 1.0, 0, 2.0], [0, 1.0, 1, 2.0]]), solution(), EXACT),
    "column-outside": (matrix(rows=[[0, 2.0, 1, 1.0, 2, 0.0], [0, 1.0, 1, 2.0]]), solution(), EXACT),
    "n-negative": (matrix(n=-2), solution(), EXACT),
    "n-is-no-integer": (matrix(n=2.0), solution(), EXACT),
    "n-too-small": (matrix(n=1), solution(), EXACT),
    "bounds-crossed": (matrix(lo=[3.0, 0], hi=[1.0, None]), solution(), EXACT),
    "unknown-member-of-the-problem": (matrix(extra=1), solution(), EXACT),
    "unknown-member-of-the-claim": (matrix(), solution(solutions=[["1", "1"]]), EXACT),
    # numbers
    "numbers-in-texts": (matrix(c=["5", "6"]), solution(), EXACT),
    "entries-in-texts": (matrix(rows=[[0, "2", 1, 1.0], [0, 1.0, 1, 2.0]]), solution(), EXACT),
    "words-as-numbers": (matrix(c=["box", 6.0]), solution(), EXACT),
    "null-as-a-number": (matrix(c=[None, 6.0]), solution(), EXACT),
    "true-as-a-column": (matrix(rows=[[0, 2.0, True, 1.0], [0, 1.0, 1, 2.0]]), solution(), EXACT),
    "true-as-an-impulse": (matrix(), solution(given=[True, 7 / 3], radius=[1, 1e-15]), EXACT),
    "integer-between-doubles": (matrix(c=[2**53 + 1, 6.0]), solution(), EXACT),
    "fraction-with-spaces": (matrix(), solution(), {"x": [" 4/3", "7/3"]}),
    "fraction-with-an-exponent": (matrix(), solution(radius=[9, 9]), {"x": ["4/3", "7e999999"]}),
    "fraction-over-0": (matrix(), solution(), {"x": ["4/0", "7/3"]}),
    # solutions
    "radius-negative": (matrix(), solution(radius=[-1e-15, 1e-15]), EXACT),
    "velocity-of-a-matrix-is-unique": (matrix(), solution(unique="velocity"), EXACT),
    "unique-is-true": (matrix(), solution(unique=True), EXACT),
    "unique-without-a-factor": (matrix(), solution(unique="impulses"), EXACT),
    "scale-is-no-integer": (matrix(), solution(unique="impulses", radius=[1, 1]), {**FACTOR, "scale": [0.5, 0]}),
    "scale-is-huge": (matrix(), solution(unique="impulses", radius=[1, 1]), {**FACTOR, "scale": [10**9, 0]}),
    "factor-is-not-triangular": (matrix(), solution(unique="impulses", radius=[1, 1]),
                                 {**FACTOR, "factor": [[1.22, 0.0], [0.8, 0.9]]}),
    "unique-of-three": (matrix(rows=[[0, 1.0, 1, 2.0], [0, 2.0, 1, 1.0]], c=[3.0, 3.0]),
                        solution(unique="impulses", given=[1.0, 1.0], radius=[1, 1]),
                        {"x": [[1.0, 0], [1.0, 0]], "scale": [0, 0], "alpha": 0.5, "factor": [[0.7], [2.0, 0.7]]}),
    "one-solution-twice": (matrix(), {"kind": "several", "solutions": BOTH}, {}),
    "continuum-of-one": (matrix(), {"kind": "continuum", "solutions": BOTH}, {}),
    "none-of-one": (matrix(), NONE, {"tree": LEAVES}),
    "none-by-zeros": (matrix(), NONE, {"tree": {"farkas": ["0", "0"]}}),
    "none-by-half-a-tree": (matrix(), NONE, {"tree": {"row": 0, "lower": LEAVES["lower"]}}),
    # mass
    "mass-not-definite": (without_friction(mass=[[0, 3, [1, 2, 1, 0, 0, 1]]]), velocity([1.0, 0, 0], 9.0),
                          change([1.0, 0, 0])),
    "mass-singular": (without_friction(mass=[[0, 3, [1, 1, 1, 0, 0, 1]]]), velocity([1.0, 0, 0], 9.0),
                      change([1.0, 0, 0])),
    "mass-not-symmetric": (without_friction(mass=[[0, 3, [1, 0, 0, 9, 1, 0, 0, 0, 1]]]), velocity([1.0, 0, 0], 9.0),
                           change([1.0, 0, 0])),
    "mass-twice": (without_friction(mass=[[0, 3, [1, 0, 1, 0, 0, 1]], [2, 1, [1]]]), velocity([1.0, 0, 0], 9.0),
                   change([1.0, 0, 0])),
    "gamma-negative": (without_friction(gamma=[-1.0, 0, 0]), velocity([1.0, 0, 0], 9.0), change([1.0, 0, 0])),
    # the velocity
    "velocity-of-a-matrix": (ALONE, velocity([0], 0.0), {"x": [0], "change": []}),
    "within-negative": (without_friction(), velocity([1.0, 0, 0], -1.0), change([1.0, 0, 0])),
    "velocity-of-other-impulses": (without_friction(), velocity([2.0, 0, 0], 0.5), change([1.0, 0, 0])),
    "velocity-under-coulomb": (contact("cone"), velocity([1.0, 0, 0], 9.0), change([1.0, 0, 0], [0, 0, 1.0])),
    "outside-of-a-cone": (contact("associated"), velocity([1.0, -2.0, 0], 9.0), change([1.0, -2.0, 0], [0, 0, 9.0])),
    "edge-of-a-dual-cone": (contact("associated"), velocity([1.0, 0, 0], 9.0), change([1.0, 0, 0], [0, 0, 0.5])),
    "friction-without-mu": (contact("associated", (0.0, 0.5)), velocity([1.0, -0.1, 0], 9.0),
                            change([1.0, -0.1, 0], [0, 0, 9.0])),
    "cone-with-a-bound": (contact("associated", hi=[1.0, 0, 0]), velocity([1.0, 0, 0], 9.0),
                          change([1.0, 0, 0], [0, 0, 0.51])),
    # friction
    "mu-off-negative": (contact("cone"), backward([1.0, 9.0, 0.0], 10.0, -10.0), {}),
    "b-off-negative": (EMPTY, backward([], -1.0, 0.0), {}),
    "mu-negative": (contact("cone", (-0.5, 0.5)), backward([1.0, 0, 0], 9.0, 9.0), {}),
    "row-outside": ({**contact("cone"), "friction": [["cone", 0, 2, 0.5, 0.5]]}, backward([1.0, 0, 0], 9.0, 9.0), {}),
    "normal-row-under-friction": ({**contact("box"),
                                  "friction": [["box", 0, 0, 0.5]]}, backward([1.0, 0, 0], 9.0, 9.0), {}),
    "row-under-two-laws": ({**contact("box"), "friction": [["box", 0, 1, 0.5]] * 2}, backward([1.0, 0, 0], 9.0, 9.0),
                           {}),
    "box-with-two-mu": (contact("box"), backward([1.0, 0, 0], 9.0, 9.0), {}),
    "friction-of-friction": (CHAINED, NONE, {"tree": {"farkas": ["1", "0", "0"]}}),
    # existence
    "states-too-far": (contact("cone"), states([1.0, -0.501, 0.0], SLIDES, 1e-4), pairs(1.0, -0.5, 0.0)),
    "states-sticks": (contact("cone"), states([1.0, -1.0, 0.0], ["between", "sticks", "sticks"], 9.0),
                      pairs(1.0, -1.0, 0.0)),
    "states-pulls": (contact("cone"), states([1.0, 0.5, 0.0], SLIDES), pairs(1.0, 0.5, 0.0)),
    "states-none": (contact("cone"), states([1.0, 0.0, 0.0], ["between", "none", "none"]), pairs(1.0, 0.0, 0.0)),
    "states-lower": (contact("cone"), states([0.0] * 3, ["lower", "none", "none"], 9.0), pairs(0.0, 0.0, 0.0)),
    "states-between": (contact("cone"), states([1.0, -0.5, 0.0], ["between"] * 3), pairs(1.0, -0.5, 0.0)),
    "states-of-two-kinds": (contact("cone"), states([1.0, -0.5, 0.0], ["between", "slides", "sticks"]),
                            pairs(1, -0.5, 0)),
    "states-elliptic": (contact("cone", (0.5, 0.25)), states([1.0, -0.5, 0.0], SLIDES), pairs(1.0, -0.5, 0.0)),
    "states-associated": (contact("associated"), states([1.0, -0.5, 0.0], SLIDES), pairs(1.0, -0.5, 0.0)),
    "states-radius-negative": (contact("cone"), states([1.0, -0.5, 0.0], SLIDES, -1.0), pairs(1.0, -0.5, 0.0)),
    "states-just-sticking": (contact("cone", v_star=[0.5, 0.0, -1.0]), states([1.0, -0.5, 0.0], SLIDES),
                             pairs(1, -0.5, 0)),
    # dependent rows
    "without-nothing": (redundant(), without([], [0.0, 0.0], {"kind": "all", "solutions": []}), combinations()),
    "without-by-another": (redundant(), without([2], [0.0, 0.0]), combinations([1.0, 2.0, 0])),
    "without-by-itself": (redundant(), without([2], [0.0, 0.0]), combinations([0, 0, 1.0])),
    "without-twice": (redundant(), without([2, 2], [9.0, 9.0]), combinations([1.0, 1.0, 0], [1.0, 1.0, 0])),
    "without-by-what-is-left-out": (redundant(), without([1, 2], [0.0, 0.0], {"kind": "all", "solutions": [["0"]]}),
                                    combinations([0, 0, 0], [1.0, 1.0, 0])),
    "without-residual-negative": (redundant(2.0**-40), without([2], [-9.0, 0.0]), combinations([1.0, 1.0, 0])),
    "without-residual-too-small": (redundant(2.0**-40), without([2], [2.0**-41, 0.0]), combinations([1.0, 1.0, 0])),
    "without-contradiction": (redundant(0.0, 4.0), without([2], [0.0, 0.5]), combinations([1.0, 1.0, 0])),
    "without-a-bounded-row": (redundant(0.0, 3.0, friction=[["box", 0, 1, 0.5]]), without([2], [0.0, 0.0]),
                              combinations([1.0, 1.0, 0])),
    "without-a-soft-row": (redundant(0.0, 3.0, gamma=[0, 0, 1.0]), without([2], [0.0, 0.0]),
                           combinations([1.0, 1.0, 0])),
    "sliding-without-opening": (contact("associated"), backward([1.0, -0.5, 0.0], 0.0, 0.0), {}),
}
# Texts that are changed after the hash.
TEXTS = {
    "radius-nan": lambda text: text.replace('"radius": [1e-15', '"radius": [NaN'),
    "radius-infinite": lambda text: text.replace('"radius": [1e-15', '"radius": [Infinity'),
    "radius-overflows": lambda text: text.replace('"radius": [1e-15', '"radius": [1e999'),
    "member-twice": lambda text: text.replace('"kind":', '"kind": "all", "kind":'),
    "member-of-the-problem-twice": lambda text: text.replace('"n":', '"n": 7, "n":'),
    "hash-of-another": lambda text: text.replace('"sha256": "', '"sha256": "0').replace('0"', '"', 1),
    "another-format": lambda text: text.replace("certificate 1", "certificate 2"),
    "text-behind-it": lambda text: text + "{}",
    "half-a-text": lambda text: text[:-20],
}


def main():
    spec = importlib.util.spec_from_file_location("checker", sys.argv[1])
    checker = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(checker)

    def certificate(problem, claim, witness):
        try:
            name = hashlib.sha256(checker.digest(problem)).hexdigest()
        except ValueError:
            name = "0" * 64
        return json.dumps({"format": "delassus certificate 1", "problem": problem, "sha256": name, "claim": claim,
                           "witness": witness})

    files = {f"{name}.true": certificate(*parts) for name, parts in TRUE.items()}
    files |= {f"{name}.true2": certificate(*parts) for name, parts in TRUE2.items()}
    files |= {f"{name}.forged": certificate(*parts) for name, parts in FALSE.items()}
    files |= {f"{name}.forged": forge(certificate(*TRUE["solution"])) for name, forge in TEXTS.items()}
    for name, text in files.items():
        with open(f"{sys.argv[2]}/{name}", "w", encoding="utf-8") as to:
            to.write(text)


if __name__ == "__main__":
    main()
