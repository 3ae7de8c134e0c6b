#!/usr/bin/env python3
"""End-to-end because workers and bots share a match: one seed and the same bots play the
same games, at any --jobs.

Each line-up has a hash over the bodies of its records without comments, in the
order of their numbers, which must be that of tests/vectors/golden.txt.  A
change means that a seed now gives other games, which needs a new version of the
game or of the dealing, or that a sample bot plays differently.  After such a
change on purpose write the file again:

    BUILD_DIR=$PWD/build python3 tests/end-to-end/test-golden.py --renew
"""

import math
import os
import sys

import arena
import tap

ALL = bool(os.environ.get("CHECK_ALL"))
GOLDEN = tap.VECTORS / "golden.txt"
HEAD = """\
# What tests/end-to-end/test-golden.py must find: line-up, hash of its games.
# That file says what it is over, and how to write this one anew.
"""

def lineups():
    """Returns (name, game, arguments); each bot meets all others, in every
    seat."""
    for game in arena.GAMES:
        yield (game + " quick", game, arena.bots(
            "random", "house", arena.RANDOM_C, arena.FIRST)
            + ["--games", 12])
        seats = arena.seats(game, 3)
        yield (game + " round robin", game, arena.bots(
            "random", ("other", "random"), "house", arena.RANDOM_C,
            ("second", arena.RANDOM_C))
            + ["--seats", seats, "--games", math.comb(5, seats) * seats])
    yield ("durnius with everything", "durnius", arena.bots(
        *["random"] * 2, *["house"] * 2, *[arena.RANDOM_C] * 2)
        + ["--games", 6, "-o", "decks=2", "-o", "passing=yes", "-o",
           "travel=yes", "-o", "teams=pairs", "-o", "games=3"])


def play(game, arguments, jobs):
    with arena.Arena() as place:
        run = place.match(game, *arguments, "--seed", "golden", "--jobs", jobs,
                          "--move-time", 60000)
        records = place.records()
        faults = [one.faults() for one in records if any(one.faults())]
        return run, len(records), faults, arena.digest(records)


def stored():
    lines = GOLDEN.read_text("ascii").splitlines()
    return dict(line.rsplit(": ", 1) for line in lines
                if not line.startswith("#"))


def renew():
    lines = [f"{name}: {play(game, arguments, 1)[3]}\n"
             for name, game, arguments in lineups()]
    GOLDEN.write_text(HEAD + "".join(lines), "ascii")


if sys.argv[1:] == ["--renew"]:
    renew()
    sys.exit()
expected = stored()
found = {}
for name, game, arguments in lineups():
    count = arguments[arguments.index("--games") + 1]
    # The hashes were written with one game at a time; the short form does that
    # only for line-ups whose bots start quickly.
    for jobs in (1, 4) if ALL or "round robin" in name else (4,):
        run, games, faults, found[name] = play(game, arguments, jobs)
        tap.ok(run.code == 0 and games == count and not faults,
               f"{name}: {count} games without a fault, {jobs} at a time",
               f"{run}\n{games} records, faults {faults}")
        tap.equal(found[name], expected.get(name),
                  f"{name}: the games of old, {jobs} at a time")
tap.equal(set(expected), set(found), "every stored hash was looked at")
tap.done()
