"""Runs many machines: three databases with Patroni and etcd, workers and
daemons, each in a network namespace (nodes.py).

    why = many.missing()                # None, or the reason in one line
    nodes.enter()
    with many.Place(daemons=2, workers=3) as place:
        place.begin()                   # until a game is rated
        place.databases.leader().kill()
        place.grows(3)

Bots answer at once; a game of two takes a fraction of a second."""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time

import arena
import daemon
import local_bots
import nodes
import postgres
import tap

START_S = 600
ANSWER_S = 10  # in which the database must answer the tests
TTL_S = 20  # the least that Patroni takes: a leader that is silent longer is replaced
LADDER = "toepen"
GAME = 'game = toepen seats = 2 options = { "points=1" }'
BOTS = ("ann", "ben")
# Answers with the first token, and writes down how its games end.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
while read -r verb seat time token rest; do
\tcase $verb in
\task) echo "do $seat ${{token%% *}}" ;;
\tover) echo "$seat $time" >>{told}/$$ ;;
\tbye) exit 0 ;;
\tesac
done
"""


def missing():
    """Returns why this cannot be tested here, or None."""
    if postgres.missing():
        return postgres.missing()
    for program, package in (("patroni", "patroni"), ("etcd", "etcd-server"),
                             ("etcdctl", "etcd-client")):
        if shutil.which(program) is None:
            return f"there is no {program} here (Debian: {package})"
    return nodes.missing()


def now():
    """Returns the time, for bounds of tests that hang."""
    return time.monotonic()  # luck: no test asserts how long something took


# ---- databases -------------------------------------------------------------

class Database:
    """Runs etcd, Patroni and its PostgreSQL on a node."""

    def __init__(self, all_of_them, node):
        self.all, self.node, self.name = all_of_them, node, node.name
        self.root = all_of_them.root / node.name
        self.root.mkdir()
        for folder in "etcd", "socket":
            (self.root / folder).mkdir()
        for path in self.root, *self.root.iterdir():
            os.chown(path, int(postgres.owner()[2]), int(postgres.owner()[4]))
        self.data = self.root / "data"

    def write(self):
        """Writes Patroni's configuration as JSON, which is also YAML."""
        address = self.node.address
        (self.root / "patroni.yml").write_text(json.dumps({
            "scope": "referee", "name": self.name,
            "restapi": {"listen": f"{address}:8008",
                        "connect_address": f"{address}:8008"},
            "etcd3": {"hosts": [f"{one.node.address}:2379"
                                for one in self.all.all]},
            "bootstrap": {
                "dcs": {"ttl": TTL_S, "loop_wait": 2, "retry_timeout": 5,
                        "maximum_lag_on_failover": 0,
                        "master_start_timeout": 0,
                        "synchronous_mode": True,
                        "postgresql": {"use_pg_rewind": True,
                                       "parameters": self.all.parameters}},
                # luck: Patroni wants a folder of its own
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"},
                           {"auth": "trust"}, "data-checksums", "no-sync"]},
            "postgresql": {
                "listen": f"{address}:5432",
                "connect_address": f"{address}:5432",
                "bin_dir": postgres.programs(), "data_dir": str(self.data),
                "pgpass": str(self.root / "pgpass"),
                "parameters": {
                    "unix_socket_directories": str(self.root / "socket")},
                "pg_hba": ["local all all trust", "host all all all trust",
                           "host replication all all trust"],
                "authentication": {
                    who: {"username": "postgres"}
                    for who in ("superuser", "replication", "rewind")}}}),
            "ascii")

    def start(self):
        own = f"http://{self.node.address}"
        peers = ",".join(f"{one.name}=http://{one.node.address}:2380"
                         for one in self.all.all)
        self.node.start(
            [*postgres.owner(), "etcd", "--name", self.name, "--data-dir",
             self.root / "etcd", "--listen-peer-urls", f"{own}:2380",
             "--initial-advertise-peer-urls", f"{own}:2380",
             "--listen-client-urls", f"{own}:2379,http://127.0.0.1:2379",
             "--advertise-client-urls", f"{own}:2379",
             "--initial-cluster", peers, "--logger", "zap", "--log-level",
             "error"], self.root / "etcd.log")
        self.node.start([*postgres.owner(), "patroni",
                         self.root / "patroni.yml"],
                        self.root / "patroni.log",
                        env=dict(os.environ, HOME=str(self.root)))

    def kill(self):
        self.node.kill()

    def sql(self, text, dbname="postgres"):
        """Asks over the node's own socket, which no cut of the network affects.
        Returns rows, or None if there is no answer."""
        try:
            done = subprocess.run(
                [f"{postgres.programs()}/psql", "-XqAt", "-c", text,
                 f"host={self.root}/socket user=postgres dbname={dbname} "
                 "connect_timeout=3"], stdin=subprocess.DEVNULL,
                capture_output=True, timeout=ANSWER_S, check=False)  # luck: it asks again
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            return None
        return [line.split("|") for line in done.stdout.decode().splitlines()]

    def leads(self):
        return self.sql("SELECT pg_is_in_recovery()") == [["f"]]


