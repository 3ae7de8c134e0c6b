#!/usr/bin/env python3
"""Tests that a seat's view of a record has the bytes that this seat was sent.

The bots log every line; the test removes control lines from the logs.  A
retired seat was sent nothing more, so its view goes on after its log.
"""

import os
import re
import shlex
import sys

import arena
import tap

sys.path.insert(0, str(tap.SOURCE_DIR / "tests" / "independent"))
import redact  # noqa: E402

CONTROL = {b"referee", b"game", b"commit", b"entropy?", b"ask", b"void",
           b"retired", b"over", b"abort", b"ping", b"error", b"bye"}
ALL = bool(os.environ.get("CHECK_ALL"))
HELPER = tap.SOURCE_DIR / "tests" / "end-to-end" / "logging-bot.py"


def logging_bot(folder, miss):
    return shlex.join([*tap.PYTHON, str(HELPER), str(folder),
                       str(miss)])


def events(log):
    return [line for line in log.splitlines(keepends=True)
            if line.split()[0] not in CONTROL]


def was_retired(log):
    return b"retired" in log.splitlines()


def same_as_replay(record, seat, log):
    replay = tap.referee("replay", "--raw", "--view", seat, record.path)
    # The text of a fault is a comment, which bots are not sent.
    lines = [re.sub(rb"^(fault .*?) ; .*", rb"\1", line) for line in
             replay.out.encode("latin-1").splitlines(keepends=True)]
    sent = events(log)
    if was_retired(log):
        lines = lines[:len(sent)]
    return replay.code == 0 and len(sent) > 0 and sent == lines


def holds_secrets_back(record, seat, log):
    """Compares with the test's own redaction, which shares no code with the
    program's."""
    views = [redact.redact(line, str(seat)).encode() + b"\n"
             for line in record.body if not line.startswith("forfeit ")]
    sent = events(log)
    return sent == (views[:len(sent)] if was_retired(log) else views)


def check(game, arguments, misses, what):
    seats = arena.seats(game, len(misses))
    misses = misses[:seats]
    games = seats if ALL else 2
    with arena.Arena() as place:
        folder = place.root / "logs"
        folder.mkdir()
        run = place.match(game, *arena.bots(
            *((f"bot-{n}", logging_bot(folder, miss))
              for n, miss in enumerate(misses))), "--seed", what,
            "--games", games, "--exact", *arguments)
        records = place.records()
        tap.ok(run.code == 0 and len(records) == games, f"{what}: is played",
               run)
        logs = {(record, seat):
                (folder / f"{record.header('id')}-{seat}").read_bytes()
                for record in records for seat in range(seats)}
        differ = [f"{record.path.name} seat {seat}"
                  for (record, seat), log in logs.items()
                  if not same_as_replay(record, seat, log)]
        tap.ok(not differ, f"{what}: every seat was sent its view", differ)
        told = [f"{record.path.name} seat {seat}"
                for (record, seat), log in logs.items()
                if not holds_secrets_back(record, seat, log)]
        tap.ok(not told, f"{what}: and nothing that is not for it", told)
        marked = [log for log in logs.values() if b"{" in log or b"}" in log]
        tap.ok(not marked, f"{what}: no marks were sent", marked[:1])
        faults = sum(len(seat) for record in records
                     for seat in record.faults())
        retired = sum(map(was_retired, logs.values()))
        forfeits = sum(len(record.forfeits()) for record in records)
        tap.equal(retired, forfeits, f"{what}: the retired were told")
        tap.equal((faults > 0, retired > 0), (any(misses), any(misses)),
                  f"{what}: faults where some were meant to be")


# Each game is played in two of four ways, by turns; with CHECK_ALL in all.
for turn, game in enumerate(arena.GAMES):
    if ALL or turn % 2 == 0:
        check(game, [], [0] * 4, f"{game}")
        check(game, ["--open", "arrival", "--faults", 1], [0, 20, 0, 10],
              f"{game}, open=arrival, with faults")
    if ALL or turn % 2 == 1:
        check(game, ["--open", "arrival"], [0] * 4, f"{game}, open=arrival")
        check(game, [], [0, 12, 30, 5], f"{game} with faults")
tap.done()
