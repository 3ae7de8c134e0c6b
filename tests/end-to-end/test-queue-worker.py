#!/usr/bin/env python3
"""End-to-end because a worker, its database, its bots and their signals are real.

Tests `referee worker`: it plays the jobs of a queue, fetches bots by their hash and
builds them once, reports what it cannot use in a sentence, and leaves nothing behind.
A game that is played again, because its worker was killed, stood still or lost its
processes, has the same cards, and no bot is charged for it.  Nothing is lost while the
database is away.  In the long form disks are full."""

import os
import pathlib
import re
import signal
import shutil

import arena
import daemon
import machine
import postgres
import queue_jobs
import tap

if why := postgres.missing():
    tap.skip_all(why)
LONG = bool(os.environ.get("CHECK_ALL"))
MOVE_MS = 100000
BUILDS = """build = {{ "sh", "-c", "cp bot.sh built.sh; echo x >>{count}" }}
"""


def wrong(queue):
    """Tests that each mistake gives one sentence."""
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
    fails("a role that may not play", 2,
          "log in as a member of referee_worker", *good, "--queue",
          queue.where("nothing"))
    fails("a database without a queue", 2, "there is no queue", *good,
          "--queue", queue.cluster.conninfo("postgres"))
    fails("too many jobs", 2, "1 to 256", *good, "--jobs", "257")
    fails("no class", 2, "ladders say that ask for no class", *good, "--class",
          "any")


def plays(queue):
    """Tests games of a bot that is built, of one that is not, and of built-in
    bots."""
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
                                          queue.lines("bob"))),
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


def as_many_jobs_as_may_be(queue):
    """Tests that it goes on claiming even if games are very short."""
    with queue.worker("w1", "--jobs", "256") as worker:
        for number in range(3):
            jobs = queue.add(1, a="random", b="random")
            tap.ok(queue.wait("reported", jobs), f"a worker for 256 games at "
                   f"a time plays game {number}", (queue.states(jobs), worker.log()))
        worker.end()


def verdicts(queue):
    """Tests that bots are told a verdict that comes in time."""
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
    """Tests an archive that does not match its hash."""
    folder = next(path for path in queue.place.root.glob("bob-*"))
    hash_ = "0" * 64
    queue.send(folder, hash_)
    with queue.worker("w5") as worker, queue.worker("w5b"):
        job, = queue.add(1, bob=hash_, rand="random")
        unknown, = queue.add(1, bob="1" * 64, rand="random")
        tap.ok(queue.wait("parked", [job, unknown]), "they are not played",
               (queue.states([job, unknown]), worker.log()))
        tap.ok("another bot" in queue.job(job, "why")[0], "as it is another bot",
               queue.job(job, "why"))
        tap.ok("does not have it" in queue.job(unknown, "why")[0],
               "or is not there", queue.job(unknown, "why"))
        worker.end()


def unbuilt(queue):
    """Tests that a bot that one machine cannot build plays on another one."""
    nora = queue.bot("nora", more='build = {{ "sh", "-c", "case $PWD in '
                     '*lame*) echo no compiler; exit 1;; esac" }}\n'.format())
    job, = queue.add(1, nora=nora, rand="random")
    with queue.worker("lame") as lame:
        tap.ok(arena.wait_for(lambda: queue.sql(
            "SELECT worker FROM referee.unbuilt WHERE worker = 'lame'")),
            "a worker says that it cannot build a bot", lame.log())
        tap.equal(queue.job(job, "state, losses"), ["waiting", "0"],
                  "which is no loss")
        with queue.worker("w6"):
            tap.ok(queue.wait("reported", [job]), "another one plays it",
                   lame.log())
        tap.equal(queue.job(job, "attempt")[0], "2",
                  "and the first one does not try again")
        tap.equal(lame.log().count("event=bot-not-built"), 1,
                  "it says so once")


