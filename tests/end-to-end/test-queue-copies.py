#!/usr/bin/env python3
"""Tests that the data folder and the queue's database stay copies of each
other.  An interrupted copy goes on at the next start; a backup never brings
back an older roster; and a database that has lost commits, as after a failover
without `synchronous_mode`, gets them again."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile

import arena
import daemon
import followed
import postgres
import tap

if postgres.missing():
    tap.skip_all(postgres.missing())
LADDER = "toepen"
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
             f"standby = {standby}\n") +
            f'ladder "{LADDER}" {{ game = toepen seats = 2 at-once = 2 '
            f"spectators-delay = 0 k = {self.k} }}\n"
            "limits { stop-time = 100 unauthenticated = 1000 "
            "connections-per-address = 1000 }\n" + daemon.LISTENERS)

    def sql(self, text):
        return self.cluster.sql(text, dbname=self.name)

    def number(self, text):
        return int(self.sql(text)[0][0])

    def verdicts(self):
        return self.number("SELECT count(*) FROM referee.verdict")

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
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "ladders").mkdir(0o700)
        for name in "roster.db", "roster.key":
            shutil.copy(serve.data / name, folder)
        return tap.referee("bots", "list", "--data", folder).out


def export(serve):
    return serve.ladder("export", LADDER).out


def games(serve):
    return export(serve).count('"type":"game"')


def play(serve, tokens, more, place, has=None):
    has = has or place.verdicts
    want = has() + more
    guests = [serve.guest(name, token) for name, token in tokens.items()]
    for guest in guests:
        guest.say(f"sit {LADDER}")
    for guest in guests:
        daemon.threading.Thread(target=guest.play_on, daemon=True).start()
    done = arena.wait_for(lambda: has() >= want)
    for guest in guests:
        guest.socket.shutdown(daemon.socket.SHUT_RDWR)
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
    guests = [first.guest(name, token) for name, token in tokens.items()]
    for guest in guests:
        guest.say(f"sit {LADDER}")
    daemon.threading.Thread(target=guests[0].play_on, daemon=True).start()
    told = [guests[1].play() for _ in range(2)]
    tap.ok(all(line is not None and line.startswith("over") for line in told),
           "bots hear of games that the disk here does not take",
           (told, first.text()))
    tap.ok(place.verdicts() >= 2, "the database has them")
    tap.equal(games(first), 0, "and the ladder has not")
    for guest in guests:
        guest.socket.shutdown(daemon.socket.SHUT_RDWR)
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
    tap.ok(play(first, tokens, 4, place), "games are played", first.text())
    # A changed K is an entry of the log like a game.
    first.stop()
    place.k = 40
    place.configure(first, "no")
    first.start()
    tap.ok(play(first, tokens, 2, place), "games with another K", first.text())
    return tokens


def damaged(place, first, tokens):
    """A pack is damaged before its end, and ladder.db is an older one, which lacks
    these games.  The database has them."""
    first.stop()
    base = first.data / "ladders" / LADDER
    older = (base / "ladder.db").read_bytes()
    first.start()
    tap.ok(play(first, tokens, 4, place), "more games are played", first.text())
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


def follows(place, first, second):
    """Tests the same for a daemon that follows another one."""
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
    tap.ok(arena.wait_for(lambda: (second.data / "house").exists() and
                          export(second) == export(first)),
           "it follows all the same", second.text())
    tap.equal(export(second).count('"type":"setting"'), 2, "to another K, too")
    followed.agrees(second.data / "ladders" / LADDER / "ladder.db",
                    "a ladder that came from the database")
    tap.equal(roster(second), bots(first, "list").out, "with the same roster")
    second.kill()
    shutil.rmtree(second.data)


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


def forgets(place, first, second, tokens):
    """Tests a database that loses the last games, a void and changes of the
    roster."""
    place.sql("CREATE TABLE kept AS SELECT * FROM referee.roster_page")
    before = place.sql("SELECT state, size FROM referee.roster")[0]
    count = place.verdicts()
    for i in range(40):
        first.token(f"later{i}")
    tap.equal(bots(first, "enable", "bob").code, 0, "and enabled")
    tap.ok(play(first, tokens, 3, place), "games go on", first.text())
    place.forget(
        "DELETE FROM referee.roster_page; INSERT INTO referee.roster_page "
        "SELECT * FROM kept; UPDATE referee.roster SET state = "
        f"{before[0]}, size = {before[1]}; "
        f"DELETE FROM referee.verdict WHERE serial > {count}")
    done = arena.wait_for(lambda: bots(first, "owner", "bob", "ben").code == 0)
    tap.ok(done, "a change is made after that", first.text())
    tap.ok(play(first, tokens, 5, place), "and games", first.text())
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
    tap.ok(play(first, tokens, 2, place), "games are played", first.text())
    turn = turn[:turn.rindex(" ")] + f" {place.verdicts()}"
    place.sql(turn)
    second.launch()
    tap.ok(second.wait_for_log("standby-fails") and
           "its games are not those" in second.text(),
           "a daemon that has another game says so", second.text())
    second.kill()
    place.sql(turn)


def keeps(place, first):
    """Tests the roster of a folder that was used without a queue, as the manual
    says."""
    tap.equal(first.stop(), 0, "the daemon stops")
    done = first.ladder("rebuild", LADDER)
    tap.ok(done.code == 0 and "nothing differs" in done.out,
           "its records come to the same ladder", done)
    (first.data / "house").unlink()
    tap.equal(bots(first, "token", "eve").code, 0, "a change without a queue")
    first.launch()
    tap.equal(first.wait(), 3, "the database has another roster")
    text = (pathlib.Path(__file__).parents[2] / "doc" /
            "MANY-MACHINES.md").read_text("utf-8")
    place.sql(re.search(r"^(DELETE FROM referee.roster_page;.*?)^```", text,
                        re.M | re.S)[1])
    first.start()
    tap.equal((place.state(), "eve " in bots(first, "list").out), (1, True),
              "the folder's own comes in its place")


def comes_with_all(cluster, serve, second):
    """Tests a ladder from before the queue: its games with their asks and its
    voids, by a daemon and by a command, are copied to the database and from
    there to others."""
    place = Place(cluster, serve.root, "before")
    tokens = {name: serve.token(name) for name in ("alice", "bob")}
    place.configure(serve, None)
    serve.start()
    tap.ok(play(serve, tokens, 3, place, lambda: games(serve)),
           "games without a queue", serve.text())

    def void(which):
        game = json.loads(next(line for line in reversed(
            export(serve).splitlines()) if f'"serial":{which},' in line))["id"]
        done = serve.ladder("void", LADDER, game, "--why", "a test")
        tap.equal(done.code, 0, f"game {which} does not count any longer")

    void(2)
    tap.ok(play(serve, tokens, 1, place, lambda: games(serve)), "and one more")
    tap.equal(serve.stop(), 0, "its daemon stops")
    void(3)
    ours = export(serve)
    place.configure(serve, "no")
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
    with postgres.shared() as cluster, daemon.Daemon("") as first, \
            daemon.Daemon("") as second:
        place = Place(cluster, first.root)
        tokens = begins(place, first)
        follows(place, first, second)
        damaged(place, first, tokens)
        backs_up(place, first)
        forgets(place, first, second, tokens)
        differs(place, first, second, tokens)
        keeps(place, first)
    with postgres.shared() as cluster, daemon.Daemon("") as first, \
            daemon.Daemon("") as second:
        comes_with_all(cluster, first, second)
    tap.done()


main()
