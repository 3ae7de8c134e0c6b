#!/usr/bin/env python3
"""Tests two daemons with one queue: the second one begins with an empty folder
and follows the first, whose machine is then lost with its disk.  The second has
the same tokens, bots, voids and seasons, and ladders that are equal to the last
digit; then the first one comes back in the same way."""

import json
import shutil
import signal
import socket
import subprocess
import threading

import arena
import daemon
import local_bots
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
LADDER, SEASON = "toepen", "spring"
WAIT_S = 300


class Place:
    """A database and the key of its queue."""

    def __init__(self, cluster, root):
        self.cluster = cluster
        self.where = cluster.create("queue")
        self.key = root / "queue.key"
        for words in (("init", "--queue", self.where), ("key", self.key)):
            done = tap.referee("queue", *words)
            tap.equal(done.code, 0, f"queue {words[0]}")

    def configure(self, serve, standby):
        serve.configure(
            f'queue = "{self.where}"\nqueue-key = "{self.key}"\n'
            f"standby = {standby}\n"
            f'ladder "{LADDER}" {{ game = toepen seats = 2 at-once = 4 '
            "spectators-delay = 0 }\n"
            f'ladder "{SEASON}" {{ game = toepen seats = 2 }}\n'
            "limits { stop-time = 100 return-time = 100 unauthenticated = 1000 "
            "connections-per-address = 1000 }\n" + daemon.LISTENERS)

    def sql(self, text):
        return self.cluster.sql(text, dbname="queue")

    def verdicts(self, bot=""):
        return int(self.sql(
            "SELECT count(*) FROM referee.verdict WHERE position(convert_to("
            f"' {bot}', 'UTF8') IN record) > 0")[0][0])

    def void(self):
        """Returns the serial of the only void, and all entries from it on in
        full."""
        rows = self.sql(
            "SELECT serial, game, hash, md5(record), md5(asks) FROM "
            "referee.verdict WHERE serial >= (SELECT serial FROM "
            "referee.verdict WHERE position('void 1\n' IN convert_from(record, "
            "'UTF8')) = 1) ORDER BY serial")
        return int(rows[0][0]), rows

    def followers(self):
        done = tap.referee("queue", "show", "--json", "--queue", self.where)
        rows = [json.loads(line) for line in done.out.splitlines()]
        return [row for row in rows if row["type"] == "follower"]

    def is_level(self, serve):
        """Tests that the waiting daemon has all that the database has, and says
        so to an operator."""
        return arena.wait_for(lambda: serve.log("standby-follows") and self.sql(
            "SELECT FROM referee.follower WHERE behind = 0 AND follower LIKE "
            f"'%process {serve.process.pid}'")) and [
                row["behind"] for row in self.followers()
                if f"process {serve.process.pid}" in row["follower"]] == [0]


def export(serve, ladder=LADDER):
    return serve.ladder("export", ladder).out


def play(serve, tokens, more, place, bot=""):
    """Plays remote bots until there are this many more verdicts, of `bot` if it
    is given; then they leave."""
    want = place.verdicts(bot) + more
    guests = []
    for name, token in tokens.items():
        guest = serve.guest(name, token)
        guest.say(f"sit {LADDER}")
        guests.append(guest)
        thread = threading.Thread(target=guest.play_on, daemon=True)
        thread.start()
    done = arena.wait_for(lambda: place.verdicts(bot) >= want, WAIT_S)
    for guest in guests:
        guest.socket.shutdown(socket.SHUT_RDWR)
    # Theirs would end, and count, at some later moment.
    arena.wait_for(lambda: serve.metric(
        f'referee_games_running{{ladder="{LADDER}"}}') == 0)
    return done


def bots(serve, *words):
    return tap.referee("bots", *words, "--data", serve.data)