def unstartable(queue):
    """Tests that a bot whose program, or whose build's program, is missing on
    workers does not block other games."""
    good = queue.bot("good")
    shell = queue.place.root / "shell"
    shell.symlink_to("/bin/sh")

    def made(name, build):
        folder = queue.place.root / name
        folder.mkdir()
        (folder / "bot.conf").write_text(
            f'name = "{name}"\nversion = "1"\nrun = {{ "./made" }}\n'
            f'build = {{ {build} }}\n', "ascii")
        (folder / "bot.sh").write_text(f"#!{shell}\ncp bot.sh made\n", "ascii")
        (folder / "bot.sh").chmod(0o755)
        return queue.send(folder)

    bots = {"m": made("m", '"sh", "-c", "case $PWD in *lame*) ;; *) '
                      'cp bot.sh made;; esac"'), "n": made("n", '"./bot.sh"')}
    shell.unlink()
    others = [queue.add(1, **{name: hash_}, rand="random")[0]
              for name, hash_ in bots.items()]
    with queue.worker("lame1") as worker, queue.worker("lame2"):
        jobs = queue.add(2, good=good, rand="random")
        tap.ok(queue.wait("reported", jobs), "other games are played",
               (queue.states(jobs), worker.log()))
        tap.ok(queue.wait("parked", others), "its own are parked",
               ([queue.job(job, "state, why") for job in others],
                worker.log()))
        worker.end()


def keeper_killed(queue):
    """Tests that the worker goes on claiming when the process that imports a
    bot is killed, as by a bot that takes too much memory."""
    good = queue.bot("good")
    gate = queue.gate()
    ruth = queue.bot("ruth", more='build = { "sh", "-c", "case $PWD in '
                     f'*kept*) {gate.wait};; esac" }}\n')
    other, = queue.add(1, ruth=ruth, rand="random")

    def keepers():
        return [pid for pid, line in queue.place.processes().items()
                if " keep-bot " in line and ruth in line]

    with queue.worker("kept") as worker:
        tap.ok(arena.wait_for(keepers), "a bot is built", worker.log())
        for pid in keepers():
            # The death of the first process ends those that it has started.
            arena.kill(pid)
        tap.ok(worker.says("was killed"), "its process is killed, which is told",
               worker.log())
        jobs = queue.add(1, good=good, rand="random")
        tap.ok(queue.wait("reported", jobs), "another game is played",
               (queue.states(jobs), worker.log()))
        tap.ok(queue.states([other])[0] in ("waiting", "parked"),
               "that bot's is not", queue.job(other, "state, why"))
        worker.end()
    queue.sql(f"UPDATE referee.job SET state = 'void' WHERE job = {other}")


def twins(queue):
    """Tests that only one process at a time may have a name."""
    gate = queue.gate()
    tina = queue.bot("tina", before=gate.wait)
    with queue.worker("w7") as first:
        job, = queue.add(1, tina=tina, rand="random")
        arena.wait_for(lambda: queue.asked("tina"))
        with queue.worker("w7", data=queue.place.root / "twin.data") as second:
            tap.ok(second.says("another process plays under the name w7"),
                   "a second process of a name waits", second.log())
            tap.equal(queue.job(job, "attempt, losses"), ["1", "0"],
                      "the first one's game goes on")
            first.end()
            tap.ok(second.says("event=queue-joined"),
                   "until the first one is gone, even killed", second.log())
            tap.equal(second.log().count("event=queue-waits"), 1,
                      "it says so once")
            gate.open()
            tap.ok(queue.wait("reported", [job]), "and plays its games",
                   second.log())
            second.end()


def versions(queue):
    """Tests a queue and a worker of other versions."""
    def set_version(version, oldest):
        queue.sql(f"UPDATE referee.house SET version = {version}, "
                  f"oldest = {oldest}")

    version, oldest = queue.sql("SELECT version, oldest FROM referee.house")[0]
    set_version(1, 1)
    with queue.worker("w8") as worker:
        tap.ok(worker.says("the queue has version 1, and this referee needs "
                           f"{version}: run its `referee queue init`"),
               "a queue that is too old is waited for", worker.log())
        set_version(int(version) + 1, oldest)
        tap.ok(worker.says("event=queue-joined"),
               "one that is newer will do, if it says so", worker.log())
        worker.end()
    set_version(int(version) + 1, int(version) + 1)
    with queue.worker("w8") as worker:
        tap.equal(worker.wait(), 2, "else it ends")
        tap.ok(f"the queue has version {int(version) + 1}, and this referee "
               f"knows only {version}: install the newer one" in worker.log(),
               "in one sentence", worker.log())
    set_version(version, oldest)
    done = queue.add(1, game="toepen", a="random", b="random")
    queue.sql("UPDATE referee.job SET rules = 'toepen/999/1' "
              f"WHERE job = {done[0]}")
    with queue.worker("w8") as worker:
        more = queue.add(1, a="random", b="random")
        tap.ok(queue.wait("reported", more) and
               queue.states(done) == ["waiting"],
               "a game of other rules is left to another worker",
               (queue.states(done + more), worker.log()))
        worker.end()
    queue.sql(f"UPDATE referee.job SET state = 'void' WHERE job = {done[0]}")


