#!/usr/bin/env python3
"""Measures how much load one daemon bears on this machine, as a table.

    make -C build check TESTS= && BUILD_DIR=build tests/bench/scale.py

Thousands of bots play from one process (load-bots), each from an address of its
own in 127.0.0.0/8.  There are three loads: bots that are only connected; bots
that answer at once, two to a game; the same with some that take a second for
each answer.  Then local bots that answer at once play several games at a time:
the table says how long each game takes, by the dates of its record, and how
many processors the worker processes and bots use. --local alone plays only
these, --short alone plays games of one round between bots that answer at once,
so that writing the results is the limit.  Nothing here passes or fails: the
figures describe the machine.
"""

import argparse
import collections
import datetime
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import daemon  # noqa: E402
import local_bots  # noqa: E402
import tap  # noqa: E402

LOAD = tap.BUILD_DIR / "tests" / "bench" / "load-bots"
LADDER = ("game = toepen seats = 2 move-time = 60000 keep-days = 0 "
          "at-once = {} pairing = random")
# Each connection keeps the limits of PROTOCOL.md.
LIMITS = {"connections": 18000, "unauthenticated": 18000,
          "lines-per-second": 5000, "return-time": 60000}


def cpu_s(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        words = file.read().rpartition(b")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def measure(what, bots, at_once, seconds, slow, more=""):
    """Measures and prints one line of the table."""
    ladder = LADDER.format(max(at_once, 1)) + more
    with daemon.Daemon({"load": ladder}, LIMITS) as serve, \
            tempfile.NamedTemporaryFile("w") as tokens:
        serve.start()
        empty_mb = serve.memory_kb() // 1024
        for number in range(bots):
            name = f"bot{number:05}"
            token = daemon.request(serve.data, "token", name)
            tokens.write(f"{name} {token}\n")
        tokens.flush()
        before_s = cpu_s(serve.process.pid)
        arguments = [LOAD, serve.port("bots"), tokens.name, seconds]
        arguments += ["load", slow, 1000] if at_once else []
        with subprocess.Popen([str(word) for word in arguments],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as load:
            peak_mb = 0
            while load.poll() is None:
                peak_mb = max(peak_mb, serve.memory_kb() // 1024)
                try:
                    load.wait(0.2)
                except subprocess.TimeoutExpired:
                    pass
            figures, connected = load.stdout.read(), load.stderr.read()
        spent_s = cpu_s(serve.process.pid) - before_s
        print(f"{what}: {figures.strip()}; {connected.strip()}; memory of the "
              f"daemon {empty_mb} MB empty, {peak_mb} MB at most; processor "
              f"{spent_s:.1f} s", flush=True)


def lines(record, key):
    return [words[1:] for words in record.head if words[0] == key]


def lasted_s(record):
    begun, ended = (datetime.datetime.fromisoformat(lines(record, key)[0][0])
                    for key in ("started", "ended"))
    return (ended - begun).total_seconds()


def workers(serve):
    """Returns the processor time of each worker process and its spawner."""
    told = subprocess.run(["pgrep", "-f", "^/proc/self/exe worker "],
                          capture_output=True, text=True, check=False).stdout
    family = {str(serve.process.pid)}
    spent = {}
    for pid in told.split():
        try:
            with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
                parent = file.read().rpartition(")")[2].split()[1]
            if parent in family:
                spent[pid] = cpu_s(pid)
                family.add(pid)
        except (FileNotFoundError, ProcessLookupError):
            pass  # a process of another daemon
    return spent


Local = collections.namedtuple("Local", "games spent_s median_s slowest_s "
                               "processors")


def play_local(at_once, seconds):
    """Plays games of local bots, several at a time."""
    text = ("sandbox = off\nlocal-bots { games = %d at-once = %d }\n"
            'ladder "local" { game = daumen-drauf seats = 2 at-once = %d '
            'keep-days = 0 options = { "games=50" } }\n'
            "limits { stop-time = 60000 }\n" % (at_once, at_once, at_once))
    with daemon.Daemon(text + daemon.BOTS + daemon.PAGES) as serve:
        for name in ("ann", "ben", "cat", "dan"):
            done = local_bots.add(serve, local_bots.folder(
                serve.root, name, **{"bot.sh": "#!/bin/sh\nexec "
                                     f"{tap.REFEREE} bench --as-bot\n"}))
            if done.code != 0:
                raise RuntimeError(str(done))
        serve.start()
        time.sleep(2)
        before, played = workers(serve), len(serve.games("local"))
        own_s, begun = cpu_s(serve.process.pid), time.monotonic()
        time.sleep(seconds)
        # A slow machine plays on until as many games have ended as play at a
        # time.
        while len(serve.games("local")) < played + at_once and (
                time.monotonic() < begun + 10 * seconds):
            time.sleep(0.5)
        after, own_s = workers(serve), cpu_s(serve.process.pid) - own_s
        spent = time.monotonic() - begun
        games = serve.games("local")[played:]
        took = sorted(map(lasted_s, games)) or [float("inf")]
        bots_s = sum(float(words[1]) for game in games
                     for words in lines(game, "cpu")) / 1000
        own_s += sum(after[pid] - before.get(pid, 0) for pid in after)
        serve.stop()
    # The dates of records are whole seconds.
    return Local(len(games), spent, max(statistics.median(took), 1), took[-1],
                 (own_s + bots_s) / spent)


def measure_local(at_once, seconds):
    """Measures and prints one line of them."""
    told = play_local(at_once, seconds)
    print(f"{at_once} games of local bots at a time: {told.games} in "
          f"{told.spent_s:.0f} s, median {told.median_s:.0f} s, slowest "
          f"{told.slowest_s:.0f} s ({told.slowest_s / told.median_s:.1f} "
          f"times); processors: {told.processors:.2f} of {os.cpu_count()}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--idle", type=int, default=10000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--local", type=int, action="append", metavar="N",
                        help="games of local bots at a time (64, then 500)")
    parser.add_argument("--short", action="store_true",
                        help="only games of one round")
    args = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if args.local:
        for at_once in args.local:
            measure_local(at_once, args.seconds)
        return
    if args.short:
        measure("instant, one round", 2 * args.games, args.games,
                args.seconds, 0, ' options = { "points=1" }')
        return
    measure("idle", args.idle, 0, args.seconds, 0)
    measure("instant", 2 * args.games, args.games, args.seconds, 0)
    measure("instant with 20 slow", 2 * args.games, args.games, args.seconds,
            20)
    for at_once in (64, 500):
        measure_local(at_once, args.seconds)


if __name__ == "__main__":
    main()
