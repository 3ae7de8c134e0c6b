#!/usr/bin/env python3
"""Tests a folder of bots, `--bots DIR`: which bots play, are refused, or are
built.  End-to-end for what the command says of each, and for builds in real boxes."""

import json
import os
import re
import shutil

import arena
import machine
import tap

NAME_BYTES = 32  # protocol/limits.h
BOT = """while read -r verb k ms token rest; do
	if [ "$verb" = ask ]; then echo "do $k $token"; fi
done
"""
RUN = 'run = { "sh", "play.sh" }\n'
FORMATS = {"roundrobin": ("--games", 2), "swiss": ("--rounds", 1, "--games", 2)}
SHORT = ("--seed", "folder", "-o", "points=1", *arena.PATIENT)


def write(folder, more="", run=RUN, name="same"):
    """Adds a bot to a folder; its manifest has no name."""
    folder.mkdir(parents=True)
    (folder / "play.sh").write_text(BOT)
    (folder / "bot.conf").write_text(f'name = "{name}"\n{run}{more}')
    return folder


def several(place, root, *names):
    for name in names:
        write(place.root / root / name)
    return place.root / root


def play(place, *words, **options):
    return tap.referee(*words, *SHORT, cwd=place.root, **options)


def planned(place, folder):
    """Returns the bots of a match in their order."""
    plan = json.loads((place.root / folder / "plan").read_text())
    return [bot["name"] for bot in plan["bots"]]


def refused(place, root, sentences, what, *words):
    """Tests that only these sentences are printed and nothing is played."""
    run = play(place, "tournament", "roundrobin", "toepen", "--bots", root,
               "--records", "none", *words)
    told = [line for line in run.err.splitlines()
            if not line.startswith("referee: building ")]
    tap.ok(run.code == 2 and run.out == "" and told == [
        f"referee: {sentence}" for sentence in sentences], what, run)
    tap.ok(not (place.root / "none").exists(), f"{what}: nothing is played")


# ---- who plays -------------------------------------------------------------

def formats(place):
    several(place, "team", "bob", "alice", "Zoe", ".git", "a.b-c_9")
    (place.root / "team" / ".git" / "bot.conf").unlink()
    (place.root / "team" / "README").write_text("who is who\n")
    names = ["Zoe", "a.b-c_9", "alice", "bob"]
    for name, more in FORMATS.items():
        run = play(place, "tournament", name, "toepen", "--bots", "team",
                   "--resume", name, *more)
        tap.equal((run.code, planned(place, name)), (0, names),
                  f"{name}: bots are called as their folders, in order")
        tap.ok(all(re.search(rf"^ +\d+ {re.escape(bot)} ", run.out, re.M)
                   for bot in names), f"{name}: all are in the table", run)
    tap.ok("referee: 'team/README' is no folder, and is passed over\n"
           in run.err, "what is no folder is told", run)
    run = play(place, "match", "toepen", "--bots", "team/", "--resume",
               "match", "--games", 2)
    tap.equal((run.code, planned(place, "match")), (0, names),
              "a match takes them, too")
    tap.ok(not (place.root / "team" / ".built").exists(),
           "nothing is made in the folder if nothing is built")


def with_others(place):
    words = ("match", "toepen", "--bot", "random", "--bots", "team",
             "--resume", "both", "--bot", "house", "--name", "last", "--json",
             "--games", 2)
    run = play(place, *words)
    names = ["random", "last", "Zoe", "a.b-c_9", "alice", "bob"]
    tap.equal((run.code, planned(place, "both")), (0, names),
              "they come after those of --bot")
    tap.equal(sorted(line["bot"] for line in map(json.loads,
                                                 run.out.splitlines())
                     if "bot" in line and "rank" in line), sorted(names),
              "JSON has them as any bots")
    tap.complains(play(place, "match", "toepen", "--bots", "team", "--bots",
                       "team"), 2, "--bots is given twice", "one folder")
    tap.complains(play(place, "match", "toepen", "--bots", ""), 2,
                  "--bots takes a path", "no folder")
    (place.root / "team" / "README").unlink()
    tap.complains(play(place, "match", "toepen", "--bot", "random", "--name",
                       "bob", "--bots", "team"), 2,
                  "two bots have the name 'bob'", "one name, two bots")


def links(place):
    final = place.root / "final"
    final.mkdir()
    for name in ("bob", "alice"):
        (final / name).symlink_to(place.root / "team" / name)
    (final / "first").symlink_to(place.root / "team" / "Zoe")
    run = play(place, "match", "toepen", "--bots", "final", "--resume", "fin",
               "--games", 2)
    tap.equal((run.code, planned(place, "fin")), (0, ["alice", "bob", "first"]),
              "links to folders play under their own names")
    (final / "gone").symlink_to(place.root / "team" / "gone")
    run = play(place, "match", "toepen", "--bots", "final", "--games", 2)
    tap.ok(run.code == 0 and "'final/gone' is no folder" in run.err,
           "a link to nothing is told", run)


