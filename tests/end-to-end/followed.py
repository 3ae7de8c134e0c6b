"""Rates a ladder's games once more by tests/independent/follow.py, which knows
only RECORD.md.

    followed.agrees(file, "what")     # the ladder's file; its records are beside it
"""

import json
import pathlib

import tap

FOLLOW = pathlib.Path(tap.SOURCE_DIR) / "tests" / "independent" / "follow.py"
KEYS = ("game", "options", "seats", "open", "bot", "live_elo_milli", "games")


def follow(*folders):
    return tap.run([*tap.PYTHON, FOLLOW, *folders])


def rows(text):
    """Returns the ratings in lines of JSON, by pool and bot."""
    lines = [line for line in map(json.loads, text.splitlines())
             if line.get("type", "rating") == "rating"]
    return sorted([line[key] for key in KEYS] for line in lines)


def agrees(file, what, *folders):
    told = tap.referee("ladder", "export", "--ladder", file)
    run = follow(*folders or [folders_of(file)])
    tap.ok(told.code == 0 and run.code == 0 and rows(told.out) == rows(run.out),
           f"{what}: another program that follows the log comes to the same "
           "ratings", (told.out, run))
    return rows(run.out) if run.code == 0 else []


def folders_of(file):
    """Returns the folder of records of a match, which is beside its ladder, or of a
    daemon, which is in the ladder's folder."""
    beside = file.with_name(file.name + ".records")
    return beside if beside.exists() else file.with_name("records")
