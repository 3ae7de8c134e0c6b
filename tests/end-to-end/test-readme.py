#!/usr/bin/env python3
"""The commands of README.md work, and print what it shows: walk.py tells how.
All are run in one copy of the tree."""

import re

import arena
import tap
import walk

README = (tap.SOURCE_DIR / "README.md").read_text("utf-8")
# What may be left out, and nothing else: the set-up itself.
UNTESTED = re.compile(r"(sudo |\./bootstrap (run|check)\b|make .*\binstall\b)")

with arena.Arena() as place:
    tree = place.root / "tree"
    walk.lay_out(tree)
    # As short as the program lets it.
    walk.walk(README.replace("bench turns --tables 8 --seconds 1\n",
                             "bench turns --tables 8 --seconds 0.1\n"),
              tree, UNTESTED)
LADDER = re.search(r"ends\s+with\s+the\s+ladders.*?```\n(.*?)```", README, re.DOTALL)
shown = re.findall(r"^ *[\d-]+ +([\w.-]+) +[<>?]?\d", LADDER[1], re.MULTILINE)
names = set(re.findall(r"(?:--name|seat) \"?([\w.-]+)",
                       (tap.SOURCE_DIR / "bootstrap").read_text("utf-8")
                       .replace("$1", "toepen")))
tap.ok(len(shown) > 1 and set(shown) <= names,
       "the ladder shown has bots of ./bootstrap run", (shown, names))
tap.done()
