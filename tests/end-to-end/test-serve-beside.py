#!/usr/bin/env python3
"""Tests other programs beside a daemon: commands that read its ladders,
commands that may not write to them, and a starter that listens for it and is
told its state.  End-to-end because there are several processes."""

import os
import pathlib
import queue
import shutil
import signal
import socket
import subprocess
import threading
import time

import arena
import daemon
import tap

CONFIG = 'ladder quick { game = daumen-drauf seats = 2 options = ' \
         '{ "games=1" } }'
# Starts the daemon as systemd does: descriptor 3 listens, and LISTEN_PID is its
# process.
STARTER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_ladder(serve, ladder):
    serve.play("alice", "quick")
    serve.play("bob", "quick")
    arena.wait_for(lambda: len(serve.log("game-over")) > 3)
    show = tap.referee("ladder", "show", "--ladder", ladder)
    tap.ok(show.code == 0 and "alice" in show.out and "bob" in show.out,
           "the ladder of a daemon can be read", show)
    tap.complains(tap.referee("match", "daumen-drauf", "--bot", "random",
                              "--name", "a", "--bot", "random", "--name", "b",
                              "--games", "1", "--exact", "--ladder", ladder), 3,
                  f"in use by another referee (process {serve.process.pid})",
                  "a match on it is refused in one sentence")
    asks = serve.asks
    tap.ok(arena.wait_for(lambda: serve.asks > asks + 50),
           "and the daemon plays on")


class Starter:
    """Has the socket for notifications and one that listens.  A thread reads
    the first at once, as systemd does, because a message to a full socket is
    lost."""

    def __init__(self, root):
        self.path = root / "notify.sock"
        self.told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.told.bind(str(self.path))
        self.said = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]

    def read(self):
        while True:
            self.said.put(self.told.recv(1024).decode())

    def next(self):
        return self.next_whole().split("\n")[0]

    def next_whole(self):
        while (said := self.said.get(timeout=arena.PATIENCE_S)) == "WATCHDOG=1":
            pass
        return said

    def start(self, config):
        file = self.path.parent / "starter.conf"
        file.write_text(config)
        return subprocess.Popen(
            [*tap.PYTHON, "-c", STARTER, str(self.listening.fileno()),
             tap.REFEREE, "serve", "--config", str(file)],
            pass_fds=[self.listening.fileno()], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=dict(os.environ, NOTIFY_SOCKET=str(self.path),
                     WATCHDOG_USEC="4000000"))


def test_starter(root):
    starter = Starter(root)
    config = (f'data = "{root}/started"\n{CONFIG}\n'
              f"listener bots {{ kind = tcp port = {starter.port} }}\n")
    process = starter.start(config)
    tap.equal(starter.next(), "READY=1", "the starter is told of the start")
    with socket.create_connection(("127.0.0.1", starter.port),
                                  arena.PATIENCE_S) as bot:
        bot.sendall(b"bot 1 nobody token=none\n")
        tap.ok(b"error" in bot.makefile("rb").read(),
               "the listener that it gave is listened at")
    tap.equal(starter.said.get(timeout=arena.PATIENCE_S), "WATCHDOG=1",
              "the watchdog is fed")
    before = time.monotonic_ns() // 1000  # luck: what comes first is earlier
    process.send_signal(signal.SIGHUP)
    said = starter.next_whole().split("\n")
    tap.equal(said[0], "RELOADING=1", "of a new configuration")
    tap.ok(len(said) == 2 and said[1].startswith("MONOTONIC_USEC=")
           and before <= int(said[1].partition("=")[2])
           <= time.monotonic_ns() // 1000,  # luck: and this is later
           "and since when", said)
    tap.equal(starter.next(), "READY=1", "and when it is in force")
    process.send_signal(signal.SIGTERM)
    tap.equal(starter.next(), "STOPPING=1", "and of the end")
    process.communicate(timeout=arena.PATIENCE_S)
    tap.equal(process.returncode, 0, "which comes")
    process = starter.start(
        config.replace(f"port = {starter.port}", "port = 0"))
    said = process.communicate(timeout=arena.PATIENCE_S)[1].decode("latin-1")
    tap.ok(process.returncode == 3 and "descriptor 3" in said,
           "one that no listener has is refused", said)


def walls(name):
    """Returns what a unit allows, which is the same in all units that start the
    same boxes."""
    text = (tap.SOURCE_DIR / "doc" / name).read_text("ascii")
    return text.partition("\n# Control groups")[2].partition("[Install]")[0]


def test_units(root):
    """Tests that systemd, where it is installed, accepts our units."""
    tap.ok(len(walls("referee.service")) > 1000, "a unit has walls")
    tap.equal(walls("referee-worker.service"), walls("referee.service"),
              "a worker's are those of the daemon")
    if shutil.which("systemd-analyze") is None:
        tap.ok(True, "the units # SKIP no systemd-analyze")
        return
    units = []
    for name in ("referee.service", "referee-worker.service",
                 "referee.socket"):
        text = (tap.SOURCE_DIR / "doc" / name).read_text("ascii")
        units.append(root / name)
        units[-1].write_text(text.replace("/usr/local/bin/referee",
                                          str(tap.REFEREE)), "ascii")
    done = tap.run(["systemd-analyze", "verify", "--man=no", *units])
    ours = [line for line in (done.out + done.err).split("\n")
            if "referee" in line]
    tap.ok(done.code == 0 and not ours, "systemd takes the units", done)


with arena.Arena() as place:
    with daemon.Daemon(CONFIG, root=place.root) as server:
        server.start()
        test_ladder(server, pathlib.Path(server.data, "ladders", "quick",
                                         "ladder.db"))
        server.stop()
    test_starter(place.root)
    test_units(place.root)
tap.done()
