#!/usr/bin/env python3
"""End-to-end because the program itself says which commands print JSON: each line of every
--json parses, and has exactly the keys that the manual documents, in normal and in
unusual cases."""

import csv
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import arena
import held
import keys
import local_bots
import postgres
import tap

VECTORS = tap.VECTORS
TWO = ["--bot", "random", "--bot", "house"]
OFF = ["--sandbox", "off"]


def commands():
    """Returns the commands whose --help lists an option for JSON."""
    listed = re.findall(r"^  ([a-z]+) ", tap.referee("help").out, re.MULTILINE)
    found = set()
    for name in listed:
        text = tap.referee(name, "--help").out if name != "help" else ""
        if name == "ladder":
            parts = re.findall(r"^  ([a-z]+) ", text.split("-?,")[0],
                               re.MULTILINE)
            found |= {f"ladder {part}" for part in parts
                      if "json" in tap.referee("ladder", part, "--help").out}
        elif "--json" in text or name == "tournament":
            found.add(name)
    return found


TRIED = set()


def tries(name, *arguments, code=0, lines=None, what, **options):
    """Runs a command, which must print `lines` lines, or at least one."""
    TRIED.add(name)
    run = tap.referee(*name.split(), *arguments, **options)
    found = run.out.split("\n")
    bad = [one for one in (keys.wrong(name, line) for line in found[:-1]) if one]
    count = len(found) - 1
    tap.ok(run.code == code and not bad and found[-1] == ""
           and (count > 0 if lines is None else count == lines),
           f"{name}: {what}", f"{bad[:3]}\n{count} lines\n{run}")
    return found[:-1]


def interrupted(name, *arguments, ready, what):
    """Interrupts a command as soon as ready() is true."""
    with subprocess.Popen([tap.REFEREE, *name.split(), *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE
                          ) as process:
        came = arena.wait_for(ready)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=tap.TIMEOUT_S)
    found = out.decode().split("\n")
    bad = [one for one in (keys.wrong(name, line) for line in found[:-1]) if one]
    tap.ok(came and not bad and found[-1] == "" and len(found) > 1
           and process.returncode == -signal.SIGINT,
           f"{name}: {what}", f"{bad}\n{process.returncode}\n{out}\n{err}")


def silent(mark):
    """A bot that only tells the test that it runs."""
    return (f"{sys.executable} -c 'import signal; open(\"{mark}\", \"w\"); "
            "signal.pause()'")


def test_match(folder):
    ladder = folder / "l.db"
    tries("match", "toepen", *TWO, "--games", 4, "--json", "--ladder", ladder,
          "--records", folder / "records", "--asks", lines=3, what="a match")
    tries("match", "durnius", *TWO, "--bot", "house", "--open", "arrival",
          "--games", 3, "--json", "--seed", "text", "-o", "games=2", lines=4,
          what="options and seats")
    tries("match", "toepen", *TWO, "--games", 1, "--exact", "--json", "--seed", "\udcff\udce9",
          lines=3, what="a seed that is not UTF-8")
    tries("tournament", "swiss", "toepen", *TWO, "--json", "--cross",
          "--rounds", 2, lines=4, what="a swiss and its cross table")
    tries("tournament", "knockout", "toepen", *TWO, "--bot", "false", "--json",
          *OFF, code=2, lines=0, what="a bot that never begins")
    tries("match", "toepen", "--bot", "random", "--bot", "/nowhere/x", *OFF,
          "--games", 1, "--exact", "--json", code=2, lines=0, what="a bot that is not there")
    mark = folder / "asked"
    bot = silent(mark)
    interrupted("match", "toepen", "--bot", bot, "--bot", "random", *OFF,
                "--json", "--games", 2, "--records", folder / "stopped",
                ready=mark.exists, what="stopped before a game was over")
    tries("match", "toepen", "--bot", "echo say hm", "--bot", "random", *OFF,
          "--games", 2, "--json", lines=3, what="a bot that ends at once")
    return ladder