def begins(place, first):
    """Makes a ladder with games, a season after it, a void and an added bot."""
    tokens = {name: first.token(name) for name in ("alice", "bob")}
    place.configure(first, "no")
    first.start()
    tap.ok(play(first, tokens, 6, place), "games are played", first.text())
    tap.equal(first.stop(), 0, "the first daemon stops")
    shutil.rmtree(first.data / "ladders" / SEASON)
    place.sql(f"DELETE FROM referee.house_file WHERE name = 'ladder/{SEASON}'")
    done = tap.referee("ladder", "new", "--data", first.data, "--ladder", SEASON,
                       "--from", LADDER, "--season", "spring")
    tap.equal((done.code, done.err), (0, ""), "a season after it")
    tap.complains(bots(first, "token", "eve"), 3, "is a copy of what its queue's",
                  "nobody changes the roster without its daemon")
    first.start()
    done = local_bots.add(first, local_bots.folder(first.root, "carol"))
    tap.equal((done.code, done.out), (0, "carol was added\n"), "a bot is added")
    tap.equal(place.sql("SELECT name FROM referee.bot"), [["carol"]],
              "which the database has by then")
    return tokens


def follows(place, first, second, tokens):
    """Tests that the waiting daemon takes over all changes of the first one."""
    second.launch()
    tap.ok(second.wait_for_log("queue-waits") and place.is_level(second),
           "the second one follows", (second.text(), place.followers()))
    tap.equal(export(second), export(first), "its ladder is the same")
    tap.equal(export(second, SEASON), export(first, SEASON),
              "and its season, before it has a game")
    second.process.send_signal(signal.SIGHUP)
    tap.complains(bots(second, "token", "eve"), 3,
                  "only waits (another referee has the queue): ask the one",
                  "its folder is not changed by a command")
    tap.ok(play(first, tokens, 4, place), "games go on", first.text())
    game = place.sql("SELECT game FROM referee.verdict ORDER BY serial "
                     "LIMIT 1 OFFSET 1")[0][0]
    done = first.ladder("void", LADDER, game, "--why", "a test")
    serial = place.void()[0]
    tap.equal((done.code, done.out), (0, f"void {serial}: 1 game does not count "
                                      "any longer\n"),
              "a game is voided: the database has the void")
    done = bots(first, "disable", "bob", "loops")
    tap.equal(done.code, 0, "a bot is disabled")
    tokens["dave"] = first.token("dave")
    ours = export(first)
    tap.ok(arena.wait_for(lambda: '"void"' in export(second)) and
           arena.wait_for(lambda: export(second) == export(first)),
           "the second one has the games and the void by itself",
           (ours[-300:], export(second)[-300:], second.text()))
    told = second.log("standby-follows")
    tap.ok(0 < len(told) < place.verdicts() - 2,
           "not each game is told in its log", told)
    tap.ok('"void"' in export(second), "they are in it")
    tap.ok(arena.wait_for(lambda: any((second.data / "bots").glob("*/bot"))),
           "and the bot, built", second.text())


def away(place, first, second):
    """Tests that without the database no change is made that it must have."""
    place.cluster.kill()
    first.wait_for_log("queue-down")
    second.wait_for_log("queue-down")
    tap.complains(bots(first, "token", "eve"), 3, "nothing has changed",
                  "no token without the database")
    # It comes back later than the waiting daemon.
    first.process.send_signal(signal.SIGSTOP)
    ups = len(second.log("queue-up"))
    place.cluster.start()
    second.wait_for_log("queue-up", ups + 1)
    first.process.send_signal(signal.SIGCONT)
    tap.ok(arena.wait_for(lambda: bots(first, "enable", "bob").code == 0),
           "a change when it is back, by the same daemon", second.text())


def slow(place, first):
    """Tests that a command ends only after the database has its change."""
    def state():
        return int(place.sql("SELECT state FROM referee.roster")[0][0])
    before = state()
    lock = place.cluster.session("queue")
    lock.ask("BEGIN; LOCK TABLE referee.roster IN EXCLUSIVE MODE")
    with subprocess.Popen(
            [tap.REFEREE, "bots", "owner", "alice", "ann", "--data", first.data],
            stdin=subprocess.DEVNULL) as command:
        tap.ok(arena.wait_for(lambda: place.sql(
            "SELECT FROM pg_locks WHERE relation = 'referee.roster'::regclass "
            "AND NOT granted")), "the roster is locked, and the daemon waits")
        tap.equal(command.poll(), None, "as does who asks it for an owner")
        lock.ask("COMMIT")
        code = command.wait(WAIT_S)
    lock.close()
    tap.equal((code, state()), (0, before + 1),
              "an owner that is told is in the database")


