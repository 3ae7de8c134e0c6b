#!/usr/bin/env python3
"""End-to-end because two daemons share a real database, and each has a real disk.

Tests that the data folder and the queue's database stay copies of each other.  An
interrupted copy goes on at the next start; a backup never brings back an older
roster; and a database that has lost commits, as after a failover without
`synchronous_mode`, gets them again.

A second daemon follows the first, whose machine is then lost with its disk.  The
second has the same tokens, bots, voids and seasons, and ladders that are equal to the
last digit; then the first one comes back in the same way."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
import threading

import arena
import daemon
import followed
import local_bots
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
LADDER, SEASON = "toepen", "spring"
WAIT_S = 300
# Makes a process stop itself before it makes its first folder inside one of
# that name.
STOPS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
int mkdir(const char *path, mode_t mode)
{
	static int stopped;
	int (*next)(const char *, mode_t);
	*(void **)&next = dlsym(RTLD_NEXT, "mkdir");
	if (!stopped && strstr(path, "/ladders/")) {
		stopped = 1;
		raise(SIGSTOP);
	}
	return next(path, mode);
}
"""


class Place:
    """A database and the key of its queue."""

    def __init__(self, cluster, root, name="queue"):
        self.cluster, self.name, self.k = cluster, name, 16
        self.term = ""  # dates of the ladder
        self.where = cluster.create(name)
        self.key = root / "queue.key"
        for words in (("init", "--queue", self.where), ("key", self.key)):
            done = tap.referee("queue", *words)
            tap.equal(done.code, 0, f"queue {words[0]}")

    def configure(self, serve, standby):
        """Writes the configuration; with `standby` None it has no queue."""
        serve.configure(
            ("" if standby is None else
             f'queue = "{self.where}"\nqueue-key = "{self.key}"\n'
             f"standby = {standby}\n") + f"uploads = {local_bots.UPLOADS}\n"
            f'ladder "{LADDER}" {{ game = toepen seats = 2 at-once = 2 '
            f"spectators-delay = 0 k = {self.k} {self.term} }}\n"
            f'ladder "{SEASON}" {{ game = toepen seats = 2 }}\n'
            "limits { stop-time = 100 unauthenticated = 1000 "
            "connections-per-address = 1000 }\n" + daemon.LISTENERS)

    def sql(self, text):
        return self.cluster.sql(text, dbname=self.name)

    def number(self, text):
        return int(self.sql(text)[0][0])

    def verdicts(self, bot=""):
        return self.number(
            "SELECT count(*) FROM referee.verdict WHERE position(convert_to("
            f"' {bot}', 'UTF8') IN record) > 0")

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

    def state(self):
        return self.number("SELECT state FROM referee.roster")

    def forget(self, text):
        """Deletes rows, as a failover to a leader without them does.  A verdict
        on its way arrives before or after that."""
        self.sql(f"BEGIN; LOCK TABLE referee.verdict; {text}; COMMIT")
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                 "WHERE datname = current_database() AND "
                 "application_name LIKE 'referee %'")


def bots(serve, *words):
    return tap.referee("bots", *words, "--data", serve.data)


def roster(serve):
    """Returns the roster that a daemon would start with in this folder."""
    mark = serve.data / "house"
    if not mark.exists() or mark.read_text("ascii").endswith(" state 0\n"):
        return None
    with tap.folder() as folder:
        (pathlib.Path(folder) / "ladders").mkdir(0o700)
        for name in "roster.db", "roster.key":
            shutil.copy(serve.data / name, folder)
        return tap.referee("bots", "list", "--data", folder).out


def export(serve, ladder=LADDER):
    return serve.ladder("export", ladder).out


def games(serve):
    return export(serve).count('"type":"game"')


def come(serve, tokens):
    """Returns remote bots, with the threads that play for them."""
    found = []
    for name, token in tokens.items():
        guest = serve.guest(name, token)
        guest.say(f"sit {LADDER}")
        found.append((guest, threading.Thread(target=guest.play_on, daemon=True)))
    return found


def leave(guests):
    """Has them play their game to its end: those that go away in a game are suspended
    for half a minute."""
    for guest, _ in guests:
        guest.say("quit")
    for _, thread in guests:
        thread.join(WAIT_S)


def play(serve, tokens, more, has):
    """Plays remote bots until has() has grown by so much; then they leave."""
    want = has() + more
    guests = come(serve, tokens)
    for _, thread in guests:
        thread.start()
    done = arena.wait_for(lambda: has() >= want, WAIT_S)
    leave(guests)
    return done


