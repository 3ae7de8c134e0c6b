#!/usr/bin/env python3
"""Tests the random bots of all kits on a ladder of a daemon: over TCP, over
TLS, and over TCP connections that are cut all the time.  All games verify, and
no bot is charged with a fault.  End-to-end for kits and TLS."""

import os
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import threading

import arena
import daemon
import tap

GAMES = 200 if os.environ.get("CHECK_ALL") == "1" else 12
LADDER = """limits { return-time = 600000 stop-time = 600000 }
ladder "main" {
	game = toepen
	seats = 3
	move-time = 3600000
	options = { "points=3" }
}
"""
NODE = os.environ.get("NODE") or shutil.which("node") or ""
KITS = {
    "python": shlex.split(arena.python_bot("sample-bots/python/random_bot.py")),
    "c": [tap.BUILD_DIR / "tests" / "kits" / "random-bot-tls"],
}
if shutil.which(NODE):
    KITS["javascript"] = [
        NODE, tap.SOURCE_DIR / "sample-bots/javascript/random-bot.js"]
else:
    tap.note("no node here: another bot in Python plays for JavaScript")
    KITS["javascript"] = KITS["python"]


class Scissors:
    """Passes bytes between bots and a daemon, and cuts connections."""

    def __init__(self, port):
        self.port = port
        self.dice = tap.dice("cuts")
        self.cuts = 0
        self.sharp = True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.own_port = self.listener.getsockname()[1]
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            bot = self.listener.accept()[0]
            referee = socket.create_connection(("127.0.0.1", self.port))
            threading.Thread(target=self.carry, args=(bot, referee),
                             daemon=True).start()

    def carry(self, bot, referee):
        """Passes on this many bytes of the referee, then cuts the connection."""
        left = self.dice.randint(30, 3000)
        try:
            while left > 0 or not self.sharp:
                for sock in select.select([bot, referee], [], [])[0]:
                    data = sock.recv(65536)
                    if not data:
                        return
                    if sock is bot:
                        referee.sendall(data)
                        continue
                    bot.sendall(data[:left] if self.sharp else data)
                    left -= len(data)
            self.cuts += 1
        except OSError:
            pass
        finally:
            self.let_go(bot, referee)

    def let_go(self, *ends):
        for sock in ends:
            if self.dice.random() < 0.5:  # a reset loses bytes on their way
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                struct.pack("ii", 1, 0))
            sock.close()


def start(place, port, trust):
    """Starts all bots; returns their processes by name."""
    bots = {}
    for name, command in KITS.items():
        with (place.root / f"{name}.err").open("wb") as err:
            bots[name] = place.start_beside(
                [*command, "--connect", f"127.0.0.1:{port}", "--name", name,
                 "--token-file", place.token_file(name), "--ladder", "main",
                 *trust.get(name, [])], stderr=err)
    return bots


def say(place):
    """Prints what might explain a failure."""
    return place.text() + "".join(path.read_text("ascii", "replace")[-2000:]
                                  for path in place.root.glob("*.err"))


def leave(place, bots, what):
    """Tells all bots to stop; running games are played to their end."""
    for bot in bots.values():
        bot.send_signal(signal.SIGTERM)
    for name, bot in bots.items():
        try:
            code = bot.wait(tap.TIMEOUT_S)
        except subprocess.TimeoutExpired:
            code = None
        tap.ok(code == 0, f"{what}: {name} leaves when it is told to",
               f"exit code {code}\n{say(place)}")
    tap.equal(place.stop(), 0, f"{what}: the daemon stops")


def look_at(place, what):
    records = place.games("main")
    charged = [(record.path.name, record.faults()) for record in records
               if any(record.faults()) or record.aborted()]
    tap.ok(len(records) >= GAMES and not charged,
           f"{what}: {GAMES} games and more, and no faults",
           f"{len(records)} games, {charged}\n{say(place)}")
    tap.ok(all(sorted(record.bots()) == sorted(KITS) for record in records),
           f"{what}: each with one bot of each kit",
           [record.bots() for record in records][:3])
    run = tap.referee("verify", *(record.path for record in records))
    tap.equal(run.code, 0, f"{what}: all verify") or tap.note(run)


def play(what, listener, trust, scissors=False):
    with daemon.Daemon(LADDER, tls=listener == "safe") as place:
        port = place.start().port(listener)
        cutter = Scissors(port) if scissors else None
        bots = start(place, cutter.own_port if cutter else port, trust)
        arena.wait_for(lambda: len(place.records("main", "*.rec")) >= GAMES
                       and (not cutter or cutter.cuts > GAMES),
                       1800)
        if cutter:
            tap.ok(cutter.cuts > GAMES, f"{what}: there were more cuts than "
                   f"{GAMES}", cutter.cuts)
            cutter.sharp = False
        leave(place, bots, what)
        look_at(place, what)


play("TCP", "bots", {})
if shutil.which("openssl"):
    play("TLS", "safe", {name: ["--tls", "--ca", "cert.pem"]
                      for name in KITS})
else:
    tap.note("no openssl here: no certificate for TLS")
play("cuts", "bots", {}, scissors=True)
tap.done()
