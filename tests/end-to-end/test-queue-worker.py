#!/usr/bin/env python3
"""`referee worker` plays the jobs of a queue: bots come by their hash and are
built once; a game that is played again is dealt the same cards; nothing is lost
while the database is away; nothing is left behind."""

import os
import signal

import arena
import postgres
import queue_jobs
import tap

if why := postgres.missing():
    tap.skip_all(why)

BUILDS = """build = {{ "sh", "-c", "cp bot.sh built.sh; echo x >>{count}" }}
"""

def wrong(queue):
    """Each in one sentence."""
    good = ["--queue", queue.where(), "--key", queue.key, "--data",
            queue.place.root / "wrong.data", "--sandbox", "off"]

    def fails(what, code, part, *arguments):
        tap.complains(tap.referee("worker", "--name", "w0", "--log-level",
                                  "error", *arguments), code, part, what)

    fails("no queue", 2, "--queue", "--key", queue.key)
    fails("no key", 2, "--key", "--queue", queue.where())
    fails("a bad name", 2, "--name", *good, "--name", "a b")
    fails("no such key", 2, "no-key", *good, "--key", "/no-key")
    fails("a conninfo that is none", 2, "frob", *good, "--queue", "frob=1")
    other = queue.place.root / "other.key"
    tap.referee("queue", "key", other)
    fails("another key", 2, "the key is not that of this queue", *good,
          "--key", other)
    fails("a role that may not play", 2, "may not play", *good, "--queue",
          queue.where("nothing"))
    fails("a database without a queue", 2, "there is no queue", *good,
          "--queue", queue.cluster.conninfo("postgres"))
    fails("too many jobs", 2, "1 to 256", *good, "--jobs", "257")


def plays(queue):
    """Games of a bot that is built, of one that is not, and of our own."""
    count = queue.place.root / "built"
    alice = queue.bot("alice", more=BUILDS.format(count=count))
    bob = queue.bot("bob")
    built = len(count.read_text().split())  # when it was sent in
    jobs = queue.add(5, alice=alice, bob=bob) + queue.add(1, bob=bob,
                                                          rand="random")
    with queue.worker("w1", "--log-level", "debug") as worker:
        tap.ok(queue.wait("reported", jobs), "all jobs are reported",
               (queue.states(jobs), worker.log()))
        tap.equal([queue.verify(job).code for job in jobs], [0] * len(jobs),
                  "each record proves itself")
        tap.equal(len(count.read_text().split()), built + 1,
                  "the bot is built once")
        tap.ok(arena.wait_for(lambda: all(lines[-1] == "bye" for lines in
                                          queue.lines("bob")), 60),
               "without a verdict bots get `bye`, and no `over`",
               queue.lines("bob"))
        tap.equal([line for lines in queue.lines("bob") for line in lines
                   if line.split()[0] in ("over", "abort")], [],
                  "they are told nothing that is not known")
        more = queue.add(1, bob=bob, rand="random")
        queue.wait("reported", more)
        tap.equal(queue.job(more[0], "attempt, losses")[:2], ["1", "0"],
                  "a later job is played, too")
        worker.send(signal.SIGTERM)
        tap.equal(worker.wait(), 0, "SIGTERM ends it with 0")
    with queue.worker("w1") as worker:
        last = queue.add(1, alice=alice, bob=bob)
        tap.ok(queue.wait("reported", last), "it plays again", worker.log())
        tap.equal(len(count.read_text().split()), built + 1,
                  "what was built is still there")
        worker.end(signal.SIGTERM)


def verdicts(queue):
    """A verdict that comes in time is told."""
    carol = queue.bot("carol")
    hash_ = "ab" * 32
    with queue.worker("w1") as worker:
        job, = queue.add(1, carol=carol, rand="random")
        queue.wait("reported", [job])
        queue.sql(f"NOTIFY referee_verdict, '{job} {hash_}'")
        arena.wait_for(lambda: queue.lines("carol")[-1][-1] == "bye")
        lines = queue.lines("carol")[-1]
        late = "over" not in {line.split()[0] for line in lines}
        tap.ok(late or f"over {queue.job(job, 'game')[0]} {hash_}" in lines,
               "the hash of its verdict", lines)
        worker.end(signal.SIGTERM)


def lost(queue):
    """A worker that is killed is another attempt, with the same cards, and with
    the entropy that was given first."""
    gate = queue.place.root / "gate"
    wait = f'while [ ! -e {gate} ]; do sleep 0.05; done'
    dave = queue.bot("dave", before=wait, more="entropy = yes\n")
    eve = queue.bot("eve", more="entropy = yes\n")
    job, = queue.add(1, entropy=1, dave=dave, eve=eve)
    with queue.worker("w2") as worker:
        tap.ok(arena.wait_for(lambda: queue.asked("dave"), 60), "it is asked", worker.log())
        kept = queue.job(job, "encode(entropy, 'hex')")[0]
        tap.ok(kept != "", "entropy is kept before the first card is dealt")
        worker.end()
        tap.ok(arena.wait_for(lambda: len(queue.place.processes()) == 0, 20),
               "nothing of it is left", queue.place.processes())
    with queue.worker("w2") as worker:
        tap.ok(arena.wait_for(lambda: len(queue.lines("dave")) == 2 and any(
            line.startswith("ask") for line in queue.lines("dave")[1]), 60),
               "it is played again", worker.log())
        gate.write_text("")
        tap.ok(queue.wait("reported", [job]), "and reported", worker.log())
        worker.end(signal.SIGTERM)
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


