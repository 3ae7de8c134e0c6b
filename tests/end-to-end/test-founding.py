#!/usr/bin/env python3
"""Tests how ladders and seasons begin, and are made again when the file is lost.
End-to-end for the commands of people, a kill of one, and what `serve --check` says
of a data folder."""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess

import arena
import big_ladder
import daemon
import followed
import machine
import records
import tap

BOTS = arena.bots("random", ("second", "random"), "house")
SETUP = ["toepen", "-o", "points=1", "--seats", 2]
KILLS, CROWD = (60, 20000) if os.environ.get("CHECK_ALL") == "1" else (3, 2000)
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
    tap.equal({one["bot"]: one["live_elo_milli"] for one in told(new, ["entry"])},
              {one["bot"]: 1200000 + int((one["live_elo_milli"] - 1200000) / 2)
               for one in told(old, ["rating"])},
              "each bot enters a season with half of its way")
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
    other_options(old)


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
        lines = ladder("show", file).out.splitlines()
        tap.equal(lines[-1], "The live Elo: K 8, start rating 1000.",
                  "`ladder show` tells it")
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


def other_options(old):
    """Tests a daemon that plays the season with other options: no bot keeps its
    rating."""
    with daemon.Daemon({"spring": 'game = toepen seats = 2 options = { "points=1" }'}) \
            as serve:
        (serve.data / "ladders" / "old").mkdir(0o700, parents=True)
        serve.data.chmod(0o700)
        shutil.copy(old, serve.data / "ladders" / "old" / "ladder.db")
        run = tap.referee("ladder", "new", "--data", serve.data, "--ladder", "spring",
                          "--from", "old", "--season", "spring")
        tap.equal(run.code, 0, "a season in a data folder")
        check = ["serve", "--check", "--config", serve.file]
        run = tap.referee(*check)
        tap.equal((run.code, run.out, run.err), (0, "ok\n", ""),
                  "with the options of the ladder before it")
        serve.start()
        tap.equal(serve.get("/api/1/ladders/spring").json().get("season"), "spring",
                  "the daemon's pages name the season")
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


def size_of(path):
    try:
        return path.stat().st_size
    except OSError:  # it is gone by now
        return 0


