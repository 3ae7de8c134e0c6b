#!/usr/bin/env python3
"""Checks who may include whom; CONTRIBUTING.md says why.

  protocol/        protocol/
  ladder/          protocol/, ladder/
  sample-bots/     what lies beside the file; protocol/
  sample-bots/strong/   besides, referee/games/ and the C kit
  referee/frames/  its own folder; of protocol/ what has no secrets: SEEN
  referee/FOLDER/  protocol/, its own folder, and those below it: see BELOW
  the rest         anything

referee/ itself has no source files.  Its folders stand on at most FLOORS floors,
and none has more than FOLDER_FILES files or FOLDER_LINES lines of code.

A header of ours is written from the top of the tree ("protocol/card.h"); a kit
in sample-bots/ is copied by strangers, so there it stands beside its user
("referee-bot.h").

A file must not circumvent these rules: it may declare only functions and
variables of its own folder, and structs of files that it may include, and its
headers must not include what it may not.  No file includes a file that includes
it, directly or not: NAME.c, NAME.h and NAME-inside.h count as one.  A heading
within a file (`---- NAME.c ----`) is one line and names a file beside it.
Speaks TAP."""

import os
import re
import sys

from c_text import TREE, bare, chunks, line_of, sources

BELOW = {
    "base": "",
    "games": "",
    "data": "base ladder",
    "http": "base",
    "table": "base games ladder",
    "records": "base frames games ladder table",
    "sandbox": "table",
    "spawner": "base games table sandbox",
    "config": "base games ladder table sandbox spawner",
    "runner": "base games ladder table records sandbox spawner",
    "bench": "base games ladder table records sandbox spawner runner",
    "import": "base games ladder data table sandbox spawner config",
    "match": "base games ladder table records sandbox spawner config runner",
    "remote": "base games table sandbox spawner runner",
    "check": "base games table sandbox spawner runner remote",
    "queue": "base games ladder data table records sandbox spawner config "
        "runner import",
    "pages": "base frames games ladder records queue",
    "scheduler": "base games ladder data table records sandbox spawner config "
        "runner queue",
    "web": "base frames games ladder data http table records sandbox "
        "spawner config runner import remote queue pages scheduler",
    "serve": "base games ladder data http table records sandbox spawner "
        "config runner import remote queue pages scheduler web",
    "cli": "base frames games ladder data http table records sandbox "
        "spawner config runner bench import match remote check queue "
        "pages web serve",
}
FLOORS = 12
FOLDER_FILES, FOLDER_LINES = 60, 12000
# A viewer gets only plain lines, so this code needs no records and no marks.
SEEN = {f"protocol/{name}.h" for name in (
    "ascii", "limits", "message", "text", "utf8", "util")}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]*)"|<([^>]*)>)',
                     re.MULTILINE)
HEADING = re.compile(r"^/\* ---- (.*?)( -+)?( \*/)?$", re.MULTILINE)


def allowed(file, header):
    top, *rest = file.split("/")
    if top in ("protocol", "ladder"):
        return header.startswith(("protocol/", f"{top}/"))
    if top == "sample-bots":
        if "/" not in header:
            beside = (TREE / file).parent / header
            return beside.exists() or (rest[0] == "strong" and
                                       header == "referee-bot.h")
        return header.startswith(
            ("protocol/", "referee/games/") if rest[0] == "strong" else
            "protocol/")
    if top != "referee":
        return True
    if len(rest) < 2:       # every file there must be in a folder
        return False
    if rest[0] == "frames":
        return header in SEEN or header.startswith("referee/frames/")
    if header == "config.h":
        return rest[0] != "games"
    room = header.removeprefix("referee/").split("/")[0]
    return room in {rest[0], "protocol", *BELOW[rest[0]].split()}


def included(text):
    """Yields our headers that are included: (offset, header). Both ways of writing it
    are one."""
    for found in INCLUDE.finditer(text):
        header = found[1] or found[2]
        if found[1] or header in files or header.startswith(
                ("protocol/", "ladder/", "referee/", "sample-bots/")):
            yield found.start(), header


def headers_of(name, seen):
    """Returns all headers that a header includes, directly or not."""
    for _, header in included(files.get(name, "")):
        if header in files and header not in seen:
            seen.add(header)
            headers_of(header, seen)
    return seen


def hidden_headers(name):
    """Returns what a file includes by way of another header, and must not: (line,
    words)."""
    for at, header in included(files[name]):
        if allowed(name, header):
            for other in sorted(headers_of(header, set())):
                if not allowed(name, other) and module(other) != module(name):
                    yield (line_of(files[name], at),
                           f"gets {other} through {header}")


def defined():
    """Returns what our files define: external functions and variables, and
    structs."""
    values, structs = {}, {}
    for name in ours:
        for _, kind, what, text in parts[name]:
            if kind in ("function", "data") and name.endswith(".c") and (
                    not re.match(r"\s*static\b", text)):
                values.setdefault(what, set()).add(name)
        for struct in re.findall(r"\bstruct (\w+) \{", ours[name]):
            structs.setdefault(struct, set()).add(name)
    return values, structs


def reaches_up(name):
    """Returns what a file declares though it may not know of it: (line, words)."""
    folder = os.path.dirname(name)
    for start, kind, what, text in parts[name]:
        line = line_of(ours[name], start + len(text) - len(text.lstrip()))
        variable = re.match(r"\s*extern\b[^;({=]*?\b(\w+)\s*(?:\[[^;]*)?;", text)
        struct = re.fullmatch(r"\s*struct (\w+);", text)
        if variable or kind == "prototype" and (
                name.endswith(".h") or "\tstatic" not in text and
                not re.match(r"\s*static\b", text)):
            what = variable[1] if variable else what
            for other in sorted(values.get(what, ())):
                if os.path.dirname(other) != folder and not (
                        variable and allowed(name, other)):
                    yield line, f"declares {what} of {other}"
        elif struct:
            homes = structs.get(struct[1], set())
            if homes and not any(allowed(name, home) for home in homes):
                yield line, f"names struct {struct[1]} of {min(homes)}"


