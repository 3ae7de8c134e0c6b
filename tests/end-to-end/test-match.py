#!/usr/bin/env python3
"""End-to-end because `referee match` joins schedule, bots, records, table and terminal:
it prints what was played."""

import itertools
import json
import math
import os
import pty
import re
import shlex
import signal
import subprocess
import sys

import arena
import keys
import tap

sys.path.insert(0, str(tap.SOURCE_DIR / "tests" / "independent"))
import match_bars


def objects(run):
    return [json.loads(line) for line in run.out.splitlines()]


def table(text):
    """Returns the rows of the table that begins with `rank`, by bot."""
    lines = text.replace(" +-", "+-").replace(" ?", "?").replace(
        "vs next", "vs-next").splitlines()
    start = next(i for i, line in enumerate(lines)
                 if line.split()[:1] == ["rank"])
    head = lines[start].split()
    rows = itertools.takewhile(lambda words: words and words[0].isdigit(),
                               map(str.split, lines[start + 1:]))
    return {words[1]: dict(zip(head, words)) for words in rows}


def played(records):
    """Returns seats, places, points, faults and scores by bot, from the
    records."""
    found = {}
    for record in records:
        places, points = record.places(), record.points()
        for seat, bot in enumerate(record.bots()):
            sums = found.setdefault(bot, {"seats": [], "places": [],
                                          "points": [], "faults": 0,
                                          "scores": []})
            sums["seats"].append(seat)
            sums["places"].append(places[seat])
            sums["points"].append(points[seat])
            sums["faults"] += len(record.faults()[seat])
            others = places[:seat] + places[seat + 1:]
            beaten = sum((other > places[seat]) + (other == places[seat]) / 2
                         for other in others)
            sums["scores"].append(beaten / len(others))
    return found


def mean(values):
    return sum(values) / len(values)


def is_about(told, number):
    """Compares with a number of which JSON has ten digits."""
    return math.isclose(told, number, rel_tol=1e-8, abs_tol=1e-8)


def is_level(told, number):
    return told == number if None in (told, number) else is_about(told, number)


def check_bars(what, standings, records):
    """Checks the errors against a second program."""
    games = {int(record.path.name.split("-")[0]):
             (record.bots(), record.places()) for record in records}
    bars = match_bars.Bars(len(records[0].bots()), games)
    found = [(one["error"], one["vs_next"], one["vs_next_error"])
             for one in standings]
    names = [one["bot"] for one in standings]
    expected = [(bars.error(bot), bars.difference(bot, other),
                 bars.difference_error(bot, other))
                for bot, other in zip(names, names[1:])]
    expected.append((bars.error(names[-1]), None, None))
    tap.ok(all(is_level(*pair) for one, other in zip(found, expected)
               for pair in zip(one, other)),
           f"{what}: the errors are those of another program",
           (found, expected))


def check_elo(what, standings):
    """Checks the Elo above the mean and both ends, which a bot lacks that has
    won or lost all games."""
    elo = [one["elo"] for one in standings]
    tap.ok(None not in elo and abs(sum(elo)) < 1e-3,
           f"{what}: Elo counts from the mean of the bots", elo)
    wrong = [one for one in standings if
             (one["from"] is None) != (one["score"] == 0) or
             (one["to"] is None) != (one["score"] == 1) or
             not (one["from"] or one["elo"] - 1) < one["elo"] <
             (one["to"] or one["elo"] + 1)]
    tap.equal(wrong, [], f"{what}: the ends of Elo are on both sides of it")


def signed(points):
    return "-" if points is None else f"{round(points):+}"


def check_standings(what, standings, records):
    """Compares what --json says with the records."""
    sums = played(records)
    tap.equal({one["bot"] for one in standings}, set(sums),
              f"{what}: all bots are there")
    for one in standings:
        mine = sums[one["bot"]]
        tap.ok(one["games"] == len(mine["places"])
               and one["wins"] == mine["places"].count(1)
               and one["faults"] == mine["faults"]
               and is_about(one["place"], mean(mine["places"]))
               and is_about(one["points"], mean(mine["points"]))
               and is_about(one["score"], mean(mine["scores"])),
               f"{what}: {one['bot']} as in the records", (one, mine))
    check_bars(what, standings, records)
    scores = [one["score"] for one in standings]
    tap.equal(scores, sorted(scores, reverse=True), f"{what}: best first")
    tap.equal([one["rank"] for one in standings],
              list(range(1, len(standings) + 1)), f"{what}: ranks")
    check_elo(what, standings)


