#!/usr/bin/env python3
"""End-to-end because a box's kernel tells what a bot has tried: `referee check`
reports it for hostile bots, one for most kinds of sentence, and nothing for a decent
one.  tests/hostile/test-zoo.py has all bots, test-check.py those that take memory and
those that talk."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile

import arena
import tap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent
                       / "hostile"))

import zoo  # noqa: E402

AT_A_TIME = 6  # many of them wait
CALL = "made a system call that the sandbox forbids: .*"
SOCKET = "tried to open a socket, but a bot has no network, .*: .*"
FILE = "tried to open files outside its sandbox: .*"
CHANGE = "tried to change files outside /tmp: .*"
STRANGER = "looked at another process: .*"
SIGNAL = "sent a signal to another process: .*"
SHARE = "tried to raise a limit or its priority: .*"
LEFT = "(left [0-9]+ process|started a process whose parent has ended)"

# `check` must say this of each.
SENTENCES = {
    "thread-bomb": "had [0-9]+ processes",
    "name-bomb": "created thousands of files in its /tmp",
    "descriptors": "reached its limit of open descriptors",
    "raise-limits": SHARE + "(setpriority|prlimit64)",
    "neighbour": FILE + "/other",
    "environment": STRANGER + "/proc/1/environ",
    "setuid": "tried to run a program that the sandbox forbids: /",
    "write-self": CHANGE + "write-self",
    "net-listen": SOCKET + "inet",
    "whisper": "locked or watched a file of the system: /",
    "io-uring": CALL + "io_uring_setup",
    "daemon": LEFT,
    "kill-parent": SIGNAL + "process 1",
    "escape-name": "which is not printable ASCII|said `",
}
# Lets the bot play only the games of eight, which are few; these lines play the
# others, in no time.  A bot that whispers may not get far enough in those.
SELDOM = """\
read -r hello
read -r game
case $game in
*' of 8 '*) exec "$@" ;;
esac
while read -r verb k ms token rest; do
	if [ "$verb" = ask ]; then echo "do $k $token"; fi
done
"""


def check(ground, command, *more):
    run = tap.run([tap.REFEREE, "check", command, "--quick", "--json",
                   "--sandbox", "on", "--seed", "zoo", "-G", "toepen",
                   *more], cwd=ground.root)
    lines = [json.loads(line) for line in run.out.splitlines()]
    return run, [one["sentence"] for one in lines[:-1]], (lines or [{}])[-1]


def hostile(ground, bot):
    command = ground.command(bot) if bot is zoo.WHISPER else shlex.join(
        ["sh", "-c", SELDOM, "seldom", *ground.arguments(bot)])
    # A slow machine takes minutes for what most do in a second.
    return bot, *check(ground, command, "--limit", 600)


def limits(ground):
    """Tests a bot that has as many processes as it may have, and one with one more."""
    sleeper = shlex.join(["sh", "-c", 'sleep 600 & "$@"; kill $!; wait', "sleeper",
                          *shlex.split(arena.FIRST)])
    run, sentences, summary = check(ground, sleeper, "--processes", 3)
    tap.ok(run.code == 0 and not sentences and summary["processes"] == 3,
           "a bot may have all its processes, and those of its box are not its own",
           (run, summary))
    run, sentences, summary = check(ground, sleeper, "--processes", 2)
    tap.equal((run.code, set(sentences), summary.get("processes")),
              (1, {"had 3 processes and threads at once; more than 2 are too many"},
               3), "one more is found")


def judge(bot, run, sentences):
    fitting = [one for one in sentences
               if re.search(SENTENCES[bot.name], one)]
    tap.ok(run.code == 1 and fitting, f"{bot.name}: "
           f"{fitting[0] if fitting else 'no such sentence'}", run)


def main():
    tempfile.tempdir = "/var/tmp"  # a box has a /tmp of its own
    with zoo.Ground(os.geteuid()) as ground, concurrent.futures.\
            ThreadPoolExecutor(AT_A_TIME) as pool:
        ground.open_to_all(True)
        run, sentences, summary = check(ground, arena.FIRST)
        if run.code == 3:
            tap.ok(True, f"in a box # SKIP {run.err.strip()}")
            tap.done()
            return
        tap.ok(run.code == 0 and not sentences and summary["ponders"] is False,
               "a decent bot passes", run)
        limits(ground)
        runs = [pool.submit(hostile, ground, bot) for bot in [*zoo.BOTS, zoo.WHISPER]
                if bot.name in SENTENCES]
        tap.equal(len(runs), len(SENTENCES), "each has its bot")
        for one in runs:
            judge(*one.result()[:3])
    tap.done()


main()
