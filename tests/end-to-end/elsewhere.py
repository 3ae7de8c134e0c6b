"""Runs a daemon, bots that play there by `referee connect`, and bad connections
between them.

    with elsewhere.Daemon(place, ladders) as serve:     # place: arena.Arena
        bot = elsewhere.Away(place, "alice", serve.port("bots"), command,
                             "--ladder", "main")
        bot.wait_for_games(3)
        bot.leave()                                      # its exit code
"""

import signal
import socket
import subprocess
import threading

import arena
import daemon
import tap

HOST = "127.0.0.1"


def fingerprint(folder):
    """Returns the fingerprint of the certificate in a folder."""
    shown = tap.run(["openssl", "x509", "-in", folder / "cert.pem",
                     "-noout", "-fingerprint", "-sha256"])
    return shown.out.strip().split("=")[1]


def ladder(name, *lines):
    return "\n".join([f'ladder "{name}" {{', "game = toepen", "seats = 2",
                      'options = { "points=3" }', "pairing = random",
                      *lines, "}\n"])


class Daemon(daemon.Daemon):
    """Starts a daemon in the folder of an arena."""

    def __init__(self, place, *ladders, tls=False):
        super().__init__("".join(ladders), root=place.root, tls=tls)
        self.environ = place.environ
        self.start()


class Away:
    """A running `referee connect`; `command` is a list of words."""

    def __init__(self, place, name, port, command, *arguments, jobs=1):
        self.name = name
        self.out = place.root / f"{name}.out"
        self.err = place.root / f"{name}.err"
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen(
                [tap.REFEREE, "connect", f"{HOST}:{port}", "--name", name,
                 "--token-file", f"{name}.token", "--jobs", str(jobs),
                 *map(str, arguments), "--", *map(str, command)],
                cwd=place.root, env=place.environ, stdin=subprocess.DEVNULL,
                stdout=out, stderr=err)

    def games(self, how="over"):
        """Returns the IDs of the games that ended in this way."""
        lines = self.out.read_text("ascii").split("\n")[:-1]
        return [line.split()[1] for line in lines if line.startswith(how)]

    def wait_for_games(self, count, how="over"):
        return arena.wait_for(lambda: len(self.games(how)) >= count
                              or self.process.poll() is not None)

    def wait(self):
        return self.process.wait(tap.TIMEOUT_S)

    def leave(self):
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def said(self):
        return self.err.read_text("latin-1")

    def __repr__(self):
        return f"{self.name}: {self.process.poll()} {self.said()[-2000:]}"


class Proxy:
    """Passes bytes on to `port`, and breaks the first `cuts` connections after
    a random number of bytes."""

    LEAST, MOST = 200, 3000

    def __init__(self, port, cuts, dice):
        self.port, self.cuts, self.dice = port, cuts, dice
        self.done = 0
        self.listener = socket.create_server((HOST, 0))
        self.own = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            try:
                Pair(self, near, socket.create_connection((HOST, self.port)))
            except ConnectionError:  # a later connection may find a daemon
                near.close()

    def close(self):
        self.listener.close()


class Pair:
    """Two ends and how many bytes they may still exchange."""

    def __init__(self, proxy, near, far):
        self.proxy, self.ends = proxy, (near, far)
        self.lock = threading.Lock()
        self.left = proxy.dice.randint(proxy.LEAST, proxy.MOST) \
            if proxy.done < proxy.cuts else None
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self.carry, args=(one, other),
                             daemon=True).start()

    def take(self, data):
        """Returns the part of the data that may still pass, and true if that is
        the end."""
        with self.lock:
            if self.left is None or len(data) < self.left:
                if self.left is not None:
                    self.left -= len(data)
                return data, False
            data = data[:max(self.left, 0)]
            if self.left > 0:
                self.proxy.done += 1
            self.left = 0
            return data, True

    def carry(self, one, other):
        try:
            while data := one.recv(65536):
                data, ends = self.take(data)
                other.sendall(data)
                if ends:
                    break
        except OSError:
            pass
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


