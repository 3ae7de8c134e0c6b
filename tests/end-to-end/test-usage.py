#!/usr/bin/env python3
"""Tests that each mistake in the command line or in the files it names gives
one sentence, and that nothing is made, lost or overwritten."""

import os
import pathlib
import sqlite3
import subprocess
import sys

import arena
import daemon
import tap

TWO = arena.bots("random", "house")
FEW = ["--games", 2]
USAGE, MACHINE = 2, 3
ALL = bool(os.environ.get("CHECK_ALL"))  # each wrong word at each place


def listing(folder):
    """Returns everything in a folder, with the bytes of files."""
    return {path.relative_to(folder): path.is_file() and path.read_bytes()
            for path in folder.rglob("*")}


def same(before, folder, what):
    after = listing(folder)
    tap.ok(before == after, what,
           sorted(map(str, set(before) ^ set(after))) or "other bytes")


def complains(what, code, part, *arguments, **options):
    """Runs a command in a folder of its own, in which it must leave nothing."""
    with arena.Arena() as place:
        before = listing(place.root)
        run = tap.referee(*arguments, cwd=place.root, **options)
        tap.complains(run, code, part, what)
        if listing(place.root) != before:
            tap.ok(False, f"{what}: leaves nothing", listing(place.root))


def says(what, sentence, *arguments):
    """Tests that a command is wrong usage and prints exactly this sentence."""
    run = tap.referee(*arguments)
    tap.equal((run.code, run.out, run.err),
              (USAGE, "", f"referee: {sentence}\n"), what)


# ---- the game, its seats and options

says("no such command", "there is no command 'frob'; `referee help` lists them",
     "frob")
says("a worker process without a parent",
     "`play-jobs` is for the referee itself", "play-jobs", "1", "0")
complains("no game", USAGE, "GAME", "match")
complains("two games", USAGE, "daumen-drauf", "match", "toepen",
          "daumen-drauf", *TWO)
says("unknown game", "there is no game 'poker'; `referee games` lists them",
     "match", "poker", *TWO)
for few in ([], ["--bot", "random"]):
    says(f"{len(few) // 2} bots", "give --bot at least twice; `random` and "
         "`house` are built in", "match", "toepen", *few)
says("too many seats", "toepen needs 2 to 8 seats", "match", "toepen", *TWO,
     "--seats", 9)
says("the sentence of the other game",
     "daumen-drauf is for 2 to 7 seats, not 8", "match", "daumen-drauf", *TWO,
     "--seats", 8)
says("too few bots", "3 seats need 3 bots, not 2", "match", "toepen", *TWO,
     "--seats", 3)
complains("no seats", USAGE, "--seats", "match", "toepen", *TWO, "--seats", 0)
for value in ("0", "100", "", "01"):  # test-setups tries others
    says(f"points={value}", "option points must be an integer from 1 to 99",
         "match", "toepen", *TWO, "-o", f"points={value}")
for value in ("0", "51"):
    says(f"games={value}",
         f"option games must be an integer from 1 to 50, not {value}",
         "match", "daumen-drauf", *TWO, "-o", f"games={value}")
says("unknown option of a game", "toepen has no option rounds; it has points",
     "match", "toepen", *TWO, "-o", "rounds=3")
says("seats before options", "durnius needs 2 to 6 seats", "match", "durnius",
     *TWO, "--seats", 7, "-o", "games=0", "-o", "travel=yes")
says("names of options before values", "durnius has no option foo; it has decks, "
     "passing, travel, adding, teams, start, dealer, games, scoring, "
     "epaulettes", "match", "durnius", *TWO, "-o", "games=0", "-o", "foo=1")
says("an option before all together",
     "option games must be an integer from 1 to 1000", "match", "durnius",
     *TWO, "-o", "travel=yes", "-o", "games=0")
says("options together", "travel yes needs passing yes", "match", "durnius",
     *TWO, "-o", "travel=yes", "-o", "teams=pairs")
says("an option of a game twice", "option points is given twice", "match",
     "toepen", *TWO, "-o", "points=3", "-o", "points=4")
says("-o without a name", "-o takes NAME=VALUE; '=3' has no NAME", "match",
     "toepen", *TWO, "-o", "=3")