def mark_fails(serve):
    """Makes the daemon end where it would write the mark of the copy."""
    serve.launch()
    code = serve.wait()
    tap.ok(code != 0 and "cannot write" in serve.text(),
           "a daemon that cannot write its mark ends", serve.text())


def lags(place, first, tokens):
    """Tests a disk that refuses what the database has: games count, and are
    written once it accepts them."""
    pack = first.data / "ladders" / LADDER / "records" / "00000001-.tar"
    pack.mkdir()
    guests = come(first, tokens)
    guests[0][1].start()
    told = [guests[1][0].play() for _ in range(2)]
    guests[1][1].start()
    tap.ok(all(line is not None and line.startswith("over") for line in told),
           "bots hear of games that the disk here does not take",
           (told, first.text()))
    tap.ok(place.verdicts() >= 2, "the database has them")
    tap.equal(games(first), 0, "and the ladder has not")
    leave(guests)
    pack.rmdir()
    tap.ok(arena.wait_for(lambda: games(first) == place.verdicts()),
           "it has them when the disk takes them", first.text())


def begins(place, first):
    """Tests a first daemon that ends before it has noted which database it is a
    copy of."""
    tokens = {name: first.token(name) for name in ("alice", "bob")}
    place.configure(first, "no")
    (first.data / "house.new").mkdir()
    mark_fails(first)
    (first.data / "house.new").rmdir()
    first.start()
    tap.ok((first.data / "house").exists() and place.state() > 0,
           "its roster is in the database at the next start", first.text())
    # The database has the change, but the folder's mark is still the old one.
    first.kill()
    mark = (first.data / "house").read_text("ascii").split()
    (first.data / "house").write_text(f"house {mark[1]} state 0\n", "ascii")
    first.start()
    tap.equal((first.data / "house").read_text("ascii").split(), mark,
              "nor is it another one than that, if the mark is not known")
    lags(place, first, tokens)
    tap.ok(play(first, tokens, 4, place.verdicts), "games are played", first.text())
    # A changed K is an entry of the log like a game.
    first.stop()
    place.k = 40
    place.configure(first, "no")
    first.start()
    tap.ok(play(first, tokens, 2, place.verdicts), "games with another K", first.text())
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


def slow(place, first):
    """Tests that a command ends only after the database has its change."""
    before = place.state()
    lock = place.cluster.session(place.name)
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
    tap.equal((code, place.state()), (0, before + 1),
              "an owner that is told is in the database")


def away(place, first, second):
    """Tests that without the database no change is made that it must have."""
    # It must not ask for the queue just when the database dies, and the session that
    # has the lock before its own: what it has asked for by now is over after a command.
    second.process.send_signal(signal.SIGSTOP)
    bots(first, "disable", "bob")
    place.cluster.kill()
    second.process.send_signal(signal.SIGCONT)
    first.wait_for_log("queue-down")
    second.wait_for_log("queue-down")
    tap.complains(bots(first, "token", "eve"), 3, "nothing has changed",
                  "no token without the database")
    # It comes back later than the waiting daemon, which leaves it the queue for 8 s.
    first.process.send_signal(signal.SIGSTOP)
    ups = len(second.log("queue-up"))
    place.cluster.start()
    second.wait_for_log("queue-up", ups + 1)
    # On a busy machine it may need longer.
    second.process.send_signal(signal.SIGSTOP)
    first.process.send_signal(signal.SIGCONT)
    tap.ok(arena.wait_for(lambda: bots(first, "enable", "bob").code == 0),
           "a change when it is back, by the same daemon", second.text())
    second.kill()
    shutil.rmtree(second.data)


def damaged(place, first, tokens):
    """A pack is damaged before its end, and ladder.db is an older one, which lacks
    these games.  The database has them."""
    first.stop()
    base = first.data / "ladders" / LADDER
    older = (base / "ladder.db").read_bytes()
    first.start()
    tap.ok(play(first, tokens, 4, place.verdicts), "more games are played", first.text())
    first.stop()
    want = export(first)
    pack = max((base / "records").glob("*-.tar"))
    with tarfile.open(pack) as tar:
        at = [member.offset for member in tar
              if member.name.endswith(".rec")][-2]
    whole = bytearray(pack.read_bytes())
    whole[at + 5] = 0xff
    pack.write_bytes(whole)
    (base / "ladder.db").write_bytes(older)
    first.start()
    tap.ok(arena.wait_for(lambda: export(first) == want),
           "what a damaged pack lost comes from the database", first.text())
    copy = pack.with_name(pack.name + ".damaged")
    tap.ok(len(first.log("pack-cut")) == 1 and copy.read_bytes() == whole,
           "a copy of the pack is kept", first.text())
    followed.agrees(base / "ladder.db", "a ladder whose pack was damaged")


