#!/usr/bin/env python3
"""Checks a record of the referee without any code of the referee.

It reads only the text of a record and follows protocol/RECORD.md and the rules of the
game, which are written once more in rules_GAME.py beside this file.  It checks

- the form of the header; that the commitment is the hash of the secret; that every
  card, and what else chance decided, follows from the secret;
- that every ask has the tokens that the rules allow, if the record has asks, that every
  move is one of them, and that a seat with a fault makes its house move;
- that every other line (a trick, a pot, a score, a result) is the one that the rules
  give for the moves before it, and that `forfeit` lines follow from the faults.

usage: check-record.py [--rules] FILE...

FILE is a record, a pack of a daemon (FIRST-LAST.tar.gz, or FIRST-.tar, which still
grows), or another tar file with records; `-` is the standard input.  A record in a tar
file is named FILE/RECORD.

--rules  check the moves alone: the cards need only be possible ones.  So it
         checks records without a secret.

Prints `ok RECORD: N moves, M draws`, or `RECORD:LINE: ` and what is wrong there.  What
cannot be checked is told on standard error: a file that is no whole record, has no
secret, was pruned, or is of a game or of rules that are not known here.  Exit codes: 0
all is right, 1 a record is wrong, 2 something could not be checked, or wrong usage.

It needs Python 3.9 or newer and nothing else: this file and the files rules*.py.
"""

import datetime
import fractions
import functools
import gzip
import hashlib
import io
import os
import re
import struct
import sys
import tarfile
import zlib

sys.dont_write_bytecode = True  # this folder may be a backup
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from rules import offers  # noqa: E402
from rules_list import GAMES  # noqa: E402

RECORD_BYTES = 64 << 20  # protocol/limits.h


class Wrong(Exception):
    """Raised if the record does not hold: line number, sentence."""


class Unfit(Exception):
    """Raised if there is nothing to check: not a record, no secret, an unknown
    game."""


class Ended(Exception):
    """Raised where the lines of a record end before the game."""


# ---- the recipe -------------------------------------------------------------

def lp(part):
    """Returns a part preceded by its length in 8 bytes, little-endian."""
    return struct.pack("<Q", len(part)) + part


def blake(parts, key=b""):
    data = b"".join(lp(part) for part in parts)
    return hashlib.blake2b(data, digest_size=32, key=key).digest()


# ChaCha20 works on four rows of four words.  A row is one number here, with 64 bits
# for each word, so four words are added or rotated at once.
LOW = sum(0xFFFFFFFF << 64 * i for i in range(4))


def row(words):
    return sum(word << 64 * i for i, word in enumerate(words))


def rotate(words, bits):
    """Rotates each word of a row to the left."""
    words <<= bits
    return (words | words >> 32) & LOW


def shift(words, places):
    """Moves the words of a row by so many places."""
    return (words >> 64 * places | words << 64 * (4 - places)) & LOW


def quarters(a, b, c, d):
    """Returns four quarter rounds, one in each column."""
    a = (a + b) & LOW
    d = rotate(d ^ a, 16)
    c = (c + d) & LOW
    b = rotate(b ^ c, 12)
    a = (a + b) & LOW
    d = rotate(d ^ a, 8)
    c = (c + d) & LOW
    b = rotate(b ^ c, 7)
    return a, b, c, d


def chacha20_block(key, counter, nonce):
    """Returns one block of RFC 8439 as 16 words."""
    keys = struct.unpack("<8I", key)
    start = [row(struct.unpack("<4I", b"expand 32-byte k")), row(keys[:4]),
             row(keys[4:]), row((counter, *struct.unpack("<3I", nonce)))]
    a, b, c, d = start
    for _ in range(10):
        a, b, c, d = quarters(a, b, c, d)
        a, b, c, d = quarters(a, shift(b, 1), shift(c, 2), shift(d, 3))
        b, c, d = shift(b, 3), shift(c, 2), shift(d, 1)
    return [(now + before >> 64 * i) & 0xFFFFFFFF
            for now, before in zip((a, b, c, d), start) for i in range(4)]


class Stream:
    """Makes the draws of one round."""

    def __init__(self, seed, number):
        self.key = seed
        self.block = number
        self.words = []

    def word(self):
        if not self.words:
            self.words = list(chacha20_block(self.key, self.block, bytes(12)))
            self.block += 65536
        return self.words.pop(0)

    def below(self, n):
        if n == 1:
            return 0
        while True:
            high, low = divmod(self.word() * n, 2**32)
            if low >= 2**32 % n:
                return high