def new_key(queue):
    """Tests that a worker that still has the old key does not park games."""
    bob = queue.bot("bob")
    old, queue.key = queue.key, queue.place.root / "new.key"
    made = tap.referee("queue", "key", queue.key)
    new, queue.key = queue.key, old
    with queue.worker("w9") as worker:
        worker.says("event=queue-joined")
        print_ = queue.sql("SELECT key_print FROM referee.house")[0][0]
        queue.sql("UPDATE referee.house SET key_print = "
                  f"'{made.out.split()[1]}'")
        queue.key = new
        jobs = queue.add(3, bob=bob, rand="random")
        tap.equal(worker.wait(), 2, "a worker with the old key ends")
        tap.ok("the key is not that of this queue" in worker.log(),
               "with one sentence", worker.log())
        tap.equal([queue.job(job, "losses")[0] for job in jobs], 3 * ["0"],
                  "and loses no game")
    with queue.worker("w9") as worker:
        tap.ok(queue.wait("reported", jobs), "one with the new key plays them",
               worker.log())
        queue.key = old
        job, = queue.add(1, bob=bob, rand="random")
        tap.ok(queue.wait("parked", [job]), "a game whose seal alone is broken "
               "is parked", (queue.job(job, "state, why"), worker.log()))
        worker.end()
    queue.sql(f"UPDATE referee.house SET key_print = '{print_}'")


def stops(queue):
    """Tests a stop: running games may end, jobs that have not begun are given
    back, and nothing is left."""
    gate = queue.gate()
    henry = queue.bot("henry", before=gate.wait)
    with queue.worker("w6", "--jobs", "1") as worker:
        jobs = queue.add(4, henry=henry, rand="random")
        arena.wait_for(lambda: queue.asked("henry"))
        worker.send(signal.SIGTERM)
        tap.ok(worker.says("event=stopping"), "it says that it stops")
        tap.ok(arena.wait_for(lambda: queue.states(jobs).count("waiting") == 3),
               "what has not begun is given back", queue.states(jobs))
        gate.open()
        tap.equal(worker.wait(), 0, "it ends")
    tap.equal(queue.states(jobs), ["reported"] + 3 * ["waiting"],
              "the game that ran is reported")
    tap.equal([queue.job(job, "losses")[0] for job in jobs], 4 * ["0"],
              "and none of them is a loss")
    tap.ok(arena.wait_for(lambda: not queue.place.processes()),
           "nothing is left behind", queue.place.processes())
    gate.shut()
    with queue.worker("w6", "--jobs", "1") as worker:
        arena.wait_for(lambda: len(queue.lines("henry")) == 2)
        worker.send(signal.SIGHUP)
        tap.ok(worker.says("event=stopping"), "the end of its terminal stops it "
               "likewise", worker.process.poll())
        worker.send(signal.SIGTERM)
        tap.equal(worker.wait(), 0, "a second signal does not wait")
    tap.equal(queue.states(jobs[1:]), 3 * ["waiting"], "and all is given back")
    queue.sql("UPDATE referee.job SET state = 'void' WHERE state = 'waiting'")


def lost(queue):
    """Tests that after a worker was killed the next attempt has the same cards
    and the first entropy."""
    gate = queue.gate()
    dave = queue.bot("dave", before=gate.wait, more="entropy = yes\n")
    eve = queue.bot("eve", more="entropy = yes\n")
    job, = queue.add(1, entropy=1, dave=dave, eve=eve)
    # There is one second to give entropy.
    slow = daemon.slow_workers(queue.place.root, queue.place.environ)
    with queue.worker("w2", environ=slow) as worker:
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
                        arena.kill(pid)
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


