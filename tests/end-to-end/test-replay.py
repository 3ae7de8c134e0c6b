#!/usr/bin/env python3
"""End-to-end because `referee replay` prints what other programs read: its lines, JSON
and mistakes.  test-verify has each view byte for byte, test-frames the sentences."""

import json
import pathlib
import re

import tap

SOURCE = tap.VECTORS / "toepen-source.rec"
SEALED = tap.VECTORS / "toepen-sealed.rec"


def body(path):
    lines = path.read_text().splitlines()
    return [line.split(" ;")[0] for line in lines[lines.index("") + 1:]]


# ---- views
run = tap.referee("replay", "--raw", SOURCE)
tap.ok("deal 3 JC JD QS 7C\n" in run.out and "{" not in run.out,
       "all is the default, marks dropped", run)
tap.equal(run.out, tap.referee("replay", "--raw", "--view", "all", SOURCE).out,
          "--view all")
run = tap.referee("replay", "--raw", tap.VECTORS / "toepen-retired.rec")
tap.ok(run.out.endswith("forfeit 1 protocol\n"), "all: with forfeits", run)
run = tap.referee("replay", "--raw", "--view", "public", SEALED)
tap.ok(" ;" not in run.out, "no comments")

# ---- sentences
run = tap.referee("replay", "--view", "1", "--asks", SOURCE)
tap.ok(run.code == 0 and run.out.startswith(
    "Round 1 begins; stephen deals.\n"
    "terry is dealt the eight of hearts, the nine of hearts, the queen of "
    "clubs and the ten of clubs.\n"
    "sophie is dealt 4 cards.\n") and "terry may play the " in run.out,
       "a sentence for each line", run)
whole = tap.referee("replay", SOURCE).out
tap.ok(whole.startswith("Round 1 begins; stephen deals.\n")
       and "michael is dealt the jack" in whole, "of all, by default", whole)
part = tap.referee("replay", "--from", "2", SOURCE).out
tap.ok(part.startswith("Round 2 begins; ") and whole.endswith(part),
       "--from 2 goes on from the rounds before", part)

# ---- what a seat was charged for: for that seat and for who sees all
with tap.folder() as folder:
    said = pathlib.Path(folder) / "said.rec"
    text = (tap.VECTORS / "toepen-retired.rec").read_text()
    said.write_text(re.sub(r"^(fault 3 protocol).*$",
                           r"\1 ; said I%20have%20KS ; say 3 hm", text,
                           flags=re.M))
    shown = "fault 3 protocol ; said I%20have%20KS\n"
    for view in ["all", "public", "0", "3"]:
        run = tap.referee("replay", "--raw", "--view", view, said)
        tap.equal((run.code, shown in run.out, "said" in run.out),
                  (0, view in ["all", "3"], view in ["all", "3"]),
                  f"a wrong line in the view {view}")
        run = tap.referee("replay", "--view", view, said)
        tap.equal("house move. It had sent `I have KS`.\n" in run.out,
                  view in ["all", "3"], f"a sentence: likewise, {view}")
        objects = [json.loads(line) for line in tap.referee(
            "replay", "--json", "--view", view, said).out.splitlines()]
        tap.equal([line["said"] for line in objects if "said" in line],
                  ["I%20have%20KS"] if view in ["all", "3"] else [],
                  f"JSON: likewise in the view {view}")
    said.write_text(said.read_text().replace("said I", "said " + "I" * 601))
    run = tap.referee("replay", "--raw", said)
    tap.ok(run.code == 0 and "said" not in run.out,
           "longer than any that is written: not shown", run)

# ---- asks
run = tap.referee("replay", "--raw", "--asks", SOURCE)
found = [line.split() for line in run.out.splitlines()]
recorded = [line.split() for line in body(SOURCE)]
tap.equal([line[:2] + sorted(line[2:]) for line in found if line[0] == "ask"],
          [line[:2] + sorted(line[2:]) for line in recorded
           if line[0] == "ask"], "--asks: the record's own, as sets")
