#!/usr/bin/env python3
"""Makes tests/solver_counts.def: what tests/test_solver_counts counts under six of OpenBLAS' kernels. A problem whose
counts differ among them is left out.

Usage: solver_counts.py PROGRAM > tests/solver_counts.def"""
import os
import subprocess
import sys

KERNELS = ("SkylakeX", "Haswell", "Prescott", "Nehalem", "Sandybridge", "Zen")


def counts(program, kernel):
    """{(solver, family): [the counts of each problem]}"""
    environment = dict(os.environ, DLS_COUNTS_EACH="1", OPENBLAS_CORETYPE=kernel)
    output = subprocess.run([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    found = {}
    for line in output.decode().splitlines():
        if line.count("|") == 3:
            solver, family, _, numbers = line.split("|")
            found.setdefault((solver, family), []).append([int(number) for number in numbers.split(",")])
    return found


def wrapped(numbers, indent):
    lines, line = [], ""
    for number in numbers:
        if len(indent) + len(line) + len(number) > 110:
            lines.append(line.rstrip())
            line = ""
        line += number + ", "
    lines.append(line.rstrip(", "))
    return ("\n" + indent).join(lines)


def main():
    every = [counts(sys.argv[1], kernel) for kernel in KERNELS]
    print("/* Made by tests/solver_counts.py: for each method and family the counts, and the problems left out. */")
    for solver, family in every[0]:
        ways = [found[solver, family] for found in every]
        left_out = [k for k in range(len(ways[0])) if any(way[k] != ways[0][k] for way in ways)]
        kept = [way for k, way in enumerate(ways[0]) if k not in left_out]
        sums = [str(sum(column)) for column in zip(*kept)] if kept else ["0"]
        print(f'{{"{solver}",\n "{family}",\n {{{wrapped(sums, "  ")}}},')
        print(f' {{{wrapped([str(k + 1) for k in left_out] or ["0"], "  ")}}}}},')
        print(f"{solver}, {family}: {len(left_out)} of {len(ways[0])} left out", file=sys.stderr)


main()
