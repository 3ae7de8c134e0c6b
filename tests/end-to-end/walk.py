"""Runs the commands that a text, such as a README, tells its reader to run.

    walk.walk(text, root, untested)

It runs the lines that begin with `$ ` in blocks fenced as sh, in order, except
blocks behind `<!-- not tested: WHY -->`.  A line that ends in a backslash
continues in the next one.  A plain block that follows is what the last command
must print, `...` standing for anything.  A block behind `<!-- file: PATH -->`
is a file that the reader writes."""

import re
import shutil
import subprocess
from pathlib import Path

import daemon
import tap

BLOCK = re.compile(
    r"(?:<!-- not tested: (?P<why>[^\n]*?) -->\s*)?"
    r"^```sh\n(?P<sh>.*?)^```\n"
    r"(?:\n```\n(?P<out>.*?)^```\n)?"
    r"|^<!-- file: (?P<path>\S+) -->\s*^```\w*\n(?P<file>.*?)^```\n",
    re.MULTILINE | re.DOTALL)


def lay_out(root):
    """Makes a copy of the tree as the README sees it: sources, and the program
    in build/. It is a copy because the commands leave files behind.  It has what Python
    has compiled, too, which bots in a box cannot write."""
    shutil.copytree(tap.SOURCE_DIR, root, symlinks=True,
                    ignore=shutil.ignore_patterns(
                        "build*", ".*", "autom4te.cache", "*.o", "*.a",
                        "*.log", "*.trs"))
    for folder in (root, *filter(Path.is_dir, root.rglob("*"))):
        folder.chmod(0o755)  # they may be read-only
    (root / "build").symlink_to(tap.BUILD_DIR.resolve())


def run(command, root):
    """Runs a command like a user at a shell in the tree's root."""
    return subprocess.run(["sh", "-c", command], cwd=root, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=tap.TIMEOUT_S)


def is_like(shown, printed):
    parts = map(re.escape, shown.split("..."))
    return re.fullmatch(".*".join(parts), printed, re.DOTALL)


def with_free_ports(text):
    """The text with other ports than the usual ones, which may be taken."""
    ports = {usual: str(daemon.free_port()) for usual in ("7450", "7451")}
    # All at once: a port may contain the other's digits.
    return re.sub(r"\b745[01]\b", lambda usual: ports[usual[0]], text)


def do_block(block, root, untested, act):
    """Returns the number of commands that were run."""
    out, count = "", 0
    lines = re.sub(r" *\\\n *", " ", block["sh"]).splitlines()
    commands = [line[2:] for line in lines if line.startswith("$ ")]
    tap.equal(commands, [line[2:] for line in lines],
              f"a block of {len(commands)}: commands only")
    for command in commands:
        if block["why"]:
            tap.ok(untested.match(command),
                   f"left out: {command} ({block['why']})")
            continue
        count += 1
        done = act(command, root)
        out = done.stdout.decode("utf-8", "replace")
        tap.equal(done.returncode, 0, command) or tap.note(out)
    if block["out"] and not block["why"]:
        tap.ok(is_like(block["out"], out), f"prints this: {commands[-1]}",
               f"shown:\n{block['out']}printed:\n{out}")
    return count


def walk(text, root, untested, act=run):
    """Runs the commands of the text in the folder `root`; act() runs one of
    them."""
    text = with_free_ports(text)
    count = 0
    for block in BLOCK.finditer(text):
        if block["path"]:
            path = root / block["path"]
            tap.ok(path.parent.is_dir(), f"a place for {block['path']}")
            path.write_text(block["file"], "utf-8")
        else:
            count += do_block(block, root, untested, act)
    tap.ok(count > 0, "there are commands")
    fences = len(re.findall(r"^```sh$", text, re.MULTILINE))
    tap.equal(sum(1 for block in BLOCK.finditer(text) if block["sh"]), fences,
              "every block of commands was looked at")
