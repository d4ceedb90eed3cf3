#!/usr/bin/env python3
"""Runs the commands behind the numbers of doc/results.md, and compares each number with its table.

    tests/reproduce.py --program ./delassus [--all] [--only WORD] [-j N] [-o FOLDER] [TABLE]

TABLE (tests/reproduce.tsv) has a line for each number:

    section    the heading of doc/results.md, or a heading above it, below which the number stands
    when       smoke: by `make reproduce`, in a few minutes; all: with REPRODUCE=all as well
    command    words of the program, to which -o FOLDER is added; each different command is run once
    table      the name of a table in that folder, without .tsv
    rows       conditions COLUMN=VALUE, separated by ';', which the rows meet; '-': all rows
    cell       a column of the only such row, or minus and a column; or count, or one of max, min, median, last and a column
    printed    the number as doc/results.md prints it
    tolerance  digits: half a unit of the last printed digit; 3%: of the number; a number: at most so far away;
               most: the printed number bounds the cell's absolute value
    reason     why it may differ by that much

One line is printed for each number, and the counts at the end. The exit status is 0 if all agree, 1 if some do not, and 2
if a command fails, or a table, row or column is not there."""

import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys

FIELDS = ("section", "when", "command", "table", "rows", "cell", "printed", "tolerance", "reason")
AGGREGATES = {"max": max, "min": min, "median": statistics.median, "last": lambda values: values[-1]}
ONE_ROW = {"minus": lambda values: -values[0]}


class Unknown(Exception):
    """A line of the table of numbers, or a cell that it names, makes no sense."""


def read_numbers(path):
    """The lines of the table of numbers, as dictionaries with the line number `at`."""
    numbers = []
    with open(path, encoding="utf-8") as file:
        for at, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            cells = line.rstrip("\n").split("\t")
            if len(cells) != len(FIELDS) or not all(cells) or cells[1] not in ("smoke", "all"):
                raise Unknown("%s:%d: %d cells, not %d with 'smoke' or 'all' as the second" % (path, at, len(cells), len(FIELDS)))
            numbers.append(dict(zip(FIELDS, cells), at="%s:%d" % (path, at)))
    return numbers


def value_of(text):
    """A printed number: '1,874', '4.9e-14'."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def allowed(number):
    """How far a cell may be from the printed number."""
    tolerance, printed = number["tolerance"], number["printed"].replace(",", "")
    if tolerance == "most":
        return 0.0
    if tolerance == "digits":
        mantissa, _, exponent = printed.lower().partition("e")
        decimals = len(mantissa.partition(".")[2])
        return 0.5000001 * 10.0 ** (int(exponent or 0) - decimals)
    if tolerance.endswith("%"):
        return abs(float(printed)) * float(tolerance[:-1]) / 100.0
    return float(tolerance)


def read_table(path):
    """Names of the columns without their units, and rows, of a table of the program."""
    if not os.path.isfile(path):
        raise Unknown("there is no table %s" % path)
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [re.sub(r"\[.*\]$", "", name) for name in lines[0]], lines[1:]


def same(cell, wanted):
    if cell == wanted:
        return True
    a, b = value_of(cell), value_of(wanted)
    return a is not None and a == b


def column_of(names, name, path):
    if names.count(name) != 1:
        raise Unknown("%s has no column %s; it has %s" % (path, name, ", ".join(names)))
    return names.index(name)


def find_cell(number, folder):
    """The text of a cell, or the value of an aggregate."""
    path = os.path.join(folder, number["table"] + ".tsv")
    names, rows = read_table(path)
    for condition in [] if number["rows"] == "-" else number["rows"].split(";"):
        name, equal, wanted = condition.partition("=")
        if not equal:
            raise Unknown("'%s' is no condition COLUMN=VALUE" % condition)
        at = column_of(names, name, path)
        rows = [row for row in rows if same(row[at], wanted)]
    words = number["cell"].split()
    if words == ["count"]:
        return len(rows)
    if not rows:
        raise Unknown("%s has no row with %s" % (path, number["rows"]))
    at = column_of(names, words[-1], path)
    if len(words) == 2 and words[0] in AGGREGATES:
        return AGGREGATES[words[0]]([float(row[at]) for row in rows])
    if len(words) == 2 and words[0] in ONE_ROW and len(rows) == 1:
        return ONE_ROW[words[0]]([float(rows[0][at])])
    if len(words) != 1 or len(rows) > 1:
        raise Unknown("%s has %d rows with %s; give conditions for one, or one of count, %s" %
                      (path, len(rows), number["rows"], ", ".join(AGGREGATES)))
    return rows[0][at]


def compare(number, folder):
    """The line of a number, and whether the number agrees."""
    found, printed = find_cell(number, folder), value_of(number["printed"])
    if printed is None:
        agrees, margin = str(found) == number["printed"], "the same word"
    else:
        margin = allowed(number)
        off = abs(float(found)) - printed if number["tolerance"] == "most" else abs(float(found) - printed)
        agrees = off <= margin  # never for NaN
        margin = "at most" if number["tolerance"] == "most" else "within %.3g" % margin
    return agrees, "%s, %s %s %s: %s, printed %s, %s (%s)" % (number["section"], number["table"], number["rows"], number["cell"],
                                                              found, number["printed"], margin, number["reason"])


def run(program, words, folder):
    """Runs a command into an empty folder; the end of what it printed where it fails, or None."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    ended = subprocess.run([program] + shlex.split(words) + ["-o", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"), check=False)
    if ended.returncode in (0, 1, 4):  # done, or done with answers that are not solved, which are results
        return None
    return "exit status %d: %s" % (ended.returncode, ended.stdout.strip().splitlines()[-1:] or "no output")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="./delassus")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", default="reproduced")
    parser.add_argument("table", nargs="?", default=os.path.join(here, "reproduce.tsv"))
    options = parser.parse_args()
    numbers = [number for number in read_numbers(options.table) if (options.all or number["when"] == "smoke") and
               options.only in number["section"] + number["command"]]
    folders = {}
    for number in numbers:
        name = re.sub(r"[^A-Za-z0-9.]+", "-", number["command"]).strip("-")
        folders.setdefault(number["command"], os.path.join(options.output, name))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        failures = dict(zip(folders, pool.map(lambda words: run(options.program, words, folders[words]), folders)))
    counts = {"ok": 0, "DIFFERS": 0, "UNKNOWN": 0}
    for number in numbers:
        try:
            if failures[number["command"]]:
                raise Unknown("%s: %s" % (number["command"], failures[number["command"]]))
            agrees, line = compare(number, folders[number["command"]])
            word = "ok" if agrees else "DIFFERS"
        except (Unknown, ValueError) as error:
            word, line = "UNKNOWN", "%s: %s" % (number["at"], error)
        counts[word] += 1
        print("%-7s %s" % (word, line))
    print("%d numbers agree, %d differ, %d are unknown" % tuple(counts.values()))
    return 2 if counts["UNKNOWN"] or not numbers else 1 if counts["DIFFERS"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unknown as error:
        print(error, file=sys.stderr)
        sys.exit(2)
