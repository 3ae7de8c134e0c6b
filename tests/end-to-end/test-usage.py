#!/usr/bin/env python3
"""End-to-end because files, disks, rights and descriptors are the machine's: a mistake
in what the command line names gives one sentence, and nothing is made, lost or
overwritten.  test-command-usage has the mistakes in the line itself."""

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


def listing(folder):
    """Returns everything in a folder, with the bytes of files."""
    return {path.relative_to(folder): path.is_file() and path.read_bytes()
            for path in folder.rglob("*")}


def same(before, folder, what):
    after = listing(folder)
    tap.ok(before == after, what,
           sorted(map(str, set(before) ^ set(after))) or "other bytes")


def says(what, sentence, *arguments):
    """Tests that a command is wrong usage and prints exactly this sentence."""
    run = tap.referee(*arguments)
    tap.equal((run.code, run.out, run.err),
              (USAGE, "", f"referee: {sentence}\n"), what)


# ---- what main() says

says("no such command", "there is no command 'frob'; `referee help` lists them",
     "frob")
says("a worker process without a parent",
     "`play-jobs` is for the referee itself", "play-jobs", "1", "0")
says("did you mean", "there is no command 'mtch'; `referee help` lists them; did you "
     "mean match?", "mtch")

# ---- bots

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
    (place.root / "no-program").write_text("words")
    for opinions, part in (
            ("./none", "opinions: cannot find the program './none': No such file"),
            ("./no-program", "opinions: './no-program' is no program"),
            ("./", "opinions: './' is no program"), (sys.executable, None),
            ("off", None), ("strong-bot", None)):
        (place.root / "opinions.conf").write_text(f'opinions = "{opinions}"\n')
        run = tap.referee("serve", "--check", "--config", "opinions.conf",
                          cwd=place.root)
        if part:
            tap.complains(run, USAGE, "opinions.conf: " + part,
                          f"and the program of opinions: {opinions}")
        else:
            tap.equal(run.code, 0, f"--check: opinions = {opinions}")
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
                          "-o", f"points={points}", *arena.PATIENT)
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
# ---- folders, records, ladders

with arena.Arena() as place:
    (place.root / "file").write_text("mine")
    before = listing(place.root)
    for folder, part in (("file", "file' is no folder"),
                         ("file/under", "file/under")):
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
        for what in "show", "rebuild":
            run = tap.referee("ladder", what, "--ladder", name, cwd=place.root)
            tap.complains(run, USAGE, part, f"ladder {what}, {name}")
        run = tap.referee("match", "toepen", *TWO, *FEW, "--ladder", name,
                          cwd=place.root)
        tap.complains(run, USAGE, part, f"match, {name}")
    for lock in place.root.glob("*.lock"):
        lock.unlink()
    before = {path: data for path, data in before.items()
              if path.suffix != ".lock"}
    same(before, place.root, "wrong ladders stay as they are")

# ---- the same seed twice

with arena.Arena() as place:
    seeded = [*TWO, "--seed", "twice", "--exact", "--games", 5]
    tap.equal(place.match("toepen", *seeded).code, 0, "a seed")
    before = listing(place.root)
    for games in (1, 9):
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
    for arguments in (["match", "toepen", *TWO, *FEW], ["help"], ["--version"],
                      ["match", "--help"]):
        run = tap.referee(*arguments, stdout=full)
        tap.complains(run, MACHINE, "cannot write the output",
                      f"output full: {' '.join(map(str, arguments[:3]))}")
    for arguments in (["match", "toepen", *TWO, *FEW], ["games", "--json"],
                      ["match", "--help"]):
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
