#!/usr/bin/env python3
"""Runs three databases, three workers and two daemons, each on a machine of its
own, and cuts the network: between the databases' leader and its standbys,
between a worker and the databases, between the daemon and the databases, in one
direction or both.  No game is rated twice, and no bot hears `over` of a lost
game.

The test needs CHECK_ALL=1 and root.  MANY_CUTS says how many of the cuts are
made, in random order: 3 take two minutes."""

import os

import arena
import many
import nodes
import tap

WAYS = ("there", "back", "both")
CUTS = int(os.environ.get("MANY_CUTS", "18"))
WAIT_S = 600

if not os.environ.get("CHECK_ALL"):
    tap.skip_all("it takes a quarter of an hour: CHECK_ALL=1 runs it")
if many.missing():
    tap.skip_all(many.missing())


class Cuts:
    def __init__(self, place, figures):
        self.place, self.figures = place, figures
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
        begun, twice = many.now(), 0
        self.cut(old.name, [name for name in self.databases()
                            if name != old.name], way)

        def other_leads():
            nonlocal twice
            leads = [one for one in databases.all if one.leads()]
            twice += len(leads) > 1
            return [one for one in leads if one is not old]
        if not arena.wait_for(other_leads, WAIT_S):
            return "no other database leads"
        databases.forget()
        if self.place.grows(3) is None:
            return "no games at the new leader"
        self.figures.add(f"leader cut off, {way}", many.now() - begun)
        tap.note(f"leader cut off, {way}: two led at {twice} looks")
        self.place.network.heal()
        return None if arena.wait_for(databases.whole, WAIT_S) else \
            "the old leader does not come back"

    def worker(self, way):
        """Cuts off a worker until its games are given to others."""
        place, name = self.place, self.dice.choice(self.place.workers).name
        held = f"FROM referee.job WHERE state = 'claimed' AND worker = '{name}'"
        arena.wait_for(lambda: place.number(f"SELECT count(*) {held}"), WAIT_S)
        self.cut(name, self.databases(), way)
        begun = many.now()
        if place.grows(3) is None:
            return "the others do not play on"
        if not arena.wait_for(lambda: place.number(f"SELECT count(*) {held}")
                              == 0, WAIT_S):
            return f"{name} keeps its games"
        self.figures.add(f"games of a worker cut off, {way}",
                         many.now() - begun)
        last = place.number("SELECT max(job) FROM referee.result")
        place.network.heal()
        begun = many.now()
        if not arena.wait_for(lambda: place.number(
                "SELECT count(*) FROM referee.result WHERE "
                f"worker = '{name}' AND job > {last}"), WAIT_S):
            return f"{name} does not come back"
        self.figures.add(f"worker healed, {way}", many.now() - begun)
        return None

    def daemon(self, way):
        """Cuts off a daemon until the other one has taken over."""
        place = self.place
        old = arena.wait_for(place.active, WAIT_S)
        other = next(one for one in place.daemons if one is not old)
        if not other.waits():
            return f"{other.name} does not wait before"
        self.cut(old.name, self.databases(), way)
        begun = many.now()
        if not other.wait_for_log("listening", seconds=WAIT_S) or \
                place.grows(3) is None:
            return f"{other.name} does not take over"
        self.figures.add(f"daemon cut off, {way}", many.now() - begun)
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
    figures = many.Figures()
    with many.Place() as place:
        if place.begin():
            figures.begun = many.now()
            Cuts(place, figures).all()
            left = many.ends(place)
            games = many.rated_once(place)
            figures.tell(games)
            many.same_alone(place, left, games)
            many.nothing_left(place)
    tap.done()


main()