def shown_number(number, error):
    if number is None:
        return "-"
    return f"{number:.3f}" + (f"+-{error:.3f}" if error is not None else "?")


def check_table(what, text, standings):
    rows = table(text)
    tap.equal(list(rows), [one["bot"] for one in standings],
              f"{what}: the table has the same order")
    for one in standings:
        row, full = rows[one["bot"]], {
            "rank": str(one["rank"]), "bot": one["bot"],
            "games": str(one["games"]), "wins": str(one["wins"]),
            "place": f"{one['place']:.2f}", "points": f"{one['points']:.2f}",
            "score": shown_number(one["score"], one["error"]),
            "vs-next": shown_number(one["vs_next"], one["vs_next_error"]),
            "Elo": signed(one["elo"]), "from": signed(one["from"]),
            "to": signed(one["to"]), "faults": str(one["faults"]),
        }
        tap.equal(row, {key: full[key] for key in full
                        if key in row or key not in ("place", "points")},
                  f"{what}: the table about {one['bot']}")
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines)
                 if line.split()[:1] == ["rank"])
    widths = {len(line) for line in lines[start:start + len(standings) + 1]}
    tap.equal(len(widths), 1, f"{what}: its columns are straight")
    tap.ok(max(map(len, lines)) <= 80, f"{what}: it fits a terminal", lines)


# ---- the bot of three lines, four times

with arena.Arena() as place:
    run = place.match("toepen", *arena.bots(*[arena.FIRST] * 4),
                      "--seats", 4, "--games", 4, "--json", *arena.PATIENT)
    tap.ok(run.code == 0 and not run.err, "four bots of three lines play", run)
    *standings, match = objects(run)
    check_standings("three lines", standings, place.records())
    tap.equal({one["bot"] for one in standings},
              {"first", "first-2", "first-3", "first-4"},
              "three lines: their names are made unique")
    tap.equal((match["games"], match["seats"], match["game"], match["open"],
               match["options"]), (4, 4, "toepen", "priority",
                                   {"points": "15"}), "the match's own line")
    tap.equal(sum(one["faults"] for one in standings), 0,
              "three lines: no faults")
    tap.ok(len(match["seed"]) == 32, "the seed that was drawn is told", match)

# ---- round robin

# The table looks the same in each game, but for the number of seats.
for game in ("daupun", "daumen-drauf"):
    at_table = arena.seats(game, 3)
    arguments = [*arena.bots(("a", "random"), ("b", "house"), ("c", arena.RANDOM_C),
                             ("d", "random"), ("e", "random")),
                 "--seats", at_table, "--seed", "robin", "--games", 30, *arena.PATIENT]
    with arena.Arena() as place:
        run = place.match(game, *arguments, "--json")
        what = f"{game} round robin"
        *standings, match = objects(run)
        check_standings(what, standings, place.records())
    text = tap.referee("match", game, *arguments, "--sandbox", "off").out
    check_table(what, text, standings)
    head = " ".join(text.partition("rank")[0].split())
    tap.ok(head.startswith(f"{game}, {at_table} seats, ")
           and f": 30 games, {match['turns']} turns in " in head,
           f"{what}: the table's head", text)
    tap.ok("seed" not in text, f"{what}: a seed that was given is not told", text)

# ---- long names, many games

# The longest names in both forms of the table come with the widest numbers.
for length, count in ((15, 20), (32, 1000)):
    name = "x" * length
    run = tap.referee("match", "toepen", *arena.bots((name, "random"),
                                                     "house"),
                      "--games", count, "-o", "points=1", "--seed", "names")
    lines = run.out.splitlines()
    vs_next = len(" 0.096 +-0.063")
    tap.ok(len(lines) == 5 and max(map(len, lines)) <= 80
           and all(word in lines[1].split() for word in
                   ("bot", "games", "score", "Elo", "from", "to", "faults"))
           and re.search(r" [01]\.\d{3} \+-0\.\d{3} ", lines[2])
           and ("vs next" in lines[1] or len(lines[1]) + vs_next > 80),
           f"a name of {len(name)} bytes: 80 columns", run.out)

