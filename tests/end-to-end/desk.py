"""A `referee serve` for the tests here, bots that play on it, and HTTP by hand.

    with desk.Daemon(place.root, "ladder quick { game = toepen }") as serve:
        serve.play("alice", "quick")        # a bot in a thread
        serve.get("/metrics").text

The configuration gets a listener for bots and one for pages, both at ports
that are free, unless it has some.
"""

import json
import os
import re
import signal
import socket
import subprocess
import threading

import arena
import tap

LISTENERS = """
listener bots { kind = tcp port = 0 }
listener pages { kind = http port = 0 }
"""


class Answer:
    """What came back: code, headers by their names in small letters, text."""

    def __init__(self, raw):
        head, _, body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        words = lines[0].split(" ", 2)
        self.code = int(words[1]) if len(words) > 1 else 0
        self.headers = {key.lower(): value for key, _, value in
                        (line.partition(": ") for line in lines[1:])}
        self.text = body.decode("latin-1")

    def json(self):
        return json.loads(self.text)


class Daemon:
    """One daemon, which has started when this is there."""

    def __init__(self, root, config, arguments=(), **options):
        self.root = root
        self.file = root / "referee.conf"
        self.data = root / "data"
        self.log = root / "serve.log"
        self.bots = []
        self.asks = 0  # that bots have answered
        self.write(config)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "serve", "--config", str(self.file), *arguments],
                cwd=root, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                **options)
        arena.wait_for(lambda: self.says("listener=pages")
                       or self.process.poll() is not None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for bot in self.bots:
            bot.join(tap.TIMEOUT_S)

    def write(self, config):
        if "listener " not in config:
            config += LISTENERS
        self.file.write_text(f'data = "{self.data}"\n{config}\n')

    # ---- its log ---------------------------------------------------------

    def lines(self, event):
        return [line for line in self.log.read_text("latin-1").splitlines()
                if f" event={event}" in line]

    def says(self, part, count=1):
        return self.log.read_text("latin-1").count(part) >= count

    def port(self, listener):
        found = re.findall(rf"event=listening listener={listener} .*port=(\d+)",
                           self.log.read_text("latin-1"))
        return int(found[-1])

    # ---- what it is told -------------------------------------------------

    def reload(self, config=None):
        """SIGHUP; whether it took the configuration."""
        events = ("event=configuration-read", "event=configuration-refused")
        if config is not None:
            self.write(config)
        text = self.log.read_text("latin-1")
        before = [text.count(event) for event in events]
        self.process.send_signal(signal.SIGHUP)
        arena.wait_for(lambda: self.says(events[0], before[0] + 1)
                       or self.says(events[1], before[1] + 1))
        return self.says(events[0], before[0] + 1)

    def stop(self):
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(tap.TIMEOUT_S)

    # ---- pages -----------------------------------------------------------

    def raw(self, request, port=None, source="127.0.0.1"):
        """The bytes that come back for these."""
        with socket.create_connection(
                ("127.0.0.1", port or self.port("pages")), 30,
                (source, 0)) as http:
            http.settimeout(60)
            try:
                http.sendall(request)
                parts = []
                while part := http.recv(65536):
                    parts.append(part)
            except ConnectionError:
                pass
            return b"".join(parts)

    def get(self, path, method="GET", headers="", source="127.0.0.1"):
        return Answer(self.raw(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"
            .encode("latin-1"), source=source))

    def metric(self, name):
        """Its value, or None; `name` with its labels."""
        for line in self.get("/metrics").text.splitlines():
            key, _, value = line.rpartition(" ")
            if key == name:
                return float(value)
        return None

    # ---- bots ------------------------------------------------------------

    def token(self, name):
        done = tap.referee("bots", "token", name, "--data", self.data)
        return done.out.strip()

    def play(self, name, *ladders):
        """A bot that answers the first token, in a thread, until the
        connection ends."""
        bot = threading.Thread(target=self._play, args=(
            name, ladders, self.token(name), self.port("bots")))
        bot.start()
        self.bots.append(bot)

    def _play(self, name, ladders, token, port):
        try:
            with socket.create_connection(("127.0.0.1", port), 30) as link:
                lines = link.makefile("r", encoding="ascii", newline="\n")
                link.sendall(f"bot 1 {name} token={token}\n"
                             f"sit {' '.join(ladders)}\n".encode())
                link.settimeout(None)
                for line in lines:
                    words = line.split()
                    if words[0] == "ask":
                        self.asks += 1
                        link.sendall(f"do {words[1]} {words[3]}\n".encode())
                    elif words[0] == "ping":
                        link.sendall(f"pong {line[5:]}".encode())
        except OSError:
            pass  # it was killed


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def sockets(process):
    """Its connections and listeners; files come and go as games end."""
    count = 0
    folder = f"/proc/{process.pid}/fd"
    for name in os.listdir(folder):
        try:
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
        except FileNotFoundError:
            pass
    return count
