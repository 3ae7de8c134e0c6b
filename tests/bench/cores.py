#!/usr/bin/env python3
"""How fast this machine's processors are used, as a table.

    BUILD_DIR=build tests/bench/cores.py
    BUILD_DIR=build tests/bench/cores.py --old ../before/build/referee/referee
    BUILD_DIR=build tests/bench/cores.py --row instant --runs 1 --scale 0.1

Whatever is compared is measured in turns, --runs times; the table has medians,
the least and the most of them, and the median as a part of what the row is
compared with.  With --old that program is measured in turns with the new one.
«A match on each processor» is the most that a row can reach: as many matches as
there are processors, each pinned to one, with its share of the games.  The
daemon is measured by scale.py, the new one alone.  All rows take 15 minutes on
two processors with nothing else to do; --runs 3 takes nine.
Nothing here passes or fails: the figures are the machine's, and mean little if
it has other things to do.  Builds without sanitizers, please."""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import scale

SOURCE = pathlib.Path(os.environ.get(
    "SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2])).resolve()
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", os.getcwd())).resolve()
REFEREE = os.environ.get("REFEREE", str(BUILD / "referee" / "referee"))
CORES = sorted(os.sched_getaffinity(0))
ONE_CORE = ["taskset", "-c", str(CORES[0])]
INSTANT = shlex.join([REFEREE, "bench", "--as-bot"])
RANDOM_PY = shlex.join([sys.executable, "-B", str(
    SOURCE / "sample-bots" / "python" / "random_bot.py")])
# What the sandbox mounts at least, and nothing else.
BWRAP = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/usr",
         "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
         "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
         "--ro-bind", str(BUILD), str(BUILD), "--"]
THINKS = """
import sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] == "referee":
        print("bot 1 thinks", flush=True)
    elif words[0] == "ask":
        until = time.process_time() + 0.01
        while time.process_time() < until:
            pass
        print("do", words[1], words[3], flush=True)
"""

# What is measured: run(program) gives the figure, or several by name; `base` is
# what the others of its row are compared with.  Without a program it is run once
# a round.
Way = collections.namedtuple("Way", "what run base program",
                             defaults=(False, True))


def run(argv):
    done = subprocess.run([str(word) for word in argv], check=False,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"cores.py: {shlex.join(map(str, argv))}: {done.stderr}")
    return done.stdout


@functools.cache
def takes(program, option):
    """Whether `match` of that program, perhaps an earlier one, has the option."""
    return option in run([program, "match", "--help"])


def play(program, arguments, before=(), records=False):
    """What --json tells of that match."""
    argv = [*before, program, "match", *arguments, "--json"]
    with tempfile.TemporaryDirectory() as folder:
        if records:
            argv += ["--records", folder]
        return json.loads(run(argv).splitlines()[-1])


def match(figure, *arguments, **how):
    """A way to play that match: `figure` (turns or games) a second."""
    def rate(program):
        told = play(program, arguments, **how)
        return told[figure] / told["seconds"]
    return rate


def match_on_each(*arguments):
    """Such a match on each processor at once: turns a second of all."""
    def rate(program):
        def one(core):
            return play(program, arguments, ["taskset", "-c", str(core)], True)
        with concurrent.futures.ThreadPoolExecutor() as threads:
            told = list(threads.map(one, CORES))
        return sum(one["turns"] for one in told) / max(
            one["seconds"] for one in told)
    return rate


def games(args, count):
    return ["--games", max(1, round(count * args.scale))]


def two(command):
    return ["--bot", command, "--bot", command]


def reused(args, command, options, count):
    arguments = ["daumen-drauf", "-o", options, "--reuse", "--sandbox", "off",
                 *two(command)]
    whole = [*arguments, *games(args, count)]
    return [Way("default options", match("turns", *whole, records=True)),
            Way("on one processor",
                match("turns", *whole, before=ONE_CORE, records=True),
                base=True),
            Way("a match on each processor",
                match_on_each(*arguments, *games(args, count / len(CORES))))]


def single(args, folder):
    arguments = ["daumen-drauf", "--reuse", "--sandbox", "off", *two(INSTANT)]
    rounds = max(1, round(400 * args.scale))
    del folder

    def one_game(program):
        exact = ["--exact"] if takes(program, "--exact") else []
        return match("turns", *arguments, "-o", f"games={min(rounds, 50)}",
                     "--games", 1, *exact)(program)
    return [Way("--jobs 1", match("turns", *arguments, "-o", "games=20",
                                  *games(args, 200), "--jobs", 1,
                                  records=True)),
            Way("one game", one_game)]


def bare_starts(args, *program):
    """Games a second if starting two programs were all there is to one: on all
    processors at once."""
    count = max(1, round(200 * args.scale))
    loop = (f"i=0; while [ $i -lt {count} ]; do "
            f"{shlex.join([*BWRAP, *program])} </dev/null || exit 1; "
            "i=$((i + 1)); done")

    def start(_):
        begun = time.monotonic()
        shells = [subprocess.Popen(["sh", "-c", loop],
                                   stderr=subprocess.DEVNULL) for _ in CORES]
        if any([shell.wait() for shell in shells]):
            sys.exit("cores.py: bubblewrap cannot start here")
        return count * len(CORES) / (time.monotonic() - begun) / 2
    return start


def fresh(args, folder):
    del folder
    return [Way("match", match("games", "toepen", "--seats", 4,
                               *two(INSTANT), "--bot", "random", "--bot",
                               "house", *games(args, 200))),
            Way("bare bwrap", bare_starts(args, *shlex.split(INSTANT)),
                base=True, program=False),
            Way("bare bwrap of true", bare_starts(args, "/usr/bin/true"),
                program=False)]


def thinker(folder):
    bot = folder / "thinks.py"
    bot.write_text(THINKS, encoding="ascii")
    return shlex.join([sys.executable, "-B", str(bot)])


def thinking(args, folder):
    command = thinker(folder)
    return [Way(f"{jobs} jobs", match(
        "turns", "toepen", "--sandbox", "off", "--seats", 2, *two(command),
        *games(args, 16), "--jobs", jobs)) for jobs in (2, 8)]


def opened(args, folder):
    command = thinker(folder)
    return [Way("one game at a time", match(
        "turns", "toepen", "--sandbox", "off", "--seats", 4, *two(command),
        *two(command), *games(args, 4), "--jobs", 1))]


# Of the text of `bench turns`; the third is what the referee made.
COLUMNS = {"pingpong": 3, "programs": 5}


def turns(tables, column):
    """Of `bench turns` on one processor; `column` is its limit there."""
    def bench(args, folder):
        del folder

        def measure(program):
            # The text, and whole seconds: earlier programs can do no more.
            told = run([program, "bench", "turns", "--tables", tables,
                        "--seconds", max(1, round(args.scale))])
            row = next(line.split() for line in told.splitlines()
                       if line.split()[1:2] == ["one"])
            return float(row[2]) / float(row[COLUMNS[column]])
        return [Way(f"part of {column}", measure)]
    return bench


def daemons(args, folder):
    """Games of bots that live with a daemon, so many at a time."""
    del folder

    def load(at_once):
        def figures(_):
            told = scale.play_local(at_once, max(5, round(10 * args.scale)))
            return {"processors in use": told.processors,
                    "slowest game / median": told.slowest_s / told.median_s}
        return figures
    return [Way(f"{at_once} games at a time", load(at_once), program=False)
            for at_once in (64, 500)]


ROWS = {
    "instant": ("instant bots, turns/s", lambda args, folder: reused(
        args, INSTANT, "games=20", 800)),
    "python": ("Python random bots, turns/s", lambda args, folder: reused(
        args, RANDOM_PY, "games=2", 400)),
    "single": ("instant bots, turns/s", single),
    "fresh": ("four seats, fresh sandboxed processes, games/s", fresh),
    "thinking": ("bots that think 10 ms, turns/s", thinking),
    "open": ("open decisions of four seats that think 10 ms, turns/s", opened),
    "table": ("bench turns, one table, one processor", turns(1, "pingpong")),
    "tables": ("bench turns, 512 tables, one processor",
               turns(512, "programs")),
    "daemon": ("daemon, local bots that answer at once", daemons),
}


def measure(args, name, folder):
    """The figures of each (way, what it measures, program), in turns."""
    found = collections.defaultdict(list)

    def once(way, mark, program):
        told = way.run(program)
        for what, value in (told if isinstance(told, dict) else
                            {"": told}).items():
            found[way, what, mark].append(value)

    ways = ROWS[name][1](args, folder)
    for _ in range(args.runs):
        for way in ways:
            if not way.program:
                once(way, "", None)
                continue
            if args.old:
                once(way, "old", args.old)
            once(way, "new", REFEREE)
    return found


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def print_row(args, name, found):
    median = {key: statistics.median(figures)
              for key, figures in found.items()}
    base = {program: value for (way, _, program), value in median.items()
            if way.base}
    for (way, what, program), figures in found.items():
        value = median[way, what, program]
        against = base.get(program, base.get(""))
        old = median.get((way, what, "old"))
        part = "" if way.base or not against else f"{value / against:.2f}"
        gain = f"{value / old:.2f}" if program == "new" and old else ""
        how = f"{way.what}: {what}" if what else way.what
        print(f"| {ROWS[name][0]} | {how} | "
              f"{program if args.old else ''} | {number(value)} | "
              f"{number(min(figures))}-{number(max(figures))} | {part} | "
              f"{gain} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--old", metavar="PROGRAM",
                        help="an earlier referee to compare with")
    parser.add_argument("--runs", type=int, default=5, metavar="N",
                        help="of each, in turns (5)")
    parser.add_argument("--scale", type=float, default=1, metavar="X",
                        help="so many times as many games (1)")
    parser.add_argument("--row", action="append", choices=ROWS,
                        help="only this one; may be repeated")
    args = parser.parse_args()
    print(f"{len(CORES)} processors, {args.runs} runs\n\n"
          "| what | how | program | median | least-most | of its base | "
          "new / old |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.row or ROWS:
            print_row(args, name, measure(args, name, pathlib.Path(folder)))


main()
