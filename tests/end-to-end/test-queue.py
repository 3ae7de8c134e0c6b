#!/usr/bin/env python3
"""A daemon and two workers with a queue between them, all of which are killed
again and again: each game is rated once, and the ladder is that of its records
alone.  A result that does not hold is refused; a ladder that is lost is made
from the database."""

import json
import os
import random
import re
import shutil
import signal
import subprocess

import arena
import daemon
import local_bots
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
KILLS = int(os.environ.get("QUEUE_KILLS", "6"))
WAIT_S = 120
LADDER = "toepen"


class Worker:
    """One `referee worker`; it is started again under its name."""

    def __init__(self, place, name):
        self.place, self.name, self.process, self.lives = place, name, None, 0

    def start(self):
        self.lives += 1
        place = self.place
        with open(place.house.root / f"{self.name}-{self.lives}.log",
                  "wb") as log:
            self.process = subprocess.Popen(
                [tap.REFEREE, "worker", "--queue", place.where, "--key",
                 place.key, "--name", self.name, "--jobs", "4", "--data",
                 place.house.root / self.name],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)

    def text(self):
        return "".join(
            path.read_text("latin-1") for path in
            sorted(self.place.house.root.glob(f"{self.name}-*.log")))


class Place:
    """Database, daemon, workers."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.where = cluster.create("queue")
        self.house = daemon.House("")
        self.key = self.house.root / "queue.key"
        for words in (("init", "--queue", self.where), ("key", self.key)):
            done = tap.referee("queue", *words)
            tap.equal(done.code, 0, f"queue {words[0]}")
        self.configure(self.house, "no")
        self.workers = [Worker(self, "one"), Worker(self, "two")]

    def configure(self, house, standby):
        house.configure(
            f'queue = "{self.where}"\nqueue-key = "{self.key}"\n'
            f"standby = {standby}\n"
            "residents { games = 16 at-once = 16 }\n"
            f'ladder "{LADDER}" {{ game = toepen seats = 2 at-once = 8 }}\n'
            "limits { stop-time = 1000 }\n" + daemon.LISTENERS)

    def sql(self, text):
        return self.cluster.sql(text, dbname="queue")

    def number(self, text):
        return int(self.sql(text)[0][0])

    def verdicts(self):
        return self.number("SELECT count(*) FROM referee.verdict")

    def left(self):
        return self.number("SELECT count(*) FROM referee.job "
                           "WHERE state NOT IN ('done', 'void')")

    def grows(self, more):
        """Waits for so many games more."""
        want = self.verdicts() + more
        return arena.wait_for(lambda: self.verdicts() >= want, WAIT_S)

    def tell(self):
        """For a test that fails."""
        return "\n".join([str(self.sql("SELECT job, state, attempt, losses, "
                                       "worker, why FROM referee.job "
                                       "WHERE state <> 'done'")),
                          self.house.text()[-4000:],
                          self.workers[0].text()[-2000:],
                          self.workers[1].text()[-2000:]])


def kills(place):
    chance = random.Random(7)
    if not place.grows(5):
        tap.ok(False, "games are played elsewhere", place.tell())
        return
    for i in range(KILLS):
        who = ([*place.workers, place.house])[i % 3]
        who.kill()
        if chance.random() < 0.5 and who is not place.house:
            place.grows(1)
        who.start()
        grown = place.grows(3)
        if not grown:
            tap.ok(False, "games go on after a kill", place.tell())
            return
    tap.ok(True, f"games go on after each of {KILLS} kills")
    place.cluster.kill()
    place.cluster.start()
    tap.ok(place.grows(3), "and after all of the database was killed",
           place.tell())


def takes_over(place):
    """A second daemon waits for the end of the first one."""
    with daemon.House("") as second:
        place.configure(second, "yes")
        for name in "ann", "ben":
            local_bots.add(second, local_bots.folder(second.root, name))
        second.launch()
        tap.ok(second.wait_for_log("queue-waits"), "a standby waits",
               second.text())
        place.house.kill()
        tap.ok(second.wait_for_log("ladder-open") and place.grows(3),
               "and takes over", second.text())
        tap.equal(second.stop(), 0, "until it is stopped")
        place.house.start()
        tap.ok(place.grows(1), "and the first one is back", place.tell())


def ends(place):
    """No game begins any more, and all that were begun end."""
    for name in "ann", "ben":
        tap.equal(local_bots.bots(place.house, "disable", name).code, 0,
                  f"{name} plays no more")

    def none_left():
        tap.referee("queue", "retry", "--queue", place.where, "all")
        return place.left() == 0
    tap.ok(arena.wait_for(none_left, WAIT_S), "no job is left over",
           place.tell())


def checks(place):
    house = place.house
    rows = place.sql("SELECT serial, game, job FROM referee.verdict "
                     "ORDER BY serial")
    tap.equal([int(row[0]) for row in rows],
              list(range(1, len(rows) + 1)), "serials without a hole")
    tap.equal(sorted(int(row[2]) for row in rows),
              [int(row[0]) for row in place.sql(
                  "SELECT job FROM referee.job WHERE state = 'done' "
                  "ORDER BY job")],
              "each job was rated once")
    told = {match for line in house.log("game-over")
            for match in re.findall(r"game=(\w+)", line)}
    tap.ok(told <= {row[1] for row in rows},
           "no game is told that the database does not have")
    tap.equal([place.number("SELECT count(*) FROM referee.result r "
                            "WHERE r.state = 'refused'")], [0],
              "no honest result was refused")


def shown(place, ladder):
    done = tap.referee("ladder", "show", "--ladder", ladder, "--json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    for row in rows:
        row.pop("mark", None)  # of the roster, not of the ladder
    return rows


def same_alone(place):
    """The ladder is what its records alone come to."""
    folder = place.house.data / "ladders" / LADDER
    alone = place.house.root / "alone.db"
    done = tap.referee("ladder", "rebuild", "--ladder", folder / "ladder.db")
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "a rebuild comes to the same", done)
    done = tap.referee("ladder", "rebuild", "--ladder", alone, "--records",
                       folder / "records")
    tap.equal(done.code, 0, "the records alone make a ladder")
    standings = shown(place, folder / "ladder.db")
    tap.equal(shown(place, alone), standings, "with the same ratings")
    tap.equal(sum(row["games"] for row in standings),
              2 * place.verdicts(), "of all games")


def lost(place):
    """The ladder's folder is gone."""
    folder = place.house.data / "ladders" / LADDER
    before = shown(place, folder / "ladder.db")
    shutil.rmtree(folder)
    place.house.start()
    tap.equal(place.house.stop(), 0, "the daemon starts without its folder")
    tap.equal(shown(place, folder / "ladder.db"), before,
              "the ladder was made from the database")
    done = tap.referee("ladder", "rebuild", "--ladder", folder / "ladder.db")
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "to the last digit", done)


