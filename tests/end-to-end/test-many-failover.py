#!/usr/bin/env python3
"""Runs three databases, three workers and two daemons, each on a machine of its
own that dies again and again: each game is rated once, and the ladder follows
from its records alone.  At the end all databases die at once, and the active
daemon loses its network.

The test needs CHECK_ALL=1 and root.  MANY_GAMES, MANY_KILLS and MANY_LEADERS
say how many games are played, and how many workers and daemons, and leaders of
the databases, are killed meanwhile: 200, 20 and 1 take two minutes."""

import os

import arena
import many
import nodes
import tap

GAMES = int(os.environ.get("MANY_GAMES", "10000"))
KILLS = int(os.environ.get("MANY_KILLS", "300"))
LEADERS = int(os.environ.get("MANY_LEADERS", "20"))
WAIT_S = 600

if not os.environ.get("CHECK_ALL"):
    tap.skip_all("it takes half an hour: CHECK_ALL=1 runs it")
if many.missing():
    tap.skip_all(many.missing())


class Kills:
    """Kills machines one after the other, workers and daemons also while the
    databases have no leader."""

    def __init__(self, place, figures):
        self.place, self.figures = place, figures
        self.dice = tap.dice()
        self.dead, self.since, self.games = None, 0, 0

    def worker(self):
        """Kills a worker's process, or all that runs on its machine."""
        one = self.dice.choice(self.place.workers)
        if self.dice.random() < 0.5:
            one.kill()
        else:
            one.node.kill()
            one.process.wait()
        one.start()

    def daemon(self):
        one = self.place.active() or self.dice.choice(self.place.daemons)
        one.node.kill()
        one.process.wait()
        one.launch()

    def leader(self):
        """Kills the leader; returns true if there was one to kill."""
        databases = self.place.databases
        if not arena.wait_for(databases.whole, WAIT_S):
            return False
        self.dead = databases.leader()
        self.games = self.place.verdicts() or self.games
        self.since = many.now()
        self.dead.kill()
        return True

    def look_at_leader(self):
        """Starts the dead leader again once another one leads and games are
        rated."""
        if self.dead is None:
            return True
        if (self.place.verdicts() or 0) > self.games:
            self.figures.add("leader killed", many.now() - self.since)
            self.dead.start()
            self.dead = None
            return True
        return many.now() < self.since + WAIT_S

    def one(self, kind):
        begun = many.now()
        getattr(self, kind)()
        if self.dead is not None:
            self.place.grows(1, 2)
            return self.look_at_leader()
        grown = self.place.grows(1)
        if grown is not None:
            self.figures.add(f"{kind} killed", many.now() - begun)
        return grown is not None

    def all(self):
        plan = ["worker"] * (KILLS - KILLS // 4) + ["daemon"] * (KILLS // 4)
        self.dice.shuffle(plan)
        every = max(1, KILLS // max(1, LEADERS))
        leaders = 0
        for i, kind in enumerate(plan):
            if i % every == 0 and leaders < LEADERS and self.dead is None:
                leaders += 1
                if not self.leader():
                    return "the databases do not come together"
            if not self.one(kind):
                return f"no game after kill {i + 1}, {kind}"
            if i % 10 == 0:
                self.place.queue("retry", "all")
        if not arena.wait_for(lambda: self.dead is None or (
                self.look_at_leader() and self.dead is None), WAIT_S):
            return "no game after the last leader was killed"
        for _ in range(leaders, LEADERS):
            if not self.leader() or not arena.wait_for(
                    lambda: self.look_at_leader() and self.dead is None,
                    WAIT_S):
                return "no game after a leader was killed"
        return None


def kills(place, figures):
    trouble = Kills(place, figures).all()
    tap.ok(trouble is None, f"games go on after {KILLS} kills of workers and "
           f"daemons, and {LEADERS} of the databases' leader",
           f"{trouble}\n{place.tell()}")
    return trouble is None


def all_at_once(place, figures):
    """Tests row 2 of the table: all databases die."""
    databases = place.databases
    tap.ok(arena.wait_for(databases.whole, WAIT_S), "the databases are whole",
           databases.tell())
    jobs = {row[0] for row in place.sql("SELECT game FROM referee.job")}
    for one in databases.all:
        one.kill()
    databases.forget()
    arena.wait_for(lambda: all(one.text().rstrip().split("event=")[-1]
                               .startswith("queue-down")
                               for one in place.workers))
    for one in databases.all:
        one.start()
    quorum = arena.wait_for(databases.quorum, WAIT_S)
    begun = many.now()
    grown = place.grows(3)
    figures.add("all databases killed, after quorum", many.now() - begun)
    tap.ok(quorum and grown, "all databases were killed: games go on",
           place.tell())
    return jobs


def pulled(place, figures):
    """Tests row 12 of the table: the active daemon loses its network."""
    old = arena.wait_for(place.active, WAIT_S)
    other = next(one for one in place.daemons if one is not old)
    tap.ok(other.waits(), f"{other.name} waits", other.text())
    old.node.pull()
    begun = many.now()
    up = other.wait_for_log("listening", seconds=WAIT_S)
    grown = place.grows(3)
    figures.add("network of the daemon pulled", many.now() - begun)
    tap.ok(up and grown, f"the network of {old.name} is pulled: {other.name} "
           "takes over", place.tell())
    old.node.plug()
    ended = arena.wait_for(lambda: old.process.poll() is not None, WAIT_S)
    last = old.text().splitlines()[-1:]
    tap.ok(ended and old.process.returncode == 3 and "has taken over" in
           old.text(), "the old one ends with a sentence when it is back",
           f"{old.process.returncode} {last}")
    tap.note(f"{old.name}: {last} {old.log('queue-taken')}")
    old.launch()
    tap.ok(old.waits(), "and waits when it is started again", old.text())


def main():
    nodes.enter()
    figures = many.Figures()
    with many.Place() as place:
        good = place.begin()
        figures.begun = many.now()
        if good and kills(place, figures):
            jobs = all_at_once(place, figures)
            for _ in range(2):
                pulled(place, figures)
            tap.ok(arena.wait_for(lambda: (place.verdicts() or 0) >= GAMES,
                                  GAMES), f"{GAMES} games are played")
            left = many.ends(place)
            games = many.rated_once(place)
            figures.tell(games)
            tap.equal(jobs - {row[0] for row in place.sql(
                "SELECT game FROM referee.verdict")}, set(), "no job was lost")
            many.same_alone(place, left, games)
            many.nothing_left(place)
    tap.done()


main()
