#!/usr/bin/env python3
"""Measures how fast this machine's processors are used, as a table.

    BUILD_DIR=build tests/bench/cores.py
    BUILD_DIR=build tests/bench/cores.py --old ../before/build/referee/referee
    BUILD_DIR=build tests/bench/cores.py --row instant --runs 1 --scale 0.1

Everything that is compared is measured in turns, --runs times.  The table has
the median, the least and the most, and the median quotient with what the row is
compared with in the same round.  With --old that program is measured in turns
with the new one.  The end of the table says which goals are reached. «A match
on each processor» is the most that a row can reach: as many matches as there
are processors, each pinned to one, with its share of the games.  The daemon is
measured by scale.py, the new one alone.  All rows take 25 minutes on two
processors with nothing else to do.  Nothing here passes or fails: the figures
are the machine's, and mean little if it has other things to do.  Builds without
sanitizers, please."""

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
# The least that the sandbox mounts.
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

# A way to measure something: run(program) returns the figure, or several by
# name.  The other ways of its row are compared with the way `base`.  A way
# without a program is run once a round.
Way = collections.namedtuple("Way", "what run goals base program",
                             defaults=((), False, True))
# A goal is a least or a greatest share of the base or of the old program, or,
# if `of` is "", a bound of the figure itself; `what` names one of several
# figures.
Goal = collections.namedtuple("Goal", "of least most what",
                              defaults=(None, ""))
FASTER = Goal("old", 1)
NOT_SLOWER = Goal("old", 0.97)  # two equal programs differ by as much


def run(argv):
    done = subprocess.run([str(word) for word in argv], check=False,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"cores.py: {shlex.join(map(str, argv))}: {done.stderr}")
    return done.stdout


@functools.cache
def takes(program, option):
    """Returns true if `match` of that program, which may be an earlier version,
    has the option."""
    return option in run([program, "match", "--help"])


def play(program, arguments, before=(), records=False):
    """Plays a match and returns its --json."""
    argv = [*before, program, "match", *arguments, "--json"]
    with tempfile.TemporaryDirectory() as folder:
        if records:
            argv += ["--records", folder]
        return json.loads(run(argv).splitlines()[-1])


def match(figure, *arguments, **how):
    """Returns a function that plays the match and returns its turns or games
    (`figure`) a second."""
    def rate(program):
        told = play(program, arguments, **how)
        return told[figure] / told["seconds"]
    return rate


def match_on_each(*arguments):
    """Returns a function that plays such a match on each processor at once and
    returns the turns a second of all."""
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


def reused(args, command, options, count, goal):
    arguments = ["daumen-drauf", "-o", options, "--reuse", "--sandbox", "off",
                 *two(command)]
    whole = [*arguments, *games(args, count)]
    return [Way("default options", match("turns", *whole, records=True),
                (goal,)),
            Way("on one processor",
                match("turns", *whole, before=ONE_CORE, records=True),
                base=True),
            Way("a match on each processor",
                match_on_each(*arguments, *games(args, count / len(CORES))))]


def instant(args, folder):
    del folder
    return reused(args, INSTANT, "games=20", 800, Goal("base", 1.8))


def python(args, folder):
    """Measures Python bots on one processor and on all of them."""
    del folder
    default, _, each = reused(args, RANDOM_PY, "games=2", 2000,
                              Goal("old", 1.6))
    return [default, each]


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
                                  records=True), (FASTER,)),
            Way("one game", one_game, (FASTER,))]


def bare_starts(args, *program):
    """Returns how many pairs of programs all processors start in a second:
    games a second if a game were nothing else."""
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
                               "house", *games(args, 200)),
                (Goal("base", 0.6),)),
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
        *games(args, 10), "--jobs", jobs), (NOT_SLOWER,)) for jobs in (2, 8)]


def opened(args, folder):
    command = thinker(folder)
    return [Way("one game at a time", match(
        "turns", "toepen", "--sandbox", "off", "--seats", 4, *two(command),
        *two(command), *games(args, 4), "--jobs", 1), (NOT_SLOWER,))]


# The columns in the text of `bench turns`; the third is what the referee made.
COLUMNS = {"pingpong": 3, "programs": 5}