for value in ("points", "=5", ""):
    complains(f"-o '{value}'", USAGE, "NAME=VALUE", "match", "toepen", *TWO,
              "-o", value)
for command in ("match", "games", "replay", "verify", "bench"):
    says(f"{command}: unknown option", "there is no option '--xyzzy'", command,
         "--xyzzy")
    if ALL or command == "match":
        says(f"{command}: unknown letter", "there is no option '-x'", command,
             "-x")
says("no value", "option '--games' needs a value", "match", "toepen", *TWO,
     "--games")
says("no value for a letter", "option '-g' needs a value", "match", "toepen",
     *TWO, "-g")
says("an unknown letter among others", "there is no option '-x'", "games",
     "-jx")
says("a value too many", "option '--json=3' takes no value", "match", "toepen",
     *TWO, "--json=3")
LONG, CUT = "x" * 5000, "'" + "x" * 100 + "...'"
for what, *arguments in (
        ("command", LONG), ("help", "help", LONG), ("game", "match", LONG),
        ("name", "match", "toepen", "--bot", "random", "--name", LONG),
        ("number", "match", "toepen", *TWO, "--games", LONG),
        ("option of the game", "match", "toepen", *TWO, "-o", LONG),
        ("way", "match", "toepen", *TWO, "--open", LONG),
        ("view", "replay", "--view", LONG, "file")):
    complains(f"a {what} of 5000 bytes is cut", USAGE, CUT, *arguments)
complains("an option of 5000 bytes is cut", USAGE,
          "'--" + "x" * 98 + "...'", "match", "--" + LONG)
for option in ("--ladder", "--records"):
    says(f"{option} ''", f"{option} takes a path, not ''", "match", "toepen",
         *TWO, option, "")
complains("bad --open", USAGE, "priority or arrival", "match", "toepen", *TWO,
          "--open", "both")

# ---- did you mean

for what, words, sentence in (
        ("command", ["mtch"], "there is no command 'mtch'; `referee help` "
         "lists them; did you mean match?"),
        ("option", ["match", "toepen", *TWO, "--gmaes=3"],
         "there is no option '--gmaes=3'; did you mean --games?"),
        ("game", ["games", "dread"], "there is no game 'dread'; `referee "
         "games` lists them"),
        ("game", ["match", "teopen", *TWO], "there is no game 'teopen'; "
         "`referee games` lists them; did you mean toepen?"),
        ("game", ["check", "--game", "daumendrauf", "x"], "there is no game "
         "'daumendrauf'; `referee games` lists them; did you mean "
         "daumen-drauf?"),
        ("word of ladder", ["ladder", "shwo"], "there is no `referee ladder` "
         "'shwo'; `referee ladder --help` lists what there is; did you mean "
         "show?"),
        ("word of ladder before its options", ["ladder", "shwo", "--ladder",
                                               "l.db"],
         "there is no `referee ladder` 'shwo'; `referee ladder --help` lists "
         "what there is; did you mean show?"),
        ("word too many", ["ladder", "show", "nobody"],
         "unexpected argument 'nobody'"),
        ("number", ["ladder", "new", "--k", "1e3"],
         "--k must be a number from 0 to 1000 with at most three decimals, "
         "not '1e3'")):
    says(f"{what}: {words[-1]}", sentence, *words)
complains("a word of bots", USAGE, "did you mean list?", "bots", "lst")
for what in (["list"], ["log", "ann"], ["pardon", "ann"], ["owner", "ann"],
             ["disable", "ann"], ["remove", "ann"]):
    complains(f"bots {what[0]} makes no folder", USAGE,
              "nodata is not a daemon's data folder", "bots", *what, "-d",
              "nodata")
    if ALL or what == ["list"]:
        complains(f"bots {what[0]} makes nothing in another folder", USAGE,
                  "is not a daemon's data folder", "bots", *what, "-d", ".")
for what in ("show", "history", "games", "export", "rebuild", "void"):
    word = ["ann"] if what in ("history", "void") else []
    complains(f"ladder {what} makes no folder", USAGE, "nodata", "ladder", what,
              *word, *(["--why", "x"] if what == "void" else []), "-d",
              "nodata", "-l", "a")
