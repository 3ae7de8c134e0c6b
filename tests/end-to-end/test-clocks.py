#!/usr/bin/env python3
"""Tests that thinking time is charged to the bot that thinks: bots that are
slow on purpose, in several ways, use up their total and lose their game, and no
other bot loses.

A slow bot may be slower than planned, so its asks have only an upper bound.
Quick bots have many times the time that they need.
"""

import concurrent.futures
import socket
import threading

import arena
import daemon
import tap

TOTAL_MS = 4000  # total of each bot; a quick bot takes a fiftieth of it
MOVE_MS = 10 * TOTAL_MS  # so that only the total runs out
THINK_MS = 700  # thinking time of a slow bot for each answer
GAME = 'game = toepen seats = 2 options = { "points=15" }'
LADDER = f"{GAME} move-time = {MOVE_MS} total = {TOTAL_MS} faults = 3"


class Slow:
    """Answers within the time for a move and ignores the total."""

    def __init__(self, serve, name):
        self.serve, self.name = serve, name
        self.token = serve.token(name)
        self.asks = 0  # the number of its last one
        self.game = None
        self.retired = False
        self.come()

    def come(self):
        """Names its game, if it has one: that may end between two connections."""
        self.guest = self.serve.guest(
            self.name, self.token,
            f" resume={self.game}:1" if self.game else "")

    def think(self, ms):
        """Waits at least this long."""
        threading.Event().wait(ms / 1000)

    def play(self):
        """Plays; returns the line that ended its game.  It skips lines that are
        sent again."""
        while (line := self.guest.hear()) is not None:
            words = line.split(" ")
            if words[0] == "game":
                self.game = words[1]
            if words[0] == "ask" and int(words[1]) > self.asks:
                self.asks = int(words[1])
                self.think(THINK_MS)
                self.guest.say(f"do {words[1]} {words[3]}")
            self.retired |= words[0] == "retired"
            if words[0] in ("over", "abort"):
                return line
        return None


class Talks(Slow):
    """Sends much while it thinks, also useless lines."""

    def think(self, ms):
        for i in range(5):
            super().think(ms / 5)
            self.guest.say("say wait for me")
            self.guest.say(f"entropy 0{i}")


class Comes(Slow):
    """Makes a new connection at each ask."""

    def think(self, ms):
        super().think(ms / 2)
        self.guest.close()
        self.come()
        super().think(ms / 2)


KINDS = {"late": Slow, "talks": Talks, "comes": Comes}


def check(serve, kind, slow, told):
    """Checks one game: `told` has the end of it for both bots."""
    tap.ok(told[0] and told[0] == told[1] and told[0].startswith("over "),
           f"{kind}: its game is decided", told)
    tap.ok(slow.retired, f"{kind}: it is retired")
    tap.ok(slow.asks <= TOTAL_MS / THINK_MS + 1,
           f"{kind}: once its total is used up it is not asked", slow.asks)
    record = serve.games(kind)[0]
    seat = record.bots().index(kind)
    tap.equal(record.header("total"), str(TOTAL_MS),
              f"{kind}: the record tells the total")
    tap.equal((record.faults()[seat], record.faults()[1 - seat]),
              (3 * ["timeout"], []),
              f"{kind}: its faults are timeouts, the other has none")
    tap.equal(record.places()[seat], 2, f"{kind}: it has lost")
    tap.equal(tap.referee("verify", record.path).code, 0,
              f"{kind}: the record verifies")


def one_slow_bot_for_all():
    """Tests a bot that sits down for many games and answers in none."""
    patient = f"{GAME} at-once = 3 move-time = 600000"
    with daemon.Daemon({"ladder": patient}) as serve:
        serve.start()
        slow = serve.guest("slow", serve.token("slow"), " multi=yes games=16")
        slow.say("sit ladder")

        def tables():
            return serve.get("/api/1/bots/slow").json()["ladders"][0]["playing"]
        for name in ("a", "b", "c", "d"):
            serve.play(name, "ladder")
        arena.wait_for(lambda: serve.log("game-over"))
        tap.ok(serve.log("game-over"), "not all tables are a slow bot's")
        arena.wait_for(lambda: tables() == 2)
        over = len(serve.log("game-over"))
        arena.wait_for(lambda: len(serve.log("game-over")) > over + 2)
        tap.equal(tables(), 2, "it has half of them")
        slow.close()
        for guest, _ in serve.players:
            guest.socket.shutdown(socket.SHUT_RDWR)


def slow_bots():
    """Runs the slow bots at the same time, each on a ladder of its own."""
    with daemon.Daemon({kind: LADDER for kind in KINDS}) as serve:
        serve.start()
        quick = {kind: serve.guest(f"quick-{kind}",
                                   serve.token(f"quick-{kind}"))
                 for kind in KINDS}
        slow = {kind: KINDS[kind](serve, kind) for kind in KINDS}
        for kind in KINDS:
            quick[kind].say(f"sit {kind}")
            slow[kind].guest.say(f"sit {kind}")
        with concurrent.futures.ThreadPoolExecutor(2 * len(KINDS)) as pool:
            told = {kind: [pool.submit(slow[kind].play),
                           pool.submit(quick[kind].play)] for kind in KINDS}
            told = {kind: [one.result(tap.TIMEOUT_S) for one in both]
                    for kind, both in told.items()}
        for kind in KINDS:
            check(serve, kind, slow[kind], told[kind])
        arena.wait_for(lambda: len(serve.log("game-over")) == len(KINDS))
        tap.equal((len(serve.log("game-over")), serve.log("game-aborted")),
                  (len(KINDS), []), "all are rated, and none is void")
        for guest in [*quick.values(), *(one.guest for one in slow.values())]:
            guest.close()


SLEEPY = """\
while read -r verb ask ms move others && [ "$verb" != bye ]; do
	# luck: it is slow on purpose, and may be slower
	[ "$verb" != ask ] || { sleep 0.2; echo "do $ask $move"; }
done
"""


def a_match(total):
    """Plays a match; `total` is in milliseconds, or None."""
    with arena.Arena() as place:
        sleepy = place.root / "sleepy.sh"
        sleepy.write_text(SLEEPY, "ascii")
        run = place.match("toepen", "--bot", f"sh {sleepy}", "--bot", "house",
                          "--games", 2, "--jobs", 2, "-o", "points=1",
                          *(["--total", total] if total else []))
        seats = [record.bots().index("sleepy") for record in place.records()]
        tap.equal((run.code,
                   [record.header("total") for record in place.records()],
                   [record.forfeits() for record in place.records()]),
                  (0, 2 * [str(total)], [[seat] for seat in seats]) if total
                  else (0, 2 * [None], 2 * [[]]),
                  f"match, a total of {total}")


slow_bots()
one_slow_bot_for_all()
a_match(300)
a_match(None)
tap.done()
