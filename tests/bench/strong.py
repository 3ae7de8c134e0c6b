#!/usr/bin/env python3
"""Measures how strong sample-bots/strong is: matches against other bots.

    BUILD_DIR=build python3 tests/bench/strong.py --rows strong.rows
    BUILD_DIR=build python3 tests/bench/strong.py --rows strong.rows --table
    ... --games 192 --seconds 3600           # more of it, an hour at most

A row is a game, a number of seats and an opponent that takes all other seats.
It is played 24 games at a time (8 with 8 seats, and never more than --games),
all rows by turns, until each has --games, or --seconds are over.  The file of
--rows keeps what was played, a line each time: the same command goes on from
there, and --table prints the table of sample-bots/README.md from it, without
playing.

The score is the share of the other seats that the strong bot beat; a tie counts
half.  Seats are taken in turns, and the games of a row always have the same
cards. --think is processor time, so a busy machine changes little, but a faster
one thinks more in that time: name the machine with the figures."""

import argparse
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", os.getcwd())).resolve()
REFEREE = os.environ.get("REFEREE", str(BUILD / "referee" / "referee"))
STRONG = str(BUILD / "sample-bots" / "strong" / "strong-bot")
CHUNK = 24  # games at a time: each bot sits in every seat equally often
CHUNK_OF_8 = 8  # the same with eight seats, where games are long
MOVE_MS = 10000  # long, so that a busy machine costs us no game

SEATS = {"daumen-drauf": (2, 4), "daupun": (2,), "doubles-dread": (2, 3, 4),
         "durnius": (2, 4), "toepen": (2, 4, 8)}


def python_bot(name):
    path = SOURCE / "sample-bots" / "python" / (name + "_bot.py")
    return shlex.join([sys.executable, "-B", str(path)]) \
        if path.exists() else None


def opponents(game):
    """Returns (name, command line), the weakest one first."""
    found = [("random", "random"),
             ("house", "house"),
             ("plan-bot", python_bot(game.replace("-", "_")))]
    return [bot for bot in found if bot[1]]


def share(record):
    """Returns the score of the strong bot in a record, and its faults."""
    seat, places, faults = None, {}, 0
    for line in record.read_text("ascii").splitlines():
        words = line.split(" ")
        if words[0] == "bot" and words[2] == "strong":
            seat = int(words[1])
        elif words[0] == "result":
            places[int(words[1])] = int(words[2])
        elif words[0] == "fault" and int(words[1]) == seat:
            faults += 1
    mine = places.pop(seat)
    won = sum(1.0 if mine < other else 0.5 if mine == other else 0.0
              for other in places.values())
    return won / len(places), faults


def chunk(row):
    return CHUNK_OF_8 if row["seats"] == 8 else CHUNK


def play(row, command, args, first):
    """Plays the next games of a row, of which `first` are done; returns all
    their scores and the number of faults."""
    line = [REFEREE, "match", row["game"], "--games", min(chunk(row), args.games),
            "--jobs", args.jobs,
            "--seed", f"strong {row['game']} {row['seats']} {first}",
            "--move-time", MOVE_MS, "--sandbox=off",
            "--bot", f"{shlex.quote(STRONG)} --think {args.think}",
            "--name", "strong"]
    for i in range(row["seats"] - 1):
        line += ["--bot", command, "--name", f"{row['against']}.{i + 1}"]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [str(a) for a in line + ["--records", folder]],
            check=False, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"strong.py: a match failed: {done.stderr}")
        done = [share(path) for path in sorted(pathlib.Path(folder).rglob(
            "*.rec"))]
    return [score for score, _ in done], sum(faults for _, faults in done)


def interval(shares):
    """Returns the mean and half of its 95 % interval.  Two lost and two won
    games are added, so that a bot that has won all of a few games does not look
    certain (Agresti and Coull, 1998)."""
    n = len(shares)
    padded = shares + [0.0, 0.0, 1.0, 1.0]
    mean = sum(padded) / len(padded)
    variance = sum((s - mean) ** 2 for s in padded) / len(padded)
    return sum(shares) / n, mean, 1.96 * math.sqrt(variance / len(padded))


def rows(args):
    """Returns every row with the command of its opponent."""
    for game in args.game or sorted(SEATS):
        for seats in SEATS[game]:
            for name, command in opponents(game):
                if args.against and name not in args.against or \
                        args.seats and seats != args.seats:
                    continue
                yield {"game": game, "seats": seats, "against": name,
                       "think": args.think}, command


def load(path):
    """Returns the scores and faults of each row in the file."""
    done = {}
    if path.exists():
        for line in path.read_text("ascii").splitlines():
            part = json.loads(line)
            scores, faults = done.setdefault(key(part), ([], [0]))
            scores += part["scores"]
            faults[0] += part["faults"]
    return done


def key(row):
    return row["game"], row["seats"], row["against"], row["think"]


def games_done(args, row):
    return len(load(args.rows).get(key(row), ((), 0))[0])


def measure(args):
    end = time.monotonic() + args.seconds if args.seconds else math.inf
    for least in range(CHUNK, args.games + CHUNK, CHUNK):
        for row, command in rows(args):
            while games_done(args, row) < min(least, args.games):
                if time.monotonic() > end:
                    return
                scores, faults = play(row, command, args,
                                      games_done(args, row))
                with args.rows.open("a", encoding="ascii") as out:
                    out.write(json.dumps({**row, "scores": scores,
                                          "faults": faults}) + "\n")


def table(args):
    print("| game | seats | against | games | score | 95 % interval |\n"
          "| --- | --- | --- | --- | --- | --- |")
    done = load(args.rows)
    for row, _ in rows(args):
        scores, faults = done.get(key(row), ([], [0]))
        if not scores:
            continue
        score, centre, half = interval(scores)
        low, high = max(0, centre - half), min(1, centre + half)
        print(f"| {row['game']} | {row['seats']} | {row['against']} | "
              f"{len(scores)} | {score:.3f} | {low:.3f} to {high:.3f} |" +
              (f" {faults[0]} faults |" if faults[0] else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=pathlib.Path, required=True,
                        metavar="FILE", help="what is done")
    parser.add_argument("--think", type=int, default=10, metavar="MS",
                        help="of processor time for an answer (10)")
    parser.add_argument("--games", type=int, default=96, metavar="N",
                        help="so many a row (96), or a few more")
    parser.add_argument("--seconds", type=int, metavar="S",
                        help="begin nothing more after so many")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="games at a time (1)")
    parser.add_argument("--game", action="append", choices=sorted(SEATS),
                        help="only this one; may be repeated")
    parser.add_argument("--against", action="append", metavar="BOT",
                        help="only this opponent; may be repeated")
    parser.add_argument("--seats", type=int, help="only so many")
    parser.add_argument("--table", action="store_true",
                        help="play nothing, print what is done")
    args = parser.parse_args()
    if not args.table:
        measure(args)
    table(args)


main()
