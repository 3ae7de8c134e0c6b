#!/usr/bin/env python3
"""Every Criterion test looks for leaks: itself, in a helper that it calls, or in
the `.fini` of its suite.  Criterion passes a test that leaks.  A test that ends in a
signal or in exit() cannot look.  Speaks TAP."""

import re
import sys

from c_text import bare, chunks, line_of, sources

WORD = re.compile(r"\b[A-Za-z_]\w*")
TEST = re.compile(r"\s*(?:ParameterizedTest\([^,]*,|Test\()\s*(\w+)\s*,\s*(\w+)")


def functions(text):
    """Name to the words of a file's functions; the tests are left out."""
    return {name: set(WORD.findall(chunk)) for _, kind, name, chunk in
            chunks(bare(text)) if kind in ("function", "macro") and
            not TEST.match(chunk)}


def looks(words, known):
    """Does what mentions these words come to NO_LEAKS?"""
    seen = set()
    while words - seen:
        seen |= words
        words = set().union(*(known.get(word, ()) for word in words)) | words
    return "NO_LEAKS" in words


def blind(text, helpers):
    """Tests of a file that do not look for leaks: (line, name)."""
    code = bare(text)
    known = {**helpers, **functions(text)}
    suites = {found[1]: set(WORD.findall(found[2])) for found in re.finditer(
        r"^TestSuite\((\w+)([^;]*)\);", code, re.MULTILINE)}
    for start, kind, _, chunk in chunks(code):
        test = TEST.match(chunk)
        if kind != "function" or not test:
            continue
        head = chunk.partition("{")[0]
        words = set(WORD.findall(chunk)) | suites.get(test[1], set())
        if not re.search(r"\.(signal|exit_code)\b", head) and not looks(
                words, known):
            line = line_of(code, start + len(chunk) - len(chunk.lstrip()))
            yield line, f"{test[1]}, {test[2]}"


SAMPLES = [
    ("Test(a, b)\n{\n\tc();\n\tNO_LEAKS();\n}\n", True),
    ("Test(a, b)\n{\n\tc();\n}\n", False),
    ("Test(a, b)\n{\n\tc(); /* NO_LEAKS(); */\n}\n", False),
    ("Test(a, b, .signal = SIGABRT)\n{\n\tc();\n}\n", True),
    ("Test(a, b, .init = begin)\n{\n\tc();\n}\n", False),
    ("static void\nc(void)\n{\n\tNO_LEAKS();\n}\nTest(a, b)\n{\n\tc();\n}\n", True),
    ("Test(a, b)\n{\n\thelper();\n}\n", True),
    ("static void\nend(void)\n{\n\tNO_LEAKS();\n}\nTestSuite(a, .fini = end);\n"
     "Test(a, b)\n{\n\tc();\n}\n", True),
    ("static void\nend(void)\n{\n\tNO_LEAKS();\n}\nTestSuite(x, .fini = end);\n"
     "Test(a, b)\n{\n\tc();\n}\n", False),
    ("ParameterizedTest(const unsigned *n, a, b)\n{\n\tc(n);\n}\n", False),
    ("Test(a, b)\n{\n\tNO_LEAKS();\n}\n\nTest(a, c)\n{\n\td();\n}\n", False),
]
count = failed = 0


def report(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


for text, good in SAMPLES:
    found = list(blind(text, {"helper": {"NO_LEAKS"}}))
    report(bool(found) != good, f"sample: {' '.join(text.split())[:60]}")
files = sources(("tests/unit",))
helpers = {}
for path, text in files.items():
    if not re.search(r"/test-[^/]*\.c$", path) and not path.endswith("/leaks.h"):
        helpers.update(functions(text))
looked = 0
for path, text in files.items():
    if re.search(r"/test-[^/]*\.c$", path):
        looked += 1
        wrong = list(blind(text, helpers))
        for line, name in wrong:
            print(f"# {path}:{line}: Test({name}) has no NO_LEAKS();")
        report(not wrong, path)
report(looked > 50, "tests were found")
print(f"1..{count}")
sys.exit(1 if failed else 0)
