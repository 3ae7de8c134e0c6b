#!/usr/bin/env python3
"""The sample bot of each kit plays every game with every number of seats, and
is charged with nothing.

The random bots promise the very same numbers in each language, so with one
seed a table full of one of them plays just what a table full of another does.
The bot in shell makes the first move, as `house` does."""

import os
import shlex
import shutil

import arena
import forms
import tap

NODE = os.environ.get("NODE") or shutil.which("node") or ""
RANDOM = {
    "C": arena.RANDOM_C,
    "Python": arena.python_bot("sample-bots/python/random_bot.py"),
}
if shutil.which(NODE):
    RANDOM["JavaScript"] = shlex.join([NODE, str(
        tap.SOURCE_DIR / "sample-bots/javascript/random-bot.js")])
else:
    tap.note("no node here: the bot in JavaScript is left out")
FIRST = {"shell": arena.FIRST, "house": "house"}

# Short, and with as many kinds of moves as there are.
OPTIONS = {
    "daumen-drauf": ["games=1"],
    "daupun": ["rounds=20"],
    "doubles-dread": ["rounds=1"],
    "durnius": ["decks=2", "passing=yes", "travel=yes"],
    "toepen": ["points=5"],
}


def play(game, seats, command):
    """(what was played, what went wrong)"""
    options = [argument for option in OPTIONS[game]
               for argument in ("-o", option)]
    with arena.Arena() as place:
        run = place.match(game, *arena.bots(*[command] * seats), *options,
                          "--games", 1, "--seed", f"{game} {seats}")
        records = place.records()
        if run.code != 0 or len(records) != 1:
            return None, run
        body = records[0].body
        return body, [line for line in body if line.startswith("fault ")]


def check(game, kits):
    wrong, count = [], 0
    least, most = forms.Game(game).seats
    for seats in range(least, most + 1):
        bodies = {}
        for language, command in kits.items():
            bodies[language], trouble = play(game, seats, command)
            count += 1
            if trouble:
                wrong.append((seats, language, trouble))
        first, *others = bodies.values()
        if any(body != first for body in others):
            wrong.append((seats, "they do not play alike"))
    tap.ok(not wrong, f"{game}: {', '.join(kits)}: {count} games, alike and "
           "without a fault", wrong[:3])


for name in forms.NAMES:
    check(name, RANDOM)
    check(name, FIRST)
tap.done()
