#!/usr/bin/env python3
"""End-to-end because bots fill the file with the asks beside each record: it exists, is
right, and a record is also valid without it.  test-asks has how it is read, test-duplicate
when it appears."""

import json
import re
import shlex
import shutil

import arena
import tap

GAMES = 8
# Writes to standard error which ask it answers next.
CHATTY = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "game":
        print("hello", file=sys.stderr, flush=True)
    elif words[0] == "ask":
        print("about ask", words[1], file=sys.stderr, flush=True)
        print("do", words[1], words[3], flush=True)
    elif words[0] == "bye":
        break
"""
# Writes to standard error for every seventh ask alone.
SELDOM = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "ask":
        if int(words[1]) % 7 == 0:
            print("about ask", words[1], file=sys.stderr, flush=True)
        print("do", words[1], words[3], flush=True)
    elif words[0] == "bye":
        break
"""
GREETING, LINE = len("hello\n"), len("about ask \n")


def asks_of(path):
    """Returns the lines of a file of asks, but its first two, as words."""
    return [line.split(" ") for line in
            path.with_suffix(".asks").read_text("ascii").splitlines()[2:]]


def told(path, *arguments):
    return [json.loads(line) for line in tap.referee(
        "replay", "--json", *arguments, path).out.splitlines()]


def match(place, *arguments):
    run = tap.referee("match", "toepen", "-o", "points=3", "--games", GAMES,
                      "--exact", *arguments, *arena.PATIENT, cwd=place.root)
    tap.equal(run.code, 0, "a match")
    return sorted((place.root / "games").glob("*.rec"))


def follows_record(path):
    """Tests that each ask by the rules has its line, and that the moves have
    their times."""
    record = path.read_text("ascii")
    head, _, body = record.partition("\n\n")
    lines = head.count("\n") + 2
    by_rules = [line for line in told(path, "--asks") if "tokens" in line]
    at, wrong = lines + 1, []
    asks = asks_of(path)
    for words in asks:
        at += int(words[0])
        ask = next((ask for ask in by_rules if ask["line"] == at
                    and ask["ask"] == int(words[1])), None)
        if ask is None or (words[3] != "-" and words[3] not in ask["tokens"]):
            wrong.append(words)
    moves = re.findall(r"^move (\d) (\S+) ; ([0-9.]+)ms", body, re.MULTILINE)
    told_times = [(seat, token, round(float(ms) * 1000))
                  for seat, token, ms in moves]
    times = [(words[1], words[3], int(words[2])) for words in asks
             if words[3] != "pass"]
    wrong += [move for move in told_times if move not in times]
    return wrong or len(asks) != len(by_rules)


