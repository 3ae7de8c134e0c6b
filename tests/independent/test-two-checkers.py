#!/usr/bin/env python3
"""Tests that two checkers that share no code agree on changed records.

Each line of each vector is deleted, doubled, swapped with the next one, and has
each of its words and one byte changed.  `referee verify` and check-record.py must
agree, by the secret where there is one, and by the rules alone.  In the header both
may accept only what RECORD.md says that a record does not prove; in the body they
accept a changed game that is possible.  Neither finds a fault before the change.
check-record.py ends in a sentence for any input.

The short form tries one change in STEPS, different ones in each file.  The long form
changes every byte of a header."""

import functools
import importlib.util
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import tap  # noqa: E402

# One in so many changes of bodies and of headers: by the secret, and by the rules.
LONG = bool(os.environ.get("CHECK_ALL"))
STEPS = ((7, 1), (7, 2)) if LONG else ((41, 11), (61, 23))
spec = importlib.util.spec_from_file_location("checker",
                                              HERE / "check-record.py")
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)
checker.chacha20_block = functools.lru_cache(None)(checker.chacha20_block)


# A line for each key, so that each of them is changed.
HEADER = """time 100
bank 5000
increment 10
started 2026-11-21T09:30:00Z
ended 2026-11-21T09:30:01Z
referee 0.1.0
ladder 0123456789abcdef0123456789abcdef
serial 7
heir-of 1 older
owed 0 timeout
broken 1 crash
cpu 0 12.345
memory 0 4096
seeded
unknown to both
"""
# A record does not prove these lines, as RECORD.md says.
UNPROVEN = {"bot", "open", "faults", "time", "bank", "increment", "started",
            "ended", "referee", "ladder", "serial", "heir-of", "owed",
            "broken", "cpu", "memory", "seeded", "aborted", "unknown"}
# Nor do the rules alone prove these.  An option may change nothing in this game.
SEAL = {"id", "commit", "block", "entropy", "secret", "option"}


def mutations(lines, phase):
    """Yields (index of the line, what was done, number of lines that are replaced,
    lines instead of them)."""
    empty = lines.index("")
    for i, line in enumerate(lines):
        yield i, "deleted", 1, []
        yield i, "doubled", 1, [line, line]
        if i + 1 < len(lines) and line != lines[i + 1]:
            yield i, "swapped", 2, [lines[i + 1], line]
        for new in (*words_changed(line),
                    *bytes_changed(line, i * 31 + phase, LONG and i < empty)):
            yield i, f"made {new!r}", 1, [new]


def words_changed(line):
    found = line.split(" ")
    for k, word in enumerate(found):
        for other in (found[:k] + found[k + 1:], found[:k] + ["x"]
                      + found[k + 1:], found[:k + 1] + found[k:],
                      found[:k] + [close(word)] + found[k + 1:]):
            if other != found:
                yield " ".join(other)


def bytes_changed(line, start, every):
    """Yields the line with one other byte, or with each of its bytes changed in turn."""
    for k in range(start, start + (len(line) if every else bool(line))):
        at, byte = k % len(line), chr(32 + k * 7 % 95)
        if byte != line[at]:
            yield line[:at] + byte + line[at + 1:]


def close(word):
    """Returns the word with another last digit, or another last letter."""
    for i in range(len(word) - 1, -1, -1):
        if word[i].isdigit():
            return word[:i] + ("8" if word[i] == "7" else "7") + word[i + 1:]
    return word[:-1] + ("D" if word[-1:] == "C" else "C")


def judge(text, by_rules=False):
    """Returns the line where check-record.py finds a fault, "ok", "unfit", or an
    exception that it must not raise."""
    try:
        checker.check(text, by_rules)
        return "ok"
    except checker.Wrong as wrong:
        return wrong.args[0]
    except checker.Unfit:
        return "unfit"
    except Exception as error:  # pylint: disable=broad-except
        return f"raised {error!r}"


def may_hold(lines, i, what, by_rules):
    """Returns true if both may accept a record with this change."""
    if i >= lines.index(""):
        return True
    key = lines[i].split(" ")[0]
    return what == "swapped" or key in UNPROVEN or by_rules and key in SEAL