tap.equal([line[0] for line in found], [line[0] for line in recorded],
          "--asks: at the record's own places")
lines = tap.referee("replay", "--raw", "--asks", "--view", "1", SOURCE).out.splitlines()
tap.equal({line[:5] for line in lines if line.startswith("ask")}, {"ask 1"},
          "--asks --view 1: only seat 1's")
tap.ok("ask 1 play:QC play:8H play:9H play:TC knock mulligan" in lines,
       "the house move is the first", "\n".join(lines))
run = tap.referee("replay", "--raw", "--asks", "--view", "public", SOURCE)
tap.ok("ask" not in run.out and run.code == 0, "--asks --view public: none")

# ---- rounds
whole = tap.referee("replay", "--raw", "--view", "2", SOURCE).out
part = tap.referee("replay", "--raw", "--view", "2", "--from", "2", SOURCE).out
tap.ok(part.startswith("round 2 1\n") and whole.endswith(part), "--from 2",
       part)

# ---- JSON
run = tap.referee("replay", "--json", "--asks", "--view", "0", SOURCE)
objects = [json.loads(line) for line in run.out.splitlines()]
tap.equal(objects[0], {"line": 11, "event": "round 1 0", "marks": ["round"],
                       "round": 1, "seat": 0, "sentence": "Round 1 begins; stephen deals."},
          "JSON: an event")
tap.equal(objects[1]["event"], "deal 1 ? ? ? ?", "JSON: redacted, too")
tap.equal(objects[5], {"line": 16, "ask": 0, "marks": ["ask"], "seat": 0,
                       "round": 1,
                       "sentence": "stephen may pass, knock or lay down the "
                                   "hand.",
                       "tokens": ["pass", "knock", "mulligan"]},
          "JSON: an ask")


def tables(*how):
    run = tap.referee("replay", "--json", "--tables", *how, SOURCE)
    return [json.loads(line)["table"] for line in run.out.splitlines()]


def taken_in(deltas):
    """Returns the table after all deltas: each replaces the parts that it has."""
    whole = {}
    for delta in deltas:
        for part in ("seats", "gauges", "zones"):
            for one in delta[part]:
                whole[part, one["number"]] = one
    return whole


found = tables("--view", "0")
tap.equal((len(found[0]["seats"]), len(found[0]["zones"]), found[0]["pieces"]),
          (4, 11, "card"), "JSON: the first table is whole")
tap.ok(all(len(table["zones"]) < 10 for table in found[1:]),
       "JSON: the others are deltas")
tap.equal(taken_in(found), taken_in(tables("--view", "0", "--from", "3")),
          "JSON: the deltas lead to the same table, wherever one begins")

# ---- what is wrong
with tap.folder() as folder:
    bad = pathlib.Path(folder) / "bad.rec"
    text = SOURCE.read_text()
    bad.write_text(text.replace("{KD JS 9S AC}2", "{KD JS 9S AC", 1))
    run = tap.referee("replay", "--raw", "--view", "0", bad)
    tap.ok(run.code == 2 and f"{bad}:13: " in run.err and "AC" not in run.out,
           "a broken mark shows nothing of its line", run)
    bad.write_text(text.replace("stake 2\n", "stake 3\n", 1))
    tap.equal(tap.referee("replay", bad).code, 0,
              "without asks the rules are not looked at")
    tap.complains(tap.referee("replay", "--raw", "--asks", bad), 2,
                  f"{bad}:33: expected `stake 2`, found `stake 3`",
                  "asks of a record that breaks the rules")
    bad.write_text("record 2\n")
    tap.complains(tap.referee("replay", bad), 2, f"{bad}:", "no record")

with open("/dev/full", "wb") as full:
    tap.complains(tap.referee("replay", SOURCE, stdout=full), 3,
                  "cannot write", "a full disk")
tap.done()
