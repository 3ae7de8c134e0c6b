#!/usr/bin/env python3
"""End-to-end because another program computes the same: `referee ladder fit` agrees with
tests/independent/fit.py as JSON, CSV and text, and keeps the fit of many games.
test-command-usage has its mistakes."""

import csv
import io
import json
import math
import pathlib
import re
import sqlite3
import subprocess

import big_ladder
import kept_fit
import tap

FIT = tap.SOURCE_DIR / "tests" / "independent" / "fit.py"
HEAD = "game,block,bot,place\n"


def fit(*arguments, **options):
    return tap.referee("ladder", "fit", *arguments, **options)


def objects(run):
    return [json.loads(line) for line in run.out.splitlines()]


def games(dice, bots, count, blocks):
    """Returns random places, with ties, and now and then a bot on two seats."""
    strength = {bot: dice.gauss(0, 1) for bot in bots}
    lines = []
    for game in range(count):
        seats = dice.sample(bots, dice.choice([2, 3, len(bots)]))
        if game % 10 == 0:
            seats[1] = seats[0]
        luck = [(strength[bot] + dice.gauss(0, 1.5), i)
                for i, bot in enumerate(seats)]
        place = {i: k + 1 for k, (_, i) in enumerate(sorted(luck, reverse=True))}
        for i, bot in enumerate(seats):
            level = 1 if game % 4 == 0 and place[i] <= 2 else place[i]
            block = f"b{game % (count // 2)}" if blocks and game % 3 else ""
            lines.append(f"g{game},{block},{bot},{level}\n")
    return HEAD + "".join(lines)


def near(one, other):
    return abs((math.inf if one is None else one) - other) < 0.03 \
        or one is None and math.isinf(other)


def compare(file, *settings):
    told = subprocess.run([*tap.PYTHON, FIT, *settings, file], check=True,
                          stdout=subprocess.PIPE, text=True, timeout=tap.TIMEOUT_S
                          ).stdout.splitlines()
    rows = [line.split() for line in told]
    single = {row[0]: [float(n) for n in row[1:]] for row in rows if len(row) == 4}
    pairs = {tuple(row[:2]): [float(n) for n in row[2:]] for row in rows
             if len(row) == 5}
    ours = [part for word in settings
            for part in (("--prior", "0") if word == "--no-prior" else (word,))]
    found = objects(fit("--results", file, "--json", "--cross", *ours))
    bots = [one for one in found if "elo" in one]
    tap.ok(len(bots) == len(single) and all(
        near(one[key], single[one["bot"]][i]) for one in bots
        for i, key in enumerate(("elo", "from", "to"))),
        f"ratings and their ends {settings}", f"{bots}\n{told}")
    wrong = []
    for one in found:
        if "versus" not in one:
            continue
        names = one["bot"], one["versus"]
        value, low, high = pairs.get(names, (0, 0, 0))
        if names not in pairs:
            value, high, low = (-n for n in pairs[names[::-1]])
        if not (near(one["difference"], value) and near(one["from"], low) and
                near(one["to"], high) and
                (one["los"] is None or near(value, 0) or
                 (one["los"] > .5) == (value > 0))):
            wrong.append((one, value, low, high))
    tap.ok(not wrong and len(found) == len(bots) + len(pairs),
           f"differences and their ends {settings}", str(wrong[:3]))
    return bots


def is_row(words, bot):
    """Returns true if the words of a table's row tell this bot.  JSON has rounded its
    numbers, too."""
    numbers = words[2:5]
    return (words[1], words[5]) == (bot["bot"], str(bot["games"])) and all(
        re.fullmatch(r"-?[0-9]+\.[0-9]", number) and
        abs(float(number) - bot[key]) < 0.051
        for number, key in zip(numbers, ("elo", "from", "to"), strict=True))


def meaning(bots):
    """Yields the sentence about the first rank that is a range, if one is."""
    for one in bots:
        if one["best"] < one["worst"]:
            better, worse = one["best"] - 1, len(bots) - one["worst"]
            yield (f"Rank {one['best']}-{one['worst']} of {len(bots)}: {better} "
                   f"bot{'' if better == 1 else 's'} surely better, {worse} surely "
                   "worse, all pairs considered.")
            return


