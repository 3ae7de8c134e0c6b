#!/usr/bin/env python3
"""Tests that watchers miss nothing when connections are cut.  End-to-end because a
real worker is lost while they watch.

A game of local bots, which a worker process plays, is watched through twenty
connections, each of which is cut somewhere.  Its worker is killed: the game is
played again, and watchers are told so, also those that were away."""

import os
import re
import socket

import arena
import daemon
import local_bots
import tap

CUTS = 20
SILENCE_S = 0.3  # then the test lets another answer pass, because some are not public
CONFIG = """
sandbox = off
limits { stop-time = 1000 }
local-bots { games = 8 at-once = 4 }
ladder slow { game = toepen seats = 2 readers = everybody at-once = 1
              move-time = 60000 options = { "points=9" } }
ladder fast { game = daumen-drauf seats = 2 readers = everybody at-once = 1
              options = { "games=1" } }
"""
ONE_WORKER = "there is one processor, so one worker"
PLENTY = 1000  # answers: more than a slow game has, and they fit into a pipe
# Waits for a line with its game's ID in a pipe of its own before each answer,
# which is the first token, or later the last one.  So a line for an earlier
# game does not play this one.
BOT = """#!/bin/sh
exec 3<>{gate}
read -r line
echo "bot 1 {name}"
while read -r verb seat time token rest; do
\tcase $verb in
\tgame) game=$seat ;;
\task)
\t\tuntil read -r go <&3 && [ "$go" = "$game" ]; do :; done
\t\tif [ -e {turned} ]; then for token in $token $rest; do :; done; fi
\t\techo "do $seat $token" ;;
\tbye) exit 0 ;;
\tesac
done
"""


# Takes a little while for each answer, because its games cost what is watched.
CALM = """#!/bin/sh
read -r line
echo "bot 1 {name}"
while read -r verb seat time token rest; do
\t[ "$verb" != bye ] || exit 0
\t# luck: it is slow on purpose, and may be slower
\t[ "$verb" != ask ] || { sleep 0.05; echo "do $seat ${token%% *}"; }
done
"""


class Gate:
    """Bounds how many answers each of the slow bots may give in a game."""

    def __init__(self, paths):
        for path in paths:
            os.mkfifo(path)
        self.files = [os.open(path, os.O_RDWR | os.O_NONBLOCK)
                      for path in paths]

    def release(self, game, count):
        for file in self.files:
            try:
                os.write(file, f"{game}\n".encode() * count)
            except BlockingIOError:
                pass  # there is more than enough


class Stream:
    """Holds what one connection hears, until it is cut."""

    def __init__(self, serve, topic, last="", silence=SILENCE_S):
        self.socket = socket.create_connection(
            ("127.0.0.1", serve.port("pages")), arena.PATIENCE_S)
        self.socket.settimeout(silence)
        headers = f"Last-Event-ID: {last}\r\n" if last else ""
        self.socket.sendall(f"GET /api/1/events?topic={topic} HTTP/1.1\r\n"
                            f"Host: a\r\n{headers}\r\n".encode())
        self.heard = b""

    def hear(self, count):
        """Reads at least one more byte, `count` at most, unless the stream ends
        or is silent."""
        try:
            part = self.socket.recv(count)
        except socket.timeout:
            return False
        self.heard += part
        return len(part) > 0

    def wait(self, count=1, kind="", meanwhile=lambda: None):
        """Waits for this many events of a kind; calls meanwhile() before each
        silence."""
        def come():
            return len([one for one, _, _ in self.events()
                        if kind in ("", one)]) >= count

        def hear():
            meanwhile()
            self.hear(4096)
        arena.until(come, hear, f"{count} events {kind}")

    def events(self):
        """Returns (kind, ID, lines) of the events that came whole."""
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


def running(serve, ladder, but=""):
    """Waits for a running game other than `but`; returns its ID."""
    found = []

    def look():
        games = serve.get(f"/api/1/ladders/{ladder}/running").json()["games"]
        found.extend(game["id"] for game in games if game["id"] != but)
    arena.until(lambda: found, look, f"a game of {ladder}")
    return found[0]


def public(serve, game):
    """Returns the lines of a game's record that all may read."""
    path = f"/api/1/records/{game}?view=public"
    arena.wait_for(lambda: serve.get(path).code == 200)
    return serve.get(path).text.partition("\n\n")[2].splitlines()


