#!/usr/bin/env python3
"""Plays hundreds of bots over TCP and TLS from one process.

    remote-bots.py --ports FILE --bots FILE --told FILE [--tally FILE]

The first line of the ports' file is `TCP TLS`; it is read before each
connection, so that the daemon can be another one each time.  The bots' file has
a line for each bot: NAME TOKEN MANNER GAMES KIND LADDER..., where KIND is tcp
or tls.  The program writes down which results it was told: a line `over ID
HASH` or `abort ID WHY` for each such line, before it reads anything else.  At
SIGTERM it closes all connections and writes the tally, a line `NAME COUNT` for
each thing that it counted.

Manners:
    good     answers at once
    slow     takes its time for some answers
    cuts     loses its connection now and then, and comes back with resume=
    forgets  loses it, too, and comes back without resume=
    dies     loses it, too, and comes back when it is too late
    bad      gives illegal answers, and sends unknown lines
"""

import argparse
import asyncio
import collections
import os
import pathlib
import random
import signal
import ssl
import time

LINES_A_LIFE = {"cuts": 400, "forgets": 600, "dies": 900}  # at most
TOO_LATE_S = 4  # too late to come back
AGAIN_S = 0.2  # before it tries again if nothing listens
DAWDLE_S = 0.05
NONSENSE = (b"do", b"wrong", b"do 1 2 3", b"@x do 1 pass", b"\x01", b"rest 1",
            b"@" + b"0" * 32 + b" do 1 pass", b"pong 7", b"bot 1 again")


class Bot:
    def __init__(self, serve, words):
        self.serve = serve
        self.name, self.token, self.manner = words[:3]
        self.games_max, self.kind, self.ladders = \
            int(words[3]), words[4], words[5:]
        self.multi = self.games_max > 1
        self.lines = {}  # how many lines of each running game were read
        self.game = None  # without multi=yes
        self.writer = None
        self.dice = random.Random(
            f"{os.environ.get('CHECK_SEED', '1')} {self.name}")

    def count(self, what):
        self.serve.tally[what] += 1

    def hello(self):
        words = ["bot", "1", self.name, "token=" + self.token]
        if self.multi:
            words += ["multi=yes", f"games={self.games_max}"]
        if self.dice.random() < 0.5:
            words.append("entropy=yes")
        if self.lines:
            words.append("resume=" + ",".join(
                f"{id_}:{lines}" for id_, lines in self.lines.items()))
        return " ".join(words).encode()

    def write(self, line):
        self.writer.write(line + b"\n")

    def say(self, id_, text):
        self.write((f"@{id_} {text}" if self.multi else text).encode())

    def answer(self, id_, words):
        number, tokens = words[1], words[3:]
        token = self.dice.choice(tokens)
        if ".." in token:
            token = token.split("..")[0]
        if self.manner == "bad" and self.dice.random() < 0.02:
            token = "knock:on:wood"
        self.say(id_, f"do {number} {token}")

    def over(self, id_, words):
        self.serve.tell(" ".join(words))
        self.lines.pop(id_, None)
        self.count(words[0])

    async def hear_game(self, id_, words):
        """Hears a line of a game that counts."""
        if words[0] == "game":
            self.game = id_ = words[1]
            self.lines[id_] = 0
        if id_ not in self.lines:
            self.count("lines of no game")
            return
        self.lines[id_] += 1
        if words[0] == "ask":
            if self.manner == "slow" and self.dice.random() < 0.1:
                await asyncio.sleep(self.dice.uniform(0, DAWDLE_S))
            self.answer(id_, words)
        elif words[0] == "entropy?":
            self.say(id_, f"entropy {self.dice.getrandbits(64):016x}")
        elif words[0] in ("over", "abort"):
            self.over(words[1], words)

    async def hear(self, line):
        id_ = self.game
        if line[0] == "@":
            prefix, _, line = line.partition(" ")
            id_ = prefix[1:]
        words = line.split(" ")
        if words[0] == "ping":
            self.write(b"pong " + line[5:].encode())
        elif words[0] == "gone":
            self.lines.pop(words[1], None)
            self.count("gone")
        elif words[0] == "error":
            self.count("error: " + line[6:])
        elif words[0] not in ("referee", "bye"):
            await self.hear_game(id_, words)
        if self.manner == "bad" and self.dice.random() < 0.01:
            self.write(self.dice.choice(NONSENSE))

    async def life(self, reader):
        """Serves one connection.  Lines that were read whole count, whatever
        happens afterwards."""
        most = LINES_A_LIFE.get(self.manner)
        left = self.dice.randint(1, most) if most else None
        self.write(self.hello())
        self.write(("sit " + " ".join(self.ladders)).encode())
        while left is None or left > 0:
            line = await reader.readline()
            if not line.endswith(b"\n"):
                return
            await self.hear(line[:-1].decode())
            left = left if left is None else left - 1
        self.count("connections cut")

    async def connect(self):
        port, context = self.serve.door(self.kind)
        reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=context)
        try:
            await self.life(reader)
        finally:
            self.writer.transport.abort()

    async def live(self):
        while True:
            self.serve.here += 1
            try:
                await self.connect()
            except (OSError, ValueError, IndexError):
                self.count("connections failed")
                await asyncio.sleep(AGAIN_S)
            if self.manner in ("forgets", "dies"):
                self.lines, self.game = {}, None
            await asyncio.sleep(TOO_LATE_S if self.manner == "dies"
                                else self.dice.uniform(0, AGAIN_S))


class Daemon:
    def __init__(self, arguments):
        self.ports = pathlib.Path(arguments.ports)
        self.told = open(arguments.told, "a", encoding="ascii", buffering=1)
        self.tally = collections.Counter()
        self.here = 0
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def door(self, kind):
        ports = self.ports.read_text("ascii").split()
        if kind == "tls":
            return int(ports[1]), self.context
        return int(ports[0]), None

    def tell(self, line):
        self.told.write(line + "\n")


async def play(serve, bots):
    loop = asyncio.get_running_loop()
    lives = [asyncio.ensure_future(bot.live()) for bot in bots]
    for life in lives:
        loop.add_signal_handler(signal.SIGTERM,
                                lambda: [one.cancel() for one in lives])
    ended = await asyncio.gather(*lives, return_exceptions=True)
    for what in ended:
        if not isinstance(what, asyncio.CancelledError):
            raise what


def main():
    parser = argparse.ArgumentParser()
    for name in ("ports", "bots", "told"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--tally")
    arguments = parser.parse_args()
    serve = Daemon(arguments)
    with open(arguments.bots, encoding="ascii") as file:
        bots = [Bot(serve, line.split()) for line in file]
    began = time.monotonic()
    asyncio.run(play(serve, bots))
    if arguments.tally:
        serve.tally["seconds"] = int(time.monotonic() - began)
        pathlib.Path(arguments.tally).write_text("".join(
            f"{name}\t{count}\n"
            for name, count in sorted(serve.tally.items())), "utf-8")


main()
