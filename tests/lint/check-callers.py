#!/usr/bin/env python3
"""Checks that every function of the product has a caller in the product.

A function must pass two checks.  The first follows mentions from main() through
functions, tables and macros of all files, so a mention in unreached code does
not count.  For the second, `make callers` links the programs again without code
that main() does not reach, so equal names do not matter.  A function that the
compiler inlined is also missing from the programs, so a mention in its own file
counts for it.  A function for tests alone says so: its comment in the header
begins with "For tests:".  Speaks TAP."""

import os
import pathlib
import re
import subprocess
import sys

from c_text import PRODUCT, bare, chunks, sources

BUILD = pathlib.Path(os.environ.get("BUILD_DIR", "."))
FOR_TESTS = re.compile(r"/\* For tests:.*?\*/\s*[^;(]*?\b(\w+)\(", re.DOTALL)
WORD = re.compile(r"\b[A-Za-z_]\w*")
CANARY = "callers_canary"  # a function without a caller, of `make callers`


def run(*command):
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print("# " + done.stdout[-2000:].replace("\n", "\n# "))
        print(f"Bail out! {' '.join(map(str, command))} failed")
        sys.exit(1)
    return done.stdout


def symbols(names):
    """Returns the symbols of files in the build folder: functions and data that other
    files see."""
    said = run("nm", "--defined-only", *(BUILD / name for name in names))
    return set(re.findall(r"^[0-9a-f]+ [TDBR] (\w+)$", said, re.MULTILINE))


def parts(path, text):
    """Yields (key, kind, words) of each part of a file; a key is a name, with
    the path if it is static, or None for a part that is always reached."""
    for _, kind, name, chunk in chunks(bare(text)):
        if kind == "prototype":
            continue
        private = path.endswith(".c") and (re.match(r"\s*static\b", chunk) or
                                           kind == "macro")
        words = set(WORD.findall(re.sub(r"(->|(?<![\w.])\.|\w\.)\w+", " ", chunk)
                                 if kind == "function" else chunk))
        if kind == "macro":
            words |= {found + "##" for found in re.findall(r"(\w+) ?##", chunk)}
            words |= {"##" + found for found in re.findall(r"## ?(\w+)", chunk)}
        if kind == "other" or name == "main":
            name, private = None, False
        yield (path, name) if private else name, kind, words


def reach(known, roots=frozenset()):
    """Returns the keys that are reached from parts without a key and from
    `roots`; `known` has (path, key, kind, words)."""
    words = {}
    for path, key, _, mentioned in known:
        words.setdefault(key, set()).update((path, word) for word in mentioned)
    live, news = set(), {None} | roots
    while news:
        live |= news
        found = set()
        for path, word in set().union(*(words.get(key, ()) for key in news)):
            found.add((path, word) if (path, word) in words else word)
            if "##" in word:
                found |= {key for key in words if isinstance(key, str) and
                          re.fullmatch(word.replace("##", r"\w*"), key)}
        news = found - live
    return live


def dead(files, reached, unreached, roots=frozenset()):
    """Returns {function: file} of functions without a caller.  The linker
    reaches `reached` and not `unreached`; a name that it does not know is
    static.  `roots` have callers."""
    known = [(path, *part) for path, text in files.items()
             for part in parts(path, text)]
    live = reach(known, roots)
    found = {}
    for path in files:
        rows = [row for row in known if row[0] == path]
        near = reach(rows, roots | reached & live |
                     {row[1] for row in rows if row[2] == "data"} & live)
        for _, key, kind, _ in rows:
            name = key if isinstance(key, str) else key and key[1]
            if kind == "function" and path.endswith(".c") and name and (
                    key not in live or name in unreached and key not in near):
                found[name] = path
    return found


def for_tests(files):
    return {name for path, text in files.items() if path.endswith(".h")
            for name in FOR_TESTS.findall(text)}


def judge(files, reached, unreached):
    """Returns sentences about what is wrong."""
    marked = for_tests(files)
    for name, path in sorted(dead(files, reached, unreached, marked).items()):
        yield f"{path}: {name}() has no caller"
    for name in sorted(marked - set(dead(files, reached, unreached))):
        yield f"{name}() is not for tests alone: it has a caller, or is gone"


# The text of a file, what the linker reaches and does not, and the functions
# without a caller.
SAMPLES = {
    "called": ("void\na(void)\n{\n}\nvoid\nb(void)\n{\n\ta();\n}\n", "b", "a", ""),
    "not called": ("void\na(void)\n{\n}\n", "b", "a", "a"),
    "calls itself": ("int\na(int n)\n{\n\treturn n ? a(n - 1) : 0;\n}\n",
                     "", "a", "a"),
    "has a prototype": ("\nvoid a(void);\n\nvoid\na(void)\n{\n}\n", "", "a", "a"),
    "is mentioned in a comment": ('/* a() */\nvoid\nb(void)\n{\n\tputs("a");\n}\n'
                                  "void\na(void)\n{\n}\n", "b", "a", "a"),
    "in a table that is used": (
        "static int\na(void)\n{\n\treturn 1;\n}\n"
        "static int (*const table[])(void) = { a };\n"
        "int\nb(void)\n{\n\treturn table[0]();\n}\n", "b", "", ""),
    "in a table that is not": (
        "int\na(void)\n{\n\treturn 1;\n}\n"
        "int (*const table[])(void) = {\n\ta,\n};\n", "", "a table", "a"),
    "in a table for other files": (
        "static int\na(void)\n{\n\treturn 1;\n}\n"
        "const struct game_rules table = { .f = a };\n", "table", "", ""),
    "called by who is not called": (
        "static void\na(void)\n{\n}\nvoid\nb(void)\n{\n\ta();\n}\n"
        "void\nc(void)\n{\n\tb();\n}\n", "", "b c", "a b c"),
    "call each other": ("void\na(void)\n{\n\tb();\n}\n"
                        "void\nb(void)\n{\n\ta();\n}\n", "", "a b", "a b"),
    "in a macro that is used": (
        "void\na(void)\n{\n}\n#define A() a()\nvoid\nb(void)\n{\n\tA();\n}\n",
        "b", "a", ""),
    "in a macro that is not": ("void\na(void)\n{\n}\n#define A() a()\n", "", "a",
                               "a"),
}

count = failed = 0


def report(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


for what, (text, reached, unreached, want) in SAMPLES.items():
    main = "int\nmain(void)\n{\n\t%s;\n}\n" % reached
    got = dead({"x.c": text, "main.c": main}, set(reached.split()), set(unreached.split()))
    report(set(got) == set(want.split()), f"sample: {what}")

# `make callers` prints the flags, LIBRARIES... and PROGRAMS..., a line each.
flags, libraries, programs = [line.split() for line in run(
    "make", "-s", "-C", BUILD, "callers").splitlines()[-3:]]
reached = symbols(programs)
if len(flags) < 2:
    print("ok # SKIP the compiler has no -ffunction-sections, or the linker no"
          f" --gc-sections\n1..{count + 1}")
    sys.exit(1 if failed else 0)
report(CANARY in symbols(libraries) and CANARY not in reached,
       "the linker leaves out a function without a caller")
files = sources((*PRODUCT, "sample-bots/strong"))
unreached = symbols(libraries) - reached
for words in judge(files, reached, unreached - {CANARY}):
    report(False, words)
report(len(unreached) > 1 and len(files) > 100,
       f"{len(unreached)} functions looked at")
print(f"1..{count}")
sys.exit(1 if failed else 0)