def test_agreement(place):
    file = place / "games.csv"
    file.write_text(games(tap.dice(), list("abcde"), 80, True))
    bots = compare(file)
    compare(file, "--no-prior", "--anchor", "c=1600")
    compare(file, "--anchor", "c=1600", "--anchor", "d=1500")
    tap.equal([one["bot"] for one in bots],
              sorted((one["bot"] for one in bots),
                     key={one["bot"]: -one["elo"] for one in bots}.get),
              "the best first")
    run = fit("--results", file, "--csv")
    table = list(csv.DictReader(io.StringIO(run.out)))
    tap.ok([(row["bot"], float(row["elo"]), row["games"]) for row in table] ==
           [(one["bot"], one["elo"], str(one["games"])) for one in bots],
           "CSV says the same", run)
    run = fit("--results", place / "none.csv", "--csv")
    tap.ok(run.code == 2 and run.out == "", "an error has no columns", run)
    text = fit("--results", file).out.splitlines()
    tap.ok(all(is_row(line.split(), one) for line, one
               in zip(text[1:1 + len(bots)], bots, strict=True)),
           "so does the table", text)
    tap.equal(text[1 + len(bots):],
              ["1500 is the mean of all bots.",
               "In 95 of 100 cases the true Elo is between from and to.",
               *meaning(bots)],
              "and what its numbers mean")
    pair = objects(fit("--results", file, "--versus", "a", "b", "--json"))
    tap.equal((len(pair), pair[0]["bot"], pair[0]["versus"]), (1, "a", "b"),
              "--versus: one line")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    tap.equal(objects(fit("--results", file, "--json")), bots, "CRLF")
    # The lines of an interleaved block count as one.
    first = HEAD + "".join(f"{g},{g % 5},a,{1 + g % 5 // 3}\n"
                           f"{g},{g % 5},b,{2 - g % 5 // 3}\n"
                           for g in range(50))
    file.write_text(first)
    compare(file)


def test_unknown(place):
    file = place / "apart.csv"
    file.write_text(HEAD + "".join(
        f"{g}a,,a,1\n{g}a,,b,2\n{g}c,,c,1\n{g}c,,d,2\n" for g in range(12)))
    run = fit("--results", file)
    tap.ok(run.code == 0 and run.out.count("No chain of games") == 1 and
           run.out.count("won all 12 games: at least") == 2 and
           run.out.count("lost all 12 games: at most") == 2,
           "what cannot be compared stands apart, and open ends are told", run)
    run = fit("--results", file, "--versus", "a", "c")
    tap.equal(run.out, "a against c: no chain of games connects them\n",
              "--versus of those that cannot be compared")
    tap.complains(fit("--results", file, "--prior", "0"), 2,
                  "no chain of games connects", "refused without a prior")


def test_level(place):
    """Tests three bots between a better and a worse one that differ only by
    rounding."""
    file, lines = place / "level.csv", []
    for pair in ("vw", "vx", "vy", "vz", "wz", "xz", "yz", "wx", "wy", "xy"):
        for game in range(4):
            seats = pair if "v" in pair or "z" in pair or game < 2 \
                else pair[::-1]
            rows = [f"{pair}{game},,{bot},{place_ + 1}\n"
                    for place_, bot in enumerate(seats)]
            lines += rows[::-1 if game % 2 == 0 else 1]
    file.write_text("\ufeff" + HEAD + "".join(lines), "utf-8")
    run = fit("--results", file, "--cross")
    tap.ok(run.code == 0 and "-0.." not in run.out and "+0..+0" not in run.out,
           "no difference is +0, whatever its trace, also behind the mark of "
           "UTF-8", run)


def test_ladder(place):
    ladder = ["--ladder", place / "l.db"]
    tap.referee("match", "toepen", "--bot", "random", "--bot", "house",
                "--games", 40, "--seed", "fit", *ladder, cwd=place)
    rows = objects(fit("--json", *ladder))
    tap.ok({one["bot"] for one in rows} == {"random", "house"} and
           all(one["games"] == 40 and one["game"] == "toepen" for one in rows),
           "a ladder's pool", rows)
    exported = csv.DictReader(io.StringIO(
        tap.referee("ladder", "export", "--format", "csv", *ladder).out))
    file = place / "exported.csv"
    file.write_text(HEAD + "".join(
        f"{row['serial']},,{row['bot']},{row['place']}\n" for row in exported))
    told = objects(fit("--results", file, "--json"))
    tap.equal([one["elo"] for one in told], [one["elo"] for one in rows],
              "its games from a file: the same")
    tap.equal(objects(fit("--json", "--pool", 1, *ladder)), rows, "--pool 1")
    tap.equal(len(objects(fit("--json", "--since", "2000-01-01", *ladder))), 2,
              "--since long ago")
    tap.equal(fit("--since", "2100-01-01", *ladder).out, "no games yet\n",
              "--since the future")
    game = json.loads(tap.referee("ladder", "games", "--json",
                                  *ladder).out.split("\n")[0])["id"]
    tap.referee("ladder", "void", game, "--why", "x", *ladder)
    tap.equal(objects(fit("--json", *ladder))[0]["games"], 39,
              "a voided game does not count")