def test_ladder(ladder, folder):
    on = ["--ladder", ladder]
    empty = ["--ladder", folder / "empty.db"]
    tap.referee("ladder", "new", *empty)
    for name, count, none in (("show", 2, 0), ("games", 4, 0),
                              ("rebuild", 1, 1)):
        tries(f"ladder {name}", "--json", *on, lines=count, what="a ladder")
        tries(f"ladder {name}", "--json", *empty, lines=none, what="no games")
    tries("ladder show", "--json", "--versions", "random", *on, lines=1,
          what="a bot's versions")
    tries("ladder fit", "--json", "--cross", *on, lines=3, what="a ladder")
    tries("ladder fit", "--json", "--versus", "random", "house", *on, lines=1,
          what="a pair")
    tries("ladder fit", "--json", *empty, lines=0, what="no games")
    tries("ladder history", "random", "--json", *on, lines=4, what="a bot")
    tries("ladder export", *on, lines=1 + 1 + 2 + 4, what="everything")
    tries("ladder export", "--format", "json", *empty, lines=2, what="no games")
    season = folder / "season.db"
    tap.referee("ladder", "new", "--ladder", season, *["--from", on[1]],
                "--season", "x")
    tries("ladder export", "--ladder", season, lines=4,
          what="what bots enter a season with")
    game = json.loads(tap.referee("ladder", "games", "--json",
                                  *on).out.split("\n")[0])["id"]
    tries("ladder void", "--json", "--why", "x", game, *on, lines=1,
          what="a game")
    tries("ladder void", "--json", "--why", "x", game, *on, code=2, lines=0,
          what="the same game")
    for name, count in (("show", 2), ("games", 4), ("history", 4),
                        ("export", 8)):
        tries(f"ladder {name}", *["random"] * (name == "history"),
              *["--json"] * (name != "export"), *on, lines=count,
              what="a voided game")
    for which, rows in ((on, 8), (empty, 0)):
        run = tap.referee("ladder", "export", "--format", "csv", *which)
        table = list(csv.reader(io.StringIO(run.out)))
        tap.equal(({len(row) for row in table}, len(table) - 1, run.code),
                  ({len(table[0])}, rows, 0), "CSV: as many fields everywhere")
        tap.ok((set(table[0]), set()) in keys.FORMS["CSV"],
               "CSV: the documented columns", run)
        run = tap.referee("ladder", "fit", "--csv", *which)
        table = list(csv.reader(io.StringIO(run.out)))
        tap.ok((set(table[0]), set()) in keys.FORMS["CSV"] and
               len(table) == 1 + (rows > 0) * 2 and
               len({len(row) for row in table}) == 1,
               "CSV of a fit: the documented columns", run)
    tries("ladder void", "--bot", "random", "--since", "2000-01-01", "--why",
          "x", "--json", *on, lines=1, what="a bot's games")


def test_records(folder):
    some = sorted((folder / "records").glob("*.rec"))[0]
    for path in (some, VECTORS / "toepen-aborted.rec",
                 VECTORS / "durnius-retired.rec"):
        for how in ([], ["--asks"], ["--tables", "--asks"], ["--view", "1", "--asks"],
                    ["--view", "public"]):
            tries("replay", "--json", *how, path, what=f"{path.stem} {how}")
    tries("replay", "--json", VECTORS / "toepen-source.rec", "--against",
          VECTORS / "toepen-source.rec", lines=0, what="no difference")
    tries("replay", "--json", "--view", "1", "--opinions", "--playouts", "10",
          VECTORS / "toepen-source.rec", what="opinions")
    tries("verify", "--json", VECTORS, what="records",
          lines=len(list(VECTORS.glob("*.rec"))))
    odd = folder / "odd"
    odd.mkdir()
    text = some.read_text()
    (odd / "1.rec").write_text(text.replace("\nmove 0 ", "\nmove 9 ", 1))
    (odd / "2.rec").write_text("no record\n")
    (odd / "3.rec").write_text(re.sub("\nsecret .*", "", text))
    (odd / "4.rec").write_bytes(b"record 1\n\xff\"\\\n\n")
    (odd / "5.rec").write_text(text.replace("\n\n", "\npruned " + 64 * "0"
                                            + "\n\n", 1))
    pathlib.Path(str(odd) + "/6\udce9.rec").write_text(text)
    tries("verify", "--json", odd, code=1, lines=6, what="what does not hold")
    tries("verify", "--json", "--receipt", 64 * "0", some, code=1, lines=1,
          what="another receipt")


def test_games():
    tries("games", "--json", lines=len(tap.referee("games").out.splitlines()),
          what="all")
    tries("games", "--json", "toepen", lines=1, what="one")


