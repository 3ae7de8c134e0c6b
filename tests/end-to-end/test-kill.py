#!/usr/bin/env python3
"""Kills the referee in the middle of matches, at any moment.  End-to-end because
processes of the kernel must be gone.

Records must be whole or absent, bots and all that they started must be gone,
and the ladder must go on from its records: each game counts once.  KILLS says
how often it is killed (5, or 100 with CHECK_ALL).
"""

import json
import os
import shlex
import signal
import sqlite3
import subprocess

import arena
import tap

KILLS = int(os.environ.get(
    "KILLS", "100" if os.environ.get("CHECK_ALL") else "5"))
LATEST, LATEST_FAST = 10, 100  # the latest kill, in records of the match
EARLY_S = 0.1  # the latest early kill, after the start
LIFE = " --seconds 600"  # for processes that nothing ends: longer than we look for them
BAD = shlex.quote(arena.BAD)
STAYS = BAD + " no-bye" + LIFE
# One bot leaves a daemon, and one is run by a shell.  Two do not end by themselves:
# the one is the child of what was started, in a session of its own, the other ignores
# what can be ignored.
BOTS = arena.bots("random", arena.RANDOM_C, arena.FIRST,
                  ("daemon", BAD + " grandchild" + LIFE),
                  ("apart", "setsid --wait " + STAYS),
                  ("deaf", shlex.join(["sh", "-c", "trap '' TERM HUP INT; exec "
                                       + STAYS])))
ENDLESS = ["--seats", 3, "--games", 99999, "--jobs", 4]
SLOW = [*BOTS, *ENDLESS]
# The games take a while, so that some run whenever the match is stopped.
LONG = [*arena.bots(("slow", BAD + " slow --ms 5"),
                    ("daemon", BAD + " grandchild" + LIFE),
                    ("stays", STAYS)), *ENDLESS]
FAST = [*arena.bots("random", "house", arena.RANDOM_C), *ENDLESS]


def ladder(place, what, *arguments):
    return tap.referee("ladder", what, "--ladder", place.root / "l.db",
                       *arguments)


def records(place):
    return {path for path in place.folder.glob("*.rec")}


def serial_of(path):
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if not words:
                return None
            if words[0] == "serial":
                return int(words[1])
    return None


def kill_once(place, dice, turn):
    """Kills a match; returns sentences about what is wrong afterwards.  Every
    fifth match writes a lot, every fifth is killed while it begins, and the
    others when a random number of records is there."""
    before = records(place)
    fast = turn % 5 == 0
    match = place.start(arena.TWO[turn % 2], *(FAST if fast else SLOW),
                        "--ladder", "l.db")
    if turn % 5 == 2:
        try:
            match.wait(dice.uniform(0, EARLY_S))
        except subprocess.TimeoutExpired:
            pass
    else:
        goal = len(before) + dice.randint(1, LATEST_FAST if fast else LATEST)
        arena.wait_for(lambda: match.poll() is not None
                       or len(records(place)) >= goal)
    match.kill()
    err = match.communicate()[1].decode()
    if match.returncode != -signal.SIGKILL:
        yield f"it had ended by itself: {match.returncode} {err}"
    left = place.left_behind(arena.GONE_S)
    if left:
        yield f"left behind: {left}"
    new = sorted(records(place) - before)
    if new:
        verified = tap.referee("verify", *new)
        if verified.code != 0 or verified.out.count("\n") != len(new):
            yield f"records that do not verify: {verified}"


def settle(place, by_match):
    if by_match:
        run = place.match("toepen", *arena.bots("random", "house"),
                          "--games", 2, "--ladder", "l.db")
    else:
        run = ladder(place, "rebuild")
    if run.code != 0:
        yield f"the ladder does not go on: {run}"
    yield from ladder_troubles(place)
    # A rebuild leaves half-written files to the next writer.
    halves = sorted(path.name for path in place.folder.glob("*.tmp"))
    if by_match and halves:
        yield f"half-written records: {halves}"


def ladder_troubles(place):
    first = ladder(place, "export")
    rebuilt = ladder(place, "rebuild", "--json")
    second = ladder(place, "export")
    if rebuilt.code != 0:
        yield f"no rebuild: {rebuilt}"
        return
    report = json.loads(rebuilt.out)
    if first.code != 0 or first.out != second.out or \
            any(report[key] for key in ("added", "altered", "changed")):
        yield f"the ladder is not what its records say: {report}"
    serials = sorted(filter(None, map(serial_of, records(place))))
    if len(set(serials)) != len(serials):
        yield "two records have the same serial"
    games = ladder(place, "games", "--json").out.splitlines()
    counted = sorted(json.loads(line)["serial"] for line in games)
    if counted != serials:
        yield f"{len(counted)} games count, {len(serials)} have a serial"