def rating(run, bot="bot7"):
    return [line.split()[2] for line in run.out.splitlines()
            if f" {bot} " in line]


def test_heirs(base, kept, show):
    """Tests that versions that no fit has yet stand at the Elo of the one before."""
    tap.referee(*show)
    kept.write_bytes(kept_fit.with_games(kept, 200000))
    for bot, name, before in ((21, "heir", 8), (22, "second", 21), (23, "other", 8)):
        base.execute("INSERT INTO bot (bot, name) VALUES (?, ?)", (bot, name))
        base.execute("INSERT INTO rating (pool, bot, milli, games, wins, places,"
                     " halves, entered) VALUES (1, ?, 1510000, 29, 0, 58, 0, 20001)",
                     (bot,))
        if name != "other":
            base.execute("INSERT INTO heir VALUES (1, ?, ?)", (bot, before))
    base.commit()
    rows = {row["bot"]: row for row in objects(tap.referee(*show, "--json"))}
    tap.equal([[key, rows[name].get(key, "none")]
               for name in ("heir", "second") for key in ("elo", "from", "to", "set")],
              2 * [["elo", rows["bot7"]["elo"]], ["from", None], ["to", None],
                   ["set", "none"]],
              "a version that no fit has yet has the Elo of the one before it")
    tap.equal([rows[name]["provisional"]
               for name in ("bot9", "heir", "second", "other")],
              [False, False, True, True],
              "a bot that plays is provisional before it has 30 games")
    tap.ok("elo" not in rows["other"], "another bot has none", rows["other"])
    run = tap.referee(*show)
    tap.equal([rating(run, name) for name in ("heir", "second", "other")],
              [rating(run)] * 2 + [["-"]], "so does the table")
    tap.ok("provisional, from heir" in run.out and
           "An Elo from fewer than 30 games is provisional.\n" in run.out,
           "and says how sure that is", run.out)
    base.executescript("DELETE FROM heir; DELETE FROM rating WHERE bot > 20")


def test_kept(place):
    """Tests that the fit of many games is kept and used as long as it is valid."""
    big = place / "big.db"
    kept = place / "big.db.fit-1"
    big_ladder.fill(big, 20000, 20)
    on = ["--ladder", big]
    tap.ok(not kept.exists(), "nothing is kept before somebody looks")
    show = ["ladder", "show", *on]
    first = tap.referee(*show)
    tap.ok(kept.exists() and rating(first) == rating(fit(*on)), "kept",
           (kept, first))
    data = kept.read_bytes()
    kept.write_bytes(kept_fit.with_rating(kept, "bot7", 1717))
    tap.equal(rating(tap.referee(*show)), ["1717.0"], "used")
    tap.equal(rating(fit(*on)), rating(first), "`ladder fit` fits, and keeps")
    tap.equal(kept.read_bytes(), data, "the same")
    key = kept_fit.SUM
    kept.write_bytes(kept_fit.summed(data[:key] + bytes([data[key] ^ 1]) +
                                     data[key + 1:]))
    tap.ok(rating(tap.referee(*show)) == rating(first) and kept.read_bytes() == data,
           "another's is replaced")
    kept.write_bytes(kept_fit.with_rating(kept, "bot7", 1717))
    tap.equal(rating(fit("--prior", "0", *on))[0] in ("1717.0", ""), False,
              "without a prior: not the kept one")
    tap.equal(kept_fit.rows(kept)["bot7"].rating, 1717,
              "and it does not replace it")
    base = sqlite3.connect(big)
    base.execute("UPDATE rating SET milli = milli + 1 WHERE bot = 3")
    base.commit()
    tap.equal(rating(tap.referee(*show)), rating(first),
              "games came out other: it does not hold")
    tap.complains(tap.referee(*show, "--order", "name"), 2, "'name'", "--order")
    test_heirs(base, kept, show)
    kept.unlink()
    kept.mkdir()
    tap.equal(rating(tap.referee(*show)), rating(first),
              "who cannot keep it goes without")
    tap.ok(not list(place.glob("*.tmp")), "nothing is left behind")


with tap.folder() as scratch:
    folder = pathlib.Path(scratch)
    test_agreement(folder)
    test_unknown(folder)
    test_level(folder)
    test_ladder(folder)
    test_kept(folder)
tap.done()
