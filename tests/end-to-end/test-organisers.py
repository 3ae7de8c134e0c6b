#!/usr/bin/env python3
"""Tests that all commands of doc/ORGANISERS.md work, by walk.py.  The server's
folders lie in a test folder, its users are replaced by one, and this script
takes the place of systemd."""

import os
import re
import shutil
import signal
import subprocess

import arena
import machine
import tap
import walk

TEXT = (tap.SOURCE_DIR / "doc" / "ORGANISERS.md").read_text("utf-8")
# Only these commands may be left out: they change the machine, or need a name
# in the DNS, midnight, or the ID of a game.
UNTESTED = re.compile(
    r"sudo (apt|certbot|chmod) |\./bootstrap build$|make -C build (deb|dist)$|"
    r"sudo journalctl -u referee \| grep event=sandbox$|echo .* \| sudo at |"
    r"sudo -u referee referee ladder void [0-9a-f]{8} |"
    r"sudo cp build/referee-\*\.tar\.xz ")
INSTALLED = {"/usr/share/referee/check-record.py":
             "tests/independent/check-record.py",
             "/usr/share/referee/follow.py": "tests/independent/follow.py"}


class Service:
    """Does for the daemon what systemctl does."""

    def __init__(self, root):
        self.root, self.log, self.process = root, root / "log", None
        self.log.touch()

    def wait(self, event, before):
        """Waits until the log has one more of these events."""
        arena.wait_for(lambda: self.count(event) > before or
                       self.process.poll() is not None)
        return self.count(event) > before

    def count(self, event):
        return self.log.read_text("latin-1").count(f" event={event}")

    def start(self):
        before = self.count("listening listener=pages")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "serve", "--config",
                 self.root / "etc" / "referee.conf"], stderr=log,
                stdin=subprocess.DEVNULL)
        return self.wait("listening listener=pages", before)

    def stop(self):
        if self.process is None:
            return True
        self.process.send_signal(signal.SIGTERM)
        code, self.process = self.process.wait(), None
        return code == 0

    def restart(self):
        return self.stop() and self.start()

    def reload(self):
        before = self.count("configuration-read")
        self.process.send_signal(signal.SIGHUP)
        return self.wait("configuration-read", before)


def localised(text, root):
    """The text as it would be if the server were a folder of ours."""
    for path, ours in INSTALLED.items():
        text = text.replace(path, str(tap.SOURCE_DIR / ours))
    text = text.replace("/usr/share/referee/sample-bots", str(root / "sample-bots"))
    text = re.sub(r"(?<![\w.])/(etc|srv|var)(?=/)", rf"{root}/\1", text)
    text = text.replace("https://cards.example.org", "http://127.0.0.1:7451")
    # No other machine is to reach it, and the finals may be short.
    text = re.sub("--games [12]00", "--games 4", text.replace("0.0.0.0", "127.0.0.1"))
    if machine.no_boxes():
        text = text.replace("sandbox-minimum = B", "sandbox-minimum = D")
        text = text.replace("uploads = yes", "uploads = without-box")
    return text


def install_bots(root):
    """Copies the sample bots that the text uses.  They name only the game of its
    ladder, because a check of all games takes long and has tests of its own."""
    for name in ("python", "shell"):
        folder = root / "sample-bots" / name
        shutil.copytree(tap.SOURCE_DIR / "sample-bots" / name, folder)
        conf = folder / "bot.conf"
        conf.write_text(re.sub("(?m)^games = .*", 'games = { "toepen" }',
                               conf.read_text("ascii")), "ascii")


def one_user(command):
    """Removes what changes the user, since everything belongs to us already."""
    return (command.replace("sudo -u referee ", "").replace("-o referee ", "")
            .replace("sudo chown -R referee: ", "test -d ")
            .replace("sudo ", ""))


def act(service):
    def do(command, root):
        words = command.split()
        if words[:2] == ["sudo", "systemctl"]:
            done = getattr(service, words[2])()
            return subprocess.CompletedProcess(
                command, 0 if done else 1, b"" if done else
                service.log.read_bytes()[-2000:])
        return walk.run(one_user(command).replace(
            "journalctl -u referee", f"cat {service.log}"), root)
    return do


def check(root, service):
    """Checks what the text promises about the result."""
    final = list((root / "srv" / "referee" / "final").glob("*.rec"))
    tap.equal(len(final), 12, "each pair has played the final")
    for file in "verified", "checked":
        seen = (root / file).read_text("utf-8")
        tap.ok(all(path.name in seen for path in final) and
               "autumn/ladder/" in seen, f"all records were {file}", seen[-2000:])
    tap.equal(oct((root / "alice.token").stat().st_mode)[-3:], "600",
              "a token is its author's alone")
    tap.ok(service.count("ladder-made-again") == 1,
           "the ladder's lost file was made again")


if shutil.which("curl") is None or shutil.which("openssl") is None:
    tap.skip_all("there is no curl, or no openssl")
with arena.Arena() as place:
    folder = place.root / "server"
    for name in ("etc", "srv", "var/lib", "bin"):
        (folder / name).mkdir(parents=True)
    install_bots(folder)
    (folder / "bin" / "referee").symlink_to(tap.REFEREE)
    os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    its = Service(folder)
    try:
        walk.walk(localised(TEXT, folder), folder, UNTESTED, act(its))
        check(folder, its)
    finally:
        its.stop()
    place.left_behind()
tap.done()
