#!/usr/bin/env python3
"""Games that are played again by another worker: they count for nothing, and a
worker on which bots move otherwise than elsewhere is suspended."""

import signal
import subprocess

import arena
import daemon
import local_bots
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
WAIT_S = 300
# Takes the first token, on the worker `odd` the last.
BOT = """#!/bin/sh
read -r line
echo "bot 1 {name}"
while read -r verb seat ask first rest; do
\tcase $verb in
\task) case $PWD in
\t\t*/odd/*) echo "do $seat ${{rest##* }}" ;;
\t\t*) echo "do $seat $first" ;;
\t\tesac ;;
\tbye) exit 0 ;;
\tesac
done
"""


class Worker:
    def __init__(self, house, name, where, key):
        self.log = house.root / f"{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "worker", "--queue", where, "--key", key,
                 "--name", name, "--jobs", "2", "--sandbox", "off", "--data",
                 house.root / name],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(WAIT_S)


def main():
    with postgres.shared() as cluster, daemon.House("") as house:
        where = cluster.create("queue")
        key = house.root / "queue.key"
        for words in (("init", "--queue", where), ("key", key)):
            tap.equal(tap.referee("queue", *words).code, 0, words[0])

        def sql(text):
            return cluster.sql(text, dbname="queue")

        def number(text):
            return int(sql(text)[0][0])

        def tell():
            return "\n".join(map(str, (
                sql("SELECT job, game, state, worker, why, again_worker FROM "
                    "referee.job WHERE again_of IS NOT NULL OR state <> "
                    "'done' LIMIT 30"), sql("TABLE referee.again"),
                house.text()[-3000:])))
        house.configure(
            f'queue = "{where}"\nqueue-key = "{key}"\nplay-again = 100\n'
            "sandbox = off\nresidents { games = 8 at-once = 8 }\n"
            'ladder "toepen" { game = toepen seats = 2 at-once = 6 options = '
            '{ "points=3" } }\n'
            "limits { stop-time = 1000 }\n" + daemon.LISTENERS)
        for name in "ann", "ben":
            folder = local_bots.folder(house.root, name)
            (folder / "bot.sh").write_text(BOT.format(name=name), "ascii")
            local_bots.add(house, folder)
        workers = []
        try:
            house.start()
            workers = [Worker(house, name, where, key)
                       for name in ("even", "fair", "odd")]
            tap.ok(arena.wait_for(lambda: number(
                "SELECT coalesce(sum(other), 0) FROM referee.again WHERE "
                "'odd' IN (one, two)") > 0 and number(
                    "SELECT coalesce(sum(total), 0) FROM referee.again WHERE "
                    "'odd' NOT IN (one, two)") > 0, WAIT_S),
                "games are played again and compared", tell())
            tap.equal(number("SELECT coalesce(sum(other), 0) FROM "
                             "referee.again WHERE 'odd' NOT IN (one, two)"), 0,
                      "bots that repeat themselves do so elsewhere")
            # As after some hundred games more.
            sql("UPDATE referee.again SET total = total + 100, other = other + "
                "CASE WHEN 'odd' IN (one, two) THEN 100 ELSE 0 END")
            tap.ok(house.wait_for_log("worker-suspended"),
                   "the worker where they do not is suspended", tell())
            rows = sql("SELECT worker, why FROM referee.worker WHERE suspended")
            tap.ok([row[0] for row in rows] == ["odd"] and
                   "bots move otherwise on it" in rows[0][1], "it alone", rows)
            tap.equal(workers[2].process.wait(WAIT_S), 1, "and ends by itself")
            done = tap.referee("queue", "admit", "odd", "--queue", where)
            tap.equal((done.code, number(
                "SELECT count(*) FROM referee.again WHERE 'odd' IN (one, two)"
            )), (0, 0), "admit forgets what it did")
            for name in "ann", "ben":
                local_bots.bots(house, "disable", name)
            tap.ok(arena.wait_for(lambda: number(
                "SELECT count(*) FROM referee.job WHERE state NOT IN "
                "('done', 'void', 'parked') AND again_of IS NULL") == 0,
                WAIT_S), "all other games end", tell())
            tap.equal([number("SELECT count(*) FROM referee.verdict v JOIN "
                              "referee.job j ON j.job = v.job WHERE "
                              "j.again_of IS NOT NULL"),
                       number("SELECT count(*) - count(DISTINCT game) FROM "
                              "referee.verdict")], [0, 0],
                      "none that was played again counts")
            tap.ok(arena.wait_for(
                lambda: house.metric("referee_queue_again_differ_total") or 0),
                   "/metrics has counts", house.get("/metrics").text[-2000:])
            tap.equal([worker.stop() for worker in workers[:2]], [0, 0],
                      "the others stop")
            tap.equal(house.stop(), 0, "the daemon stops")
            done = tap.referee("ladder", "show", "--json", "--ladder",
                               house.data / "ladders" / "toepen" / "ladder.db")
            tap.equal(done.out.count('"games"') > 0 and sum(
                int(line.split('"games":')[1].split(",")[0])
                for line in done.out.splitlines()),
                2 * number("SELECT count(*) FROM referee.verdict"),
                "the ladder has each game once")
        finally:
            for worker in workers:
                worker.stop(signal.SIGKILL)
    tap.done()


main()
