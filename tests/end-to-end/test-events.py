#!/usr/bin/env python3
"""Who watches misses nothing, whatever is cut; and who reads nothing costs little.

A game of local bots, which a worker process plays, is watched through fifty
connections, each cut somewhere.  Its worker is killed: it is played again, and so it
is told, also to those who were away meanwhile."""

import os
import random
import re
import socket

import arena
import daemon
import local_bots
import tap

CUTS = 50
DEAF = 64  # watchers who read nothing
EACH_KB = 512
CONFIG = """
sandbox = off
residents { games = 8 at-once = 4 }
ladder slow { game = toepen seats = 2 readers = everybody at-once = 1
              move-time = 60000 options = { "points=9" } }
ladder fast { game = daumen-drauf seats = 2 readers = everybody at-once = 4
              options = { "games=50" } }
"""
# Waits for a line in a pipe before each answer: the first token, or later the last
# one.
BOT = """#!/bin/sh
exec 3<>{gate}
read -r line
echo "bot 1 {name}"
while read -r verb seat time token rest; do
\tcase $verb in
\task)
\t\tread -r go <&3
\t\tif [ -e {turned} ]; then for token in $token $rest; do :; done; fi
\t\techo "do $seat $token" ;;
\tbye) exit 0 ;;
\tesac
done
"""


class Gate:
    """How many answers the slow bots may give."""

    def __init__(self, path):
        os.mkfifo(path)
        self.path, self.file = path, os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def release(self, count):
        try:
            os.write(self.file, b"go\n" * count)
        except BlockingIOError:
            pass  # there is more than enough

    def shut(self):
        try:
            while os.read(self.file, 65536):
                pass
        except BlockingIOError:
            pass


class Stream:
    """What one connection hears, until it is cut."""

    def __init__(self, house, topic, last="", source="127.0.0.1", room=None):
        self.socket = socket.socket()
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.settimeout(tap.TIMEOUT_S)
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", house.port("pages")))
        headers = f"Last-Event-ID: {last}\r\n" if last else ""
        self.socket.sendall(f"GET /api/1/events?topic={topic} HTTP/1.1\r\n"
                            f"Host: a\r\n{headers}\r\n".encode())
        self.heard = b""

    def hear(self, count):
        """At least one byte more, but for the end or a silence; at most so
        many."""
        try:
            part = self.socket.recv(count)
        except socket.timeout:
            return False
        self.heard += part
        return len(part) > 0

    def events(self):
        """(kind, ID, lines) of those that came whole."""
        body = self.heard.partition(b"\r\n\r\n")[2].decode()
        for text in body.split("\n\n")[:-1]:
            fields = [line.partition(": ") for line in text.split("\n")
                      if not line.startswith(":")]
            found = {key: value for key, _, value in fields}
            if "event" in found:
                yield (found["event"], found.get("id", ""),
                       [value for key, _, value in fields if key == "data"])

    def close(self):
        self.socket.close()


def running(house, ladder):
    found = house.get(f"/api/1/ladders/{ladder}/running").json()["games"]
    return found[0]["id"] if found else None


def public(house, game):
    """The lines of its record that all may read."""
    path = f"/api/1/records/{game}?view=public"
    arena.wait_for(lambda: house.get(path).code == 200)
    return house.get(path).text.partition("\n\n")[2].splitlines()


class Watcher:
    """All that a reader has of a game, who comes back with the last ID."""

    def __init__(self, house, game):
        self.house, self.game = house, game
        self.lines, self.last, self.again, self.over = [], "", 0, False
        self.cuts = 0

    def watch(self, until, silence=tap.TIMEOUT_S):
        """Until that is true of the connection, or the game is over, or there
        is nothing for some seconds."""
        stream = Stream(self.house, f"game:{self.game}", self.last)
        stream.socket.settimeout(silence)
        self.cuts += 1
        while not until(stream) and stream.hear(random.randint(1, 400)):
            if any(kind == "over" for kind, _, _ in stream.events()):
                break
        for kind, last, lines in stream.events():
            self.last = last or self.last
            self.again += kind == "again"
            self.over |= kind == "over"
            if kind == "again":
                self.lines = []
            self.lines += lines if kind == "game" else []
        stream.close()


def has(count):
    """That so many events have come whole."""
    return lambda stream: len(list(stream.events())) >= count


def test_cuts(house, gate):
    game = running(house, "slow")
    reader = Watcher(house, game)
    for _ in range(CUTS):
        gate.release(1)
        most = random.choice((20, 500, 800, 1200))
        reader.watch(lambda stream, most=most: len(stream.heard) >= most
                     or has(1)(stream), 0.3)  # some answers are not public
    before = len(reader.lines)
    gate.release(10000)
    while not reader.over:
        reader.watch(lambda _: False)
    tap.ok(reader.cuts > CUTS and before > 0,
           f"{reader.cuts} connections, {before} lines by {CUTS} of them")
    tap.equal(reader.lines, public(house, game), "each line came, once")
    tap.equal(reader.again, 0, "and none again")


def workers(house):
    return [pid for pid, line in house.processes().items()
            if re.search(r" play-jobs \d+ -?\d+ $", line)
            and arena.status(pid)[0] == house.process.pid]


