#!/usr/bin/env python3
"""A referee that is stopped (Ctrl-Z, a machine asleep) charges nobody for it.

The bot takes a fifth of its time for each move.  The referee is stopped for
twice that time, several times in the middle of a game; the bot has answered
long before it goes on.
"""

import os
import signal

import arena
import tap

MOVE_MS = 500
STOPS = 4


def stop(process, seconds):
    os.kill(process.pid, signal.SIGSTOP)
    arena.wait_for(lambda: process.poll() is not None, seconds)
    os.kill(process.pid, signal.SIGCONT)


def main():
    with arena.Arena() as place:
        slow = f"{arena.BAD} slow --ms {MOVE_MS // 5} --seconds 30"
        run = place.start("toepen", "-o", "points=2", "--games", 1, "--exact",
                          "--move-time", MOVE_MS,
                          *arena.bots(("slow", slow), "random"))
        # The first ask of a process has time to spare: let it pass.
        arena.wait_for(lambda: run.poll() is not None, 0.6)
        for _ in range(STOPS):
            if run.poll() is None:
                stop(run, 2 * MOVE_MS / 1000)
                arena.wait_for(lambda: run.poll() is not None, 0.2)
        run.communicate(timeout=tap.TIMEOUT_S)
        tap.equal(run.returncode, 0, "the match goes on to its end")
        records = place.records()
        tap.equal(len(records), 1, "its game is recorded")
        tap.equal([fault for record in records for fault in record.faults()],
                  [[], []], "nobody is charged for the time that it stood")


main()
tap.done()
