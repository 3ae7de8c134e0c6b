#!/usr/bin/env python3
"""Plays two ladders over the queue, several games at a time, by workers that
are killed in between.  They must be equal to those of one machine that plays
the same jobs one after the other: each move of each record, and each digit of
`ladder show --json`.

The one machine is a daemon, a worker and a database of their own.  They get the
jobs with their secrets and with the entropy that the bots gave.  Each job waits
for the verdict before it.  EQUAL_GAMES says how many games are played (16; with
CHECK_ALL=1 2,000)."""

import json
import os
import shutil
import signal

import arena
import daemon
import local_bots
import postgres
import queue_jobs
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
GAMES = int(os.environ.get("EQUAL_GAMES", "2000" if os.environ.get("CHECK_ALL")
                           else "16"))
KILLS = 3 + GAMES // 100  # kills of a worker or of the daemon
WAIT_S = 600 + GAMES
LADDERS = {"toepen": 2, "durnius": 3}
# Which of n tokens each bot takes: the same one for the same ask, whatever it
# has played before.  Its entropy is different each time.
BOTS = {"ann": "4", "ben": "$#", "cec": "$((4 + ($# - 4) / 2))"}
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name} entropy=yes"
while read -r line; do
\tset -- $line
\tcase $1 in
\tentropy\\?) echo >>{given}
\t\tprintf 'entropy %08x\\n' $(wc -l <{given}) ;;
\task) eval "echo \\"do $2 \\${{{which}}}\\"" ;;
\tbye) exit 0 ;;
\tesac
done
"""
# These lines say when, where and on which ladder a game was played, and have no
# move.  The commitment is compared, so the cards are the same.
ELSEWHERE = ("ended ", "ladder ", "cpu ", "memory ")
# Lets the next job be played.
NEXT = """
CREATE FUNCTION public.next() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE referee.job SET state = 'waiting' WHERE job =
		(SELECT min(job) FROM referee.job WHERE state = 'parked');
	PERFORM pg_notify('referee_job', '');
	RETURN NULL;
END
$$;
CREATE TRIGGER next AFTER INSERT ON referee.verdict FOR EACH STATEMENT
	EXECUTE FUNCTION public.next();
