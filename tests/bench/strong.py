#!/usr/bin/env python3
"""How strong sample-bots/strong is: matches against all other sample bots.

    BUILD_DIR=build python3 tests/bench/strong.py            # 10 ms an answer
    BUILD_DIR=build python3 tests/bench/strong.py --think 100 --games 200

Each line is a game, a number of seats and an opponent that takes all other
seats.  Without --games a match goes on, 20 games at a time, until the 95 %
interval of the score leaves out what an equal would get, a half; then it says
so, or after --most games that it does not.  The score is the share of the
other seats that the strong bot beat, a tie counting half.  Seats are taken in
turns, and the games of a line always have the same cards.

The answers depend on how fast this machine is: say which one it was."""

import argparse
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", os.getcwd())).resolve()
REFEREE = os.environ.get("REFEREE", str(BUILD / "referee" / "referee"))
STRONG = str(BUILD / "sample-bots" / "strong" / "strong-bot")
CHUNK = 20
MOVE_MS = 10000  # so that a busy machine is no loss of ours

# Seats beside two.
SEATS = {"daumen-drauf": (4,), "daupun": (), "doubles-dread": (3, 4),
         "durnius": (4,), "toepen": (4, 8)}


def python_bot(name):
    path = SOURCE / "sample-bots" / "python" / (name + "_bot.py")
    return shlex.join([sys.executable, "-B", str(path)]) \
        if path.exists() else None


def opponents(game):
    """(name, command line), the weakest one first."""
    found = [("random", "random"),
             ("house", "house"),
             ("random-bot", str(BUILD / "sample-bots" / "c" / "random-bot")),
             ("plan-bot", python_bot(game.replace("-", "_")))]
    return [bot for bot in found if bot[1]]


def share(record):
    """Of a record the score of the strong bot, and its faults."""
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


def play(game, seats, opponent, think, games, seed, jobs):
    name, command = opponent
    args = [REFEREE, "match", game, "--games", games, "--jobs", jobs,
            "--seed", seed, "--move-time", MOVE_MS,
            "--bot", f"{shlex.quote(STRONG)} --think {think}",
            "--name", "strong"]
    for i in range(seats - 1):
        args += ["--bot", command, "--name", f"{name}.{i + 1}"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(a) for a in args + ["--records", folder]],
                       check=True, stdout=subprocess.DEVNULL)
        return [share(path) for path in sorted(pathlib.Path(folder).rglob(
            "*.rec"))]


def interval(shares):
    """Mean and half of its 95 % interval.  Two lost and two won games are
    added, so that a bot that has won all of a few is not taken for certain
    (Agresti and Coull, 1998)."""
    n = len(shares)
    padded = shares + [0.0, 0.0, 1.0, 1.0]
    mean = sum(padded) / len(padded)
    variance = sum((s - mean) ** 2 for s in padded) / len(padded)
    return sum(shares) / n, mean, 1.96 * math.sqrt(variance / len(padded))


def line(game, seats, opponent, args):
    shares, faults = [], 0
    while True:
        done = play(game, seats, opponent, args.think,
                    min(CHUNK, args.games or CHUNK),
                    f"strong {game} {seats} {len(shares)}", args.jobs)
        shares += [s for s, _ in done]
        faults += sum(f for _, f in done)
        score, centre, half = interval(shares)
        clear = abs(centre - 0.5) > half
        if args.games and len(shares) >= args.games or not args.games and (
                clear or len(shares) >= args.most):
            break
    row = {"game": game, "seats": seats, "against": opponent[0],
           "games": len(shares), "score": round(score, 3),
           "half": round(half, 3), "low": round(centre - half, 3),
           "high": round(centre + half, 3), "faults": faults,
           "clear": clear and score > 0.5}
    print(json.dumps(row) if args.json else
          f"| {game} | {seats} | {opponent[0]} | {row['games']} | "
          f"{row['score']:.3f} | {row['low']:.3f} to {row['high']:.3f} | "
          f"{faults} |" + ("" if row["clear"] else " not clear |"),
          flush=True)
    return row["clear"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--think", type=int, default=10, metavar="MS",
                        help="for an answer (10)")
    parser.add_argument("--games", type=int, metavar="N",
                        help="so many a line (default: until it is clear)")
    parser.add_argument("--most", type=int, default=400, metavar="N",
                        help="games after which it is not clear (400)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="games at a time (1)")
    parser.add_argument("--game", action="append", choices=sorted(SEATS),
                        help="only this one; may be repeated")
    parser.add_argument("--against", action="append", metavar="BOT",
                        help="only this opponent; may be repeated")
    parser.add_argument("--seats", type=int, help="only so many")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not args.json:
        print("| game | seats | against | games | score | 95 % interval | "
              "faults |\n| --- | --- | --- | --- | --- | --- | --- |")
    all_clear = True
    for game in args.game or sorted(SEATS):
        for seats in (2,) + SEATS[game]:
            for opponent in opponents(game):
                if args.against and opponent[0] not in args.against or \
                        args.seats and seats != args.seats:
                    continue
                all_clear &= line(game, seats, opponent, args)
    sys.exit(0 if all_clear else 1)


main()
