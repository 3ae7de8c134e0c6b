#!/usr/bin/env python3
"""tests/lint/check-luck.py - checks that tests pass whenever the product is
right: they must not depend on chance that CHECK_SEED does not fix, or on the
speed of the machine.

A line that has to break a rule says `luck: REASON` in a comment on it or on the
line before."""

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
# The number of the argument that is a function's time limit.
BOUNDS = {"wait_for": 1, "until": 3, "wait_for_log": 2, "left_behind": 0,
          "wait": 0, "communicate": 1, "settimeout": 0, "join": 0, "poll": None,
          "run": None, "urlopen": None, "HTTPConnection": None,
          "create_connection": 1, "select": 3}
CHANCE = {"random", "choice", "choices", "randrange", "randint", "sample",
          "shuffle", "uniform", "getrandbits", "gauss"}
SLEEP = re.compile(r"\bsleep (?:0*\.\d+|[1-5]?\d(?:\.\d*)?)(?![\d.])")
POLL = re.compile(r"while .*; do sleep|sleep 0\.05; done")  # a bot at a gate
INITDB = re.compile(r"""/initdb["']|run\(["']initdb""")
RULES = {
    "chance": "draws what CHECK_SEED does not fix: use tap.dice()",
    "sleep": "waits for a while: wait for what must come",
    "clock": "reads a clock: no test asserts how long something took",
    "bound": f"gives up within {BOUND_S} s: a bound only ends what hangs",
    "initdb": "makes a database cluster: postgres.py does that, once",
    "program": "runs a program that CHECK_SEED does not reach: tap.REFEREE",
}
# Each rule refuses some of these samples; the others only look similar.
SAMPLES = (
    ("chance", ".py", "dice = random.Random()"),
    ("chance", ".py", "name = random.choice(names)"),
    ("chance", ".py", "data = os.urandom(8)"),
    ("chance", ".mjs", "const x = Math.random();"),
    ("sleep", ".py", "time.sleep(0.2)"),
    ("sleep", ".py", "run('sh', '-c', 'sleep 2; exit 7')"),
    ("sleep", ".mjs", "await page.waitForTimeout(200);"),
    ("sleep", ".c", "\tusleep(1000);"),
    ("clock", ".py", "tap.ok(time.monotonic() - began < 15, 'quick')"),
    ("bound", ".py", "arena.wait_for(ready, 20)"),
    ("bound", ".py", "link.settimeout(0.2)"),
    ("bound", ".py", "process.communicate(timeout=30)"),
    ("bound", ".mjs", "await page.waitForFunction(f, { timeout: 30000 });"),
    ("initdb", ".py", "self._run('initdb', folder)"),
    ("program", ".py", "run([tap.BUILD_DIR / 'referee' / 'referee'])"),
    (None, ".py", "dice = tap.dice('kills')"),
    (None, ".py", "arena.wait_for(ready)\nprocess.wait(60)"),
    (None, ".py", "end = time.monotonic() + 600  # luck: a bound"),
    (None, ".py", "run('sh', '-c', 'sleep 600')"),
)
found = {rule: [] for rule in RULES}


def complain(rule, path, number, lines):
    around = lines[max(0, number - 2):number]
    if not any("luck: " in line for line in around):
        found[rule].append(f"{path}:{number}: {lines[number - 1].strip()}")


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


def check_python(path, text):
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


def check_lines(path, lines, is_code=True):
    """Checks the text of a file in any language, and also the code in shell,
    JavaScript and C."""
    for number, line in enumerate(lines, 1):
        if SLEEP.search(line) and not POLL.search(line):
            complain("sleep", path, number, lines)
        if "/dev/urandom" in line or "kernel/random" in line or (
                is_code and ("$RANDOM" in line or "Math.random" in line)):
            complain("chance", path, number, lines)
        if INITDB.search(line):
            complain("initdb", path, number, lines)
        if not is_code:
            continue
        if re.search(r"\bwaitForTimeout\b|\b(usleep|nanosleep|sleep)\(", line):
            complain("sleep", path, number, lines)
        if re.search(r"\btimeout: [1-5]?\d{1,4}\b", line):
            complain("bound", path, number, lines)
        if re.search(r"\b(Date\.now|performance\.now)\(", line):
            complain("clock", path, number, lines)


def check(path, text):
    if path.suffix == ".py":
        check_python(path, text)
    elif path.suffix in (".sh", ".mjs", ".c", ".h"):
        check_lines(path, text.split("\n"))


def wrong_samples():
    """Returns the samples that the rules judge wrongly."""
    for rule, suffix, text in SAMPLES:
        check(pathlib.Path("sample" + suffix), text)
        caught = {name for name, places in found.items() if places}
        if caught != ({rule} if rule else set()):
            yield f"{text!r} is caught by {caught or 'no rule'}, not by {rule}"
        for places in found.values():
            places.clear()


print(f"1..{len(RULES) + 1}")
wrong = list(wrong_samples())
print(f"{'not ' if wrong else ''}ok 1 - the rules know what they refuse")
for line in wrong:
    print("# " + line)
for path in sorted(TESTS.rglob("*")):
    folder = path.relative_to(TESTS).parts[0]
    # Measurements and bots are not tests.
    if path.is_dir() or folder in ("bench", "lint", "machines", "vectors") or (
            folder in ("hostile", "sandbox") and path.suffix == ".c"):
        continue
    if path.suffix in (".py", ".sh", ".mjs", ".c", ".h"):
        check(path.relative_to(TREE), path.read_text("utf-8"))
if len(found["initdb"]) == 1 and "/postgres.py:" in found["initdb"][0]:
    found["initdb"].clear()
for number, (rule, why) in enumerate(RULES.items(), 2):
    print(f"{'not ' if found[rule] else ''}ok {number} - no test {why}")
    for line in found[rule]:
        print("# " + line)
sys.exit(bool(wrong) or any(found.values()))
