#!/usr/bin/env python3
"""End-to-end because only the kernel can show what these bots get.

Tests that the hostile bots work without a sandbox.

A sandbox proves nothing if the bot could not do it anyway.  So each bot runs
here without one, by itself, in throw-away namespaces (this needs root), and
must reach its aim.  Its own bounds protect the machine.
"""

import os
import pathlib
import pty
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import tap  # noqa: E402
import zoo  # noqa: E402

ALL = bool(os.environ.get("CHECK_ALL"))
# The bot has processes, files and mounts of its own, which go when it ends.
# Its network and cgroups are the machine's, because it aims at them.
APART = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork",
         "--kill-child", "--mount-proc", "--propagation", "private", "--"]
# The bot may write to memory, another user's process runs, and everything ends
# when the bot does.  If its parent is killed, the bot can still report that.
SCENE = """
for folder in /var/tmp /dev/shm /run; do
	mount -t tmpfs -o size=160m,mode=1777 bare $folder || exit 9
done
$BECOME sleep 600 & sleep 600 &
SECRET=1 $BECOME sh -c '"$@" 9</dev/null; true' parent "$@" ||
	while cat /proc/[0-9]*/comm 2>/dev/null | grep -qxF "$(basename "$1")"; do
		sleep 0.1 # luck: it looks again and again
	done
"""
TALK = b"referee 1 bare\ngame 0 toepen seat 0 of 2\nask 1 5000 pass\nbye\n"
# The bots of the short form.
QUICK = ("shadow", "userns", "net-out", "ladder", "neighbour", "escape",
         "io-uring", "kill-parent", "fork-bomb", "write-self")

if os.geteuid() != 0:
    tap.skip_all("only root can make namespaces to throw away")
if subprocess.run([*APART, "true"], check=False,
                  stderr=subprocess.DEVNULL).returncode != 0:
    tap.skip_all("no namespaces to throw away here")


def as_user(bot):
    return 0 if bot.root else zoo.NOBODY


def terminal(command):
    """Starts the command with a terminal of its own; returns both."""
    leader, follower = pty.openpty()
    take = ("import fcntl, os, sys, termios; os.setsid(); "
            "fcntl.ioctl(2, termios.TIOCSCTTY, 0); "
            "os.execvp(sys.argv[1], sys.argv[1:])")
    return [*tap.PYTHON, "-c", take, *command], leader, follower


def bare(ground, bot):
    """Runs a bot without a sandbox; returns what it said."""
    become = "" if bot.root else (f"setpriv --reuid={zoo.NOBODY} "
                                  f"--regid={zoo.NOBODY} --clear-groups --")
    command, *held = terminal([*APART, "sh", "-c", SCENE, "bare",
                               *ground.arguments(bot)])
    with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=held[1], cwd=ground.root / "home", env=dict(
                ground.arena.environ, HOME=str(ground.root / "home"),
                BECOME=become)) as process:
        out = process.communicate(TALK, timeout=tap.TIMEOUT_S)[0]
    for one in held:
        os.close(one)
    lines = out.decode("latin-1").splitlines()
    return zoo.reports(line.removeprefix("say ") for line in lines)


def bite(bot):
    with zoo.Ground(as_user(bot)) as ground:
        said = bare(ground, bot)
        got = {one.what for one in said if one.bit()}
        wanted = [one.replace("{control}", re.escape(
            str(ground.names["control"]))) for one in bot.bites]
        missing = [one for one in wanted
                   if not any(re.fullmatch(one, what) for what in got)]
        tap.note(f"{bot.name}: " + "; ".join(map(str, said)))
        tap.ok(not missing, f"without a sandbox {bot.name} bites",
               f"does not get {missing}")
        # test-zoo.py, also that of a later check, looks for such things.
        ground.clean_up()


for one in zoo.BOTS:
    if one.bites and (ALL or one.name in QUICK):
        bite(one)
tap.done()
