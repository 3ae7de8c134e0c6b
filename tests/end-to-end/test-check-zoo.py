#!/usr/bin/env python3
"""Tests that `referee check` reports for every hostile bot what it tried, and
nothing for decent bots.

CHECK_ALL=1 checks all of them, and decent bots that have to be built; otherwise
one bot for most kinds of sentence."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

import arena
import tap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent
                       / "hostile"))

import zoo  # noqa: E402

ALL = bool(os.environ.get("CHECK_ALL"))
AT_A_TIME = 6  # many of them wait
CALL = "made a system call that the sandbox forbids: .*"
SOCKET = "tried to open a socket, but a bot has no network, .*: .*"
FILE = "tried to open files outside its sandbox: .*"
CHANGE = "tried to change files outside /tmp: .*"
STRANGER = "looked at another process: .*"
SIGNAL = "sent a signal to another process: .*"
SHARE = "tried to raise a limit or its priority: .*"
LEFT = "(left [0-9]+ process|started a process whose parent has ended)"
CRASH = "ended, or closed its output, before ask"

# `check` must say this of each.
SENTENCES = {
    "fork-bomb": "had [0-9]+ processes|left [0-9]+ process|" + CRASH,
    "pid-creep": "had [0-9]+ processes|" + LEFT + "|" + CRASH,
    "thread-bomb": "had [0-9]+ processes",
    "memory-one": "MiB of memory|" + CRASH,
    "memory-many": "MiB of memory|" + CRASH,
    "page-tables": "MiB of memory|" + CRASH,
    "hang-box": CALL + "prlimit64",
    "starve-others": CALL + "prlimit64",
    "memory-files": CALL + "shmget",
    "name-bomb": "created thousands of files in its /tmp",
    "disk-fill": CHANGE,
    "descriptors": "reached its limit of open descriptors",
    "ponder-aside": LEFT,
    "raise-limits": SHARE + "(setpriority|prlimit64)",
    "cgroup-leave": CHANGE + "/sys/fs/cgroup",
    "shadow": FILE + "/etc/shadow",
    "ladder": FILE + "ladder.db",
    "neighbour": FILE + "/other",
    "neighbour-memory": CALL + "process_vm_readv",
    "proc-peek": STRANGER + "/proc/1/",
    "ptrace": CALL + "ptrace",
    "environment": STRANGER + "/proc/1/environ",
    "escape": FILE + "/secret",
    "setuid": "tried to run a program that the sandbox forbids: /",
    "write-self": CHANGE + "write-self",
    "net-out": SOCKET + "inet",
    "net-listen": SOCKET + "inet",
    "net-families": SOCKET + "inet",
    "abstract": SOCKET + "unix",
    "control-socket": SOCKET + "unix",
    "keyring": CALL + "add_key",
    "leave-ipc": CALL + "shmget",
    "whisper": "locked or watched a file of the system: /",
    "tiocsti": "/dev/tty",
    "io-uring": CALL + "io_uring_setup",
    "userns": CALL + "unshare",
    "mount": CALL + "mount",
    "kernel-doors": CALL + "bpf",
    "devices": CHANGE + "/dev/",
    "core-dump": SHARE + "(prlimit64|setrlimit)",
    "daemon": LEFT,
    "close-all": "it was killed, or closed its output and lived on",
    "stop-self": "it was stopped",
    "signals": SIGNAL + "all at once|" + SIGNAL + "process 1",
    "kill-parent": SIGNAL + "process 1",
    "nested-referee": "tried to run a program that the sandbox forbids: .*/referee",
    "flood-stdout": "said more than 1000 useless lines in a game",
    "flood-stderr": "wrote more than [0-9]+ bytes to standard error",
    "gigabyte-line": "said a line of more than",
    "never-reads": "did not answer ask 1 within",
    "escape-say": "which is not printable ASCII",
    "escape-name": "which is not printable ASCII|said `",
    "clock-deadline": "did not answer ask",
    "clock-early": "before it was made|before any ask",
    "clock-twice": "answered ask [0-9]+ twice",
}
# The bots of the short form. test-check.py has those that take memory and those
# that talk.
SHORT = ("thread-bomb", "name-bomb", "descriptors", "raise-limits", "neighbour",
         "environment", "setuid", "write-self", "net-listen", "whisper", "io-uring",
         "daemon", "kill-parent", "escape-name")
LATE = ("stop-self", "never-reads", "clock-deadline")
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
# This is not a mistake: the referee decides if a bot may think on others' time.
PONDER = ("ponder",)


def check(ground, command, *more):
    run = tap.run([tap.REFEREE, "check", command, "--quick", "--json",
                   "--sandbox", "on", "--seed", "zoo", "-G", "toepen",
                   *more], cwd=ground.root)
    lines = [json.loads(line) for line in run.out.splitlines()]
    return run, [one["sentence"] for one in lines[:-1]], (lines or [{}])[-1]


def hostile(ground, bot):
    if bot.name in PONDER:
        limit = ()
    elif bot.name in LATE:
        limit = "--limit", 30, "--move-time", 300  # longer than its start takes
    else:
        limit = "--limit", 20  # most need a second to do what they try
    command = ground.command(bot) if ALL or bot is zoo.WHISPER else shlex.join(
        ["sh", "-c", SELDOM, "seldom", *ground.arguments(bot)])
    return bot, *check(ground, command, *limit)


def judge(bot, run, sentences, summary):
    if bot.name in PONDER:
        tap.ok(summary.get("ponders") is True,
               f"{bot.name}: a remark that it ponders", run)
        return "(a remark) it ponders"
    fitting = [one for one in sentences
               if re.search(SENTENCES[bot.name], one)]
    tap.ok(run.code == 1 and fitting, f"{bot.name}: "
           f"{fitting[0] if fitting else 'no such sentence'}", run)
    return fitting[0] if fitting else "-"


def fits_into_a_box(program):
    """Returns true if the program runs in a box: sanitizers want more memory
    than a box has."""
    return b"__asan_init" not in pathlib.Path(program).read_bytes()


def plain_c(folder):
    """Returns the bot in C, built again if it has sanitizers, which its author
    would not use."""
    if fits_into_a_box(arena.RANDOM_C) or not shutil.which("cc"):
        return arena.RANDOM_C
    source = tap.SOURCE_DIR / "sample-bots" / "c"
    tap.run(["cc", "-O1", "-o", folder / "random-bot",
             source / "random-bot.c", source / "referee-bot.c"])
    return str(folder / "random-bot")


def decent(folder):
    """Returns the bots of this tree in every language that is installed;
    test-check.py has those that start slowly."""
    yield "C", plain_c(folder)
    yield "shell", arena.FIRST
    if not ALL:
        return
    yield "Python", arena.python_bot("sample-bots/python/random_bot.py")
    node = shutil.which(os.environ.get("NODE", "node"))
    if node:
        yield "JavaScript", shlex.join([node, str(
            tap.SOURCE_DIR / "sample-bots/javascript/random-bot.js")])


def thinking():
    """Returns bots that think, and use a part of the time that they are given."""
    if ALL:
        yield "thinking", arena.python_bot("sample-bots/python/toepen_bot.py")
    path = tap.BUILD_DIR / "sample-bots" / "strong" / "strong-bot"
    if path.is_file() and fits_into_a_box(path):
        yield "strong", f"{shlex.quote(str(path))} --playouts 3"


def built(folder):
    """Returns the bots that have to be built."""
    c = tap.SOURCE_DIR / "sample-bots" / "c"
    for name, compiler, file, words in (
            ("C++", "c++", "cpp/random_bot.cpp", ["-std=c++17", "-O1", f"-I{c}"]),
            ("Rust", "rustc", "rust/random_bot.rs", ["-O"]),
            ("Go", "go", "go/random_bot.go", ["build"])):
        path = tap.SOURCE_DIR / "sample-bots" / file
        if not shutil.which(compiler) or not path.exists():
            print(f"# {name}: not here")
            continue
        to = pathlib.Path(folder) / name
        env = {**os.environ, "GOCACHE": f"{folder}/cache",
               "GO111MODULE": "off"}
        more = [path.with_name("referee_bot.go")] if name == "Go" else []
        if name == "C++":
            more = [pathlib.Path(folder) / "referee-bot.o"]
            tap.run(["cc", "-O1", "-c", "-o", *more, c / "referee-bot.c"])
        made = tap.run([compiler, *words, "-o", to, path, *more], env=env)
        tap.ok(made.code == 0, f"{name}: it is built", made)
        if made.code == 0:
            yield name, str(to)
    yield from built_java(pathlib.Path(folder) / "Java")


def built_java(classes):
    source = tap.SOURCE_DIR / "sample-bots" / "java"
    if not shutil.which("javac"):
        print("# Java: not here")
        return
    made = tap.run(["javac", "-d", classes, source / "RandomBot.java",
                    source / "RefereeBot.java"])
    tap.ok(made.code == 0, "Java: it is built", made)
    if made.code == 0:
        yield "Java", shlex.join([
            "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
            str(classes), "RandomBot"])


def main():
    bots = [*zoo.BOTS, zoo.WHISPER]
    missing = {bot.name for bot in bots} ^ {*SENTENCES, *PONDER}
    tap.equal(missing, set(), "every bot of the zoo has its sentence")
    tempfile.tempdir = "/var/tmp"  # a box has a /tmp of its own
    with zoo.Ground(os.geteuid()) as ground, concurrent.futures.\
            ThreadPoolExecutor(AT_A_TIME) as pool:
        ground.open_to_all(True)
        run, _, _ = check(ground, arena.FIRST)
        if run.code == 3:
            tap.ok(True, f"in a box # SKIP {run.err.strip()}")
            tap.done()
            return
        runs = [pool.submit(hostile, ground, bot)
                for bot in bots if ALL or bot.name in SHORT]
        good = [(name, pool.submit(check, ground, command))
                for name, command in decent(ground.root)]
        for name, command in thinking():
            good.append((name, pool.submit(check, ground, command)))
        if ALL:
            good += [(name, pool.submit(check, ground, command))
                     for name, command in built(ground.root)]
        table = [(one.result()[0].name, judge(*one.result()))
                 for one in runs]
        for name, one in good:
            run, sentences, summary = one.result()
            tap.ok(run.code == 0 and not sentences
                   and summary["ponders"] is False,
                   f"the decent bot in {name} passes", run)
        for name, sentence in table:
            print(f"# {name:16} {sentence}")
    tap.done()


main()