for file in (__file__, sys.executable):
    says(f"replay {file}", f"{file}:1: expected the record of a game, which "
         "begins with `record 1`; this is not one", "replay", file)

# ---- bots

for command, part in (
        ("./none", "'./none': no such file"),
        ("no-such-bot", "no such program in PATH"),
        ("", "empty"), ("  ", "empty"),
        ("'open", "quote"), ("a | b", "outside of quotes"),
        ("$(id)", "shell"), ("$NO_SUCH_VARIABLE", "variable"),
        ("x" * 4097, "4096")):
    complains(f"--bot {command[:20]!r}", USAGE, part, "match", "toepen", *TWO,
              "--bot", command)
with arena.Arena() as place:
    (place.root / "plain").touch()
    (place.root / "folder").mkdir()
    (place.root / "broken").write_text("#!/no/such/interpreter\n")
    (place.root / "broken").chmod(0o755)
    for command, part in (("./plain", "not executable"),
                          ("./folder", "./folder/bot.conf: cannot read it")):
        tap.complains(place.match("toepen", *TWO, "--bot", command), USAGE,
                      part, f"--bot {command}")
    tap.ok(not place.folder.exists(), "wrong bots: no folder is made")
    tap.complains(place.match("toepen", *TWO, "--bot", "./broken"), USAGE,
                  "'./broken': its interpreter '/no/such/interpreter' is "
                  "missing", "a script without its interpreter")
    tap.ok(not place.folder.exists(), "and no folder is made for it")
    (place.root / "broken").write_bytes(b"#!/bin/sh\r\necho\r\n")
    tap.complains(place.match("toepen", *TWO, "--bot", "./broken"), USAGE,
                  "is missing; the file has the line ends of Windows",
                  "a script from Windows")
    (place.root / "tls.conf").write_text(
        "listener safe { kind = tls port = 7450 certificate = none.pem "
        "key = none.pem }\n")
    tap.complains(tap.referee("serve", "--check", "--config", "tls.conf",
                              cwd=place.root), USAGE,
                  "tls.conf: listener safe: cannot read the certificate "
                  "none.pem", "--check reads the certificates")
    (place.root / "queue.conf").write_text(
        'queue = "dbname=x"\nqueue-key = "none.key"\n')
    tap.complains(tap.referee("serve", "--check", "--config", "queue.conf",
                              cwd=place.root), USAGE,
                  "queue.conf: cannot open the key 'none.key'",
                  "and the key of the queue")
    what = "and whether they have expired"
    later = daemon.make_certificate(place.root) and \
        daemon.wrong_date(place.root)
    if later:
        (place.root / "wrong").write_text(str(3 * 86400))
        (place.root / "old.conf").write_text(
            "listener safe { kind = tls port = 7450 certificate = cert.pem "
            "key = key.pem }\n")
        check_ = ["serve", "--check", "--config", "old.conf"]
        tap.equal(tap.referee(*check_, cwd=place.root).code, 0,
                  "a certificate of two days")
        tap.complains(tap.referee(*check_, cwd=place.root, env=later), USAGE,
                      "old.conf: listener safe: the certificate cert.pem has "
                      "expired", what)
    else:
        tap.skip(what, "there is no openssl, or no C compiler")
    (place.root / "off.conf").write_text("sandbox = off sandbox-minimum = B\n")
    tap.complains(tap.referee("serve", "--check", "--config", "off.conf",
                              cwd=place.root), USAGE,
                  "off.conf: the sandbox is off, but at least tier B",
                  "and the sandbox")
    (place.root / "uploads.conf").write_text("sandbox = off uploads = yes\n")
    tap.complains(tap.referee("serve", "--check", "--config", "uploads.conf",
                              cwd=place.root), USAGE,
                  "uploads.conf: uploads = yes needs a sandbox",
                  "and that of uploads")
    (place.root / "many.conf").write_text(
        "limits { connections = 100000 }\n")
    tap.complains(tap.run(["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh",
                           tap.REFEREE, "serve", "--check", "--config",
                           "many.conf"], cwd=place.root), USAGE,
                  "many.conf: 100000 connections", "and the open files")
    broken = place.root / "data" / "ladders" / "quick"
    broken.mkdir(parents=True)
    (broken / "ladder.db").write_text("no ladder")
    (place.root / "broken.conf").write_text(
        "data = data ladder quick { game = toepen }\n")
    tap.complains(tap.referee("serve", "--check", "--config", "broken.conf",
                              cwd=place.root), USAGE,
                  "broken.conf: ladder quick: ", "and the ladders")