UPDATE referee.job SET state = 'parked' WHERE job > 1;
"""
JOB = ("ladder", "game", "spec", "sealed", "commitment", "entropy", "bot", "name",
       "class", "rules")


class Side:
    """A database, a daemon and its workers."""

    def __init__(self, cluster, name, at_once, key):
        self.cluster, self.name = cluster, name
        self.where = cluster.create(name)
        self.place = daemon.Daemon("")
        self.key = key or self.place.root / "queue.key"
        self.lives = 0
        self.workers = {}
        done = tap.referee("queue", "init", "--queue", self.where)
        tap.equal(done.code, 0, f"{name}: there is a queue")
        if key is None:
            tap.equal(tap.referee("queue", "key", self.key).code, 0,
                      f"{name}: and a key")
        ladders = "".join(
            f'ladder "{ladder}" {{ game = {ladder} seats = {seats} '
            f"at-once = {at_once} move-time = 60000 }}\n"
            for ladder, seats in LADDERS.items())
        self.place.configure(
            f'queue = "{self.where}"\nqueue-key = "{self.key}"\n'
            "sandbox = off\n"
            f"local-bots {{ games = 16 at-once = 16 }}\n{ladders}"
            "limits { stop-time = 1000 }\n" + daemon.PAGES)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for worker in self.workers.values():
            worker.end()
        self.place.__exit__()

    def count(self):
        self.lives += 1
        return self.lives

    def work(self, name, jobs):
        """Starts a worker of this name, and kills one that has it."""
        if name in self.workers:
            self.workers[name].end()
        self.workers[name] = queue_jobs.Worker(self, name, [
            "--queue", self.where, "--key", self.key, "--jobs", jobs, "--data",
            self.place.root / name, "--sandbox", "off"])

    def sql(self, text):
        return self.cluster.sql(text, dbname=self.name)

    def verdicts(self):
        return int(self.sql("SELECT count(*) FROM referee.verdict")[0][0])

    def reaches(self, games):
        return tap.ok(arena.wait_for(lambda: self.verdicts() >= games, WAIT_S),
                      f"{self.name}: {games} games", self.tell())

    def tell(self):
        """Returns what a failed test prints."""
        return "\n".join(
            [str(self.sql("SELECT job, state, attempt, losses, worker, why "
                          "FROM referee.job WHERE state <> 'done'")),
             self.place.text()[-3000:]] +
            [worker.log()[-1500:] for worker in self.workers.values()])

    def end(self):
        for name, worker in self.workers.items():
            tap.equal(worker.end(signal.SIGTERM), 0,
                      f"{self.name}: the worker {name} stops")
        tap.equal(self.place.stop(), 0, f"{self.name}: the daemon stops")

    # ---- what came of it

    def records(self):
        """Returns {(ladder, serial): lines of the record}, without those of
        ELSEWHERE."""
        found = {}
        for ladder, serial, record in self.sql(
                "SELECT j.ladder, serial, encode(record, 'hex') "
                "FROM referee.verdict JOIN referee.job j USING (job)"):
            lines = bytes.fromhex(record).decode("latin-1").splitlines()
            found[ladder, int(serial)] = [
                line.split(" ;")[0] for line in lines
                if not line.startswith(ELSEWHERE)]
        return found

    def standings(self, ladder):
        """Returns the lines of `ladder show --json`."""
        file = self.place.data / "ladders" / ladder / "ladder.db"
        done = tap.referee("ladder", "show", "--ladder", file, "--json")
        if done.code != 0:
            raise RuntimeError(f"ladder show: {done}")
        return [json.loads(line) for line in done.out.splitlines()]


def play(many):
    """Plays until there are enough games, with kills; then lets all games end."""
    for name, token in BOTS.items():
        folder = local_bots.folder(many.place.root, name,
                                   more="entropy = yes\n")
        (folder / "bot.sh").write_text(BOT.format(
            name=name, which=token, given=many.place.root / "given"))
        added = local_bots.add(many.place, folder)
        tap.equal(added.code, 0, f"{name} is added")
    many.place.start()
    many.work("one", 4)
    many.work("two", 4)
    for i in range(KILLS):
        many.reaches(GAMES * (i + 1) // (KILLS + 1))
        if i % 3 == 2:
            many.place.kill()
            many.place.start()
        else:
            many.work(("one", "two")[i % 3], 4)
    many.reaches(GAMES)
    for name in BOTS:
        local_bots.bots(many.place, "disable", name)

    def none_left():
        if many.sql("SELECT FROM referee.job WHERE state = 'parked'"):
            tap.referee("queue", "retry", "--queue", many.where, "all")
        return many.sql("SELECT count(*) FROM referee.job WHERE state NOT IN "
                        "('done', 'void')") == [["0"]]
    tap.ok(arena.wait_for(none_left, WAIT_S), "no job is left over", many.tell())
    many.end()


def copy(many, alone):
    """Copies the bots, and the jobs that count, in the order of their verdicts."""
    for name in "roster.db", "roster.key", "bots":
        path = many.place.data / name
        if path.is_dir():
            shutil.copytree(path, alone.place.data / name)
        elif path.exists():
            alone.place.data.mkdir(mode=0o700, exist_ok=True)
            shutil.copy(path, alone.place.data / name)
    for table, columns, order in (
            ("bot", ("hash", "name", "archive"), ""),
            ("job", JOB, "JOIN referee.verdict v USING (job) "
             "ORDER BY v.made, v.ladder, v.serial")):
        done = many.cluster.psql(
            f"COPY (SELECT {', '.join(f't.{column}' for column in columns)} "
            f"FROM referee.{table} t {order}) TO STDOUT", many.name)
        file = alone.place.root / f"{table}.sql"
        file.write_text(f"COPY referee.{table} ({', '.join(columns)}) "
                        f"FROM STDIN;\n{done.out}", "latin-1")
        done = alone.cluster.psql(None, alone.name, file=file)
        tap.equal((done.code, done.err), (0, ""), f"the {table}s are copied")
    alone.sql(NEXT)


def compare(many, alone):
    games = many.verdicts()
    theirs, ours = many.records(), alone.records()
    tap.equal(sorted(ours), sorted(theirs), f"{games} serials")
    differ = [(where, a, b) for where, lines in sorted(theirs.items())
              for a, b in zip(lines + [None], ours.get(where, []) + [None])
              if a != b]
    tap.ok(not differ, "no line of a record differs", differ[:5])
    tap.equal([where for where, lines in theirs.items()
               if not any(line.startswith("entropy ") for line in lines)], [],
              "bots gave something to each game")
    for ladder in LADDERS:
        rows = many.standings(ladder)
        tap.equal(alone.standings(ladder), rows, f"{ladder}: the same ladder")
        tap.ok(all(row["games"] > 0 for row in rows) and len(rows) == len(BOTS),
               "where each bot has played", rows)
    attempts = many.sql("SELECT count(*) FROM referee.verdict "
                        "WHERE attempt > 1")[0][0]
    tap.note(f"{games} games, {attempts} of which were played again")


def main():
    with postgres.shared() as cluster, \
            Side(cluster, "many", 4, None) as many:
        play(many)
        with Side(cluster, "alone", 1, many.key) as alone:
            copy(many, alone)
            alone.place.start()
            alone.work("one", 1)
            alone.reaches(many.verdicts())
            alone.end()
            compare(many, alone)
    tap.done()


main()
