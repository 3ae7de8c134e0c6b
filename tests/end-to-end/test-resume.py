#!/usr/bin/env python3
"""Tests that a match that is killed at any moment and resumed ends with the
same table as one that ran through.  End-to-end because what a killed process leaves
is what the next one finds.  CHECK_ALL=1 kills a match of 2,000 games
thirty times."""

import json
import os
import re
import shlex
import signal
import stat

import arena
import tap

ALL = os.environ.get("CHECK_ALL") == "1"
GAMES, KILLS = (2001, 30) if ALL else (45, 2)
if ALL:
    tap.TIMEOUT_S = 1200
BAD = ("bad", shlex.quote(arena.BAD) + " illegal")
SETUP = ["-o", "points=2", "--seed", "resume", "--sandbox", "off"]
# Makes the first moves, but begins no game while the folder that the file
# `hold` names has as many records as it says: so the match does not end.
GATE = r'''while read -r verb ask ms move others && [ "$verb" != bye ]; do
	[ "$verb" != ask ] || echo "do $ask $move"
	[ "$verb" != game ] || while read -r most folder <hold &&
		[ "$(ls "$folder" | grep -c 'rec$')" -ge "$most" ]
	do sleep 0.05; done
done
'''
MATCH = [*SETUP, *arena.bots("random", ("first", "sh gate.sh"), "house", BAD),
         "--seats", 3, "--games", GAMES, "--move-time", 3600000]


def command(folder, *arguments):
    return ["match", "toepen", "--resume", folder, *map(str, arguments)]


def play(place, folder, *arguments):
    return tap.referee(*command(folder, *arguments), cwd=place.root)


def table(text):
    """Returns the table without turns and seconds, which are those of the last
    run."""
    return re.sub(r"\d+\s+turns\s+in\s+[\d.]+\s+s", "", text)


def standings(text):
    lines = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in line.items()
             if key not in ("trouble", "turns", "seconds")} for line in lines]


def count(folder):
    return len(list(folder.glob("*.rec"))) if folder.is_dir() else 0


def hold(place, text):
    """Replaces the file at once, because bots read it at any time."""
    (place.root / "hold.new").write_text(text)
    (place.root / "hold.new").rename(place.root / "hold")


def kill_at(place, folder, goal, number=signal.SIGKILL, more=()):
    """Kills a match once this many records exist; returns true if it was not
    over."""
    hold(place, f"{goal + 3} {folder}\n")
    match = place.popen(command(folder, *MATCH, "--jobs", 2, *more))
    arena.wait_for(lambda: match.poll() is not None or
                   count(place.root / folder) >= goal)
    match.send_signal(number)
    err = match.communicate()[1]
    hold(place, "")
    tap.ok(number == signal.SIGKILL or
           b"; give the same command again to go on\n" in err,
           "a match that is interrupted says how it goes on", err)
    return match.returncode == -number


def through(place):
    first = play(place, "through", *MATCH, "--jobs", 1)
    other = play(place, "other", *MATCH, "--jobs", 4)
    tap.ok(first.code == 0 and first.out.count("\n") > 4, "a match", first)
    tap.equal(table(other.out), table(first.out),
              "four games at a time give the table of one at a time")
    plan = place.root / "through" / "plan"
    tap.equal(stat.S_IMODE(plan.stat().st_mode), 0o600,
              "the plan is its owner's alone")
    return first


def killed(place, expected):
    dice, kills = tap.dice("kills"), 0
    goals = sorted(dice.randrange(GAMES - 25) for _ in range(KILLS))
    for goal in goals:
        kills += kill_at(place, "killed", goal)
    run = play(place, "killed", *MATCH)
    tap.equal((run.code, table(run.out)), (0, table(expected.out)),
              "killed and resumed it ends with the same table")
    tap.equal(kills, KILLS, f"it was killed with {goals} records")
    tap.equal(count(place.root / "killed"), GAMES, "each game is there once")
    tap.ok(tap.referee("verify", place.root / "killed").code == 0,
           "and verifies")
    again = play(place, "killed", *MATCH, "--json")
    tap.equal(standings(again.out),
              standings(play(place, "through", *MATCH, "--json").out),
              "so it is in JSON, and when nothing is left to play")
    tap.ok(f"{GAMES} of {GAMES} games are there already" in again.err,
           "which is told", again.err)


