#!/usr/bin/env python3
"""Tests `referee ladder rebuild` of a ladder that a daemon plays: the daemon
does it, its games go on, and nothing is lost if something is killed.  End-to-end
because two processes take part, and either may be killed."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import threading
import urllib.request

import arena
import daemon
import tap

SETUP = 'game = toepen seats = 2 options = { "points=1" } at-once = 4 ' \
    'move-time = 3600000'
KILLS = 12 if os.environ.get("CHECK_ALL") else 2
NAMES = ("alice", "bob")


def together(guests, what):
    threads = [threading.Thread(target=what, args=(guest,))
               for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(tap.TIMEOUT_S)


# A rebuild waits as long as the test holds the ladder's file, not 5 s.
PATIENT = """
#define _GNU_SOURCE
#include <dlfcn.h>
int sqlite3_busy_timeout(void *base, int ms)
{
	int (*next)(void *, int) = dlsym(RTLD_NEXT, "sqlite3_busy_timeout");
	(void)ms;
	return next(base, 900000);
}
"""


class Place(daemon.Daemon):
    def __init__(self):
        super().__init__({"quick": SETUP, "other": SETUP})
        self.environ = daemon.preloaded(self.root, "patient", PATIENT)
        self.tokens = {name: self.token(name) for name in NAMES}
        self.guests = []

    @property
    def base(self):
        return self.data / "ladders" / "quick" / "ladder.db"

    def come(self):
        """Connects both bots and lets them sit down."""
        self.guests = [self.guest(name, self.tokens[name]) for name in NAMES]
        for guest in self.guests:
            guest.say("sit quick")

    def play(self, games):
        together(self.guests, lambda guest: [guest.play()
                                             for _ in range(games)])

    def leave(self):
        """Lets the bots leave when the running game is over."""
        def quit_(guest):
            guest.say("quit")
            while guest.play():
                pass
            guest.close()
        together(self.guests, quit_)

    def rebuild(self, *arguments, file=None):
        return tap.referee("ladder", "rebuild", "--ladder", file or self.base,
                           *arguments)

    def ask(self):
        """Starts a rebuild, which is under way when this returns."""
        count = len(self.log("request"))
        client = subprocess.Popen(
            [tap.REFEREE, "ladder", "rebuild", "--ladder", self.base],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="ascii")
        self.wait_for_log("request", count + 1)
        return client

    def export(self):
        return tap.referee("ladder", "export", "--ladder", self.base).out

    def live_elo_milli(self, name):
        self.wait_for_log("listening", 2 + self.tls)
        port = re.search(r" listener=pages .*port=(\d+)",
                         "\n".join(self.log("listening"))).group(1)
        with urllib.request.urlopen(
                f"http://127.0.0.1:{port}/api/1/bots/{name}",
                timeout=arena.PATIENCE_S) as page:
            return json.load(page)["ladders"][0]["live_elo_milli"]

    @contextlib.contextmanager
    def held(self):
        """Locks the ladder's file, so that the writer has to wait."""
        base = sqlite3.connect(self.base, isolation_level=None,
                               timeout=arena.PATIENCE_S)
        base.execute("BEGIN IMMEDIATE")
        try:
            yield base
        finally:
            if base.in_transaction:
                base.execute("ROLLBACK")
            base.close()

    def spoil(self):
        """Changes ratings, so that they do not follow from the records."""
        with self.held() as base:
            base.execute("UPDATE rating SET milli = milli + 7000")
            base.execute("UPDATE seat SET before_milli = before_milli + 7000 "
                         "WHERE serial = 2")
            base.execute("COMMIT")


def result(client):
    out, err = client.communicate(timeout=tap.TIMEOUT_S)
    return tap.Run(client.returncode, out, err)


def says_the_same(place):
    """Tests that the daemon says the same about damaged files as the command
    says about a copy."""
    copy = place.root / "copy"

    def both(what, *arguments):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(place.base.parent, copy)
        there = place.rebuild(*arguments)
        here = place.rebuild(*arguments, file=copy / "ladder.db")
        tap.ok(there.code == here.code and there.out == here.out
               and there.err == here.err.replace(str(copy),
                                                 str(place.base.parent)),
               f"the daemon says what the files say: {what}", (there, here))
        return there
    before = place.export()
    plain = both("nothing differs")
    tap.ok(plain.code == 0 and plain.out.endswith("; nothing differs\n"),
           "and nothing does", plain)
    tap.equal(place.export(), before, "ratings stay as they were")
    place.spoil()
    other = both("ratings that are other")
    tap.ok(other.code == 0 and "numbers are different" in other.out,
           "they are mended", other)
    tap.equal(place.export(), before, "and are as they were")
    record = place.records("quick")[0]
    whole = record.read_bytes()
    record.write_bytes(whole.replace(b"\nmove 0 ", b"\nmove 1 ", 1))
    tap.equal(both("a record that does not hold").code, 1,
              "which is exit code 1")
    record.unlink()
    (place.root / record.name).write_bytes(whole)
    os.chdir(place.root)
    moved = place.rebuild("--records", ".")
    tap.ok(moved.code == 0 and "nothing differs" in moved.out,
           "a folder by its relative name", moved)
    (place.root / record.name).unlink()
    record.write_bytes(whole)
    tap.equal(place.export(), before, "and nothing has changed of it all")


