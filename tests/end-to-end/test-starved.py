#!/usr/bin/env python3
"""Tests a bot for which the machine has no processor: it is charged, and the
referee says so in the output of match and check, in the record, in the log and
on the page of a daemon.  It has more time to leave.

End-to-end because the kernel must give it no processor.  The bot causes this itself:
it computes beside many processes that compute without end.  `check` runs only in the long form."""

import contextlib
import json
import os
import re
import subprocess
import sys

import arena
import tap

# The kernel may share a processor out among sessions instead of processes.
LOADS = 4

# It answers the first ask, which has the start time on top: a shell starts in time even
# beside the loads.
BOT = """
while read -r verb k ms token rest; do
	case $verb$k in
	ask1) echo "do 1 $token" ;;
	ask*) while :; do :; done ;;
	esac
done
"""
# It leaves when it has waited for a processor for longer than a bot may stay.
LEAVER = """
import os, sys

def waited_ms():
    with open("/proc/self/schedstat", encoding="ascii") as file:
        return int(file.read().split()[1]) / 1e6

for line in sys.stdin:
    words = line.split()
    if words[0] == "ask":
        print("do", words[1], words[3], flush=True)
    if words[0] == "bye":
        os.sched_setaffinity(0, {int(sys.argv[1])})
        begun = waited_ms()
        while waited_ms() < begun + 700:
            pass
        with open(sys.argv[2], "w", encoding="ascii"):
            break
"""
LOAD = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
print("", flush=True)
while True:
    pass
"""


def why_not():
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/schedstat"):
        return "a kernel that counts how long threads wait"
    return None


def main():
    core = str(max(os.sched_getaffinity(0)))
    with arena.Arena() as place, contextlib.ExitStack() as stack:
        bot, leaver = place.root / "bot.sh", place.root / "leaver.py"
        bot.write_text(BOT, "ascii")
        leaver.write_text(LEAVER, "ascii")
        for _ in range(LOADS):
            load = stack.enter_context(subprocess.Popen(
                [sys.executable, "-c", LOAD, core], stdout=subprocess.PIPE,
                start_new_session=True))
            stack.callback(load.kill)
            load.stdout.readline()
        play(place, f"taskset -c {core} sh {bot}")
        left = place.root / "left"
        run = tap.referee("match", "toepen", "--games", 1, "--sandbox", "off", *arena.bots(
            ("hungry", f"{sys.executable} {leaver} {core} {left}"), "random"), *arena.PATIENT)
        tap.ok(left.exists(), "it is not killed while it cannot leave", run)


def match(place, *arguments):
    return tap.referee("match", "toepen", "-o", "points=1", "--games", 1, "--exact",
                       "--seed", "x", "--jobs", 1, "--move-time", 1000, "--sandbox",
                       "off", "--resume", place.folder, *arguments)


def play(place, command):
    bots = arena.bots(("hungry", command), "random")
    run = match(place, *bots)
    tap.ok("overloaded: 3 time-outs came because the machine had no processor"
           in run.out, "the table of a match tells it", run)
    tap.ok(re.search(r"timeout: no answer to ask 2 in \d+ ms; it had the processor "
                     r"for \d+ of \d+ ms: the machine is overloaded;", run.err),
           "and so does the trouble of its bot", run)
    record = place.records()[0]
    tap.equal((record.faults(), record.path.read_text("ascii").count(
        "timeout ; starved ")), ([[], ["timeout"] * 3], 3), "and the record")
    run = match(place, *bots, "--json")
    lines = [json.loads(line) for line in run.out.splitlines()]
    tap.equal({line["bot"]: line["starved"] for line in lines if "bot" in line},
              {"hungry": 3, "random": 0},
              "as JSON it has numbers, also of a match that is resumed")
    if os.environ.get("CHECK_ALL") != "1":
        return
    run = tap.referee("check", "--game", "toepen", "--faults", 1, "--move-time", 1000,
                      "--sandbox", "off", command)
    tap.ok("the machine is overloaded" in run.out, "check tells it", run)


if not tap.skip("a bot that starves", why_not()):
    main()
tap.done()
