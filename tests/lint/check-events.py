#!/usr/bin/env python3
"""doc/referee-log.5 lists every event of the daemon's log, and no other; RECORD.md
every word of protocol/abort.h.

The keys of what is really logged are compared by tests/end-to-end/daemon.py.
An event is a literal behind a level, the first literal argument of a function
whose name begins with log_, and any of several words in a file that logs;
NO_EVENTS has the keys among them.  Speaks TAP."""

import os
import pathlib
import re

TREE = pathlib.Path(os.environ.get("SOURCE_DIR",
                                   pathlib.Path(__file__).parents[2]))
NO_EVENTS = {"stands-as"}
WORD = r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"'
GIVEN = (re.compile(r"LOG_LEVEL_\w+,\s*" + WORD),
         re.compile(r'\blog_(?!str|num)\w+\([^;"{]*' + WORD))
LITERAL = re.compile(WORD)


def events():
    found = set()
    for path in sorted((TREE / "referee").rglob("*.c")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        text = re.sub(r"(?m)^#include.*$", "", text)
        given = {word for form in GIVEN for word in form.findall(text)}
        if path.name == "log.c":  # which also writes lines of every event
            found |= given - {"log"}
            continue
        if not re.search(
                r"\b((log_begin|log_event)\(|struct page_maker )",
                text):
            continue
        found |= given
        found |= {word for word in LITERAL.findall(text) if "-" in word}
    return found - NO_EVENTS


def documented():
    """Returns the events of the page, and those of them that have a line of
    keys."""
    page = (TREE / "doc" / "referee-log.5").read_text("ascii")
    page = page.split("\n.Sh EVENTS\n")[1]
    return (re.findall(r"^\.It Ql (\S+)$", page, re.MULTILINE),
            re.findall(r"^\.It Ql (\S+)\n(?:Keys: [^.]*|No keys)\.$", page,
                       re.MULTILINE))


def abort_words():
    listed = re.findall(r'ROW\(\w+, "([a-z-]+)"\)',
                        (TREE / "protocol" / "abort.h").read_text("ascii"))
    row = re.search(r"^\| `aborted WHY` \|(.*)",
                    (TREE / "protocol" / "RECORD.md").read_text("utf-8"),
                    re.MULTILINE)[1]
    return listed, re.findall(r"`([a-z-]+)`", row)


coded, (page, keyed) = events(), documented()
words, told = abort_words()
checks = (("there are events", len(coded) > 40, len(coded)),
          ("each event of the code is documented", coded <= set(page),
           sorted(coded - set(page))),
          ("each documented event is one of the code", set(page) <= coded,
           sorted(set(page) - coded)),
          ("each has a line of keys", keyed == page,
           sorted(set(page) - set(keyed))),
          ("in order, each once", page == sorted(set(page)), page),
          ("RECORD.md has the words of an abort", words and words == told,
           (words, told)))
for number, (what, good, why) in enumerate(checks, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {what}"
          + ("" if good else f"\n# {why}"))
print(f"1..{len(checks)}")
raise SystemExit(not all(good for _, good, _ in checks))