def rated(place):
    run = play(place, "match", "toepen", "--bots", "team", "--ladder", "c.db",
               "--games", 2)
    tap.equal(run.code, 0, "on a ladder they keep their names")
    shown = tap.referee("ladder", "show", "--ladder", "c.db", "--json",
                        cwd=place.root).out
    tap.ok(all(f'"{bot}"' in shown for bot in ("Zoe", "alice")), "all of them",
           shown)
    several(place, "built-in", "random", "bob")
    tap.complains(play(place, "match", "toepen", "--bots", "built-in",
                       "--ladder", "c.db"), 2,
                  "only the built-in bot is called random", "but not a "
                  "built-in one")


# ---- who does not ----------------------------------------------------------

def wrong(place):
    root = several(place, "wrong", "good", "x" * NAME_BYTES, "no-manifest",
                   "x" * (NAME_BYTES + 1), "two words")
    (root / "no-manifest" / "bot.conf").unlink()
    write(root / "mistake", "memory = much\n")
    write(root / "elsewhere", 'games = { "durnius" }\n')
    write(root / "no-program", run='run = { "./played.sh" }\n')
    write(root / "no-language", 'needs = { "no-such-language" }\n')
    refused(place, "wrong", [
        "'wrong/elsewhere' does not play toepen, says its bot.conf",
        "wrong/mistake/bot.conf:3: memory: expected an integer from 16 to "
        "65536, not 'much'",
        "'wrong/no-language': same needs 'no-such-language': no such program "
        "in PATH",
        "'wrong/no-manifest' has no bot.conf, which says how to start the bot",
        "'wrong/no-program': same cannot be started: "
        "'wrong/no-program/./played.sh': no such file",
        "'wrong/two words' cannot give a bot its name, which is 1 to 32 of "
        "A-Z a-z 0-9 . _ -, the first a letter or digit",
        f"'wrong/{'x' * (NAME_BYTES + 1)}' cannot give a bot its name, which "
        "is 1 to 32 of A-Z a-z 0-9 . _ -, the first a letter or digit",
        "7 of 9 folders in 'wrong' cannot play; mend them, or put a dot "
        "before their names"], "all are told at once", "--sandbox", "off")
    for bad in ("elsewhere", "mistake", "no-language", "no-manifest",
                "no-program", "two words", "x" * (NAME_BYTES + 1)):
        (root / bad).rename(root / f".{bad}"[:NAME_BYTES])
    run = play(place, "match", "toepen", "--bots", "wrong", "--games", 2)
    tap.equal(run.code, 0, "a dot before their names, and the others play")


def deep(place):
    """Tests that a long path is printed whole, since the name is at its end."""
    root = f"{'d' * 120}/handed-in"
    several(place, root, "good")
    (place.root / root / "a").mkdir()
    (place.root / root / "z.zip").write_text("")
    refused(place, root, [
        f"'{root}/z.zip' is no folder, and is passed over",
        f"'{root}/a' has no bot.conf, which says how to start the bot",
        f"1 of 2 folders in '{root}' cannot play; mend them, or put a dot "
        "before their names"], "a long path")


def few(place):
    (place.root / "empty").mkdir()
    several(place, "single", "bob")
    for root, count in (("empty", "0 bots"), ("single", "1 bot")):
        refused(place, root, [f"--bots '{root}' makes {count} in all, and a "
                              "match needs 2; add a folder, or `--bot random`"],
                f"{count}")
    run = play(place, "match", "toepen", "--bots", "single", "--bot", "random",
               "--games", 2)
    tap.equal(run.code, 0, "one and another bot are two")
    refused(place, "nowhere", ["--bots: cannot read the folder 'nowhere': No "
                               "such file or directory"], "no folder")
    refused(place, "team/bob/play.sh", [
        "--bots: cannot read the folder 'team/bob/play.sh': Not a directory"],
            "a file")
    refused(place, "team/bob", [
        "'team/bob' has a bot.conf, so it is one bot; give it with --bot, or "
        "the folder above with --bots"], "a bot")


# ---- what is built ---------------------------------------------------------

def builder(folder, script, run='"sh", "made.sh"'):
    write(folder, 'build = { "sh", "make.sh" }\n', f"run = {{ {run} }}\n")
    (folder / "make.sh").write_text(script)


# Without a box a build may not change the mode of a file.
MAKE = "echo made >&2; cat play.sh >made.sh\n"


def told(run):
    return re.findall(r"^referee: building (.*)$", run.err, re.M)


