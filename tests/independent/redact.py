#!/usr/bin/env python3
"""Cuts a record down to what one viewer reads, without any code of the referee.

usage: redact.py RECORD VIEW        VIEW: public, or a seat's digit

Prints the event lines: no comments but ` ; said LINE` of the viewer's faults, no `ask` and no `forfeit` lines, and every
`{X}S` either opened or, for a viewer whose digit is not in S, each token (or
part of a token) of X made `?`.  The files in tests/vectors/views come from it.
"""

import re
import sys

MARK = re.compile(r"\{([^{}]+)\}(\d*)(?= |$)")


def redact(line, viewer):
    def seen(mark):
        if viewer in mark[2]:
            return mark[1]
        return " ".join("?" for _ in mark[1].split(" "))
    return MARK.sub(seen, line)


def bare(line, viewer):
    """Returns a line without comments, except the text of the viewer's own
    faults."""
    line, *comments = line.split(" ;")
    own = line.startswith(f"fault {viewer} ") and comments and \
        comments[0].startswith(" said ")
    return f"{line} ;{comments[0]}" if own else line


def view(text, viewer):
    """Returns the lines, each with its LF, of a viewer: "public" or a digit."""
    lines = [bare(line, viewer) for line in text.split("\n")]
    body = lines[lines.index("") + 1:]
    return "".join(redact(line, viewer) + "\n" for line in body
                   if line and line.split(" ")[0] not in ("ask", "forfeit"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: redact.py RECORD VIEW")
    with open(sys.argv[1], encoding="ascii") as record:
        sys.stdout.write(view(record.read(), sys.argv[2]))
