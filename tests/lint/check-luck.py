#!/usr/bin/env python3
"""tests/lint/check-luck.py - tests pass whenever the product is right: nothing in
them may depend on chance that CHECK_SEED does not fix, or on how quick a machine is.

A line may say `luck: REASON` in a comment (or the line before it), where it has to do
what is refused here.  tests/bench measures, and is not looked at.  Speaks TAP."""

import ast
import os
import pathlib
import re
import sys

TREE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
TESTS = TREE / "tests"
BOUND_S = 60  # the least bound of a wait: it ends a test that hangs, and no other
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "time", "time_ns"}
# Functions whose bound is the argument with this number.
BOUNDS = {"wait_for": 1, "until": 3, "wait_for_log": 2, "left_behind": 0,
          "wait": 0, "communicate": 1, "settimeout": 0, "join": 0, "poll": None,
          "run": None, "urlopen": None, "HTTPConnection": None,
          "create_connection": 1, "select": 3}
CHANCE = {"random", "choice", "choices", "randrange", "randint", "sample",
          "shuffle", "uniform", "getrandbits", "gauss"}
SLEEP = re.compile(r"\bsleep (?:0*\.\d+|[1-5]?\d(?:\.\d*)?)(?![\d.])")
POLL = re.compile(r"while .*; do sleep|sleep 0\.05; done")  # a bot at a gate
RULES = {
    "chance": "draws what CHECK_SEED does not fix: use tap.dice()",
    "sleep": "waits for a while: wait for what must come",
    "clock": "reads a clock: no test asserts how long something took",
    "bound": f"gives up within {BOUND_S} s: a bound only ends what hangs",
    "initdb": "makes a database cluster: postgres.py does that, once",
    "program": "runs a program that CHECK_SEED does not reach: tap.REFEREE",
}
found = {rule: [] for rule in RULES}


def complain(rule, path, number, lines):
    around = lines[max(0, number - 2):number]
    if not any("luck: " in line for line in around):
        found[rule].append(f"{path.relative_to(TREE)}:{number}: "
                           f"{lines[number - 1].strip()}")


def is_short(node):
    return isinstance(node, ast.Constant) and isinstance(
        node.value, (int, float)) and 0 < node.value < BOUND_S


def check_call(node, complain_of):
    name, owner = None, None
    if isinstance(node.func, ast.Attribute):
        name = node.func.attr
        owner = getattr(node.func.value, "id", None)
    elif isinstance(node.func, ast.Name):
        name = node.func.id
    if owner == "random" and (name in CHANCE or name == "Random" and
                              not node.args) or owner in ("secrets", "uuid") or (
                                  owner == "os" and name == "urandom"):
        complain_of("chance", node)
    if owner == "time" and name == "sleep":
        complain_of("sleep", node)
    if owner == "time" and name in CLOCKS:
        complain_of("clock", node)
    place = BOUNDS.get(name)
    bounds = [node.args[place]] if place is not None and len(
        node.args) > place else []
    if name in BOUNDS:
        bounds += [word.value for word in node.keywords
                   if word.arg in ("timeout", "seconds")]
    if any(map(is_short, bounds)):
        complain_of("bound", node)


def check_python(path):
    text = path.read_text("utf-8")
    lines = text.split("\n")

    def complain_of(rule, node):
        complain(rule, path, node.lineno, lines)

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            check_call(node, complain_of)
        elif isinstance(node, ast.BinOp) and ast.unparse(node).endswith(
                "BUILD_DIR / 'referee' / 'referee'"):
            complain_of("program", node)
    check_lines(path, lines, False)
    count = sum("\"initdb\"" in line and "_run(" in line for line in lines)
    for number, line in enumerate(lines, 1):
        if "initdb" in line and "_run(" in line and (
                path.name != "postgres.py" or count > 1):
            complain("initdb", path, number, lines)


def check_lines(path, lines, is_code=True):
    """What any language says in its text; in a script for the shell or a browser,
    and in C, also what it does."""
    for number, line in enumerate(lines, 1):
        if SLEEP.search(line) and not POLL.search(line):
            complain("sleep", path, number, lines)
        if "/dev/urandom" in line or "kernel/random" in line or (
                is_code and ("$RANDOM" in line or "Math.random" in line)):
            complain("chance", path, number, lines)
        if not is_code:
            continue
        if re.search(r"\bwaitForTimeout\b|\b(usleep|nanosleep|sleep)\(", line):
            complain("sleep", path, number, lines)
        if re.search(r"\btimeout: [1-5]?\d{1,4}\b", line):
            complain("bound", path, number, lines)
        if re.search(r"\b(Date\.now|performance\.now)\(", line):
            complain("clock", path, number, lines)


for path in sorted(TESTS.rglob("*")):
    folder = path.relative_to(TESTS).parts[0]
    if folder in ("bench", "lint", "machines", "vectors") or path.is_dir():
        continue
    if path.suffix == ".py":
        check_python(path)
    elif path.suffix in (".sh", ".mjs", ".c", ".h"):
        check_lines(path, path.read_text("utf-8").split("\n"))

print(f"1..{len(RULES)}")
for number, (rule, why) in enumerate(RULES.items(), 1):
    print(f"{'not ' if found[rule] else ''}ok {number} - no test {why}")
    for line in found[rule]:
        print("# " + line)
sys.exit(any(found.values()))