def kill_often():
    dice = tap.dice("kills")
    with arena.Arena() as place:
        place.folder.mkdir()
        for turn in range(1, KILLS + 1):
            wrong = list(kill_once(place, dice, turn))
            wrong += settle(place, turn % 4 < 2)
            tap.ok(not wrong, f"kill {turn}: nothing is lost, left or "
                   "counted twice", "\n".join(wrong))
        with sqlite3.connect(place.root / "l.db") as base:
            tap.equal(base.execute("pragma integrity_check").fetchall(),
                      [("ok",)], "the ladder's file is sound")
        tap.note(f"{len(records(place))} records")


def interrupt(number):
    """Tests that SIGINT or SIGHUP aborts the running games and that
    the match says so."""
    name = signal.Signals(number).name
    with arena.Arena() as place:
        match = place.start("toepen", *LONG, "--ladder", "l.db", "--json")
        arena.wait_for(lambda: place.folder.is_dir()
                       and len(records(place)) > 1)
        match.send_signal(number)
        out, err = (part.decode() for part in match.communicate(timeout=tap.TIMEOUT_S))
        left = place.left_behind(arena.GONE_S)
        tap.equal(match.returncode, -number, f"{name}: ends by the signal")
        tap.ok(not left, f"{name}: nothing is left behind", left)
        found = place.records()
        aborted = [one for one in found if one.aborted()]
        tap.ok(0 < len(aborted) <= 4, f"{name}: games were aborted",
               len(aborted))
        tap.ok(all(one.header("serial") is None for one in aborted)
               and not any(one.points() for one in aborted),
               f"{name}: they have neither result nor serial")
        verified = tap.referee("verify", *(one.path for one in found))
        tap.equal(verified.code, 0, f"{name}: all records verify")
        objects = [json.loads(line) for line in out.splitlines()]
        total = objects[-1]["games"] if objects else None
        tap.ok(f"referee: interrupted after {total} of 99999 games\n" in err,
               f"{name}: it says so", err)
        tap.ok(objects and len(objects[-1].get("seed", "")) == 32,
               f"{name}: and the seed, now that nothing runs", objects[-1:])
        tap.equal(total, len(found) - len(aborted),
                  f"{name}: standings of the games that were finished")
        tap.equal(sum(one["games"] for one in objects[:-1]), 3 * total,
                  f"{name}: three seats each")
        tap.equal(list(place.root.glob("l.db-*")), [],
                  f"{name}: the ladder's file is closed")
        wrong = list(ladder_troubles(place))
        tap.ok(not wrong, f"{name}: the ladder has them", "\n".join(wrong))


def hang_up_ignored():
    """Tests that a match started by nohup(1) does not end with the terminal."""
    with arena.Arena() as place:
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        match = place.start("toepen", *LONG, "--ladder", "l.db")
        signal.signal(signal.SIGHUP, before)
        arena.wait_for(lambda: place.folder.is_dir()
                       and len(records(place)) > 1)
        match.send_signal(signal.SIGHUP)
        played = len(records(place))
        arena.wait_for(lambda: len(records(place)) > played + 8)
        match.send_signal(signal.SIGTERM)
        match.communicate(timeout=tap.TIMEOUT_S)
        tap.equal(match.returncode, -signal.SIGTERM,
                  "an ignored SIGHUP ends nothing")


def interrupt_idle_bots():
    """Tests that bots that do not listen do not delay the end, though they have
    ten minutes."""
    with arena.Arena() as place:
        match = place.start("toepen", *arena.bots(
            "random", ("mute", BAD + " never-reads" + LIFE),
            ("stays", STAYS)), "--games", 3,
            "--move-time", 600000)
        arena.wait_for(lambda: sum("bad-bot" in line for line in
                                   place.processes().values()) > 2)
        match.send_signal(signal.SIGINT)
        match.communicate(timeout=tap.TIMEOUT_S)
        tap.equal(match.returncode, -signal.SIGINT,
                  "SIGINT: bots that do not listen do not keep it")
        tap.equal(place.left_behind(arena.GONE_S), {},
                  "SIGINT: and they are gone")


interrupt(signal.SIGINT)
interrupt(signal.SIGHUP)
hang_up_ignored()
interrupt_idle_bots()
kill_often()
tap.done()