class Databases:
    """Three databases.  `sql()` asks the one that can be written to."""

    def __init__(self, network, root):
        self.network, self.root = network, root
        self.parameters = {
            "synchronous_commit": "on", "max_connections": 60,
            "shared_buffers": "32MB", "wal_keep_size": "1GB",
            "log_min_messages": "warning", "fsync": "off",
            "dynamic_shared_memory_type": "mmap"}
        self.all = [Database(self, network.node(f"db{i}")) for i in (1, 2, 3)]
        self.eye = network.node("eye")
        self.psql = None
        for one in self.all:
            one.write()

    def conninfo(self, dbname="queue", user="postgres"):
        hosts = ",".join(one.node.address for one in self.all)
        return (f"host={hosts} user={user} dbname={dbname} connect_timeout=3 "
                "target_session_attrs=read-write")

    def start(self):
        for one in self.all:
            one.start()
        if not arena.wait_for(self.whole, START_S):
            raise RuntimeError("the databases do not start: " + self.tell())

    def leader(self):
        """Returns the database that leads; None if none or two do."""
        found = [one for one in self.all if one.leads()]
        return found[0] if len(found) == 1 else None

    def standbys(self):
        """Returns the names of the standbys that have everything that the
        leader has committed."""
        leader = self.leader()
        rows = leader and leader.sql("SELECT application_name FROM "
                                     "pg_stat_replication WHERE sync_state = "
                                     "'sync'")
        return [row[0] for row in rows or []]

    def whole(self):
        """Returns true if all databases are up, and Patroni has written down which one
        may take over: otherwise no other one leads before the old leader is back."""
        leader = self.leader()
        rows = leader and leader.sql(
            "SELECT sync_state, application_name "
            "FROM pg_stat_replication WHERE state = 'streaming'")
        if not rows or len(rows) != 2:
            return False
        told = self.etcd("get", "--print-value-only", "/service/referee/sync")
        told = json.loads(told.out or "{}")
        return told.get("leader") == leader.name and \
            ["sync", told["sync_standby"]] in rows

    def quorum(self):
        """Returns true if etcd has a quorum."""
        return self.etcd("get", "nothing").code == 0

    def etcd(self, *words):
        return tap.run([*self.eye.words, "env", "ETCDCTL_API=3", "etcdctl",
                        "--endpoints", ",".join(
                            f"http://{one.node.address}:2379"
                            for one in self.all),
                        "--command-timeout", "2s", *words])

    def sql(self, text):
        """Returns rows, or None if there is no answer now."""
        if self.psql is None or self.psql.poll() is not None:
            self.psql = subprocess.Popen(
                [*self.eye.words, f"{postgres.programs()}/psql", "-XqAt",
                 "-v", "ON_ERROR_STOP=1", self.conninfo()],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
            os.set_blocking(self.psql.stdout.fileno(), False)
        answer = self._ask(text)
        if answer is None:
            self.forget()
        return answer

    def _ask(self, text):
        try:
            self.psql.stdin.write(f"{text};\n\\echo =end=\n".encode())
            self.psql.stdin.flush()
        except OSError:
            return None
        said, end = b"", now() + ANSWER_S
        out = self.psql.stdout.fileno()
        while not said.endswith(b"=end=\n"):
            left = end - now()
            if left <= 0 or not select.select([out], [], [], left)[0]:
                return None
            piece = os.read(out, 65536)
            if not piece:
                return None
            said += piece
        return [line.split("|") for line in said.decode().splitlines()[:-1]]

    def forget(self):
        """Closes the connection of the tests."""
        if self.psql is not None:
            self.psql.kill()
            self.psql.wait()
            with contextlib.suppress(OSError):  # what it has not read
                self.psql.stdin.close()
            self.psql.stdout.close()
            self.psql = None

    def tell(self):
        """Returns what a failed test prints."""
        told = []
        for one in self.all:
            told.append(f"{one.name}: leads {one.leads()}")
            for log in sorted(one.root.glob("*.log")):
                told.append(f"{log.name}: " + "\n".join(
                    line for line in log.read_text("utf-8", "replace")
                    .splitlines() if "no action" not in line)[-1500:])
        return "\n".join(told)


# ---- who plays -------------------------------------------------------------

class Worker:
    """Runs one `referee worker` on a node, and starts it again under its name."""

    def __init__(self, place, node):
        self.place, self.node, self.name = place, node, node.name
        self.process, self.lives = None, 0

    def start(self):
        self.lives += 1
        place = self.place
        self.process = self.node.start(
            [tap.REFEREE, "worker", "--queue", place.databases.conninfo(),
             "--key", place.key, "--name", self.name, "--jobs", "2", "--data",
             # Boxes would use control groups, which we share with processes
             # outside of our PID namespace.
             place.root / f"{self.name}-data", "--sandbox", "off"],
            place.root / f"{self.name}.log")

    def kill(self):
        """Kills only the process, as the kernel does when memory runs out."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(START_S)

    def text(self):
        return (self.place.root / f"{self.name}.log").read_text("latin-1")


class Daemon(daemon.Daemon):
    """Runs one `referee serve` on a node; it waits for the queue."""

    def __init__(self, place, node):
        self.place, self.node, self.name = place, node, node.name
        root = place.root / self.name
        root.mkdir()
        super().__init__(place.configuration(), root=root)
        self.before = node.words

    def waits(self):
        """Waits until the daemon stands by; returns true if it does."""
        def stands():
            self.come_back()
            return self.log("standby-follows") and not self.log("listening")
        return arena.wait_for(stands, START_S)

    def come_back(self):
        """Starts the daemon again, as its service manager would, if another one has
        taken over."""
        if self.process.poll() is not None:
            if self.process.returncode != 3 or not self.log("queue-taken"):
                raise RuntimeError(f"{self.name} has ended with "
                                   f"{self.process.returncode}: {self.text()}")
            self.launch()

    def all_text(self):
        """Returns the log of all its starts."""
        return "".join(path.read_text("latin-1")
                       for path in sorted(self.root.glob("log-*")))


class Place:
    def __init__(self, daemons=2, workers=3, at_once=24):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="referee-many-",
                                                  dir="/tmp"))
        done = tap.run(["mount", "-t", "tmpfs", "-o", "mode=0755", "none",
                        self.root])
        if done.code != 0:
            raise RuntimeError(str(done))
        self.at_once, self.key = at_once, self.root / "queue.key"
        self.told = self.root / "told"
        self.told.mkdir()
        self.network = nodes.Network()
        self.databases = Databases(self.network, self.root)
        self.daemons = [Daemon(self, self.network.node(f"d{i + 1}"))
                        for i in range(daemons)]
        self.workers = [Worker(self, self.network.node(f"w{i + 1}"))
                        for i in range(workers)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.databases.forget()
        self.network.__exit__()
        for one in self.daemons:
            one.process = None
            one.__exit__()
        if os.environ.get("MANY_KEEP"):
            shutil.copytree(self.root, os.environ["MANY_KEEP"],
                            symlinks=True, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("socket", "control"))
        tap.run(["umount", "--lazy", self.root])
        self.root.rmdir()

    def configuration(self):
        return (f'queue = "{self.databases.conninfo()}"\n'
                f'queue-key = "{self.key}"\nstandby = yes\nsandbox = off\n'
                f"local-bots {{ games = {self.at_once} "
                f"at-once = {self.at_once} }}\n"
                f'ladder "{LADDER}" {{ {GAME} at-once = {self.at_once} }}\n'
                "limits { stop-time = 1000 }\n" + daemon.LISTENERS)

    def begin(self):
        """Starts databases, bots, daemons and workers; returns when games are
        rated."""
        self.databases.start()
        leader = self.databases.leader()
        leader.sql('CREATE DATABASE queue')
        for words in (("init", "--queue", self.databases.conninfo()),
                      ("key", self.key)):
            done = tap.run([*self.databases.eye.words, tap.REFEREE, "queue",
                            *words])
            tap.equal(done.code, 0, f"queue {words[0]}")
        first = self.daemons[0]
        for name in BOTS:
            made = local_bots.add(first, local_bots.folder(
                first.root, name, **{"bot.sh": BOT.format(
                    name=name, told=self.told)}))
            if made.code != 0:
                raise RuntimeError(str(made))
        for one in self.daemons:
            one.launch()
            one.wait_for_log("listening" if one is first
                             else "standby-follows")
        for one in self.workers:
            one.start()
        return tap.ok(self.grows(5), "games are played", self.tell())

    # ---- what the database says

    def sql(self, text):
        return self.databases.sql(text)

    def number(self, text):
        """Returns the number, or None if there is no answer now."""
        rows = self.sql(text)
        return int(rows[0][0]) if rows and rows[0][0] else None

    def verdicts(self):
        return self.number("SELECT count(*) FROM referee.verdict")

    def grows(self, more, seconds=START_S):
        """Waits until this many more games are rated; returns false if they are not."""
        before = arena.wait_for(self.verdicts_known, seconds)
        want = before[0] + more if before else 0

        def grown():
            for one in self.daemons:
                one.come_back()
            return (self.verdicts() or 0) >= want
        return before and arena.wait_for(grown, seconds)

    def verdicts_known(self):
        count = self.verdicts()
        return None if count is None else (count,)

    def active(self):
        """Returns the daemon that has the queue; None if there is none, or no
        answer."""
        holder = (self.sql("SELECT holder FROM referee.house") or [[""]])[0][0]
        return next((one for one in self.daemons
                     if holder.endswith(f" process {one.process.pid}")
                     and one.process.poll() is None), None)

    def queue(self, *words):
        """Runs `referee queue` on the operator's machine."""
        return tap.run([*self.databases.eye.words, tap.REFEREE, "queue",
                        words[0], "--queue", self.databases.conninfo(),
                        *words[1:]])

    def tell(self):
        """Returns what a failed test prints."""
        return "\n".join(
            [str(self.sql("SELECT state, count(*) FROM referee.job GROUP BY 1")),
             *(f"{one.name}: " + "\n".join(
                 line for line in one.text().splitlines()
                 if "event=game-" not in line)[-1500:]
               for one in [*self.daemons, *self.workers]
               if one.process is not None), self.databases.tell()])


# ---- what came of it -------------------------------------------------------

def ends(place):
    """Stops all daemons but the active one, lets all games end, and then stops
    workers and the active daemon; returns it."""
    active = arena.wait_for(place.active, START_S)
    for one in place.daemons:
        if one is not active:
            one.waits()
            tap.equal(one.stop(), 0, f"{one.name}, which waits, stops")
    for name in BOTS:
        tap.equal(local_bots.bots(active, "disable", name).code, 0,
                  f"{name} plays no more")

    def none_left():
        place.queue("retry", "all")
        return place.number("SELECT count(*) FROM referee.job "
                            "WHERE state NOT IN ('done', 'void')") == 0
    tap.ok(arena.wait_for(none_left, START_S), "no job is left over",
           place.tell())
    for one in place.workers:
        tap.equal(one.stop(), 0, f"{one.name} stops")
    tap.equal(active.stop(), 0, f"{active.name} stops")
    return active


def rated_once(place):
    rows = place.sql("SELECT serial, job FROM referee.verdict ORDER BY serial")
    tap.equal([int(row[0]) for row in rows], list(range(1, len(rows) + 1)),
              "serials without a hole or a twin")
    jobs = place.sql("SELECT job FROM referee.job WHERE state = 'done' "
                     "ORDER BY job")
    tap.equal(sorted(int(row[1]) for row in rows),
              [int(row[0]) for row in jobs], "each job was rated once")
    tap.equal(place.sql("SELECT game, why FROM referee.job "
                        "WHERE state <> 'done'"), [],
              "no game came to nothing")
    tap.equal(place.sql("SELECT worker, why FROM referee.result "
                        "WHERE state = 'refused'"), [],
              "no honest result was refused")
    told = {game for one in place.daemons for game in re.findall(
        r"event=game-over .*game=(\w+)", one.all_text())}
    rated = {row[0] for row in place.sql("SELECT game FROM referee.verdict")}
    tap.equal(told - rated, set(),
              "no daemon told of a game that the database does not have")
    heard = {line for path in place.told.iterdir()
             for line in path.read_text("ascii").splitlines()}
    there = {" ".join(row) for row in place.sql(
        "SELECT game, encode(hash, 'hex') FROM referee.verdict")}
    tap.ok(heard and heard <= there,
           f"no bot heard `over` of a game that is not there ({len(heard)} "
           "games were told)", heard - there)
    return len(rows)


def shown(path):
    done = tap.referee("ladder", "show", "--ladder", path, "--json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    for row in rows:
        # The roster has the mark of a withdrawn bot, not the ladder; with it the
        # bot has no rank.
        for key in "mark", "rank", "best", "worst":
            row.pop(key, None)
    return rows


def same_alone(place, serve, games):
    """Checks that the daemon's ladder follows from its records alone, and that
    the database has the same records."""
    folder = serve.data / "ladders" / LADDER
    alone = place.root / "alone.db"
    done = tap.referee("ladder", "rebuild", "--ladder", alone, "--records",
                       folder / "records")
    tap.equal(done.code, 0, "the records alone make a ladder")
    standings = shown(folder / "ladder.db")
    tap.equal(shown(alone), standings, "with the same ratings")
    tap.equal(sum(row["games"] for row in standings), len(BOTS) * games,
              "of all games")
    here = sorted(hashlib.sha256(path.read_bytes()).hexdigest()
                  for path in serve.records(LADDER))
    there = sorted(row[0] for row in place.sql(
        "SELECT encode(sha256(record), 'hex') FROM referee.verdict"))
    tap.ok(here == there, "of the records that the database has",
           f"{len(here)} here, {len(there)} there")


def nothing_left(place):
    for one in place.databases.all:
        one.kill()
    place.databases.forget()
    tap.ok(arena.wait_for(lambda: not nodes.running(), nodes.GONE_S),
           "no process is left", nodes.running())
