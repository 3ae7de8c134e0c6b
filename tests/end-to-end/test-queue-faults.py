#!/usr/bin/env python3
"""Tests machines of a queue that misbehave: one that stands still, one that
dies each time it plays a certain bot, one whose bots take all they can get,
and, in the long form, full disks."""

import os
import pathlib
import re
import signal
import shutil
import statistics

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
ZOO = tap.BUILD_DIR / "sample-bots" / "hostile"
# Each of these takes all that it can get of one resource.
HOSTILE = ("fork-bomb", "memory-one", "disk-fill") if LONG else ("fork-bomb",)
WAIT_S = 600


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


class Fleet:
    """Keeps workers running: starts them again when they were killed."""

    def __init__(self, queue, names, *arguments):
        self.queue, self.arguments = queue, arguments
        self.worker = {name: self.start(name) for name in names}
        self.deaths = 0

    def start(self, name):
        return self.queue.worker(name, *self.arguments)

    def die(self, name):
        """Kills all processes of the worker at once, as when its machine dies."""
        worker, processes = self.worker[name], self.queue.place.processes()
        mine = [pid for pid, line in processes.items()
                if f"{name}.data" in line or pid == worker.process.pid]
        parents = {worker.process.pid, *mine}
        for pid in processes:
            if arena.status(pid)[0] in parents:
                mine.append(pid)
                parents.add(pid)
        for pid in mine:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        worker.wait()
        self.deaths += 1
        self.worker[name] = self.start(name)

    def end(self):
        for worker in self.worker.values():
            worker.end()


def waits_ms(queue, jobs):
    """Returns the milliseconds from the creation of each job to its result, by
    the database's clock."""
    numbers = ",".join(map(str, jobs))
    return [float(row[0]) for row in queue.sql(
        "SELECT extract(epoch FROM r.made - j.made) * 1000 FROM referee.job j "
        f"JOIN referee.result r ON r.job = j.job WHERE j.job IN ({numbers})")]


def poison(queue):
    """Tests a bot that takes its machine down each time: when two have died,
    with the same cards, its game is parked, and the other games are played."""
    good, many = queue.bot("good"), 60 if LONG else 6
    mallory = queue.bot("mallory", before=queue.gate().wait)
    fleet = Fleet(queue, ["p1", "p2"] if LONG else ["p1"], "--jobs", "4")
    if LONG:
        quiet = queue.add(many, good=good, rand="random")
        queue.wait("reported", quiet, WAIT_S)
        before = statistics.median(waits_ms(queue, quiet))
    bad, = queue.add(1, mallory=mallory, rand="random")
    others = queue.add(many, good=good, rand="random")

    def parked():
        if queue.asked("mallory") > fleet.deaths:
            fleet.die(queue.job(bad, "worker")[0])
        return queue.states([bad]) == ["parked"]

    tap.ok(arena.wait_for(parked, WAIT_S), "its game is parked",
           (queue.job(bad, "state, losses, why"), fleet.deaths))
    tap.equal(fleet.deaths, 2, "after two deaths")
    losses, reason = queue.job(bad, "losses, why")
    tap.ok(losses == "2" and "mallory" in reason, "by the names of its bots",
           (losses, reason))
    tap.equal(len({tuple(line for line in lines if line.startswith("deal"))
                   for lines in queue.lines("mallory")}), 1,
              "each attempt has the same cards")
    tap.ok(queue.wait("reported", others, WAIT_S), "all others are played",
           (queue.sql("SELECT job, state, losses, why FROM referee.job WHERE "
                      "state NOT IN ('reported', 'parked')")))
    tap.equal([job for job in others if int(queue.job(job, "losses")[0]) > 1],
              [], "and none of them is to blame")
    if LONG:
        after = statistics.median(waits_ms(queue, others))
        tap.note(f"median of {many} games from job to result: {before:.0f} ms, "
                 f"{after:.0f} ms beside one that kills its machine")
    fleet.end()


def hostile(queue):
    """Tests bots that take all they can get in their boxes: the worker and the
    next game go on."""
    why = machine.no_boxes()
    if tap.skip("hostile bots on a worker", why):
        return
    queue.place.root.chmod(0o755)
    good = queue.bot("fine")
    with queue.worker("h1", "--sandbox", "on") as worker:
        for name in HOSTILE:
            folder = queue.place.root / f"hostile-{name}"
            folder.mkdir()
            shutil.copy(ZOO / name, folder / name)
            (folder / "bot.conf").write_text(
                f'name = "{name}"\nversion = "1"\nrun = {{ "./{name}" }}\n',
                "ascii")
            job, = queue.add(1, **{name: queue.send(folder), "rand": "random"})
            more = queue.add(1, fine=good, rand="random")
            tap.ok(queue.wait("reported", [job, *more], WAIT_S),
                   f"{name}: its game and the next one are played",
                   (queue.job(job, "state, why"), worker.log()))
            tap.equal(queue.job(job, "attempt, losses"), ["1", "0"],
                      f"{name}: at once")
            tap.equal(queue.verify(job).code, 0, f"{name}: its record holds")
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
    with queue_jobs.Queue(cluster=postgres.Cluster(disk="100m")) as queue:
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
        tap.equal(queue.job(job, "state, losses"), ["waiting", "0"],
                  "and the game waits for another worker")
        tap.run(["mount", "-o", "remount,size=2g", data])
        tap.ok(queue.wait("reported", [job], WAIT_S),
               "with room it is played there", small.log())
        tap.equal(queue.job(job, "losses"), ["0"], "which is no loss")
        small.end()
    tap.run(["umount", data])


def main():
    may_mount = daemon.may_mount() if LONG else False
    with queue_jobs.Queue() as queue:
        stands_still(queue)
        cache_goes(queue)
        poison(queue)
        hostile(queue)
        if LONG and not tap.skip("full disks", None if may_mount else
                                 "no file system can be mounted here"):
            full_worker(queue)
            full_database()
        tap.ok(arena.wait_for(lambda: not queue.place.processes()),
               "nothing is left behind", queue.place.processes())
    tap.done()


main()
