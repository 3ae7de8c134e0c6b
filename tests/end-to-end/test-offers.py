#!/usr/bin/env python3
"""What a game of bots of this machine costs the daemon: it grows with the
ladders of those that play, and not with how many others there are."""

import arena
import daemon
import residents
import tap

LADDERS = 64
FEW, MANY = 4, 16
GAMES = 12
SEATS = 2


def total(house, name):
    return sum(house.metric(f'{name}{{ladder="l{i}"}}') or 0
               for i in range(LADDERS))


def each_game(house):
    """Offers and searches for each game."""
    house.start()
    names = ("referee_games_begun_total", "referee_offers_total",
             "referee_table_searches_total")
    arena.wait_for(lambda: total(house, names[0]) >= 4)
    before = [total(house, name) for name in names]
    arena.wait_for(lambda: total(house, names[0]) >= before[0] + GAMES)
    after = [total(house, name) for name in names]
    house.stop()
    games, offers, searches = (b - a for a, b in zip(before, after))
    tap.ok(games >= GAMES, f"{games:.0f} games are played")
    return offers / max(games, 1), searches / max(games, 1)


def setup():
    return daemon.House(
        "residents { games = 2 at-once = 1 }\n"
        "limits { stop-time = 0 }\n" + daemon.BOTS + daemon.PAGES + "".join(
            f'ladder "l{i}" {{ game = daumen-drauf seats = 2 '
            'options = { "games=1" } }\n' for i in range(LADDERS)))


def add(house, first, last):
    house.start()
    for i in range(first, last):
        done = residents.add(house, residents.folder(house.root, f"b{i}"))
        if done.code != 0:
            raise RuntimeError(str(done))
    house.stop()


with setup() as home:
    add(home, 0, FEW)
    few = each_game(home)
    add(home, FEW, MANY)
    many = each_game(home)
    tap.note(f"offers and searches for each game: {few} of {FEW} bots, "
             f"{many} of {MANY}")
    # A bot's room shrinks when its game begins and grows when its process has
    # ended; some games are cut by when we look.
    bound = SEATS * 2 * LADDERS * 1.5
    tap.ok(many[0] <= bound, f"at most {bound:.0f} offers for each game",
           many)
    tap.ok(many[0] <= 1.3 * few[0], "no more with more bots", (few, many))
    tap.ok(many[1] <= 3 * LADDERS, "a look or two at each ladder", many)
tap.done()
