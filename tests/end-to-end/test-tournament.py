#!/usr/bin/env python3
"""End-to-end because a tournament is killed and resumed: it is the same with any number of
games at a time and after any kill, and tables follow from the records by the rules alone
(tests/independent/tournament.py).  CHECK_ALL=1 kills thirty of each format."""

import csv
import json
import os
import pathlib
import re
import shlex
import signal
import sys

import arena
import tap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "independent"))

import tournament  # noqa: E402

ALL = os.environ.get("CHECK_ALL") == "1"
KILLS, GAMES = (30, 24) if ALL else (1, 6)
if ALL:
    tap.TIMEOUT_S = 1200
BAD = ("bad", shlex.quote(arena.BAD) + " illegal")
BOTS = arena.bots("random", ("c", arena.FIRST), "house", BAD, "random",
                  "house", "random")
SETUP = ["toepen", "-o", "points=1", "--sandbox", "off", "--seed", "cup",
         *arena.PATIENT]
FORMATS = {
    "roundrobin": ["--seats", 2, "--games", GAMES // 3],
    "gauntlet": ["--hero", "c", "--seats", 3, "--games", GAMES],
    "swiss": ["--rounds", 4, "--seats", 3, "--games", GAMES],
    "knockout": ["--seats", 2, "--games", 2 * GAMES],
}


def command(form, *arguments):
    return ["tournament", form, *map(str, arguments)]


def play(place, form, *arguments):
    return tap.referee(*command(form, *arguments), cwd=place.root)


def table(text):
    """Returns the table without turns and seconds, which are those of the last
    run."""
    return re.sub(r"\d+\s+turns\s+in\s+[\d.]+\s+s", "", text)


def lines(text):
    return [{key: value for key, value in json.loads(line).items()
             if key not in ("trouble", "turns", "seconds")}
            for line in text.splitlines()]


def count(folder):
    return len(list(folder.glob("*.rec"))) if folder.is_dir() else 0


def kill_at(place, arguments, folder, goal, number=signal.SIGKILL):
    """Kills a tournament; returns true if it was not over."""
    match = place.popen(arguments)
    arena.wait_for(lambda: match.poll() is not None or
                   count(place.root / folder) >= goal)
    match.send_signal(number)
    match.communicate()
    return match.returncode == -number


def check_pairings(place, form, folder, rows, last):
    """Checks the pairings and the standings from the records."""
    words = dict(word.split("=") for word in last["tournament"].split()[1:])
    names = [row["bot"] for row in sorted(rows, key=lambda row: row["draw"])]
    setup = {"format": form, "seats": last["seats"], "bots": len(rows),
             "sets": int(words["games"]) // last["seats"],
             "rounds": int(words.get("rounds", 1)), "hero": words.get("hero"),
             "best": int(words.get("best", 1))}
    games = [(record.bots(), record.places())
             for record in place.records(place.root / folder)]
    mine = tournament.Tournament(setup, names, games)
    try:
        order = mine.check()
    except tournament.Wrong as wrong:
        order = wrong
    tap.equal(order, [row["bot"] for row in rows],
              f"{form}: tables and ranks follow from the records")
    tap.ok(all(row["byes"] == mine.byes[row["bot"]] and
               abs(row["sum"] - float(mine.points(row["bot"]))) < 1e-6
               for row in rows), f"{form}: so do byes and sums", rows)


def one_format(place, form):
    mine = [*SETUP, *BOTS, *FORMATS[form]]
    through = play(place, form, *mine, "--resume", form, "--jobs", 1)
    tap.ok(through.code == 0 and "not over" not in through.out,
           f"{form}: a tournament", through)
    games = count(place.root / form)
    kills, folder = 0, form + "-killed"
    again = command(form, *mine, "--resume", folder, "--jobs", 3)
    dice = tap.dice(form)
    for goal in sorted(dice.randrange(games) for _ in range(KILLS)):
        kills += kill_at(place, again, folder, goal)
    run = tap.referee(*again, cwd=place.root)
    tap.equal((run.code, table(run.out)), (0, table(through.out)),
              f"{form}: killed {kills} times and resumed at three games at a "
              "time it gives the same table")
    tap.equal(tap.referee("verify", place.root / folder).code, 0,
              f"{form}: its records verify")
    found = lines(play(place, form, *mine, "--resume", folder, "--json",
                       "--cross").out)
    tap.equal(found, lines(play(place, form, *mine, "--resume", form, "--json",
                                "--cross").out),
              f"{form}: so are JSON and cross table")
    rows = [line for line in found if "rank" in line]
    last = next(line for line in found if "tournament" in line)
    tap.equal((len(rows), last["games"], last["over"]), (7, games, True),
              f"{form}: the last line has it all")
    tap.equal(len(found) - 8, 21, f"{form}: a line for each pair")
    tap.ok(next(row for row in rows if row["bot"] == "bad")["faults"] > 0,
           f"{form}: faults are told", rows)
    check_pairings(place, form, folder, rows, last)
    if form == "swiss":
        cells = csv.DictReader(play(place, form, *mine, "--resume", form,
                                    "--csv").out.splitlines())
        tap.equal([(cell["bot"], float(cell["score"])) for cell in cells],
                  [(row["bot"], row["score"]) for row in rows],
                  f"{form}: CSV has the same rows")
    return rows


def reported(place):
    """Tests that `report` has the winner, the format and the pairings."""
    for form in "knockout", "swiss":
        run = tap.referee("report", "--games", 2, "-o", f"{form}.html", form,
                          cwd=place.root)
        html = (place.root / f"{form}.html").read_text("utf-8")
        winner = json.loads(next((place.root / form).glob(
            "tournament-*.json")).read_text("utf-8"))["bots"][0]["bot"]
        text = re.sub("<[^>]*>", "", html.partition('id="tournament-')[2]
                      .partition('class="part')[2].partition('"part')[0])
        tap.ok(run.code == 0 and f"{winner} has won." in text and form in text,
               f"{form}: a report says who won", text[:400])
        tap.ok("Bye:" in text, f"{form}: and who had a bye", text)
        tap.ok(("Final" in text and "goes on" in text) == (form == "knockout"),
               f"{form}: and has the bracket", text)
    path = next((place.root / "swiss").glob("tournament-*.json"))
    good = path.read_text("utf-8")
    path.write_text(good.replace('"bot":"c"', '"bot":"<b>"', 1), "utf-8")
    tap.complains(tap.referee("report", "-o", "odd.html", "swiss",
                              cwd=place.root), 2, "does not tell a tournament",
                  "names of strangers are checked")
    path.write_text(good, "utf-8")


def told(place):
    """Checks the texts."""
    swiss = [*SETUP, *BOTS, *FORMATS["swiss"], "--resume", "swiss"]
    out = play(place, "swiss", *swiss, "--cross").out
    tap.ok(re.search(r"^swiss games=\d+ rounds=4$", out, re.M) and
           re.search(r"^(rank )?bot +sum +buchholz", out, re.M),
           "a table says what tournament it is", out)
    tap.ok("better than the column:" in out and
           re.search(r"[+-]\d+\.\.[+-]\d+", out.split("By how many points")[1]),
           "and the cross table how surely and by how many points", out)
    tap.ok("  phase " in play(place, "knockout", *SETUP, *BOTS,
                              *FORMATS["knockout"], "--resume",
                              "knockout").out, "a knockout has phases")
    for arguments, what in ((["--rounds", 3], "tournament"),
                            (["--games", 9 * GAMES], "tournament"),
                            (["--seed", "x"], "seed")):
        tap.complains(play(place, "swiss", *swiss, *arguments), 2,
                      f"differs in `{what}`", f"another plan: {arguments}")
    tap.complains(tap.referee("match", *SETUP, *BOTS, "--seats", 3, "--resume",
                              "swiss", cwd=place.root), 2, "has another match",
                  "a match in the folder of a tournament")


def rated(place):
    mine = [*SETUP, *BOTS[:8], "--rounds", 2, "--games", 6]
    run = play(place, "swiss", *mine, "--ladder", "cup.db")
    fold = tap.referee("ladder", "rebuild", "--ladder", "cup.db",
                       cwd=place.root)
    tap.ok(run.code == 0 and "12 games are rated again" in fold.out and
           "nothing differs" in fold.out, "a tournament on a ladder",
           f"{run}{fold}")


def interrupted(place):
    """Tests that an interrupted tournament prints its table so far, without
    games that will be played again."""
    mine = command("swiss", *SETUP, *BOTS, "--rounds", 100, "--resume",
                   "stopped")
    kill_at(place, mine, "stopped", 15, signal.SIGTERM)
    tap.ok(not any(one.aborted() for one in
                   place.records(place.root / "stopped")),
           "an interrupted tournament keeps no aborted game")


def other_record(place):
    """Tests a record that does not follow from the results before it."""
    folder = place.root / "swiss"
    records = place.records(folder)
    path = records[-1].path
    text = path.read_text("ascii")
    names = records[-1].bots()
    for seat, (old, new) in enumerate(zip(names, names[1:] + names[:1])):
        text = text.replace(f"\nbot {seat} {old}\n", f"\nbot {seat} {new}\n")
    path.write_text(text, "ascii")
    run = play(place, "swiss", *SETUP, *BOTS, *FORMATS["swiss"], "--resume",
               "swiss")
    tap.ok(run.code == 2 and "has other bots than this match gives it; remove "
           "its record" in run.err, "a record of other bots", run)


def duplicates(place):
    """Tests that a tournament plays the blocks of a deal as a match does."""
    mine = [*SETUP[:3], *arena.bots("random", "house", ("other", "random"),
                                       ("third", "house")),
               "--seed", "cup", "--rounds", 3, "--seats", 3, "--games", 6,
               "--duplicate", "--json", *arena.PATIENT]
    through = play(place, "swiss", *mine, "--jobs", 1)
    kill_at(place, command("swiss", *mine, "--resume", "blocks"), "blocks",
            4)
    run = play(place, "swiss", *mine, "--resume", "blocks", "--jobs", 3)
    tap.equal((run.code, lines(run.out)), (0, lines(through.out)),
              "duplicate deals, killed and resumed")


with arena.Arena() as place_:
    for format_ in FORMATS:
        one_format(place_, format_)
    told(place_)
    reported(place_)
    rated(place_)
    interrupted(place_)
    other_record(place_)
    duplicates(place_)
    tap.equal(place_.left_behind(arena.GONE_S), {}, "nothing stays")
tap.done()