def signal_all(queue, number):
    """Signals the worker and all processes that it has started."""
    for pid in queue.place.processes():
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def turns(queue):
    """Returns how often each process of the worker has run its loop, which it
    does at least every 50 ms."""
    found = {}
    for pid, line in queue.place.processes().items():
        if line.startswith(tap.REFEREE) or " play-jobs " in line:
            try:
                text = pathlib.Path(f"/proc/{pid}/status").read_text("ascii")
            except OSError:  # it has ended meanwhile
                continue
            found[pid] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text,
                                       re.M)[1])
    return found


def stands_still(queue):
    """Tests a machine that stands still for longer than the time of its bots:
    they are not charged, though they were thinking."""
    root = queue.place.root
    environ = daemon.wrong_date(root, daemon.STEADY, queue.place.environ,
                                workers=True)
    if tap.skip("a machine that stands still", None if environ else "no compiler"):
        return
    later = root / "wrong"
    gate = queue.gate()
    slow = queue.bot("slow", before=gate.wait)
    with queue.worker("w1", "--jobs", "1", environ=environ) as worker:
        job, = queue.add(1, move_ms=MOVE_MS, slow=slow, rand="random")
        tap.ok(arena.wait_for(lambda: queue.asked("slow")), "a bot is asked",
               worker.log())
        for i in 1, 2:
            signal_all(queue, signal.SIGSTOP)
            later.write_text(str(i * 2 * MOVE_MS // 1000), "ascii")
            before = turns(queue)
            signal_all(queue, signal.SIGCONT)
            # These are the worker and the process that plays.
            tap.ok(arena.wait_for(lambda: sum(
                n > before.get(pid, n) + 5 for pid, n in turns(queue).items())
                > 1), "the machine goes on, much later", before)
        gate.open()
        tap.ok(queue.wait("reported", [job]), "the game goes on", worker.log())
        worker.end()
    record = queue.record(job)
    tap.equal([line for line in record.splitlines()
               if line.startswith("fault ")], [],
              "and no bot is charged for the time that it stood")
    tap.equal(queue.verify(job).code, 0, "its record holds")


def cache_goes(queue):
    """Tests a worker whose cached bots are removed: they are not charged."""
    lena, mona = queue.bot("lena"), queue.bot("mona")
    data = queue.place.root / "c1.data"
    with queue.worker("c1", data=data) as worker:
        jobs = queue.add(1, lena=lena, mona=mona)
        tap.ok(queue.wait("reported", jobs), "a game is played", worker.log())
        (data / "bots" / lena / "bot" / "bot.sh").unlink()
        shutil.rmtree(data / "bots" / mona)
        jobs = queue.add(1, lena=lena, rand="random") + \
            queue.add(1, mona=mona, rand="random")
        with queue.worker("c2"):
            tap.ok(queue.wait("reported", jobs), "another worker plays games "
                   "of bots that have gone", (queue.states(jobs), worker.log()))
        tap.ok("files of it are gone" in worker.log(), "it is told",
               worker.log())
        worker.end()
    tap.equal([job for job in jobs if "aborted" in queue.record(job)], [],
              "and each game has a result")


def hostile(queue):
    """Tests a bot that takes all the processes that it can get in its box: the worker
    and the next game go on."""
    if tap.skip("a hostile bot on a worker", machine.no_boxes()):
        return
    queue.place.root.chmod(0o755)
    folder = queue.place.root / "hostile"
    folder.mkdir()
    shutil.copy(tap.BUILD_DIR / "sample-bots" / "hostile" / "fork-bomb", folder)
    (folder / "bot.conf").write_text(
        'name = "bomb"\nversion = "1"\nrun = { "./fork-bomb" }\n', "ascii")
    bombs = queue.add(1, move_ms=20000, bomb=queue.send(folder), rand="random")
    more = queue.add(1, fine=queue.bot("fine"), rand="random")
    with queue.worker("h1", "--sandbox", "on") as worker:
        tap.ok(queue.wait("reported", bombs + more, 2 * queue_jobs.LONG_S),
               "its game and the next one are played",
               (queue.states(bombs + more), worker.log()))
        tap.equal(queue.job(bombs[0], "attempt, losses"), ["1", "0"], "at once")
        tap.equal(queue.verify(bombs[0]).code, 0, "its record holds")
        tap.equal(worker.process.poll(), None, "the worker lives")
        tap.ok("worker-lost" not in worker.log(), "and all of its processes",
               worker.log())
        worker.end()


# ---- full disks -------------------------------------------------------------


def ballast(path):
    """Fills the disk."""
    with open(path, "wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 16)):
                pass
            while file.write(b"x"):
                pass
        except OSError:
            pass


def full_database():
    """Tests a database without room for results: the worker keeps them until
    there is room, and says so in a sentence."""
    with queue_jobs.Queue(postgres.Cluster(disk="100m")) as queue:
        grace = queue.bot("grace")
        gate = queue.gate()
        henry = queue.bot("henry", before=gate.wait)
        with queue.worker("d1") as worker:
            jobs = queue.add(2, henry=henry, rand="random")
            arena.wait_for(lambda: queue.asked("henry") == 2)
            heavy = queue.cluster.data / "ballast"
            ballast(heavy)
            # This much room is left in files that exist already.
            tap.ok(arena.wait_for(lambda: queue.cluster.psql(
                "CREATE TABLE IF NOT EXISTS much (t text); INSERT INTO much "
                "SELECT repeat('x', 1000) FROM generate_series(1, 5000)",
                queue.dbname).code != 0), "the database is full")
            queue.cluster.psql("DROP TABLE much", queue.dbname)
            gate.open()
            fuller = arena.wait_for(
                lambda: "No space left" in worker.log() or
                queue.states(jobs) == ["reported"] * 2)
            tap.ok(fuller, "the worker says so, or its result still fits",
                   worker.log())
            tap.note([line for line in worker.log().splitlines()
                      if "space" in line][:2])
            heavy.unlink()
            tap.ok(queue.wait("reported", jobs), "with room again all goes on",
                   worker.log())
            tap.equal([queue.job(job, "attempt, losses") for job in jobs],
                      [["1", "0"]] * 2, "and nothing was lost")
            more = queue.add(2, grace=grace, rand="random")
            tap.ok(queue.wait("reported", more), "nor is any later game",
                   worker.log())
            worker.end()


def full_worker(queue):
    """Tests that a worker without room for a bot leaves its games to others,
    and tries again later."""
    data = queue.place.root / "small"
    data.mkdir()
    done = tap.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "none",
                    data])
    if tap.skip("a worker with a full disk", None if done.code == 0 else done):
        return
    bot = queue.bot("rita")
    with queue.worker("s1", data=data / "data") as small:
        job, = queue.add(1, rita=bot, rand="random")
        tap.ok(small.says("no room"), "it says that its disk has no room",
               small.log())
        tap.ok(queue.wait("waiting", [job]), "and the game waits for another worker",
               queue.job(job, "state, losses"))
        tap.run(["mount", "-o", "remount,size=2g", data])
        tap.ok(queue.wait("reported", [job], 2 * queue_jobs.LONG_S),
               "with room it is played there", small.log())
        tap.equal(queue.job(job, "losses"), ["0"], "which is no loss")
        small.end()
    tap.run(["umount", data])


def main():
    may_mount = daemon.may_mount() if LONG else False
    with queue_jobs.Queue(postgres.Cluster()) as queue:
        tap.equal([done.code for done in queue.told], [0, 0],
                  "there is a queue")
        wrong(queue)
        plays(queue)
        as_many_jobs_as_may_be(queue)
        verdicts(queue)
        other_bot(queue)
        unbuilt(queue)
        unstartable(queue)
        keeper_killed(queue)
        twins(queue)
        versions(queue)
        new_key(queue)
        stops(queue)
        lost(queue)
        poison(queue)
        fenced(queue)
        stands_still(queue)
        cache_goes(queue)
        hostile(queue)
        if LONG and not tap.skip("full disks", None if may_mount else
                                 "no file system can be mounted here"):
            full_worker(queue)
            full_database()
        away(queue)
        tap.ok(arena.wait_for(lambda: not queue.place.processes()),
               "nothing is left behind", queue.place.processes())
    tap.done()


main()