def built(place):
    root = place.root / "built"
    builder(root / "one", MAKE)
    builder(root / "two", MAKE + "# another\n")
    write(root / "plain")
    words = ("tournament", "swiss", "toepen", "--bots", "built", "--resume",
             "cup", "--games", 2)
    first = play(place, *words)
    tap.ok(first.code == 0 and told(first) == ["one", "two"],
           "those that say so are built", first)
    tap.ok(not (root / "one" / "made.sh").exists(), "but not in their folders")
    tap.equal([[], []] * 2, [faults for record in place.records(
        place.root / "cup")[:2] for faults in record.faults()],
        "and play")
    records = sorted((place.root / "cup").glob("*.rec"))
    records[0].unlink()
    again = play(place, *words)
    tap.ok(again.code == 0 and told(again) == [] and
           f"{len(records) - 1} of {len(records)} games are there already"
           in again.err, "a resumed tournament builds nothing again", again)
    (root / "one" / "make.sh").write_text(MAKE + "# changed\n")
    run = play(place, *words)
    tap.equal(told(run), ["one"], "a bot that has changed is built again")
    tap.ok(run.code == 2 and "differs in bot one;" in run.err,
           "and does not go on with another one's games", run)
    copies = place.root / "cup" / "copies"
    (copies / "incoming" / "left").mkdir()
    for made in copies.glob("bots/*/bot/made.sh"):
        made.write_text("#!/bin/sh\n")
    tap.equal(told(play(place, *words)), ["one", "two"],
              "what has changed since it was built is built again")
    tap.equal(list((copies / "incoming").iterdir()), [],
              "and no half of a build is left")


def strangers(place):
    """Tests that a folder of strangers cannot make the match use what they have
    prepared."""
    root, victim = place.root / "strange", place.root / "victim"
    write(root / "one")
    write(root / "two")
    write(victim / "sub")
    (root / ".built").mkdir()
    (root / ".built" / "incoming").symlink_to(victim)
    before = [sorted(folder.rglob("*")) for folder in (root, victim)]
    temporary = place.root / "temporary"
    temporary.mkdir()
    run = play(place, "match", "toepen", "--bots", "strange", "--games", 2,
               env={**os.environ, "TMPDIR": str(temporary)})
    tap.equal((run.code, [sorted(folder.rglob("*")) for folder in (root, victim)]),
              (0, before), "nothing is written or removed there")
    tap.equal(list(temporary.iterdir()), [], "and no copy is left")
    write(root / "dies", run='run = { "sh", "-c", "read line; exit 3" }\n')
    run = play(place, "match", "toepen", "--bots", "strange", "--games", 2)
    tap.ok("referee check 'strange/dies' --game" in run.err,
           "a hint names the folder that was given", run)
    shutil.rmtree(root / "dies")
    (place.root / "taken").mkdir()
    (place.root / "taken" / "copies").touch()
    run = play(place, "match", "toepen", "--bots", "strange", "--resume", "taken")
    tap.complains(run, 3, "cannot make", "no place for copies")
    run = play(place, "match", "toepen", "--bots", "strange", "--games", 2, "--reuse",
               "--resume", "reused")
    plan = json.loads((place.root / "reused" / "plan").read_text())
    tap.equal((run.code, [bot["reuse"] for bot in plan["bots"]]), (0, [True, True]),
              "--reuse is kept for copies")
    (root / "two" / "huge").touch()
    os.truncate(root / "two" / "huge", 2 ** 40)
    (root / "one" / "secret").symlink_to("/etc/passwd")
    run = play(place, "match", "toepen", "--bots", "strange", "--resume", "r")
    tap.ok(run.code == 2 and "'strange/one': " in run.err and "is a link" in run.err
           and "'strange/two': " in run.err and "has more than" in run.err,
           "links and large files are refused, each in a sentence", run)


def unbuilt(place):
    root = place.root / "unbuilt"
    builder(root / "fails", "echo no compiler here; exit 7\n")
    builder(root / "makes-nothing", "echo nothing\n", '"./made.sh"')
    builder(root / "works", MAKE)
    write(root / "plain")
    run = play(place, "match", "toepen", "--bots", "unbuilt", "--records",
               "none")
    tap.ok(run.code == 2 and run.out == "" and
           "fails, its build:\nno compiler here\n" in run.err and
           "referee: 'unbuilt/fails': its build failed with exit code 7\n"
           in run.err and
           "makes-nothing, its build:\nnothing\n" in run.err and
           "referee: 'unbuilt/makes-nothing': same cannot be started: "
           in run.err and run.err.endswith(
               "referee: 2 bots cannot play; mend them, or put a dot "
               "before the names of their folders\n") and
           not (place.root / "none").exists(),
           "what builds have said, and a sentence for each", run)
    for name in ("fails", "makes-nothing"):
        (root / name).rename(root / f".{name}")
    run = play(place, "match", "toepen", "--bots", "unbuilt", "--games", 2)
    tap.equal((run.code, told(run)), (0, ["works"]), "those that work do")


with arena.Arena() as place:
    formats(place)
    with_others(place)
    links(place)
    rated(place)
    wrong(place)
    deep(place)
    few(place)
    strangers(place)
    if not tap.skip("what is built", machine.no_builds()):
        built(place)
        unbuilt(place)
    place.left_behind()
tap.done()