# ---- the lines of a header ---------------------------------------------------

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}"
FAULT = "(timeout|illegal|protocol|crash)"


def number(least, most):
    return lambda text: (bool(re.fullmatch(r"0|[1-9][0-9]*", text))
                         and least <= int(text) <= most)


def milli(most):
    return lambda text: (bool(re.fullmatch(r"(0|[1-9][0-9]*)\.[0-9]{3}", text))
                         and fractions.Fraction(text) <= most)


def words(pattern):
    return lambda text: bool(re.fullmatch(pattern, text))


def hexes(least, most):
    return words(rf"([0-9a-f]{{2}}){{{least},{most}}}")


def date(text):
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text):
        return False
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ"
                                          ).year >= 1970
    except ValueError:
        return False


MS_A_DAY = 86400000
# Key: the form of its value (None: it has none), and a key without which it
# must not occur.
ONCE = {
    "rules": (number(1, 65535), None),
    "open": (words("priority|arrival"), None),
    "time": (number(1, MS_A_DAY), None),
    "bank": (number(0, MS_A_DAY), None),
    "increment": (number(0, MS_A_DAY), None),
    "total": (number(1, 7 * MS_A_DAY), None),
    "faults": (number(1, 1000), None),
    "started": (date, None),
    "ended": (date, None),
    "referee": (words(r"[!-~]{1,32}"), None),
    "commit": (hexes(32, 32), None),
    "block": (words("[0-9a-f]{32} [1-8]"), "commit"),
    "seeded": (None, "commit"),
    "secret": (hexes(32, 32), "commit"),
    "ladder": (hexes(16, 16), "serial"),
    "serial": (number(1, 10**12), "ladder"),
    "aborted": (words(NAME), None),
    "pruned": (hexes(32, 32), None),
}
# These keys are followed by a seat and occur once for each.
EACH_SEAT = {
    "entropy": (hexes(1, 32), "commit"),
    "heir-of": (words(NAME), None),
    "owed": (words(FAULT), None),
    "broken": (words("crash|protocol"), None),
    "cpu": (milli(10**12), None),
    "memory": (number(0, 2**40), None),
}
FIRST = ("record", "id", "game", "seats", "option", "bot")
LINES_KEPT = 4096  # lines that were read are kept, since most come again


# ---- lines ------------------------------------------------------------------

def said_like_a_fault(line, comments):
    """Comments are free, except that the one with a bot's line has a fixed
    form."""
    for i, comment in enumerate(comments):
        if not comment.startswith(" said"):
            continue
        if i > 0 or not line.startswith("fault "):
            return "`said` that is not right behind a fault"
        if not re.fullmatch(" said ([!-$&-:<-~]|%[0-9A-F]{2}){1,200}", comment):
            return "`said` is not 1 to 200 bytes, encoded"
    return None


@functools.lru_cache(LINES_KEPT)
def uncommented(whole):
    """Returns a line without its comments, and what is wrong with it, or None."""
    if not re.fullmatch(r"[ -~]*", whole):
        return "", "a byte that is not printable ASCII"
    line, *comments = whole.split(" ;")
    why = said_like_a_fault(line, comments)
    if not why and not re.fullmatch(r"([^ ]+( [^ ]+)*)?", line):
        why = "not one space between two words"
    if not why and len(line) > 8191:
        why = "more than 8191 bytes before its comment"
    return line, why


def cut(text):
    """Returns the lines of a record without comments."""
    if not text.endswith("\n"):
        raise Unfit("it is cut off: the last line has no end")
    lines = []
    for i, whole in enumerate(text[:-1].split("\n")):
        line, why = uncommented(whole)
        if why:
            raise Wrong(i + 1, why)
        lines.append(line)
    return lines


