#!/usr/bin/env python3
"""Measures how much disk finished games take, and how much a million would.

    make -C build check TESTS= && BUILD_DIR=build tests/bench/packs.py

A daemon plays games of each kind with remote bots that answer at once
(load-bots).  Then the script counts the files and bytes of its closed packs,
also the bytes that the file system uses, for records and for asks.  Nothing
here passes or fails: the figures describe the machine.
"""

import argparse
import collections
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import daemon  # noqa: E402
import records  # noqa: E402
import tap  # noqa: E402

LOAD = tap.BUILD_DIR / "tests" / "bench" / "load-bots"
LADDER = ("game = {} seats = 2 move-time = 60000 keep-days = 0 "
          "at-once = {} pairing = random")
LIMITS = {"connections": 2000, "unauthenticated": 2000,
          "lines-per-second": 5000, "return-time": 60000}
KINDS = ["toepen", "durnius", "daumen-drauf", "daupun", "doubles-dread"]
MILLION = 1000000
LONGEST_S = 900


Taken = collections.namedtuple("Taken", "records asks files bytes blocks")


def rated(serve):
    return int(serve.metric('referee_games_rated_total{ladder="load"}') or 0)


def taken(serve):
    """Returns what its closed packs take.  Games that the end of the daemon cut
    off and the open pack do not count, because they do not grow with the
    ladder."""
    folder = serve.data / "ladders" / "load" / "records"
    packs = sorted(folder.glob("*.tar.gz"))
    stats = [path.stat() for path in packs]
    names = [name for path in packs for name in records.members(path)]
    return Taken(sum(name.endswith(".rec") for name in names),
                 sum(name.endswith(".asks") for name in names), len(packs),
                 sum(stat.st_size for stat in stats),
                 512 * sum(stat.st_blocks for stat in stats))


def play(game, games, at_once):
    """Plays this many games; returns what they took on disk and how many
    seconds it lasted."""
    with daemon.Daemon({"load": LADDER.format(game, at_once)}, LIMITS) as serve, \
            tempfile.NamedTemporaryFile("w") as tokens:
        serve.start()
        for number in range(2 * at_once):
            name = f"bot{number:05}"
            tokens.write(f"{name} {daemon.request(serve.data, 'token', name)}\n")
        tokens.flush()
        begun = time.monotonic()
        with subprocess.Popen([str(LOAD), str(serve.port("bots")), tokens.name,
                               "0", "load"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as load:
            while rated(serve) < games and time.monotonic() < begun + LONGEST_S:
                time.sleep(0.2)
            load.stdin.close()
            load.wait()
        spent = time.monotonic() - begun
        serve.stop()
        return taken(serve), spent


def tell(what, told):
    per = told.records or 1
    print(f"{what}: {told.records} records, {told.asks} with asks; "
          f"{told.bytes / per:.0f} bytes ({told.blocks / per:.0f} with what "
          f"blocks leave) and {told.files / per:.4f} files a game; a million: "
          f"{told.blocks / per * MILLION / 1e9:.2f} GB in "
          f"{told.files / per * MILLION:.0f} files", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--games", type=int, default=2600,
                        help="of each kind (2600)")
    parser.add_argument("--at-once", type=int, default=200)
    parser.add_argument("kind", nargs="*", default=KINDS)
    args = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    every = []
    for kind in args.kind:
        told, spent = play(kind, args.games, args.at_once)
        tell(f"{kind}, {told.records / spent:.0f} games/s", told)
        every.append(told)
    tell("all", Taken(*map(sum, zip(*every))))


if __name__ == "__main__":
    main()
