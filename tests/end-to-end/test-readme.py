#!/usr/bin/env python3
"""The commands of README.md work, and print what it shows.

Run are the lines that begin with `$ ` in blocks fenced as sh, all in one copy
of the tree, in their order, but for blocks behind `<!-- not tested: WHY -->`.
A plain block that follows is what the last command prints, `...` standing for
anything.
"""

import re
import shutil
import socket
import subprocess
from pathlib import Path

import arena
import tap

README = (tap.SOURCE_DIR / "README.md").read_text("utf-8")
BLOCK = re.compile(
    r"(?:<!-- not tested: (?P<why>[^\n]*?) -->\s*)?"
    r"^```sh\n(?P<sh>.*?)^```\n"
    r"(?:\n```\n(?P<out>.*?)^```\n)?", re.MULTILINE | re.DOTALL)
# What may be left out, and nothing else: the set-up itself.
UNTESTED = re.compile(r"(sudo |\./bootstrap (run|check)\b|make .*\binstall\b)")


def lay_out(root):
    """The tree as the README sees it: sources, and the program in build/.  A
    copy, for what is run there leaves things behind."""
    shutil.copytree(tap.SOURCE_DIR, root, symlinks=True,
                    ignore=shutil.ignore_patterns(
                        "build*", ".*", "autom4te.cache", "*.o", "*.a",
                        "*.log", "*.trs", "__pycache__"))
    for folder in (root, *filter(Path.is_dir, root.rglob("*"))):
        folder.chmod(0o755)  # they may be read-only
    (root / "build").symlink_to(tap.BUILD_DIR.resolve())


def run(command, root):
    """Like somebody at a shell in the tree's root."""
    return subprocess.run(["sh", "-c", command], cwd=root, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=tap.TIMEOUT_S)


def is_like(shown, printed):
    parts = map(re.escape, shown.split("..."))
    return re.fullmatch(".*".join(parts), printed, re.DOTALL)


def free_port():
    """In place of the one that is written there: somebody may have that."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


PORT = free_port()
count = 0
with arena.Arena() as place:
    tree = place.root / "tree"
    lay_out(tree)
    for block in BLOCK.finditer(README):
        lines = block["sh"].splitlines()
        commands = [line[2:] for line in lines if line.startswith("$ ")]
        tap.equal(commands, [line[2:] for line in lines],
                  f"a block of {len(commands)}: commands only")
        for command in commands:
            if block["why"]:
                tap.ok(UNTESTED.match(command),
                       f"left out: {command} ({block['why']})")
                continue
            count += 1
            done = run(command.replace("7450", PORT), tree)
            out = done.stdout.decode("utf-8", "replace")
            tap.equal(done.returncode, 0, command) or tap.note(out)
        if block["out"] and not block["why"]:
            tap.ok(is_like(block["out"], out), f"prints this: {commands[-1]}",
                   f"shown:\n{block['out']}printed:\n{out}")
LADDER = re.search(r"ends with the ladder.*?```\n(.*?)```", README, re.DOTALL)
shown = re.findall(r"^ *\d+ +([\w.-]+) +\d", LADDER[1], re.MULTILINE)
names = set(re.findall(r"--name \"?([\w.-]+)",
                       (tap.SOURCE_DIR / "bootstrap").read_text("utf-8")))
tap.ok(len(shown) > 1 and set(shown) <= names,
       "the ladder shown has bots of ./bootstrap run", (shown, names))
tap.ok(count > 0, "the README has commands")
fences = len(re.findall(r"^```sh$", README, re.MULTILINE))
tap.equal(sum(1 for _ in BLOCK.finditer(README)), fences,
          "every block of commands was looked at")
tap.done()
