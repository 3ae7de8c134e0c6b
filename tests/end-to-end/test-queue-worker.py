#!/usr/bin/env python3
"""`referee worker` plays the jobs of a queue: bots come by their hash and are
built once; what it cannot use is told in a sentence; nothing is left behind."""

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
        worker.end()


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
        worker.end()


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
        worker.end()


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


def main():
    with queue_jobs.Queue() as queue:
        tap.equal([done.code for done in queue.told], [0, 0],
                  "there is a queue")
        wrong(queue)
        plays(queue)
        verdicts(queue)
        other_bot(queue)
        stops(queue)
    tap.done()


main()
