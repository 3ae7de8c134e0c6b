#!/usr/bin/env python3
"""Tests that check-record.py accepts honest records and nothing else, and the
views."""

import functools
import hashlib
import importlib.util
import os
import pathlib
import re
import struct
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import tap  # noqa: E402


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


checker = load("check-record")
redacter = load("redact")


def verdict(text, by_rules=False):
    """Returns ok, unfit, or the number of the wrong line."""
    try:
        return "ok" if checker.check(text, by_rules)[1] > 0 else "nothing drawn"
    except checker.Wrong as wrong:
        return wrong.args[0]
    except checker.Unfit:
        return "unfit"


def is_wrong(text):
    return isinstance(verdict(text), int)


def wrong_line(record):
    """Returns the number of the wrong line of a record that has been read, or None."""
    try:
        record.check()
        return None
    except checker.Wrong as wrong:
        return wrong.args[0]


CARDS = 1 if os.environ.get("CHECK_ALL") else 7
# The word of a line that is its first drawn card.
DRAWN = {"deal": 2, "draw": 2, "bark": 2, "monster": 1}


CARD = re.compile("[YGB][0-9][nt]|[RGBY][0-9]|[A2-9TJQK][CDHS]")


def neighbour(card):
    if card[0] in "YGB" and len(card) == 3:
        return card[:2] + ("t" if card[2] == "n" else "n")
    return ("T" if card[0] != "T" else "J") + card[1:]


# ---- ChaCha20: RFC 8439, 2.3.2 and A.1 (1)
block = checker.chacha20_block(bytes(range(32)), 1,
                               bytes.fromhex("000000090000004a00000000"))
tap.equal(struct.pack("<16I", *block).hex()[:32],
          "10f1e7e4d13b5915500fdd1fa32071c4", "ChaCha20: RFC 8439, 2.3.2")
block = checker.chacha20_block(bytes(32), 0, bytes(12))
tap.equal(struct.pack("<16I", *block).hex()[:32],
          "76b8e0ada0f13d90405d6ae55386bd28", "ChaCha20: RFC 8439, A.1 1")
tap.equal(checker.lp(b"abc"), b"\x03" + bytes(7) + b"abc",
          "a part and its length")

# Changed records repeat the same draws, so blocks are cached.
checker.chacha20_block = functools.lru_cache(None)(checker.chacha20_block)

# ---- vectors
sealed = [path for path in sorted(tap.VECTORS.glob("*.rec"))
          if "\nsecret " in path.read_text()]
tap.ok(len(sealed) >= 6, "there are sealed vectors")
for path in sealed:
    tap.equal(verdict(path.read_text()), "ok", f"{path.name} holds")
    tap.equal(tap.referee("verify", path).code, 0,
              f"{path.name}: and the program says so, too")
for path in sorted(tap.VECTORS.glob("*.rec")):
    stale = [view.name
             for view in (tap.VECTORS / "views").glob(f"{path.stem}.*")
             if redacter.view(path.read_text(), view.suffix[1:])
             != view.read_text()]
    tap.equal(stale, [], f"{path.name}: stored views")
for path in sorted(tap.VECTORS.glob("*.rec")):
    tap.equal(verdict(path.read_text(), by_rules=True), "ok",
              f"{path.name} holds by the rules")
tap.equal(verdict((tap.VECTORS / "toepen-source.rec").read_text()), "unfit",
          "a record without a secret has no deal to check")


# ---- packs
with tap.folder() as folder_:
    packs = [pathlib.Path(folder_) / "00000001-00000002.tar.gz",
             pathlib.Path(folder_) / "00000003-.tar"]
    for pack_, mode in zip(packs, ("w:gz", "w:")):
        with tarfile.open(pack_, mode) as tar:
            for number, path in enumerate(sealed[:2], 1):
                tar.add(path, f"{number:08}-{path.stem}.rec")
                tar.add(__file__, f"{number:08}-{path.stem}.asks")
    grows = packs[1].read_bytes().rstrip(b"\0")
    packs[1].write_bytes(grows + bytes(-len(grows) % 512))  # it has no end
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", *packs])
    tap.equal((run.code, [line.split(": ")[0] for line in
                          run.out.splitlines()]),
              (0, [f"ok {pack_}/{number:08}-{path.stem}.rec"
                   for pack_ in packs
                   for number, path in enumerate(sealed[:2], 1)]),
              "packs are read, also one that grows")
    with open(packs[0], "rb") as whole:
        run = tap.run([*tap.PYTHON, HERE / "check-record.py", "-"], stdin=whole)
    tap.ok(run.code == 0 and run.out.startswith("ok -/00000001-"),
           "a pack on standard input", run)
    packs[0].write_bytes(packs[0].read_bytes()[:-50])
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", packs[0]])
    tap.equal(run.code, 2, "and one that is cut off is none")

