#!/usr/bin/env python3
"""End-to-end because the browser draws tables: those of all games fit a desktop and a
phone, and move.  PICTURES may name a folder for pictures."""

import functools
import json
import os

import tap
import web

VIEWS = {"all": -2, "1": 1}
# Every so many lines are drawn; it is a prime, so that all kinds of lines come
# up.
EVERY = 61 if os.environ.get("CHECK_ALL") else 397
# A moment of each game with much on the table, which is checked in detail.
SHOWN = {"toepen-sealed": 61, "durnius-pairs": 61, "daupun-sealed": 61,
         "doubles-dread-four": 61, "daumen-drauf-sealed": 61}
# For (record, view, line): the pieces that this line moves into another zone,
# each from above (-1) or from below (1), and the pieces that go where they are
# not drawn: a trick to its winner, or cards into a pile, of which only the top
# is drawn.
STEPS = [("toepen-source", "1", 18, [["8H", 1]], []),
         ("toepen-source", "1", 19, [["KH", -1]], []),
         ("toepen-source", "1", 21, [["9H", 1], ["8H", 1], ["KH", -1]], []),
         ("durnius-pairs", "1", 17, [["6S", -1], ["7D", -1], ["TC", -1]], []),
         ("durnius-pairs", "1", 30, [["?", 1]],
          [[code, 1] for code in "AC 7D 9D AD TS TH AH TC AS".split()]),
         ("doubles-dread-sealed", "all", 54, [], [["Y1", -1], ["Y6", -1]])]


def take_in(table, delta):
    """Returns the table after the changes of a line."""
    taken = {"pieces": delta["pieces"]}
    for key in ("seats", "gauges", "zones"):
        by_number = {one["number"]: one for one in [*table.get(key, ()), *delta[key]]}
        taken[key] = [by_number[number] for number in sorted(by_number)]
    return taken


@functools.cache
def lines_of(path, view):
    run = tap.referee("replay", "--view", view, "--json", "--tables", path)
    if run.code != 0:
        raise RuntimeError(f"replay: {run}")
    lines = [json.loads(line) for line in run.out.splitlines()]
    return [line for line in lines if "table" in line]


def tables(path, view, every):
    lines, table = lines_of(path, view), {}
    for number, line in enumerate(lines, 1):
        table = take_in(table, line["table"])
        if (number % every == 0 or number == len(lines)
                or number == SHOWN.get(path.stem)):
            yield {"viewer": VIEWS[view], "table": table, "line": number,
                   "name": f"{path.stem}-{view}-{number}"}


def moments():
    for turn, path in enumerate(sorted(tap.VECTORS.glob("*.rec"))):
        for view in VIEWS if path.stem in SHOWN else [[*VIEWS][turn % 2]]:
            yield from tables(path, view, EVERY)


def steps():
    for name, view, line, moving, leaving in STEPS:
        found = list(tables(tap.VECTORS / f"{name}.rec", view, 1))
        yield {"what": f"line {line} of {name} in view {view}",
               "moments": found[line - 2:line], "moving": moving,
               "leaving": leaving}


if not web.skip("tables in a browser"):
    given = list(moments())
    web.play("web-tables.mjs", {
        "moments": given, "pictures": os.environ.get("PICTURES"),
        "steps": list(steps()),
        "folder": str(tap.SOURCE_DIR / "referee" / "web" / "static"),
        "shown": {screen: [f"{name}-{view}-{line}"
                           for name, line in SHOWN.items()]
                  for screen, view in (("desktop", "1"), ("phone", "all"))}})
tap.done()
