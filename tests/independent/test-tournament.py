#!/usr/bin/env python3
"""Tests that tournament.py, which knows only the words of the rules, agrees
with the program on tournaments with random results."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))
sys.path.insert(0, str(HERE))

import tap  # noqa: E402
import tournament  # noqa: E402

PLAY = tap.BUILD_DIR / "tests" / "unit" / "play-tournament"
TIMES = 1000 if os.environ.get("CHECK_ALL") else 12
if TIMES == 1000:
    tap.TIMEOUT_S = 1200
KEYS = ("format", "bots", "seats", "sets", "rounds", "hero", "best", "seed")


def draw_setup(form, dice):
    seats = dice.choice((2, 2, 3, 4, 5, 6, 7, 8))
    bots = seats + dice.randrange(4 * seats)
    return {"format": form, "seats": seats, "bots": bots,
            "sets": dice.randrange(1, 4), "rounds": dice.randrange(1, 5),
            "hero": dice.randrange(bots), "best": dice.randrange(1, seats),
            "seed": f"{dice.random()}"}


def play(setups):
    """Returns the program's output for each setup, if it has one for all."""
    run = tap.run([PLAY, *(str(setup[key]) for setup in setups
                           for key in KEYS)])
    parts = run.out.split("tournament\n")[1:]
    if run.code != 0 or len(parts) != len(setups):
        raise RuntimeError(f"{run}")
    return [read(part) for part in parts]


def read(text):
    games, rows, other = [], [], []
    for line in text.splitlines():
        words = line.split()
        if words[0] == "game":
            parts = [part.split() for part in line.split(":")]
            games.append(([int(word) for word in parts[1]],
                          [int(word) for word in parts[2]]))
        elif words[0] == "row":
            rows.append(words[1:])
        else:
            other.append(line)
    return games, rows, other


def compare(setup, games, rows, other):
    """Returns what is wrong, or None."""
    if other:
        return other
    draw = [int(row[0]) for row in sorted(rows, key=lambda row: int(row[1]))]
    mine = tournament.Tournament(setup, draw, games)
    try:
        order = mine.check()
    except tournament.Wrong as wrong:
        return f"{wrong}"
    for bot, row in zip(order, rows):
        expected = [f"{bot}", f"{draw.index(bot) + 1}", f"{mine.byes[bot]}",
                    f"{mine.phase[bot]}", f"{float(mine.points(bot)):.9f}",
                    f"{float(mine.buchholz(bot)):.9f}"]
        if row != expected:
            return f"expected {expected}, found {row}"
    return None


for form_ in ("roundrobin", "gauntlet", "swiss", "knockout"):
    wrong_ = []
    dice_ = tap.dice(form_)
    setups_ = [draw_setup(form_, dice_) for _ in range(TIMES)]
    for setup_, played_ in zip(setups_, play(setups_)):
        found = compare(setup_, *played_)
        if found:
            wrong_.append((setup_, found))
    tap.equal(wrong_[:1], [], f"{form_}: tables and ranks follow from the "
              f"rules in {TIMES} tournaments")
tap.done()
