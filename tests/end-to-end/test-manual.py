#!/usr/bin/env python3
"""doc/referee.1 has the commands and options that --help has, and nothing else;
mandoc finds nothing wrong with it."""

import re
import shutil

import tap

PAGE = tap.SOURCE_DIR / "doc" / "referee.1"
TEXT = PAGE.read_text("ascii")
LADDER = re.findall(r"^  ([a-z]+) ", tap.referee("ladder", "--help").out
                    .split("-?,")[0], re.MULTILINE)
FORMATS = re.findall(r"^  ([a-z]+) ", tap.referee("tournament", "--help").out
                     .split("-?,")[0], re.MULTILINE)
COMMANDS = [name for name in re.findall(r"^  ([a-z]+) ", tap.referee("help").out,
                                        re.MULTILINE) if name != "help"]


def helped(command):
    """(short, long, whether it takes a value) of each that its --help lists."""
    lines = re.findall(r"^(?:  -(\w)(?:, --([a-z-]+)(=?)|( )[A-Z])|"
                       r"      --([a-z-]+)(?:(=)|(?=  |$)))",
                       tap.referee(*command.split(), "--help").out,
                       re.MULTILINE)
    found = [(short, long or alone, bool(value or word or more))
             for short, long, value, word, alone, more in lines]
    return sorted({one for one in found if one[1] != "usage"})


def written(section):
    """Likewise, of a section of the page."""
    found = []
    for item in re.findall(r"^\.It Fl (.*)$", section, re.MULTILINE):
        match = re.match(r"(?:(\w) ?,? ?)?(?:(?:Fl )?-([a-z-]+))?", item)
        found.append((match[1] or "", match[2] or "",
                      bool(re.search(r" (=|Ar) ", item))))
    return sorted(found)


def expected(command):
    """Those that its section lists: of a tournament what `match` has not."""
    if command != "tournament":
        return helped(command)
    found = {one for form in FORMATS for one in helped(f"tournament {form}")}
    return sorted(found - set(helped("match")))


sections = dict(re.findall(r"^\.Ss ([a-z ]+)\n(.*?)(?=^\.S[sh] |\Z)",
                           TEXT, re.MULTILINE | re.DOTALL))
wanted = sorted([name for name in COMMANDS if name != "ladder"]
                + [f"ladder {name}" for name in LADDER])
tap.ok(len(wanted) > 8, "commands were found", wanted)
tap.equal(sorted(sections), wanted, "a section for each command")
for name in wanted:
    tap.equal(written(sections.get(name, "")), expected(name),
              f"the options of {name}")
tap.ok(sum(len(helped(name)) for name in wanted) > 30, "options were found")
if shutil.which("mandoc"):
    lint = tap.run(["mandoc", "-Tlint", "-Wstyle", PAGE])
    tap.equal((lint.code, lint.out), (0, ""), "mandoc finds nothing wrong")
else:
    tap.ok(True, "mandoc finds nothing wrong # SKIP there is no mandoc")
tap.done()