class Header:
    """Holds the header of a record, whose first lines have a fixed order."""

    def __init__(self, lines):
        self.lines, self.at = lines, 1
        self.id = self.take("id", NAME)
        self.game = self.take("game", NAME)
        if self.game not in GAMES:
            raise Unfit(f"no rules here for {self.game}")
        self.rules = GAMES[self.game]
        self.seats = int(self.take("seats", "[1-8]"))
        if self.seats not in self.rules.SEATS:
            raise Wrong(self.at, f"no seats for {self.game}")
        self.options = {name: self.take_option(name, values)
                        for name, values in self.rules.OPTIONS.items()}
        if self.rules.refuses(self.seats, self.options):
            raise Wrong(self.at, "options that do not go together")
        for seat in range(self.seats):
            self.take(f"bot {seat}", NAME)
        self.found = {}  # key and seat, or "": line, value
        for i in range(self.at, len(lines)):
            self.read_line(i + 1, lines[i])
        for (key, _), (at, _) in self.found.items():
            beside = (ONCE.get(key) or EACH_SEAT[key])[1]
            if beside and (beside, "") not in self.found:
                raise Wrong(at, f"`{key}` without a line `{beside}`")
        if self.has("block") and not int(self.one("block")[33:]) <= self.seats:
            raise Wrong(self.found["block", ""][0],
                        "a block has as many games as there are seats")
        if self.has("pruned"):
            raise Unfit("it was pruned: its cards are gone")
        version = self.one("rules", default=str(self.rules.VERSION))
        if version != str(self.rules.VERSION):
            raise Unfit(f"it was played by rules {version} of {self.game}, only "
                        f"{self.rules.VERSION} are known here")

    def take(self, key, form):
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        value = re.fullmatch(rf"{key} ({form})", line)
        self.at += 1
        if not value:
            raise Wrong(self.at, f"expected a line `{key} ...`")
        return value[1]

    def take_option(self, name, values):
        value = self.take(f"option {name}", r"\S+")
        if value not in values:
            raise Wrong(self.at, f"no value of the option {name}")
        return value

    def read_line(self, at, line):
        key, _, value = line.partition(" ")
        if key in FIRST:
            raise Wrong(at, f"no more lines `{key}`")
        if key not in ONCE and key not in EACH_SEAT:
            return
        seat, form = "", (ONCE.get(key) or EACH_SEAT[key])[0]
        if key in EACH_SEAT:
            seat, _, value = value.partition(" ")
            if seat not in map(str, range(self.seats)):
                raise Wrong(at, f"`{key}` of a seat that there is not")
        if (key, seat) in self.found:
            raise Wrong(at, f"a second line `{key}`")
        if line != key if form is None else not form(value):
            raise Wrong(at, f"`{key}` of another form")
        self.found[key, seat] = at, value

    def has(self, key):
        return (key, "") in self.found

    def one(self, key, seat="", default=""):
        return self.found.get((key, seat), (0, default))[1]


def seed_of(header):
    """Checks the commitment and returns the seed."""
    for key in ("secret", "commit"):
        if not header.has(key):
            raise Unfit(f"it has no header line `{key}`; --rules checks its moves")
    secret = bytes.fromhex(header.one("secret"))
    block, _, game = header.one("block").partition(" ")
    if block:
        for seat in range(header.seats):
            if ("entropy", str(seat)) in header.found:
                raise Wrong(header.found["entropy", str(seat)][0],
                            "entropy in a block")
        bound = [b"referee block 1", header.id.encode(), block.encode(),
                 game.encode()]
    else:
        bound = [b"referee commit 1", header.id.encode()]
    commit = blake(bound + [secret]).hex()
    if commit != header.one("commit"):
        raise Wrong(header.found["commit", ""][0],
                    f"the secret commits to {commit}")
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    parts = [b"referee deal 1", (block or header.id).encode(),
             header.game.encode(),
             str(header.seats).encode(), options.encode()]
    return blake(parts + [bytes.fromhex(header.one("entropy", str(seat)))
                          for seat in range(header.seats)], secret)


# ---- chance -----------------------------------------------------------------

class Dealt:
    """Draws what follows from a seed."""

    def __init__(self, seed, pieces):
        self.seed, self.pieces = seed, pieces
        self.stream = Stream(seed, 0)
        self.rest = []
        self.count = 0

    def begin_round(self, n):
        self.stream = Stream(self.seed, n)
        self.rest = list(self.pieces)

    def left(self):
        return len(self.rest)

    def below(self, n):
        self.count += 1
        return self.stream.below(n)

    def cards(self, n):
        return [self.rest.pop(self.below(len(self.rest))) for _ in range(n)]