def killed(root):
    big_ladder.fill(root / "big.db", 10, bots=CROWD)
    arguments = ["ladder", "new", "--ladder", "cut.db", "--from", "big.db",
                 "--season", "x"]
    tap.equal(tap.referee(*arguments[:2], "--ladder", "whole.db",
                          *arguments[4:], cwd=root).code, 0, "a season "
              f"of {CROWD} bots")
    size, dice = (root / "whole.db").stat().st_size, tap.dice("kills")
    parts = none = whole = 0
    for _ in range(KILLS):
        # The kill comes when this much is written.
        goal = dice.uniform(0, 1.2) * size
        process = subprocess.Popen(
            [tap.REFEREE, *arguments], cwd=root, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        arena.wait_for(lambda: process.poll() is not None or sum(
            map(size_of, root.glob("*cut.db*"))) >= goal)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if ladder("show", root / "cut.db").code == 0:
            count = len(told(root / "cut.db", ["entry"]))
            whole += count == CROWD
            parts += count != CROWD
            shutil.rmtree(root / "cut.db.records", ignore_errors=True)
            for path in root.glob("cut.db*"):
                path.unlink()
        else:
            none += 1
    tap.note(f"{none} kills left none of it, {whole} all of it")
    tap.equal(parts, 0, "a kill leaves none or all of it")
    run = tap.referee(*arguments, cwd=root)
    tap.ok(run.code == 0 or "is there already" in run.err,
           "and it can be made then", run)
    tap.equal(len(told(root / "cut.db", ["entry"])), CROWD, "as a whole")


def refused(root):
    (root / "old.db").write_bytes((root / "home" / "old.db").read_bytes())
    before = sorted(path.name for path in root.iterdir())
    for arguments, sentence in (
            (["no.db", "--from", "old.db"], "--from and --season go together"),
            (["no.db", "--season", "x"], "--from and --season go together"),
            (["no.db", "--from", "old.db", "--season", "a b"],
             "--season must have the form of a bot's name, not 'a b'"),
            (["no.db", "--from", "gone.db", "--season", "x"], "gone.db"),
            (["old.db", "--from", "old.db", "--season", "x"],
             "old.db is there already")):
        tap.complains(tap.referee("ladder", "new", "--ladder", *arguments, cwd=root), 2,
                      sentence, " ".join(arguments))
    tap.equal(sorted(path.name for path in root.iterdir()
                     if path.name != "old.db.lock"), before, "nothing is made")

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
    tap.complains(play(file, "--games", 2, "--records", folder), 2, "belong to the ladder of",
                  "another ladder's file: a match")
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
    fifth = next(folder.glob("00000005-*.rec"))
    fifth.rename(root / "fifth")
    check("without an entry", 2, "quick", "entry 5 of its log is missing")
    (root / "fifth").rename(fifth)
    founding = folder / f"00000000-{told(file)[0]['id']}.ladder"
    good = founding.read_text("ascii")
    founding.write_text(good.replace("rating-k 16", "rating-k 17"), "ascii")
    check("with another founding", 2, "quick", "is not what the ladder began with")
    lose(file)
    founding.write_text(good.replace("rating-k", "rating"), "ascii")
    check("lost, with a damaged founding", 2, "quick", "expected a line `rating-k K`")
    founding.write_text(good, "ascii")
    check("lost", 0, "ladder quick is lost: a daemon", "ends with entry 8")
    founding.unlink()
    check("lost, without its founding", 2, "quick", "belongs to another ladder")
    run = tap.referee("serve", "--config", config)
    tap.ok(run.code == 3 and "belongs to another ladder" in run.err,
           "a daemon does not start on it", run)
    tap.ok(not file.exists(), "and leaves no new ladder in the place of the lost one")
    tap.complains(ladder("rebuild", file), 2, "no founding",
                  "so a rebuild says that it makes none")
    (root / "plays").mkdir()
    elsewhere = root / "plays" / "new.db"
    tap.equal(tap.referee("ladder", "new", "--ladder", elsewhere).code, 0, "a new one")
    tap.complains(tap.referee("ladder", "rebuild", "--ladder", elsewhere, "--records",
                              folder), 2, "belongs to another ladder",
                  "nor does one without entries take records of another")
    lose(elsewhere)
    shutil.rmtree(root / "plays")
    founding.write_text(good, "ascii")
    (root / "plays").mkdir()
    with daemon.Daemon({"quick": QUICK + "16"}, root=root / "plays") as serve:
        serve.start()
        run = tap.referee("serve", "--check", "--config", serve.file)
        tap.ok(run.code == 0 and run.err == "", "--check: beside a daemon", run)
        serve.stop()


def unread(root):
    """Tests a season after a ladder whose records this user may not read."""
    file = root / "unread" / "cup.db"
    file.parent.mkdir()
    play(file, "--games", 2)
    folder = pathlib.Path(f"{file}.records")
    words = ["ladder", "new", "--ladder", file.with_name("next.db"), "--from", file,
             "--season", "x"]
    user = machine.NOBODY if os.getuid() == 0 else ()
    for path in file.parent, *file.parent.glob("cup.db*"):
        path.chmod(0o777)
    for path in (root, root.parent) if user else ():
        path.chmod(path.stat().st_mode | 0o011)
    folder.chmod(0o300)
    seen = not user or tap.run([*user, "test", "-w", file]).code == 0 and tap.run(
        [*user, tap.REFEREE, "--version"]).code == 0
    if not tap.skip("records of others", None if seen else "cannot become another"):
        run = tap.run([*user, tap.REFEREE, *words])
        tap.complains(run, 3, f"cannot read {folder}, which must show that ladder "
                      f"{file} has all of its games: Permission denied",
                      "no season begins where the records may not be read")
    folder.chmod(0o700)


with arena.Arena() as place:
    season(place.root)
    refused(place.root)
    killed(place.root)
    heirs(place.root)
    rehearsed(place.root)
    unread(place.root)
    (place.root / "house").mkdir()
    settings(place.root / "house")
tap.done()
