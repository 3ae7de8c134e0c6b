#!/usr/bin/env python3
"""Counts what can happen from fixed deals, without any code of the referee.

Reads tests/vectors/counts.txt, whose lines are explained in README.md beside
it, works the numbers out from the rules (rules_*.py) and compares.  Rows with
more than LIMIT positions, 300 unless told otherwise, are left out.

usage: count.py FILE [LIMIT]
Prints what differs and how much was compared; the exit code is 0, 1 if
anything differs, 2 for wrong usage.
"""

import itertools
import pickle
import sys

from rules import Fixed, singly
from rules_list import GAMES


def begin(name, seats, options, base):
    """Returns a game with the fixed deal at its first decision."""
    options = {} if options == "-" else dict(
        option.split("=") for option in options.split(","))
    rules = GAMES[name]
    pieces = rules.pieces(seats, options)
    order = sorted(range(len(pieces)), key=lambda i: pow(base, i + 1, 257))
    game = rules(seats, options, Fixed([pieces[i] for i in order]))
    game.begin()
    return game


def kind(game):
    if game.over:
        return "over"
    lists, holder = game.ask()
    return "single" if list(lists) == [holder] else "open"


def plies(game):
    """Returns all plies in order; None: no seat moves."""
    lists, holder = game.ask()
    is_open = kind(game) == "open"
    found = sorted((seat, token) for seat, tokens in lists.items()
                   for token in singly(tokens)
                   if not (is_open and token == "pass"))
    return found + [None] if holder is None else found


def make(game, ply):
    if ply is None:
        game.quiet()
    else:
        game.play(*ply)
    game.told.clear()


def layers(name, seats, options, base, after):
    """Returns the numbers of single, open and finished positions for each
    depth."""
    game = begin(name, seats, options, base)
    for i in range(1, after + 1):
        found = plies(game)
        make(game, found[7 * i % len(found)])
    layer = [game]
    while True:
        kinds = [kind(game) for game in layer]
        yield [kinds.count(name) for name in ("single", "open", "over")]
        layer = [below for game in layer for below in children(game)]


def children(game):
    if game.over:
        return
    saved = pickle.dumps(game, pickle.HIGHEST_PROTOCOL)
    for ply in plies(game):
        below = pickle.loads(saved)
        make(below, ply)
        yield below


def read(path):
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file if line[0] != "#"]
    for setting, group in itertools.groupby(rows, key=lambda row: row[:5]):
        yield setting, [[int(word) for word in row[6:]] for row in group]


def compare(path, limit):
    """Returns the settings that differ, and the number of compared rows."""
    wrong, compared = [], 0
    for setting, rows in read(path):
        name, seats, options, base, after = setting
        counted = layers(name, int(seats), options, int(base), int(after))
        for depth, row in enumerate(rows):
            if sum(row) > limit:
                break
            compared += 1
            found = next(counted)
            if found != row:
                wrong.append(f"{' '.join(setting)} depth {depth}: "
                             f"{found}, not {row}")
                break
    return wrong, compared


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 2
    limit = int(arguments[1]) if len(arguments) == 2 else 300
    wrong, compared = compare(arguments[0], limit)
    for line in wrong:
        print(line)
    print(f"{compared} rows compared, {len(wrong)} settings differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
