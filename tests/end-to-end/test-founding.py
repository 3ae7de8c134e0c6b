#!/usr/bin/env python3
"""Tests the founding beside a ladder's records: a ladder whose file is lost is
made again when something plays on it, also a season and changed settings."""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import struct

import arena
import daemon
import followed
import records
import tap

BOTS = arena.bots("random", ("second", "random"), "house")
SETUP = ["toepen", "-o", "points=1", "--seats", 2]
QUICK = 'game = toepen seats = 2 options = { "points=1" } at-once = 2 k = '


def ladder(what, file, *arguments):
    return tap.referee("ladder", what, "--ladder", file, *arguments)


def play(file, *arguments):
    return tap.referee("match", *SETUP, *BOTS, "--ladder", file, *arguments)


def told(file, kinds=("ladder", "setting", "entry", "rating")):
    """Returns the settings of a ladder and its present state."""
    lines = map(json.loads, ladder("export", file).out.splitlines())
    return [line for line in lines if line["type"] in kinds]


def shown(file):
    run = ladder("show", file, "--json")
    return run.out if run.code == 0 else run


def lose(file):
    for path in file.parent.glob(f"{file.name}*"):
        if path.is_file():
            path.unlink()


def comes_back(file, what, seed):
    """Tests that a match leads to the same ladder with its file and, on a copy,
    without it."""
    copy = file.parent.with_name("lost") / file.name
    shutil.copytree(file.parent, copy.parent)
    lose(copy)
    runs = [play(one, "--games", 6, "--seed", seed, "--jobs", 1, "--records",
                 followed.folders_of(one)) for one in (file, copy)]
    tap.equal([run.code for run in runs], [0, 0], f"{what}: a match")
    tap.ok(shown(copy) == shown(file) and shown(file).count("\n") > 1,
           f"{what}: `ladder show` is the same when the file was lost", runs)
    tap.equal(told(copy), told(file), f"{what}: ID, settings, entries and ratings")
    followed.agrees(copy, what)
    lose(copy)
    tap.complains(ladder("show", copy), 2, "referee ladder rebuild",
                  f"{what}: a reader does not make it")
    run = ladder("rebuild", copy)
    tap.ok(run.code == 0 and told(copy) == told(file),
           f"{what}: but `ladder rebuild` does", run)
    shutil.rmtree(copy.parent)


def founding_of(file):
    return next(followed.folders_of(file).glob("00000000-*.ladder"))


def season(root):
    old, new = root / "home" / "old.db", root / "home" / "new.db"
    old.parent.mkdir()
    ladder("new", old, "--k", "20.5", "--start", 1200)
    play(old, "--games", 40, "--seed", "a")
    ladder("new", new, "--from", old, "--season", "spring", "--k", 33)
    before = told(new)
    lose(new)
    tap.equal(ladder("rebuild", new).code, 0, "a season without a game is lost")
    tap.equal(told(new), before, "and comes back")
    play(new, "--games", 20, "--seed", "b", "--bot", arena.FIRST)
    lines = founding_of(new).read_text("ascii").splitlines()
    ident, before = told(new)[0]["id"], told(old)[0]["id"]
    entries = [f"enter {one['bot']} {one['live_elo_milli'] / 1000:.3f}"
               .rstrip("0").rstrip(".") + " 2 priority toepen points=1"
               for one in told(new, ["entry"])]
    begin, enter, end = lines[:8], lines[8:-1], lines[-1]
    tap.equal([line for line in begin if not line.startswith("date ")],
              ["ladder 1", f"id {ident}", f"ladder {ident}", "serial 0", "rating-k 33",
               "rating-start 1200", f"season spring {before}"],
              "a season's founding tells all that it began with")
    tap.equal((sorted(enter), len(enter), end), (sorted(entries), 3, "end"),
              "and who enters it with what")
    games = told(new, ["game"])
    for game in games[0], games[5]:
        ladder("void", new, game["id"], "--why", "x")
    comes_back(new, "a season", "c")
    comes_back(old, "the ladder before it", "d")


