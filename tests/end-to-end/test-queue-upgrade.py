#!/usr/bin/env python3
"""Tests programs of three versions at one queue: the database, the daemon and
the workers are upgraded one after the other, and one is downgraded; no game is
lost, and no worker is suspended.  This needs the long form, because it builds
two more programs.

`old` is this program; `new` has another version, another schema of the queue and
other rules of one game; `far` has another format of jobs and results, too."""

import os
import pathlib
import re
import shutil
import signal
import subprocess

import arena
import daemon
import local_bots
import postgres
import tap

if not os.environ.get("CHECK_ALL"):
    tap.skip_all("it builds two programs: CHECK_ALL=1")
if postgres.missing():
    tap.skip_all(postgres.missing())
WAIT_S = 300
OLD = tap.REFEREE
SAME, CHANGED = "durnius", "toepen"
SCHEMA = int(re.search(r"define QUEUE_SCHEMA (\d+)", (
    tap.SOURCE_DIR / "referee/queue/schema.h").read_text("utf-8"))[1])
PARTS = ("build-aux", "debian", "doc", "ladder", "protocol", "referee",
         "sample-bots", "tests")


def change(path, *pairs):
    text = path.read_text("utf-8")
    for before, after in pairs:
        if not re.search(before, text):
            raise RuntimeError(f"{path} has no {before}")
        text = re.sub(before, after, text)
    path.write_text(text, "utf-8")


