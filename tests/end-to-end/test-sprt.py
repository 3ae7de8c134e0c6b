#!/usr/bin/env python3
"""End-to-end because games end in any order and a match may be killed: a match that stops
by itself stops after the same set with any --jobs and when it is resumed, and at the set
that an independent program computes.  test-sprt has the numbers."""

import json
import re
import shlex
import signal
import sys

import arena
import keys
import tap

sys.path.insert(0, str(tap.SOURCE_DIR / "tests" / "independent"))
import sprt

TEST = "elo0=0,elo1=80"
TWO = ["-o", "points=1", "--seed", "sprt", *arena.bots(
    ("one", "random"), ("two", "random")), "--sprt", TEST]
AHEAD = 32  # games that end before an earlier one
BAD = ("bad", shlex.quote(arena.BAD) + " illegal")
THREE = ["-o", "points=1", "--seed", "field", "--sandbox", "off", "--seats", 3,
         *arena.PATIENT,
         *arena.bots("random", BAD, "house", ("other", "random")),
         "--until-sure"]


def play(place, *arguments):
    return tap.referee("match", "toepen", *map(str, arguments), cwd=place.root)


def lines(run):
    """Returns the lines without the time it took."""
    found = [json.loads(line) for line in run.out.splitlines()]
    found[-1].pop("seconds", None)
    return found


def shares(record, bot):
    places = record.places()
    seat = record.bots().index(bot)
    others = places[:seat] + places[seat + 1:]
    return sum((other > places[seat]) + (other == places[seat]) / 2
               for other in others) / len(others)


def values(records, games, first, second):
    """Returns the value v of each whole set."""
    sets = [records[i:i + games] for i in range(0, len(records), games)]
    return [(1 + sum(shares(one, first) - shares(one, second)
                     for one in games_of) / games) / 2
            for games_of in sets if len(games_of) == games]


def llr(found, model="normalized", elo1=80):
    counts = [sum(v == i / 4 for v in found) for i in range(5)]
    return sprt.llr_of_counts(model, 0, elo1, counts)


def any_jobs(place):
    """Tests that the table, the verdict and the sentences about faults are the
    same with any --jobs."""
    runs = {jobs: play(place, *TWO, "--json", "--jobs", jobs, "--records",
                       f"two{jobs}") for jobs in (1, 4)}
    runs[8] = play(place, *TWO, "--json", "--jobs", 8, "--ladder", "l.db",
                   "--records", "two8")
    tap.ok(runs[1].code == 0, "a test", runs[1])
    for jobs in (4, 8):
        tap.equal(lines(runs[jobs]), lines(runs[1]),
                  f"{jobs} games at a time stop where one does")
    tap.equal([keys.wrong("match", line) for line in runs[1].out.splitlines()],
              ["", "", ""], "its keys are those of the page")
    match = lines(runs[1])[-1]
    test = match["sprt"]
    tap.ok(match["games"] == 2 * test["sets"] and test["verdict"] != "undecided"
           and match["contest"]["ended"], "it ends with a verdict", match)
    kept = len(place.records(place.root / "two8"))
    rated = tap.referee("ladder", "games", "--json", "--ladder", "l.db",
                        cwd=place.root).out.count("\n")
    tap.ok(match["games"] <= kept <= match["games"] + 8 + AHEAD and
           rated == kept, "games that had begun are kept and rated",
           (match["games"], kept, rated))
    return test


def told_again(place, test):
    records = place.records(place.root / "two1")
    found = values(records, 2, "one", "two")[:test["sets"]]
    tap.ok(abs(llr(found) - test["llr"]) < 1e-6,
           "an independent solver has the same likelihoods",
           (llr(found), test))
    tap.equal((sprt.verdict(llr(found)), sprt.verdict(llr(found[:-1]))),
              (test["verdict"], "open"), "and stops after the same set")
    counts = [sum(v == i / 4 for v in found) for i in range(5)]
    middle, = sprt.estimate("normalized", 0, 80, counts, goals=(.5,), cells=60)
    tap.ok(abs(middle - test["estimate"]["elo"]) < 1,
           "and has the same estimate", (middle, test["estimate"]))


def duplicate(place):
    """Tests duplicate deals, in which a block is a set."""
    match = [*TWO[:-1], "elo0=0,elo1=200", "--duplicate", "--json"]
    runs = [play(place, *match, "--jobs", jobs) for jobs in (1, 4)]
    test = lines(runs[0])[-1]
    tap.ok(lines(runs[0]) == lines(runs[1]) and
           test["games"] == 2 * test["sprt"]["sets"] and
           test["contest"]["ended"], "blocks are sets", test)


