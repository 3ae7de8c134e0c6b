#!/usr/bin/env python3
"""Tests `referee ladder` as people use it.  End-to-end for what it prints, and for
which files are there afterwards."""

import itertools
import json
import shutil

import arena
import tap

TWO = arena.bots("random", "house")
SUBCOMMANDS = (["show"], ["games"], ["history", "random"], ["export"],
               ["rebuild"])


def ladder(place, *arguments, **options):
    return tap.referee("ladder", *arguments, cwd=place.root, **options)


def play(place, file, *arguments):
    """Plays twelve more games, with their records beside the ladder."""
    run = tap.referee("match", "toepen", *TWO, "--games", 12, "--ladder", file,
                      *arguments, cwd=place.root)
    if run.code != 0:
        tap.note(run)
    return run.code == 0


def export(place, file):
    """Returns the export without the date of the file."""
    lines = list(map(json.loads, ladder(
        place, "export", "--ladder", file).out.splitlines()))
    lines[0].pop("created")
    return lines


def remove(place, file):
    (place.root / file).unlink()
    (place.root / f"{file}.lock").unlink()


def names(place):
    return sorted(path.name for path in place.root.rglob("*"))


def edit(path, before, after):
    """Replaces the first `before` in a file."""
    text = path.read_text("ascii")
    path.write_text(text.replace(before, after, 1), "ascii")
    return text != path.read_text("ascii")


# ---- the file is thrown away

with arena.Arena() as place:
    ladder(place, "new", "--ladder", "l.db", "--k", "12.5", "--start", 1000)
    tap.ok(play(place, "l.db") and play(place, "l.db", "--bot", arena.FIRST),
           "two matches on a ladder")
    tap.equal([name for name in names(place)
               if name.endswith(("-wal", "-shm"))], [],
              "after a match the ladder is one file, and its lock")
    records = sorted((place.root / "l.db.records").glob("*.rec"))
    founding, = (place.root / "l.db.records").glob("00000000-*.ladder")
    tap.ok(founding.read_text("ascii").endswith(
        "\nrating-k 12.5\nrating-start 1000\nend\n"),
        "a file beside the records says what it began with")
    first = export(place, "l.db")
    tap.equal(ladder(place, "rebuild", "--ladder", "l.db").out,
              "24 games are rated again; nothing differs\n",
              "rebuild: as it was")
    remove(place, "l.db")
    run = ladder(place, "rebuild", "--ladder", "l.db")
    tap.equal((run.code, run.out),
              (0, "24 games are rated again; none was rated before\n"),
              "rebuild: without the file")
    tap.equal(export(place, "l.db"), first, "it is the ladder that it was")
    tap.ok(play(place, "l.db"), "and goes on")
    first = export(place, "l.db")
    tap.equal(first[1]["k_milli"], 12500, "with its K")

    # A ladder is rebuilt in another place from two folders.
    (place.root / "one").mkdir()
    (place.root / "two").mkdir()
    shutil.copy(founding, place.root / "two")
    for i, path in enumerate(sorted((place.root / "l.db.records").glob("*.rec"))):
        shutil.copy(path, place.root / ("one" if i % 2 else "two"))
    run = ladder(place, "rebuild", "--ladder", "m.db", "--records", "one",
                 "--records", "two", "--json")
    tap.equal(json.loads(run.out)["games"], 36, "rebuild --records, twice")
    tap.equal(export(place, "m.db"), first, "the same ladder elsewhere")
    shutil.copy(founding, place.root / "one")
    ladder(place, "new", "--ladder", "n.db")
    run = ladder(place, "rebuild", "--ladder", "n.db", "--records",
                 "l.db.records")
    tap.equal(export(place, "n.db"), first, "the same in a fresh file")

    # The records of two ladders lie together.
    tap.ok(play(place, "other.db"), "another ladder")
    idents = [json.loads(ladder(place, "export", "--ladder", file)
                         .out.split("\n")[0])["id"]
              for file in ("l.db", "other.db")]
    for path in (place.root / "other.db.records").iterdir():
        shutil.copy(path, place.root / "one")
    before = names(place)
    run = ladder(place, "rebuild", "--ladder", "x.db", "--records", "one")
    tap.complains(run, 2, "two ladders", "records of two ladders")
    tap.ok(all(ident in run.err for ident in idents), "both are named", run)
    run = ladder(place, "rebuild", "--ladder", "x.db", "--records", "none")
    tap.complains(run, 2, "none", "no such folder")
    run = ladder(place, "rebuild", "--ladder", "x.db", "--records", "m.db")
    tap.complains(run, 2, "m.db: Not a directory", "a file for a folder")
    tap.equal(names(place), before, "nothing is made")

# ---- records that somebody changed