# ---- the comment with the line that a seat was charged for
said = (tap.VECTORS / "toepen-retired.rec").read_text()
tap.ok("fault 3 protocol ; said I%20have" in said, "a vector has one")
for was, becomes in (("", ""), ("said I", "said " + "I" * 180)):
    tap.ok(checker.cut(said.replace(was, becomes)), f"it may be {becomes[:8]}")
for was, becomes in (("said I", "said " + "I" * 190), ("said I%20have%20K%C3%89%3B%20100%25", "said "),
                     ("I%20have", "I have"), ("%C3", "%c3"), ("%C3", "%C"),
                     ("fault 3 protocol ;", "fault 3 protocol ; say 3 hm ;"),
                     ("%25 ; say", "%25 ; said again ; say"),
                     ("round 1", "round 1 ; said x ;")):
    try:
        tap.ok(not checker.cut(said.replace(was, becomes, 1)),
               f"not `{becomes}`")
    except checker.Wrong as wrong:
        tap.ok("`said`" in str(wrong), f"not `{becomes[:40]}`", wrong)

# ---- what must not hold
def flip(digit):
    return "8" if digit == "7" else "7"


def change(text, before):
    """Returns the text with another digit after `before`."""
    at = text.index(before) + len(before)
    return text[:at] + flip(text[at]) + text[at + 1:]


def commit(text, ident, secret):
    """Returns the text with a commitment to this ID and secret."""
    block = re.search(r"\nblock (\w+) (\d)\n", text)
    part = [b"referee commit 1", ident.encode(), bytes.fromhex(secret)]
    if block:
        part = [b"referee block 1", ident.encode(), block[1].encode(),
                block[2].encode(), bytes.fromhex(secret)]
    data = b"".join(struct.pack("<Q", len(one)) + one for one in part)
    text = re.sub(r"\nid .*", f"\nid {ident}", text)
    text = re.sub(r"\nsecret .*", f"\nsecret {secret}", text)
    return re.sub(r"\ncommit .*", "\ncommit " + hashlib.blake2b(
        data, digest_size=32).hexdigest(), text)


for path in sealed:
    text = path.read_text()
    for key in ("id", "commit", "secret"):
        tap.ok(is_wrong(change(text, f"\n{key} ")),
               f"{path.name}: another {key}")
    if "\nentropy " in text:
        at = text.index("\nentropy ") + 1
        tap.ok(is_wrong(change(text, text[at - 1:at + 10])),
               f"{path.name}: another entropy")
        tap.ok(is_wrong(re.sub(r"\nentropy .*", "", text, count=1)),
               f"{path.name}: entropy left out")
    ident = re.search(r"\nid (.*)", text)[1]
    secret = re.search(r"\nsecret (.*)", text)[1]
    tap.equal(commit(text, ident, secret), text, f"{path.name}: bound anew")
    # The deal of a game in a block does not depend on its own ID.
    tap.equal(is_wrong(commit(text, flip(ident[0]) + ident[1:], secret)),
              "\nblock " not in text, f"{path.name}: another ID, bound anew")
    tap.ok(is_wrong(commit(text, ident, flip(secret[0]) + secret[1:])),
           f"{path.name}: another secret, bound anew")
    # A card that is drawn becomes its neighbour: one in CARDS, in the long form each.
    record = checker.Record(text)
    passed, cards = [], 0
    for i, (at, line) in enumerate(record.body):
        words = line.split(" ")
        for k in range(DRAWN.get(words[0], len(words)), len(words)):
            cards += 1
            if cards % CARDS:
                continue
            card = CARD.search(words[k])[0]
            changed = [*words]
            changed[k] = words[k].replace(card, neighbour(card))
            record.body[i] = at, " ".join(changed)
            if wrong_line(record) != at:
                passed.append((at, card))
        record.body[i] = at, line
    tap.equal(wrong_line(record), None, f"{path.name}: the cards are drawn")
    tap.ok(cards > 0, f"{path.name}: it draws cards")
    tap.equal(passed, [], f"{path.name}: each of {cards} cards changed")
    tap.ok(is_wrong(re.sub(r"\nround 1 (start |dealer )?(\d)",
                           lambda first: first[0][:-1] + flip(first[2]), text)),
           f"{path.name}: another seat begins")