# ---- two bots: the difference in Elo

NUMBER = r"[+-]\d+\.\d"
for arguments, form in (
        ([("a", "random"), ("b", "random")],
         rf"{NUMBER} \({NUMBER} to {NUMBER}\), LOS \d+\.\d%"),
        ([("first", arena.FIRST), "random"], rf"at least {NUMBER} "
         r"\(won all 10 games\), LOS \d+\.\d%")):
    words = ["match", "toepen", *arena.bots(*arguments), "--games",
             10 if "least" in form else 60, "--seed", "readme"]
    text = tap.referee(*words).out
    tap.ok(re.search(rf"^Elo difference: {form}$", text, re.MULTILINE),
           f"a difference in Elo stands below the table: {arguments}", text)
    first, second, match = objects(tap.referee(*words, "--json"))
    ends = [match["elo_difference_" + end] for end in ("from", "to")]
    tap.ok(is_about(match["elo_difference"], first["elo"] - second["elo"]) and
           .5 <= match["los"] <= 1 and ends[0] is not None and
           (ends[1] is None) == ("least" in form),
           f"and in JSON: {arguments}", match)
    told = re.search(r"^Elo difference: (?:at least )?(\S+)", text,
                     re.MULTILINE)[1]
    tap.equal(told, f"{ends[0] if 'least' in form else match['elo_difference']:+.1f}", "with the same number")

# ---- counts that do not come out even

TOLD = ("referee: {} games instead of {}, so that each bot sits in every seat "
        "equally often; --exact plays {}\n")
for seats, count, played_, exact in ((2, 7, 8, ()), (3, 7, 7, ("--exact",))):
    run = tap.referee("match", "toepen", "-o", "points=1", "--json",
                      *arena.bots(*["random", "house", "random"][:seats]),
                      "--games", count, *exact)
    tap.equal((run.code, run.err, objects(run)[-1]["games"]),
              (0, "" if exact else TOLD.format(played_, count, count), played_),
              f"{count} games with {seats} seats {exact}")

# ---- faults

with arena.Arena() as place:
    arguments = [*arena.bots("random", ("toep", shlex.quote(arena.BAD)
                                        + " illegal")),
                 "--games", 2, "--seed", "faults", "--sandbox", "off", *arena.PATIENT]
    run = tap.referee("match", "toepen", *arguments)
    tap.ok(run.err.startswith("bot toep: 6 faults: 6 illegal; the first in "
                              "game 1 (seat 1): illegal\n"),
           "faults are told by kind", run)
    tap.ok("\n  illegal: answered ask 1 with `dance:naked`; legal: play:"
           in run.err and "  record: none (--records DIR keeps them)\n" in
           run.err and "  standard error: nothing\n" in run.err and
           "bad-bot illegal' --game toepen\n" in run.err,
           "the first with what explains it", run)
    run = tap.referee("match", "toepen", *arguments, "--json")
    tap.equal([keys.wrong("match", line) for line in run.out.splitlines()],
              ["", "", ""], "its keys in --json are those of the page")
    bad = next(one for one in objects(run) if one.get("bot") == "toep")
    tap.equal((bad["faults"], bad["fault_kinds"]),
              (6, {"timeout": 0, "illegal": 6, "protocol": 0, "crash": 0}),
              "and so in --json")
    trouble = bad["trouble"]
    tap.equal((trouble["game"], trouble["seat"], trouble["fault"],
               trouble["ask"], trouble["said"], trouble["record"],
               trouble["legal"].startswith("play:")),
              (1, 1, "illegal", 1, f"do 1 {trouble['token']}", None, True),
              "with what explains the first")
    tap.ok(trouble["sentence"].startswith(
        f"illegal: answered ask 1 with `{trouble['token']}`"), "in a sentence, too",
        trouble)
    arguments[3] = shlex.quote(arena.BAD) + " slipping"
    run = tap.referee("match", "toepen", *arguments)
    told = re.fullmatch("bot toep made the first legal move instead (.+) times: "
                        r"TypeError: there is no hand \(game 1, seat 1\)\n",
                        run.err)
    tap.ok(told and run.code == 0, "fallbacks are told with their cause", run)
    run = tap.referee("match", "toepen", *arguments, "--json")
    bad = next(one for one in objects(run) if one.get("bot") == "toep")
    tap.equal((bad["faults"], bad["fallbacks"], bad["fallback"],
               bad["failures"], bad["failure"]),
              (0, int(told[1]), "TypeError: there is no hand", 0, None),
              "and so in --json")