def build(tree, name):
    """Builds the tree as it is now; returns the program."""
    built = tree / "build"
    if not built.exists():
        built.mkdir()
        made = subprocess.run(
            [tree / "configure", "CFLAGS=-O0"], cwd=built, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode != 0:
            raise RuntimeError(made.stdout.decode())
    made = subprocess.run(
        ["make", "-j2", "referee/referee", "referee/referee-box"], cwd=built, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode != 0:
        raise RuntimeError(made.stdout.decode()[-4000:])
    program = built / "referee" / name  # beside referee-box
    shutil.copy(built / "referee" / "referee", program)
    return str(program)


def programs(root):
    """Builds and returns the programs new and far."""
    tree = root / "tree"
    tree.mkdir()
    for part in PARTS:
        shutil.copytree(tap.SOURCE_DIR / part, tree / part, symlinks=True)
    for path in tap.SOURCE_DIR.iterdir():
        if path.is_file():
            shutil.copy2(path, tree / path.name)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)
    change(tree / "configure", (r"PACKAGE_VERSION='[^']*'",
                                "PACKAGE_VERSION='99.0'"))
    change(tree / "referee/games/toepen.c", (r"\.version = 1,", ".version = 2,"))
    queue = tree / "referee/queue"
    change(queue / "schema.h", (rf"(define QUEUE_SCHEMA) {SCHEMA} ",
                                rf"\1 {SCHEMA + 1} "))
    change(queue / "schema-tables.sql",
           (rf"(FROM house\)) > {SCHEMA}", rf"\1 > {SCHEMA + 1}"),
           (rf"version = {SCHEMA}, oldest = {SCHEMA}",
            f"version = {SCHEMA + 1}, oldest = {SCHEMA}"))
    new = build(tree, "new")
    change(queue / "spec.h", (r"(define SPEC_FORMAT) (\d+)", r"\1 1\2"))
    return new, build(tree, "far")


class Worker:
    def __init__(self, place, name, program):
        self.place, self.name, self.lives = place, name, 0
        self.start(program)

    def path(self):
        return self.place.serve.root / f"{self.name}.{self.lives}.log"

    def start(self, program):
        self.lives += 1
        with open(self.path(), "wb") as log:
            self.process = subprocess.Popen(
                [program, "worker", "--queue", self.place.where, "--key",
                 self.place.key, "--name", self.name, "--jobs", "2", "--data",
                 self.place.serve.root / self.name],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def says(self, part):
        return arena.wait_for(
            lambda: part in self.path().read_text("latin-1"), WAIT_S)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)

    def become(self, program):
        tap.equal(self.stop(), 0, f"worker {self.name} stops")
        self.start(program)
        tap.ok(self.says("event=queue-joined"), f"and joins as another version",
               self.path().read_text("latin-1"))


class Place:
    def __init__(self, cluster, serve):
        self.cluster, self.serve = cluster, serve
        self.where = cluster.create("queue")
        self.key = serve.root / "queue.key"
        self.workers = {}

    def sql(self, text):
        return self.cluster.sql(text, dbname="queue")

    def number(self, text):
        return int(self.sql(text)[0][0])

    def worker(self, name, program):
        self.workers[name] = Worker(self, name, program)
        return self.workers[name]

    def verdicts(self, ladder):
        return self.number("SELECT count(*) FROM referee.verdict v JOIN "
                           "referee.job j ON j.game = v.game "
                           f"WHERE j.ladder = '{ladder}'")

    def grows(self, what, *ladders):
        """Waits until each ladder has three more games; without them the test
        ends."""
        want = {ladder: self.verdicts(ladder) + 3 for ladder in ladders}
        good = arena.wait_for(lambda: all(
            self.verdicts(ladder) >= want[ladder] for ladder in ladders), WAIT_S)
        tap.ok(good, what, self.tell())
        if not good:
            raise RuntimeError(what)

    def restart(self, program):
        """Starts the daemon again with another program."""
        if self.serve.process is not None:
            tap.equal(self.serve.stop(), 0, "the daemon stops")
        tap.REFEREE = program
        self.serve.start()

    def fine(self, what):
        tap.equal(self.sql("SELECT worker FROM referee.worker WHERE suspended "
                           "UNION SELECT job::text FROM referee.job WHERE "
                           "losses > 0 OR state = 'parked'"), [],
                  f"{what}: no loss, and nobody is suspended")

    def shown(self, program):
        return tap.run([program, "queue", "show", "--queue", self.where]).out

    def tell(self):
        return "\n".join([self.serve.text()[-2000:], self.shown(OLD), *(
            worker.path().read_text("latin-1")[-1000:]
            for worker in self.workers.values())])


def rules_of(place, worker, ladder):
    return {row[0] for row in place.sql(
        "SELECT DISTINCT j.rules FROM referee.result r JOIN referee.job j ON "
        f"j.job = r.job WHERE r.worker = '{worker}' AND j.ladder = '{ladder}'")}


def database(place, new):
    """Tests the upgrade of the database, the first step."""
    early = place.worker("early", new)
    tap.ok(early.says(f"the queue has version {SCHEMA}, and this referee needs "
                      f"{SCHEMA + 1}: run its `referee queue init`"),
           "a worker that is upgraded too early waits", place.tell())
    done = tap.run([new, "queue", "init", "--queue", place.where])
    tap.equal((done.code, done.out), (0, f"the queue is there, version "
                                      f"{SCHEMA + 1}\n"),
              "the database is upgraded")
    tap.ok(early.says("event=queue-joined"), "then it joins", place.tell())
    done = tap.run([OLD, "queue", "init", "--queue", place.where])
    tap.complains(done, 2, "made by a newer referee", "and stays upgraded")
    place.grows("the old daemon goes on", SAME, CHANGED)
    tap.ok(arena.wait_for(lambda: rules_of(place, "early", SAME), WAIT_S),
           "the new worker plays games whose rules did not change",
           place.tell())
    tap.equal(rules_of(place, "early", CHANGED), set(), "and none of others")
    place.fine("the database")


def daemons(place, new):
    """Tests the upgrade of the daemon, the second step."""
    tap.equal(place.serve.stop(), 0, "the old daemon stops")
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM referee.job WHERE state IN ('waiting', "
        "'claimed')") == 0, WAIT_S), "workers play what it left", place.tell())
    left = place.number("SELECT count(*) FROM referee.job WHERE state = "
                        f"'reported' AND ladder = '{CHANGED}'")
    place.restart(new)
    place.grows("the new daemon has games played", SAME, CHANGED)
    tap.equal(place.number("SELECT count(*) FROM referee.job WHERE state = "
                           "'reported' AND rules LIKE 'toepen/1/%'"), left,
              "results of old rules wait")
    tap.ok(left == 0 or re.search(
        rf"waits     {left} results? of toepen/1/\d+, for an older daemon",
        place.shown(new)), "and are told", place.shown(new))
    tap.ok(all(rule.startswith("toepen/1/")
               for rule in rules_of(place, "a", CHANGED)),
           "an old worker plays no game of new rules")
    tap.ok(any(rule.startswith("toepen/2/")
               for rule in rules_of(place, "early", CHANGED)),
           "a new one does")
    place.fine("the daemon")
    place.restart(OLD)
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM referee.job WHERE state = 'reported' AND rules "
        "LIKE 'toepen/1/%' AND game NOT IN (SELECT game FROM referee.verdict) "
        "AND made < (SELECT taken FROM referee.house)") == 0, WAIT_S),
           "until the old daemon is there", place.tell())
    place.restart(new)
    place.fine("back and forth")


