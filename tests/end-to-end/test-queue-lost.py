#!/usr/bin/env python3
"""Tests that a game of a queue that is played again, because its worker was
killed, stood still or lost its processes, gets the same cards, and that nothing
is lost while the database is away."""

import os
import signal

import arena
import postgres
import queue_jobs
import tap

if why := postgres.missing():
    tap.skip_all(why)


def lost(queue):
    """Tests that after a worker was killed the next attempt has the same cards
    and the first entropy."""
    gate = queue.gate()
    dave = queue.bot("dave", before=gate.wait, more="entropy = yes\n")
    eve = queue.bot("eve", more="entropy = yes\n")
    job, = queue.add(1, entropy=1, dave=dave, eve=eve)
    with queue.worker("w2") as worker:
        tap.ok(arena.wait_for(lambda: queue.asked("dave")), "it is asked",
               worker.log())
        kept = queue.job(job, "encode(entropy, 'hex')")[0]
        tap.ok(kept != "", "entropy is kept before the first card is dealt")
        worker.end()
        tap.ok(arena.wait_for(lambda: len(queue.place.processes()) == 0),
               "nothing of it is left", queue.place.processes())
    with queue.worker("w2") as worker:
        tap.ok(arena.wait_for(lambda: len(queue.lines("dave")) == 2 and any(
            line.startswith("ask") for line in queue.lines("dave")[1])),
               "it is played again", worker.log())
        gate.open()
        tap.ok(queue.wait("reported", [job]), "and reported", worker.log())
        worker.end()
    tap.equal(queue.job(job, "attempt, losses, encode(entropy, 'hex')"),
              ["2", "1", kept], "its second attempt has the same entropy")
    first, second = queue.lines("dave")

    def until_asked(lines):
        begun = next(i for i, line in enumerate(lines)
                     if line.startswith("round"))
        asked = next(i for i, line in enumerate(lines)
                     if line.startswith("ask"))
        return lines[begun:asked]

    tap.equal(until_asked(second), until_asked(first), "the cards are the same")
    tap.ok(not any(line.startswith("entropy?") for line in second),
           "it is not asked for entropy again", second)
    tap.equal(queue.verify(job).code, 0, "its record proves itself")


def poison(queue):
    """Tests a game whose process is killed each time it is played."""
    mallory = queue.bot("mallory", before=queue.gate().wait)
    good = queue.bot("grace")
    with queue.worker("w4") as worker:
        bad, = queue.add(1, mallory=mallory, rand="random")
        killed = 0

        def parked():
            nonlocal killed
            if queue.asked("mallory") > killed:
                killed += 1
                for pid, line in queue.place.processes().items():
                    if arena.status(pid)[0] == worker.process.pid and (
                            " play-jobs " in line):
                        os.kill(pid, signal.SIGKILL)
            return queue.states([bad]) == ["parked"]

        tap.ok(arena.wait_for(parked), "its job is parked",
               (killed, worker.log()))
        tap.equal(killed, 4, "after two claims, with two processes each")
        losses, reason = queue.job(bad, "losses, why")
        tap.ok(losses == "2" and "mallory" in reason, "by the names of its bots",
               (losses, reason))
        hands = {tuple(line for line in lines if line.startswith("deal"))
                 for lines in queue.lines("mallory")}
        tap.equal(len(hands), 1, "the same cards each time")
        others = queue.add(3, grace=good, rand="random")
        tap.ok(queue.wait("reported", others), "other jobs are played",
               (queue.states(others), worker.log()))
        worker.end()


def fenced(queue):
    """Tests that a worker that stood still until its lease was over has lost
    its jobs to another one."""
    gate = queue.gate()
    queue.sql("UPDATE referee.job SET state = 'void' WHERE state = 'waiting'")
    irene = queue.bot("irene", before=gate.wait)
    with queue.worker("w7") as slow:
        job, = queue.add(1, irene=irene, rand="random")
        arena.wait_for(lambda: queue.asked("irene"))
        slow.send(signal.SIGSTOP)
        queue.sql("UPDATE referee.job SET lease_until = now() - "
                  f"interval '1 s' WHERE job = {job}")
        with queue.worker("w8") as other:
            tap.ok(arena.wait_for(lambda: queue.job(job, "worker")[0] == "w8"),
                   "another worker has it", other.log())
            slow.send(signal.SIGCONT)
            gate.open()
            tap.ok(queue.wait("reported", [job]), "it is reported",
                   (slow.log(), other.log()))
            other.end()
        slow.end()
    bodies = queue.sql("SELECT state FROM referee.result WHERE job = "
                       f"{job} ORDER BY state")
    tap.ok(bodies in ([["new"]], [["late"], ["new"]]),
           "one result counts", bodies)
    tap.equal(queue.verify(job).code, 0, "and proves itself")


def away(queue):
    """Tests a database that goes away during a game and comes back after it."""
    gate = queue.gate()
    frank = queue.bot("frank", before=gate.wait)
    with queue.worker("w3") as worker:
        job, = queue.add(1, frank=frank, rand="random")
        arena.wait_for(lambda: queue.asked("frank"))
        queue.cluster.kill()
        tap.ok(worker.says("event=queue-down"), "a lost database is told",
               worker.log())
        gate.open()
        tap.ok(arena.wait_for(lambda: queue.lines("frank")[-1][-1] == "bye"),
               "the game goes on without it", queue.lines("frank"))
        queue.cluster.start()
        tap.ok(queue.wait("reported", [job]), "its result was kept",
               worker.log())
        tap.equal(queue.job(job, "attempt, losses"), ["1", "0"],
                  "which is no loss")
        worker.end()
    queue.cluster.stop()
    with queue.worker("w3") as worker:
        tap.ok(worker.says("event=queue-down"),
               "a database that is away at the start is told", worker.log())
        queue.cluster.start()
        tap.ok(worker.says("event=queue-joined"), "and waited for",
               worker.log())
        tap.equal(worker.log().count("event=queue-down"), 1, "told once")
        worker.end()


def main():
    with queue_jobs.Queue(cluster=postgres.Cluster()) as queue:
        lost(queue)
        poison(queue)
        fenced(queue)
        away(queue)
    tap.done()


main()