def lies(place):
    """What another machine reports is not believed."""
    house, worker = place.house, place.workers[0]
    house.kill()
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM referee.result WHERE state = 'new'") > 0,
        WAIT_S), "results wait for a daemon", place.tell())
    changed = place.sql(
        "UPDATE referee.result r SET body = overlay(body PLACING 'x' FROM "
        "position(convert_to(j.game, 'UTF8') IN body)), worker = 'one' "
        "FROM referee.job j WHERE j.job = r.job AND r.state = 'new' "
        "AND r.job = (SELECT min(job) FROM referee.result "
        "WHERE state = 'new') RETURNING j.game")
    house.start()
    tap.ok(house.wait_for_log("result-refused"), "one that was changed is "
           "refused", place.tell())
    tap.ok(changed[0][0] in "".join(house.log("result-refused")),
           "it alone", house.log("result-refused"))
    tap.equal(place.sql("SELECT worker FROM referee.worker WHERE suspended"),
              [["one"]], "its worker is suspended")
    place.sql("UPDATE referee.result SET state = 'late' "
              "WHERE state = 'refused'")
    done = tap.referee("queue", "admit", "--queue", place.where, "one")
    tap.equal(done.code, 0, "until it is admitted again")
    worker.kill()
    worker.start()
    tap.ok(arena.wait_for(lambda: place.number(
        "SELECT count(*) FROM referee.verdict "
        f"WHERE game = '{changed[0][0]}'") == 1, WAIT_S),
        "the game is played again", place.tell())


def main():
    with postgres.Cluster() as cluster:
        place = Place(cluster)
        with place.house as house:
            for name in "ann", "ben":
                local_bots.add(house, local_bots.folder(house.root, name))
            try:
                house.start()
                for worker in place.workers:
                    worker.start()
                kills(place)
                lies(place)
                takes_over(place)
                ends(place)
                for worker in place.workers:
                    tap.equal(worker.stop(), 0, f"worker {worker.name} stops")
                tap.equal(house.stop(), 0, "the daemon stops")
                checks(place)
                same_alone(place)
                lost(place)
                left = {}

                def gone():
                    left.clear()
                    left.update(house.processes())
                    return not left
                tap.ok(arena.wait_for(gone), "no process is left", left)
            finally:
                for worker in place.workers:
                    worker.kill()
    tap.done()


main()
