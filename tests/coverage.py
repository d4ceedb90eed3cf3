#!/usr/bin/env python3
"""Line and branch coverage of a build with --coverage, from gcov's JSON: a table by file, totals by folder, the worst
files and, with --missing FILE, the lines of a file that no test reached.

Usage: coverage.py [--lines PERCENT] [--branches PERCENT] [--missing FILE] TREE

TREE is a build in its own source folder whose tests have run. The exit status is 1 where a total lies below the
percentages asked for. A developer's tool: the build does not need it."""
import argparse
import collections
import json
import os
import subprocess
import sys

FOLDERS = ("lib", "solvers", "reference", "experiments", "cmd")
WORST = 15


def counters(tree):
    """The .gcda files below `tree`, relative to it."""
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(tree, folder)):
            for name in names:
                if name.endswith(".gcda"):
                    yield os.path.relpath(os.path.join(where, name), tree)


def read(tree, root=None):
    """{file: ({line: count}, {(line, k): count})} of the project's sources, summed over all objects and copies of a
    function. `root` is the folder of the sources, where it is not `tree`."""
    root = os.path.realpath(root or tree)
    files = collections.defaultdict(lambda: (collections.Counter(), collections.Counter()))
    names = sorted(counters(tree))
    for first in range(0, len(names), 64):
        out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities"] + names[first:first + 64],
                             cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        for text in out.splitlines():
            if text.strip():
                add(json.loads(text), root, files)
    return files


def add(data, root, files):
    for file in data["files"]:
        name = os.path.normpath(os.path.join(root, file["file"]))
        name = os.path.relpath(name, root)
        if not name.startswith(tuple(folder + os.sep for folder in FOLDERS)):
            continue
        lines, branches = files[name]
        for line in file["lines"]:
            number = line["line_number"]
            lines[number] += line["count"]
            for k, branch in enumerate(line["branches"]):
                branches[number, k] += branch["count"]


def ratio(counts):
    return sum(1 for count in counts.values() if count > 0), len(counts)


def percent(hit, of):
    return 100.0 * hit / of if of else 100.0


def row(name, lines, branches):
    print(f"{name:44} {lines[0]:6}/{lines[1]:<6} {percent(*lines):6.1f} % {branches[0]:6}/{branches[1]:<6} "
          f"{percent(*branches):6.1f} %")


def total(rows):
    return tuple(tuple(sum(r[part][k] for r in rows) for k in range(2)) for part in range(2))


def print_missing(name, file):
    lines, branches = file
    print(f"{name}: lines that no test reached:", " ".join(str(n) for n in sorted(lines) if lines[n] == 0))
    half = sorted({key[0] for key, count in branches.items() if count == 0 and lines[key[0]] > 0})
    print(f"{name}: lines of which a branch was never taken:", " ".join(map(str, half)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=float, default=0.0)
    parser.add_argument("--branches", type=float, default=0.0)
    parser.add_argument("--missing", action="append", default=[], metavar="FILE")
    parser.add_argument("tree")
    options = parser.parse_args()
    files = read(options.tree)
    if not files:
        sys.exit(f"coverage.py: {options.tree} has no counters; build it with --coverage and run its tests")
    rows = {name: (ratio(files[name][0]), ratio(files[name][1])) for name in sorted(files)}
    print(f"{'file':44} {'lines':>22} {'branches':>22}")
    for name, parts in rows.items():
        row(name, *parts)
    for part, what in enumerate(("lines that no test reached", "branches that no test took")):
        print(f"\nWorst, by {what}:")
        for name in sorted(rows, key=lambda n: rows[n][part][0] - rows[n][part][1])[:WORST]:
            row(name, *rows[name])
    print()
    for folder in FOLDERS:
        row(folder, *total([parts for name, parts in rows.items() if name.startswith(folder + os.sep)]))
    lines, branches = total(rows.values())
    row("total", lines, branches)
    for name in options.missing:
        print_missing(name, files[name])
    sys.exit(percent(*lines) < options.lines or percent(*branches) < options.branches)


if __name__ == "__main__":
    main()