def headings(name):
    """Returns what is wrong with the headings of a file: (line, words)."""
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
    """Returns lists of modules that include each other: Tarjan's components."""
    edges = {}
    for name in ours:
        known = edges.setdefault(module(name), set())
        known.update(module(header) for _, header in included(files[name])
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


def floor(folder, above=()):
    """Returns the floor on which a folder stands, from 0."""
    if folder in above:
        raise ValueError(f"{folder} stands on itself")
    if folder == "protocol":
        return 0
    if folder in ("ladder", "frames"):
        return 1
    return 1 + max((floor(other, (*above, folder))
                    for other in BELOW[folder].split()), default=0)


def crowded():
    """Returns sentences about folders that are too large."""
    inside = {}
    for name in ours:
        inside.setdefault(os.path.dirname(name), []).append(name)
    for folder, names in sorted(inside.items()):
        lines = sum(bool(line.strip()) for name in names
                    for line in ours[name].splitlines())
        if len(names) > FOLDER_FILES or lines > FOLDER_LINES:
            yield f"{folder} has {len(names)} files, {lines} lines"


def wrong_in(name):
    """Returns all that is wrong with a file: (line, words)."""
    text = files[name]
    found = [(line_of(text, at), f"must not include {header}")
             for at, header in included(text) if not allowed(name, header)]
    found += headings(name)
    if name in ours:
        found += [*hidden_headers(name), *reaches_up(name)]
        if not re.match(rf"/\* {re.escape(name)} - ", text):
            found.append((1, "its first line does not begin with its name"))
    return found


def take(given):
    """Makes the checks use these files: path to text."""
    global files, ours, parts, values, structs
    files = given
    ours = {name: bare(text) for name, text in files.items()
            if name.startswith(("protocol/", "ladder/", "referee/"))}
    parts = {name: list(chunks(text)) for name, text in ours.items()}
    values, structs = defined()


count = failed = 0


def report(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


# A file, its text below the first line, and the finding, or "".
SAMPLES = [
    ("ladder/elo.c", '#include "ladder/store.h"\n#include <math.h>', ""),
    ("ladder/elo.c", '#include "referee/serve/up.h"', "must not include"),
    ("ladder/elo.c", "#include <referee/serve/up.h>", "must not include"),
    ("ladder/elo.c", "void up(void);", "declares up of"),
    ("ladder/elo.c", "void\nelo(void)\n{\n\tup(1);\n}", ""),
    ("ladder/elo.c", "static void up(void);", ""),
    ("ladder/elo.h", "extern const char up_page[];", "declares up_page of"),
    ("ladder/elo.h", "extern const struct x up_list[3];", "declares up_list of"),
    ("ladder/elo.h", "struct up;", "names struct up of"),
    ("referee/table/seat.c", '#include "referee/base/top.h"',
     "gets referee/serve/up.h"),
    ("referee/serve/own.c", '#include "referee/base/top.h"', ""),
    ("referee/frames/x.c", '#include "protocol/text.h"', ""),
    ("referee/frames/x.c", '#include "referee/frames/y.h"', ""),
    ("referee/frames/x.c", '#include "referee/games/game.h"', "must not include"),
    ("referee/frames/x.c", '#include "sample-bots/strong/follow.h"',
     "must not include"),
    ("referee/loose.c", '#include "protocol/text.h"', "must not include"),
    ("referee/frames/x.c", '#include "protocol/record.h"', "must not include"),
    ("referee/frames/x.c", '#include "protocol/hidden.h"', "must not include"),
    ("ladder/elo.c", "/* ---- one ------ */", ""),
    ("ladder/elo.c", "/* ---- one ------\n *\n * It is. */", ""),
    ("ladder/elo.c", "/* ---- one\n * ------ */", "longer than its line"),
    ("ladder/elo.c", "/* ---- gone.c ------ */", "there is no gone.c"),
]
WORLD = {
    "referee/serve/up.h": "struct up {\n\tint x;\n};\n",
    "referee/serve/up.c": "void\nup(void)\n{\n}\nconst char up_page[] = { 1 };\n"
                          "const struct x up_list[3] = { { 1 } };\n",
    "referee/base/top.h": '#include "referee/serve/up.h"\n', "ladder/store.h": "",
}
for name, text, want in SAMPLES:
    take({**WORLD, name: f"/* {name} - a sample. */\n{text}\n"})
    found = [words for _, words in wrong_in(name)]
    report(any(want in words for words in found) if want else not found,
           f"sample: {text.splitlines()[0]}")

take(sources(("protocol", "ladder", "sample-bots", "referee", "tests")))
for name in files:
    wrong = wrong_in(name)
    for line, words in wrong:
        print(f"# {name}:{line}: {words}")
    report(not wrong, name)
found = list(cycles())
for names in found:
    print("# include each other: " + ", ".join(names))
report(not found, "no cycles")
found = list(crowded())
for words in found:
    print(f"# {words}")
report(not found, "no folder is crowded")
report(max(map(floor, BELOW)) < FLOORS, f"at most {FLOORS} floors")
report(count > 100, "files were found")
print(f"1..{count}")
sys.exit(1 if failed else 0)
