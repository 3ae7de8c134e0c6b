#!/usr/bin/env python3
"""End-to-end because the sample bots are programs in eight languages: that of each kit
plays every game without a fault, beside all others at full tables.  In the long form
it plays with every number of seats against itself.

The random bots draw the same numbers in each language, so with one seed a table
full of one of them plays the same as a table full of another.  The bot in shell
makes the first move, as `house` does."""

import os
import shlex
import shutil

import arena
import forms
import tap

ALL = os.environ.get("CHECK_ALL") == "1"  # the long form
SAMPLES = tap.SOURCE_DIR / "sample-bots"
BUILT = tap.BUILD_DIR / "sample-bots"
NODE = os.environ.get("NODE") or shutil.which("node") or ""
JAVA = os.environ.get("JAVA") or shutil.which("java") or ""
if not (BUILT / "java" / "RandomBot.class").exists():
    JAVA = ""
RANDOM = {
    "C": arena.RANDOM_C,
    "Python": arena.python_bot("sample-bots/python/random_bot.py"),
}
for language, words in {
        "JavaScript": [NODE, SAMPLES / "javascript" / "random-bot.js"],
        "C++": [BUILT / "cpp" / "random-bot"],
        "Go": [BUILT / "go" / "random-bot"],
        "Rust": [BUILT / "rust" / "random-bot"],
        "Java": [JAVA, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
                 BUILT / "java", "RandomBot"],
        "shell": ["sh", SAMPLES / "shell" / "random_bot.sh"]}.items():
    if shutil.which(str(words[0])):
        RANDOM[language] = shlex.join(map(str, words))
    else:
        tap.note(f"skipped: the bot in {language}; it cannot be run here")
FIRST = {"house": "house", "first.sh": arena.FIRST}

# These games are short and have all kinds of moves.
OPTIONS = {
    "daumen-drauf": ["games=1"],
    "daupun": ["rounds=20"],
    "doubles-dread": ["rounds=1"],
    "durnius": ["decks=2", "passing=yes", "travel=yes"],
    "toepen": ["points=5"],
}


def play(game, commands):
    """Plays; returns (the moves, what went wrong)."""
    seats = len(commands)
    options = [argument for option in OPTIONS.get(game, ())
               for argument in ("-o", option)]
    with arena.Arena() as place:
        run = place.match(game, *arena.bots(*commands), *options,
                          "--games", 1, "--exact", "--seed", f"{game} {seats}",
                          *arena.PATIENT)
        records = place.records()
        if run.code != 0 or len(records) != 1:
            return None, run
        body = records[0].body
        return body, [line for line in body if line.startswith("fault ")]


def check(game, kits):
    wrong, count = [], 0
    least, most = forms.Game(game).seats
    for seats in range(least, most + 1) if ALL else [most]:
        bodies = {}
        tables = {language: [command] * seats
                  for language, command in kits.items()}
        if not ALL:  # all bots at one table or several, and one against itself
            turns = [*kits.values()] * seats
            tables = {start: turns[start:start + seats]
                      for start in range(0, len(kits), seats)}
            tables["itself"] = turns[:1] * seats
        for language, commands in tables.items():
            bodies[language], trouble = play(game, commands)
            count += 1
            if trouble:
                wrong.append((seats, language, trouble))
        first, *others = bodies.values()
        if any(body != first for body in others):
            wrong.append((seats, "they do not play alike"))
    tap.ok(not wrong, f"{game}: {', '.join(kits)}: {count} games, alike and "
           "without a fault", wrong[:3])


def check_plan(game):
    """Tests that the bot with a plan for a game makes no faults and beats a
    random bot."""
    bot = f"sample-bots/python/{game.replace('-', '_')}_bot.py"
    with arena.Arena() as place:
        run = place.match(game, *arena.bots(
            ("planned", arena.python_bot(bot)), "random"), *[
                argument for option in OPTIONS.get(game, ())
                for argument in ("-o", option)],
            "--games", 12, "--seed", game, *arena.PATIENT)
    line = next((line.split() for line in run.out.splitlines()
                 if " planned " in line), None)
    tap.ok(line and line[0] == "1" and line[-1] == "0",
           f"{game}: the bot with a plan leads, without a fault", run)


for name in forms.NAMES:
    check(name, RANDOM)
    check(name, FIRST)
    if (SAMPLES / "python" / f"{name.replace('-', '_')}_bot.py").exists():
        check_plan(name)
tap.done()