def turns(tables, column, least):
    """Returns how to measure `bench turns` on one processor; `column` is its limit
    there."""
    def bench(args, folder):
        del folder

        def measure(program):
            # Reads the text and takes whole seconds, because earlier programs
            # do not know more.  If we are pinned, the second row measures the
            # same as the first.
            told = run([*ONE_CORE, program, "bench", "turns", "--tables",
                        tables, "--seconds", max(1, round(args.scale))])
            rows = [line.split() for line in told.splitlines()
                    if line.split()[0] == str(tables)]
            return statistics.mean(float(row[2]) / float(row[COLUMNS[column]])
                                   for row in rows)
        return [Way(f"part of {column}", measure, (Goal("", least),))]
    return bench


def daemons(args, folder):
    """Measures games of a daemon's local bots, for several numbers of games at
    a time."""
    del folder

    def load(at_once):
        def figures(_):
            told = scale.play_local(at_once, max(5, round(10 * args.scale)))
            return {"processors in use": told.processors,
                    "slowest game / median": told.slowest_s / told.median_s}
        return figures
    goals = (Goal("", 0.95 * len(CORES), what="processors in use"),
             Goal("", None, 3, "slowest game / median"))
    return [Way(f"{at_once} games at a time", load(at_once), goals,
                program=False) for at_once in (64, 500)]


ROWS = {
    "instant": ("instant bots, turns/s", instant),
    "python": ("Python random bots, turns/s", python),
    "single": ("instant bots, turns/s", single),
    "fresh": ("four seats, fresh sandboxed processes, games/s", fresh),
    "thinking": ("bots that think 10 ms, turns/s", thinking),
    "open": ("open decisions of four seats that think 10 ms, turns/s", opened),
    "table": ("bench turns, one table, one processor",
              turns(1, "pingpong", 0.7)),
    "tables": ("bench turns, 512 tables, one processor",
               turns(512, "programs", 0.75)),
    "daemon": ("daemon, local bots that answer at once", daemons),
}


def measure(args, name, folder):
    """Measures each (way, what, program) in turns; returns the figures."""
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


def parts(figures, others):
    """Returns the quotients round by round."""
    return [one / other for one, other in zip(figures, others)]


def others(found, way, what, program):
    """Returns the figures with which these are compared, by name."""
    told = {"": [1] * len(found[way, what, program]),
            "old": found.get((way, what, "old"))}
    for (base, _, its), figures in found.items():
        if base.base and its in (program, ""):
            told["base"] = figures
    return {name: figures for name, figures in told.items() if figures}


def print_row(args, name, found):
    for (way, what, program), figures in found.items():
        than = others(found, way, what, program)
        part, gain = (
            f"{statistics.median(parts(figures, than[of])):.2f}" if of in than
            else "" for of in ("base", "old"))
        how = f"{way.what}: {what}" if what else way.what
        print(f"| {ROWS[name][0]} | {how} | "
              f"{program if args.old else ''} | "
              f"{number(statistics.median(figures))} | "
              f"{number(min(figures))}-{number(max(figures))} | "
              f"{'' if way.base else part} | "
              f"{gain if program == 'new' else ''} |", flush=True)


def goals_of(name, found):
    """Returns the lines about the goals of a row."""
    for (way, what, program), figures in found.items():
        for goal in way.goals:
            than = others(found, way, what, program)
            if program == "old" or goal.what != what or goal.of not in than:
                continue
            told = parts(figures, than[goal.of])
            value = statistics.median(told)
            reached = (value <= goal.most if goal.least is None
                       else value >= goal.least)
            wanted = (f"<= {goal.most}" if goal.least is None
                      else f">= {goal.least}")
            of = f" of the {goal.of}" if goal.of else ""
            yield (f"{'reached    ' if reached else 'NOT REACHED'} "
                   f"{ROWS[name][0]}: {way.what}"
                   f"{': ' + what if what else ''}: {value:.2f} "
                   f"({min(told):.2f}-{max(told):.2f}){of}, goal {wanted}")


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
    goals, begun = [], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.row or ROWS:
            found = measure(args, name, pathlib.Path(folder))
            print_row(args, name, found)
            goals += goals_of(name, found)
    print("", *goals, f"\n{(time.monotonic() - begun) / 60:.1f} minutes",
          sep="\n")


main()