def finds_the_ladder(place):
    by_name = tap.referee("ladder", "rebuild", "--data", place.data,
                          "--ladder", "quick")
    tap.equal(by_name.code, 0, "by the folder and the ladder's name")
    link = place.root / "link.db"
    link.symlink_to(place.base)
    tap.equal(place.rebuild(file=link).code, 0, "by a link")
    os.chdir(place.base.parent)
    tap.equal(tap.referee("ladder", "rebuild").code, 0, "by no name at all")
    done = tap.referee("ladder", "games", "--data", place.data, "-l", "quick")
    tap.ok(done.code == 0 and "alice" in done.out, "games: by name", done)
    for words in (("show",), ("rebuild",), ("void", "--why", "x", "12345678")):
        done = tap.referee("ladder", *words, "--data", place.data, "-l", "quik")
        tap.complains(done, 2, "there is no ladder quik; there ",
                      f"{words[0]}: the ladders that there are")
        tap.complains(done, 2, "did you mean quick?", "and what was meant")
    done = tap.referee("ladder", "show", "--data", place.root, "-l", "quick")
    tap.complains(done, 2, f"{place.root} is not a daemon's data folder",
                  "a folder that has no ladders")
    (place.data / "ladders" / "new").mkdir()
    for name, code in (("new", 3), ("..", 2)):
        done = tap.referee("ladder", "rebuild", "--data", place.data,
                           "--ladder", name)
        tap.complains(done, code, "", f"there is no ladder {name!r}")
    tap.complains(tap.referee("ladder", "rebuild", "--data", place.data), 2,
                  "--ladder NAME; there ", "a folder alone is not enough")
    tap.complains(tap.referee("ladder", "new", "--data", place.data,
                              "--ladder", "quick"), 2, "is there already",
                  "none is made in place of it")
    tap.complains(tap.referee("ladder", "new", "--data", place.data,
                              "--ladder", "new"), 3,
                  f"process {place.process.pid}",
                  "nor any other beside the daemon")


def plays_on(place):
    """Tests that a game can end while the ladder is rebuilt, and counts
    afterwards."""
    games = place.export().count('"type":"game"')
    with place.held():
        client = place.ask()
        again = place.rebuild()
        tap.complains(again, 3, "already", "one rebuild at a time")
        lines = [[], []]

        def one(i):
            while (line := place.guests[i].hear()) is not None:
                lines[i].append(line.split(" ")[0])
                if line.startswith("ask "):
                    words = line.split(" ")
                    place.guests[i].say(f"do {words[1]} {words[3]}")
                if line.startswith("over "):
                    break
        threads = [threading.Thread(target=one, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        arena.wait_for(lambda: all(seen.count("result") == 2
                                   for seen in lines))
        tap.ok(all(seen.count("result") == 2 for seen in lines),
               "a game goes on to its end", lines)
        tap.ok(client.poll() is None and not any("over" in seen
                                                 for seen in lines),
               "its result waits for the rebuild", lines)
    for thread in threads:
        thread.join(tap.TIMEOUT_S)
    tap.ok(all(seen[-1] == "over" for seen in lines), "then it is over", lines)
    done = result(client)
    tap.ok(done.code == 0 and f"{games} games" in done.out,
           "the rebuild has all that were there", done)
    arena.wait_for(lambda: place.export().count('"type":"game"') > games)
    tap.ok(place.export().count('"type":"game"') > games, "and it counts")


def outlives_its_client(place):
    count = len(place.log("ladder-rebuilt"))
    before = place.export()
    with place.held():
        client = place.ask()
        client.kill()
        result(client)
    tap.ok(place.wait_for_log("ladder-rebuilt", count + 1),
           "a client that is killed: the rebuild goes on")
    tap.equal(place.export(), before, "and does what it does")
    tap.equal(place.rebuild().code, 0, "the next one may ask")


def pairs_by_what_came_out(place):
    place.leave()
    right = place.live_elo_milli("alice")
    place.term()
    place.wait()
    place.spoil()
    place.start()
    tap.equal(place.live_elo_milli("alice"), right + 7000, "a daemon that finds nonsense")
    place.rebuild()
    tap.equal(place.live_elo_milli("alice"), right, "knows better after a rebuild")


def is_killed(place, held):
    """Tests a daemon that is killed in the middle."""
    before = place.export()
    if held:
        with place.held():
            client = place.ask()
            place.kill()
    else:
        client = place.ask()
        place.kill()
    done = result(client)
    if held:
        tap.complains(done, 3, "ended without an answer",
                      "a daemon that is killed: its client tells")
        tap.equal(place.export(), before, "its ladder is as it was")
        alone = place.rebuild()
        tap.ok(alone.code == 0 and "nothing differs" in alone.out,
               "with no daemon it is rebuilt here", alone)
    elif place.export() != before:
        tap.ok(False, "killed in the middle", done)
    place.start()


def is_stopped(place):
    before = place.export()
    with place.held():
        client = place.ask()
        place.term()
        place.wait_for_log("stopping")
        tap.ok(place.process.poll() is None, "a daemon waits for its rebuild")
        place.term()
        for _ in range(2):  # by the second answer it has seen the signal
            tap.referee("bots", "list", "--data", place.data)
    done = result(client)
    tap.complains(done, 3, "nothing is rebuilt", "but not longer than it may")
    tap.equal(place.wait(), 0, "it ends well")
    tap.equal(place.export(), before, "and nothing has changed")


with Place() as home:
    home.start()
    home.come()
    home.play(4)
    home.leave()
    says_the_same(home)
    finds_the_ladder(home)
    home.come()
    plays_on(home)
    outlives_its_client(home)
    pairs_by_what_came_out(home)
    is_killed(home, True)
    for _ in range(KILLS):
        is_killed(home, False)
    tap.ok(home.rebuild().out.endswith("; nothing differs\n"),
           "after some kills nothing differs")
    is_stopped(home)
tap.done()