class Written:
    """Draws what the record says, as long as it can be drawn."""

    def __init__(self, record, pieces):
        self.pieces, self.rest, self.count = pieces, [], 0
        rules = record.header.rules
        self.written = []  # number of the line, word
        for at, line in record.body:
            words = unmark(line).split(" ")
            if words[0] == "round" and (words[1:2] == ["1"] or rules.EACH_ROUND):
                self.written += [(at, word) for word in
                                 words[rules.ROUND:rules.ROUND + 1]]
            elif words[0] in rules.drawn(record.seats, pieces):
                first = 1 if words[0] in rules.WITHOUT_SEAT else 2
                self.written += [(at, word) for word in words[first:]]
        self.written.reverse()

    def begin_round(self, _n):
        self.rest = list(self.pieces)

    def left(self):
        return len(self.rest)

    def take(self, possible):
        if not self.written:
            raise Ended
        at, word = self.written.pop()
        if word not in possible:
            raise Wrong(at, f"{word[:40]} cannot be drawn here")
        self.count += 1
        return word

    def below(self, n):
        return int(self.take([str(i) for i in range(n)]))

    def cards(self, n):
        cards = []
        for _ in range(n):
            cards.append(self.take(self.rest))
            self.rest.remove(cards[-1])
        return cards


# ---- the record -------------------------------------------------------------

def unmark(line):
    return re.sub(r"\{([^{}]*)\}\d*", r"\1", line)


def quoted(line):
    return f"`{line}`" if len(line) <= 120 else f"`{line[:120]}...`"


class Record:
    def __init__(self, text):
        if not text.startswith("record 1\n"):
            raise Unfit("this is no record")
        lines = cut(text)
        if "" not in lines:
            raise Unfit("it is cut off: no empty line ends the header")
        empty = lines.index("")
        self.header = Header(lines[:empty])
        self.seats = self.header.seats
        # Each line of the body with its number in the file.
        self.body = [(empty + 2 + i, line)
                     for i, line in enumerate(lines[empty + 1:])]

    def check(self, by_rules=False):
        """Returns how many moves and how many draws were checked."""
        header = self.header
        pieces = header.rules.pieces(self.seats, header.options)
        chance = (Written(self, pieces) if by_rules
                  else Dealt(seed_of(header), pieces))
        walk = Walk(self, chance)
        walk.go()
        return walk.moves, chance.count


class Walk:
    """Goes through the body of a record and plays its game."""

    def __init__(self, record, chance):
        header = record.header
        self.body, self.at, self.moves = record.body, 0, 0
        self.game = header.rules(record.seats, header.options, chance)
        self.aborted = header.has("aborted")
        self.with_asks = any(line.startswith("ask ") for _, line in self.body)
        self.limit = int(header.one("faults", default="0"))
        self.faults = [0] * record.seats
        self.retired = {}  # seat: why, in the order of retiring
        self.end = len(self.body)  # of the lines that are read now
        while (self.aborted and self.end
               and self.body[self.end - 1][1].startswith("forfeit ")):
            self.end -= 1

    def go(self):
        try:
            self.step(self.game.begin)
            while not self.game.over:
                self.decision()
        except Ended:
            if not self.aborted:
                raise Unfit("it is cut off: it ends before its game") from None
        self.end = len(self.body)
        self.forfeits()

    def line(self):
        """Returns the number and the text of the next line."""
        if self.at == self.end:
            raise Ended
        return self.body[self.at]

    def take(self, expected):
        at, line = self.line()
        if line != expected:
            raise Wrong(at, f"{quoted(expected)} was expected, not {quoted(line)}")
        self.at += 1

    def step(self, act, *args):
        """Lets the game go on, and compares what it tells."""
        why = None
        try:
            act(*args)
        except (Wrong, Ended) as stopped:  # chance found nothing to draw
            why = stopped
        for line in self.game.told:
            self.take(line)
        self.game.told.clear()
        if isinstance(why, Ended) and self.at < self.end:
            raise Wrong(self.line()[0], "cards are dealt or drawn before this line")
        if why:
            raise why

    def decision(self):
        lists, holder = self.game.ask()
        if self.with_asks:
            for seat in sorted(lists):
                self.ask(seat, lists[seat])
        faulty = self.faults_of(lists)
        at, line = self.line()
        if line == "quiet" and holder is None:
            self.step(self.game.quiet)
            return
        words = unmark(line).split(" ")
        if (words[0] != "move" or len(words) != 3
                or words[1] not in map(str, lists)):
            raise Wrong(at, "a move of a seat that is asked was expected, not "
                        + quoted(line))
        seat, token = int(words[1]), words[2]
        tokens = lists[seat]
        if not offers(tokens, token) or token == "pass" and seat != holder:
            raise Wrong(at, f"no move of seat {seat} here; it may choose "
                        + quoted(" ".join(tokens)))
        if seat in faulty and token != tokens[0]:
            raise Wrong(at, f"not the house move of seat {seat}, `{tokens[0]}`")
        self.moves += 1
        self.step(self.game.play, seat, token)

    def ask(self, seat, tokens):
        at, line = self.line()
        words = line.split(" ")
        if (words[:3] != ["ask", str(seat), tokens[0]]
                or sorted(words[3:]) != sorted(tokens[1:])):
            expected = quoted(f"ask {seat} {' '.join(tokens)}")
            raise Wrong(at, f"{expected} was expected, not {quoted(line)}")
        self.at += 1

    def faults_of(self, lists):
        """Takes the faults of a decision.  Returns the seats that can only make
        their house moves."""
        faulty = {}
        while self.at < self.end and self.body[self.at][1].startswith("fault "):
            at, line = self.line()
            words = line.split(" ")
            if not re.fullmatch(f"fault [0-7] {FAULT}", line):
                raise Wrong(at, "no fault of this form")
            seat = int(words[1])
            if seat not in lists:
                raise Wrong(at, "a fault of a seat that is not asked")
            if seat in self.retired:
                raise Wrong(at, f"seat {seat} was retired before")
            if faulty and seat <= max(faulty):
                raise Wrong(at, "faults of a decision in the order of seats")
            faulty[seat] = words[2]
            self.faults[seat] += 1
            self.at += 1
        for seat, why in faulty.items():
            if self.faults[seat] == self.limit:
                self.retired[seat] = why
        return set(faulty) | set(self.retired)

    def forfeits(self):
        for seat, why in self.retired.items():
            if self.at == self.end and not self.aborted:
                raise Wrong(self.body[-1][0] + 1, "a `forfeit` line is missing")
            if self.at == self.end:
                return
            self.take(f"forfeit {seat} {why}")
        if self.at < self.end:
            raise Wrong(self.line()[0], "nothing follows the end of the game")


