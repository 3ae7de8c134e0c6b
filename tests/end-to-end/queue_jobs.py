"""Makes a queue without a daemon: its database, jobs as a daemon would make
them, and workers that play them.

    with queue_jobs.Queue(postgres.Cluster()) as queue:
        alice = queue.bot("alice")              # its hash
        jobs = queue.add(3, alice=alice, rand="random")
        with queue.worker("w1") as worker:
            queue.wait("reported", jobs)
        queue.record(jobs[0])                   # its text
"""

import io
import os
import signal
import subprocess
import tarfile

import arena
import local_bots
import tap

JOB = str(tap.BUILD_DIR / "tests" / "unit" / "queue-job")
LONG_S = 300

# Writes each line that it reads into a file of its own, whose number says which process
# was the first, and answers with the first token; waits at a gate first if it has one.
WRITES = """#!/bin/sh
read -r line
n=1
out={log}/{name}.1
# In a box there is no such folder.
until (set -C; echo "$line" >"$out") 2>/dev/null || [ ! -e "$out" ]; do
	n=$((n + 1))
	out={log}/{name}.$n
done
echo "bot 1 {name}"
while read -r line; do
\techo "$line" >>"$out"
\tset -- $line
\tcase $1 in
\tentropy\\?) given=$(printf %016x $$)
\t\techo "gave $given" >>"$out"
\t\techo "entropy $given" ;;
\task) {before}
\t\techo "do $2 $4" ;;
\tbye) exit 0 ;;
\tesac
done
"""


class Gate:
    """A gate at which bots wait without polling."""

    def __init__(self, path):
        self.path, self.fd = path, None
        os.mkfifo(path)
        self.wait = f": <{path}"  # shell code that waits

    def open(self):
        """Opens the gate for all bots that wait and all that come later."""
        self.fd = os.open(self.path, os.O_RDWR)

    def shut(self):
        os.close(self.fd)
        self.fd = None


class Worker:
    """A worker process; log() returns its log."""

    def __init__(self, queue, name, arguments, environ=None):
        self.queue, self.name = queue, name
        self.path = queue.place.root / f"{name}.{queue.count()}.log"
        with open(self.path, "wb") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "worker", "--name", name, *map(str, arguments)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environ or queue.place.environ, cwd=queue.place.root)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def log(self):
        return self.path.read_text("latin-1")

    def says(self, part, seconds=LONG_S):
        return arena.wait_for(lambda: part in self.log() or
                              self.process.poll() is not None, seconds) and \
            part in self.log()

    def send(self, number):
        self.process.send_signal(number)

    def wait(self):
        """Returns its exit code, or None if it has not ended."""
        try:
            return self.process.wait(LONG_S)
        except subprocess.TimeoutExpired:
            return None

    def end(self, number=signal.SIGKILL):
        if self.process.poll() is None:
            self.send(number)
        return self.wait()


