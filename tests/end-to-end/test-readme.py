#!/usr/bin/env python3
"""End-to-end because people type them: the commands of README.md work and print what
it shows, by walk.py.  All run in one copy of the tree."""

import re
import subprocess

import arena
import forms
import tap
import walk

README = (tap.SOURCE_DIR / "README.md").read_text("utf-8")
# Only the set-up itself may be left out.
UNTESTED = re.compile(r"\./bootstrap run$")
GAMES = re.compile(r"^games = \{(.*)\}$", re.MULTILINE)
VISIT = re.compile(r"timeout --foreground --preserve-status \d+ ")
SHOW = ("build/referee/referee ladder show "  # luck: the reader's own program
        "--ladder referee-data/ladders/toepen/ladder.db")


def play_one_game(tree, bot):
    """Leaves the bot only the game of the league's ladder: `bots add` checks it at
    every game.  test-sample-bots.py plays the others."""
    conf = tree / "sample-bots" / bot / "bot.conf"
    text = conf.read_text("ascii")
    tap.equal(sorted(re.findall(r'"(.*?)"', GAMES.search(text)[1])),
              sorted(forms.NAMES), f"the bot in {bot} plays every game")
    conf.write_text(GAMES.sub('games = { "toepen" }', text), "ascii")


def rated(tree):
    return " alice " in walk.run(SHOW, tree).stdout.decode("utf-8", "replace")


def act(command, tree):
    """Runs a command; the visitor leaves the league when it has a rating."""
    if not VISIT.match(command):
        return walk.run(command, tree)
    visit = subprocess.Popen(
        ["sh", "-c", "exec " + VISIT.sub(f"timeout --foreground --preserve-status "
                                         f"{tap.TIMEOUT_S} ", command)], cwd=tree)
    arena.wait_for(lambda: rated(tree) or visit.poll() is not None)
    visit.terminate()
    return subprocess.CompletedProcess(command, visit.wait(tap.TIMEOUT_S), b"")


with arena.Arena() as place:
    tree = place.root / "tree"
    walk.lay_out(tree)
    for bot in "python", "shell":
        play_one_game(tree, bot)
    walk.walk(README, tree, UNTESTED, act)
LADDER = re.search(r"ends\s+with\s+the\s+ladders.*?```\n(.*?)```", README, re.DOTALL)
shown = re.findall(r"^ *[\d-]+ +([\w.-]+) +[<>?]?\d", LADDER[1], re.MULTILINE)
names = set(re.findall(r"(?:--name|seat) \"?([\w.-]+)",
                       (tap.SOURCE_DIR / "bootstrap").read_text("utf-8")
                       .replace("$1", "toepen")))
tap.ok(len(shown) > 1 and set(shown) <= names,
       "the ladder shown has bots of ./bootstrap run", (shown, names))
BOT = re.search(r"all of the one above:\n\n```\n(.*?)```", README, re.DOTALL)
tap.ok((tap.SOURCE_DIR / "sample-bots/shell/first.sh").read_text("utf-8")
       .endswith("\n" + BOT[1]), "the bot shown is the one that plays", BOT[1])
tap.done()