def workers(place, new):
    """Tests the upgrade of the workers, and a downgrade of one."""
    place.workers["a"].become(new)
    place.grows("old and new workers", SAME, CHANGED)
    place.workers["early"].become(OLD)
    place.grows("a worker goes back", SAME, CHANGED)
    place.workers["b"].become(new)
    place.workers["early"].become(new)
    place.grows("all are new", SAME, CHANGED)
    tap.equal(place.sql("SELECT DISTINCT version FROM referee.worker"),
              [["99.0"]], "they say so")
    place.fine("the workers")


def format_changes(place, new, far):
    """Tests a program with another format of the bytes."""
    for name in "a", "b":
        tap.equal(place.workers[name].stop(), 0, f"worker {name} stops")
    place.workers["early"].become(far)
    tap.ok(re.search(rf"waits     \d+ games? of {SAME}/\d+/\d, for an older "
                     "worker", place.shown(far)),
           "games in a format that a worker does not know wait",
           place.shown(far))
    place.workers["a"].start(new)
    place.grows("for one that does", SAME)
    place.serve.kill()
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM referee.result WHERE state = 'new'") > 0, WAIT_S),
           "results wait", place.tell())
    place.restart(far)
    place.grows("a daemon of another format plays on", SAME, CHANGED)
    tap.ok(re.search(r"waits     \d+ results? of \w+/\d+/\d, for an older daemon",
                     place.shown(far)), "and takes no others", place.shown(far))
    place.fine("another format")


def records(place, new):
    """Tests that each record verifies with a program that knows its rules."""
    def verify(program, like):
        rows = place.sql(
            "SELECT encode(v.record, 'hex') FROM referee.verdict v JOIN "
            f"referee.job j ON j.game = v.game WHERE j.rules LIKE '{like}' "
            "ORDER BY random() LIMIT 3")
        codes = []
        for number, row in enumerate(rows):
            path = place.serve.root / f"{number}.rec"
            path.write_bytes(bytes.fromhex(row[0]))
            codes.append(tap.run([program, "verify", path]).code)
        return codes

    for program, who in (OLD, "old"), (new, "new"):
        tap.equal(verify(program, f"{SAME}/%"), [0] * 3,
                  f"the {who} program verifies records of both")
    tap.equal(verify(OLD, "toepen/1/%"), [0] * 3, "and its own rules: old")
    tap.equal(verify(new, "toepen/2/%"), [0] * 3, "and its own rules: new")


def main():
    with daemon.Daemon("") as serve, postgres.shared() as cluster:
        new, far = programs(pathlib.Path(serve.root))
        place = Place(cluster, serve)
        for words in (("init", "--queue", place.where), ("key", place.key)):
            tap.equal(tap.referee("queue", *words).code, 0, f"queue {words[0]}")
        serve.configure(
            f'queue = "{place.where}"\nqueue-key = "{place.key}"\n'
            "local-bots { games = 8 at-once = 8 }\n" + "".join(
                f'ladder "{game}" {{ game = {game} seats = 2 at-once = 4 }}\n'
                for game in (SAME, CHANGED)) + daemon.LISTENERS)
        for name in "ann", "ben":
            local_bots.add(serve, local_bots.folder(serve.root, name))
        try:
            serve.start()
            for name in "a", "b":
                place.worker(name, OLD)
            place.grows("games are played", SAME, CHANGED)
            database(place, new)
            daemons(place, new)
            workers(place, new)
            format_changes(place, new, far)
            records(place, new)
        finally:
            for worker in place.workers.values():
                worker.process.kill()
                worker.process.wait()
    tap.done()


main()