def logistic(place):
    run = play(place, *TWO[:-1], TEST + ",model=logistic,alpha=.1,beta=.2",
               "--games", 60, "--json", "--records", "logistic")
    found = values(place.records(place.root / "logistic"), 2, "one", "two")
    test = lines(run)[-1]["sprt"]
    seen = llr(found[:test["sets"]], "logistic")
    tap.ok(abs(seen - test["llr"]) < 1e-6 and test["model"] == "logistic",
           "logistic Elo", (seen, test))


def resumed(place):
    whole = play(place, *TWO, "--jobs", 1)
    tap.ok(re.search(r"\nSPRT of one against two, nElo 0 to 80: H[01] accepted "
                     r"after \d+ sets, LLR", whole.out) and
           "biased by" in whole.out, "the verdict is printed", whole)
    match = place.popen(["match", "toepen", *TWO, "--resume", "cut"])
    folder = place.root / "cut"
    arena.wait_for(lambda: match.poll() is not None or
                   len(list(folder.glob("*.rec"))) >= 20)
    match.send_signal(signal.SIGKILL)
    match.communicate()
    run = play(place, *TWO, "--resume", "cut", "--jobs", 4)
    tap.equal(table(run), table(whole), "killed and resumed it stops there")
    for record in place.records(folder)[5:60:9]:
        record.path.unlink()
    run = play(place, *TWO, "--resume", "cut", "--jobs", 8)
    tap.equal(table(run), table(whole), "and with games missing in between")
    run = play(place, *TWO, "--resume", "cut")
    tap.equal(table(run), table(whole), "and with none")
    tap.complains(play(place, *TWO[:-1], "elo0=0,elo1=81", "--resume", "cut"),
                  2, "differs in `stop`", "another test is another match")


def table(run):
    """Returns the table without turns and seconds, which are those of the last
    run."""
    return re.sub(r"\d+\s+turns\s+in\s+[\d.]+\s+s", "", run.out)


def many_seats(place):
    """Tests a bot that makes faults: those after the last set do not count."""
    runs = [play(place, *THREE, "--json", "--jobs", jobs, "--records",
                 f"field{jobs}") for jobs in (1, 8)]
    for run in runs:
        run.out = re.sub(r'"record":"[^"]*"', '"record":null', run.out)
        run.err = re.sub("field[18]", "", run.err)
    tap.equal(lines(runs[1])[:-1], lines(runs[0])[:-1],
              "faults are those of the games that count")
    tap.equal(runs[1].err, runs[0].err, "and so are the first ones")
    contest = lines(runs[0])[-1]["contest"]
    records = place.records(place.root / "field1")
    tap.ok(contest["lead_low"] >= 0 and contest["ended"] and
           all({"random", "bad"} < set(one.bots()) for one in records) and
           {"house", "other"} < {bot for one in records for bot in one.bots()},
           "it is sure, and the first two sit at every table", contest)
    test = [word if word != "--until-sure" else "--sprt=elo0=0,elo1=200"
            for word in THREE]
    run = play(place, *test, "--json", "--records", "seats")
    found = lines(run)[-1]["sprt"]
    seen = values(place.records(place.root / "seats"), 3, "random",
                  "bad")[:found["sets"]]
    tap.ok(abs(sprt.llr_of_values(0, 200, 3, seen) - found["llr"]) < 1e-6 and
           found["verdict"] == "H1" and found["sets"] >= 10,
           "three seats have a closed form", found)


def undecided(place):
    run = play(place, *TWO, "--games", 4)
    tap.ok(run.code == 0 and "undecided after 2 sets" in run.out,
           "without enough games it is undecided", run)
    run = play(place, *TWO, "--games", 1, "--exact", "--json")
    test = lines(run)[-1]["sprt"]
    tap.equal((test["sets"], test["verdict"], test["estimate"], test["llr"]),
              (0, "undecided", None, 0), "a game that is no set is not looked at")
    run = play(place, *TWO[:-2], "--until-sure", "--games", 4)
    tap.ok(run.code == 0 and "one against two: not sure after 2 sets, lead -"
           in run.out, "nor is it sure then", run)
    run = play(place, *arena.bots(("aa", "random"), ("bb", "random")),
               "--until-sure", "--games", 4)
    tap.ok("aa against bb: not sure" in run.out,
           "a name of two letters stands apart from what follows", run)


with arena.Arena() as place_:
    told_again(place_, any_jobs(place_))
    duplicate(place_)
    logistic(place_)
    resumed(place_)
    many_seats(place_)
    undecided(place_)
    tap.equal(place_.left_behind(arena.GONE_S), {}, "nothing stays")
tap.done()