def agree(said, found, i, lines):
    """Returns true if verify and judge() say the same about a change of line i, and
    find no fault of the body in front of it."""
    if said["ok"] or found in ("ok", "unfit"):
        return said["ok"] == (found == "ok")
    return isinstance(found, int) and (
        i <= lines.index("") or min(said["line"], found) > i)


def sealed(text):
    return "\nsecret " in text


def compare(path, folder, phase, by_rules):
    text = path.read_text()
    faults = "" if "\nfaults " in text else "faults 1000\n"
    more = HEADER if sealed(text) else HEADER.replace("seeded\n", "")
    lines = text.replace("\n\n", "\n" + more + faults + "\n", 1)
    lines = [line.split(" ;")[0] for line in lines.split("\n")[:-1]]
    tried, empty = [], lines.index("")
    longer = 1 + len(lines) // 150  # each change takes longer, and more are alike
    for n, (i, what, count, new) in enumerate(mutations(lines, phase)):
        step = STEPS[by_rules][i < empty]
        if (n + phase) % (step if i < empty else step * longer):
            continue
        changed = "\n".join(lines[:i] + new + lines[i + count:]) + "\n"
        (folder / f"{len(tried):06}.rec").write_text(changed)
        tried.append((i, what, changed))
    run = tap.referee("verify", "--json", *["--rules"] * by_rules, folder)
    verdicts = [json.loads(line) for line in run.out.splitlines()]
    name = f"{path.name}{' by the rules' * by_rules}"
    tap.equal(len(verdicts), len(tried), f"{name}: a verdict for each")
    wrong, refused = [], 0
    for said, (i, what, changed) in zip(verdicts, tried):
        found = judge(changed, by_rules)
        refused += not said["ok"]
        if (not agree(said, found, i, lines)
                or said["ok"] and not may_hold(lines, i, what, by_rules)):
            wrong.append(f"{i + 1}: {lines[i]!r} {what}: verify {said}, "
                         f"other {found}")
    tap.equal(wrong[:5], [], f"{name}: {len(tried)} changes, {refused} refused")
    tap.ok(refused > len(tried) // 2, f"{name}: most are refused")


def any_bytes(text):
    """Tests that any bytes give a sentence."""
    raised = [bad for bad in (
        "", "\n", "record 1", "record 1\n", "record 1\n\n", "record 2\n\n",
        "\x00", "record 1\nid x\n\n", "record 1\nid x\ngame toepen\n\n",
        text[:len(text) // 2], text.replace("\n", "\r\n"), text + "\n",
        text.replace("seats ", "seats -"), text.replace("seats ", "seats 9"),
        text.replace(" ", "  ", 1), text.replace("\n\n", "\n"),
        text.replace("\n\n", "\n" + "x" * 9000 + "\n\n"), text * 2,
        text.replace("option decks 2", "option deck 2"),
        text.replace("option decks 2\n", ""),
        text.replace("option decks 2", "option decks two"),
        text.replace("option decks 2", "option decks"),
        text.replace("secret ", "secret x")) if
        isinstance(judge(bad), str) and judge(bad) != "unfit"]
    tap.equal([bad[:40] for bad in raised], [], "whatever is read: a sentence")


with tap.folder() as scratch:
    for phase, path in enumerate(sorted(tap.VECTORS.glob("*.rec"))):
        for by_rules in range(not sealed(path.read_text()), 2):
            folder = pathlib.Path(scratch) / f"{path.stem}.{by_rules}"
            folder.mkdir()
            compare(path, folder, phase, by_rules)
    any_bytes((tap.VECTORS / "durnius-sealed.rec").read_text())
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", scratch])
    tap.ok(run.code == 2 and run.err.count("\n") == 1, "a folder", run)
    path = pathlib.Path(scratch) / "bytes.rec"
    path.write_bytes(bytes(range(256)))
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", path])
    tap.ok(run.code == 2 and run.err.count("\n") == 1, "a file of bytes", run)
tap.done()
