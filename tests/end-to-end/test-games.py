#!/usr/bin/env python3
"""Tests `referee games`: the list, one game, JSON, and mistakes."""

import json

import tap

run = tap.referee("games")
names = [line.split()[0] for line in run.out.splitlines()]
tap.equal(run.code, 0, "games lists the games")
tap.equal(names, sorted(names), "they are in the order of their names")
tap.equal({"daumen-drauf", "daupun", "doubles-dread", "durnius", "toepen"}
          - set(names), set(), "all five are there")
tap.ok("daupun         2 seats       build" in run.out
       and "toepen         2 to 8 seats  bluff" in run.out,
       "with their seats", run)

run = tap.referee("games", "toepen")
tap.equal(run.code, 0, "games GAME tells about one")
for part in ("2 to 8", "points", "1 to 99", "default 15", "play:PIECE",
             "knock", "deal S {c c c c}S", "result S place points"):
    tap.ok(part in run.out, f"toepen: {part}", run)
run = tap.referee("games", "daumen-drauf")
for part in ("2 to 7", "games", "1 to 50", "default 3", "show:PIECE"):
    tap.ok(part in run.out, f"daumen-drauf: {part}", run)

run = tap.referee("games", "daupun")
tap.ok("\nSeats: 2\n" in run.out, "daupun: just 2 seats", run)
tap.ok("  pass " not in run.out, "a move that is never legal is not told", run)
for name in names:
    run = tap.referee("games", name)
    tap.ok(max(map(len, run.out.splitlines())) <= 80,
           f"{name}: it fits a terminal", run)

run = tap.referee("games", "--json")
objects = [json.loads(line) for line in run.out.splitlines()]
tap.equal([one["game"] for one in objects], names, "--json: an object a game")
run = tap.referee("games", "--json", "toepen")
toepen = json.loads(run.out)
tap.equal((toepen["min_seats"], toepen["max_seats"]), (2, 8), "JSON: seats")
tap.equal({key: toepen["options"][0][key]
           for key in ("name", "min", "max", "default")},
          {"name": "points", "min": 1, "max": 99, "default": 15},
          "JSON: options")
tap.equal({move["form"] for move in toepen["moves"]},
          {"pass", "knock", "mulligan", "play:PIECE", "stay", "fold",
           "challenge"}, "JSON: moves")

run = tap.referee("games", "--help")
tap.equal(run.code, 0, "--help is no fault")
for part in ("--json", "Exit codes", "Example"):
    tap.ok(part in run.out, f"--help tells: {part}", run)

tap.complains(tap.referee("games", "poker"), 2, "poker", "an unknown game")
tap.complains(tap.referee("games", "toep\x1b[2Jen"), 2, "\\x1b",
              "an unknown game with bytes that draw")
tap.complains(tap.referee("games", "toepen", "poker"), 2, "poker", "two games")
tap.complains(tap.referee("games", "--poker"), 2, "--poker",
              "an unknown option")
tap.complains(tap.referee("games", "--json=yes"), 2, "--json",
              "a value where none belongs")
with open("/dev/full", "wb") as full:
    tap.complains(tap.referee("games", stdout=full), 3, "cannot write",
                  "a full disk")
tap.done()
