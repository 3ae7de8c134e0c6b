#!/usr/bin/env python3
"""End-to-end because `referee verify` reads folders, pipes and standard input: its lines
and exit codes.  test-verify and test-record-keys have what holds."""

import hashlib
import json
import os
import pathlib
import re
import shutil

import tap

SOURCE = tap.VECTORS / "toepen-source.rec"
SEALED = tap.VECTORS / "toepen-sealed.rec"
RULES = "(by the rules; it has no secret)"


def hash_of(path):
    """Returns the hash that RECORD.md describes, without the referee's code."""
    text = "".join(line.split(" ;")[0] + "\n"
                   for line in path.read_text().splitlines())
    return hashlib.blake2b(text.encode(), digest_size=32).hexdigest()


def held(path, remark=""):
    """Returns the line for a valid record."""
    return f"ok {path} {hash_of(path)}{remark and ' ' + remark}\n"


run = tap.referee("verify", SOURCE, SEALED)
tap.equal(run.out, held(SOURCE, RULES) + held(SEALED), "good records")
tap.equal(run.code, 0, "good records: exit code")
run = tap.referee("verify", "--rules", SEALED)
tap.equal(run.out, held(SEALED, "(by the rules)"), "--rules")

run = tap.referee("verify", tap.VECTORS)
names = sorted(path.name for path in tap.VECTORS.glob("*.rec"))
tap.equal(run.code, 0, "a folder")
tap.equal([line.split()[1] for line in run.out.splitlines()],
          [f"{tap.VECTORS}/{name}" for name in names],
          "a folder: all its records in order, a line each")

with tap.folder() as folder:
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
                "expected": "`stake 2`", "found": "`stake 3`",
                "hash": hash_of(bad)},
               {"file": str(SOURCE), "ok": True, "by": "rules",
                "aborted": False, "hash": hash_of(SOURCE)},
               {"file": str(SEALED), "ok": True, "by": "secret",
                "aborted": False, "hash": hash_of(SEALED)}], "--json")

    text = SEALED.read_text()
    card = text.index("{") + 1
    other = "7H" if text[card:card + 2] != "7H" else "8H"
    bad.write_text(text[:card] + other + text[card + 2:])
    run = tap.referee("verify", bad)
    tap.ok(run.code == 1 and "expected `deal" in run.out,
           "another card than the secret's", run)
    # Without the secret no card can be checked.
    bad.write_text(re.sub("\nsecret .*", "", text, count=1))
    run = tap.referee("verify", bad)
    line = text.split("\n").index("")
    tap.equal((run.code, run.out),
              (1, f"{bad}:{line}: expected a line `secret`, too, where there "
                  "is a `commit`, found the end of the header\n"),
              "a commitment whose secret was taken out")
    run = tap.referee("verify", "--rules", bad)
    tap.equal((run.code, run.out), (0, held(bad, "(by the rules)")),
              "by the rules it holds")
    aborted = tap.VECTORS / "daupun-aborted.rec"
    run = tap.referee("verify", aborted)
    tap.equal((run.code, run.out), (0, held(aborted, "(aborted, not rated)")),
              "an aborted record is one that counts nowhere")
    run = tap.referee("verify", "--rules", aborted)
    tap.equal(run.out, held(aborted, "(aborted, not rated; by the rules)"),
              "also by the rules")
    run = tap.referee("verify", "--json", aborted)
    tap.equal(json.loads(run.out)["aborted"], True, "also as JSON")

    # ---- the receipt
    receipt = hash_of(SEALED)
    run = tap.referee("verify", "--receipt", receipt, SEALED)
    tap.equal((run.code, run.out), (0, held(SEALED)), "the right receipt")
    # Only the receipt shows this change: the record itself verifies.
    bad.write_text(text.replace("\nbot 0 random0", "\nbot 0 somebody", 1))
    tap.equal(tap.referee("verify", bad).code, 0,
              "another name is no lie that a record shows")
    run = tap.referee("verify", "--receipt", receipt, bad)
    tap.equal((run.code, run.out),
              (1, f"{bad}:1: expected the record of the receipt {receipt}, "
                  f"found one whose hash is {hash_of(bad)}\n"),
              "the receipt shows it")
    run = tap.referee("verify", "--json", "--receipt", receipt, bad)
    tap.equal({key: value for key, value in json.loads(run.out).items()
               if key in ("ok", "line", "hash")},
              {"ok": False, "line": 1, "hash": hash_of(bad)},
              "also as JSON")
    bad.write_text(text.replace(" ; ", " ; about ", 1))
    tap.equal(tap.referee("verify", "--receipt", receipt, bad).code, 0,
              "comments mean nothing to it")
    bad.write_text(re.sub(r"\nforfeit \d", "\nforfeit 9", text, count=1))
    run = tap.referee("verify", "--receipt", hash_of(bad), bad)
    tap.ok(run.code == 1 and "expected `forfeit" in run.out,
           "the right receipt of a wrong record", run)
    # A name is printed as one word of a line; only files are opened.
    names = folder / "names"
    names.mkdir()
    shutil.copy(SOURCE, names / "a.rec\nok b.rec")
    (names / "c\033[2J.rec").write_text("no record\n")
    os.mkfifo(names / "pipe.rec")
    (names / "folder.rec").mkdir()
    run = tap.referee("verify", names)
    tap.ok(run.out.split("\n")[0].startswith(f"ok {names}/a.rec\\x0aok b.rec ")
           and run.out.count("\n") == 2 and "/c\\x1b[2J.rec:1: " in run.out,
           "a name makes no line of its own", run)
    tap.ok(run.code == 2 and "pipe.rec: not a file" in run.err
           and "folder.rec: not a file" in run.err,
           "pipes and folders in a folder are told, and not waited for", run)
    for command in "verify", "replay":
        tap.complains(tap.referee(command, names / "pipe.rec"), 2,
                      "not a file",
                      f"{command}: nor is a pipe that is named")
        for name in "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
            ours, theirs = os.pipe()
            os.write(theirs, SOURCE.read_bytes())
            os.close(theirs)
            tap.equal(tap.referee(command, name, stdin=ours).code, 0,
                      f"{command}: but standard input is read as {name}")
            os.close(ours)

    run = tap.referee("verify", folder / "nowhere.rec", SOURCE)
    tap.ok(run.code == 2 and "nowhere.rec" in run.err
           and run.out == held(SOURCE, RULES),
           "a file that is not there, and one that is", run)

with open("/dev/full", "wb") as full:
    tap.complains(tap.referee("verify", SOURCE, stdout=full), 3,
                  "cannot write", "a full disk")
tap.done()