def heirs(root):
    """Tests a bot whose voided game names an earlier version that plays only
    later."""
    file = root / "heirs" / "l.db"
    file.parent.mkdir()
    for name in "b2", "b1", "b3":
        run = tap.referee("match", *SETUP, *arena.bots((name, "random"), "house"),
                          "--games", 2, "--ladder", file)
        tap.equal(run.code, 0, f"a match of {name}")
    found = sorted(followed.folders_of(file).glob("*.rec"))
    for path in found:
        bots = arena.Record(path).bots()
        for seat, before in ((bots.index(bot), before) for bot, before in
                             (("b2", "b1"), ("b3", "b2")) if bot in bots):
            path.write_text(path.read_text("ascii").replace(
                "\nreferee ", f"\nheir-of {seat} {before}\nreferee ", 1), "ascii")
    lose(file)
    tap.equal(ladder("rebuild", file).code, 0, "records of heirs")
    for path in found[1:]:
        path.rename(f"{path}.lost")
    for path in found[:2]:
        tap.equal(ladder("void", file, path.stem[9:], "--why", "x").code, 0,
                  "a game is voided while all other records are lost")
    for path in found[1:]:
        pathlib.Path(f"{path}.lost").rename(path)
    followed.agrees(file, "a bot enters with what the version before a voided one has")
    before = told(file)
    lose(file)
    ladder("rebuild", file)
    tap.equal(told(file), before, "also on a ladder that is made again")


def settings(root):
    """Tests a K that was changed in a daemon's configuration."""
    with daemon.Daemon({"quick": QUICK + "24 start-rating = 1000"}, root=root) as serve:
        file = serve.data / "ladders" / "quick" / "ladder.db"

        def plays(games, settings_=None):
            if settings_:
                serve.configure({"quick": QUICK + settings_})
            had = len(serve.records("quick", "0*.rec"))
            serve.start()
            for name in ("alice", "bob"):
                serve.play(name, "quick")
            arena.wait_for(
                lambda: len(serve.records("quick", "0*.rec")) >= had + games)
            serve.stop()

        plays(4)
        tap.equal([(one["k_milli"], one["start_milli"]) for one in
                   told(file, ["setting"])], [(24000, 1000000)],
                  "a daemon's ladder begins as it is configured")
        plays(4, "8 start-rating = 1000")
        found = records.find(file.with_name("records"), "*.setting")
        text = found[0].read_text() if found else ""
        name = re.fullmatch(r"(0\d{7})-([0-9a-f]{32})\.setting", found[0].name)
        tap.ok(len(found) == 1 and name and found[0].parent != file.parent,
               "another K is an entry in its packs", found)
        lines = [line for line in text.splitlines() if not line.startswith("date ")]
        tap.equal(lines, ["setting 1", f"id {name[2]}", f"ladder {told(file)[0]['id']}",
                          f"serial {int(name[1])}", "rating-k 8", "rating-start 1000",
                          "end"],
                  "which says what holds from there on")
        plays(4)
        tap.equal(len(records.find(file.with_name("records"), "*.setting")), 1,
                  "only if it is another one")
        for order in "elo", "live":
            lines = ladder("show", file, "--order", order).out.splitlines()
            tap.equal(lines[-1], "The live Elo: K 8, start rating 1000.",
                      f"`ladder show --order {order}` tells it")
            rows = ladder("show", file, "--json", "--order", order).out.splitlines()
            tap.equal([(one["k_milli"], one["start_milli"])
                       for one in map(json.loads, rows)], [(8000, 1000000)] * len(rows),
                      "as JSON, too")
        serve.start()
        told_ = serve.get("/api/1/ladders/quick").json()
        tap.equal((told_["k_milli"], told_["start_milli"]), (8000, 1000000),
                  "and a page for programs")
        serve.stop()
        followed.agrees(file, "a daemon's ladder with another K")
        before = told(file)
        lose(file)
        serve.start()
        serve.stop()
        tap.equal(told(file), before, "the daemon itself makes a lost ladder again")
        comes_back(file, "a ladder with another K", "e")

        serve.configure({"quick": QUICK.replace("k =", "")})
        serve.start()
        serve.stop()
        tap.equal([one["k_milli"] for one in told(file, ["setting"])], [24000, 8000],
                  "a configuration without K leaves it as it is")
        (file.parents[1] / "next").mkdir(0o700)
        new = file.parents[1] / "next" / "ladder.db"
        tap.equal(ladder("new", new, "--from", file, "--season", "next").code, 0,
                  "a season")
        serve.configure({"next": QUICK.replace("k =", "")})
        serve.start()
        told_ = serve.get("/api/1/ladders/next").json()
        tap.equal((told_["k_milli"], told_["start_milli"]), (8000, 1000000),
                  "has the K and start rating of the ladder before it")
        serve.configure({"next": QUICK + "9"})
        tap.ok(not serve.reload(), "another K is refused while the daemon runs")
        serve.stop()

        first = told(file, ["game"])[0]
        run = ladder("void", file, first["id"], "--why", "x")
        tap.equal(run.code, 0, "a game before that is voided")
        followed.agrees(file, "each game by the K of its time, also after a void")
        run = ladder("rebuild", file)
        tap.ok(run.code == 0 and "nothing differs" in run.out,
               "and a rebuild comes to the same", run)
        comes_back(file, "with a void", "f")

        entry = found[0]
        content = entry.read_bytes()
        entry.unlink()
        before = told(file)
        run = ladder("rebuild", file)
        tap.ok(run.code == 1 and entry.name[:8] in run.err,
               "a rebuild misses a setting that is lost", run)
        tap.equal(told(file), before, "and nothing changes")
        run = ladder("void", file, told(file, ["game"])[1]["id"], "--why", "x")
        tap.equal(run.code, 0, "a void does not need it")
        entry.write_bytes(content)
        run = ladder("rebuild", file)
        tap.ok(run.code == 0 and "nothing differs" in run.out,
               "and with it all is the same", run)