# The bot's program is gone when the second game begins.
for jobs, points in ((1, 99), (4, 1)):
    with arena.Arena() as place:
        gone = place.root / "gone"
        gone.write_text(f"#!/bin/sh\nrm -f '{gone}'\nexec {arena.FIRST}\n")
        gone.chmod(0o755)
        run = place.match("toepen", *arena.bots("random", str(gone)),
                          "--games", 20, "--jobs", jobs, "--ladder", "l.db",
                          "-o", f"points={points}")
        records = place.records()
        rated = [one for one in records if not one.aborted()]
        # If there are several jobs, a shell may start and find its script gone.
        tap.ok(run.code == USAGE and run.err.splitlines()[-1] in (
            f"referee: bot gone cannot be started: '{gone}': no such file",
            *["referee: bot gone never begins: it ended with status 2 before "
              "it said anything"][:jobs - 1]),
               f"{jobs} at a time: a program that is gone ends the match", run)
        # A shell may find the script gone if there are several jobs at a time.
        tap.ok(len(rated) < 5 and (jobs > 1 or not any(map(any, (
            one.faults() for one in rated)))),
            "and nobody is rated by games without it",
            [one.faults() for one in rated])
        tap.ok(len(rated) + (points > 1) <= len(records) < 12 and all(
            one.header("aborted") == "not-started"
            for one in records if one not in rated),
            "which are aborted", [one.head for one in records])
        run = tap.referee("verify", place.folder)
        tap.equal(run.code, 0, "and verify")
for name in ("", " ", "-a", ".a", "a b", "x" * 33, "ä"):
    complains(f"--name {name!r}", USAGE, "name", "match", "toepen", *TWO,
              "--name", name)
says("two names", "two names for one bot: 'one' and 'two'", "match", "toepen",
     *TWO, "--name", "one", "--name", "two")
for ladder in ([], ["--ladder", "l.db"]):
    with arena.Arena() as place:
        for name in ("a", "b"):
            (place.root / name).mkdir()
            (place.root / name / "bot.sh").write_text(f"exec {arena.FIRST}\n")
        run = place.match("toepen", *arena.bots("sh a/bot.sh", "sh b/bot.sh"),
                          *FEW, *ladder)
        if ladder:
            tap.complains(run, USAGE, "two bots would be called 'bot'; give "
                          "them --name", "a ladder needs names")
            tap.ok(not place.folder.exists()
                   and not (place.root / "l.db").exists(), "and is not made")
        else:
            tap.ok(run.code == 0 and "bot-2" in run.out,
                   "without a ladder a number will do", run)
says("two equal names", "two bots have the name 'one'", "match", "toepen",
     *arena.bots(("one", "random"), ("one", "house")))
complains("--name before any bot", USAGE, "after its --bot", "match", "toepen",
          "--name", "one", *TWO)
complains("--entropy before any bot", USAGE, "after its --bot", "match",
          "toepen", "--entropy", *TWO)
complains("257 bots", USAGE, "256", "match", "toepen", "--seats", 2,
          *arena.bots(*["random"] * 257))
run = tap.referee("match", "toepen", "--seats", 8, "--games", 8,
                  *arena.bots(*["random"] * 256))
tap.ok(run.code == 0 and run.out.count(" random") == 256,
       "256 bots may be in a round robin of eight seats", run)

# ---- numbers: the last that is taken, and the next one

