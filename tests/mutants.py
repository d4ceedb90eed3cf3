#!/usr/bin/env python3
"""Mutation testing: does a test fail where one operator, constant, comparison or statement of a source is wrong?

Usage: mutants.py --links FILE --cc "CC FLAGS" [--coverage TREE] [--shard K/N] [--seed S] [--count M] [--only FILE]
                  [--budget SECONDS] [--jobs J] [--at FILE:LINE] [--again OUTPUT]

The places to mutate are all those that `sites` finds in the bodies of functions of lib, solvers and reference. A seed
draws an order of them for each folder; shard K of N takes every N-th from the K-th on, in turn from each folder, M of
them. Or those at a line (--at), or those that survived in an earlier run, from its output (--again), found by the text
of their line. The sources are not touched: the mutated copy is compiled to an object that each test is linked with
before the libraries.

Tests are those of `make check`: files of tests, programs, and the scripts that run delassus. A test is run on a mutant if it reaches the
mutated line, which the counters of the coverage build tell (--coverage); if none does, those that reach a line near it,
for a statement of several lines is counted at one. Tests whose name has the name of the file come first, then the quick
ones, until one fails or their times add up to the budget. More than four times its usual processor time is a failure
too.

A mutant that passes them is compiled once more with the address and the undefined behaviour sanitizer, as are the
arenas (lib/base/memory.c), and the same tests run again, until four times their usual times add up to the budget:
.ci/run has them run under both sanitizers. A test that fails so without the mutant does not count.

Outcomes: killed (by which test); survived; equivalent (the same object, or listed with its reason in
tests/mutants.tsv); not compiled. Changes that only leak memory, prefetch, allocate more than is needed, double an
allowance for rounding (a factor of DBL_EPSILON), or count a rounding more or less in dls_up, which allows for twice as
many, are not made. Memory that is to be 0 is filled with bytes 255: doubles of such bytes are no numbers, whereas those
of bytes 1 are next to 0. The exit status is 1 where less than 90 % of those killed or survived were killed. A developer's
tool: the build does not need it."""
import argparse
import collections
import concurrent.futures
import glob
import itertools
import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import coverage  # noqa: E402

FOLDERS = ("lib", "solvers", "reference")
WORK = "build-mutants"
DELASSUS = "delassus"
LISTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.tsv")
MEMORY = 4 << 30
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
ARENAS = "lib/base/memory.c"
JOBS = None
PROGRAMS = {}  # of the tests that are no scripts

# --- the places to mutate ---