# ---- exit statuses that matter

with arena.Arena() as place:
    script = place.root / "late"
    script.write_text(f"#!/bin/sh\n{arena.FIRST}\necho late >&2\nexit 1\n")
    script.chmod(0o755)
    run = place.match("toepen", *arena.bots("random", str(script)),
                      "--games", 2, *arena.PATIENT)
    tap.ok(run.code == 0 and not run.err,
           "who fails after `bye` hurts nobody", run)
    script.write_text("#!/bin/sh\necho early >&2\nexit 1\n")
    run = place.match("toepen", *arena.bots("random", str(script)),
                      "--games", 40, "--jobs", 1, *arena.PATIENT)
    tap.ok(run.code == 2 and run.err.endswith(
        "\n  standard error:\n  ! early\n  more: referee "
        f"check '{script}' --game toepen\n"
        "referee: bot late never begins: it ended with status 1 before it "
        "said anything\n"),
           "who never begins stops the match", run)
    tap.equal(run.err.count("it said: early"), 2, "after its first games")
    run = place.match("toepen", *arena.bots("random", str(script)),
                      "--games", 6, "--jobs", 1, "--as-ladder")
    tap.ok(run.code == 0 and "6 games" in run.out and "never begins" not in run.err,
           "with --as-ladder it loses its games", run)
    script.write_text('#!/bin/sh\nread a; read b; echo "$b" >&2; exit 1\n')
    for folder, options, named in (("named", (), True),
                                   ("unnamed", ("--as-ladder",), False)):
        run = place.match("toepen", *arena.bots(str(script), "random"), "--games", 1,
                          "--exact", "--stderr", folder, *options)
        line = next((place.root / folder).glob("*-late.txt")).read_text()
        tap.ok(line.startswith("game ") and (" names=" in line) == named,
               f"the line of a game: {folder}", line)
    script.write_text(
        "#!/bin/sh\nseq 1 30 >&2\nread a; read b; echo say hm\n"
        "echo 'ValueError: x' >&2; exit 3\n")
    run = place.match("toepen", *arena.bots("random", str(script)),
                      "--games", 4, "--stderr", "errors", "--records", "kept",
                      *arena.PATIENT)
    tap.ok(run.code == 0 and "12 crash" in run.err and
           "\n  it ended with status 3\n" in run.err and
           "\n  ! 3\n  ! [18 lines]\n  ! 22\n" in run.err and
           "\n  ! ValueError: x\n" in run.err,
           "who crashes later is told with its first and last lines", run)
    path = re.search(r"^  record: (.*)$", run.err, re.M)
    tap.ok(path and (place.root / path[1]).read_text().startswith("record 1\n"),
           "and with the path of the record", run)
    errors = sorted((place.root / "errors").iterdir())
    tap.equal(([path.read_text().splitlines()[-1] for path in errors],
               sorted(path.name[8:] for path in errors)),
              (["ValueError: x"] * 4,
               [f"-{seat}-late.txt" for seat in (0, 0, 1, 1)]),
              "--stderr keeps each game's")
    tap.complains(place.match("toepen", *arena.bots("random", "house"),
                              "--games", 2, "--stderr", "errors"), 2,
                  "'errors' has the standard error of another match",
                  "and no other match's beside them")
    tap.complains(place.match("toepen", *arena.bots("random", "house"),
                              "--stderr", "no/such"), 2, "no/such",
                  "--stderr wants a folder")

# ---- a ladder in use

