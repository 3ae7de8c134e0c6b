#!/usr/bin/env python3
"""Measures how much a thousand watchers slow down the games that they watch.

    make -C build referee/referee tests/bench/load-bots
    BUILD_DIR=build tests/bench/watchers.py

In a build without sanitizers.  Remote bots that answer at once (load-bots) play long
games, for some seconds without watchers, then for some with; that several times, in
one life of the daemon.  Each watcher has the ladder and one of the games.  It reads
all it is sent, from an address of its own, in one process for all of them.

The turn rate with watchers must be at least 0.9 of that without.  Bots and watchers
run here, too, and other programs may: so the second ratio is of answers for each
second of processor that the daemon itself used, which is what watchers cost it.
"""

import argparse
import os
import pathlib
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("SOURCE_DIR", str(HERE.parent.parent))
sys.path.insert(0, str(HERE.parent / "end-to-end"))
import arena  # noqa: E402
import daemon  # noqa: E402
import tap  # noqa: E402

LOAD = tap.BUILD_DIR / "tests" / "bench" / "load-bots"
LADDER = ("game = daumen-drauf seats = 2 options = {{ \"games=50\" }} "
          "move-time = 60000 keep-days = 0 readers = everybody at-once = {} "
          "spectators-delay = 1")
LIMITS = {"connections": 1000, "unauthenticated": 1000,
          "lines-per-second": 1000000, "watchers": 2000}
GOAL = 0.9


def cpu_s(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        words = file.read().rpartition(b")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def watch(port, count, games):
    """Connects, prints a line, and reads until its input ends; then prints how
    many bytes it has read."""
    everything, buffer, total = selectors.EpollSelector(), bytearray(1 << 18), 0
    for number in range(count):
        one = socket.create_connection(
            ("127.0.0.1", port), 30, (f"127.9.{number // 250}.{number % 250 + 1}",
                                      0))
        one.sendall(f"GET /api/1/events?topic=ladder:load,game:"
                    f"{games[number % len(games)]} HTTP/1.1\r\nHost: x\r\n\r\n"
                    .encode())
        if one.recv(12).endswith(b" 404"):
            continue  # its game has just ended
        everything.register(one, selectors.EVENT_READ)
    everything.register(sys.stdin, selectors.EVENT_READ)
    print("here", flush=True)
    while True:
        for key, _ in everything.select():
            if key.fileobj is sys.stdin:
                print(total)
                return
            read = key.fileobj.recv_into(buffer)
            total += read
            if read == 0:
                everything.unregister(key.fileobj)


class Load:
    """Runs load-bots and measures how many answers a second they give."""

    def __init__(self, serve, bots):
        self.serve = serve
        self.tokens = tempfile.NamedTemporaryFile("w")
        for number in range(bots):
            name = f"bot{number:03}"
            token = daemon.request(serve.data, "token", name)
            self.tokens.write(f"{name} {token}\n")
        self.tokens.flush()
        self.process = subprocess.Popen(
            [str(word) for word in (LOAD, serve.port("bots"), self.tokens.name,
                                    0, "load")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def figure(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().split()
        return float(line[line.index("answers/s") + 1])

    def measure(self, seconds):
        """Returns answers a second, and answers for each second of the daemon's
        processor time."""
        self.figure()
        before, begun = cpu_s(self.serve.process.pid), time.monotonic()
        time.sleep(seconds)
        rate, took = self.figure(), time.monotonic() - begun
        return rate, rate * took / (cpu_s(self.serve.process.pid) - before)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.tokens.close()


def running(serve):
    return [game["id"] for game in
            serve.get("/api/1/ladders/load/running").json()["games"]]


def with_watchers(serve, load, given):
    arena.wait_for(lambda: len(running(serve)) >= given.games)
    games = running(serve)
    with subprocess.Popen(
            [sys.executable, __file__, "--watch", str(serve.port("pages")),
             "--watchers", str(given.watchers), *games[-given.games:]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "here\n":
            raise RuntimeError("the watchers did not come")
        time.sleep(2)  # until they have read what was there at first
        before = serve.memory_kb()
        rate, worth = load.measure(given.seconds)
        process.stdin.close()
        read = int(process.stdout.read())
    arena.wait_for(lambda: serve.metric(
        'referee_connections{kind="watchers"}') == 0)
    return rate, worth, read, before


def compare(serve, load, given):
    plain, watched = [], []
    for _ in range(given.turns):
        plain.append(load.measure(given.seconds))
        watched.append(with_watchers(serve, load, given))
        print(f"  {plain[-1][0]:.0f} and {watched[-1][0]:.0f} answers a second",
              flush=True)
    print("| watchers | answers a second | for a second of the daemon's processor "
          "| memory, MB | they read, MB |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    none = [statistics.median(column) for column in zip(*plain)]
    some = [statistics.median(column) for column in zip(*watched)]
    print(f"| 0 | {none[0]:.0f} | {none[1]:.0f} | | |")
    print(f"| {given.watchers} | {some[0]:.0f} | {some[1]:.0f} | "
          f"{some[3] / 1024:.0f} | {some[2] / 1e6:.1f} |")
    for what, at in (("the turn rate", 0), ("the daemon's processor", 1)):
        ratio = statistics.median(b[at] / a[at]
                                  for a, b in zip(plain, watched))
        print(f"by {what}: {ratio:.3f}, goal {GOAL}: "
              f"{'reached' if ratio >= GOAL else 'missed'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--games", type=int, default=8, help="that are watched")
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--watch", type=int, help=argparse.SUPPRESS)
    parser.add_argument("ids", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.watch:
        watch(given.watch, given.watchers, given.ids)
        return
    with daemon.Daemon({"load": LADDER.format(given.tables)}, LIMITS) as serve:
        serve.start()
        load = Load(serve, 2 * given.tables)
        arena.wait_for(lambda: len(running(serve)) >= given.tables)
        compare(serve, load, given)
        load.close()
        serve.stop()


if __name__ == "__main__":
    main()
