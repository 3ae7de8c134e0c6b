#!/usr/bin/env python3
"""Tests how a ladder's owner is told that the file, records or room on the disk
are lost."""

import contextlib
import json
import re
import sqlite3
import tarfile
import tempfile

import arena
import daemon
import machine
import tap

TWO = arena.bots("random", "house")
SETUP = 'game = toepen seats = 2 options = { "points=1" } at-once = 2'
REBUILD = "referee ladder rebuild"
HOLE = "of its log is missing; restore it, or go on without it by"


def ladder(place, *arguments):
    return tap.referee("ladder", *arguments, cwd=place.root)


def match(place, file, *arguments):
    return tap.referee("match", "toepen", *TWO, "-o", "points=1", "--games", 6,
                       "--ladder", file, *arguments, cwd=place.root)


def export(place, file):
    return list(map(json.loads, ladder(
        place, "export", "--ladder", file).out.splitlines()))


def lose(file, what):
    if what == "empty":
        file.write_bytes(b"")
    else:
        file.unlink()


# ---- the file is gone, or empty

with arena.Arena() as place:
    file = place.root / "c.db"
    ladder(place, "new", "--ladder", "c.db", "--k", "12.5")
    tap.equal(match(place, "c.db").code, 0, "a match on a ladder")
    for what in ("empty", "gone"):
        before = export(place, "c.db")
        lose(file, what)
        for words in (["show"], ["games"], ["export"], ["history", "random"]):
            run = ladder(place, *words, "--ladder", "c.db")
            tap.complains(run, 2, REBUILD, f"{what}: ladder {words[0]}")
        run = ladder(place, "new", "--ladder", "c.db")
        tap.complains(run, 2, "c.db.records is the folder of another ladder's records",
                      f"{what}: ladder new")
        tap.equal(ladder(place, "rebuild", "--ladder", "c.db").code, 0,
                  f"{what}: ladder rebuild restores it")
        tap.equal(export(place, "c.db"), before, f"{what}: as it was")
        lose(file, what)
        run = match(place, "c.db")
        now = export(place, "c.db")
        old = [line for line in before if line["type"] != "rating"]
        tap.ok(run.code == 0 and len(now) == len(before) + 6 and
               [line for line in now if line["type"] != "rating"][:len(old)] == old,
               f"{what}: a match restores it, and goes on", (run, now))
        run = ladder(place, "rebuild", "--ladder", "c.db")
        tap.ok("nothing differs" in run.out, f"{what}: with the right ratings", run)
    tap.complains(match(place, "d.db", "--records", "c.db.records"), 2,
                  REBUILD, "another ladder takes another folder")
    tap.ok(not (place.root / "d.db").exists(), "and is not made")

# ---- records are gone

with arena.Arena() as place:
    match(place, "c.db")
    records = sorted((place.root / "c.db.records").glob("*.rec"))
    records[2].unlink()
    run = match(place, "c.db")
    tap.ok(run.code == 0 and "misses 1 record;" in run.err and REBUILD in run.err,
           "a match tells of one that is gone", run)
    (place.root / "c.db").unlink()
    run = match(place, "c.db")
    tap.complains(run, 2, f"entry 3 {HOLE} `{REBUILD} --gaps`",
                  "a ladder that is made again misses it")
    tap.equal(len(list((place.root / "c.db.records").glob("*.rec"))), 11,
              "and no game is played")
    run = ladder(place, "rebuild", "--ladder", "c.db")
    tap.complains(run, 1, "serial 3,", "rebuild tells the gap")
    run = ladder(place, "rebuild", "--ladder", "c.db", "--gaps", "--json")
    tap.equal((run.code, json.loads(run.out)["gaps"]), (0, 1),
              "--gaps allows it")