class Watcher:
    """A reader of a game that comes back with the last ID, and all that it has
    read."""

    def __init__(self, serve, game):
        self.serve, self.game = serve, game
        self.lines, self.last, self.again, self.over = [], "", 0, False
        self.cuts, self.silence = 0, SILENCE_S

    def watch(self, until=lambda _: False):
        """Watches until `until` is true of the connection, the game is over, or
        there is a silence."""
        stream = Stream(self.serve, f"game:{self.game}", self.last, self.silence)
        self.cuts += 1
        dice = tap.dice(f"connection {self.cuts}")  # timing decides how often it draws
        silent = False
        while not silent and not until(stream):
            silent = not stream.hear(dice.randint(1, 4000))
            if any(kind == "over" for kind, _, _ in stream.events()):
                break
        if silent and not has_one(stream):
            self.silence = min(2 * self.silence, arena.GONE_S)  # a slow machine
        for kind, last, lines in stream.events():
            self.last = last or self.last
            self.again += kind == "again"
            self.over |= kind == "over"
            if kind == "again":
                self.lines = []
            self.lines += lines if kind == "game" else []
        stream.close()

    def watch_to_end(self):
        """Connects again until the game is over: hundreds of connections."""
        arena.until(lambda: self.over, self.watch, f"the end of {self.game}", 600)


def count(wanted, stream):
    return sum(kind == wanted for kind, _, _ in stream.events())


def has_one(stream):
    """Returns true if a whole event has come."""
    return any(True for _ in stream.events())


def test_cuts(serve, gate):
    game = running(serve, "slow")
    reader, dice = Watcher(serve, game), tap.dice("cuts")
    for _ in range(CUTS):
        gate.release(game, 1)
        most = dice.choice((20, 500, 800, 1200))
        reader.watch(lambda stream, most=most: len(stream.heard) >= most
                     or has_one(stream))
    arena.until(lambda: reader.lines, lambda: gate.release(
        game, 1) or reader.watch(has_one), "the first lines")
    before = len(reader.lines)
    gate.release(game, PLENTY)
    reader.watch_to_end()
    tap.ok(reader.cuts > CUTS and before > 0,
           f"{reader.cuts} connections, {before} lines by {CUTS} of them")
    tap.equal(reader.lines, public(serve, game), "each line came, once")
    tap.equal(reader.again, 0, "and none again")
    return game


def is_slow(pid):
    """Returns true for a process of a slow bot, which has opened a gate."""
    try:
        return "/gate-" in os.readlink(f"/proc/{pid}/fd/3")
    except OSError:
        return False


def workers(serve):
    """Returns the workers that play slow bots, and the others."""
    processes = serve.processes()
    found = {pid for pid, line in processes.items()
             if re.search(r" play-jobs \d+ -?\d+ $", line) and
             arena.status(pid)[0] == serve.process.pid}
    slow = set()
    for pid in filter(is_slow, processes):
        while pid and pid not in found:
            pid = arena.status(pid)[0]
        slow.add(pid)
    return slow & found, found - slow


def lose(serve, pids):
    """Kills these workers."""
    before = len(serve.log("worker-lost"))
    for pid in pids:
        os.kill(pid, 9)
    return arena.wait_for(lambda: len(serve.log("worker-lost")) == before + len(pids))


def test_again(serve, gate, last):
    game = running(serve, "slow", last)
    here, away = Watcher(serve, game), Watcher(serve, game)

    def one_more():
        gate.release(game, 1)
    arena.until(lambda: away.lines, lambda: one_more() or away.watch(has_one),
                "the first lines")
    stream = Stream(serve, f"game:{game}")
    stream.wait(meanwhile=one_more)
    own, others = workers(serve)
    if not tap.skip("another worker", ONE_WORKER if not others else None):
        tap.ok(lose(serve, others), "another worker is lost")
        stream.wait(count("game", stream) + 1, "game", one_more)
        tap.equal(count("again", stream), 0, "which its watchers do not see")
    tap.ok(own and lose(serve, own), "its worker is lost")
    stream.wait(kind="again")
    tap.ok(True, "who watches is told that it is played again")
    stream.close()
    fresh = Stream(serve, f"game:{game}")
    fresh.wait(kind="game", meanwhile=one_more)
    tap.equal(count("again", fresh), 0, "who comes after that is not")
    fresh.close()
    gate.release(game, PLENTY)
    for reader in (away, here):
        reader.watch_to_end()
    body = public(serve, game)
    tap.equal(here.lines, body, "who comes later sees the second one")
    tap.equal(away.lines, body, "who was away meanwhile, too")
    tap.ok(away.again > 0, "for it is told so")
    return game


