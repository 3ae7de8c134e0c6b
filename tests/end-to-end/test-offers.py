#!/usr/bin/env python3
"""Tests that the daemon's cost of a game of local bots grows with the ladders
of the bots that play, and not with the number of other bots.  End-to-end because
the world's bots sit on one ladder each."""

import re

import arena
import daemon
import local_bots
import tap

LADDERS = 16
FEW, MANY = 2, 8
GAMES = 6
SEATS = 2


NAMES = ("games_begun", "offers", "table_searches")


def totals(serve):
    """Returns the present totals of all ladders."""
    text = serve.get("/metrics").text
    return [sum(map(int, re.findall(
        rf'^referee_{name}_total{{ladder="l\d+"}} (\d+)$', text, re.M)))
        for name in NAMES]


def each_game(serve):
    """Returns the offers and searches for each game."""
    serve.start()
    arena.wait_for(lambda: totals(serve)[0] >= 4)
    before = totals(serve)
    arena.wait_for(lambda: totals(serve)[0] >= before[0] + GAMES)
    after = totals(serve)
    serve.stop()
    games, offers, searches = (b - a for a, b in zip(before, after))
    tap.ok(games >= GAMES, f"{games:.0f} games are played")
    return offers / max(games, 1), searches / max(games, 1)


def setup():
    return daemon.Daemon(
        "local-bots { games = 2 at-once = 1 }\n"
        "limits { stop-time = 0 }\n" + daemon.BOTS + daemon.PAGES + "".join(
            f'ladder "l{i}" {{ game = daumen-drauf seats = 2 '
            'options = { "games=1" } }\n' for i in range(LADDERS)))


def add(serve, first, last):
    serve.start()
    for i in range(first, last):
        done = local_bots.add(serve, local_bots.folder(serve.root, f"b{i}"))
        if done.code != 0:
            raise RuntimeError(str(done))
    serve.stop()


with setup() as home:
    add(home, 0, FEW)
    few = each_game(home)
    add(home, FEW, MANY)
    many = each_game(home)
    tap.note(f"offers and searches for each game: {few} of {FEW} bots, "
             f"{many} of {MANY}")
    # A bot that has room again is offered to one ladder after the other; the
    # measurement cuts some games.
    bound = SEATS * LADDERS * 1.5
    tap.ok(few[0] <= bound, f"at most {bound:.0f} offers for each game", few)
    tap.ok(many[0] <= bound, "no more with more bots", many)
    tap.ok(many[1] <= 3 * LADDERS, "a look or two at each ladder", many)
tap.done()
