#!/usr/bin/env python3
"""tests/lint/check-luck.py - checks that tests pass whenever the product is
right: they must not depend on chance that CHECK_SEED does not fix, or on the
speed of the machine.

A line that has to break a rule says `luck: REASON` in a comment on it, or in one that
is the line before."""

import ast
import pathlib
import re
import sys
import types

from c_text import CLOCKS, TREE, bare, line_of, looks

TESTS = TREE / "tests"
BOUND_S = 60  # the least bound of a wait: it ends a test that hangs, and no other
RULES = {
    "chance": "draws what CHECK_SEED does not fix: use tap.dice()",
    "sleep": "waits for a while: wait for what must come",
    "clock": "reads a clock: no test asserts how long something took",
    "bound": f"gives up within {BOUND_S} s: a bound only ends what hangs",
    "initdb": "makes a database cluster: postgres.py does that, once",
    "program": "runs a program that CHECK_SEED does not reach: tap.REFEREE",
}
# These names in Python, whatever a script calls them.
NAMES = {
    "chance": r"random\..+|(secrets|uuid)(\..+)?|os\.(urandom|getrandom)|ssl\.RAND_\w+",
    "sleep": r"(time|asyncio)\.sleep|signal\.sigtimedwait",
    "clock": r"(time\.(time|monotonic|perf_counter|process_time|thread_time)(_ns)?"
             r"|time\.clock_gettime(_ns)?|resource\.getrusage|os\.times"
             r"|(datetime\.)?(datetime|date)\.(now|utcnow|today)"
             r"|.*\.st_[acm]time(_ns)?|os\.path\.get[acm]time|time\.\*)",
}
# These words in any language: many scripts have some code for the shell in them.
# A limit `s` counts seconds, and `ms` milliseconds; long ones are fine.
LIMIT = r"\"?\$?\{?(?P<s>\.?\d[\d.]*(?![\d.mhd])|[A-Za-z_]\w*)"
SHELL = (
    ("chance", r"\$(\{|\(\([^)\n]*\b)?S?RANDOM\b|\bshuf\b|\bsort -R\b"
               r"|/dev/u?random|kernel/random|\bsrand\(\)|\buuidgen\b"),
    ("sleep", r"((?<!do )\bsleep|\bwhile (:|true)[ ;]+do sleep)"
              r" " + LIMIT),  # a bot at a gate may: while …; do sleep
    ("clock", r"\$(\{|\(\([^)\n]*\b)?(EPOCH)?(SECONDS|REALTIME)\b|\bdate \+"),
    ("bound", r"(\btimeout( -[ks] \S+| -(?![ks] )\S+)* |--limit[= ])" + LIMIT),
    ("initdb", r"\binitdb\b"),
    ("program", r"\breferee/referee(?![\w.-])|\benv -i\b|\benviron\.clear\b"),
)
WORDS = {
    ".py": SHELL,
    ".sh": SHELL,
    ".mjs": (
        *SHELL,
        ("chance", r"\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill)|getRandomValues"),
        ("sleep", r"\b(waitForTimeout|set(Timeout|Interval))\b"),
        ("clock", r"\b(Date|performance)\.now\b|\bnew Date\(\)|\bhrtime\b"),
        ("bound", r"(\btimeout(: *| = |\()|\bsetDefault\w*Timeout\()(?P<ms>\w+)")),
    ".c": (*SHELL, ("bound", r"\balarm\s*\((?P<s>\w+)\)"),),
}
COMMENT = re.compile(r"(?<!\S)(# |// ).*|/\*.*?(\*/|$)|^\s*\* .*", re.MULTILINE)
MARK = re.compile(r"(\s|\\t)*(#|//|/?\*) luck: ")
CONSTANT = re.compile(r"^\s*(?:const |#define |self\.)?(\w+)(?: = |=| )"
                      r"(\(?\d[\w. *+/()]*)", re.MULTILINE)
C_CHANCE = re.compile(r"\b(getrandom|getentropy|arc4random\w*|[delmnj]rand48|s?random"
                      r"|s?rand|rand_r)\s*\(")
