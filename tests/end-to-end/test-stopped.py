#!/usr/bin/env python3
"""Tests that a referee that is stopped (Ctrl-Z, a machine asleep) does not
charge a bot for it, and that its workers and bots also stand still, even if
only the match itself was stopped.

It is stopped while a bot has an ask.  When it continues, an hour has passed for
the referee, far more than the bot has for its answer; the answer has arrived by
then.  End-to-end because the kernel stops it.
"""

import os
import pathlib
import signal

import arena
import daemon
import held
import tap

MOVE_MS = 600000
STOOD_S = 3600


def is_spawner(pid):
    try:
        name = pathlib.Path(f"/proc/{pid}/comm").read_text("ascii")
    except OSError:
        return False
    return name == "referee-spawner\n"


def ours(place, commands):
    """Returns the referee's own processes, which have its clock, without the
    spawners."""
    return [pid for pid, line in place.processes().items()
            if any(f" {command} " in line for command in commands)
            and not is_spawner(pid)]


def stand_still(commands, what):
    with arena.Arena() as place:
        environ = daemon.wrong_date(place.root, "CLOCK_MONOTONIC",
                                    workers=True)
        if tap.skip("a clock that goes on", None if environ else "no compiler"):
            return
        place.environ = dict(environ, TMPDIR=str(place.root / "tmp"))
        run = place.start("toepen", "-o", "points=2", "--games", 1, "--exact",
                          "--move-time", MOVE_MS, *arena.bots(
                              ("held", held.bot(place.root)), "random"))
        hold = held.wait(place.processes)
        stopped = ours(place, commands)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        tap.ok(arena.wait_for(lambda: held.stand(
            ours(place, ("match", "play-jobs")) + [hold])),
               f"if {what} is stopped, its workers and bots stand still")
        held.release(hold)
        (place.root / "wrong").write_text(str(STOOD_S), "ascii")
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        run.communicate(timeout=tap.TIMEOUT_S)
        tap.equal(run.returncode, 0, "the match goes on to its end")
        records = place.records()
        tap.equal(len(records), 1, "its game is recorded")
        tap.equal([fault for record in records for fault in record.faults()],
                  [[], []], "nobody is charged for the time that it stood")


stand_still(("match", "play-jobs"), "all of a match")
stand_still(("match",), "a match")
tap.done()
