#!/usr/bin/env python3
"""Tests that follow.py, which knows only RECORD.md, computes the ratings of a
ladder from its founding and its log, and reports what is wrong there.  Other
tests follow ladders with packs, other settings, seasons and heirs
(end-to-end/followed.py)."""

import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import arena  # noqa: E402
import followed  # noqa: E402
import tap  # noqa: E402

with arena.Arena() as place:
    file = place.root / "l.db"

    tap.referee("ladder", "new", "--ladder", file, "--k", "17.125", "--start",
                "1234.567")

    def match(*arguments):
        run = tap.referee("match", *arguments, "--ladder", file)
        tap.equal(run.code, 0, f"a match of {arguments[0]}")

    match("toepen", "--seats", 3, *arena.bots(
        "random", "house", ("third", "random"), ("bad", f"{arena.BAD} illegal"),
        ("worse", f"{arena.BAD} crash-at --at 2")), "-o", "points=2", "--faults", 1,
        "--games", 40)
    match("daumen-drauf", *arena.bots("random", "house"), "--games", 20)
    found = followed.agrees(file, "seats that are retired, two pools")
    tap.ok(len(found) == 7 and len({row[5] for row in found}) > 4,
           "and they differ", found)
    some = sorted(followed.folders_of(file).glob("*.rec"))
    for path in (some[0], some[30]):
        tap.referee("ladder", "void", path.stem[9:], "--why", "x", "--ladder",
                    file)
    followed.agrees(file, "with voids")
    match("toepen", *arena.bots("random", "house"), "--games", 4)
    followed.agrees(file, "with games behind them")
    tap.referee("ladder", "void", "--bot", "bad", "--since", "2000-01-01",
                "--why", "x", "--ladder", file)
    tap.equal([row for row in followed.agrees(file, "without a bot's games")
               if row[4] == "bad"], [], "it is not there then")

    def wrong(what, change):
        copy = place.root / "copy"
        shutil.copytree(followed.folders_of(file), copy)
        change(copy)
        run = followed.follow(copy)
        tap.ok(run.code == 1 and what in run.err, what, run)
        shutil.rmtree(copy)

    log = sorted(path.name for path in followed.folders_of(file).iterdir()
                 if path.suffix != ".asks")
    tap.ok(log[0].startswith("00000000-"), "what it began with comes first", log)
    wrong("entry 7 is missing", lambda copy: (copy / log[7]).unlink())
    wrong("another entry than 00000007", lambda copy: (
        copy / "00000007-other.rec").write_text("other"))
    wrong("entry 7 says that it is 8", lambda copy: (copy / log[7]).write_text(
        (copy / log[8]).read_text()))
    for name in log[0], next(name for name in log if name.endswith(".void")):
        wrong("was cut", lambda copy, name=name: (copy / name).write_text(
            (copy / name).read_text().removesuffix("end\n")))
    wrong("entry 0 is missing", lambda copy: (copy / log[0]).unlink())
    wrong("another entry than 00000000", lambda copy: (
        copy / "00000000-other.ladder").write_text("other"))
    wrong("of several ladders", lambda copy: (copy / log[7]).write_text(
        (copy / log[7]).read_text().replace("\nladder ", "\nladder 0")))
    tap.equal(followed.follow().code, 1, "usage")
tap.done()