# The number of the argument that is a function's time limit.
PLACES = {"wait_for": 1, "until": 3, "wait_for_log": 2, "left_behind": 0, "wait": 0,
          "communicate": 1, "settimeout": 0, "join": 0, "create_connection": 1,
          "select": 3, "result": 0, "alarm": 0, "Timer": 0, "poll": 0}
LIMITS = {"timeout", "seconds"}  # names of such arguments
# Each rule refuses some of these samples; the others only look similar.
SAMPLES = (
    ("chance", ".py", "from random import *"),
    ("chance", ".py", "import random as r\nr.shuffle(names)"),
    ("chance", ".py", "dice = random.Random(os.getpid())"),
    ("chance", ".py", "from os import urandom as noise"),
    ("chance", ".py", "name = uuid.uuid4()"),
    ("chance", ".py", "run('sh', '-c', 'echo $((RANDOM % 7))')"),
    ("chance", ".sh", "nick=${SRANDOM}"),
    ("chance", ".sh", "shuf -n 1 names"),
    ("chance", ".mjs", "const x = Math.random();"),
    ("chance", ".mjs", "const x = crypto.randomUUID();"),
    ("chance", ".c", "\tn = arc4random_uniform(6);"),
    ("sleep", ".py", "time.sleep(0.2)"),
    ("sleep", ".py", "nap = time.sleep"),
    ("sleep", ".py", "run(['sleep', '2'])"),
    ("sleep", ".py", "run('sh', '-c', 'sleep 2; exit 7')"),
    ("sleep", ".sh", "while :; do sleep 1; done"),
    ("sleep", ".mjs", "await page.waitForTimeout(200);"),
    ("sleep", ".c", "\tusleep (1000);"),
    ("sleep", ".c", "\tpoll(NULL, 0, 200);"),
    ("sleep", ".c", "\trun(\"echo\\nsleep 2; exit 7\");"),
    ("clock", ".py", "tap.ok(time.monotonic() - began < 15, 'quick')"),
    ("clock", ".py", "date = datetime.datetime.now()"),
    ("clock", ".py", "old = path.stat().st_mtime"),
    ("clock", ".py", "BOT = '''\nimport time\nprint(time.time())\n'''"),
    ("clock", ".sh", "took=$((SECONDS - began))"),
    ("clock", ".mjs", "const began = Date.now();"),
    ("clock", ".c", "\tbegan = time(NULL);"),
    ("bound", ".py", "arena.wait_for(ready, 20)"),
    ("bound", ".py", "link.settimeout(0.2)"),
    ("bound", ".py", "LIMIT_S = 3 * 5\nsubprocess.check_output(a, timeout=LIMIT_S)"),
    ("bound", ".py", "self.most = 5\nlines.get(timeout=self.most)"),
    ("bound", ".py", "def wait(self, seconds=5):\n    pass"),
    ("bound", ".py", "run([REFEREE, 'check', '--limit', 5])"),
    ("bound", ".sh", "LIMIT=5\ntimeout -k 10 $LIMIT make"),
    ("bound", ".mjs", "await page.waitForFunction(f, { timeout: 30_000 });"),
    ("bound", ".mjs", "const SOON = 5000;\npage.setDefaultTimeout(SOON);"),
    ("bound", ".c", "#define SOON 5\nint f(void) { alarm(SOON); }"),
    ("initdb", ".py", "run(['initdb', '-D', folder])"),
    ("program", ".py", "run([tap.BUILD_DIR / 'referee' / 'referee'])"),
    ("program", ".py", "run([os.path.join(BUILD, 'referee', 'referee')])"),
    ("program", ".py", "run([f'{BUILD}/referee/referee'])"),
    ("program", ".sh", "env -i $REFEREE"),
    ("program", ".py", "tap.referee('match', env={'PATH': path})"),
    (None, ".py", "dice = tap.dice('kills')\nname = dice.choice(names)"),
    (None, ".py", "import random\ndice = random.Random(f'{SEED} kills')"),
    (None, ".py", "arena.wait_for(ready)\nprocess.wait(60)\nfeed.poll(60000)"),
    (None, ".py", "end = time.monotonic() + 600  # luck: a bound"),
    (None, ".py", "run('sh', '-c', 'sleep 600')  # for sleep 2"),
    (None, ".py", "run('sh', '-c', 'while [ -e gate ]; do sleep 0.05; done')"),
    (None, ".py", "then = time.gmtime(0)\nday = datetime.timedelta(seconds=5)"),
    (None, ".py", "tap.referee('match', env=dict(os.environ, A='b'))"),
    (None, ".sh", 'timeout -k 10 "$LIMIT" build/referee/referee-box'),
    (None, ".mjs", "const day = new Date(0); f({ timeout: 60_000 });"),
    (None, ".c", "\tpoll(&one, 1, -1); randombytes_uniform(6); /* time(NULL) */"),
)
found = {rule: [] for rule in RULES}
needed = set()  # marks