def test_bots(folder):
    data = ["--data", folder / "data"]
    for words in (("token", "alice", "--owner", "ann"), ("token", "bob"),
                  ("disable", "bob", "loops"), ("revoke", "bob"),
                  ("add", local_bots.folder(folder, "cal"), "--no-check"),
                  ("add", local_bots.folder(folder, "dee"), "--no-check",
                   "--ladder", "main", "--ladder", "cup")):
        tap.equal(tap.referee("bots", *words, *data).code, 0, words[0])
    lines = [json.loads(line) for line in
             tries("bots", "list", "--json", *data, lines=4, what="bots")]
    alice, bob, cal, dee = lines
    tap.equal(([one["bot"] for one in lines], alice["owner"], alice["token"],
               bob["token"], bob["state"], bob["why"], cal["local"]["ladders"],
               dee["local"]["ladders"], dee["local"]["plays_as"]),
              (["alice", "bob", "cal", "dee"], "ann", True, False, "disabled",
               "loops", [], ["main", "cup"], "dee"), "bots: what they are")
    tries("bots", "enable", "bob", "--json", *data, code=2, lines=0,
          what="only the list has it")
    test_owners(data)


def test_owners(data):
    for words in ("token", "ann"), ("token", "eve"), ("ban", "eve", "spam"):
        tap.equal(tap.referee("owners", *words, *data).code, 0, f"owners: {words[0]}")
    ann, eve = map(json.loads, tries("owners", "list", "--json", *data, lines=2,
                                     what="accounts"))
    tap.equal((ann["owner"], ann["bots"], "why" in ann, eve["owner"], eve["why"]),
              ("ann", 1, False, "eve", "spam"), "owners: what they are")
    deeds = tries("owners", "deeds", "--json", "--last", "3", *data, lines=3,
                  what="deeds")
    tap.equal([json.loads(line)["what"] for line in deeds],
              ["ban", "owner-token", "owner-token"], "owners: what was done")
    tries("owners", "code", "--json", *data, code=2, lines=0,
          what="only the lists have it")


def test_bench():
    lines = tries("bench", "--json", "--seconds", "0.01", "--tables", "1",
                  what="every row")
    rows = {keys.parse(line)["bench"] for line in lines}
    tap.equal(rows, {"turns", "engine", "ladder", "start"},
              "bench: all four measure")
    with arena.Arena() as table:
        bench = table.popen(["bench", "turns", "--tables", 1, "--json",
                             "--seconds", 60], text=True)

        def play():
            """Returns both bots once they have played: one that ends before its
            first word has no crash."""
            bots = [pid for pid, line in table.processes().items()
                    if "--as-bot" in line]
            return len(bots) == 2 and held.ticks(bots) > 20 and bots
        os.kill(arena.wait_for(play)[0], signal.SIGKILL)
        out, err = bench.communicate()
        tap.ok(bench.returncode == 3 and out == "" and err.startswith(
            "referee: cannot measure 1 table: an instant bot has failed: "
            "crash: "), "bench: says how a bot has failed", (out, err))


def test_check(folder):
    check = ["--quick", "--json", "--limit", "60", "--game", "daupun", *OFF]
    tries("check", *check, f"{tap.REFEREE} bench --as-bot", what="a bot",
          lines=None, code=1)
    tries("check", *check, "--seed", "\udcff", "false", what="one that ends",
          code=1)
    mark = folder / "checked"
    bot = silent(mark)
    interrupted("check", *check, bot, ready=mark.exists, what="stopped")


def test_queue():
    TRIED.add("queue")
    if tap.skip("queue", postgres.missing()):
        return
    with postgres.shared() as cluster:
        at = "--queue", cluster.create("queue")
        tap.referee("queue", "init", *at)
        tries("queue", "show", "--json", *at, lines=1, what="show, empty")
        tries("queue", "workers", "--json", *at, lines=0, what="workers, none")
        cluster.sql("SELECT referee.add_job(referee.take_house('me'), 'l', 'g',"
                    " '', '', '', '{}', '{bot-1}', '', 'toepen 1');"
                    " SELECT referee.enlist('w', 'i', 'big', 'v', 'p', 2, 1.5);"
                    " UPDATE referee.house SET key_print = 'abc'", "queue")
        tap.referee("queue", "park", "1", "--why", "a \xe4 b", *at)
        tap.referee("queue", "suspend", "w", *at)
        tries("queue", "show", "--json", *at, lines=2, what="show")
        tries("queue", "workers", "--json", *at, lines=1, what="workers")


with tap.folder() as scratch:
    place = pathlib.Path(scratch)
    test_ladder(test_match(place), place)
    test_records(place)
    test_games()
    test_bots(place)
    test_bench()
    test_queue()
    test_check(place)
tap.equal(sorted(TRIED), sorted(commands()),
          "every command that prints JSON was tried")
# The table must not document commands that do not exist.
tap.equal(sorted(name for name in keys.FORMS if name[0] not in "/C" and
                 name.split(":")[0] not in TRIED), [],
          "nothing else is documented")
tap.done()