with daemon.Daemon({"quick": SETUP}) as serve:
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    arena.wait_for(lambda: len(serve.records("quick", "0*.rec")) > 5)
    base = serve.data / "ladders" / "quick" / "ladder.db"

    def ask(sql):
        with contextlib.closing(sqlite3.connect(base, timeout=60)) as opened:
            with opened:
                return opened.execute(sql).fetchall()

    def metric(name):
        return serve.metric(f'referee_games_{name}{{ladder="quick"}}')
    def give_back(schema):
        """Restores a renamed table: renaming it back would write its schema
        differently."""
        with contextlib.closing(sqlite3.connect(base, timeout=60)) as opened:
            opened.execute("PRAGMA writable_schema = ON")
            with opened:
                opened.executemany(
                    "UPDATE sqlite_schema SET sql = ? WHERE name = ?", schema)
    # The ladder fails, but the records are safe.
    schema = ask("SELECT sql, name FROM sqlite_schema")
    ask("ALTER TABLE game RENAME TO gone")
    arena.wait_for(lambda: metric("unrated") > 1)
    tap.equal(metric("rated_total"), ask("SELECT count(*) FROM gone")[0][0],
              "what the ladder did not take is not counted as rated")
    ask("ALTER TABLE gone RENAME TO game")
    tap.ok(arena.wait_for(lambda: metric("unrated") == 0), "until it takes them")
    serve.stop()
    give_back(schema)
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    lost = 'referee_ladder_lost{ladder="quick"}'
    tap.equal((serve.metric(lost), serve.get("/healthz").text), (0, "ok\n"),
              "a ladder's file is there")
    aside = base.with_name("aside.db")
    base.rename(aside)
    tap.ok(serve.wait_for_log("ladder-lost"), "a daemon tells that it is gone")
    told = serve.get("/healthz")
    tap.ok(serve.metric(lost) == 1 and told.code == 503
           and "restart the daemon" in told.text, "so does its health", told)
    had = len(serve.records("quick", "0*.rec"))
    tap.ok(arena.wait_for(lambda: len(serve.records("quick", "0*.rec")) > had + 2),
           "games go on")
    serve.stop()
    tap.equal(len(serve.log("ladder-lost")), 1, "it tells it once")
    aside.unlink()
    for path in base.parent.glob("ladder.db*"):
        path.unlink()
    serve.start()
    tap.equal((serve.metric(lost), len(serve.log("ladder-made-again"))), (0, 1),
              "and the next daemon makes it again")
    serve.stop()
    serve.records("quick", "0*.rec")[1].unlink()
    serve.start()
    tap.ok(serve.wait_for_log("records-missing"), "serve tells of one, too")
    tap.equal(serve.metric('referee_records_missing{ladder="quick"}'), 1,
              "and so does a metric")
    serve.stop()
    base.unlink()
    serve.launch()
    serve.wait()
    tap.ok(f"entry 2 {HOLE} `{REBUILD} --gaps`" in serve.text(),
           "serve does not go on without it", serve.text())
    run = tap.referee("ladder", "rebuild", "--data", serve.data, "--ladder",
                      "quick", "--gaps")
    tap.equal(run.code, 0, "its records are found where a daemon has them")
    serve.start()
    serve.stop()

# ---- an open pack is not whole, and the ladder's file is lost

def record_in(pack, number):
    """Returns where the record with this number, counted from 0, or from -1 back,
    begins and ends in a pack."""
    with tarfile.open(pack) as tar:
        found = [member for member in tar if member.name.endswith(".rec")][number]
    return found.offset, found.offset_data + (found.size + 511) // 512 * 512


def play(serve, games):
    """Plays so many games more, ends the daemon, and returns its last open pack."""
    had = len(serve.records("quick", "0*.rec"))
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    tap.ok(arena.wait_for(lambda: len(serve.records("quick", "0*.rec"))
                          >= had + games), f"{games} games are played")
    serve.stop()
    return max((serve.data / "ladders" / "quick" / "records").glob("*-.tar"))


def damage(number, what):
    """Damages a record; of the last one, takes the asks behind it away, too."""
    with daemon.Daemon({"quick": SETUP}) as serve:
        pack = play(serve, 6)
        base = serve.data / "ladders" / "quick" / "ladder.db"
        whole, total = pack.read_bytes(), len(serve.records("quick", "0*.rec"))
        at, end = record_in(pack, number)
        serial = range(1, total + 1)[number]
        pack.write_bytes(whole[:at + 5] + b"\xff" +
                         whole[at + 6:end if number < 0 else None])
        bad = pack.read_bytes()
        base.unlink()
        missing = f"entry {serial} of its log is not found, and the pack {pack} is " \
            f"damaged; restore it from a copy, or take what is there by `{REBUILD} --gaps`"
        run = tap.referee("serve", "--check", "--config", serve.file)
        tap.complains(run, 2, missing, f"serve --check tells of {what}")
        serve.launch()
        code = serve.wait()
        tap.ok(code == 3 and missing in serve.text(), f"{what}: serve does not start",
               (code, serve.text()))
        tap.ok(pack.read_bytes() == bad and not list(pack.parent.glob("*.damaged*")),
               f"{what}: it leaves the pack as it is")
        run = tap.referee("verify", pack.parent)
        tap.ok(run.code == 1 and run.out.count("ok ") == total - 1
               and f"{pack}: the pack is damaged" in run.err,
               f"{what}: verify reads all other records", run)
        data = ["--data", serve.data, "--ladder", "quick"]
        run = tap.referee("ladder", "rebuild", *data)
        tap.complains(run, 1, f"1 record is missing, serial {serial},",
                      f"{what}: rebuild tells the gap")
        run = tap.referee("ladder", "rebuild", *data, "--gaps", "--json")
        told = json.loads(run.out)
        tap.equal((run.code, told["gaps"], told["games"]), (0, 1, total - 1),
                  f"{what}: --gaps takes all other games")
        after = play(serve, 2)
        tap.equal(after.name, f"{total + 1:08}-.tar",
                  f"{what}: the daemon goes on behind it in another pack")
        told = serve.log("pack-cut")
        if number < 0:
            kept = pack.with_name(pack.name + ".damaged")
            tap.ok(len(told) == 1 and f"copy={kept} bytes={end - at} entries=0 " in told[0]
                   and kept.read_bytes() == bad, f"{what}: it is cut off with a word",
                   serve.text())
        else:
            tap.ok(pack.read_bytes() == bad and not told, f"{what}: nothing is cut off",
                   told)