def watch_ladder(serve, seconds):
    """Tests that the changes of a ladder are sent once a second."""
    stream = Stream(serve, "ladder:fast")
    stream.wait(seconds + 1)
    stream.close()


def test_again_alone(serve, gate, turned, last):
    """Tests games whose worker or another one is lost while no one watches, so
    that the daemon forgets their lines.  The second time its bots play
    differently."""
    game = running(serve, "slow", last)
    away = Watcher(serve, game)

    def one_more():
        gate.release(game, 1)
        away.watch(has_one)
    arena.until(lambda: len(away.lines) >= 6, one_more, "six lines")
    watch_ladder(serve, 6)
    own, others = workers(serve)
    if not tap.skip("another worker", ONE_WORKER if not others else None):
        tap.ok(lose(serve, others), "another worker is lost when no one watches")
        before = len(away.lines)
        arena.until(lambda: len(away.lines) > before, one_more, "one more line")
        tap.equal(away.again, 0, "which who was away does not see")
    turned.touch()
    watch_ladder(serve, 6)
    tap.ok(own and lose(serve, own), "its worker is lost when no one watches")
    one_more()
    gate.release(game, PLENTY)
    away.watch_to_end()
    tap.equal(away.lines, public(serve, game),
              "who was away when no one watched sees the second one")
    tap.ok(away.again > 0, "and is told so")
    return game


def test_hidden(serve, gate, last):
    """Tests a ladder whose games stop being public while one of them is
    watched."""
    game = running(serve, "slow", last)
    stream = Stream(serve, f"game:{game},ladder:fast")
    stream.wait(kind="game", meanwhile=lambda: gate.release(game, 1))
    hidden = CONFIG.replace("readers = everybody", "readers = nobody", 1)
    tap.ok(serve.reload(hidden), "readers = nobody")
    stream.wait(kind="over")
    for topic in ("game", "frames"):
        answer = serve.get(f"/api/1/events?topic={topic}:{game}")
        tap.ok(answer.code == 403 and "are not public" in answer.text,
               f"{topic}: what was watched before is not told now", answer.text)
    for page in ("live", "projector/slow"):
        text = serve.get(f"/{page}?game={game}").text
        tap.ok(f'data-game="{game}"' not in text, f"{page}: nor shown", text)
    before = len(list(stream.events()))
    gate.release(game, PLENTY)
    tap.ok(arena.wait_for(lambda: any(game in path.name for path in
                                      serve.records("slow"))),
           "the game is played to its end")
    # The later events of this connection show that all of that has come.
    stream.wait(count("ladder", stream) + 2, "ladder")
    tap.equal({kind for kind, _, _ in list(stream.events())[before:]}, {"ladder"},
              "who watched hears no more")
    stream.close()
    tap.ok(serve.reload(CONFIG), "readers = everybody")
    tap.ok(public(serve, game), "and then all may read it")


with daemon.Daemon(CONFIG + daemon.BOTS + daemon.PAGES) as home:
    passage = Gate([home.root / f"gate-{name}" for name in ("ann", "ben")])
    for name in ("ann", "ben"):
        made = local_bots.add(home, local_bots.folder(
            home.root, name, **{"bot.sh": BOT.format(
                name=name, gate=home.root / f"gate-{name}",
                turned=home.root / "turned")}), "--ladder", "slow")
        if made.code != 0:
            raise RuntimeError(str(made))
    for name in ("cat", "dan"):
        made = local_bots.add(home, local_bots.folder(
            home.root, name, **{"bot.sh": CALM.replace("{name}", name)}),
            "--ladder", "fast")
        if made.code != 0:
            raise RuntimeError(str(made))
    home.start()
    game = test_cuts(home, passage)
    game = test_again(home, passage, game)
    game = test_again_alone(home, passage, home.root / "turned", game)
    test_hidden(home, passage, game)
    tap.equal(home.stop(), 0, "and the daemon ends")
tap.done()