def interrupted(place):
    kill_at(place, "stopped", 5, signal.SIGTERM)
    tap.ok(not any(one.aborted() for one in
                   place.records(place.root / "stopped")),
           "an interrupted match keeps no game that will be played again")


def stopped(place):
    """A match that stops says what its folder is good for."""
    bots = arena.bots("random", ("late", "false"))
    run = play(place, "silent", *SETUP, *bots, "--games", 4)
    tap.ok(run.code == 2 and "referee: 'silent' keeps the plan of this match: the "
           "same command goes on; if a bot has changed, give another folder\n"
           in run.err, "a match of a bot that never begins", run)


# Each option changes this in what the plan tells: the arguments that stand at the end,
# and the word for it.
CHANGES = {
    "bot": (["--bot", "house", "--seats", 2], "does not have the bot house"),
    "bots": (["--bots", "team", "--seats", 2], "does not have the bot extra"),
    "name": (["--name", "mine"], "has the bot own instead of mine"),
    "entropy": (["--entropy"], "differs in bot own"),
    "reuse": (["--reuse"], "differs in bot own"),
    "seats": (["--bot", "house", "--games", 6], "differs in `seats`"),
    "open": (["--open", "arrival"], "differs in `open`"),
    "games": (["--games", 6], "differs in `games`"),
    "exact": (["--games", 3, "--exact"], "differs in `games`"),
    "sprt": (["--sprt", "elo0=0,elo1=9"], "differs in `stop`"),
    "until-sure": (["--until-sure"], "differs in `stop`"),
    "seed": (["--seed", "other"], "differs in `seed`"),
    "move-time": (["--move-time", 9], "differs in `times`"),
    "bank": (["--bank", 1], "differs in `times`"),
    "increment": (["--increment", 1], "differs in `times`"),
    "total": (["--total", 60000], "differs in `times`"),
    "faults": (["--faults", 4], "differs in `faults`"),
    "ponder": (["--ponder", "off"], "differs in `ponder`"),
    "as-ladder": (["--as-ladder"], "differs in `as_ladder`"),
    "asks": (["--asks"], "differs in `asks`"),
    "ladder": (["--ladder", "other.db"], "differs in `ladder`"),
    "duplicate": (["--duplicate"], "differs in `duplicate`"),
    "rounds": (["--rounds", 3], "differs in `tournament`"),
    "hero": (["--hero", "house"], "differs in `tournament`"),
    "best": (["--best", 2], "differs in `tournament`"),
}
# These options only say where, how fast and in what form: they do not change
# the games.
SAME = {"jobs", "pin", "sandbox", "brief-sandbox", "processes", "records", "resume",
        "stderr", "json", "csv", "cross", "help", "data"}
# test-final.py tries these, which need a ladder.
SAME |= {"final", "top", "frozen"}


def options(*words):
    """Returns the options that change the games."""
    run = tap.referee("complete", *words, "--")
    found = set(re.findall(r"^--(\S+)", run.out, re.M)) - SAME
    tap.equal(found - set(CHANGES), set(), f"{words[0]}: CHANGES or SAME has "
              "each option")
    return sorted(found & set(CHANGES))


def refused(place, option, words, *arguments):
    changed, what = CHANGES[option]
    run = tap.referee(*map(str, [*words, *arguments, *changed]), cwd=place.root)
    tap.complains(run, 2, f"which {what}; give the same arguments",
                  f"{words[0]}: another plan: --{option}")


def each_option(place, few):
    """Tests that the plan has every option that changes the games."""
    words = ["match", "toepen"]
    for option in options(*words):
        mine = few
        if option == "duplicate":  # it refuses bots without a box
            mine = arena.bots("random", "house")
            tap.referee(*words, "--resume", "two", *mine, "--games", 2,
                        cwd=place.root)
        refused(place, option, [*words, "--resume",
                                "two" if option == "duplicate" else "own"],
                *mine, *(() if option == "exact" else ("--games", 4)))


