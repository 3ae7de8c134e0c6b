#!/usr/bin/env python3
"""What a ladder's owner may lose, and how he hears of it: the file, records,
room on the disk."""

import contextlib
import json
import sqlite3

import arena
import daemon
import tap

TWO = arena.bots("random", "house")
SETUP = 'game = toepen seats = 2 options = { "points=1" } at-once = 2'
REBUILD = "referee ladder rebuild"


def ladder(place, *arguments):
    return tap.referee("ladder", *arguments, cwd=place.root)


def match(place, file, *arguments):
    return tap.referee("match", "toepen", *TWO, "-o", "points=1", "--games", 6,
                       "--ladder", file, *arguments, cwd=place.root)


def export(place, file):
    lines = list(map(json.loads, ladder(
        place, "export", "--ladder", file).out.splitlines()))
    lines[0].pop("created")
    return lines


# ---- the file is gone, or empty

with arena.Arena() as place:
    file = place.root / "c.db"
    tap.equal(match(place, "c.db").code, 0, "a match on a ladder")
    before = export(place, "c.db")
    for what in ("empty", "gone"):
        if what == "empty":
            file.write_bytes(b"")
        else:
            file.unlink()
        run = match(place, "c.db")
        tap.complains(run, 2, REBUILD, f"{what}: match begins no second one")
        for words in (["show"], ["games"], ["export"], ["history", "random"]):
            run = ladder(place, *words, "--ladder", "c.db")
            tap.complains(run, 2, REBUILD, f"{what}: ladder {words[0]}")
        run = ladder(place, "new", "--ladder", "c.db")
        tap.complains(run, 2, "" if what == "empty" else REBUILD,
                      f"{what}: ladder new")
        tap.equal(ladder(place, "rebuild", "--ladder", "c.db").code, 0,
                  f"{what}: ladder rebuild makes it again")
        tap.equal(export(place, "c.db"), before, f"{what}: as it was")
    tap.complains(match(place, "d.db", "--records", "c.db.records"), 2,
                  REBUILD, "another ladder takes another folder")
    tap.ok(not (place.root / "d.db").exists(), "and is not made")

# ---- records are gone

with arena.Arena() as place:
    match(place, "c.db")
    records = sorted((place.root / "c.db.records").iterdir())
    records[2].unlink()
    run = match(place, "c.db")
    tap.ok(run.code == 0 and "misses 1 record;" in run.err and REBUILD in run.err,
           "a match tells of one that is gone", run)
    (place.root / "c.db").unlink()
    run = ladder(place, "rebuild", "--ladder", "c.db")
    tap.complains(run, 1, "serial 3,", "rebuild tells the gap")
    run = ladder(place, "rebuild", "--ladder", "c.db", "--gaps", "--json")
    tap.equal((run.code, json.loads(run.out)["gaps"]), (0, 1),
              "--gaps allows it")

with daemon.House({"quick": SETUP}) as house:
    house.start()
    for name in ("alice", "bob"):
        house.play(name, "quick")
    arena.wait_for(lambda: len(house.records("quick", "0*.rec")) > 5)
    base = house.data / "ladders" / "quick" / "ladder.db"

    def ask(sql):
        with contextlib.closing(sqlite3.connect(base, timeout=60)) as opened:
            with opened:
                return opened.execute(sql).fetchall()

    def metric(name):
        return house.metric(f'referee_games_{name}{{ladder="quick"}}')
    # The ladder fails, and the records are safe.
    ask("ALTER TABLE game RENAME TO gone")
    arena.wait_for(lambda: metric("unrated") > 1)
    tap.equal(metric("rated_total"), ask("SELECT count(*) FROM gone")[0][0],
              "what the ladder did not take is not counted as rated")
    ask("ALTER TABLE gone RENAME TO game")
    arena.wait_for(lambda: metric("unrated") == 0)
    tap.equal(metric("unrated"), 0, "until it takes them")
    house.stop()
    house.records("quick", "0*.rec")[1].unlink()
    house.start()
    tap.ok(house.wait_for_log("records-missing"), "serve tells of one, too")
    tap.equal(house.metric('referee_records_missing{ladder="quick"}'), 1,
              "and so does a metric")
    house.stop()
    base.unlink()
    house.launch()
    house.wait()
    tap.ok(REBUILD in house.text() and not base.exists(),
           "serve begins no second ladder", house.text())
    run = tap.referee("ladder", "rebuild", "--data", house.data, "--ladder",
                      "quick", "--gaps")
    tap.equal(run.code, 0, "its records are found where a daemon has them")
    house.start()
    house.stop()

# ---- a file may not grow

with arena.Arena() as place:
    for blocks in (4, 20, 60, 140):
        run = tap.run(["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "bash",
                       tap.REFEREE, "match", "toepen", *TWO, "--games", "200",
                       "--ladder", f"{blocks}.db"], cwd=place.root)
        tap.ok(run.code == 3 and "Success" not in run.err
               and run.err.strip(), f"{blocks} KiB: a sentence, and why", run)
tap.done()
