#!/usr/bin/env python3
"""End-to-end because three databases, Patroni and the network between them are real.

Runs three databases, three workers and two daemons, each on a machine of its own that
dies again and again: each game is rated once, and the ladder follows from its records
alone.  Then all databases die at once, and the active daemon loses its network.  At the
end the network is cut: between the databases' leader and its standbys, between a worker
and the databases, between the daemon and the databases, in one direction or both.  No
game is rated twice, and no bot hears `over` of a lost game.

The test needs CHECK_ALL=1 and root.  MANY_GAMES, MANY_KILLS, MANY_LEADERS and MANY_CUTS
say how many games are played, how many workers and daemons, and leaders of the
databases, are killed meanwhile, and how many cuts are made, in random order: 200, 20, 1
and 3 take four minutes."""

import os

import arena
import many
import nodes
import tap

GAMES = int(os.environ.get("MANY_GAMES", "10000"))
KILLS = int(os.environ.get("MANY_KILLS", "300"))
LEADERS = int(os.environ.get("MANY_LEADERS", "20"))
CUTS = int(os.environ.get("MANY_CUTS", "18"))
WAYS = ("there", "back", "both")
WAIT_S = 600

if not os.environ.get("CHECK_ALL"):
    tap.skip_all("it takes three quarters of an hour: CHECK_ALL=1 runs it")
if many.missing():
    tap.skip_all(many.missing())


class Kills:
    """Kills machines one after the other, workers and daemons also while the
    databases have no leader."""

    def __init__(self, place):
        self.place = place
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
            self.dead.start()
            self.dead = None
            return True
        return many.now() < self.since + WAIT_S

    def one(self, kind):
        getattr(self, kind)()
        if self.dead is not None:
            self.place.grows(1, 2)
            return self.look_at_leader()
        return self.place.grows(1)

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


def kills(place):
    trouble = Kills(place).all()
    tap.ok(trouble is None, f"games go on after {KILLS} kills of workers and "
           f"daemons, and {LEADERS} of the databases' leader",
           f"{trouble}\n{place.tell()}")
    return trouble is None


def all_at_once(place):
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
    grown = place.grows(3)
    tap.ok(quorum and grown, "all databases were killed: games go on",
           place.tell())
    return jobs


def pulled(place):
    """Tests row 12 of the table: the active daemon loses its network."""
    old = arena.wait_for(place.active, WAIT_S)
    other = next(one for one in place.daemons if one is not old)
    tap.ok(other.waits(), f"{other.name} waits", other.text())
    old.node.pull()
    up = other.wait_for_log("listening", seconds=WAIT_S)
    grown = place.grows(3)
    tap.ok(up and grown, f"the network of {old.name} is pulled: {other.name} "
           "takes over", place.tell())
    old.node.plug()
    ended = arena.wait_for(lambda: old.process.poll() is not None, WAIT_S)
    tap.ok(ended and old.process.returncode == 3 and "has taken over" in
           old.text(), "the old one ends with a sentence when it is back",
           f"{old.process.returncode}: {old.text()}")
    old.launch()
    tap.ok(old.waits(), "and waits when it is started again", old.text())


class Cuts:
    def __init__(self, place):
        self.place = place
        self.dice = tap.dice()

    def cut(self, one, others, way):
        for other in others:
            if way in ("there", "both"):
                self.place.network.cut(one, other)
            if way in ("back", "both"):
                self.place.network.cut(other, one)

    def databases(self):
        return [one.name for one in self.place.databases.all]

    def leader(self, way):
        """Cuts off the leader until another one leads, and games are rated there."""
        databases = self.place.databases
        if not arena.wait_for(databases.whole, WAIT_S):
            return "the databases are not whole before"
        old = databases.leader()
        self.cut(old.name, [name for name in self.databases()
                            if name != old.name], way)

        def other_leads():
            return any(one.leads() for one in databases.all if one is not old)
        if not arena.wait_for(other_leads, WAIT_S):
            return "no other database leads"
        databases.forget()
        if not self.place.grows(3):
            return "no games at the new leader"
        self.place.network.heal()
        return None if arena.wait_for(databases.whole, WAIT_S) else \
            "the old leader does not come back"

    def worker(self, way):
        """Cuts off a worker until its games are given to others."""
        place, name = self.place, self.dice.choice(self.place.workers).name
        held = f"FROM referee.job WHERE state = 'claimed' AND worker = '{name}'"
        arena.wait_for(lambda: place.number(f"SELECT count(*) {held}"), WAIT_S)
        self.cut(name, self.databases(), way)
        if not place.grows(3):
            return "the others do not play on"
        if not arena.wait_for(lambda: place.number(f"SELECT count(*) {held}")
                              == 0, WAIT_S):
            return f"{name} keeps its games"
        last = place.number("SELECT max(job) FROM referee.result")
        place.network.heal()
        if not arena.wait_for(lambda: place.number(
                "SELECT count(*) FROM referee.result WHERE "
                f"worker = '{name}' AND job > {last}"), WAIT_S):
            return f"{name} does not come back"
        return None

    def daemon(self, way):
        """Cuts off a daemon until the other one has taken over."""
        place = self.place
        old = arena.wait_for(place.active, WAIT_S)
        other = next(one for one in place.daemons if one is not old)
        if not other.waits():
            return f"{other.name} does not wait before"
        self.cut(old.name, self.databases(), way)
        if not other.wait_for_log("listening", seconds=WAIT_S) or \
                not place.grows(3):
            return f"{other.name} does not take over"
        place.network.heal()
        if not old.waits():
            return f"{old.name} does not wait after"
        return None

    def all(self):
        every = [(kind, way) for kind in ("leader", "worker", "daemon")
                 for way in WAYS]
        plan = []
        while len(plan) < CUTS:
            plan += self.dice.sample(every, len(every))
        for kind, way in plan[:CUTS]:
            trouble = getattr(self, kind)(way)
            tap.ok(trouble is None, f"{kind} cut off, {way}: games go on",
                   f"{trouble}\n{self.place.tell()}")
            self.place.network.heal()
            self.place.databases.forget()


def main():
    nodes.enter()
    with many.Place() as place:
        if place.begin() and kills(place):
            jobs = all_at_once(place)
            for _ in range(2):
                pulled(place)
            Cuts(place).all()
            tap.ok(arena.wait_for(lambda: (place.verdicts() or 0) >= GAMES,
                                  GAMES), f"{GAMES} games are played")
            left = many.ends(place)
            games = many.rated_once(place)
            tap.equal(jobs - {row[0] for row in place.sql(
                "SELECT game FROM referee.verdict")}, set(), "no job was lost")
            many.same_alone(place, left, games)
            many.nothing_left(place)
    tap.done()


main()