def each_format(place):
    three = [*arena.bots("random", "house", ("third", "random")), "-o",
             "points=1", "--seed", "x"]
    known = options("match", "toepen")
    for name, more in (("roundrobin", ()), ("swiss", ()),
                       ("gauntlet", ("--hero", "third")),
                       ("knockout", ("--seats", "3"))):
        words = ["tournament", name, "toepen", "--resume", name, *three, *more]
        tap.equal(tap.referee(*words, cwd=place.root).code, 0, name)
        for option in options("tournament", name):
            if option not in known:
                refused(place, option, words)
        tap.complains(tap.referee(*words, "--games", 6, cwd=place.root), 2,
                      "differs in `tournament`", f"{name}: --games")


def names(folder):
    """Returns the names in a folder, without the founding of a ladder that
    should have its records there, and the copies of a refused match with
    --bots."""
    return sorted(path.name for path in folder.iterdir()
                  if path.suffix != ".ladder" and path.name != "copies")


def others(place):
    """Tests matches that each differ in one thing."""
    bots = arena.bots("random", ("first", arena.FIRST), "house", BAD)
    script = place.root / "own.sh"
    script.write_text("exec sh " + shlex.join(shlex.split(arena.FIRST)[1:]))
    own = [*arena.bots("random"), "--bot", f"sh {script}"]
    few = [*SETUP, *own, "--games", 4]
    extra = place.root / "team" / "extra"
    extra.mkdir(parents=True)
    (extra / "bot.conf").write_text('name = "x"\nrun = { "sh", "x.sh" }\n')
    tap.equal(play(place, "own", *few).code, 0, "a match with a bot's file")
    before = names(place.root / "own")
    each_option(place, [*SETUP, *own])
    tap.complains(play(place, "own", *few[2:]), 2, "differs in `options`",
                  "another plan: -o")
    for words, part in (
            ([*own[2:], "--bot", "house"], "has the bot random instead of house;"),
            (own[2:] + own[:2], "has the bots in another order;")):
        tap.complains(play(place, "own", *SETUP, *words, "--games", 4), 2, part,
                      "another plan: the match there " + part)
    play(place, "three", *SETUP, *own, "--bot", "house", "--seats", 2, "--games", 4)
    tap.complains(play(place, "three", *few), 2, "also has the bot house;",
                  "another plan: a bot has gone")
    script.write_text(script.read_text() + " # changed\n")
    tap.complains(play(place, "own", *few), 2, "differs in bot own;",
                  "another plan: the bot's file")
    tap.complains(play(place, "own", *SETUP, *bots, "--games", 4, "--records",
                       "x"), 2, "leave out --records", "two folders")
    tap.equal(names(place.root / "own"), before, "nothing has changed there")
    (place.root / "own" / "plan").write_text("no plan")
    tap.complains(play(place, "own", *few), 2, "is no plan of a match",
                  "a plan that is none")


def damaged(place):
    few = [*SETUP, *arena.bots("random", "house"), "--games", 4]
    play(place, "few", *few)
    record = place.records(place.root / "few")[2].path
    text, body = record.read_text(), arena.Record(record).body
    record.write_text(text.replace("play:", "play:J", 1))
    tap.complains(play(place, "few", *few), 2, "remove this record",
                  "a record that does not verify")
    record.unlink()
    tap.equal((play(place, "few", *few).code, arena.Record(record).body),
              (0, body), "is played again without it")


def drawn(place):
    few = [*SETUP[:2], *arena.bots("random", "house"), "--games", 24]
    first, second = (play(place, "drawn", *few).out for _ in range(2))
    tap.ok("\nseed: " in first and table(first) == table(second),
           "a seed that was drawn is that of the plan", first + second)


def given(place):
    """Tests that a given seed need not be repeated, and that RECORD.md
    documents all of a plan."""
    few = arena.bots("random", "house")
    first = play(place, "given", *few, "--games", 4, "--seed", "x")
    again = play(place, "given", *few, "--games", 4)
    tap.equal((again.code, table(again.out)), (0, table(first.out)),
              "without --seed the plan's seed is taken, which was given")
    page = (tap.SOURCE_DIR / "protocol/RECORD.md").read_text()
    section = page.partition("\n## The plan of a match\n")[2]
    rows = re.findall(r"^\| (`.*?) \|", section.partition("\n## ")[0], re.M)
    tap.equal(set(re.findall(r"`(\w+)`", " ".join(rows))) - {"tournament"},
              set(json.loads((place.root / "given" / "plan").read_text())),
              "RECORD.md lists the keys of a plan")