def check(text, by_rules=False):
    """Returns how many moves and draws of a record were checked; raises Wrong or
    Unfit."""
    return Record(text).check(by_rules)


# ---- files ------------------------------------------------------------------

def texts(path):
    """Yields the records of a file as (name, text)."""
    with (open(0, "rb", closefd=False) if path == "-"
          else open(path, "rb")) as file:
        file = io.BufferedReader(file.raw, 1 << 16)
        head = file.peek(1024)
        packed = head.startswith(b"\x1f\x8b")
        if not packed and head[257:262] != b"ustar":
            text = file.read(RECORD_BYTES + 1)
            if len(text) > RECORD_BYTES:
                raise Unfit("it is too large for a record")
            yield path, text.decode("latin-1")
            return
        if packed:
            file = gzip.GzipFile(fileobj=file)
        with tarfile.open(fileobj=file, mode="r|") as pack:
            for member in pack:
                if not member.isfile() or not member.name.endswith(".rec"):
                    continue
                if member.size > RECORD_BYTES:
                    raise Unfit(f"{member.name} is too large for a record")
                yield (f"{path}/{member.name}",
                       pack.extractfile(member).read().decode("latin-1"))


def judge(name, text, by_rules):
    try:
        moves, draws = check(text, by_rules)
        print(f"ok {name}: {moves} moves, {draws} draws")
    except Wrong as wrong:
        print(f"{name}:{wrong.args[0]}: {wrong.args[1]}")
        return 1
    except Unfit as unfit:
        print(f"{name}: {unfit}", file=sys.stderr)
        return 2
    return 0


def main(words):
    usage = "usage: check-record.py [--rules] FILE..."
    if "--help" in words or "-h" in words:
        print(__doc__.strip())
        return 0
    by_rules = "--rules" in words
    paths = [word for word in words if word != "--rules"]
    unknown = [word for word in paths if word[:1] == "-" and word != "-"]
    if unknown or not paths:
        print(f"{unknown[0]} is no option; {usage}" if unknown else usage,
              file=sys.stderr)
        return 2
    codes = {0}
    for path in paths:
        try:
            for name, text in texts(path):
                codes.add(judge(name, text, by_rules))
        except (Unfit, OSError, EOFError, zlib.error, tarfile.TarError) as unfit:
            print(f"{path}: {unfit}", file=sys.stderr)
            codes.add(2)
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
