#!/usr/bin/env python3
"""make-tables.py [--check] - writes into each kit what the kits know of the games.

All kits know the same: how many pieces a round of each game has, and which
piece of a move goes from the hand onto the table.  `referee games --json`
prints it; $REFEREE is that program.  It is written into each kit between two
marks, so that a kit needs no other file of ours; the C++ kit uses that of the C
kit.  With --check nothing is written: the exit code is 1 if a kit differs, and
the program names it."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REFEREE = os.environ.get("REFEREE", "referee")
BEGIN, END = "made by make-tables.py:", "end of what make-tables.py makes"


GAMES = [json.loads(line) for line in subprocess.run(
    [REFEREE, "games", "--json"], check=True,
    stdout=subprocess.PIPE).stdout.splitlines()]
NAMES = [game["game"] for game in GAMES]


def quoted(text):
    return '"%s"' % text


def python(game, pieces, lays):
    return '    "%s": (%d, %d, %s, {%s}),' % (
        game, pieces["fixed"], pieces["each_seat"],
        quoted(pieces["times"]) if pieces["times"] else None,
        ", ".join('"%s": %d' % one for one in lays.items()))


def javascript(game, pieces, lays):
    return "  '%s': [%d, %d, '%s', { %s }]," % (
        game, pieces["fixed"], pieces["each_seat"], pieces["times"],
        ", ".join("%s: %d" % one for one in lays.items()))


def c(game, pieces, lays):
    return '\t{ "%s", %d, %d, "%s", { %s } },' % (
        game, pieces["fixed"], pieces["each_seat"], pieces["times"],
        ", ".join('{ "%s", %d }' % one for one in lays.items())
        or "{ NULL, 0 }")


def go(game, pieces, lays):
    """Returns the line as gofmt writes it."""
    return '\t%-*s {%d, %d, "%s", map[string]int{%s}},' % (
        len(max(NAMES, key=len)) + 3, quoted(game) + ":", pieces["fixed"], pieces["each_seat"], pieces["times"],
        ", ".join('"%s": %d' % one for one in lays.items()))


def java(game, pieces, lays):
    return '            new Known("%s", %d, %d, "%s"%s),' % (
        game, pieces["fixed"], pieces["each_seat"], pieces["times"],
        "".join(', "%s", %d' % one for one in lays.items()))


def rust(game, pieces, lays):
    return '    ("%s", %d, %d, "%s", &[%s]),' % (
        game, pieces["fixed"], pieces["each_seat"], pieces["times"],
        ", ".join('("%s", %d)' % one for one in lays.items()))


def shell(game, pieces, lays):
    return "\t%s) fixed=%d each=%d times='%s' lays='%s' ;;" % (
        game, pieces["fixed"], pieces["each_seat"], pieces["times"],
        " ".join("%s:%d" % one for one in lays.items()))


KITS = {
    "c/referee-bot.c": c,
    "go/referee_bot.go": go,
    "java/RefereeBot.java": java,
    "javascript/referee-bot.js": javascript,
    "python/referee_bot.py": python,
    "rust/referee_bot.rs": rust,
    "shell/referee_bot.sh": shell,
}


def renewed(text, rows):
    """Returns the text of a kit with these rows between its marks."""
    lines = text.split("\n")
    begin, = [i for i, line in enumerate(lines) if BEGIN in line]
    end, = [i for i, line in enumerate(lines) if END in line]
    return "\n".join(lines[:begin + 1] + rows + lines[end:])


def main():
    code = 0
    rows = [(game["game"], game["pieces"],
             {move["verb"]: move["lays"] for move in game["moves"]
              if move["lays"]}) for game in GAMES]
    for name, row in KITS.items():
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            old = file.read()
        new = renewed(old, [row(*one) for one in rows])
        if new == old:
            continue
        if sys.argv[1:] == ["--check"]:
            code = 1
            print("%s has other tables than the games: run sample-bots/"
                  "make-tables.py" % name)
            continue
        with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
            file.write(new)
    return code


if __name__ == "__main__":
    sys.exit(main())