# ---- records that are cut off
def joints(lines, begin, end):
    """Returns each place in a part of the lines, in the long form; else the first and
    the last one between two kinds of lines, and one in fifty of the others."""
    if os.environ.get("CHECK_ALL"):
        return list(range(begin, end))
    place = {}
    for i in range(begin, end):
        kinds = (lines[i - 1].split(" ")[0], lines[i].split(" ")[0])
        place.setdefault(kinds, []).append(i)
    return sorted({i for found in place.values()
                   for i in (found[0], found[-1], *found[::50])})


for path in sealed:
    text = path.read_text()
    tap.equal(verdict(text[:-1]), "unfit", f"{path.name}: without the last LF")
    if "\naborted " in text:
        continue
    lines = text.splitlines(keepends=True)
    last = max(i for i, line in enumerate(lines)
               if line.startswith("result "))
    tried = joints(lines, lines.index("\n"), last + 1)
    passed = [i for i in tried if verdict("".join(lines[:i])) != "unfit"]
    tap.equal(passed, [], f"{path.name}: cut at {len(tried)} lines before the end")
    cut = "".join(lines[:lines.index("\n") + 4])
    tap.equal(verdict(cut.replace("\n\n", "\naborted stopped\n\n", 1)), "ok",
              f"{path.name}: an aborted game just ends")

# ---- fresh records, and the command
with tap.folder() as folder:
    path = pathlib.Path(folder) / "fresh.rec"
    for game, seats in (("toepen", 2), ("toepen", 7), ("daumen-drauf", 2),
                        ("daumen-drauf", 6), ("daupun", 2),
                        ("doubles-dread", 2), ("doubles-dread", 4),
                        ("durnius", 2), ("durnius", 6)):
        tap.write_record(path, f"game={game}", f"seats={seats}",
                         f"seed=independent {seats}", "entropies=1",
                         "fault_rate=9")
        tap.equal(verdict(path.read_text()), "ok",
                  f"a fresh record of {game} with {seats} seats")
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", path])
    tap.ok(run.code == 0 and run.out.startswith(f"ok {path}: "),
           "exit code 0", run)
    with open(path, "rb") as file:
        run = tap.run([*tap.PYTHON, HERE / "check-record.py", "-"], stdin=file)
    tap.ok(run.code == 0 and run.out.startswith("ok -: "), "standard input", run)
    help_ = tap.run([*tap.PYTHON, HERE / "check-record.py", "--help"])
    tap.ok(help_.code == 0 and "Exit codes: 0" in help_.out,
           "--help tells the exit codes", help_)
    path.write_text(change(path.read_text(), "\nsecret "))
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", path])
    tap.ok(run.code == 1 and "commits to" in run.out, "exit code 1", run)
    run = tap.run([*tap.PYTHON, HERE / "check-record.py",
                   tap.VECTORS / "toepen-source.rec"])
    tap.equal(run.code, 2, "exit code 2")
    run = tap.run([*tap.PYTHON, HERE / "check-record.py", "--rules",
                   tap.VECTORS / "toepen-source.rec"])
    tap.equal(run.code, 0, "with --rules the moves are checked")
    for words in ((), ("--cards", path), ("--rules",)):
        run = tap.run([*tap.PYTHON, HERE / "check-record.py", *words])
        tap.ok(run.code == 2 and run.err.count("\n") == 1, f"usage: {words}", run)
    # Where it is installed there are the rules and nothing else.
    alone = pathlib.Path(folder) / "check-record"
    alone.mkdir()
    for part in (HERE / "check-record.py", *HERE.glob("rules*.py")):
        (alone / part.name).write_bytes(part.read_bytes())
    before = sorted(alone.iterdir())
    run = tap.run([*tap.PYTHON, "-I", alone / "check-record.py", sealed[0]], cwd="/")
    tap.ok(run.code == 0, "alone in a folder, without the user's settings", run)
    tap.equal(sorted(alone.iterdir()), before, "it leaves nothing there")
tap.done()
