#!/usr/bin/env python3
"""referee verify: verdicts, folders, exit codes, and that it is quick."""

import json
import pathlib
import resource
import shutil
import tempfile
import time

import tap

SOURCE = tap.VECTORS / "toepen-source.rec"
SEALED = tap.VECTORS / "toepen-sealed.rec"
RULES = "(by the rules; it has no secret)"


def children_seconds():
    """Processor time of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime



run = tap.referee("verify", SOURCE, SEALED)
tap.equal(run.out, f"ok {SOURCE} {RULES}\nok {SEALED}\n", "good records")
tap.equal(run.code, 0, "good records: exit code")
run = tap.referee("verify", "--rules", SEALED)
tap.equal(run.out, f"ok {SEALED} (by the rules)\n", "--rules")

run = tap.referee("verify", tap.VECTORS)
names = sorted(path.name for path in tap.VECTORS.glob("*.rec"))
tap.equal(run.code, 0, "a folder")
tap.equal([line.split()[1] for line in run.out.splitlines()],
          [f"{tap.VECTORS}/{name}" for name in names],
          "a folder: all its records in order, a line each")

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    bad = folder / "bad.rec"
    bad.write_text(SOURCE.read_text().replace("stake 2\n", "stake 3\n", 1))
    run = tap.referee("verify", bad)
    tap.equal(run.out, f"{bad}:33: expected `stake 2`, found `stake 3`\n",
              "a changed line")
    tap.equal(run.code, 1, "a changed line: exit code")
    run = tap.referee("verify", bad, SOURCE)
    tap.equal((run.code, len(run.out.splitlines())), (1, 2),
              "the others are checked all the same")
    run = tap.referee("verify", "--json", bad, SOURCE, SEALED)
    tap.equal([json.loads(line) for line in run.out.splitlines()],
              [{"file": str(bad), "ok": False, "line": 33,
                "expected": "`stake 2`", "found": "`stake 3`"},
               {"file": str(SOURCE), "ok": True, "by": "rules"},
               {"file": str(SEALED), "ok": True, "by": "secret"}], "--json")

    text = SEALED.read_text()
    card = text.index("{") + 1
    other = "7H" if text[card:card + 2] != "7H" else "8H"
    bad.write_text(text[:card] + other + text[card + 2:])
    run = tap.referee("verify", bad)
    tap.ok(run.code == 1 and "expected `deal" in run.out,
           "another card than the secret's", run)
    bad.write_text(text.replace("\nsecret ", "\nkept ", 1))
    run = tap.referee("verify", bad)
    tap.equal(run.out, f"ok {bad} {RULES}\n", "a secret that is not told yet")

    bad.write_text("no record\n")
    run = tap.referee("verify", bad)
    tap.ok(run.code == 1 and run.out.startswith(f"{bad}:"),
           "a text that is no record", run)
    run = tap.referee("verify", "--json", bad)
    tap.equal(json.loads(run.out)["ok"], False, "the same as JSON")
    bad.write_bytes(b"")
    tap.equal(tap.referee("verify", bad).code, 1, "an empty file")
    bad.write_bytes(bytes(range(256)))
    tap.equal(tap.referee("verify", bad).code, 1, "a file of bytes")
    bad.write_text(SOURCE.read_text()[:-1])
    tap.equal(tap.referee("verify", bad).code, 1, "a line that was cut off")

    empty = folder / "empty"
    empty.mkdir()
    tap.complains(tap.referee("verify", empty), 2, "no *.rec",
                  "a folder without records")
    run = tap.referee("verify", folder / "nowhere.rec", SOURCE)
    tap.ok(run.code == 2 and "nowhere.rec" in run.err
           and run.out == f"ok {SOURCE} {RULES}\n",
           "a file that is not there, and one that is", run)

    many = folder / "many"
    many.mkdir()
    for i in range(400):
        shutil.copy(SEALED, many / f"{i:04}.rec")
    start = time.monotonic()
    run = tap.referee("verify", many)
    rate = 400 * len(text.splitlines()) / (time.monotonic() - start)
    tap.equal((run.code, len(run.out.splitlines())), (0, 400),
              "four hundred records")
    tap.note(f"{rate:.0f} lines a second")

    # Twice the games, about twice the time: far below the four times of
    # anything quadratic.
    seconds = []
    for games in ("25", "50"):
        path = folder / f"long-{games}.rec"
        tap.write_record(path, "game=daumen-drauf", "seats=7", "asks",
                         f"options=games={games}")
        rounds = []
        for _ in range(3):
            # Processor time: the machine may have other things to do.
            start = children_seconds()
            code = tap.referee("verify", *[path] * 10).code
            rounds.append(children_seconds() - start)
        seconds.append(min(rounds))
        tap.equal(code, 0, f"a record of {games} rounds")
    tap.ok(seconds[1] < 3 * seconds[0], "long records are no worse a line",
           seconds)

run = tap.referee("verify", "--help")
tap.equal(run.code, 0, "--help is no fault")
for part in ("--json", "--rules", "Exit codes", "Example", "default"):
    tap.ok(part in run.out, f"--help tells: {part}", run)
tap.complains(tap.referee("verify"), 2, "RECORD", "no record named")
tap.complains(tap.referee("verify", "--rule-book"), 2, "--rule-book",
              "an unknown option")
tap.complains(tap.referee("verify", "nowhere.rec"), 2, "nowhere.rec",
              "a file that is not there")
tap.complains(tap.referee("verify", f"{SOURCE}/x"), 2, "no such file",
              "a path through a file")
with open("/dev/full", "wb") as full:
    tap.complains(tap.referee("verify", SOURCE, stdout=full), 3,
                  "cannot write", "a full disk")
tap.done()
