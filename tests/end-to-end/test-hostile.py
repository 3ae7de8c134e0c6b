#!/usr/bin/env python3
"""End-to-end because pipes, signals and processes are the machine's: a table of good bots
with one that misbehaves as a process, in the manners of bad-bot.  test-seat.c and
test-bot.c have what is wrong in a line.

Whatever it does, its answers count as house moves.  So the game must be the one that
`house` plays in that seat with the same seed, except for the lines about faults: the
others are not affected.

If a manner leads to a timeout, the time for a move is short, and the good bots are built
in, so they are never late.  For other manners it is a minute, and one good bot is a
program.  Each manner plays one of two games by turns, and a manner that computes until
its time is up plays once, not in every seat.  CHECK_ALL=1 plays all."""

import concurrent.futures
import json
import os
import re
import shlex

import arena
import tap

ALL = bool(os.environ.get("CHECK_ALL"))
NONE, TIMEOUT, ILLEGAL, PROTOCOL, CRASH = (
    None, "timeout", "illegal", "protocol", "crash")

# Each manner with the fault that it is charged with.
MANNERS = (
    ("silent", TIMEOUT),
    ("never-reads", TIMEOUT),
    ("half-line", CRASH),
    ("endless-line", PROTOCOL),
    ("exit-now", CRASH),
    ("close-stdout", CRASH),
    ("no-bye", NONE),
    ("illegal", ILLEGAL),
    ("grandchild", NONE),
    ("stderr-flood --bytes 2000000", NONE),
    ("say-flood --count 1200", PROTOCOL),
    ("crash-at --at 4", CRASH),
    ("loops --at 2", TIMEOUT),  # the first ask has five seconds more
    ("stops-itself", TIMEOUT),
)
SHORT_MS, LONG_MS = 500, 60000  # time for a move
LIFE = " --seconds 600"  # for processes that nothing ends: longer than we look for them
SEATS = 3
AT_A_TIME = 8  # most of them wait

def play(game, command, late, games=SEATS):
    """Plays a match in which `command` is the bot `bad`, with a short time for
    a move if `late`; returns (the run, records, remaining processes)."""
    with arena.Arena() as place:
        run = place.match(
            game, *arena.bots("random", ("bad", command), (
                "good", "house" if late else arena.RANDOM_C)),
            "--seed", "hostile", "--games", games, "--exact", "--jobs", SEATS,
            "--move-time", SHORT_MS if late else LONG_MS, "--json")
        left = place.left_behind(arena.GONE_S)
        records = place.records()
        verified = tap.referee("verify", *(one.path for one in records))
        return run, records, left, verified


def troubles(fault, played, decent, games):
    """Returns what is wrong, as sentences."""
    run, records, left, verified = played
    # The match must report each of its programs that has left, and no other.
    ways = [line for line in run.err.splitlines() if re.fullmatch(
        r"bot bad \(game \d, seat \d\) (ended with status 0 before its game "
        r"was over|"
        r"was killed, or closed its output and lived on)", line)]
    # These lines explain the first fault, and a bot that never begins.
    block = [line for line in run.err.splitlines() if re.match(
        r"bot bad, game \d, seat \d:$|  ", line)]
    told = [line for line in run.err.splitlines()
            if line not in ways and line not in block]
    if run.code == 2 and fault == "crash" and len(ways) == games:
        if len(told) != 1 or "bot bad never begins: it " not in told[0]:
            yield f"says {told}"
        told = None
    elif (len(block) > 3) != (fault is not None):
        yield f"explains {block}"
    if len(ways) != (games if fault == "crash" else 0):
        yield f"says {run.err!r}"
    if told is not None and (
            run.code != 0 or len(told) != (fault is not None) or fault
            and not re.fullmatch(
                rf"bot bad: (\d+) faults?: \1 {fault}; the first in game 1 "
                rf"\(seat \d\): {fault}", told[0])):
        yield f"exit code {run.code}, says {run.err!r}"
    if left:
        yield f"left behind: {left}"
    if len(records) != games or verified.code != 0:
        yield f"{len(records)} records; {verified}"
    if run.code == 0:
        objects = [json.loads(line) for line in run.out.splitlines()]
        bad = next(one for one in objects if one.get("bot") == "bad")
        total = sum(len(one) for record in records for one in record.faults())
        if bad["faults"] != total:
            yield f"standings have {bad['faults']} faults, records {total}"
    for record, model in zip(records, decent):
        seat = record.bots().index("bad")
        name = record.path.name
        faults = record.faults()
        mine = faults.pop(seat)
        if any(faults):
            yield f"{name}: others were charged: {faults}"
        if set(mine) != ({fault} if fault else set()) or len(mine) > 3:
            yield f"{name}: charged with {mine}"
        if record.forfeits() != ([seat] if len(mine) == 3 else []):
            yield f"{name}: {len(mine)} faults, forfeits {record.forfeits()}"
        if record.played() != model.played():
            yield f"{name}: another game than with a house bot"
        if record.forfeits() and record.places()[seat] != SEATS:
            yield f"{name}: retired, yet not last"


with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
    models = {(game, late): pool.submit(play, game, "house", late)
              for game in arena.TWO for late in (False, True)}
    matches = []
    for i, (manner, fault) in enumerate(MANNERS):
        games = SEATS if ALL or not manner.startswith("loops") else 1
        matches += [(manner, fault, game, games, pool.submit(
            play, game, shlex.quote(arena.BAD) + " " + manner + LIFE,
            fault == TIMEOUT, games))
            for game in (arena.TWO if ALL else arena.TWO[i % 2:][:1])]
    for manner, fault, game, games, match in matches:
        decent = models[game, fault == TIMEOUT].result()[1]
        wrong = list(troubles(fault, match.result(), decent, games))
        tap.ok(not wrong, f"{game}: {manner} costs its own seat: "
               f"{fault or 'no fault'}", "\n".join(wrong))
tap.done()
