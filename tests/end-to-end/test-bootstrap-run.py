#!/usr/bin/env python3
"""End-to-end because `./bootstrap run` is the first command that people try: at a
terminal it ends with a daemon on which its bots play until Ctrl-C, elsewhere by itself.
What it would build is there already."""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import urllib.request

import arena
import tap

SECONDS = 600  # a silence this long means that it hangs
# Takes the place of configure and of make, since everything is built.
NOTHING = "#!/bin/sh\n[ -d build ] || touch Makefile\n"


def lay_out(tree):
    """Makes a tree that looks built."""
    (tree / "build" / "referee").mkdir(parents=True)
    (tree / "bin").mkdir()
    for path in (tree / "configure", tree / "bin" / "make"):
        path.write_text(NOTHING, "ascii")
        path.chmod(0o755)
    (tree / "Makefile.in").touch()
    shutil.copy(tap.SOURCE_DIR / "bootstrap", tree)
    shutil.copytree(tap.SOURCE_DIR / "sample-bots", tree / "sample-bots")
    for name in ("c", "cpp"):
        made = tap.BUILD_DIR / "sample-bots" / name / "random-bot"
        if made.exists():
            (tree / "build" / "sample-bots" / name).mkdir(parents=True)
            shutil.copy(made, tree / "build" / "sample-bots" / name)
    for path in pathlib.Path(tap.REFEREE).parent.glob("referee*"):
        if path.is_file():
            (tree / "build" / "referee" / path.name).symlink_to(path)


def environ(tree, **more):
    kept = {key: value for key, value in os.environ.items() if key != "CI"}
    return dict(kept, PATH=f"{tree / 'bin'}:{os.environ['PATH']}",
                DEMO_GAMES="1", **more)


class Terminal:
    """Runs `./bootstrap run` at a terminal of its own."""

    def __init__(self, tree, **more):
        self.text, self.over = "", False
        self.master, slave = pty.openpty()
        # The process gets a session of its own, with that terminal.
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", "./bootstrap", "run"], cwd=tree,
            env=environ(tree, **more), stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)

    def read(self):
        """Reads some more output."""
        if not select.select([self.master], [], [], SECONDS)[0]:
            return
        try:
            more = os.read(self.master, 65536)
        except OSError:  # all processes that had the terminal open have ended
            more = b""
        self.over = not more
        self.text += more.decode("utf-8", "replace").replace("\r\n", "\n")

    def read_until(self, pattern):
        arena.until(lambda: self.over or re.search(pattern, self.text),
                    self.read, pattern, SECONDS)
        return re.search(pattern, self.text)

    def rest(self):
        arena.until(lambda: self.over, self.read, "the end", SECONDS)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        os.close(self.master)


def get(base, path):
    with urllib.request.urlopen(base + path, timeout=60) as answer:
        return answer.read().decode()


def test_terminal(place, tree):
    terminal = Terminal(tree)
    found = terminal.read_until(r"== .*(http://127\.0\.0\.1:\d+)/.*\n")
    if not tap.ok(found, "it tells an address", terminal.text[-2000:]):
        terminal.close()
        return
    terminal.read_until("Ctrl-C")
    base = found[1]
    ladders = json.loads(get(base, "/api/1/ladders"))["ladders"]
    tap.ok(len(ladders) >= 5, "which has a ladder for each game", ladders)
    page = get(base, "/ladders/toepen")
    tap.ok("first-sh" in page and "No game has been rated" not in page,
           "with the games that were played", page[-1000:])
    tap.ok(page.count(">local<") >= 2, "whose bots are here", page[-3000:])
    playing = arena.wait_for(lambda: re.search(
        r'referee_games_running\{ladder="toepen"\} [1-9]',
        get(base, "/metrics")))
    tap.ok(playing, "and play on", get(base, "/metrics")[:2000])
    ident = re.search(r"games/([0-9a-f]{32})",
                      get(base, "/ladders/toepen/games"))[1]
    tap.ok("All cards" in get(base, f"/games/{ident}"),
           "everybody sees all cards of a game that is over")
    tap.ok('id="opinions"' in get(base, f"/games/{ident}?view=0"),
           "and can ask for its worst mistake")
    os.write(terminal.master, b"\x03")
    terminal.rest()
    code = terminal.process.wait(tap.TIMEOUT_S)
    tap.equal(code, 0, "Ctrl-C ends it")
    tap.equal(place.left_behind(arena.GONE_S), {}, "and all of its processes")
    os.close(terminal.master)


def test_elsewhere(tree):
    run = tap.run(["./bootstrap", "run"], cwd=tree, env=environ(tree))
    tap.ok(run.code == 0 and "== the ladders" in run.out
           and "http://" not in run.out, "without a terminal it ends", run)


def test_integration(tree):
    terminal = Terminal(tree, CI="true")
    terminal.rest()
    tap.ok(terminal.process.wait(tap.TIMEOUT_S) == 0 and "== the ladders" in terminal.text
           and "http://" not in terminal.text,
           "and at a terminal of a machine that integrates",
           terminal.text[-2000:])
    os.close(terminal.master)


with arena.Arena() as arena_place:
    made = arena_place.root / "tree"
    lay_out(made)
    test_terminal(arena_place, made)
    test_elsewhere(made)
    if os.environ.get("CHECK_ALL"):
        test_integration(made)
tap.done()
