#!/usr/bin/env python3
"""Tests that with --reuse the process of a bot plays game after game, one at a
time, until it makes a fault, and that nothing else changes.  End-to-end for the
lives of real programs."""

import os
import shlex

import arena
import daemon
import tap

PYTHON = arena.python_bot("sample-bots/python/random_bot.py")

# Writes down what happens in each of its processes; the arguments are LOG
# WHAT-IT-DOES.
BOT = """\
import os, sys, time

log, does = sys.argv[1:3]
games = 0
for line in sys.stdin:
    verb, *words = line.split()
    if verb in ("referee", "game", "over", "bye"):
        with open(log, "a") as file:
            print(os.getpid(), verb, file=file)
    if verb == "game":
        games += 1
        first = True
    elif verb == "entropy?":
        print("entropy 00ff", flush=True)
    elif verb == "ask":
        if first and does == "works" and games == 1:
            # luck: it works for so long, however long that takes
            while time.process_time() < 0.5:
                pass
        wrong = first and does == "errs" and games == 3
        print("do", words[0], "x" if wrong else words[2], flush=True)
        first = False
"""


def bot(place, text, *arguments):
    daemon.slow_clock(place)  # there is a second to give entropy, and half to leave
    path = place.root / "bot.py"
    path.write_text(text)
    return shlex.join([*tap.PYTHON, str(path), str(place.root / "log"),
                       *arguments])


def lives(place):
    """Returns what each process has written, in the order of their starts."""
    told = {}
    for line in (place.root / "log").read_text().splitlines():
        pid, verb = line.split()
        told.setdefault(pid, []).append(verb)
    return list(told.values())


def life(games):
    return ["referee"] + ["game", "over"] * games + ["bye"]


def play(place, does, *arguments):
    return place.match("toepen", "--bot", bot(place, BOT, does), "--bot",
                       "house", "-o", "points=2", "--seed", "reuse",
                       *arena.PATIENT, *arguments)


with arena.Arena() as place:
    run = play(place, "nothing", "--games", 12, "--jobs", 1, "--reuse")
    tap.equal(run.code, 0, "a match")
    tap.equal(lives(place), [life(12)], "has one process for all its games")
    tap.equal(place.left_behind(arena.GONE_S), {}, "which leaves")

with arena.Arena() as place:
    play(place, "errs", "--games", 7, "--exact", "--jobs", 1, "--reuse")
    tap.equal(lives(place), [life(3), life(3), life(1)],
              "a fault ends its process")

with arena.Arena() as place:
    play(place, "works", "--games", 2, "--jobs", 1, "--reuse")
    cpu = [float(words[2]) for one in place.records() for words in one.head
           if words[0] == "cpu"]
    tap.ok(len(cpu) == 2 and cpu[0] >= 500 and cpu[1] < cpu[0],
           "a record tells the processor time of its game", cpu)

with arena.Arena() as place:
    run = place.match("toepen", "--bot", bot(place, BOT, "nothing"),
                      "--entropy", "--bot", "house", "-o", "points=2",
                      "--games", 12, "--exact", "--jobs", 1,
                      "--ponder", "off", "--reuse", *arena.PATIENT)
    given = [one for one in place.records()[1:] if one.header("entropy")]
    tap.ok(run.code == 0 and len(given) == 11,
           "a process that rests is woken for `entropy?`", (run, len(given)))

with arena.Arena() as place:
    folder = place.root / "bot"
    folder.mkdir()
    (folder / "bot.conf").write_text('name = "bot"\nrun = { "./run" }\n'
                                     "reuse = yes\n")
    (folder / "run").write_text(
        "#!/bin/sh\nexec " + bot(place, BOT, "nothing") + "\n")
    (folder / "run").chmod(0o755)
    run = place.match("toepen", "--bot", folder, "--bot", PYTHON, "--games", 5,
                      "--exact", "--jobs", 1, *arena.PATIENT)
    tap.equal(lives(place), [life(5)], "a manifest may say it for its bot")

# --reuse does not change the games.
for game in arena.GAMES if os.environ.get("CHECK_ALL") == "1" else arena.TWO:
    digests = []
    for arguments in ([], ["--reuse", "--jobs", 2]):
        with arena.Arena() as place:
            run = place.match(
                game, "--bot", PYTHON, "--bot", arena.RANDOM_C, "--bot",
                "random", "--games", 6, "--seats", arena.seats(game, 3),
                "--seed", "golden", *arena.PATIENT, *arguments)
            digests.append(arena.digest(place.records()))
            tap.ok(run.code == 0 and len(place.records()) == 6
                   and not any(any(one.faults()) for one in place.records()),
                   f"{game} {arguments}", run)
    tap.ok(len(set(digests)) == 1, f"{game}: the same games", digests)

tap.done()