def takes_over(place, first, second, tokens):
    """Tests the loss of the first daemon's machine."""
    tap.ok(place.is_level(second), "the second one is level",
           (second.text(), place.followers()))
    # It asks the database every five seconds.
    tap.ok(arena.wait_for(
        lambda: first.metric("referee_queue_followers") == 1 and
        first.metric("referee_queue_followers_behind") == 0),
           "the first one's metrics say so", first.get("/metrics").text)
    before = export(first)
    first.kill()
    shutil.rmtree(first.data)
    tap.ok(second.wait_for_log("listening", 2), "the second one takes over",
           second.text())
    tap.equal(export(second), before, "its ladder is that of the first one")
    tap.ok(second.wait_for_log("configuration-read"),
           "it reads its configuration, as it was told to while it waited",
           second.text())
    del tokens["bob"]
    tap.ok(play(second, tokens, 3, place), "tokens of the first one work",
           second.text())
    tap.ok(play(second, {"dave": tokens["dave"]}, 2, place, "carol"),
           "the bot that was added there plays here", second.text())
    tokens["erin"] = second.token("erin")


def comes_back(place, first, second, tokens):
    """Tests that the first daemon comes back with an empty disk, and then
    alone."""
    place.configure(first, "yes")
    first.launch()
    tap.ok(place.is_level(first), "the first one follows", first.text())
    before = export(second)
    tap.equal(second.stop(), 0, "the second one stops")
    tap.ok(first.wait_for_log("listening", 2), "the first one is back",
           first.text())
    tap.equal(export(first), before, "with the same ladder")
    tap.ok(play(first, {"erin": tokens["erin"], "dave": tokens["dave"]}, 2,
                place), "and the second one's token", first.text())
    tap.equal(first.stop(), 0, "the first one stops")
    done = first.ladder("rebuild", LADDER)
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "its records come to the same ladder", done)
    tap.ok(not list((first.data / "ladders" / LADDER / "records")
                    .glob("*-*.rec")), "they came back in packs")
    tap.equal([int(row[0]) for row in place.sql(
        "SELECT serial FROM referee.verdict ORDER BY serial")],
        list(range(1, place.verdicts() + 1)), "serials without a hole")


def older(place, first):
    """Tests a database from yesterday, when the daemon's own disk has more."""
    count = place.verdicts()
    serial, lost = place.void()
    place.sql(f"DELETE FROM referee.verdict WHERE serial >= {serial}; "
              "DELETE FROM referee.roster_page; "
              "UPDATE referee.roster SET state = 1, size = 0, key = NULL")
    state = int((first.data / "house").read_text("ascii").split()[3])
    first.start()
    tap.equal((place.verdicts(), place.void()), (count, (serial, lost)),
              "a database that was restored gets the void and the games after "
              "it, with their asks")
    tap.equal(place.sql("SELECT r.state, count(*) > 5 FROM referee.roster r, "
                        "referee.roster_page GROUP BY r.state"),
              [[str(state + 1), "t"]], "and the roster, as a newer one")
    tap.equal(first.stop(), 0, "the first one stops")
    # Changes that it has not passed on would be lost.
    (first.data / "house").unlink()
    first.launch()
    tap.equal(first.wait(), 3, "a roster that is no copy is not written over")
    tap.ok("has a roster of its own" in first.text(), "but told", first.text())


def main():
    with postgres.Cluster() as cluster, daemon.Daemon("") as first, \
            daemon.Daemon("") as second:
        place = Place(cluster, first.root)
        place.configure(second, "yes")
        tokens = begins(place, first)
        follows(place, first, second, tokens)
        slow(place, first)
        away(place, first, second)
        takes_over(place, first, second, tokens)
        comes_back(place, first, second, tokens)
        older(place, first)
    tap.done()


main()