with arena.Arena() as place:
    (place.root / "chatty.py").write_text(CHATTY)
    records = match(place, "--bot", shlex.join([*tap.PYTHON, "chatty.py"]),
                    "--bot", "random", "--records", "games")
    tap.equal([path.with_suffix(".asks").exists() for path in records],
              [True] * GAMES, "each record has its asks")
    tap.equal([path.name for path in records if follows_record(path)], [],
              "they are those of the record")
    path = records[0]
    seat = re.search(r"^bot (\d) (?!random)", path.read_text("ascii"),
                     re.MULTILINE)[1]
    wrote, wrong, number = GREETING, [], 0
    for words in asks_of(path):
        if words[1] != seat:
            continue
        number += 1
        wrote += LINE + len(str(number))
        if words[-1] != f"stderr={wrote}":
            wrong.append((number, words, wrote))
    tap.ok(number > 2 and not wrong, "what it wrote belongs to its asks", wrong)

    # If one seat is asked at a time, its answer is read without polling all
    # descriptors.
    chatty = shlex.join([*tap.PYTHON, "chatty.py"])
    run = tap.referee("match", "daumen-drauf", "--bot", chatty, "--bot", chatty,
                      "--name", "other", "--games", 6, "--records", "quick",
                      "--sandbox", "off", *arena.PATIENT, cwd=place.root)
    tap.equal(run.code, 0, "quick bots")
    for quick in (place.root / "quick").glob("*.rec"):
        counts = {"0": [0, GREETING], "1": [0, GREETING]}
        for words in asks_of(quick):
            one = counts[words[1]]
            one[0] += 1
            one[1] += LINE + len(str(one[0]))
            if words[-1] != f"stderr={one[1]}":
                wrong.append((quick.name, one, words))
    tap.equal(wrong, [], "likewise, of quick ones")

    (place.root / "seldom.py").write_text(SELDOM)
    seldom = shlex.join([*tap.PYTHON, "seldom.py"])
    run = tap.referee("match", "daumen-drauf", "--bot", seldom, "--bot", seldom,
                      "--name", "other", "--games", 6, "--records", "seldom",
                      "--sandbox", "off", *arena.PATIENT, cwd=place.root)
    tap.equal(run.code, 0, "bots that seldom write")
    for quick in (place.root / "seldom").glob("*.rec"):
        asked = {"0": 0, "1": 0}
        for words in asks_of(quick):
            asked[words[1]] += 1
            if words[-1].startswith("stderr=") != (asked[words[1]] % 7 == 0):
                wrong.append((quick.name, asked, words))
    tap.equal(wrong, [], "after a silence, too, it belongs to its ask")

    # ---- who sees what

    sentence = re.compile(r"It thought [0-9.]+ m?s")
    for view, asks, expected in (("all", "--asks", len(asks_of(path))),
                                 (seat, "--asks", number), ("public", "--asks", 0),
                                 ("public", "--view=public", 0)):
        out = tap.referee("replay", "--view", view, asks, path).out
        tap.equal(len(sentence.findall(out)), expected,
                  f"times in the view {view}, {asks}")
    other = str(1 - int(seat))
    tap.equal([ask for ask in told(path, "--asks", "--view", other)
               if "us" in ask and ask["ask"] != int(other)], [],
              "nor of another seat")
    tap.ok("thought" not in tap.referee("replay", "--raw", "--asks", path).out,
           "the raw lines are as the bots read them")

    # ---- lost and damaged

    beside = path.with_suffix(".asks")
    text = beside.read_bytes()
    whole = tap.referee("replay", path).out
    bare = re.sub(r" It thought [0-9.]+ m?s\.", "", whole)
    tap.ok(whole != bare, "it tells times")
    for what, bytes_, complaint in (
            ("half a line", text[:-3], "ends in the middle of a line"),
            ("another game's", records[1].with_suffix(".asks").read_bytes(),
             "another game"),
            ("beyond the record", text + b"9999 0 1 pass\n", "no line for ask")):
        beside.write_bytes(bytes_)
        run = tap.referee("replay", path)
        tap.ok(run.code == 0 and run.err.count("\n") == 1
               and complaint in run.err and str(beside) in run.err
               and re.sub(r" It thought [0-9.]+ m?s\.", "", run.out) == bare,
               f"{what}: one sentence", run)
        tap.equal(tap.referee("verify", path).code, 0, "the record holds")
    beside.unlink()
    run = tap.referee("replay", path)
    tap.equal((run.code, run.out, run.err), (0, bare, ""), "lost: no times")
    shutil.copy(records[1], place.root / "copy.rec")
    (place.root / "copy.asks").mkdir()
    run = tap.referee("replay", place.root / "copy.rec")
    tap.ok(run.code == 0 and run.err.count("\n") == 1, "a folder in its place", run)

    # ---- where records are read

    for command in (("verify", "games"),
                    ("ladder", "rebuild", "--ladder", "l.db", "--records",
                     "games")):
        run = tap.referee(*command, cwd=place.root)
        tap.ok(".asks" not in run.out + run.err,
               f"{' '.join(command[:2])} passes them over", run)

tap.done()