def follows(place, first, second, tokens):
    """Tests the same for a daemon that follows another one, and takes over all of its
    changes."""
    place.configure(second, "yes")
    (second.data / "house.new").mkdir(parents=True)
    os.chmod(second.data, 0o700)
    second.launch()
    tap.ok(second.wait_for_log("standby-fails"), "no mark can be written",
           second.text())
    second.kill()
    (second.data / "house.new").rmdir()
    # The ladder's file exists without its first transaction.
    shutil.rmtree(second.data / "ladders" / LADDER)
    (second.data / "ladders" / LADDER / "records").mkdir(parents=True)
    done = tap.run(["sqlite3", second.data / "ladders" / LADDER / "ladder.db",
                    "PRAGMA journal_mode = WAL"]) if shutil.which(
                        "sqlite3") else None
    if done is None or done.code != 0:
        (second.data / "ladders" / LADDER / "ladder.db").touch()
    second.launch()
    tap.ok(second.wait_for_log("queue-waits") and place.is_level(second),
           "it follows all the same", (second.text(), place.followers()))
    tap.equal(export(second), export(first), "its ladder is the same")
    tap.equal(export(second, SEASON), export(first, SEASON),
              "and its season, before it has a game")
    tap.equal(export(second).count('"type":"setting"'), 2, "to another K, too")
    followed.agrees(second.data / "ladders" / LADDER / "ladder.db",
                    "a ladder that came from the database")
    tap.equal(roster(second), bots(first, "list").out, "with the same roster")
    tap.complains(bots(second, "token", "eve"), 3,
                  "only waits (another referee has the queue): ask the one",
                  "its folder is not changed by a command")
    tap.ok(play(first, tokens, 4, place.verdicts), "games go on", first.text())
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


