#!/usr/bin/env python3
"""Tests lost answers of committed statements: nothing happens twice, nothing is
lost.

The test sends each statement that changes something over a network that loses
its answer, and sends it again, as all parts of the referee do.  Then a daemon
and workers play over such a network; the clock of one worker is an hour off,
and jumps.  The long form loses a thousand answers of each statement, and 60 of
each of the daemon and workers."""

import json
import os
import re
import signal

import arena
import daemon
import local_bots
import pg_talk
import postgres
import tap

if why := postgres.missing() or pg_talk.missing():
    tap.skip_all(why)
LONG = bool(os.environ.get("CHECK_ALL"))
TIMES = 1000 if LONG else 4
# Lost answers of each statement of the daemon and its workers, which wait up to
# 5 s before they connect again.
PLAYED = 60 if LONG else 2
WAIT_S = 900 if LONG else 600
LADDER = "toepen"
WORKERS = 6 if LONG else 2
DAEMON = "add_job", "add_verdicts"
WORKER = "claim", "report", "give_entropy"

# Gives entropy, and plays the first move.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
while read -r line; do
\tset -- $line
\tcase $1 in
\tentropy\\?) echo "entropy 0011223344556677" ;;
\task) echo "do $2 $4" ;;
\tbye) exit 0 ;;
\tesac
done
"""


# ---- each statement ---------------------------------------------------------

class Asks:
    """A connection that loses each answer once."""

    def __init__(self, proxy, talk):
        self.proxy, self.talk, self.number = proxy, talk, 0
        self.twice = 0

    def ask(self, what):
        """Asks until the answer comes; returns its value."""
        word = re.search(r"referee\.(\w+)", what)[1]
        self.proxy.left[word] = 1
        for _ in range(2):
            self.number += 1
            answer = self.talk.ask(f"line {self.number} {what}")
            if answer is None or " unknown " not in answer:
                break
            self.twice += 1
        done = re.fullmatch(r"\d+ done 1 ?(.*)", answer or "")
        return done[1] if done else answer


def statements(cluster):
    """Takes one job after the other from its creation to its verdict."""
    cluster.create("raw")
    done = tap.referee("queue", "init", "--queue", cluster.conninfo("raw"))
    tap.equal(done.code, 0, "there is a queue")
    words = *DAEMON, *WORKER, "beat", "give_back", "void_job", "refuse"
    with postgres.Losing(cluster, words) as proxy, pg_talk.Talk(
            proxy.conninfo("raw")) as talk:
        asks = Asks(proxy, talk)
        epoch = cluster.sql("SELECT referee.take_house('x')", "raw")[0][0]
        # A name belongs to the session that asks for it, so this one must end.
        cluster.psql("SELECT FROM referee.enlist('w', 'i', '', '0.1', 'x', 2, 1)",
                     "raw")

        def claim():
            return asks.ask("SELECT job FROM referee.claim('w', 1, '', "
                            "'{toepen/1}', 600, '{}')")

        wrong = []
        for i in range(1, TIMES + 1):
            job = asks.ask(f"SELECT referee.add_job({epoch}, 'l', 'g{i}', '', '',"
                           " '', '{a}', '{a}', '', 'toepen/1')")
            answers = [
                claim(),
                asks.ask("SELECT job FROM referee.claim('w', 1, '', "
                         "'{toepen/1}', 600, '{}')"),
                asks.ask("SELECT referee.give_back('w', ARRAY["
                         f"{job.split()[-1]}], ARRAY[1::bigint], NULL)"),
                claim(),
                asks.ask(f"SELECT referee.give_entropy('w', {job.split()[-1]}, "
                         f"2, 'e{i}')"),
                asks.ask("SELECT count(*) FROM referee.beat('w', ARRAY["
                         f"{job.split()[-1]}], ARRAY[2::bigint], 600)"),
                asks.ask(f"SELECT referee.report('w', {job.split()[-1]}, 2, "
                         "'r')"),
                asks.ask(f"SELECT referee.add_verdicts({epoch}, '{{l}}', "
                         f"'{{{i}}}', '{{g{i}}}', '{{{job.split()[-1]}}}', "
                         "'{2}', ARRAY['h'::bytea], ARRAY['r'::bytea], "
                         "ARRAY[NULL::bytea])")]
            given = " ".join(f"{byte:02x}" for byte in f"e{i}".encode())
            if answers != [job, job, "", job,
                           f"bytea {given} of {len(f'e{i}')}", "number 0",
                           "text ok", ""]:
                wrong.append((i, job, answers))
        tap.equal(wrong[:3], [], "the second answer is what the first one was")
        tap.equal({word: proxy.lost[word] for word in (*DAEMON, *WORKER)},
                  dict.fromkeys((*DAEMON, *WORKER), TIMES) |
                  {"claim": 3 * TIMES}, "answers were lost after the commit")
        tap.equal(asks.twice, 9 * TIMES, "each was asked for again")
    tap.equal(cluster.sql(
        "SELECT count(*), min(serial), max(serial), count(DISTINCT job) FROM "
        "referee.verdict", "raw"), [[str(TIMES), "1", str(TIMES), str(TIMES)]],
        "a verdict for each, with serials without a hole")
    tap.equal(cluster.sql(
        "SELECT DISTINCT state, attempt, losses, (SELECT count(*) FROM "
        "referee.result r WHERE r.job = j.job) FROM referee.job j", "raw"),
        [["done", "2", "0", "1"]],
        "one result of each job, no attempt too many, no loss")


# ---- a daemon and workers ---------------------------------------------------

class Place:
    """Has two networks that lose answers: the daemon's and the workers'."""

    def __init__(self, cluster, serve):
        self.cluster, self.serve = cluster, serve
        self.where = cluster.create("queue")
        self.key = serve.root / "queue.key"
        for words in (("init", "--queue", self.where), ("key", self.key)):
            tap.equal(tap.referee("queue", *words).code, 0, f"queue {words[0]}")
        self.daemon = postgres.Losing(
            cluster, [f"referee.{word}(" for word in DAEMON], 0.5,
            "daemon")
        self.worker = postgres.Losing(
            cluster, [f"referee.{word}(" for word in WORKER], 0.5,
            "worker")
        self.workers, self.hours = [], 1
        self.wrong = daemon.wrong_date(serve.root)
        self.jump()
        serve.configure(
            f'queue = "{self.daemon.conninfo("queue")}"\n'
            f'queue-key = "{self.key}"\n'
            'local-bots { games = 16 at-once = 16 }\n'
            f'ladder "{LADDER}" {{ game = toepen seats = 2 at-once = 8 }}\n'
            "limits { stop-time = 1000 }\n" + daemon.LISTENERS)

    def jump(self):
        """Sets the date of the first worker an hour ahead, or behind."""
        self.hours = -self.hours
        new = self.serve.root / "wrong.new"
        new.write_text(str(3600 * self.hours), "ascii")
        new.rename(self.serve.root / "wrong")

    def start_worker(self, i):
        name = f"w{i}"
        self.workers.append(self.serve.start_beside(
            [tap.REFEREE, "worker", "--queue", self.worker.conninfo("queue"),
             "--key", self.key, "--name", name, "--jobs", "4", "--data",
             self.serve.root / name, "--log-level", "error"],
            env=self.wrong if i == 0 else None))

    def sql(self, text):
        return self.cluster.sql(text, dbname="queue")

    def by_wrong_date(self):
        """Returns the results of the worker whose date is wrong."""
        return int(self.sql("SELECT count(*) FROM referee.result WHERE "
                            "worker = 'w0'")[0][0])

    def left(self):
        """Returns the unfinished jobs without the parked ones, which are no
        failure here."""
        return self.sql("SELECT state, count(*) FROM referee.job "
                        "WHERE state NOT IN ('done', 'void') GROUP BY state")


def plays(place):
    serve = place.serve
    for name in "ann", "ben":
        local_bots.add(serve, local_bots.folder(
            serve.root, name, more="entropy = yes\n",
            **{"bot.sh": BOT.format(name=name)}))
    serve.start()
    for i in range(WORKERS):
        place.start_worker(i)
    for proxy in place.daemon, place.worker:
        with proxy.lock:
            for word in proxy.left:
                proxy.left[word] = PLAYED

    def all_lost():
        place.jump()
        return not any((*place.daemon.left.values(),
                        *place.worker.left.values())) and place.by_wrong_date()
    tap.ok(arena.wait_for(all_lost, WAIT_S), "answers are lost",
           (place.daemon.left, place.worker.left, serve.text()[-3000:]))
    tap.note(f"lost: {place.daemon.lost} {place.worker.lost}")
    tap.ok(min(*place.daemon.lost.values(), *place.worker.lost.values()) > 0,
           "of each statement", (place.daemon.lost, place.worker.lost))
    for name in "ann", "ben":
        tap.equal(local_bots.bots(serve, "disable", name).code, 0,
                  f"{name} plays no more")
    tap.ok(arena.wait_for(lambda: not place.left(), WAIT_S), "all games end",
           (place.left(), serve.text()[-3000:]))
    for worker in place.workers:
        worker.send_signal(signal.SIGTERM)
    tap.equal([worker.wait(WAIT_S) for worker in place.workers], [0] * WORKERS,
              "the workers stop")
    tap.equal(serve.stop(), 0, "the daemon stops")


def counts(place):
    rows = place.sql("SELECT serial, game, job FROM referee.verdict "
                     "ORDER BY serial")
    tap.equal([int(row[0]) for row in rows], list(range(1, len(rows) + 1)),
              f"serials of {len(rows)} games without a hole")
    tap.equal(sorted(int(row[2]) for row in rows),
              [int(row[0]) for row in place.sql(
                  "SELECT job FROM referee.job WHERE state = 'done' "
                  "ORDER BY job")], "each job was rated once")
    tap.equal(place.sql("SELECT job, count(*) FROM referee.result "
                        "GROUP BY job HAVING count(*) > 1"), [],
              "no job has two results")
    tap.equal(place.sql("SELECT sum(losses) FROM referee.job"), [["0"]],
              "no game was lost")
    told = {match for line in place.serve.log("game-over")
            for match in re.findall(r"game=(\w+)", line)}
    tap.equal(told, {row[1] for row in rows}, "each game was told")
    folder = place.serve.data / "ladders" / LADDER
    done = tap.referee("ladder", "rebuild", "--ladder", folder / "ladder.db")
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "the ladder is that of the records", done)
    done = tap.referee("ladder", "show", "--ladder", folder / "ladder.db",
                       "--json")
    tap.equal(sum(json.loads(line)["games"] for line in done.out.splitlines()),
              2 * len(rows), "which are all of them")


def dates(place):
    """Tests that the ends of games and leases follow the database's clock."""
    if tap.skip("a wrong date", None if place.wrong else "no C compiler"):
        return
    # A date is rounded down to a whole second.
    rows = place.sql(
        "SELECT substring(convert_from(v.record, 'UTF8') FROM "
        "E'\\nended (\\\\S+)'), to_char(r.made AT TIME ZONE 'UTC', "
        "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') "
        "FROM referee.verdict v JOIN referee.result r "
        "ON (r.job, r.attempt) = (v.job, v.attempt)")
    tap.equal([row for row in rows if row[0] != row[1]], [],
              f"{len(rows)} games end when the database got their results")
    tap.ok(place.by_wrong_date() > 0,
           "some of them by the worker with the wrong date")


def main():
    with postgres.shared() as cluster:
        statements(cluster)
        with daemon.Daemon("") as serve:
            place = Place(cluster, serve)
            with place.daemon, place.worker:
                plays(place)
                counts(place)
                dates(place)
    tap.done()


main()