class Queue:
    """`cluster` may be killed, and is removed with this."""

    def __init__(self, cluster, dbname="queue"):
        self.place = arena.Arena()
        self.cluster = cluster
        self.dbname = dbname
        self.counted = 0
        self.first = 1
        self.key = self.place.root / "queue.key"
        self.logs = self.place.root / "lines"
        self.logs.mkdir()
        self.conninfo = self.cluster.create(dbname)
        self.told = [tap.referee("queue", "key", self.key),
                     tap.referee("queue", "init", "--queue", self.conninfo)]
        self.sql("UPDATE referee.house SET key_print = "
                 f"'{self.told[0].out.split()[1]}'")
        self.cluster.role("machine", "LOGIN IN ROLE referee_worker")
        self.cluster.role("nothing")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cluster.__exit__()
        self.place.__exit__()

    def count(self):
        self.counted += 1
        return self.counted

    def sql(self, text):
        return self.cluster.sql(text, dbname=self.dbname)

    def where(self, user="machine"):
        return self.cluster.conninfo(self.dbname, user)

    # ---- bots

    def gate(self):
        return Gate(self.place.root / f"gate-{self.count()}")

    def bot(self, name, before="", more="", script=None, log=None):
        """Adds a bot that writes down what it reads; returns its hash."""
        text = (script or WRITES).format(name=name, before=before,
                                         log=log or self.logs)
        folder = local_bots.folder(self.place.root, name,
                                   str(self.count()), more)
        (folder / "bot.sh").write_text(text, "ascii")
        return self.send(folder)

    def send(self, folder, as_hash=None):
        """Puts a bot into the database, under its own hash or another."""
        data = self.place.root / f"data-{self.count()}"
        done = tap.referee("bots", "add", folder, "--data", data, "--no-check",
                           "--sandbox", "off")
        if done.code != 0:
            raise RuntimeError(f"bots add: {done}")
        hash_ = as_hash or next((data / "bots").iterdir()).name
        whole = io.BytesIO()
        with tarfile.open(fileobj=whole, mode="w:gz") as tar:
            for path in sorted(folder.iterdir()):
                tar.add(path, path.name)
        self.sql("INSERT INTO referee.bot (hash, archive, name) VALUES "
                 f"('{hash_}', '\\x{whole.getvalue().hex()}', 'bot')")
        return hash_

    def lines(self, name):
        """Returns the lines that each of the bot's processes has read, the
        first one first."""
        files = sorted(self.logs.glob(f"{name}.*"),
                       key=lambda path: int(path.suffix[1:]))
        return [path.read_text("latin-1").splitlines() for path in files]

    def asked(self, name):
        """Returns how many of the bot's processes were asked."""
        return sum(any(line.startswith("ask") for line in lines)
                   for lines in self.lines(name))

    # ---- jobs

    def add(self, count, game="toepen", entropy=0, seed="test",
            move_ms=3600000, **bots):
        """Adds jobs; returns their numbers."""
        done = tap.run([JOB, "make", self.key, game, seed, self.first, count,
                        entropy, move_ms, *(f"{name}={what}"
                                   for name, what in bots.items())])
        if done.code != 0:
            raise RuntimeError(f"queue-job: {done}")
        self.first += count
        hashes = ",".join("''" if what == "random" else f"'{what}'"
                          for what in bots.values())
        names = ",".join(f"'{name}'" for name in bots)
        made = []
        for line in done.out.splitlines():
            game_id, commitment, spec, sealed, rules = line.split()
            made += self.sql(
                "WITH made AS (INSERT INTO referee.job (ladder, game, spec, "
                "sealed, commitment, bot, name, rules) VALUES "
                f"('one', '{game_id}', '\\x{spec}', '\\x{sealed}', "
                f"'{commitment}', ARRAY[{hashes}], ARRAY[{names}], "
                f"'{rules}') RETURNING job) SELECT job, "
                "pg_notify('referee_job', '') FROM made")
        return [int(row[0]) for row in made]

    def job(self, number, what):
        return self.sql(f"SELECT {what} FROM referee.job WHERE job = {number}"
                        )[0]

    def states(self, jobs):
        return [self.job(job, "state")[0] for job in jobs]

    def wait(self, state, jobs, seconds=LONG_S):
        return bool(arena.wait_for(
            lambda: self.states(jobs) == [state] * len(jobs), seconds))

    def record(self, job):
        body = self.sql("SELECT encode(body, 'hex') FROM referee.result "
                        f"WHERE job = {job} ORDER BY attempt LIMIT 1")[0][0]
        done = tap.run([JOB, "read"], stdin=self._file(body))
        return done.out if done.code == 0 else ""

    def _file(self, text):
        path = self.place.root / "body"
        path.write_text(text + "\n", "ascii")
        return open(path, "rb")

    def verify(self, job):
        path = self.place.root / f"{job}.rec"
        path.write_text(self.record(job), "latin-1")
        return tap.referee("verify", path)

    # ---- workers

    def worker(self, name, *arguments, user="machine", data=None, environ=None):
        return Worker(self, name, [
            "--queue", self.where(user), "--key", self.key, "--jobs", 2,
            "--data", data or self.place.root / f"{name}.data", "--sandbox",
            "off", *arguments], environ)