for option, low, high in (("--games", 1, 1000000), ("--jobs", 1, 1000),
                          ("--faults", 1, 1000), ("--bank", 0, 86400000),
                          ("--increment", 0, 86400000),
                          ("--move-time", 1, 86400000),
                          ("--total", 1, 604800000)):
    words = ("", "1x", "x", "1.5", 1 << 64)
    for value in (low - 1, high + 1,
                  *(words if ALL or option == "--games" else ())):
        complains(f"{option}={value}", USAGE, f"from {low} to {high}", "match",
                  "toepen", *TWO, f"{option}={value}")
    for value in (low, high):
        if (option, value) == ("--games", high):
            continue
        run = tap.referee("match", "toepen", *TWO, *FEW, f"{option}={value}")
        uneven = (option, value) == ("--games", low)
        # Such a short time soon runs out, which is reported; and on a busy
        # machine a millisecond may be too short for any bot.
        short = (option, value) in (("--total", low), ("--move-time", low)) \
            and "timeout" in run.err
        tap.ok(run.code == 0 and ("equally often" in run.err if uneven
                                  else short or not run.err),
               f"{option}={value} is taken", run)
complains("the most games are taken, the bot is not", USAGE, "./none", "match",
          "toepen", *TWO, "--games", 1000000, "--bot", "./none")
for text in ("", "x" * 257):
    complains(f"a seed of {len(text)} bytes", USAGE, "1 to 256 bytes", "match",
              "toepen", *TWO, "--seed", text)
for text in ("x", "x" * 256, "any ; bytes\n\x7f"):
    run = tap.referee("match", "toepen", *TWO, *FEW, "--seed", text)
    tap.ok(run.code == 0 and "seed:" not in run.out,
           f"a seed of {len(text)} bytes is taken", run)

# ---- folders, records, ladders

with arena.Arena() as place:
    (place.root / "file").write_text("mine")
    before = listing(place.root)
    for folder, part in (("file", "file' is no folder"),
                         ("file/under", "file/under"),
                         ("no/such", "no/such")):
        run = tap.referee("match", "toepen", *TWO, *FEW, "--records",
                          place.root / folder)
        tap.complains(run, USAGE, part, f"--records {folder}")
        run = tap.referee("match", "toepen", *TWO, *FEW, "--ladder", "l.db",
                          "--records", place.root / folder, cwd=place.root)
        tap.complains(run, USAGE, part, f"--records {folder} with a ladder")
        run = tap.referee("match", "toepen", *TWO, *FEW, "--ladder",
                          place.root / folder / "l.db")
        tap.complains(run, USAGE, folder.split("/")[0], f"--ladder {folder}/")
    same(before, place.root, "wrong folders: nothing is made or changed")
    run = tap.run(["sh", "-c", 'ulimit -n 200; exec "$@"', "sh", tap.REFEREE,
                   "match", "toepen", "--bot", "random", "--bot", arena.FIRST,
                   "--games", 1000, "--jobs", 1000])
    tap.complains(run, USAGE, "take fewer --jobs", "more jobs than files")

