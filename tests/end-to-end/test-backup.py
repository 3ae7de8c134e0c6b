#!/usr/bin/env python3
"""Tests `referee backup` of a data folder while its daemon plays, `referee
restore`, and both commands when they are killed.  End-to-end because two processes
use the folder."""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import stat
import subprocess

import arena
import daemon
import records
import tap

SETUP = "game = toepen seats = 2 at-once = 2"
BACKUPS = 12 if os.environ.get("CHECK_ALL") else 2
LOOKED_AT = 2  # records that are compared, of the first and of the last
KILLS = 40 if os.environ.get("CHECK_ALL") else 2


def games(base):
    run = tap.referee("ladder", "export", "--ladder", base)
    return [line for line in map(json.loads, run.out.splitlines())
            if line["type"] == "game"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def is_sound(data, what):
    """Tests the ladder, records and roster of a restored folder."""
    base = data / "ladders" / "quick" / "ladder.db"
    before = games(base)
    run = tap.referee("ladder", "rebuild", "--data", data, "--ladder", "quick",
                      "--json")
    tap.equal(run.code, 0, f"{what}: its ladder is that of its records")
    if run.code != 0:
        tap.note(run)
        return
    told = json.loads(run.out)
    after = games(base)
    tap.ok(told["altered"] == 0 and told["gaps"] == 0
           and after[:len(before)] == before
           and len(after) == len(before) + told["added"],
           f"{what}: every game is there, as it was", run)
    folder = data / "ladders" / "quick" / "records"
    found = records.find(folder, "0*.rec")
    tap.equal(len(found), len(after), f"{what}: with its record")
    some = found[:LOOKED_AT] + found[-LOOKED_AT:]
    asks = records.find(folder, "0*.asks")
    tap.ok({path.stem for path in asks} <= {path.stem for path in found}
           and len(asks) > len(found) // 2 and
           {tap.referee("replay", path).err for path in some} == {""},
           f"{what}: and its asks, whole")
    run = tap.referee("verify", *found)
    tap.equal(run.code, 0, f"{what}: which verifies")
    run = tap.referee("bots", "list", "--data", data)
    tap.ok(run.code == 0 and "alice" in run.out, f"{what}: the roster works",
           run)


def backup(serve, to, *more):
    return tap.referee("backup", to, "--data", serve.data, *more)


def restore(place, data):
    return tap.referee("restore", place, "--data", data)


with daemon.Daemon({"quick": SETUP, "other": SETUP}) as serve:
    tap.complains(backup(serve, serve.root / "none"), 2, "not a daemon's data "
                  "folder",
                  "no data folder")
    token = serve.token("carol")
    serve.start()
    for name in ("alice", "bob"):
        serve.play(name, "quick")
    (serve.data / "notes").write_text("mine", "ascii")
    (serve.data / "trials").mkdir(exist_ok=True)
    arena.wait_for(lambda: len(serve.records("quick", "0*.rec")) > 5)
    first = arena.wait_for(lambda: games(
        serve.data / "ladders" / "quick" / "ladder.db"))[0]["id"]
    for i in range(BACKUPS):
        to = serve.root / f"backup-{i}"
        run = backup(serve, to)
        tap.ok(run.code == 0 and run.out.startswith(f"copied to {to}: 3 data"),
               f"backup {i} of a daemon that plays", run)
        there = serve.root / f"restored-{i}" / "referee-data"
        there.parent.mkdir()
        run = restore(to, there)
        tap.equal(run.code, 0, f"backup {i} is restored")
        is_sound(there, f"backup {i}")
        if i == 0:
            void = json.loads(tap.referee(
                "ladder", "void", first, "--why", "x", "--json", "--data",
                serve.data, "--ladder", "quick").out)["void"]
    tap.equal(games(there / "ladders" / "quick" / "ladder.db")[0].get("void"),
              {"number": void, "why": "x"}, "voids are in it")
    tap.equal([stat.S_IMODE(path.stat().st_mode)
               for path in (to, there, there / "roster.key")],
              [0o700, 0o700, 0o600], "others may not look at it")
    tap.equal((there / "notes").read_text("ascii"), "mine",
              "what else lies there is in it")
    packs = sorted((to / "ladders" / "quick" / "records").glob("*.tar*"))
    run = tap.run([*tap.PYTHON, "-I", to / "check-record" / "check-record.py",
                   *packs])
    tap.ok(run.code == 0 and packs and run.out.count("\nok ") > 3,
           "a copy has the program that proves its records", run)
    tap.equal([name for name in names(there) if name.startswith("check")], [],
              "which is not restored")
    tap.equal([name for name in names(to) if name in (
        "lock", "control", "incoming", "trials")], [],
        "but not locks, sockets and what ends with the daemon")
    tap.complains(backup(serve, to), 2, "not empty", "a folder that has one")
    tap.complains(restore(to, serve.data), 2, "not empty",
                  "a folder that is in use")
    tap.complains(restore(serve.data, serve.root / "x"), 2, "not a complete "
                  "backup",
                  "what is none")
    tap.complains(backup(serve, serve.data / "in"), 2, "inside", "in itself")
    (serve.root / "led").mkdir()
    (serve.root / "link").symlink_to("led")
    tap.complains(backup(serve, serve.root / "link"), 2, "is a link",
                  "a link to a folder")
    tap.complains(restore(to, serve.root / "link"), 2, "is a link",
                  "nor is a data folder made through one")
    tap.complains(backup(serve, serve.root / "no" / "where"), 2, "beside",
                  "a folder in none")
    empty = serve.root / "empty"
    empty.mkdir(0o755)
    tap.equal((backup(serve, f"{empty}/").code,
               stat.S_IMODE(empty.stat().st_mode)), (0, 0o700),
              "an empty folder will do")

    # The backup is killed when some of its files exist, or it has ended by
    # then.  No game needs to run.
    serve.players[0][0].say("quit")
    whole, dice = 0, tap.dice("kills")
    files = sum(path.is_file() for path in to.rglob("*"))
    to = serve.root / "killed"
    for _ in range(KILLS):
        process = subprocess.Popen(
            [tap.REFEREE, "backup", to, "--data", serve.data],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        goal = dice.randint(1, files)
        arena.wait_for(lambda: process.poll() is not None or sum(
            len(names) for one in serve.root.glob("killed*")
            for _, _, names in os.walk(one)) >= goal)
        process.kill()
        process.wait()
        if to.exists():
            whole += 1
            data = serve.root / "from-killed"
            tap.equal(restore(to, data).code, 0, "killed too late: it is whole")
            is_sound(data, "killed too late")
            shutil.rmtree(to)
            shutil.rmtree(data)
        for path in serve.root.glob("killed.*"):
            path.rename(path.with_name("left" + path.suffix))
    left = list(serve.root.glob("left.*"))
    tap.equal(whole + len(left), KILLS, "each kill found some of it")
    for path in left:
        run = restore(path, serve.root / "x")
        if run.code == 0:  # only the rename was missing
            is_sound(serve.root / "x", "killed at the end")
            shutil.rmtree(serve.root / "x")
        else:
            tap.complains(run, 2, "not a complete backup", "killed: it is "
                          "refused")
    tap.equal(backup(serve, to).code, 0, "the next one works all the same")
    serve.stop()

    # The records are newer than the database: today's records, yesterday's
    # database.
    late = serve.root / "late"
    tap.equal(backup(serve, late).code, 0, "of a folder without a daemon")
    shutil.copy(serve.root / "backup-0" / "ladders" / "quick" / "ladder.db",
                late / "ladders" / "quick" / "ladder.db")
    (serve.root / "again").mkdir()
    with daemon.Daemon({"quick": SETUP, "other": SETUP},
                      root=serve.root / "again") as again:
        tap.equal(restore(late, again.data).code, 0, "an older database")
        again.start()
        base = again.data / "ladders" / "quick" / "ladder.db"
        tap.equal(games(base),
                  games(serve.data / "ladders" / "quick" / "ladder.db"),
                  "games and voids that are newer are folded in")
        for key, opens in ((token, True), ("0" * len(token), False)):
            guest = again.guest("carol", key)
            line = guest.hear() or "error"
            tap.equal(not line.startswith("error"), opens,
                      "a token opens the door as before: " + line[:5])
            guest.close()
        tap.equal(again.stop(), 0, "and the daemon plays")
        run = tap.referee("ladder", "rebuild", "--ladder", base)
        tap.ok(run.out.endswith("; nothing differs\n"), "nothing differs", run)

    # A damaged file is reported.
    base = serve.root / "late" / "ladders" / "quick" / "ladder.db"
    text = bytearray(base.read_bytes())
    text[4096:] = b"x" * (len(text) - 4096)
    base.write_bytes(text)
    data = serve.root / "damaged"
    tap.complains(restore(late, data), 2, "damaged", "a damaged copy")
    tap.equal([path for path in pathlib.Path(serve.root).glob("damaged*")], [],
              "of which nothing is left")

    # A database with objects that we do not make is a forgery.
    for part in ("roster.db", "ladders/quick/ladder.db"):
        made = serve.root / "made"
        shutil.copytree(serve.root / "backup-0", made)
        with contextlib.closing(sqlite3.connect(made / part)) as base:
            base.execute("CREATE TRIGGER more AFTER UPDATE ON bot BEGIN "
                         "DELETE FROM bot; END")
            base.commit()
        tap.complains(restore(made, data), 2, "other tables, triggers or "
                      "views", f"{part}: a trigger")
        shutil.rmtree(made)
    made = serve.root / "backup-0"
    with contextlib.closing(sqlite3.connect(made / "roster.db")) as base:
        base.execute("UPDATE bot SET reason = 'x' || char(27) || char(7), "
                     "state = 1 WHERE name = 'carol'")
        base.commit()
    tap.equal(restore(made, data).code, 0, "texts of any kind are restored")
    run = tap.referee("bots", "list", "--data", data)
    tap.ok(run.code == 0 and "x??" in run.out and
           not set(run.out) & {"\x1b", "\a"},
           "but a terminal gets none of them", run)
tap.done()