def complain(rule, path, number, lines):
    line = lines[number - 1]
    place = f"{path}:{number}: {line.strip()}"
    if "luck: " in line:
        needed.add((path, number))
    elif MARK.match(lines[number - 2]):
        needed.add((path, number - 1))
    elif place not in found[rule]:
        found[rule].append(place)


def number_of(text, constants):
    """Returns the value of an expression of numbers and their names, or None."""
    try:
        value = eval(str(text).replace("self.", ""), {"__builtins__": {}}, constants)
    except Exception:
        return None
    return value if isinstance(value, (int, float)) else None


def constants_of(text):
    """Returns the numbers that a script or program gives names."""
    return {name: number_of(value, {}) for name, value in CONSTANT.findall(text)}


def is_short(text, constants, unit="s"):
    """Returns true if an expression is a time that is too short."""
    value = number_of(text, constants)
    return value is not None and 0 < value < BOUND_S * (1000 if unit == "ms" else 1)


class Python(ast.NodeVisitor):
    """Looks at a script in Python."""

    def __init__(self, path, text, modules):
        self.path, self.lines = path, text.split("\n")
        self.names = {}  # what an imported name is
        self.constants = {**modules, **constants_of(text)}
        self.visit(ast.parse(text))

    def complain(self, rule, node):
        complain(rule, self.path, node.lineno, self.lines)

    def look(self, name, node):
        for rule, names in NAMES.items():
            if re.fullmatch(names, name):
                self.complain(rule, node)

    def dotted(self, node):
        if isinstance(node, ast.Attribute):
            return f"{self.dotted(node.value)}.{node.attr}"
        return self.names.get(node.id, node.id) if isinstance(node, ast.Name) else ""

    def visit_Import(self, node):
        for one in node.names:
            self.look(one.name, node)
            if one.asname:
                self.names[one.asname] = one.name

    def visit_ImportFrom(self, node):
        for one in node.names:
            self.names[one.asname or one.name] = f"{node.module}.{one.name}"
            self.look(f"{node.module}.{one.name}", node)

    def visit_Name(self, node):
        if node.id in self.names:
            self.look(self.dotted(node), node)

    def visit_Attribute(self, node):
        self.look(self.dotted(node), node)
        self.generic_visit(node)

    def visit_Constant(self, node):
        """Looks at a script in this one."""
        if isinstance(node.value, str) and "\n" in node.value:
            try:
                script = ast.parse(node.value)
            except (SyntaxError, ValueError):
                return
            begin = max(node.lineno, node.end_lineno - node.value.count("\n"))
            self.visit(ast.increment_lineno(script, begin - 1))

    def visit_FunctionDef(self, node):
        given = node.args.args[len(node.args.args) - len(node.args.defaults):]
        for one, value in [*zip(given, node.args.defaults),
                           *zip(node.args.kwonlyargs, node.args.kw_defaults)]:
            if one.arg in LIMITS and value:
                self.bound(value)
        self.generic_visit(node)

    def bound(self, node, unit="s"):
        if is_short(ast.unparse(node), self.constants, unit):
            self.complain("bound", node)

    def words(self, nodes):
        """Looks at the words of a command."""
        for one, two in zip(nodes, nodes[1:]):
            pair = [getattr(word, "value", None) for word in (one, two)]
            if pair == ["referee", "referee"]:
                self.complain("program", one)
            if pair[0] in ("sleep", "timeout", "--limit") and is_short(
                    pair[1] or ast.unparse(two), self.constants):
                self.complain("sleep" if pair[0] == "sleep" else "bound", one)

    def visit_List(self, node):
        self.words(node.elts)
        self.generic_visit(node)

    visit_Tuple = visit_List

    def visit_BinOp(self, node):
        if isinstance(node.left, ast.BinOp):
            self.words([node.left.right, node.right])
        self.generic_visit(node)

    def visit_Call(self, node):
        name = self.dotted(node.func)
        if name == "random.Random" and "SEED" in ast.unparse(node.args):
            return
        name = name.rpartition(".")[2]
        self.words(node.args)
        place = PLACES.get(name, len(node.args))
        for value in node.args[place:place + 1]:
            self.bound(value, "ms" if name == "poll" else "s")
        for word in node.keywords:
            if word.arg in LIMITS and name != "timedelta":
                self.bound(word.value)
            if word.arg == "env" and is_new(word.value):
                self.complain("program", word.value)
        self.generic_visit(node)


