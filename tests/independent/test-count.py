#!/usr/bin/env python3
"""Tests that count.py, which knows only the rules, agrees with
tests/vectors/counts.txt."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))
sys.path.insert(0, str(HERE))

import count  # noqa: E402
import tap  # noqa: E402

LIMIT = 20000 if os.environ.get("CHECK_ALL") else 1000
COUNTS = tap.VECTORS / "counts.txt"

wrong, compared = count.compare(COUNTS, LIMIT)
tap.equal(wrong, [], "every count follows from the rules")
tap.ok(compared >= 700, "and there are many of them", compared)
settings = {game: [] for game in count.GAMES}
for setting, _ in count.read(COUNTS):
    settings[setting[0]].append(setting)
for game, found in settings.items():
    tap.ok(len(found) >= 10, f"{game}: settings", len(found))

with tap.folder() as folder:
    path = pathlib.Path(folder) / "counts.txt"
    for line, found in (("toepen 8 - 3 0 0 0 1 0", 0),
                        ("toepen 8 - 3 0 0 1 0 0", 1),
                        ("durnius 2 passing=yes 5 3 0 0 2 0", 1)):
        path.write_text(f"# a comment\n{line}\n", encoding="ascii")
        run = tap.run([*tap.PYTHON, HERE / "count.py", path])
        tap.equal(run.code, found, line)
    run = tap.run([*tap.PYTHON, HERE / "count.py"])
    tap.ok(run.code == 2 and "usage: count.py" in run.out, "usage", run)
tap.done()
