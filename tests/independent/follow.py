#!/usr/bin/env python3
"""Rates a ladder from its founding and its log, without any code of the
referee: by RECORD.md, "A ladder's records".

usage: follow.py FOLDER...
Prints a line of JSON for each bot in each pool, with keys of `referee ladder export`.
"""

import collections
import decimal
import json
import pathlib
import re
import sys
import tarfile

decimal.getcontext().prec = 60
ENTRY = re.compile(r"(\d{8,})-[!-~]{1,32}\.(rec|void|setting|ladder)")
PACK = re.compile(r"\d{8,}-(\d{8,}\.tar\.gz|\.tar)")


def files(folder):
    """Yields (name, bytes) of all files, also those in packs."""
    for path in pathlib.Path(folder).iterdir():
        if PACK.fullmatch(path.name) and path.stat().st_size > 0:
            with tarfile.open(path) as tar:
                for member in tar:
                    yield member.name, tar.extractfile(member).read()
        elif ENTRY.fullmatch(path.name):
            yield path.name, path.read_bytes()


def entries(folders):
    """Yields (kind, Text) of the founding, which has serial 0, and of the log."""
    found = {}
    for name, content in (one for folder in folders for one in files(folder)):
        if match := ENTRY.fullmatch(name):
            entry = match[2], content.decode("ascii")
            if found.setdefault(int(match[1]), entry) != entry:
                sys.exit(f"{name} is another entry than {match[1]} before")
    for serial in range(max(found, default=0) + 1):
        kind, text = found.get(serial) or sys.exit(f"entry {serial} is missing")
        yield kind, Text(text, serial)


class Text:
    """An entry: its lines by their first words; for a record its head and its
    body."""

    def __init__(self, text, serial):
        head, _, body = text.partition("\n\n")
        if not text.startswith("record ") and not text.endswith("\nend\n"):
            sys.exit(f"entry {serial} was cut")
        self.head = collections.defaultdict(list)
        for line in head.splitlines():
            key, *words = line.split(" ;")[0].split(" ")
            self.head[key].append(words)
        self.body = [line.split(" ;")[0].split(" ") for line in body.splitlines()]
        if self.one("serial") != str(serial):
            sys.exit(f"entry {serial} says that it is {self.one('serial')}")

    def one(self, *key):
        """Returns the word that follows these, or None."""
        return next((words[len(key) - 1] for words in self.head[key[0]]
                     if tuple(words[:len(key) - 1]) == key[1:]), None)

    def places(self):
        """Returns the places as a ladder counts them: retired seats come last,
        the earlier the lower."""
        place, out, last, decision = {}, set(), {}, 0
        for what, *words in self.body:
            decision += what not in ("fault", "ask")
            if what == "result":
                place[int(words[0])] = int(words[1])
            elif what == "fault":
                last[int(words[0])] = decision
            elif what == "forfeit":
                out.add(int(words[0]))
        key = [(1, -last[seat]) if seat in out else (0, place[seat])
               for seat in sorted(place)]
        return [1 + sum(other < own for other in key) for own in key]


def milli(text):
    return int(decimal.Decimal(text) * 1000)


def gain(k, before, place, one, other):
    """Returns what seat `one` gets from seat `other`."""
    halves = (place[one] < place[other]) + (place[one] <= place[other])
    gap = decimal.Decimal(before[other] - before[one]) / 400000
    exact = k * (decimal.Decimal(halves) / 2 - 1 / (1 + 10 ** gap))
    return int((exact / (len(before) - 1)).quantize(1, decimal.ROUND_HALF_UP))


class Ladder:
    def __init__(self, founding, void):
        self.void = void        # IDs of games that do not count
        self.pools = collections.defaultdict(dict)  # {pool: {bot: its line}}
        self.heirs = {}         # {(pool, bot): the bot that it is the heir of}
        self.entry = {(tuple(pool), bot): milli(rating)    # by a season
                      for bot, rating, *pool in founding.head["enter"]}

    def set(self, text):
        self.k, self.start = milli(text.one("rating-k")), milli(text.one("rating-start"))

    def enters(self, pool, bot, heir_of):
        """Adds a new bot to a pool with its first rating."""
        rated, passed, before = self.pools[pool], {bot}, heir_of
        while before not in rated and before not in passed:
            passed.add(before)
            before = self.heirs.get((pool, before))
        inherited = rated[before]["live_elo_milli"] if before in rated else \
            self.entry.get((pool, heir_of), self.start)
        return self.entry.get((pool, bot), inherited)

    def rate(self, game):
        bots = [name for _, name in game.head["bot"]]
        pool = (str(len(bots)), game.one("open") or "priority", game.one("game"),
                *map("=".join, game.head["option"]))
        void, rated = game.one("id") in self.void, self.pools[pool]
        for seat, bot in enumerate(bots):
            heir_of = game.one("heir-of", str(seat))
            if void and bot not in rated and heir_of:
                self.heirs.setdefault((pool, bot), heir_of)
            elif not void and bot not in rated:
                rated[bot] = dict(
                    seats=len(bots), open=pool[1], game=pool[2], options=" ".join(pool[3:]),
                    bot=bot, live_elo_milli=self.enters(pool, bot, heir_of), games=0)
        place, lines = game.places(), [rated[bot] for bot in bots if not void]
        before = [line["live_elo_milli"] for line in lines]
        for one, line in enumerate(lines):
            line["games"] += 1
            line["live_elo_milli"] += sum(gain(self.k, before, place, one, other)
                                          for other in range(len(bots)))


def main(folders):
    log = list(entries(folders))
    if len({text.head["ladder"][-1][0] for _, text in log}) > 1:
        sys.exit("the entries are of several ladders")
    ladder = Ladder(log[0][1], {words[1] for kind, void in log if kind == "void"
                                for words in void.head["game"]})
    for kind, text in log:
        if kind == "rec":
            ladder.rate(text)
        elif kind != "void":
            ladder.set(text)
    for pool in ladder.pools.values():
        print("".join(json.dumps(line) + "\n" for line in pool.values()), end="")


if __name__ == "__main__":
    main(sys.argv[1:]) if sys.argv[1:] else sys.exit(__doc__)
