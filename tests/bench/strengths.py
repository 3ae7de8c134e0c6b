#!/usr/bin/env python3
"""Measures how strong the sample bots are by the fit, and how many games that
takes.

    BUILD_DIR=build python3 tests/bench/strengths.py
    BUILD_DIR=build python3 tests/bench/strengths.py --game toepen --games 500

For each game there is a round robin of two seats between `random`, `house`, the
Python bot that has a plan for it and the strong bot with --playouts: all of
them repeat themselves, so a seed gives the same games every time.  Then
`referee ladder fit --results` takes a set of two games (both bots have sat in
both seats) as a block.  The script prints the table and how many games it took
to tell the second bot from the third: from that number on, at each later look
(each after 10 % more games), the bar of their difference excludes 0.  Use a
build without sanitizers."""

import argparse
import csv
import json
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
STRONG = BUILD / "sample-bots" / "strong" / "strong-bot"
GAMES = ("daumen-drauf", "daupun", "doubles-dread", "durnius", "toepen")
LOOKS = 1.1


def bots(game, playouts):
    """Returns (name, command) with the names of sample-bots/README.md."""
    plan = SOURCE / "sample-bots" / "python" / (game.replace("-", "_") +
                                                "_bot.py")
    return [("random", "random"), ("house", "house"),
            ("plan-bot", shlex.join([sys.executable, "-B", str(plan)])),
            ("strong", f"{shlex.quote(str(STRONG))} --playouts {playouts}")]


def run(*args):
    done = subprocess.run([str(a) for a in (REFEREE, *args)], check=False,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"strengths.py: {done.stderr}")
    return done.stdout


def result(record):
    """Returns names by seat and places by seat."""
    names, places = {}, {}
    for line in record.read_text("ascii").splitlines():
        words = line.split(" ")
        if words[0] == "bot":
            names[words[1]] = words[2]
        elif words[0] == "result":
            places[words[1]] = words[2]
    return [(names[seat], places[seat]) for seat in sorted(names)]


def play(game, args, folder):
    """Plays; returns the results of all games in their order."""
    command = ["match", game, "--seats", 2, "--games", args.games, "--reuse",
               "--jobs", args.jobs, "--seed", f"{args.seed} {game}",
               "--sandbox=off", "--records", folder, "--move-time", 60000]
    for name, line in bots(game, args.playouts):
        command += ["--bot", line, "--name", name]
    run(*command)
    return [result(path) for path in sorted(folder.rglob("*.rec"))]


def write_results(results, path):
    with path.open("w", newline="", encoding="ascii") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["game", "block", "bot", "place"])
        for number, seats in enumerate(results):
            for name, place in seats:
                rows.writerow([number + 1, number // 2 + 1, name, place])


def fit(results, folder, *more):
    path = folder / "results.csv"
    write_results(results, path)
    return run("ladder", "fit", "--results", path, *more)


def difference(results, folder, pair):
    """Returns true if the difference is significant, and a line about it."""
    row = json.loads(fit(results, folder, "--versus", *pair, "--json"))
    return (row["from"] is not None and row["from"] > 0 or
            row["to"] is not None and row["to"] < 0)


def games_until_sure(results, folder, pair):
    looks, at = [], 20
    while at < len(results):
        looks.append(at)
        at = max(at + 2, int(at * LOOKS) // 2 * 2)
    sure = None
    for at in [*looks, len(results)]:
        if not difference(results[:at], folder, pair):
            sure = None
        elif sure is None:
            sure = at
    return sure


def measure(game, args):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "records").mkdir()
        results = play(game, args, folder / "records")
        table = fit(results, folder)
        order = [line.split()[1] for line in table.splitlines()[1:]]
        sure = games_until_sure(results, folder, order[1:3])
    after = f"after {sure}" if sure else f"not within {len(results)}"
    print(f"{game}: {len(results)} games, seed '{args.seed} {game}', strong "
          f"--playouts {args.playouts}\n{table}"
          f"{order[1]} and {order[2]} are told apart {after} games\n",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", action="append", choices=GAMES,
                        help="only this one; may be repeated")
    parser.add_argument("--games", type=int, default=5000, metavar="N")
    parser.add_argument("--playouts", type=int, default=8, metavar="N",
                        help="of the strong bot, for an answer (8)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--seed", default="strengths", metavar="TEXT")
    args = parser.parse_args()
    for game in args.game or GAMES:
        measure(game, args)


main()