@contextlib.contextmanager
def place_locked(file):
    """Tests a ladder on which a process plays: the test takes the lock as the
    program does."""
    with open(f"{file}.lock", "w+b") as lock:
        fcntl.fcntl(lock, fcntl.F_OFD_SETLK, struct.pack(
            "hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        yield


def rehearsed(root):
    """Tests that `serve --check` says if a daemon can follow the log, and
    writes nothing."""
    data, config = root / "rehearsed", root / "rehearsed.conf"
    file = data / "ladders" / "quick" / "ladder.db"
    folder = file.with_name("records")
    folder.mkdir(0o700, parents=True)
    config.write_text(f'data = "{data}"\nladder quick {{ {QUICK}16 }}\n')

    def check(what, code, *parts):
        was = [(path, path.stat().st_ino, path.read_bytes()) for path in
               sorted(data.rglob("*")) if path.is_file()
               and not path.name.endswith(("-wal", "-shm"))]
        run = tap.referee("serve", "--check", "--config", config)
        tap.ok((run.code, run.out) == (code, "" if code else "ok\n")
               and all(part in run.err for part in parts)
               and run.err.count("\n") == bool(parts), f"--check: {what}", run)
        tap.equal([(path, path.stat().st_ino, path.read_bytes())
                   for path, *_ in was], was, "and nothing is written")

    check("no ladder yet", 0)
    play(file, "--games", 4, "--seed", "a", "--records", folder)
    before = file.read_bytes()
    play(file, "--games", 4, "--seed", "b", "--records", folder)
    check("a ladder that has all of its log", 0)
    lose(file)
    file.write_bytes(before)
    check("a ladder that is behind", 0, "ladder quick is behind: it ends with entry 4 "
          "and its log with entry 8; a daemon")
    sentence = f"ladder {file} is behind: it ends with entry 4 and its log with entry 8"
    for words in (["show"], ["show", "--json"], ["games"], ["history", "house"],
                  ["export"], ["fit"]):
        run = tap.referee("ladder", *words, "--ladder", file)
        tap.ok(run.code == 0 and sentence in run.err and run.err.count("\n") == 1,
               f"ladder {words[0]} tells that the ladder is behind", run)
    run = tap.referee("report", "-o", "-", "--ladder", file)
    tap.ok(run.code == 0 and sentence in run.err and run.err.count("\n") == 1,
           "a report, too", run.err)
    tap.complains(ladder("new", root / "next.db", "--from", file, "--season", "x"), 2,
                  sentence, "and no season begins with what it has")
    with place_locked(file):
        run = ladder("show", file)
        tap.ok(run.code == 0 and run.err == "",
               "who plays on it just then takes the rest", run)
    play(root / "other.db", "--games", 2, "--seed", "c")
    shutil.copy(root / "other.db", file)
    sentence = f"the records of ladder {file} belong to the ladder of {folder}/00000000-"
    check("another ladder's file", 2, f"ladder quick: {sentence}")
    for words in (["show"], ["games"], ["export"], ["fit"]):
        with place_locked(file) if words == ["show"] else contextlib.nullcontext():
            run = tap.referee("ladder", *words, "--ladder", file)
        tap.ok(run.code == 0 and sentence in run.err and run.err.count("\n") == 1,
               f"ladder {words[0]} tells whose figures it shows", run)
    tap.complains(ladder("new", root / "next.db", "--from", file, "--season", "x"), 2,
                  sentence, "and no season begins with them")
    file.write_bytes(before)
    third, fifth = (next(folder.glob(f"0000000{n}-*.rec")) for n in (3, 5))
    text = fifth.read_text("ascii")
    fifth.unlink()
    check("without an entry", 2, "quick", "entry 5 of its log is missing")
    fifth.write_text(text[:-30], "ascii")
    check("with one that is not whole", 2, "quick", fifth.name)
    fifth.write_text(text, "ascii")
    again = third.with_name(f"00000006-{'6' * 32}.setting")
    again.write_text("\n".join(
        ["setting 1", f"id {'6' * 32}", f"ladder {told(file)[0]['id']}", "serial 6",
         "date 2026-11-29T00:00:00Z", "rating-k 5", "rating-start 1200", "end"])
        + "\n", "ascii")
    good = again.read_text("ascii")
    kept = fifth.read_bytes()
    fifth.unlink()
    again.unlink()
    other = fifth.with_name(f"{fifth.name[:8]}-{'6' * 32}.setting")
    other.write_text(good.replace("serial 6", f"serial {int(fifth.name[:8])}")
                     .replace("rating-k 5", "rating-k x"), "ascii")
    check("with a K that is none", 2, "quick", other.name, "rating-k K")
    other.unlink()
    fifth.write_bytes(kept)
    again.write_text(good, "ascii")
    check("with two of one serial", 2, "quick", "another entry has its serial")
    again.unlink()
    founding = folder / f"00000000-{told(file)[0]['id']}.ladder"
    good = founding.read_text("ascii")
    founding.write_text(good.replace("rating-k 16", "rating-k 17"), "ascii")
    check("with another founding", 2, "quick", "is not what the ladder began with")
    lose(file)
    founding.write_text(good.replace("rating-k", "rating"), "ascii")
    check("lost, with a damaged founding", 2, "quick", "expected a line `rating-k K`")
    founding.write_text(good, "ascii")
    check("lost", 0, "ladder quick is lost: a daemon", "ends with entry 8")
    file.write_bytes(b"")
    check("empty", 0, "ladder quick is lost: a daemon", "ends with entry 8")
    fifth.rename(root / "fifth")
    check("lost, without an entry", 2, "quick", "entry 5 of its log is missing")
    (root / "fifth").rename(fifth)
    founding.unlink()
    check("lost, without its founding", 2, "quick", "belongs to another ladder")
    founding.write_text(good, "ascii")
    (root / "plays").mkdir()
    with daemon.Daemon({"quick": QUICK + "16"}, root=root / "plays") as serve:
        serve.start()
        run = tap.referee("serve", "--check", "--config", serve.file)
        tap.ok(run.code == 0 and run.err == "", "--check: beside a daemon", run)
        serve.stop()


def wrong(root):
    """Tests that a bad founding gives one clear sentence and nothing is lost."""
    file = root / "wrong" / "l.db"
    file.parent.mkdir()
    play(file, "--games", 6)
    founding, before = founding_of(file), told(file)
    good = founding.read_text("ascii")
    ident = before[0]["id"]
    lose(file)

    def contents():
        return {path: path.read_bytes() for path in file.parent.rglob("*")
                if path.is_file() and path.suffix != ".lock"}

    def refused(what, part, name=founding.name):
        was = contents()
        for command, run in (("match", play(file, "--games", 2)),
                             ("rebuild", ladder("rebuild", file))):
            tap.ok(run.code == 2 and part in run.err and name in run.err
                   and run.err.count("\n") == 1,
                   f"{what}: {command} names it in one sentence", run)
        tap.equal(contents(), was, f"{what}: nothing is made or lost")

    for what, text, line in (
            ("empty", "", "ladder 1"), ("cut off", good[:70], "ladder ID"),
            ("of another form", good.replace("ladder 1", "ladder 2"), "ladder 1"),
            ("without K", good.replace("rating-k ", "rating "), "rating-k K"),
            ("with another serial", good.replace("serial 0", "serial 1"), "serial N"),
            ("with a line more", good.replace("end\n", "more\nend\n"),
             "enter BOT RATING SEATS OPEN GAME OPTIONS")):
        founding.write_text(text, "ascii")
        refused(f"a founding {what}", f"expected a line `{line}`")
    for what, text in (("at the end of a line", good.removesuffix("end\n")),
                       ("in the last line", good[:-1])):
        founding.write_text(text, "ascii")
        refused(f"a founding cut {what}", "expected `end` as the last line")
    founding.write_text(good.replace(ident, "0" * 32), "ascii")
    refused("a founding of another ladder", "")
    founding.write_text(good, "ascii")
    other = founding.with_name(f"00000000-{'0' * 32}.ladder")
    other.write_text(good.replace(ident, "0" * 32), "ascii")
    refused("two foundings", "are of two ladders", other.name)
    other.unlink()
    founding.rename(founding.with_name("aside"))
    run = ladder("rebuild", file)
    tap.complains(run, 2, "no founding of a ladder", "no founding")
    run = play(file, "--games", 2)
    tap.complains(run, 2, "belongs to another ladder", "no founding: a match")
    founding.with_name("aside").rename(founding)
    elsewhere = file.parent / "elsewhere"
    run = play(file, "--games", 2, "--records", elsewhere)
    tap.ok(run.code == 0 and told(file)[0]["id"] == ident and sorted(
        int(path.name[:8]) for path in elsewhere.glob("0*.rec")) == [7, 8],
        "records in another folder go on behind those beside it", run)
    shutil.rmtree(elsewhere)
    lose(file)
    run = ladder("rebuild", file)
    tap.ok(run.code == 0 and told(file) == before, "and with it all is as it was", run)

    # A ladder whose file exists does not need a founding, and writes it again.
    founding.unlink()
    tap.equal(play(file, "--games", 2).code, 0, "a match without a founding")
    tap.equal(founding.read_text("ascii"), good, "which has it then")
    other.write_text(good.replace(ident, "0" * 32), "ascii")
    tap.equal(play(file, "--games", 2).code, 0, "and with another ladder's beside it")


def replaced(root):
    """Tests a ladder whose file was replaced by that of another one."""
    mine, other = root / "mine" / "club.db", root / "other" / "club.db"
    for file, games in (mine, 4), (other, 2):
        file.parent.mkdir(parents=True)
        play(file, "--games", games, "--seed", f"replaced {file.parent.name}")
    right, before = mine.read_bytes(), told(mine)
    there = sorted(path.name for path in followed.folders_of(mine).iterdir())
    shutil.copy(other, mine)
    tap.complains(play(mine, "--games", 2), 2, "belong to the ladder of",
                  "another ladder's file: a match")
    game = json.loads(ladder("games", other, "--json").out.splitlines()[0])["id"]
    for words in ["rebuild"], ["void", game, "--why", "a mistake"]:
        run = tap.referee("ladder", *words, "--ladder", mine)
        tap.complains(run, 2, "belong to the ladder of", f"and ladder {words[0]}")
    tap.equal(sorted(path.name for path in followed.folders_of(mine).iterdir()),
              there, "and nothing is written beside its records")
    lose(mine)
    ladder("new", mine.with_name("new.db"))
    mine.with_name("new.db").rename(mine)
    tap.complains(play(mine, "--games", 2), 2, "belong", "a new ladder's file, too")
    lose(mine)
    run = play(mine, "--games", 2)
    tap.ok(run.code == 0 and told(mine)[0]["id"] == before[0]["id"],
           "moved away: the ladder is made again", run)
    lose(mine)
    mine.write_bytes(right)
    tap.ok(play(mine, "--games", 2).code == 0 and
           told(mine)[0]["id"] == before[0]["id"], "put back: it goes on")


with arena.Arena() as place:
    replaced(place.root / "replaced")
    season(place.root)
    heirs(place.root)
    rehearsed(place.root)
    wrong(place.root)
    (place.root / "house").mkdir()
    settings(place.root / "house")
tap.done()