with arena.Arena() as place:
    def ladder(*arguments):
        return tap.referee("ladder", *arguments, "--ladder", "l.db",
                           cwd=place.root)

    # Two games run at once.
    slow = shlex.quote(arena.BAD) + " slow --ms 10"
    first = place.start("toepen", *arena.bots("random", slow), "-o", "points=1",
                        "--games", 100000, "--ladder", "l.db")
    arena.wait_for(lambda: objects(ladder("games", "--json")))
    run = place.match("toepen", *arena.bots("random", "house"), "--games", 2,
                      "--ladder", "l.db")
    tap.complains(run, 3, f"in use by another referee (process {first.pid})",
                  "two matches on one ladder: the second is told so")
    tap.ok(first.poll() is None
           and objects(ladder("games", "--json")),
           "the first goes on, and the ladder can be read meanwhile")
    run = ladder("rebuild")
    tap.complains(run, 3, "in use", "nor can it be rebuilt meanwhile")
    first.send_signal(signal.SIGTERM)
    first.communicate()
    run = ladder("rebuild")
    tap.ok(run.code == 0 and "nothing differs" in run.out,
           "after it the ladder is free", run)

# ---- on a terminal


def on_terminal(command, **options):
    """Runs a command at a terminal; returns (exit code, standard output, bytes
    drawn on standard error)."""
    main, terminal = pty.openpty()
    drawn = b""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=terminal,
                          **options) as child:
        os.close(terminal)
        while True:
            try:
                part = os.read(main, 4096)
            except OSError:  # all processes have closed it
                break
            if not part:
                break
            drawn += part
        out = child.stdout.read().decode()
    os.close(main)
    return child.returncode, out, drawn.decode()


def shown(drawn):
    """Returns the line that a terminal shows in the end."""
    line = ""
    for part in re.split(r"(\r|\n|\x1b\[K)", drawn):
        if part in ("\r", "\n"):
            line = "" if part == "\n" else line
            column = 0
        elif part == "\x1b[K":
            line = line[:column]
        elif part:
            line = line[:column] + part + line[column + len(part):]
            column += len(part)
    return line


with arena.Arena() as place:
    slow = shlex.quote(arena.BAD) + " slow --ms 30"
    code, out, drawn = on_terminal(
        place.command("toepen", *arena.bots("random", slow), "--games", 4,
                      "--jobs", 2), cwd=place.root, env=place.environ)
    tap.ok(code == 0 and re.search(r"\d of 4 games", drawn),
           "a terminal sees how far it is", drawn)
    tap.ok(re.search(r"\d:\d\d left", drawn), "and how long it will take",
           drawn)
    tap.ok(re.search(r" left, lead -?\d\.\d\d to \d\.\d\d", drawn),
           "and how far the first bot leads", drawn)
    tap.equal(shown(drawn), "", "at the end the line is wiped")
    tap.ok("\x1b" not in out and "\r" not in out and " of 4" not in out,
           "nothing of it is in the output", out)
with arena.Arena() as place:
    # luck: time to draw something; the point also holds without
    ends = shlex.join(["sh", "-c", "sleep 1; echo trouble >&2; exit 7"])
    code, out, drawn = on_terminal(
        place.command("toepen", *arena.bots("random", ("ends", ends)),
                      "--games", 2, *arena.PATIENT), cwd=place.root,
        env=place.environ)
    lines = [re.sub(r".*\r|\x1b\[K", "", line)
             for line in drawn.replace("\r\n", "\n").split("\n")]
    told = [line for line in lines if line.startswith("bot ends (game ")]
    tap.ok(len(told) == 2 and all("ended with status 7" in line
                                  and "trouble" in line for line in told),
           "a complaint stands on a line of its own", drawn)

# ---- help

for what in ([], ["help"], ["--help"]):
    run = tap.referee(*what)
    tap.ok(run.code == 0 and all(
        f"\n  {name} " in run.out
        for name in ("games", "match", "ladder", "replay", "verify", "bench")),
        f"`{' '.join(['referee', *what])}` lists the commands", run)
    tap.ok(max(map(len, run.out.splitlines())) <= 80, "in 80 columns", run)
tap.done()
