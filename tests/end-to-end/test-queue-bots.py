#!/usr/bin/env python3
"""Tests that a job enters the queue's database only when its bots are there: a
database that has lost them gets them again, and the games of a bot that cannot
be sent are parked."""

import arena
import daemon
import local_bots
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
WAIT_S = 600
NAMES = "ann", "ben", "cat"
# Counts the waiting jobs whose bots are not all there.
LACKING = ("SELECT count(*) FROM referee.job j WHERE state = 'waiting' AND EXISTS "
           "(SELECT FROM unnest(j.bot) AS h WHERE h NOT IN "
           "(SELECT hash FROM referee.bot))")


def damage(serve, name):
    """The bot was built by a referee that did not keep its source."""
    for manifest in serve.data.glob("bots/*/bot/bot.conf"):
        if f'name = "{name}"' in manifest.read_text("ascii"):
            (manifest.parent / "built").write_text("by an earlier one", "ascii")
            return
    raise RuntimeError(f"no bot {name}")


def main():
    with postgres.shared() as cluster, daemon.Daemon("") as serve:
        where = cluster.create("queue")
        key = serve.root / "queue.key"

        def number(text):
            return int(cluster.sql(text, dbname="queue")[0][0])

        def jobs(names):
            return number("SELECT count(*) FROM referee.job WHERE state = "
                          f"'waiting' AND name @> ARRAY{list(names)}")
        for words in (("init", "--queue", where), ("key", key)):
            tap.equal(tap.referee("queue", *words).code, 0, f"queue {words[0]}")
        for name in NAMES:
            local_bots.add(serve, local_bots.folder(serve.root, name))
        serve.configure(
            f'queue = "{where}"\nqueue-key = "{key}"\n'
            "local-bots { games = 16 at-once = 16 }\n"
            'ladder "toepen" { game = toepen seats = 2 at-once = 6 }\n'
            "limits { stop-time = 1000 }\n" + daemon.LISTENERS)
        serve.start()
        tap.ok(arena.wait_for(lambda: jobs(["ann"]) + jobs(["cat"]) > 1, WAIT_S),
               "jobs wait", serve.text())
        tap.equal(number(LACKING), 0, "whose bots are there")
        # The daemon keeps running, because a bot that was changed before a
        # start does not play.
        damage(serve, "cat")
        tap.equal(local_bots.bots(serve, "disable", "ben").code, 0,
                  "two bots are left")
        # No running game has the third bot now.
        cluster.sql("UPDATE referee.job SET state = 'void'; "
                    "DELETE FROM referee.bot", dbname="queue")
        tap.ok(arena.wait_for(lambda: any(
            "built by an earlier referee" in line
            for line in serve.log("game-parked")), WAIT_S),
            "a game of one that cannot come is parked", serve.text())
        tap.ok(any("bot=cat" in line for line in serve.log("bot-not-copied")),
               "the log tells of that bot, too", serve.log("bot-not-copied"))
        tap.equal(local_bots.bots(serve, "enable", "ben").code, 0,
                  "another one is back")
        tap.ok(arena.wait_for(lambda: jobs(["ann", "ben"]) > 0, WAIT_S),
               "games of those that came again are played", serve.text())
        tap.equal((jobs(["cat"]), number(LACKING)), (0, 0),
                  "no job waits for a bot that is not there")
        tap.equal(serve.stop(), 0, "the daemon ends")


main()
tap.done()