with arena.Arena() as place:
    with sqlite3.connect(place.root / "foreign.db") as base:
        base.execute("create table mine(x)")
    (place.root / "junk.db").write_bytes(b"junk" * 1000)
    (place.root / "folder.db").mkdir()
    run = place.match("toepen", *TWO, "--games", 20, "--ladder", "good.db")
    tap.equal(run.code, 0, "a ladder is made")
    good = (place.root / "good.db").read_bytes()
    (place.root / "cut.db").write_bytes(good[:len(good) // 2])
    before = listing(place.root)
    for name, part in (("foreign.db", "another SQLite database"),
                       ("junk.db", "not a ladder"),
                       ("folder.db", "not a file"), ("cut.db", "damaged")):
        readers = (["games"], ["history", "random"], ["export"])
        for what in (["show"], ["rebuild"],
                     *(readers if ALL or name == "cut.db" else ())):
            run = tap.referee("ladder", *what, "--ladder", name,
                              cwd=place.root)
            tap.complains(run, USAGE, part, f"ladder {what[0]}, {name}")
        run = tap.referee("match", "toepen", *TWO, *FEW, "--ladder", name,
                          cwd=place.root)
        tap.complains(run, USAGE, part, f"match, {name}")
    for lock in place.root.glob("*.lock"):
        lock.unlink()
    before = {path: data for path, data in before.items()
              if path.suffix != ".lock"}
    same(before, place.root, "wrong ladders stay as they are")
    run = tap.referee("ladder", "show", "--ladder", "none.db", cwd=place.root)
    tap.complains(run, USAGE, "none.db", "ladder show without a ladder")
    run = tap.referee("ladder", "history", "nobody", "--ladder", "good.db",
                      cwd=place.root)
    tap.complains(run, USAGE, "nobody", "ladder history of an unknown bot")
    tap.ok(not (place.root / "none.db").exists(), "looking makes no ladder")

    record = place.records()[0].path
    cut = place.root / "cut.rec"
    cut.write_bytes(record.read_bytes()[:-40])
    for path, part in ((place.root / "none.rec", "none.rec"),
                       (place.root / "folder.db", "folder.db"),
                       (place.root / "junk.db", "junk.db:1"),
                       (cut, "cut.rec:")):
        tap.complains(tap.referee("replay", path), USAGE, part,
                      f"replay {path.name}")
    for path in (place.root / "none.rec", place.root / "folder.db"):
        tap.complains(tap.referee("verify", path), USAGE, path.name,
                      f"verify {path.name}")
    run = tap.referee("verify", cut, record)
    tap.ok(run.code == 1 and f"\nok {record} " in run.out
           and f"{cut}:" in run.out, "verify tells which of two is cut", run)

# ---- the same seed twice

with arena.Arena() as place:
    seeded = [*TWO, "--seed", "twice", "--exact", "--games", 5]
    tap.equal(place.match("toepen", *seeded).code, 0, "a seed")
    before = listing(place.root)
    for games in (1, 5, 9):
        run = place.match("toepen", *seeded, "--games", games)
        tap.complains(run, USAGE, "'twice'", f"the same seed, {games} games")
    same(before, place.root, "the same seed: records stay as they are")
    for one in place.records()[::2]:
        one.path.unlink()
    before = listing(place.root)
    run = place.match("toepen", *seeded)
    tap.complains(run, USAGE, "'twice'", "the same seed, some games are there")
    same(before, place.root, "those stay as they are")
with arena.Arena() as place:
    seeded = [*TWO, "--seed", "twice", "--exact", "--games", 5, "--ladder", "l.db"]
    tap.equal(place.match("toepen", *seeded).code, 0, "a seed and a ladder")
    run = place.match("toepen", *seeded, "--records", "other")
    tap.complains(run, USAGE, "'twice'",
                  "the same seed for one ladder, records elsewhere")
    run = tap.referee("ladder", "rebuild", "--ladder", "l.db", cwd=place.root)
    tap.equal(run.code, 0, "that ladder can be rebuilt")

# ---- the machine

with open("/dev/full", "wb") as full:
    for arguments in (["match", "toepen", *TWO, *FEW],
                      ["match", "toepen", *TWO, *FEW, "--json"], [], ["help"],
                      ["--help"], ["-h"], ["help", "match"], ["--version"],
                      ["match", "--help"],
                      ["ladder", "show", "--help"]):
        run = tap.referee(*arguments, stdout=full)
        tap.complains(run, MACHINE, "cannot write the output",
                      f"output full: {' '.join(map(str, arguments[:3]))}")
    for arguments in (["match", "toepen", *TWO, *FEW], ["help"], ["games"],
                      ["games", "--json"], ["match", "--help"]):
        run = tap.run(["sh", "-c", 'exec "$@" >&-', "sh", tap.REFEREE,
                       *arguments])
        tap.complains(run, MACHINE, "cannot write the output",
                      f"output closed: {' '.join(map(str, arguments[:3]))}")
    with arena.Arena() as place:
        place.match("toepen", *TWO, "--games", 20, "--ladder", "l.db")
        record = place.records()[0].path
        for arguments in (["ladder", "show"], ["ladder", "export"],
                          ["ladder", "games"], ["ladder", "rebuild"],
                          ["replay", record], ["verify", record]):
            run = tap.referee(*arguments, *(["--ladder", "l.db"]
                              if arguments[0] == "ladder" else []),
                              stdout=full, cwd=place.root)
            tap.complains(run, MACHINE, "cannot write the output",
                          f"output full: {arguments[0]} "
                          f"{pathlib.Path(arguments[1]).suffix or arguments[1]}")


def as_nobody():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def nobody_can_run():
    """Returns true if a user without rights can reach the program."""
    try:
        return subprocess.run([tap.REFEREE, "--version"], check=False,
                              stdout=subprocess.DEVNULL, preexec_fn=as_nobody
                              ).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def without_rights():
    what = "folders and files without rights"
    if not nobody_can_run():
        tap.ok(True, f"{what} # SKIP {tap.REFEREE} is out of reach for others")
        return
    with arena.Arena() as place:
        place.root.chmod(0o755)
        place.match("toepen", *TWO, *FEW, "--ladder", "l.db")
        (place.root / "l.db").chmod(0o444)
        closed = place.root / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        secret = place.root / "secret.rec"
        secret.write_text("record 1\n")
        secret.chmod(0)
        for arguments, code, part in (
                (["match", "toepen", *TWO, *FEW, "--records", closed],
                 MACHINE, "closed"),
                (["match", "toepen", *TWO, *FEW, "--records", closed / "new"],
                 MACHINE, "new"),
                (["match", "toepen", *TWO, *FEW, "--ladder", closed / "l.db"],
                 MACHINE, "l.db"),
                (["match", "toepen", *TWO, *FEW, "--ladder",
                  place.root / "l.db"], MACHINE, "l.db"),
                (["replay", secret], None, "secret.rec"),
                (["verify", secret], None, "secret.rec")):
            run = tap.referee(*arguments, cwd="/", preexec_fn=as_nobody)
            tap.complains(run, code or run.code, part,
                          f"without rights: {arguments[0]} "
                          f"{arguments[-1].name}")
            tap.ok(run.code in (USAGE, MACHINE), "and it fails", run)
        closed.chmod(0o755)
        tap.ok(not list(closed.iterdir()), "without rights: nothing is made")


def in_small_folder(script):
    """Runs a shell script with $FOLDER on a file system of its own that has
    room for 400 kB, and for ten times that once `ballast` is removed; returns
    None if that is not possible."""
    with arena.Arena() as place:
        mount = ("mount -t tmpfs -o size=4m tmpfs \"$FOLDER\" &&"
             "head -c 3600k /dev/zero >\"$FOLDER/ballast\"")
        for way in (["unshare", "-m"], ["unshare", "-rm"]):
            command = [*way, "sh", "-c", f"{mount} || exit 1\n{script}\nexit 0"]
            try:
                run = tap.run(command, env=dict(
                    os.environ, FOLDER=str(place.root / "tmp"),
                    REFEREE=tap.REFEREE))
            except FileNotFoundError:
                return None
            if run.code == 0:
                return run
    return None


def full_disk():
    games = ('"$REFEREE" match toepen --bot random --bot house --games 5000 '
             '--seed full --json')
    run = in_small_folder(f"""
        {games} --records "$FOLDER/records"; echo "code $?"
        "$REFEREE" verify "$FOLDER/records" | grep -c '^ok '
        ls "$FOLDER/records" | grep -Evc '[.](rec|asks)$'
        """)
    if run is None:
        tap.ok(True, "full disk # SKIP no file system can be mounted here")
        return
    lines = run.out.splitlines()
    found, halves = map(int, lines[-2:])
    tap.ok("code 3" in lines and "No space left on device" in run.err
           and run.err.count("\n") == 1, "full disk: one sentence, 3", run)
    tap.ok(found > 0 and halves == 0, "full disk: whole records only", run)
    run = in_small_folder(f"""
        cd "$FOLDER"
        {games} --ladder l.db >/dev/null; echo "code $?"
        rm ballast
        "$REFEREE" match toepen --bot random --bot house --games 2 \\
            --ladder l.db >/dev/null 2>&1; echo "code $?"
        "$REFEREE" ladder export --ladder l.db >first
        "$REFEREE" ladder rebuild --ladder l.db --json
        "$REFEREE" ladder export --ladder l.db | cmp - first && echo same
        "$REFEREE" ladder games --ladder l.db --json | wc -l
        ls l.db.records | grep -c '[.]rec$'
        """)
    lines = run.out.splitlines()
    tap.ok(lines[0] == "code 3" and run.err.count("\n") == 1,
           "full disk, a ladder: one sentence, 3", run)
    tap.equal(lines[1], "code 0", "there is room again: it goes on")
    tap.ok("same" in lines and '"added":0' in lines[2]
           and '"changed":0' in lines[2],
           "and is what its records say", run)
    tap.equal(lines[-2], lines[-1], "and every record counts once")


without_rights()
full_disk()
tap.done()
