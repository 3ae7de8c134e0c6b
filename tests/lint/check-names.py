#!/usr/bin/env python3
"""Checks that the names in comments exist: `name()`, `enum x`, `struct x`,
`file.c`.

Functions, macros, types and files of the whole tree count, and all words in
code (so functions of libraries that we call do).  No line of a comment is wider
than COLUMNS. No program in Python has the name of a standard module: others in
its folder would import it instead.  None defines a function, class or constant
twice: the code below would silently use the wrong one.

A comment or docstring in C, Python, shell or JavaScript says who does what: it must
not begin with a word of OPENERS, and no word of BANNED stands in it.  No file has the
phrases of TURNS, also not in a message.  Speaks TAP."""

import ast
import io
import re
import sys
import tokenize

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


FOLDERS = ("protocol", "ladder", "referee", "sample-bots", "tests")
OPENERS = re.compile(r"(?:Of|Whether|Who|Whom|Whose|What|Likewise|The same|With|Its|"
                     r"Their|By|How|As)\b(?!-)")
BANNED = re.compile(r"\b(?:[Nn]obody|[Ww]hoever|[Aa]new|[Ll]ikewise)\b")
TURNS = re.compile(r"(?i)\b(?:tells\s+no\s+database|no\s+address\s+in\s+digits|"
                   r"otherwise\s+on\s+it\s+than|under\s+other\s+masters|"
                   r"is\s+killed\s+may\s+be\s+gone|not\s+surely\s+apart|"
                   r"left\s+nothing\s+since)\b")


def c_comments(text):
    """Yields (line, text) of the comments of a C file."""
    for comment in COMMENT.finditer(text):
        if comment[0][0] == "/":
            yield line_of(text, comment.start()), re.sub(
                r"\n[ \t]*\*", " ", comment[0][2:-2])


def blocks(lines):
    """Yields (line, text) of comments given as (line, column, text, it is alone):
    those below each other are one."""
    last = None
    for line, column, text, alone in lines:
        if last and alone and last[1:3] == (line - 1, column):
            last = (last[0], line, column, last[3] + " " + text)
        else:
            if last:
                yield last[0], last[3]
            last = (line, line, column if alone else -1, text)
    if last:
        yield last[0], last[3]


def python_comments(text):
    """Yields (line, text) of the docstrings and comments of a Python program."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef,
                             ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring:
                yield node.body[0].lineno, docstring
    yield from blocks((token.start[0], token.start[1], token.string[1:],
                       not token.line[:token.start[1]].strip())
                      for token in tokenize.generate_tokens(io.StringIO(text).readline)
                      if token.type == tokenize.COMMENT)


def line_comments(text, mark):
    """Yields (line, text) of the comments behind `mark` in a script."""
    pattern = re.compile(rf"(^|.*?\s){mark}(?!!)(.*)")
    found = [(number, pattern.fullmatch(line))
             for number, line in enumerate(text.split("\n"), 1)]
    yield from blocks((number, len(one[1]), one[2], not one[1].strip())
                      for number, one in found if one)


LANGUAGES = {
    ".c": c_comments, ".h": c_comments, ".py": python_comments,
    ".sh": lambda text: line_comments(text, "#"),
    ".js": lambda text: line_comments(text, "//"),
    ".mjs": lambda text: line_comments(text, "//"),
}


def stilted(text, kind):
    """Yields (line, why) of comments with a word of OPENERS or BANNED, and of
    TURNS."""
    for line, comment in LANGUAGES[kind](text):
        comment = re.sub(r"`[^`]*`|<[^>]*>", "``", " ".join(comment.split()))
        opener = OPENERS.match(comment)
        if opener:
            yield line, f'the comment begins with "{opener[0]}"'
        for word in BANNED.findall(comment):
            yield line, f'"{word}" in a comment'
    for turn in TURNS.finditer(text):
        yield line_of(text, turn.start()), f'"{" ".join(turn[0].split())}"'


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

STILTED = [
    (".c", "/* Returns what it is. */", True), (".c", "/* What it is. */", False),
    (".c", "/*\n * Of the bot.\n */", False), (".c", 'puts("/* Of */");', True),
    (".c", "int a; /* of a bot */", True), (".c", "int a; /* By seat. */", False),
    (".c", "/* Seen by nobody. */", False), (".c", "/* Runs as `nobody`. */", True),
    (".c", 'puts("this tells no\tdatabase");', False), (".c", "/* As-is. */", True),
    (".py", 'def f():\n    """Whether it is."""', False),
    (".py", 'def f():\n    """Returns it."""', True),
    (".py", "# It is\n# What it is.\na = 1  # by seat", True),
    (".py", "a = 1  # Its number", False), (".py", 'a = "# Of it"', True),
    (".sh", "#!/bin/sh\n# Prints it\n# anew.\n", False),
    (".sh", "a=${b#What}\n", True), (".js", "a(); // Likewise.\n", False),
    (".js", "// It is at\n// Whose page.\n", True),
]
for suffix, text, good in STILTED:
    report((not list(stilted(text, suffix))) == good, f"sample: {text.split()}")

files = sources(FOLDERS)
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
for name, text in sources(FOLDERS, LANGUAGES).items():
    if name == "tests/lint/check-names.py":
        continue  # its samples are wrong
    wrong = list(stilted(text, name[name.rindex("."):]))
    for line, why in wrong:
        print(f"# {name}:{line}: {why}")
    if wrong:
        report(False, f"{name} says who does what")
for path in sorted((TREE / "tests").rglob("*.py")):
    if path.stem in getattr(sys, "stdlib_module_names", ()):  # from 3.10 on
        report(False, f"{path.relative_to(TREE)} hides Python's own {path.stem}")
    for line, name in named_twice(path.read_text()):
        report(False, f"{path.relative_to(TREE)}:{line}: {name} is named twice")
print(f"1..{count}")
sys.exit(1 if failed else 0)