with arena.Arena() as place:
    tap.ok(play(place, "l.db"), "a ladder")
    first = export(place, "l.db")
    record = sorted((place.root / "l.db.records").glob("*.rec"))[6]
    text = record.read_text("ascii")
    year = text[text.index("\nended ") + 7:][:4]
    for what, before, after in (
            ("a header that proves nothing", f"\nended {year}",
             "\nended 1999"),
            ("points", "\nresult 0 ", "\nresult 0 9"),
            ("the bots", "\nbot 0 ", "\nbot 0 x")):
        tap.ok(edit(record, before, after), f"{what}: changed")
        run = ladder(place, "rebuild", "--ladder", "l.db")
        tap.complains(run, 1, record.name, f"{what}: the record is named")
        tap.equal(export(place, "l.db"), first, f"{what}: nothing changes")
        record.write_text(text, "ascii")
    run = ladder(place, "rebuild", "--ladder", "l.db")
    tap.equal(run.out, "12 games are rated again; nothing differs\n",
              "as it was, it is taken")

    edit(record, f"\nended {year}", "\nended 1999")
    run = ladder(place, "rebuild", "--ladder", "l.db", "--accept")
    tap.equal((run.code, run.out), (0, "12 games are rated again: 1 record "
                                    "has changed\n"), "--accept takes one")
    edit(record, "\nended 1999", f"\nended {year}")
    edit(sorted((place.root / "l.db.records").glob("*.rec"))[2],
         f"\nended {year}", "\nended 1998")
    run = ladder(place, "rebuild", "--ladder", "l.db", "--accept")
    tap.equal((run.code, run.out), (0, "12 games are rated again: 2 records "
                                    "have changed\n"), "--accept takes two")
    record.unlink()
    run = ladder(place, "rebuild", "--ladder", "l.db", "--accept")
    tap.complains(run, 1, record.name, "a missing record is not accepted")

# ---- paths that lead nowhere

with arena.Arena() as place:
    (place.root / "junk.db").write_bytes(b"junk" * 1000)
    (place.root / "empty.db").write_bytes(b"")
    (place.root / "folder.db").mkdir()
    before = names(place)
    # All commands open a file in the same way, so most files are tried with
    # only one of them.
    tries = itertools.cycle(SUBCOMMANDS)
    for name in ("", "none.db", "no/such.db", "junk.db/below.db", "folder.db",
                 "junk.db", "empty.db", "x" * 300):
        run = ladder(place, *next(tries), "--ladder", name)
        tap.complains(run, 2, "", f"ladder, {name[:20]!r}")
    for name in "junk.db", "folder.db":
        run = ladder(place, "new", "--ladder", name)
        tap.complains(run, 2, "", f"ladder new, {name}")
        run = tap.referee("match", "toepen", *TWO, "--games", 2, "--ladder",
                          name, cwd=place.root)
        tap.complains(run, 2, "", f"match, {name}")
    tap.equal(names(place), before, "nothing is made")
    tap.ok(play(place, ":memory:"), "an odd name is a name")
    for what in SUBCOMMANDS:
        tap.equal(ladder(place, *what, "--ladder", ":memory:").code, 0,
                  f"ladder {what[0]}, of an odd name")
    tap.equal([name for name in names(place) if name not in before
               and not name.endswith((".rec", ".asks", ".ladder"))],
              [":memory:", ":memory:.lock", ":memory:.records"],
              "and what is looked at is left as one file")
    for where in ("no/copy.db", "folder.db", "junk.db", ""):
        run = ladder(place, "export", "--ladder", ":memory:", "--backup", where)
        tap.complains(run, 2, "", f"a backup to {where!r}")
    run = ladder(place, "export", "--ladder", ":memory:", "--backup",
                 "file:copy")
    tap.equal(export(place, "file:copy"), export(place, ":memory:"),
              "a backup with an odd name")

# ---- usage

with arena.Arena() as place:
    for what, part in ((["show", "me"], "'me'"),
                       (["history"], "name of a bot"),
                       (["history", "a", "b"], "'b'"),
                       (["show", "--bogus"], "--bogus"),
                       (["show", "--ladder"], "--ladder"),
                       (["export", "--format", "xml"], "'xml'"),
                       (["new", "--k", "-1"], "'-1'"),
                       (["new", "--start", "1.2345"], "'1.2345'"),
                       (["rebuild", *["--records", "d"] * 65], "64 times"),
                       ([], "expected show"), (["--bogus"], "--bogus"),
                       (["delete"], "'delete'")):
        tap.complains(ladder(place, *what), 2, part,
                      f"ladder {' '.join(what[:3])}")
    out = ladder(place, "--help").out
    tap.ok(0 < out.index("  show ") < out.index("  new ")
           < out.index("--help"), "--help: what there is before options", out)
tap.done()