def is_new(node):
    """Returns true if this environment has nothing of the test's own."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") == "dict" and not node.args and all(
            word.arg for word in node.keywords)
    return isinstance(node, ast.Dict) and None not in node.keys


def check_words(path, text):
    """Looks for words in a script or program, but not in its comments."""
    lines, constants = text.split("\n"), constants_of(text)
    code = re.sub(r"\\[nt]", "  ", COMMENT.sub("", text))
    for rule, words in WORDS[path.suffix]:
        for match in re.finditer(words, code):
            if all(is_short(limit, constants, unit)
                   for unit, limit in match.groupdict().items()):
                complain(rule, path, line_of(code, match.start()), lines)


def check_c(path, text):
    lines = text.split("\n")
    code = bare(text)
    for match in C_CHANCE.finditer(code):
        complain("chance", path, line_of(code, match.start()), lines)
    for number, word, limit in looks(text):
        if lines[number - 1].startswith(word):
            continue  # its definition, which replaces that of the system
        if CLOCKS.match(word + "("):
            complain("clock", path, number, lines)
        elif word != "alarm" and (
                limit is None or is_short(limit, constants_of(text), "ms")):
            complain("sleep", path, number, lines)


def check(path, text, modules):
    if path.suffix == ".py":
        Python(path, text, modules)
    if path.suffix in (".c", ".h"):
        check_c(path, text)
    check_words(path.with_suffix(".c") if path.suffix == ".h" else path, text)


def wrong_samples():
    """Returns the samples that the rules judge wrongly."""
    for rule, suffix, text in SAMPLES:
        check(pathlib.Path("sample" + suffix), text, {})
        caught = {name for name, places in found.items() if places}
        if caught != ({rule} if rule else set()):
            yield f"{text!r} is caught by {caught or 'no rule'}, not by {rule}"
        for places in found.values():
            places.clear()


def texts():
    """Returns the text of each test; measurements and bots are none."""
    for path in sorted(TESTS.rglob("*")):
        folder = path.relative_to(TESTS).parts[0]
        if path.suffix in (".py", ".sh", ".mjs", ".c", ".h") and (
                folder not in ("bench", "lint", "machines", "vectors")) and not (
                    folder in ("hostile", "sandbox") and path.suffix == ".c"):
            yield path.relative_to(TREE), path.read_text("utf-8")


print(f"1..{len(RULES) + 2}")
wrong = list(wrong_samples())
print(f"{'not ' if wrong else ''}ok 1 - the rules know what they refuse")
for line in wrong:
    print("# " + line)
tests = dict(texts())
modules = {path.stem: types.SimpleNamespace(**constants_of(text))
           for path, text in tests.items() if path.suffix == ".py"}
for path, text in tests.items():
    check(path, text, modules)
for number, (rule, why) in enumerate(RULES.items(), 2):
    print(f"{'not ' if found[rule] else ''}ok {number} - no test {why}")
    for line in found[rule]:
        print("# " + line)
idle = [f"{path}:{number}: {line.strip()}" for path, text in tests.items()
        for number, line in enumerate(text.split("\n"), 1)
        if " luck: " in line and (path, number) not in needed]
print(f"{'not ' if idle else ''}ok {len(RULES) + 2} - each mark is needed")
for line in idle:
    print("# " + line)
sys.exit(bool(wrong or idle) or any(found.values()))
