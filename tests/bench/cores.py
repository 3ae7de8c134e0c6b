#!/usr/bin/env python3
"""How fast this machine's processors are used, as a table.

    BUILD_DIR=build tests/bench/cores.py
    BUILD_DIR=build tests/bench/cores.py --old ../before/build/referee/referee
    BUILD_DIR=build tests/bench/cores.py --row instant --runs 1 --scale 0.1

Whatever is compared is measured in turns, --runs times; the table has medians,
the least and the most of them, and the median as a part of what the row is
compared with.  With --old that program is measured in turns with the new one.
Nothing here passes or fails: the figures are the machine's, and mean little if
it has other things to do.  Builds without sanitizers, please."""

import argparse
import collections
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

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

# What is measured: run(program) gives the figure; `base` is what the others of
# its row are compared with.  Without a program it is run once a round.
Way = collections.namedtuple("Way", "what run base program",
                             defaults=(False, True))


def run(argv):
    done = subprocess.run([str(word) for word in argv], check=False,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"cores.py: {shlex.join(map(str, argv))}: {done.stderr}")
    return done.stdout


def match(figure, *arguments, before=(), records=False):
    """A way to play that match: `figure` (turns or games) a second."""
    def play(program):
        argv = [*before, program, "match", *arguments, "--json"]
        with tempfile.TemporaryDirectory() as folder:
            if records:
                argv += ["--records", folder]
            told = json.loads(run(argv).splitlines()[-1])
        return told[figure] / told["seconds"]
    return play


def games(args, count):
    return ["--games", max(1, round(count * args.scale))]


def two(command):
    return ["--bot", command, "--bot", command]


def reused(args, command, options, count):
    arguments = ["daumen-drauf", "-o", options, "--reuse", "--sandbox", "off",
                 *two(command), *games(args, count)]
    return [Way("default options",
                match("turns", *arguments, records=True)),
            Way("on one processor",
                match("turns", *arguments, before=ONE_CORE, records=True),
                base=True)]


def single(args, folder):
    arguments = ["daumen-drauf", "--reuse", "--sandbox", "off", *two(INSTANT)]
    rounds = max(1, round(400 * args.scale))
    del folder
    return [Way("--jobs 1", match("turns", *arguments, "-o", "games=20",
                                  *games(args, 200), "--jobs", 1,
                                  records=True)),
            Way("one game", match("turns", *arguments, "-o",
                                  f"games={min(rounds, 50)}", "--games", 1, "--exact"))]


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
                        "--seconds", max(1, round(2 * args.scale))])
            row = next(line.split() for line in told.splitlines()
                       if line.split()[1:2] == ["one"])
            return float(row[2]) / float(row[COLUMNS[column]])
        return [Way(f"part of {column}", measure)]
    return bench


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
}


def measure(args, name, folder):
    """The figures of each (way, program), in turns."""
    ways = ROWS[name][1](args, folder)
    found = collections.defaultdict(list)
    for _ in range(args.runs):
        for way in ways:
            if not way.program:
                found[way, ""].append(way.run(None))
                continue
            if args.old:
                found[way, "old"].append(way.run(args.old))
            found[way, "new"].append(way.run(REFEREE))
    return found


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def print_row(args, name, found):
    median = {key: statistics.median(figures)
              for key, figures in found.items()}
    base = {program: value for (way, program), value in median.items()
            if way.base}
    for (way, program), figures in found.items():
        value = median[way, program]
        against = base.get(program, base.get(""))
        old = median.get((way, "old"))
        part = "" if way.base or not against else f"{value / against:.2f}"
        gain = f"{value / old:.2f}" if program == "new" and old else ""
        print(f"| {ROWS[name][0]} | {way.what} | "
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
