#!/usr/bin/env python3
"""Who may include whom; CONTRIBUTING.md says why.

  protocol/        protocol/
  ladder/          protocol/, ladder/
  sample-bots/     what lies beside the file; protocol/
  sample-bots/strong/   besides, what thinkers need: referee/game.h, chance.h,
                   draws.h, follow.h, games/; and the C kit
  referee/games/   protocol/, referee/game.h, chance.h, draws.h, its own folder
  referee/ROOM/    protocol/, ladder/, what lies in referee/ itself, its own
                   folder, and the rooms below it: see BELOW
  the rest         anything

A header of ours is written from the top of the tree ("protocol/card.h"); a kit
in sample-bots/ is copied by strangers, so there it stands beside its user
("referee-bot.h").

A header that declares what an upper room defines goes around these rules: it
may declare functions of its own folder alone, and structs of what it may
include.  And no file includes what in the end includes it: NAME.c, NAME.h and
NAME-inside.h are one.  A heading within a file (`---- NAME.c ----`) is one line
and names a file beside it.  Speaks TAP."""

import os
import pathlib
import re
import sys

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
BELOW = {
    "table": "",
    "child": "table", "net": "table", "records": "table",
    "config": "table child",
    "runner": "table child records",
    "bench": "table child runner",
    "check": "table child net config runner",
    "away": "table child net",
    "match": "table child config records runner",
    "serve": "table child config records runner net match",
}
THINKERS = {f"referee/{name}.h" for name in ("game", "chance", "draws")}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]*)"', re.MULTILINE)
HEADING = re.compile(r"^/\* ---- (.*?) -+( \*/)?$", re.MULTILINE)
NO_CODE = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


def allowed(file, header):
    top, *rest = file.split("/")
    if top in ("protocol", "ladder"):
        return header.startswith(("protocol/", f"{top}/"))
    if top == "sample-bots":
        if "/" not in header:
            beside = (TREE / file).parent / header
            return beside.exists() or (rest[0] == "strong" and
                                       header == "referee-bot.h")
        return header.startswith("protocol/") or rest[0] == "strong" and (
            header in THINKERS | {"referee/follow.h"} or
            header.startswith("referee/games/"))
    if top != "referee" or len(rest) < 2:
        return True
    if rest[0] == "games":
        return header in THINKERS or header.startswith(("protocol/",
                                                        "referee/games/"))
    if header.startswith("referee/") and header.count("/") > 1:
        return header.split("/")[1] in {rest[0], *BELOW[rest[0]].split()}
    return header == "config.h" or header.startswith(("protocol/", "ladder/",
                                                      "referee/"))


def bare(text):
    """Without comments and strings; lines stay where they are."""
    return NO_CODE.sub(lambda found: "\n" * found[0].count("\n"), text)


files = {str(path.relative_to(TREE)): path.read_text()
         for top in ("protocol", "ladder", "sample-bots", "referee", "tests")
         for path in sorted((TREE / top).rglob("*.[ch]"))}
ours = {name: bare(text) for name, text in files.items()
        if name.startswith(("protocol/", "ladder/", "referee/"))}
functions, structs = {}, {}
for name, text in ours.items():
    if name.endswith(".c"):
        for function in re.findall(r"^(\w+)\(", text, re.MULTILINE):
            functions.setdefault(function, set()).add(name)
    for struct in re.findall(r"\bstruct (\w+) \{", text):
        structs.setdefault(struct, set()).add(name)


def line_of(text, at):
    return text[:at].count("\n") + 1


def reaches_up(name):
    """What a header declares though it may not know of it: (line, words)."""
    text = ours[name]
    folder = os.path.dirname(name)
    for found in re.finditer(r"^[a-z][^\n;{}=]*?\b(\w+)\([^{};]*\)[^{};()]*;",
                             text, re.MULTILINE):
        for other in functions.get(found[1], ()):
            if os.path.dirname(other) != folder:
                yield (line_of(text, found.start()),
                       f"declares {found[1]}() of {other}")
    for found in re.finditer(r"^struct (\w+);", text, re.MULTILINE):
        homes = structs.get(found[1], set())
        if homes and not any(allowed(name, home) for home in homes):
            yield (line_of(text, found.start()),
                   f"names struct {found[1]} of {min(homes)}")


def headings(name):
    """What is wrong with those of a file: (line, words)."""
    text = files[name]
    for found in HEADING.finditer(text):
        line = line_of(text, found.start())
        if found[2] is None:
            yield line, "the heading is longer than its line"
        if re.search(r"\.[ch]$", found[1]):
            for other in found[1].split(", "):
                if f"{os.path.dirname(name)}/{other}" not in files:
                    yield line, f"there is no {other}"


def module(name):
    return re.sub(r"(-inside)?\.[ch]$", "", name)


def cycles():
    """Modules that include each other, as lists: Tarjan's components."""
    edges = {}
    for name in ours:
        known = edges.setdefault(module(name), set())
        known.update(module(header) for header in INCLUDE.findall(files[name])
                     if header in ours and module(header) != module(name))
    low, stack = {}, []

    def visit(at):
        low[at] = mine = len(low)
        stack.append(at)
        for to in sorted(edges.get(at, ())):
            if to not in low:
                yield from visit(to)
            if to in stack:
                low[at] = min(low[at], low[to])
        if low[at] == mine:
            found = stack[stack.index(at):]
            del stack[stack.index(at):]
            if len(found) > 1:
                yield sorted(found)

    for start in sorted(edges):
        if start not in low:
            yield from visit(start)


count = failed = 0


def report(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


for name, text in files.items():
    wrong = [(line_of(text, found.start()), f"must not include {found[1]}")
             for found in INCLUDE.finditer(text)
             if not allowed(name, found[1])]
    wrong += headings(name)
    if name in ours and name.endswith(".h"):
        wrong += reaches_up(name)
    if name in ours and not re.match(rf"/\* {re.escape(name)} - ", text):
        wrong.append((1, "its first line does not begin with its name"))
    for line, words in wrong:
        print(f"# {name}:{line}: {words}")
    report(not wrong, name)
found = list(cycles())
for names in found:
    print("# include each other: " + ", ".join(names))
report(not found, "no cycles")
report(count > 100, "files were found")
print(f"1..{count}")
sys.exit(1 if failed else 0)
