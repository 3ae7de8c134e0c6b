#!/usr/bin/env python3
"""Checks that what a comment names is there: `name()`, `enum x`, `struct x`, `file.c`.

Functions and macros, types and files of the whole tree count, and what else stands
in code somewhere (so those of libraries that we call do).  And no line of a comment
is wider than COLUMNS.  No program in Python has the name of a module of Python's
own: others in its folder would import it instead.  None gives a name of its own
to a second function, class or constant: what stands below would silently use the
wrong one.  Speaks TAP."""

import ast
import re
import sys

from c_text import TREE, bare, line_of, sources

COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|/\*.*?\*/", re.DOTALL)
NAMED = re.compile(r"(?<![\w.>-])([a-z]\w*_\w+)\(\)|\b((?:enum|struct|union) [a-z]\w*)\b"
                   r"|(?<![\w./<-])([a-z0-9_/-]+\.[ch]|tests/[\w/-]+\.(?:py|sh))\b(?![\w-]|\.\w)")


ENGLISH = {"as", "has", "is", "on", "out", "that", "was"}  # after "a struct"


def unknown(text, words, files):
    """Yields (line, what) of names in comments that do not exist."""
    for comment in COMMENT.finditer(text):
        for name in NAMED.finditer(comment[0]) if comment[0][0] == "/" else ():
            function, kind, file = name.groups()
            if kind and kind.split()[1] in ENGLISH:
                continue
            if not (function in words if function else kind in words if kind
                    else file in files):
                yield line_of(text, comment.start() + name.start()), name[0]


def known(texts, paths):
    words, files = set(), set()
    for text in texts:
        code = bare(text)
        words.update(re.findall(r"\b\w+\b", code))
        words.update(" ".join(pair) for pair in re.findall(
            r"\b(enum|struct|union)\s+(\w+)", code))
    for path in paths:
        while path:
            files.add(path)
            path = path.partition("/")[2]
    return words, files


def named_twice(text):
    """Returns [(line, name)] of names that a Python program defines again."""
    seen, twice = set(), []
    for node in ast.parse(text).body:
        names = []
        if isinstance(node, ast.Assign):
            names = [one.id for one in node.targets
                     if isinstance(one, ast.Name) and one.id.isupper()]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        twice += [(node.lineno, name) for name in names if name in seen]
        seen.update(names)
    return twice


COLUMNS = 88  # clang-format does not wrap comments
count = failed = 0


def report(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


SAMPLES = [
    ("/* the_call() does it. */", True), ("/* no_call() does it. */", False),
    ("/* of struct pair and enum\n * kind */", True),
    ("/* a struct that is */", True),
    ("/* of struct couple */", False), ("/* as enum sort */", False),
    ("/* see a.c and x/a.c */", True), ("/* see b.c */", False),
    ("/* see y/a.c */", False), ('puts("no_call()");', True),
]
have = known(["struct pair { enum kind k; } x = the_call(1);"], ["x/a.c"])
for text, good in SAMPLES:
    report((not list(unknown(text, *have))) == good, f"sample: {text.split()[1:]}")

report(named_twice("A = 1\nA = 2\nb = 1\nb = 2\ndef f(): pass\n"
                   "class f: pass\n") == [(2, "A"), (6, "f")],
       "sample: named twice")

files = sources(("protocol", "ladder", "referee", "sample-bots", "tests"))
have = known(files.values(), [
    str(path.relative_to(TREE)) for top in (
        "protocol", "ladder", "referee", "sample-bots", "tests", "doc", "debian")
    for path in (TREE / top).rglob("*.*")] + ["config.h"])
for name, text in files.items():
    wrong = list(unknown(text, *have))
    for line, what in wrong:
        print(f"# {name}:{line}: there is no {what}")
    wide = [number for number, line in enumerate(text.split("\n"), 1)
            if len(line.expandtabs(8)) > COLUMNS and
            re.match(r"\s*(/\*|\*)", line)]
    for line in wide:
        print(f"# {name}:{line}: the comment is wider than {COLUMNS} columns")
    report(not wrong and not wide, name)
for path in sorted((TREE / "tests").rglob("*.py")):
    if path.stem in getattr(sys, "stdlib_module_names", ()):  # from 3.10 on
        report(False, f"{path.relative_to(TREE)} hides Python's own {path.stem}")
    for line, name in named_twice(path.read_text()):
        report(False, f"{path.relative_to(TREE)}:{line}: {name} is named twice")
print(f"1..{count}")
sys.exit(1 if failed else 0)
