"""A daemon in a folder of its own, and what is around it: configuration, log,
ports, tokens, connections.

    with daemon.House(ladders, limits) as house:
        token = house.token("alice")
        house.start()
        alice = house.guest("alice", token)
        alice.say("sit toepen")
        ...
        house.stop()
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import arena
import tap

LIMITS = {"connections": 1000, "connections-per-address": 1000,
          "unauthenticated": 1000, "lines-per-second": 5000,
          "return-time": 2000, "stop-time": 1000}
LISTENERS = """listener "plain" {{ kind = tcp port = 0 }}
listener "safe" {{ kind = tls port = 0 certificate = "{0}" key = "{1}" }}
"""


def make_certificate(folder):
    """Whether there is one now; `openssl` makes it."""
    if shutil.which("openssl") is None:
        return False
    return tap.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-keyout", folder / "key.pem",
                    "-out", folder / "cert.pem"]).code == 0


class Guest:
    """A connection, as lines."""

    def __init__(self, port, hello):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.file = self.socket.makefile("rb")
        self.told = None  # how its last game ended
        self.say(hello)

    def say(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def hear(self):
        """A line, or None at the end."""
        line = self.file.readline()
        return line[:-1].decode() if line.endswith(b"\n") else None

    def hear_until(self, verb):
        """The first line that begins so, or None; a `@ID ` does not count."""
        while (line := self.hear()) is not None:
            words = line.split(" ")
            if words[words[0][:1] == "@"] == verb:
                return line
        return None

    def play(self):
        """Answers the first token until a game is over; that line."""
        while (line := self.hear()) is not None:
            words = line.split(" ")
            if words[0] == "ask":
                self.say(f"do {words[1]} {words[3]}")
            elif words[0] in ("over", "abort"):
                self.told = line
                return line
        return None

    def rest(self):
        """All that still comes."""
        lines = []
        while (line := self.hear()) is not None:
            lines.append(line)
        return lines

    def close(self):
        self.file.close()
        self.socket.close()


class House:
    """`ladders`: a section's text for each by its name."""

    def __init__(self, ladders, limits=(), root=None):
        self.own = root is None
        self.root = pathlib.Path(
            root or tempfile.mkdtemp(prefix="referee-test-"))
        self.data = self.root / "data"
        self.ladders, self.process, self.ports = list(ladders), None, []
        self.lives, self.environ = 0, None
        self.tls = make_certificate(self.root)
        self.configure(ladders, dict(LIMITS, **dict(limits)))

    def configure(self, ladders, limits):
        listeners = LISTENERS.format(self.root / "cert.pem",
                                     self.root / "key.pem")
        if not self.tls:
            listeners = listeners.split("\n", maxsplit=1)[0]
        text = [f'data = "{self.data}"', listeners, "limits {"]
        text += [f"{key} = {value}" for key, value in limits.items()] + ["}"]
        text += [f'ladder "{name}" {{ {what} }}'
                 for name, what in ladders.items()]
        (self.root / "conf").write_text("\n".join(text) + "\n", "ascii")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.kill()
        if self.own:
            shutil.rmtree(self.root, ignore_errors=True)

    def token(self, name):
        made = tap.referee("bots", "token", name, "--data", self.data)
        if made.code != 0:
            raise RuntimeError(f"no token: {made}")
        return made.out.strip()

    # ---- the process

    def log_file(self):
        return self.root / f"log-{self.lives}"

    def log(self, event=None):
        """Lines of this life, of one kind."""
        lines = self.log_file().read_text("utf-8").splitlines()
        return [line for line in lines
                if event is None or f" event={event}" in line + " "]

    def wait_for_log(self, event, count=1, seconds=60):
        return arena.wait_for(lambda: len(self.log(event)) >= count
                              or self.process.poll() is not None, seconds)

    def launch(self):
        """Does not wait until it listens."""
        self.lives += 1
        with open(self.log_file(), "wb") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "serve", "--config", str(self.root / "conf")],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=self.environ)

    def start(self):
        self.launch()
        self.wait_for_log("listening", 1 + self.tls)
        self.ports = [int(re.search(r" port=(\d+)", line).group(1))
                      for line in self.log("listening")]
        if len(self.ports) < 1 + self.tls:
            raise RuntimeError("no daemon: " + "\n".join(self.log()))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def term(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds=60):
        """Its exit code."""
        code = self.process.wait(seconds)
        self.process = None
        return code

    def guest(self, name, token, more=""):
        return Guest(self.ports[0], f"bot 1 {name} token={token}{more}")

    # ---- what the kernel knows of it

    def descriptors(self):
        return len(list(
            pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def memory_kb(self):
        """Of its own; files that it has mapped do not count."""
        text = pathlib.Path(
            f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(r"^RssAnon:\s+(\d+)", text, re.M).group(1))

    # ---- what it has left

    def ladder(self, what, name, *arguments):
        return tap.referee("ladder", what, "--ladder",
                           self.data / "ladders" / name / "ladder.db",
                           *arguments)

    def records(self, name):
        return sorted((self.data / "ladders" / name / "records").iterdir())


# ---- a disk of its own ----------------------------------------------------

def may_mount():
    """In a mount namespace of our own, which goes when this process does."""
    if os.environ.get("REFEREE_TEST_MOUNTS"):
        return True
    if shutil.which("unshare") and tap.run(
            ["unshare", "-m", "sh", "-c",
             "mount -t tmpfs -o size=64k none /tmp"]).code == 0:
        os.environ["REFEREE_TEST_MOUNTS"] = "1"
        sys.stdout.flush()
        os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
    return False


class Disk:
    """Of the daemon's data; None: as large as ours."""

    def __init__(self, house, size):
        self.ballast = house.data / "ballast"
        house.data.mkdir()
        house.data.chmod(0o700)
        self.is_own = may_mount() and tap.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700",
             "none", house.data]).code == 0

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            block = bytes(1 << 16)
            try:
                while file.write(block) > 0:
                    pass
            except OSError:
                pass

    def free(self):
        self.ballast.unlink()
