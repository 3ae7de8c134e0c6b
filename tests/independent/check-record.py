#!/usr/bin/env python3
"""Check the deal of a record without any code of the referee.

From the text of a record alone, by the recipe in protocol/RECORD.md: the
commitment is the hash of the secret, and every card that the record deals or
draws (and who begins) follows from the secret.  BLAKE2b comes from hashlib;
ChaCha20 (RFC 8439) stands below.  Games: toepen, daumen-drauf, daupun,
doubles-dread, durnius (its `draw` lines must follow the talon).

Only the cards are checked: whether the moves keep to the rules, and whether the
results follow from them, is for `referee verify`.

usage: check-record.py RECORD...
Prints `cards ok RECORD: N draws` or `RECORD:LINE: what is wrong`; the exit code
is 0, 1 if anything is wrong, 2 if a file is no whole record with a secret.
"""

import hashlib
import re
import struct
import sys


class Wrong(Exception):
    """The record is not what its secret makes it: line number, sentence."""


class Unfit(Exception):
    """There is nothing to check: no record, no secret, another game."""


# ---- the recipe -------------------------------------------------------------

def lp(part):
    """A part preceded by its length: 8 bytes, little-endian."""
    return struct.pack("<Q", len(part)) + part


def blake(parts, key=b""):
    data = b"".join(lp(part) for part in parts)
    return hashlib.blake2b(data, digest_size=32, key=key).digest()


def rotate(word, bits):
    return (word << bits | word >> (32 - bits)) & 0xFFFFFFFF


def quarter(x, a, b, c, d):
    x[a] = (x[a] + x[b]) & 0xFFFFFFFF
    x[d] = rotate(x[d] ^ x[a], 16)
    x[c] = (x[c] + x[d]) & 0xFFFFFFFF
    x[b] = rotate(x[b] ^ x[c], 12)
    x[a] = (x[a] + x[b]) & 0xFFFFFFFF
    x[d] = rotate(x[d] ^ x[a], 8)
    x[c] = (x[c] + x[d]) & 0xFFFFFFFF
    x[b] = rotate(x[b] ^ x[c], 7)


COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def chacha20_block(key, counter, nonce):
    """One block of RFC 8439 as 16 words."""
    start = list(struct.unpack("<4I", b"expand 32-byte k"))
    start += struct.unpack("<8I", key)
    start += [counter]
    start += struct.unpack("<3I", nonce)
    x = list(start)
    for _ in range(10):
        for lanes in COLUMNS + DIAGONALS:
            quarter(x, *lanes)
    return [(a + b) & 0xFFFFFFFF for a, b in zip(x, start)]


class Stream:
    """The draws of one round."""

    def __init__(self, seed, number):
        self.key = seed
        self.block = number
        self.words = []

    def word(self):
        if not self.words:
            self.words = chacha20_block(self.key, self.block, bytes(12))
            self.block += 65536
        return self.words.pop(0)

    def below(self, n):
        if n == 1:
            return 0
        while True:
            high, low = divmod(self.word() * n, 2**32)
            if low >= 2**32 % n:
                return high


# ---- the record -------------------------------------------------------------

class Record:
    def __init__(self, text):
        lines = [line.split(" ;", 1)[0] for line in text.split("\n")]
        if "" not in lines or lines[0] != "record 1":
            raise Unfit("this is no record")
        if not text.endswith("\n"):
            raise Unfit("it is cut off: the last line has no end")
        empty = lines.index("")
        self.header = [line.split(" ") for line in lines[:empty]]
        # Number in the file, words with the marks dropped.
        self.body = [(empty + 2 + i, unmark(line).split(" "))
                     for i, line in enumerate(lines[empty + 1:]) if line]
        self.id = self.one("id")
        self.game = self.one("game")
        self.seats = int(self.one("seats"))
        self.check_end()
        self.options = [(words[1], words[2]) for words in self.header
                        if words[0] == "option"]
        self.entropy = [b""] * self.seats
        for words in self.header:
            if words[0] == "entropy" and len(words) == 3:
                self.entropy[int(words[1])] = bytes.fromhex(words[2])

    def one(self, key):
        values = [words[1] for words in self.header
                  if words[0] == key and len(words) > 1]
        if len(values) != 1:
            raise Unfit(f"it has not one header line `{key}`")
        return values[0]

    def number_of(self, key):
        return 1 + [words[0] for words in self.header].index(key)

    def check_end(self):
        """A game ends with a result for each seat, or was aborted."""
        results = [words[1] for _, words in self.body if words[0] == "result"]
        if (results != [str(seat) for seat in range(self.seats)]
                and not any(words[0] == "aborted" for words in self.header)):
            raise Unfit("it is cut off: it lacks `result` lines")


def unmark(line):
    return re.sub(r"\{([^{}]*)\}\d*", r"\1", line)


def seed_of(record):
    """The seed, after a look at the commitment."""
    secret = bytes.fromhex(record.one("secret"))
    commit = blake([b"referee commit 1", record.id.encode(), secret]).hex()
    if commit != record.one("commit"):
        raise Wrong(record.number_of("commit"),
                    f"the secret commits to {commit}")
    options = " ".join(f"{name}={value}" for name, value in record.options)
    parts = [b"referee deal 1", record.id.encode(), record.game.encode(),
             str(record.seats).encode(), options.encode()]
    return blake(parts + record.entropy, secret)


