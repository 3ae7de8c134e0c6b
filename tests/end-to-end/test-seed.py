#!/usr/bin/env python3
"""End-to-end because it is about programs: all that one draws in a test comes from
CHECK_SEED: the same seed gives the same games, another seed or another process gives
others."""

import os
import tempfile

import arena
import tap

TWO = arena.bots("random", "random")


def lives(count, seed):
    """Returns the bodies of two games of each of `count` processes."""
    with arena.Arena() as place, tempfile.NamedTemporaryFile() as file:
        place.environ.update(CHECK_SEED=str(seed), CHECK_LIVES=file.name)
        for number in range(count):
            place.folder = place.root / str(number)
            run = place.match("toepen", *TWO, "--games", 2, "--exact")
            if run.code != 0:
                raise RuntimeError(run)
        return [[record.body for record in place.records(place.root / str(number))]
                for number in range(count)]


first = lives(2, tap.SEED)
tap.equal(lives(2, tap.SEED), first, "the same seed, the same games")
tap.ok(first[0] != first[1], "a second process draws others", first[0])
tap.ok(lives(1, tap.SEED + 1) != first[:1], "another seed, other games")
tap.ok(first[0][0] != first[0][1], "and so does a second game", first[0])
tap.equal([tap.dice(what).random() for what in "aab"],
          [tap.dice(what).random() for what in "aab"], "dice repeat")
tap.ok(tap.dice("a").random() != tap.dice("b").random(), "by their name")

bare = dict(os.environ)
del bare["CHECK_SEED"]
with arena.Arena() as place:
    place.environ = bare
    games = []
    for number in range(2):
        place.folder = place.root / str(number)
        place.match("toepen", *TWO, "--games", 1, "--exact")
        games.append([record.body for record in place.records(place.folder)])
tap.ok(games[0] != games[1], "without a seed the system's generator draws", games[0])

tap.done()