def backs_up(place, first):
    """Tests that a copy does not undo a change that is made during it."""
    environ = daemon.preloaded(first.root, "stops", STOPS)
    if tap.skip("a backup that stops", None if environ else "no compiler"):
        return
    to = first.root / "backup"
    process = subprocess.Popen(
        [tap.REFEREE, "backup", to, "--data", first.data], env=environ,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    tap.ok(os.WIFSTOPPED(status), "a backup stops", status)
    tap.ok(list(first.root.glob("backup.*/roster.db")) and
           not list(first.root.glob("backup.*/ladders/*")),
           "when it has the roster and no ladder",
           list(first.root.glob("backup.*/**/*")))
    tap.equal(bots(first, "disable", "bob", "loops").code, 0,
              "a bot is disabled meanwhile")
    process.send_signal(signal.SIGCONT)
    tap.equal(process.wait(), 0, "the copy is made")
    listed = bots(first, "list").out
    tap.equal(first.stop(), 0, "the daemon stops")
    first.data.rename(first.root / "old")
    tap.equal(tap.referee("restore", "--data", first.data, to).code, 0,
              "its folder is made from the copy")
    first.start()
    tap.equal(bots(first, "list").out, listed, "the bot is disabled still")


def goes_back(place, first):
    """Tests the versions of a bot, and that there are no trials with a queue."""
    done = local_bots.add(first, local_bots.folder(first.root, "carol", "2"))
    tap.equal(done.code, 0, "another version of a bot")
    done = bots(first, "back", "carol", "1")
    tap.equal((done.code, done.out), (0, "carol plays again\n"),
              "its author goes back to the first one")
    tap.equal(place.sql("SELECT name FROM referee.bot"), [["carol"]] * 2,
              "the database has both programs")
    token = first.token("carol")
    answer = local_bots.put(first, f"carol/trial?ladder={LADDER}&games=2", b"archive",
                            local_bots.shown("carol", token))
    tap.ok(answer.code == 409 and "has no trials" in answer.text,
           "a daemon with a queue has no trials", answer.text)
    answer = first.get("/bots/carol/trial/entered", "PUT",
                       local_bots.shown("carol", token) + "Content-Length: 0\r\n")
    tap.equal(answer.code, 409, "and none to enter")


def told(serve):
    """Returns what everybody may read of the ladder."""
    return (serve.get(f"/api/1/ladders/{LADDER}").json()["standings"],
            serve.get(f"/api/1/ladders/{LADDER}/games?count=100&format=plain").text)


def freezes(place, first, second, tokens):
    """Freezes the ladder's standings, and plays on; returns what is told of them."""
    tap.ok(arena.wait_for(lambda: games(first) == place.number(
        "SELECT count(*) FROM referee.verdict WHERE position(convert_to("
        "'record 1', 'UTF8') IN record) = 1")), "all games are rated", first.text())
    (date,), = place.sql("SELECT to_char(now() AT TIME ZONE 'UTC' + interval '1 s', "
                         "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
    arena.wait_for(lambda: place.sql(f"SELECT now() > '{date}'") == [["t"]])
    place.term = f"freezes = {date}"
    for serve, standby in ((first, "no"), (second, "yes")):
        place.configure(serve, standby)
    first.reload()
    first.wait_for_log("standings-frozen")
    shown = told(first)
    tap.ok(play(first, tokens, 2, place.verdicts), "games go on", first.text())
    tap.equal(told(first), shown, "frozen standings stay as they are")
    return shown


def thaws(place, second, shown):
    """Tests that the daemon that took over shows the same frozen standings."""
    second.wait_for_log("standings-frozen")
    tap.equal(told(second), shown, "it shows the standings of the freeze")
    place.term = ""
    place.configure(second, "yes")
    second.reload()
    tap.ok(arena.wait_for(lambda: told(second)[1] != shown[1]),
           "and without `freezes` those of now")


def forgets(place, first, second, tokens):
    """Tests a database that loses the last games, a void and changes of the
    roster."""
    place.sql("CREATE TABLE kept AS SELECT * FROM referee.roster_page")
    before = place.sql("SELECT state, size FROM referee.roster")[0]
    count = place.verdicts()
    for i in range(40):
        daemon.request(first.data, "token", f"later{i}")
    tap.equal(bots(first, "enable", "bob").code, 0, "and enabled")
    tap.ok(play(first, tokens, 3, place.verdicts), "games go on", first.text())
    place.forget(
        "DELETE FROM referee.roster_page; INSERT INTO referee.roster_page "
        "SELECT * FROM kept; UPDATE referee.roster SET state = "
        f"{before[0]}, size = {before[1]}; "
        f"DELETE FROM referee.verdict WHERE serial > {count}")
    done = arena.wait_for(lambda: bots(first, "owner", "bob", "ben").code == 0)
    tap.ok(done, "a change is made after that", first.text())
    tap.ok(play(first, tokens, 5, place.verdicts), "and games", first.text())
    serials = [int(row[0]) for row in place.sql(
        "SELECT serial FROM referee.verdict ORDER BY serial")]
    tap.equal(serials, list(range(1, len(serials) + 1)), "serials have no hole")
    second.launch()
    tap.ok(arena.wait_for(lambda: roster(second) == bots(first, "list").out),
           "another daemon gets the whole roster",
           (roster(second), second.text()))
    tap.ok(arena.wait_for(lambda: export(second) == export(first)),
           "and the ladder", second.text())


def differs(place, first, second, tokens):
    """Tests that a folder with a game that the database lacks is not mixed with
    others."""
    turn = ("UPDATE referee.verdict SET game = reverse(game) WHERE serial <= "
            f"{place.verdicts()}")
    place.sql(turn)
    tap.ok(second.wait_for_log("standby-fails") and
           "its games are not those" in second.text(),
           "a daemon that follows one says so", second.text())
    place.sql(turn)
    second.kill()
    tap.ok(play(first, tokens, 2, place.verdicts), "games are played", first.text())
    turn = turn[:turn.rindex(" ")] + f" {place.verdicts()}"
    place.sql(turn)
    second.launch()
    tap.ok(second.wait_for_log("standby-fails") and
           "its games are not those" in second.text(),
           "a daemon that has another game says so", second.text())
    second.kill()
    place.sql(turn)


def takes_over(place, first, second, tokens):
    """Tests the loss of the first daemon's machine, while standings are frozen."""
    shown = freezes(place, first, second, tokens)
    second.launch()
    tap.ok(place.is_level(second), "the second one is level",
           (second.text(), place.followers()))
    # One that was killed counts for another minute.
    place.sql("DELETE FROM referee.follower WHERE follower NOT LIKE "
              f"'%process {second.process.pid}'")
    # It asks the database every five seconds.
    tap.ok(arena.wait_for(
        lambda: first.metric("referee_queue_followers") == 1 and
        first.metric("referee_queue_followers_behind") == 0),
           "the first one's metrics say so", first.get("/metrics").text)
    second.process.send_signal(signal.SIGHUP)
    before = export(first)
    first.kill()
    shutil.rmtree(first.data)
    tap.ok(second.wait_for_log("listening", 2), "the second one takes over",
           second.text())
    tap.equal(export(second), before, "its ladder is that of the first one")
    tap.ok(second.wait_for_log("configuration-read"),
           "it reads its configuration, as it was told to while it waited",
           second.text())
    thaws(place, second, shown)
    tap.ok("plays as carol," in bots(second, "list").out,
           "a bot whose author went back plays its earlier version")
    tap.complains(bots(second, "back", "carol", "2"), 2, "send it in again",
                  "the programs of other versions were lost with the machine")
    tap.ok(play(second, tokens, 3, place.verdicts), "tokens of the first one work",
           second.text())
    tap.ok(play(second, {"dave": tokens["dave"]}, 2,
                lambda: place.verdicts("carol")),
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
                place.verdicts), "and the second one's token", first.text())
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


def keeps(place, first):
    """Tests the roster of a folder that was used without a queue, as the manual
    says."""
    (first.data / "house").unlink()
    tap.equal(bots(first, "token", "eve").code, 0, "a change without a queue")
    first.launch()
    tap.equal(first.wait(), 3, "a roster that is no copy is not written over")
    tap.ok("has a roster of its own" in first.text(), "but told", first.text())
    text = (pathlib.Path(__file__).parents[2] / "doc" /
            "MANY-MACHINES.md").read_text("utf-8")
    place.sql(re.search(r"^(DELETE FROM referee.roster_page;.*?)^```", text,
                        re.M | re.S)[1])
    first.start()
    tap.equal((place.state(), "eve " in bots(first, "list").out), (1, True),
              "the folder's own comes in its place")


def copies_before_its_name(place, serve):
    """Tests that the database knows a ladder only once it has its games: a ladder
    whose file is lost before that is made again from the packs."""
    place.sql("ALTER FUNCTION referee.add_verdicts RENAME TO add_none")
    serve.launch()
    tap.ok(serve.wait() != 0 and "cannot bring all" in serve.text(),
           "a daemon ends that cannot send the games it has", serve.text())
    place.sql("ALTER FUNCTION referee.add_none RENAME TO add_verdicts")
    (serve.data / "ladders" / LADDER / "ladder.db").unlink()


def comes_with_all(cluster, serve, second):
    """Tests a ladder from before the queue: its games with their asks and its
    voids, by a daemon and by a command, are copied to the database and from
    there to others."""
    place = Place(cluster, serve.root, "before")
    tokens = {name: serve.token(name) for name in ("alice", "bob")}

    def over():
        return len(serve.log("game-over"))

    place.configure(serve, None)
    serve.start()
    tap.ok(play(serve, tokens, 3, over),
           "games without a queue", serve.text())

    def void(which):
        game = json.loads(next(line for line in reversed(
            export(serve).splitlines()) if f'"serial":{which},' in line))["id"]
        done = serve.ladder("void", LADDER, game, "--why", "a test")
        tap.equal(done.code, 0, f"game {which} does not count any longer")

    void(2)
    tap.ok(play(serve, tokens, 1, over), "and one more")
    tap.equal(serve.stop(), 0, "its daemon stops")
    void(3)
    ours = export(serve)
    place.configure(serve, "no")
    copies_before_its_name(place, serve)
    serve.start()
    tap.equal(export(serve), ours, "with a queue it is the same ladder")
    rows = place.sql("SELECT serial, asks IS NULL, position('void 1\n' IN "
                     "convert_from(record, 'UTF8')) FROM referee.verdict "
                     "ORDER BY serial")
    tap.equal([int(row[0]) for row in rows], list(range(1, len(rows) + 1)),
              "the database has it, without a hole")
    tap.equal([row[1:] for row in rows], [
        ["t", "1"] if row[2] == "1" else ["f", "0"] for row in rows],
        "each game with its asks")
    tap.equal((len(rows), sum(row[2] == "1" for row in rows)),
              (games(serve) + 2, 2), "and both voids")
    place.configure(second, "yes")
    second.launch()
    tap.ok(arena.wait_for(lambda: (second.data / "house").exists() and
                          export(second) == ours),
           "a daemon that follows has it, too", second.text())


def main():
    with postgres.Cluster() as cluster:
        with daemon.Daemon("") as first, daemon.Daemon("") as second:
            place = Place(cluster, first.root)
            tokens = begins(place, first)
            follows(place, first, second, tokens)
            slow(place, first)
            away(place, first, second)
            damaged(place, first, tokens)
            backs_up(place, first)
            goes_back(place, first)
            forgets(place, first, second, tokens)
            differs(place, first, second, tokens)
            takes_over(place, first, second, tokens)
            comes_back(place, first, second, tokens)
            older(place, first)
            keeps(place, first)
        with daemon.Daemon("") as first, daemon.Daemon("") as second:
            comes_with_all(cluster, first, second)
    tap.done()


main()
