#!/usr/bin/env python3
"""Tests a season, which begins with half of another ladder's ratings.  Its
founding says so, so it can be made again from its log; a kill leaves all or
nothing of it."""

import hashlib
import json
import os
import shutil
import signal

import arena
import big_ladder
import daemon
import followed
import tap

KILLS, CROWD = (60, 20000) if os.environ.get("CHECK_ALL") == "1" else (5, 5000)
BOTS = arena.bots("random", ("second", "random"), "house")
SETUP = ["toepen", "-o", "points=1", "--seats", 2, "--sandbox", "off"]


def ladder(place, what, file, *arguments):
    return tap.referee("ladder", what, "--ladder", file, *arguments,
                       cwd=place.root)


def exported(place, file, kind):
    lines = map(json.loads, ladder(place, "export", file).out.splitlines())
    return [line for line in lines if line["type"] == kind]


def halved(milli, start=1500000):
    """Returns half of the distance, rounded towards the start."""
    sign = 1 if milli >= start else -1
    return start + sign * (abs(milli - start) // 2)


def pool(line):
    return tuple(line[key] for key in ("game", "options", "seats", "open"))


def play(place, file, *arguments):
    run = tap.referee("match", *map(str, SETUP), "--ladder", file,
                      *map(str, arguments), cwd=place.root)
    tap.equal(run.code, 0, f"a match on {file}")


def state(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def begins(place):
    play(place, "old.db", *BOTS, "--games", 40, "--seed", "a")
    play(place, "old.db", *BOTS[:6], "--games", 10, "--seed", "b", "--open",
         "arrival")
    before = ladder(place, "export", "old.db").out, \
        state(place.root / "old.db")
    made = ladder(place, "new", "new.db", "--from", "old.db", "--season",
                  "spring")
    tap.equal(made.code, 0, "a season is made")
    tap.equal((ladder(place, "export", "old.db").out,
               state(place.root / "old.db")), before,
              "the ladder before it stays as it is")
    old = {(pool(line), line["bot"]): line["live_elo_milli"]
           for line in exported(place, "old.db", "rating")}
    new = {(pool(line), line["bot"]): line["live_elo_milli"]
           for line in exported(place, "new.db", "entry")}
    tap.equal(new, {key: halved(milli) for key, milli in old.items()},
              "each bot enters each pool with half of its way")
    tap.ok(len(new) == 5 and len(set(new.values())) > 2, "which differ", new)
    first = exported(place, "new.db", "ladder")[0]
    tap.equal((first["season"], first["after"]),
              ("spring", exported(place, "old.db", "ladder")[0]["id"]),
              "it knows its name and what was before it")
    tap.ok("season spring, after ladder " + first["after"] in
           ladder(place, "show", "new.db").out, "which `show` tells")
    return {bot: milli for (where, bot), milli in new.items()
            if where[3] == "priority"}


def other_options(place):
    """Tests a daemon that plays the season with other options: no bot keeps its
    rating."""
    with daemon.Daemon({"spring": 'game = toepen seats = 2 options = { "points=1" }'}) \
            as serve:
        (serve.data / "ladders" / "spring").mkdir(0o700, parents=True)
        run = ladder(place, "new", serve.data / "ladders/spring/ladder.db",
                     "--from", "old.db", "--season", "spring")
        tap.equal(run.code, 0, "a season for a daemon")
        check = ["serve", "--check", "--config", serve.file]
        run = tap.referee(*check)
        tap.equal((run.code, run.out, run.err), (0, "ok\n", ""),
                  "with the options of the ladder before it")
        serve.start()
        other = {"spring": 'game = toepen seats = 2 options = { "points=2" }'}
        serve.stop()
        tap.equal(serve.log("season-apart"), [], "the daemon is content")
        serve.configure(other)
        run = tap.referee(*check)
        tap.ok(run.code == 0 and run.out == "ok\n" and run.err.startswith(
            "referee: ladder spring is the season spring, but its game, seats, "
            "options or open are not those"), "with others --check tells", run)
        serve.start()
        tap.ok(serve.wait_for_log("season-apart"), "and the log does",
               serve.text())
        serve.stop()


def is_played(place, entries):
    play(place, "new.db", *BOTS, *arena.bots(("newcomer", "house")), "--games",
         40, "--seed", "c")
    records = place.records(place.root / "new.db.records")
    tap.equal({bot for record in records for bot in record.bots()},
              {*entries, "newcomer"}, "all of them play")
    for bot, milli in {**entries, "newcomer": 1500000}.items():
        first = json.loads(ladder(place, "history", "new.db", bot, "--json")
                           .out.splitlines()[0])
        tap.equal(first["before_milli"], milli, f"with which {bot} begins")
    tap.equal(tap.referee("verify", place.root / "new.db.records").code, 0,
              "the records verify")
    season = exported(place, "new.db", "ladder")[0]
    for how in ([], ["--order", "live"], ["--versions", "house"]):
        row = json.loads(ladder(place, "show", "new.db", "--json", *how)
                         .out.splitlines()[0])
        tap.equal({key: row.get(key) for key in ("season", "after")},
                  {"season": "spring", "after": season["after"]},
                  f"JSON of `show` {how} names the season")
    check = tap.SOURCE_DIR / "tests" / "independent" / "check-record.py"
    tap.equal(tap.run(["python3", "-B", check, *(one.path for one in records)])
              .code, 0, "also by the other program")


def is_made_again(place):
    fold = ladder(place, "rebuild", "new.db")
    tap.ok(fold.code == 0 and "nothing differs" in fold.out,
           "a rebuild comes to the same", fold)
    before = ladder(place, "export", "new.db").out
    (place.root / "new.db").rename(place.root / "away.db")
    fold = ladder(place, "rebuild", "new.db")
    tap.equal((fold.code, ladder(place, "export", "new.db").out), (0, before),
              "also from its founding and records alone")
    (place.root / "new.db").unlink()
    (place.root / "away.db").rename(place.root / "new.db")


def is_voided(place, entries):
    """Tests a voided first game: the next one that counts enters the bot."""
    history = [json.loads(line) for line in ladder(
        place, "history", "new.db", "house", "--json").out.splitlines()]
    for game in history[:2]:
        tap.equal(ladder(place, "void", "new.db", game["id"], "--why", "x")
                  .code, 0, "a game is voided")
    third = [json.loads(line) for line in ladder(
        place, "history", "new.db", "house", "--json").out.splitlines()][2]
    tap.equal(third["before_milli"], entries["house"],
              "whose first games are voided enters with the same")
    tap.ok("nothing differs" in ladder(place, "rebuild", "new.db").out,
           "and so says a rebuild")
    followed.agrees(place.root / "new.db", "a season with voids")


def another(place):
    """Tests that K and the start rating are those of the ladder before, or as
    given."""
    made = ladder(place, "new", "k.db", "--k", 40, "--start", 1000)
    tap.equal(made.code, 0, "a ladder with another start")
    ladder(place, "new", "k2.db", "--from", "k.db", "--season", "x")
    setting = exported(place, "k2.db", "setting")
    tap.equal([(one["k_milli"], one["start_milli"]) for one in setting],
              [(40000, 1000000)], "its season has its settings")
    ladder(place, "new", "low.db", "--from", "old.db", "--season", "x",
           "--start", 1000, "--k", 8)
    old = exported(place, "old.db", "rating")
    tap.equal(sorted(one["live_elo_milli"] for one in
                     exported(place, "low.db", "entry")),
              sorted(halved(one["live_elo_milli"], 1000000) for one in old),
              "or goes half of the way to another start")


def refused(place):
    before = sorted(path.name for path in place.root.iterdir())
    for arguments, sentence in (
            (["no.db", "--from", "old.db"],
             "--from and --season go together"),
            (["no.db", "--season", "x"], "--from and --season go together"),
            (["no.db", "--from", "old.db", "--season", "a b"],
             "--season must have the form of a bot's name, not 'a b'"),
            (["no.db", "--from", "gone.db", "--season", "x"], "gone.db"),
            (["no.db", "--from", "k.db.lock", "--season", "x"],
             "k.db.lock"),
            (["new.db", "--from", "old.db", "--season", "x"],
             "new.db is there already"),
            (["old.db", "--from", "old.db", "--season", "x"],
             "old.db is there already")):
        tap.complains(ladder(place, "new", *arguments), 2, sentence,
                      " ".join(arguments))
    tap.equal(sorted(path.name for path in place.root.iterdir()
                     if path.name != "k.db.lock"),
              [name for name in before if name != "k.db.lock"],
              "nothing is made")


def size_of(path):
    try:
        return path.stat().st_size
    except OSError:  # it is gone by now
        return 0


def killed(place):
    big_ladder.fill(place.root / "big.db", 10, bots=CROWD)
    arguments = ["ladder", "new", "--ladder", "cut.db", "--from", "big.db",
                 "--season", "x"]
    tap.equal(tap.referee(*arguments[:2], "--ladder", "whole.db",
                          *arguments[4:], cwd=place.root).code, 0, "a season "
              f"of {CROWD} bots")
    size, dice = (place.root / "whole.db").stat().st_size, tap.dice("kills")
    parts = none = whole = 0
    for _ in range(KILLS):
        # The kill comes when this much is written.
        goal = dice.uniform(0, 1.2) * size
        process = place.popen(arguments)
        arena.wait_for(lambda: process.poll() is not None or sum(
            map(size_of, place.root.glob("*cut.db*"))) >= goal)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        run = ladder(place, "show", "cut.db")
        if run.code == 0:
            count = len(exported(place, "cut.db", "entry"))
            whole += count == CROWD
            parts += count != CROWD
            shutil.rmtree(place.root / "cut.db.records", ignore_errors=True)
            for path in place.root.glob("cut.db*"):
                path.unlink()
        else:
            none += 1
    tap.note(f"{none} kills left none of it, {whole} all of it")
    tap.equal(parts, 0, "a kill leaves none or all of it")
    run = ladder(place, "new", "cut.db", *arguments[4:])
    tap.ok(run.code == 0 or "is there already" in run.err,
           "and it can be made then", run)
    tap.equal(len(exported(place, "cut.db", "entry")), CROWD, "as a whole")


with arena.Arena() as place_:
    entries_ = begins(place_)
    other_options(place_)
    is_played(place_, entries_)
    is_made_again(place_)
    is_voided(place_, entries_)
    another(place_)
    refused(place_)
    killed(place_)
tap.done()
