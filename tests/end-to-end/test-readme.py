#!/usr/bin/env python3
"""Tests that the commands of README.md work and print what it shows, by
walk.py.  All run in one copy of the tree."""

import re

import arena
import tap
import walk

README = (tap.SOURCE_DIR / "README.md").read_text("utf-8")
# Only the set-up itself may be left out.
UNTESTED = re.compile(r"\./bootstrap run$")

with arena.Arena() as place:
    tree = place.root / "tree"
    walk.lay_out(tree)
    walk.walk(README, tree, UNTESTED)
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