# ---- the draws of each game -------------------------------------------------

class Draws:
    """Draws from what is left of a deck and compares with what is written."""

    def __init__(self, seed):
        self.seed = seed
        self.stream = Stream(seed, 0)
        self.left = []
        self.count = 0

    def begin_round(self, number, deck):
        self.stream = Stream(self.seed, number)
        self.left = list(deck)

    def number(self, line, n, written):
        self.compare(line, str(self.stream.below(n)), written)

    def cards(self, line, written):
        for card in written:
            if not self.left:
                raise Wrong(line, "there is no card left to draw")
            drawn = self.left.pop(self.stream.below(len(self.left)))
            self.compare(line, drawn, card)

    def compare(self, line, drawn, written):
        if drawn != written:
            raise Wrong(line, f"the secret gives {drawn}, not {written}")
        self.count += 1


def toepen(record, draws):
    deck = TOEPEN_DECK
    for line, words in record.body:
        if words[0] == "round":
            if words[1] == "1":
                draws.number(line, record.seats, words[2])
            draws.begin_round(int(words[1]), deck)
        elif words[0] == "deal":
            draws.cards(line, words[2:])


def daumen_drauf(record, draws):
    deck = daumen_deck(record.seats)
    for line, words in record.body:
        if words[0] == "round":
            if words[1] == "1":
                draws.number(line, record.seats, words[3])
            draws.begin_round(int(words[1]), deck)
        elif words[0] in ("deal", "draw"):
            draws.cards(line, words[2:])


def daupun(record, draws):
    for line, words in record.body:
        if words[0] == "round":
            # What a round's line tells is drawn before its stream begins.
            cutter = draws.stream.below(2)
            draws.compare(line, f"cutter {cutter}", f"cutter {words[5]}")
            if words[3] != str(1 - cutter):
                raise Wrong(line, "the dealer is not the other seat")
            draws.begin_round(int(words[1]), DAUPUN_DECK)
        elif words[0] in ("deal", "draw"):
            draws.cards(line, words[2:])


DAUPUN_DECK = [rank + suit for rank in "A23456789T" for suit in "CDHS"]


def doubles_dread(record, draws):
    deck = DOUBLES_DREAD_DECK
    for line, words in record.body:
        if words[0] == "round":
            if words[1] == "1":
                draws.number(line, record.seats, words[2])
            draws.begin_round(int(words[1]), deck)
        elif words[0] == "bark":
            draws.cards(line, words[2:])
        elif words[0] == "monster":
            draws.cards(line, words[1:])


DOUBLES_DREAD_DECK = [colour + force for force in "12345678"
                      for colour in "RGBY"]
def durnius(record, draws):
    """All chance is in the deal; what is drawn later lies in the talon."""
    deck = sorted(DURNIUS_DECK * int(dict(record.options)["decks"]),
                  key=DURNIUS_DECK.index)
    talon, trump = [], []
    for line, words in record.body:
        if words[0] == "round":
            if words[1] == "1":
                draws.number(line, record.seats, words[2])
            draws.begin_round(int(words[1]), deck)
        elif words[0] == "deal":
            draws.cards(line, words[2:])
        elif words[0] == "trump" and draws.left:
            trump = words[1:]
            draws.cards(line, trump)
        elif words[0] == "talon":
            talon = words[1:] + trump
            draws.cards(line, words[1:])
        elif words[0] == "draw":
            for card in words[2:]:
                if talon[:1] != [card]:
                    raise Wrong(line, f"{card} is not next in the talon")
                talon.pop(0)


TOEPEN_DECK = [rank + suit for rank in "JQKA789T" for suit in "CDHS"]
DURNIUS_DECK = [rank + suit for rank in "6789TJQKA" for suit in "CDHS"]


def daumen_deck(seats):
    return [colour + str(number) + fang for number in range(1, seats + 3)
            for fang in "nt" for colour in "YGB"]


GAMES = {"toepen": toepen, "daumen-drauf": daumen_drauf,
         "daupun": daupun, "doubles-dread": doubles_dread,
         "durnius": durnius}


def check(text):
    """How many draws were checked; raises Wrong or Unfit."""
    record = Record(text)
    if record.game not in GAMES:
        raise Unfit(f"no recipe here for {record.game}")
    draws = Draws(seed_of(record))
    GAMES[record.game](record, draws)
    return draws.count


def main(paths):
    code = 0
    if not paths:
        print("usage: check-record.py RECORD...", file=sys.stderr)
        return 2
    if "--help" in paths or "-h" in paths:
        print(__doc__.strip())
        return 0
    for path in paths:
        try:
            with open(path, encoding="ascii") as file:
                print(f"cards ok {path}: {check(file.read())} draws")
        except Wrong as wrong:
            print(f"{path}:{wrong.args[0]}: {wrong.args[1]}")
            code = max(code, 1)
        except (Unfit, OSError, ValueError, IndexError) as unfit:
            print(f"{path}: {unfit}", file=sys.stderr)
            code = 2
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