def beside(place):
    """Tests that a bot's folder may have files of the match and of Python."""
    mine = place.root / "mine"
    mine.mkdir()
    (mine / "bot.conf").write_text('name = "mine"\ngames = { "toepen" }\n'
                                   'run = { "sh", "bot.sh" }\n')
    (mine / "bot.sh").write_text("mkdir -p __pycache__; echo $$ >__pycache__/x\n"
                                 "exec " + arena.FIRST)
    few = [*SETUP, "--bot", "mine", "--bot", "random", "--games", 2, "--ladder",
           "mine/l.db", "--stderr", "mine/err"]
    first, again = (play(place, "mine/run", *few) for _ in range(2))
    tap.equal((again.code, table(again.out)), (0, table(first.out)),
              "a match that is kept in the folder of a bot is resumed")
    (place.root / "bot.sh").write_text("")
    again = play(place, "mine/run", *few)
    tap.equal((again.code, table(again.out)), (0, table(first.out)),
              "a file of the name of a bot's, but not in its folder, is none of it")
    (mine / "more.sh").write_text("")
    tap.complains(play(place, "mine/run", *few), 2, "differs in bot mine;",
                  "another plan: a new file in the bot's folder")


def rated(place):
    """Tests that each game of a match on a ladder counts once."""
    mine = [*MATCH, "--ladder", "l.db"]
    kill_at(place, "rated", 10, more=["--ladder", "l.db"])
    run = play(place, "rated", *mine)
    tap.equal((run.code, count(place.root / "rated")), (0, GAMES),
              "a match on a ladder is resumed")
    run = tap.referee("ladder", "rebuild", "--ladder", "l.db", cwd=place.root)
    tap.ok(run.code == 0 and "nothing differs" in run.out,
           "and the ladder is that of its records", run)
    run = tap.referee("ladder", "games", "--json", "--ladder", "l.db",
                      cwd=place.root)
    tap.equal(run.out.count("\n"), GAMES, "with each game once")
    tap.complains(play(place, "rated", *MATCH), 2, "differs in `ladder`;",
                  "another plan: no ladder")
    record = next(one.path for one in place.records(place.root / "rated")[7:]
                  if "play:" in one.path.read_text())
    record.write_text(record.read_text().replace("play:", "play:J", 1))
    tap.complains(play(place, "rated", *mine), 2, "again; the ladder then "
                  "needs `referee ladder rebuild --accept --gaps`",
                  "a record that does not verify, on a ladder")
    record.unlink()
    tap.ok("1 of them was on the ladder before and did not count again" in
           play(place, "rated", *mine).out, "its game is played again", run)
    run = tap.referee("ladder", "rebuild", "--accept", "--gaps", "--ladder",
                      "l.db", cwd=place.root)
    tap.ok(run.code == 0 and f"{GAMES} games are rated again" in run.out,
           "and the ladder takes it", run)


def two_at_once(place):
    hold(place, "0 slow\n")
    slow = [*SETUP, *arena.bots("random", "sh gate.sh"), "--games", 100]
    match = place.popen(command("slow", *slow))
    arena.wait_for(lambda: (place.root / "slow" / "plan").exists())
    tap.complains(play(place, "slow", *slow), 3, "another match is played in",
                  "two matches in one folder")
    match.kill()
    match.communicate()


with arena.Arena() as place_:
    (place_.root / "gate.sh").write_text(GATE)
    hold(place_, "")
    whole = through(place_)
    killed(place_, whole)
    interrupted(place_)
    stopped(place_)
    others(place_)
    each_format(place_)
    damaged(place_)
    drawn(place_)
    given(place_)
    beside(place_)
    rated(place_)
    two_at_once(place_)
    tap.equal(place_.left_behind(arena.GONE_S), {}, "nothing stays")
tap.done()
