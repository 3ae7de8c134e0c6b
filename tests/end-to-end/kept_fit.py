"""Reads and forges the file FILE.fit-POOL, as ladder/fit-kept.c writes it."""

import collections
import hashlib
import sqlite3
import struct

SUM, HEAD = 32, struct.Struct("=32s32sqq16sQQdd")
ROW, NAME = struct.Struct("=QddddQIIII"), 33

Row = collections.namedtuple(
    "Row", "name rating low high score games bot set best worst")


def rows(path):
    """Returns the rows by name."""
    data = path.read_bytes()
    count = HEAD.unpack_from(data)[-3]
    names = HEAD.size + count * ROW.size
    assert len(data) == names + count * NAME, (path, len(data))
    told = {}
    for i in range(count):
        at = names + i * NAME
        name = data[at:at + NAME].rstrip(b"\0").decode("ascii")
        row = ROW.unpack_from(data, HEAD.size + i * ROW.size)
        told[name] = Row(name, *row[1:])
    return told


def summed(data):
    """Returns the data with a checksum of its present content."""
    return hashlib.blake2b(data[SUM:], digest_size=SUM).digest() + data[SUM:]


def with_rating(path, bot, rating):
    """Returns the bytes of the file with this rating of the bot."""
    at = HEAD.size + list(rows(path)).index(bot) * ROW.size + 8
    data = path.read_bytes()
    return summed(data[:at] + struct.pack("=d", rating) + data[at + 8:])


def with_games(path, games):
    """Returns the bytes of the file as if it were made of so many games."""
    data = path.read_bytes()
    head = list(HEAD.unpack_from(data))
    head[5] = games
    return summed(HEAD.pack(*head) + data[HEAD.size:])


def is_of(path, ladder):
    """Returns true if the kept fit belongs to pool 1 of the ladder in this
    file."""
    base = sqlite3.connect(f"file:{ladder}?mode=ro", uri=True)
    [number] = base.execute("SELECT id FROM meta").fetchone()
    base.close()
    key = hashlib.blake2b(f"fit 7 {number} 1".encode("ascii"),
                          digest_size=SUM).digest()
    return path.read_bytes()[SUM:2 * SUM] == key
