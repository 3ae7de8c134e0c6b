#!/usr/bin/env python3
"""Measures what a turn of a match costs, compared with a move of XBoard.

    apt-get install xboard xvfb
    make -C build tests/bench/instant-engine
    BUILD_DIR=build tests/bench/beside-xboard.py

In a build without sanitizers.  For matches between programs Debian 12 has XBoard, but
neither fastchess nor c-chess-cli nor cutechess.  Both play one game at a time between
two programs, which play game after game and answer at once.  Both check each move and
write each game to a file.  XBoard runs without its window (-noGUI).  Its moves are
measured by the engine, from the first move of a game to the last, so neither its start
nor its pauses between games count.  All of a match counts, with the starts of the bots.

It prints turns a second, and the processor time of a turn, bots included, which depends
less on what else the machine does: medians, with the lowest and the highest.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

XBOARD = "/usr/games/xboard"
MOVES = 900  # moves of a chess game; XBoard ends a game at 1000
QUIET = ["-noGUI", "-matchGames", "1", "-soundMove", "", "-soundProgram", "",
         "-popupExitMessage", "false", "-xponder", "-repeatsToDraw", "0",
         "-ruleMoves", "0", "-tc", "60", "-mps", "1000"]


def display(folder):
    """Starts an X server that chooses its display; returns the process and the
    display's name."""
    inward, outward = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(outward), "-screen", "0", "640x480x24"],
        pass_fds=[outward], stderr=subprocess.DEVNULL, cwd=folder)
    os.close(outward)
    with os.fdopen(inward) as told:
        return server, ":" + told.readline().strip()


def of_xboard(build, folder, shown):
    """Plays a game; returns its moves, its seconds and its processor time."""
    times = folder / "times"
    times.unlink(missing_ok=True)
    engine = f"{build}/tests/bench/instant-engine {MOVES} {times}"
    subprocess.run(
        [XBOARD, *QUIET, "-fcp", engine, "-scp", engine,
         "-saveGameFile", folder / "games.pgn"],
        env=dict(os.environ, DISPLAY=shown, HOME=str(folder)), cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return tuple(map(float, times.read_text().split()))


def processor():
    """Returns the processor time of all children that have ended, and of their
    children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_match(build, folder, games):
    """Plays a match; returns its turns, its seconds and its processor time."""
    bot = f"{build}/sample-bots/c/random-bot"
    shutil.rmtree(folder / "records", ignore_errors=True)
    before = processor()
    run = subprocess.run(
        [build / "referee" / "referee", "match", "toepen", "--bot", bot,
         "--name", "one", "--bot", bot, "--name", "two", "--games", str(games),
         "--jobs", "1", "--reuse", "--records", folder / "records"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    turns, seconds = re.search(r"(\d+)\s+turns\s+in\s+([\d.]+)\s+s",
                               run.stdout).groups()
    return float(turns), float(seconds), processor() - before


def spread(numbers, digits):
    middle, low, high = (f"{one:,.{digits}f}" for one in (
        statistics.median(numbers), min(numbers), max(numbers)))
    return f"{middle} ({low} to {high})"


def say(name, runs):
    rates = [turns / seconds for turns, seconds, _ in runs]
    costs = [1e6 * used / turns for turns, _, used in runs]
    print(f"{name}: {spread(rates, 0)} turns a second, {spread(costs, 1)} us of "
          "processor a turn")


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--games", type=int, default=2000, help="of a match")
    given = options.parse_args()
    build = pathlib.Path(os.environ.get("BUILD_DIR", "build")).resolve()
    if not shutil.which("Xvfb") or not os.access(XBOARD, os.X_OK):
        sys.exit("beside-xboard: this needs xboard and xvfb")
    matches, chess = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server, shown = display(folder)
        try:
            for _ in range(given.rounds):
                matches.append(of_match(build, folder, given.games))
                chess.append(of_xboard(build, folder, shown))
        finally:
            server.terminate()
            server.wait()
    say("referee", matches)
    say("xboard", chess)


main()