damage(2, "a damaged record")
damage(-1, "a damaged last record")

with daemon.Daemon({"quick": SETUP}) as serve:
    pack = play(serve, 6)
    whole, total = pack.read_bytes(), len(serve.records("quick", "0*.rec"))
    (serve.data / "ladders" / "quick" / "ladder.db").unlink()
    pack.write_bytes(whole[:-700])
    serve.start()
    serve.stop()
    tap.equal((len(serve.log("ladder-made-again")), len(serve.log("pack-cut")),
               list(pack.parent.glob("*.damaged*"))), (1, 0, []),
              "a torn end is cut off without a word")
    at, _ = record_in(pack, 2)
    torn = whole[:at] + bytes(512) + whole[at + 512:]
    pack.write_bytes(torn)
    (serve.data / "ladders" / "quick" / "ladder.db").unlink()
    serve.start()
    serve.stop()
    copy = pack.with_name(pack.name + ".damaged")
    told = [line for line in serve.log("pack-cut") if "level=warn" in line]
    tap.ok(len(told) == 1 and f"copy={copy} bytes={len(whole) - at} "
           f"entries={total - 3} " in told[0],
           "whole records behind a block of zeros are cut off with a word",
           serve.text())
    tap.ok(copy.read_bytes() == torn and pack.read_bytes() == whole[:at],
           "and kept in a copy")
    at, _ = record_in(pack, -1)
    torn = pack.read_bytes()[:at + 700]
    pack.write_bytes(torn)
    serve.start()
    serve.stop()
    copy = copy.with_name(copy.name + ".2")
    told = [line for line in serve.log("pack-cut") if f"copy={copy} bytes=700 " in line]
    tap.ok(len(told) == 1 and copy.read_bytes() == torn,
           "so is the torn end of a record that was rated", serve.text())

# ---- a file may not grow, and a disk is full

def both(place, *before):
    """Runs a match on a ladder and a roster command in a folder of their own;
    returns both."""
    for what in (["match", "toepen", *TWO, "--games", "200", "--ladder", "l.db"],
                 ["bots", "token", "bob", "--data", "data"]):
        folder = tempfile.mkdtemp(dir=place.root)
        yield tap.run([*before, tap.REFEREE, *what], cwd=folder)


def says_why(run, name, *reasons):
    """Returns true if the command said why in one sentence."""
    said = re.findall("^referee: .*", run.err, re.MULTILINE)
    return run.code == 3 and len(said) == 1 and \
        re.search(rf"{name}.*({'|'.join(reasons)})", said[0])


with arena.Arena() as place:
    for kib in (4, 20, 140):
        match, roster = both(place, "bash", "-c", f'ulimit -f {kib}; exec "$@"',
                             "bash")
        tap.ok(says_why(match, "ladder l.db:", "File too large"),
               f"files of {kib} KiB at most: a ladder", match)
        tap.ok(roster.code == 0 if kib > 100 else
               says_why(roster, "roster data/roster.db:", "File too large"),
               f"files of {kib} KiB at most: a roster", roster)
    why = None if machine.may_mount() else "not allowed to mount"
    for kib in () if tap.skip("a full disk", why) else (4, 12, 80):
        match, roster = both(
            place, "unshare", "--mount", "sh", "-c",
            f'mount -t tmpfs -o size={kib}k none . && cd "$PWD" && exec "$@"',
            "sh")
        full = "the disk is full$", "No space left on device"
        tap.ok(says_why(match, "ladder l.db:", *full),
               f"a disk of {kib} KiB: a ladder", match)
        tap.ok(says_why(roster, "data/roster", *full),
               f"a disk of {kib} KiB: a roster", roster)
tap.done()
