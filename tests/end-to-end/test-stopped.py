#!/usr/bin/env python3
"""A referee that is stopped (Ctrl-Z, a machine asleep) charges nobody for it.

It is stopped while a bot has an ask.  For the referee an hour has gone by when it
goes on, far more than the bot has for its answer, which it has given meanwhile.
"""

import os
import signal

import arena
import daemon
import held
import tap

MOVE_MS = 600000
STOOD_S = 3600


def ours(place):
    """The referee's own processes, which have its clock."""
    return [pid for pid, line in place.processes().items()
            if " match " in line or " play-jobs " in line]


def main():
    with arena.Arena() as place:
        environ = daemon.wrong_date(place.root, "CLOCK_MONOTONIC")
        if tap.skip("a clock that goes on", None if environ else "no compiler"):
            return
        place.environ = dict(environ, TMPDIR=str(place.root / "tmp"))
        run = place.start("toepen", "-o", "points=2", "--games", 1, "--exact",
                          "--move-time", MOVE_MS, *arena.bots(
                              ("held", held.bot(place.root)), "random"))
        hold = held.wait(place.processes)
        stopped = ours(place)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        arena.wait_for(lambda: held.stand(stopped))
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


main()
tap.done()