def away(queue):
    """The database goes while a game is played, and comes back when it is
    over."""
    gate = queue.place.root / "gate2"
    wait = f'while [ ! -e {gate} ]; do sleep 0.05; done'
    frank = queue.bot("frank", before=wait)
    with queue.worker("w3") as worker:
        job, = queue.add(1, frank=frank, rand="random")
        arena.wait_for(lambda: queue.asked("frank"))
        queue.cluster.kill()
        tap.ok(worker.says("event=queue-down"), "a lost database is told",
               worker.log())
        gate.write_text("")
        tap.ok(arena.wait_for(lambda: queue.lines("frank")[-1][-1] == "bye"),
               "the game goes on without it", queue.lines("frank"))
        queue.cluster.start()
        tap.ok(queue.wait("reported", [job]), "its result was kept",
               worker.log())
        tap.equal(queue.job(job, "attempt, losses"), ["1", "0"],
                  "which is no loss")
        worker.end(signal.SIGTERM)
    queue.cluster.stop()
    with queue.worker("w3") as worker:
        tap.ok(worker.says("event=queue-down"),
               "a database that is away at the start is told", worker.log())
        queue.cluster.start()
        tap.ok(worker.says("event=queue-joined"), "and waited for",
               worker.log())
        tap.equal(worker.log().count("event=queue-down"), 1, "told once")
        worker.end(signal.SIGTERM)


def poison(queue):
    """A game whose process is killed, each time that it is played."""
    gate = queue.place.root / "gate0"
    mallory = queue.bot("mallory", before=f"while [ ! -e {gate} ]; do "
                        "sleep 0.05; done")
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
        worker.end(signal.SIGTERM)


def other_bot(queue):
    """An archive that is not what its hash says."""
    folder = next(path for path in queue.place.root.glob("bob-*"))
    hash_ = "0" * 64
    queue.send(folder, hash_)
    with queue.worker("w5") as worker:
        job, = queue.add(1, bob=hash_, rand="random")
        unknown, = queue.add(1, bob="1" * 64, rand="random")
        tap.ok(queue.wait("parked", [job, unknown]), "they are not played",
               (queue.states([job, unknown]), worker.log()))
        tap.ok("another bot" in queue.job(job, "why")[0], "as it is another bot",
               queue.job(job, "why"))
        tap.ok("does not have it" in queue.job(unknown, "why")[0],
               "or is not there", queue.job(unknown, "why"))
        worker.end(signal.SIGTERM)


def stops(queue):
    """Running games may end, what has not begun is given back, and nothing is
    left."""
    gate = queue.place.root / "gate3"
    wait = f'while [ ! -e {gate} ]; do sleep 0.05; done'
    henry = queue.bot("henry", before=wait)
    with queue.worker("w6", "--jobs", "1") as worker:
        jobs = queue.add(4, henry=henry, rand="random")
        arena.wait_for(lambda: queue.asked("henry"))
        worker.send(signal.SIGTERM)
        tap.ok(worker.says("event=stopping"), "it says that it stops")
        tap.ok(arena.wait_for(lambda: queue.states(jobs).count("waiting") == 3),
               "what has not begun is given back", queue.states(jobs))
        gate.write_text("")
        tap.equal(worker.wait(), 0, "it ends")
    tap.equal(queue.states(jobs), ["reported"] + 3 * ["waiting"],
              "the game that ran is reported")
    tap.equal([queue.job(job, "losses")[0] for job in jobs], 4 * ["0"],
              "and none of them is a loss")
    tap.ok(arena.wait_for(lambda: not queue.place.processes(), 20),
           "nothing is left behind", queue.place.processes())
    gate.unlink()
    with queue.worker("w6", "--jobs", "1") as worker:
        arena.wait_for(lambda: len(queue.lines("henry")) == 2)
        worker.send(signal.SIGTERM)
        worker.says("event=stopping")
        worker.send(signal.SIGTERM)
        tap.equal(worker.wait(), 0, "a second signal does not wait")
    tap.equal(queue.states(jobs[1:]), 3 * ["waiting"], "and all is given back")


def fenced(queue):
    """A worker that stood still until its lease was over: its jobs are
    another's."""
    gate = queue.place.root / "gate4"
    wait = f'while [ ! -e {gate} ]; do sleep 0.05; done'
    queue.sql("UPDATE referee.job SET state = 'void' WHERE state = 'waiting'")
    irene = queue.bot("irene", before=wait)
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
            gate.write_text("")
            tap.ok(queue.wait("reported", [job]), "it is reported",
                   (slow.log(), other.log()))
            other.end(signal.SIGTERM)
        slow.end(signal.SIGTERM)
    bodies = queue.sql("SELECT state FROM referee.result WHERE job = "
                       f"{job} ORDER BY state")
    tap.ok(bodies in ([["new"]], [["late"], ["new"]]),
           "one result counts", bodies)
    tap.equal(queue.verify(job).code, 0, "and proves itself")


def main():
    with queue_jobs.Queue() as queue:
        tap.equal([done.code for done in queue.told], [0, 0],
                  "there is a queue")
        wrong(queue)
        plays(queue)
        verdicts(queue)
        lost(queue)
        poison(queue)
        other_bot(queue)
        stops(queue)
        fenced(queue)
        away(queue)
    tap.done()


main()