SWAPS = {
    "<": ("<=", ">="), ">": (">=", "<="), "<=": ("<", ">"), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("*",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",), "|=": ("&=",), "&=": ("|=",),
    "&": ("|",), "|": ("&",), "<<": (">>",), ">>": ("<<",),
}
# clang-format sets blanks around binary operators alone.
OPERATOR = re.compile(r"(?<=[\w)\]'\"]) (<<|>>|[<>=!*/+|&-]=|&&|\|\||[<>*/+%&|-])(?=[ \n])")
STEP = re.compile(r"(?<=[\w)\]])(\+\+|--)|(\+\+|--)(?=\w)")
NOT = re.compile(r"(?<![\w)\]])!(?=[\w(])")
# Not the exponents of hexadecimal numbers.
NUMBER = re.compile(r"(?<![\w.])(?<!p[-+])(\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+|\d+u?)(?![\w.])")
WORD = re.compile(r"\b(true|false|fmin|fmax|DLS_FORWARD|DLS_BACKWARD)\b")
OTHER_WORD = {"true": "false", "false": "true", "fmin": "fmax", "fmax": "fmin", "DLS_FORWARD": "DLS_BACKWARD",
              "DLS_BACKWARD": "DLS_FORWARD"}
CLEARED = re.compile(r"\bmemset\((?:[^(),]|\([^()]*\))*, $")
CONDITION = re.compile(r"\bif \((.*)\)( \{)?$")
STATEMENT = re.compile(r"(?!return\b|goto\b|case\b|default\b|else\b|typedef\b)[\w*(+-][^{}]*;$")
DECLARATION = re.compile(r"(?:const |static |unsigned |struct |enum |long )*\w+(?: const)? \**(?:const )?\w+[\[;,= )]")
ALLOCATION = re.compile(r"\b(?:[mc]alloc|realloc|aligned_alloc|dls_arena_take|dls_arena_zeros|dls_take_matrix|"
                        r"DLS_TAKE|DLS_TAKE_ZEROS|DLS_GROW|dls_grow)\(|\bdls_doubles_room\((?:[^,()]*, ){2}")
RELEASE = re.compile(r"(free|\w+_(free|destroy|delete|release|close|clear|abandon))\(|\w+ = NULL;$")


def mask(text):
    """`text` with comments, strings, characters and directives of the preprocessor blanked."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def bodies(lines):
    """Numbers of the lines in function bodies: from a { to a } in the first column, or { ... } after ) in one line."""
    inside, found = False, set()
    for number, line in enumerate(lines):
        if line.startswith("{"):
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside or re.match(r"[a-zA-Z].*\) \{ .*\}$", line):
            found.add(number)
    return found


def enlarges(line, column):
    """Whether a larger number at this place only enlarges an allocation of memory."""
    within = any(match.end() <= column and never_closes(line[match.end():column])
                 for match in ALLOCATION.finditer(line))
    return within and not re.search(r"[-/%<>=!]\s*$", line[:column])


def is_size_of_array(before, after):
    """Whether the number between them is the size of an array that a declaration has behind its first one."""
    return (depths(before)[-1:] == [0] and before.count("{") == before.count("}")
            and re.search(r", \**\w+(?:\[[^\]]*\])*\[[^\[\]]*$", before) is not None
            and re.match(r"[^\[\]]*\](?:\[[^\]]*\])*(?:,|;| =)", after) is not None)


def counts_roundings(line, column):
    """Whether the place is in the number of roundings of dls_up(x, number): it allows for twice as many and two more,
    so that one more or less is a bound too."""
    for match in re.finditer(r"\bdls_up\(", line):
        before = line[match.end():column]
        if match.end() <= column and never_closes(before) and 0 in [
                depth for c, depth in zip(before, depths(before)) if c == ","]:
            return True
    return False


def allows_for_rounding(line, end):
    """Whether the number that ends here multiplies the rounding unit: twice the allowance is an allowance too."""
    return re.match(r" \* (?:\(double\)[\w>.-]+ \* )?(?:DBL_EPSILON|dls_unit_roundoff|u)\b", line[end:]) is not None


def number_changes(text, upwards=True):
    if re.fullmatch(r"\d+u?", text):
        value, suffix = int(text.rstrip("u")), text[len(text.rstrip("u")):]
        if value > 9999:  # one more or less is far below the rounding of what it is used for
            return [f"({text} * 2)"]
        return ([f"{value + 1}{suffix}"] if upwards else []) + ([f"{value - 1}{suffix}"] if value > 0 else [])
    if float(text) == 0.0:
        return ["1.0"]
    return [f"({text} * 1000)"] if "e" in text else [f"({text} * 2)", f"(-{text})"]


def sites(name, text):
    """All mutations of a source: (file, line, column, old, new), in order."""
    masked = mask(text).split("\n")
    lines, inside, found = text.split("\n"), bodies(masked), []
    for number in sorted(inside):
        line = masked[number]
        if line.lstrip().startswith("for (") and masked[number + 1].lstrip().startswith("__builtin_prefetch("):
            continue
        start = line.index("{") if not line.startswith(" ") and "{" in line else 0

        def put(column, old, new):
            if column >= start and "__builtin_prefetch(" not in line:
                found.append((name, number + 1, column, old, new))

        for match in OPERATOR.finditer(line + "\n"):
            for new in SWAPS.get(match.group(1), ()):
                put(match.start(1), match.group(1), new)
        for match in STEP.finditer(line):
            put(match.start(), match.group(), "--" if match.group() == "++" else "++")
        for match in NOT.finditer(line):
            put(match.start(), "!", "")
        declares = DECLARATION.match(line.strip())
        room = line.index("=") if declares and "=" in line else len(line) if declares else 0  # of arrays
        for match in NUMBER.finditer(line):
            if counts_roundings(line, match.start()) or "[" in line[:room] and match.start() < room:
                continue
            if declares and is_size_of_array(line[:match.start()], line[match.end():]):
                continue
            allowance = allows_for_rounding(line, match.end())
            cleared = match.group() == "0" and CLEARED.search(line[:match.start()])
            for new in ["0xff"] if cleared else number_changes(match.group(), not enlarges(line, match.start())):
                if not (allowance and new.endswith("* 2)")):
                    put(match.start(), match.group(), new)
        for match in WORD.finditer(line):
            put(match.start(), match.group(), OTHER_WORD[match.group()])
        condition = CONDITION.search(line)
        if condition and balanced(condition.group(1)):
            put(condition.start(1), lines[number][condition.start(1):condition.end(1)], None)
        statement = line.strip()
        before = masked[number - 1].strip()
        if (STATEMENT.match(statement) and balanced(statement) and not DECLARATION.match(statement)
                and not RELEASE.match(statement) and (not before or before[-1] in ";{}:)" or before.endswith("else"))
                and not before.startswith("for (") or statement in ("break;", "continue;")):
            put(len(line) - len(line.lstrip()), lines[number].strip(), ";")
    return [(f, n, c, old, f"!({old})" if new is None else new) for f, n, c, old, new in found]


def depths(text):
    """The depth of parentheses after each character."""
    return list(itertools.accumulate((c == "(") - (c == ")") for c in text))


def never_closes(text):
    return min(depths(text), default=0) >= 0


def balanced(text):
    return never_closes(text) and depths(text)[-1:] in ([], [0])


def sources(folder, tree):
    """The C files of a folder that the coverage build has compiled, for no test is linked with others, such as those
    of peers; and those headers that are compiled several times, with NAME() for the functions."""
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(where, name)
            if (name.endswith(".c") and glob.glob(os.path.join(tree, where, f"*-{name[:-2]}.gcno"))
                    or name.endswith(".h") and " NAME(" in open(path).read()):
                yield path


def drawn(tree, seed, only, shard, of):
    """The order of the mutants of a shard that a seed gives: in turn from each folder."""
    order = []
    for folder in FOLDERS:
        found = [site for path in sources(folder, tree) if not only or path in only
                 for site in sites(path, open(path).read())]
        random.Random(f"{seed} {folder}").shuffle(found)
        order.append(found[shard - 1::of])
    longest = max(len(found) for found in order)
    return [found[k] for k in range(longest) for found in order if k < len(found)]


def survivors(path):
    """Those of an earlier output that are still there; several changes of one line may be alike."""
    lines = open(path).read().split("\n")
    for told, source in zip(lines, lines[1:]):
        match = re.match(r"survived +([^:]+):(\d+) (.*?) -> (.*?)   \[", told)
        if not match:
            continue
        file, number, old, new = match.group(1), int(match.group(2)), match.group(3), match.group(4)
        text = open(file).read()
        same = [site for site in sites(file, text)
                if (site[3], site[4]) == (old, new) and text.split("\n")[site[1] - 1].strip() == source.strip()]
        nearest = min((abs(site[1] - number) for site in same), default=0)
        found = [site for site in same if abs(site[1] - number) == nearest]
        if not found:
            print(f"gone         {file}:{number} {old} -> {new}\n             {source.strip()}")
        yield from found


# --- compiling and linking ---

class Builder:
    def __init__(self, cc, links):
        self.cc = shlex.split(cc)
        self.links = links
        self.originals = {}
        self.sanitized = {}
        self.lock = threading.Lock()

    def including(self, header):
        folder, name = os.path.split(header)
        return [os.path.join(folder, c) for c in sorted(os.listdir(folder))
                if c.endswith(".c") and f'#include "{name}"' in open(os.path.join(folder, c)).read()]

    def compile(self, source, text, folder, more=()):
        """The objects of `text`, which stands in a folder of its own so that what it is included by finds it."""
        os.makedirs(folder, exist_ok=True)
        units = [source] if source.endswith(".c") else self.including(source)
        objects = []
        with open(os.path.join(folder, os.path.basename(source)), "w") as file:
            file.write(text)
        for unit in units:
            copy = os.path.join(folder, os.path.basename(unit))
            if unit != source:
                with open(copy, "w") as file:
                    file.write(open(unit).read())
            objects.append(os.path.join(folder, os.path.basename(unit) + ".o"))
            command = self.cc + [*more, "-iquote", os.path.dirname(source), "-w", "-g0", "-c", copy, "-o", objects[-1]]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                return None, done.stdout.decode(errors="replace")
        return objects, ""

    def same_as_original(self, source, objects):
        with self.lock:
            if source not in self.originals:
                made, message = self.compile(source, open(source).read(), os.path.join(WORK, f"original-{os.getpid()}"))
                if made is None:
                    raise SystemExit(f"mutants.py: {source} itself is not compiled:\n{message}")
                self.originals[source] = [open(o, "rb").read() for o in made]
        return [open(o, "rb").read() for o in objects] == self.originals[source]

    def with_sanitizers(self, source, text, folder):
        """The objects of `text` and of the arenas, with the sanitizers; None where one of them is not compiled."""
        objects, _ = self.compile(source, text, folder, SANITIZERS)
        if objects is None or source == ARENAS:
            return objects
        arenas, _ = self.compile(ARENAS, open(ARENAS).read(), os.path.join(folder, "arenas"), SANITIZERS)
        return arenas and objects + arenas

    def passes_with_sanitizers(self, source, test, seconds):
        """Whether the test does so without a mutant."""
        with self.lock:
            if (source, test) not in self.sanitized:
                folder = os.path.join(WORK, f"original-{os.getpid()}", source.replace("/", "-"))
                objects = self.with_sanitizers(source, open(source).read(), folder)
                program = objects and self.link(test, source, objects, folder, SANITIZERS)
                self.sanitized[source, test] = bool(program) and run(test, program, seconds, True)[0] == 0
            return self.sanitized[source, test]

    def link(self, test, source, objects, folder, more=()):
        """The program of the test, with `objects` in place of its own of this source, if it has any, and of those of the
        libraries. A folder has one mutant, whose programs are linked once."""
        program = os.path.join(folder, os.path.basename(program_of(test)) + ("-sanitized" if more else ""))
        if os.path.exists(program):
            return program
        own, rest = self.links[program_of(test)]
        name = os.path.splitext(os.path.basename(source))[0]
        own = [o for o in own if os.path.dirname(o) != os.path.dirname(source) or not o.endswith(f"-{name}.o")]
        command = self.cc + [*more] + own + objects + rest
        done = subprocess.run(command + ["-o", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return program if done.returncode == 0 else None


def library(word):
    """A convenience library as a linker takes it, and what it depends on."""
    folder, name = os.path.split(word)
    archives = [os.path.join(folder, ".libs", name[:-3] + ".a"), os.path.join(folder, name[:-3] + ".a")]
    text = open(word).read()
    depends = re.search(r"dependency_libs='([^']*)'", text).group(1).split()
    return [next(a for a in archives if os.path.exists(a))], depends


def read_links(path):
    """{program: (its objects and flags, its libraries)}; notes the program of each test. A line of the file: program |
    objects | flags | libraries | the files of its tests, or nothing if the program itself is the test."""
    links = {}
    for line in open(path):
        if not line.strip():
            continue
        program, objects, flags, libs, files = (part.split() for part in line.rstrip("\n").split("|"))
        rest, depends = [], []
        for word in libs:
            if word.endswith(".la"):
                archive, needs = library(word)
                rest += archive
                depends += needs
            else:
                rest.append(word)
        depends = [w for w in depends if not w.endswith(".la")]
        links[program[0]] = (objects + flags, rest + depends)
        PROGRAMS.update((file, program[0]) for file in files or program if file != DELASSUS)
    return links


def program_of(test):
    """A test that is a script runs delassus."""
    return DELASSUS if test.endswith(".sh") else PROGRAMS[test]


def all_tests():
    scripts = [path for path in sorted(glob.glob("tests/test_*.sh")) if '"$program"' in open(path).read()]
    return sorted(PROGRAMS) + scripts


# --- running tests ---

def environment_of(test, program, **more):
    if test.endswith(".sh"):
        more["DLS_TEST_PROGRAM"] = os.path.realpath(program)
    return dict(os.environ, DLS_TEST_SOURCE=os.getcwd(), OPENBLAS_NUM_THREADS="1", **more)


def command_of(test, program):
    return ["sh", test] if test.endswith(".sh") else [program, test] if test.endswith(".c") else [program]


def run(test, program, seconds, sanitized=False):
    """(exit status, processor time of this run) of a test that may use `seconds` of processor time."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        if not sanitized:  # the address sanitizer maps far more than it uses
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command_of(test, program), preexec_fn=limits, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.DEVNULL,
            env=environment_of(test, program, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1"))
        watch = threading.Timer(60 + 20 * seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        failed = test.endswith(".sh") and re.search(rb"^not ok (?!.*# (SKIP|TODO))", output.read(), flags=re.M)
    return process.returncode or bool(failed), usage.ru_utime + usage.ru_stime


def kept(name, tests, folder, make):
    """{test: make(test)} of the tests in `folder`, made again for those whose program has changed."""
    path, known = os.path.join(WORK, name), {}
    if os.path.exists(path):
        known = json.load(open(path))
    stamps = {test: max(os.stat(os.path.join(folder, file)).st_mtime_ns for file in (test, program_of(test)))
              for test in tests}
    missing = [test for test in tests if known.get(test, {}).get("stamp") != stamps[test]]
    for test, value in zip(missing, JOBS.map(make, missing)):
        known[test] = {"stamp": stamps[test], "value": value}
        with open(path + ".new", "w") as file:
            json.dump(known, file)
        os.replace(path + ".new", path)
    return {test: known[test]["value"] for test in tests}


def usual_times(tests):
    results = kept("times.json", tests, ".", lambda test: run(test, program_of(test), 600))
    failing = [test for test, (status, _) in results.items() if status != 0]
    if failing:
        print(f"left out, for they fail without a mutant: {' '.join(failing)}")
    return {test: seconds for test, (status, seconds) in results.items() if status == 0}


def reached_by(tree, test):
    """{file: [lines]} that a test of the coverage build reaches, which it counts in a folder of its own."""
    folder = os.path.realpath(os.path.join(WORK, "reach-" + os.path.basename(test)))
    for name in coverage.FOLDERS:
        for where, _, files in os.walk(os.path.join(tree, name)):
            for file in files:
                if file.endswith(".gcno"):
                    at = folder + os.path.join(where, file)
                    os.makedirs(os.path.dirname(at), exist_ok=True)
                    os.symlink(os.path.join(where, file), at)
    program = os.path.join(tree, program_of(test))
    subprocess.run(command_of(test, program), env=environment_of(test, program, GCOV_PREFIX=folder),
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    files = coverage.read(folder + tree, tree)
    subprocess.run(["rm", "-rf", folder])
    return {name: sorted(n for n, count in lines.items() if count > 0)
            for name, (lines, _) in files.items() if any(lines.values())}


def reached(tree, tests):
    tree = os.path.realpath(tree)
    tests = [test for test in tests if os.path.exists(os.path.join(tree, program_of(test)))]
    return kept("reach.json", tests, tree, lambda test: reached_by(tree, test))


# --- judging ---

def chosen(site, reach, changed, times, budget):
    """The tests that reach the site (in a file that has changed since: the file), in the order in which they are run,
    and those left out for the budget."""
    file, line = site[0], site[1]
    name = os.path.splitext(os.path.basename(file))[0]
    near = lambda test, lines: any(n in lines for n in reach[test].get(file, ()))
    if file in changed:
        tests = [t for t in times if file in reach[t]]
    else:
        tests = [t for t in times if near(t, (line,))] or [t for t in times if near(t, range(line - 3, line + 4))]
    tests.sort(key=lambda t: (name not in os.path.basename(t), times[t]))
    within, spent = [], 0.0
    for test in tests:
        if not within or spent + times[test] <= budget:
            within.append(test)
            spent += times[test]
    return within, [t for t in tests if t not in within]


def listed():
    """{(file, line of the source, change): reason}. A line that is not there has changed: its reason may hold no more."""
    known = {}
    if os.path.exists(LISTED):
        for line in open(LISTED):
            if line.strip() and not line.startswith("#"):
                file, source, change, reason = line.rstrip("\n").split("\t")
                if source not in (text.strip() for text in open(file)):
                    raise SystemExit(f"mutants.py: {LISTED}: {file} has no line '{source}'")
                known[file, source, change] = reason
    return known


def judge(site, folder, builder, reach, changed, times, known, budget):
    """(outcome, what is told of it)"""
    file, line, column, old, new = site
    text = open(file).read().split("\n")
    source = text[line - 1].strip()
    assert text[line - 1].startswith(old, column)
    text[line - 1] = text[line - 1][:column] + new + text[line - 1][column + len(old):]
    objects, _ = builder.compile(file, "\n".join(text), folder)
    if objects is None:
        return "not compiled", ""
    if builder.same_as_original(file, objects):
        return "equivalent", "the same object"
    if (file, source, f"{old} -> {new}") in known:
        return "equivalent", known[file, source, f"{old} -> {new}"]
    tests, left = chosen(site, reach, changed, times, budget)
    if not tests:
        return "survived", "no test reaches it"
    for test in tests:
        program = builder.link(test, file, objects, folder)
        if not program:
            return "not compiled", f"not linked into {test}"
        status, seconds = run(test, program, 4 * times[test] + 1)
        if status != 0:
            why = f"signal {-status}" if status < 0 else f"status {status}"
            return "killed", f"{test}, {why}, {seconds:.1f} s"
    objects = builder.with_sanitizers(file, "\n".join(text), folder)
    spent = 0.0
    for test in [t for t in tests if objects and not t.endswith(".sh")]:
        allowed = 20 * times[test] + 5
        spent += 4 * times[test]
        if spent > budget and test != tests[0]:
            break
        program = builder.link(test, file, objects, folder, SANITIZERS)
        if program and run(test, program, allowed, True)[0] != 0 and builder.passes_with_sanitizers(file, test, allowed):
            return "killed", f"{test}, by a sanitizer"
    return "survived", f"{len(tests)} tests" + (f"; {len(left)} left out for time: {' '.join(left)}" if left else "")


def judge_once(site, folder, *rest):
    try:
        return judge(site, folder, *rest)
    finally:
        subprocess.run(["rm", "-rf", folder])


def text_or_none(path):
    return open(path).read() if os.path.exists(path) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--coverage", required=True)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at", action="append", default=[], metavar="FILE:LINE")
    parser.add_argument("--again", metavar="OUTPUT")
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    global JOBS
    JOBS = concurrent.futures.ThreadPoolExecutor(options.jobs)
    links = read_links(options.links)
    everything = [path for folder in FOLDERS for path in sources(folder, options.coverage)]
    tests = all_tests()
    times, reach = usual_times(tests), reached(options.coverage, tests)
    changed = [path for path in everything if open(path).read() != text_or_none(os.path.join(options.coverage, path))]
    if changed:
        print(f"changed since {options.coverage} was made; a mutant's tests are those of the file: {' '.join(changed)}")
    times = {test: times[test] for test in times if test in reach}
    builder, known = Builder(options.cc, links), listed()
    shard, of = (1, 1) if options.at else map(int, options.shard.split("/"))
    order = (list(survivors(options.again)) if options.again else
             drawn(options.coverage, options.seed, options.only, shard, of))
    picked = [site for site in order if not options.at or f"{site[0]}:{site[1]}" in options.at][:options.count]
    print(f"seed {options.seed}, shard {options.shard}: {len(picked)} of its {len(order)} mutants", flush=True)
    counts, start = collections.Counter(), time.time()
    folders = [os.path.join(WORK, f"mutant-{os.getpid()}-{k}") for k in range(len(picked))]
    for site, (outcome, told) in zip(picked, JOBS.map(
            lambda site, folder: judge_once(site, folder, builder, reach, changed, times, known, options.budget),
            picked, folders)):
        counts[outcome] += 1
        file, line, _, old, new = site
        print(f"{outcome:12} {file}:{line} {old} -> {new}   [{told}]", flush=True)
        if outcome == "survived":
            print(f"             {open(file).read().split(chr(10))[line - 1].strip()}", flush=True)
    subprocess.run(["rm", "-rf", os.path.join(WORK, f"original-{os.getpid()}")])
    told = ", ".join(f"{counts[o]} {o}" for o in ("killed", "survived", "equivalent", "not compiled"))
    judged = counts["killed"] + counts["survived"]
    print(f"{told}; {coverage.percent(counts['killed'], judged):.0f} % killed, {time.time() - start:.0f} s")
    sys.exit(counts["killed"] < 0.9 * judged)


if __name__ == "__main__":
    main()