def test_again(house, gate):
    gate.shut()
    arena.wait_for(lambda: running(house, "slow"))
    game = running(house, "slow")
    here, away = Watcher(house, game), Watcher(house, game)
    gate.release(4)
    away.watch(has(1))
    stream = Stream(house, f"game:{game}")
    while not has(1)(stream):
        stream.hear(4096)
    before = len(house.log("worker-lost"))
    for pid in workers(house):
        os.kill(pid, 9)
    tap.ok(arena.wait_for(lambda: len(house.log("worker-lost")) > before),
           "a worker is lost")
    while not any(kind == "again" for kind, _, _ in stream.events()):
        stream.hear(4096)
    tap.ok(True, "who watches is told that it is played again")
    stream.close()
    gate.release(10000)
    for reader in (away, here):
        while not reader.over:
            reader.watch(lambda _: False)
    body = public(house, game)
    tap.equal(here.lines, body, "who comes later sees the second one")
    tap.equal(away.lines, body, "who was away meanwhile, too")
    tap.ok(away.again > 0, "for it is told so")


def watch_ladder(house, seconds):
    """Its changes are told once a second."""
    stream = Stream(house, "ladder:fast")
    while not has(seconds + 1)(stream):
        stream.hear(4096)
    stream.close()


def test_again_alone(house, gate, turned):
    """No one watches while its worker is lost, and what was known of it is
    forgotten.  The second time its bots play otherwise."""
    gate.shut()
    arena.wait_for(lambda: running(house, "slow"))
    away = Watcher(house, running(house, "slow"))
    gate.release(8)
    while len(away.lines) < 6:
        away.watch(has(1), 1)
    turned.touch()
    watch_ladder(house, 6)
    before = len(house.log("worker-lost"))
    for pid in workers(house):
        os.kill(pid, 9)
    arena.wait_for(lambda: len(house.log("worker-lost")) > before)
    gate.release(4)
    away.watch(has(1), 1)
    gate.release(10000)
    while not away.over:
        away.watch(lambda _: False)
    tap.equal(away.lines, public(house, away.game),
              "who was away when no one watched sees the second one")
    tap.ok(away.again > 0, "and is told so")


def test_hidden(house, gate):
    """A ladder whose games are public no more, while one of them is watched."""
    gate.shut()
    arena.wait_for(lambda: running(house, "slow"))
    game = running(house, "slow")
    gate.release(4)
    stream = Stream(house, f"game:{game}")
    while not has(1)(stream):
        stream.hear(4096)
    hidden = CONFIG.replace("readers = everybody", "readers = nobody", 1)
    tap.ok(house.reload(hidden), "readers = nobody")
    while not any(kind == "over" for kind, _, _ in stream.events()):
        stream.hear(4096)
    before = len(stream.heard)
    gate.release(4)
    for topic in ("game", "frames"):
        answer = house.get(f"/api/1/events?topic={topic}:{game}")
        tap.ok(answer.code == 403 and "are not public" in answer.text,
               f"{topic}: what was watched before is not told now", answer.text)
    for page in ("live", "projector/slow"):
        tap.ok(game not in house.get(f"/{page}?game={game}").text,
               f"{page}: nor shown")
    stream.socket.settimeout(0.5)
    stream.hear(65536)
    tap.ok(b"data" not in stream.heard[before:], "who watched hears no more",
           stream.heard[before:])
    stream.close()
    tap.ok(house.reload(CONFIG), "readers = everybody")
    gate.release(10000)
    tap.ok(public(house, game), "the game is played to its end")


def test_deaf(house):
    """Frames are longer than lines; those of a game are kept once for all."""
    arena.wait_for(lambda: running(house, "fast"))
    before = house.memory_kb()
    topic = f"frames:{running(house, 'fast')},ladder:fast"
    deaf = [Stream(house, topic, source=f"127.3.0.{i + 1}", room=4096)
            for i in range(DEAF)]
    watchers = 'referee_connections{kind="watchers"}'
    arena.wait_for(lambda: house.metric(watchers) == DEAF)
    most = [before]

    def gone():
        most[0] = max(most[0], house.memory_kb())
        return house.metric(watchers) == 0 or len(house.log()) < 0

    rated = house.metric('referee_games_rated_total{ladder="fast"}')
    arena.wait_for(lambda: gone() or house.metric(
        'referee_games_rated_total{ladder="fast"}') >= rated + 4)
    each = (most[0] - before) / DEAF
    tap.ok(each < EACH_KB, f"one who reads nothing takes {each:.0f} KiB")
    for one in deaf:
        one.close()


with daemon.House(CONFIG + daemon.BOTS + daemon.PAGES) as home:
    passage = Gate(home.root / "gate")
    for name in ("ann", "ben"):
        made = local_bots.add(home, local_bots.folder(
            home.root, name, **{"bot.sh": BOT.format(
                name=name, gate=passage.path, turned=home.root / "turned")}), "--ladder", "slow")
        if made.code != 0:
            raise RuntimeError(str(made))
    for name in ("cat", "dan"):
        made = local_bots.add(home, local_bots.folder(
            home.root, name, **{"bot.sh": "#!/bin/sh\nexec "
                                f"{tap.REFEREE} bench --as-bot\n"}),
            "--ladder", "fast")
        if made.code != 0:
            raise RuntimeError(str(made))
    # Freed memory is not to be kept by the sanitizer.
    home.environ = dict(os.environ, ASAN_OPTIONS=os.environ.get(
        "ASAN_OPTIONS", "") + ":quarantine_size_mb=1")
    home.start()
    arena.wait_for(lambda: running(home, "slow"))
    test_cuts(home, passage)
    test_again(home, passage)
    test_again_alone(home, passage, home.root / "turned")
    test_hidden(home, passage)
    test_deaf(home)
    passage.release(10000)
    tap.equal(home.stop(), 0, "and the daemon ends")
tap.done()
