#!/usr/bin/env python3
"""Checks the deal of a record without any code of the referee.

It reads only the text of a record and follows protocol/RECORD.md: the
commitment must be the hash of the secret, and every card that the record deals
or draws, and the seat that begins, must follow from the secret.  BLAKE2b comes
from hashlib; ChaCha20 (RFC 8439) is below.  It knows the games toepen,
daumen-drauf, daupun, doubles-dread and durnius (whose `draw` lines must follow
the talon).

Besides the cards it checks what RECORD.md says of every record: lines and
words, the form of each header line, that the game has such lines, the count of
the rounds, the order of faults, places, and the `forfeit` lines.  It does not
check that moves keep to the rules and that results follow from them; `referee
verify` does.

Not checked is whether the moves keep to the rules, and whether the results
follow from them: that is for `referee verify`.

usage: check-record.py RECORD|PACK...
A pack (FIRST-LAST.tar.gz, or FIRST-.tar, which still grows) has many records; each is
named PACK/RECORD.  Prints `cards ok RECORD: N draws` or `RECORD:LINE: what is wrong`; the exit code
is 0, 1 if anything is wrong, 2 if a file is no whole record with a secret.
"""

import datetime
import fractions
import functools
import hashlib
import re
import struct
import sys
import tarfile
import zlib

RECORD_BYTES = 64 << 20  # protocol/limits.h


class Wrong(Exception):
    """Raised if the record does not follow from its secret: line number,
    sentence."""


class Unfit(Exception):
    """Raised if there is nothing to check: not a record, no secret, an unknown
    game."""


# ---- the recipe -------------------------------------------------------------

def lp(part):
    """Returns a part preceded by its length in 8 bytes, little-endian."""
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
    """Returns one block of RFC 8439 as 16 words."""
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


# ---- the record -------------------------------------------------------------

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
            raise Unfit(f"no recipe here for {self.game}")
        rules = GAMES[self.game]
        self.seats = int(self.take("seats", "[1-8]"))
        if not rules.seats[0] <= self.seats <= rules.seats[1]:
            raise Wrong(self.at, f"no seats for {self.game}")
        self.options = [(name, self.take(f"option {name}", r"\S+"))
                        for name in rules.options]
        for seat in range(self.seats):
            self.take(f"bot {seat}", NAME)
        self.found = {}  # key and seat, or "": line, value
        for i in range(self.at, len(lines)):
            self.read_line(i + 1, lines[i])
        for (key, _), (at, _) in self.found.items():
            beside = (ONCE.get(key) or EACH_SEAT[key])[1]
            if beside and (beside, "") not in self.found:
                raise Wrong(at, f"`{key}` without a line `{beside}`")
        if self.has("pruned"):
            raise Unfit("it was pruned: its cards are gone")
        for key in ("secret", "commit"):
            if not self.has(key):
                raise Unfit(f"it has not one header line `{key}`")

    def take(self, key, form):
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        value = re.fullmatch(rf"{key} ({form})", line)
        self.at += 1
        if not value:
            raise Wrong(self.at, f"expected a line `{key} ...`")
        return value[1]

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
        self.aborted = self.header.has("aborted")
        # Each line of the body has its number in the file and its words without
        # marks.
        self.body = [(empty + 2 + i, self.read_line(empty + 2 + i, line))
                     for i, line in enumerate(lines[empty + 1:])]
        self.check_rounds()
        self.check_end()
        self.check_deals()

    def read_line(self, at, line):
        found, why = words_of(self.header.game, self.seats, line)
        if why:
            raise Wrong(at, why)
        return list(found)

    def check_rounds(self):
        """Checks that rounds are counted and nothing precedes the first."""
        count = 0
        for at, found in self.body:
            if found[0] == "round":
                count += 1
                if found[1] != str(count):
                    raise Wrong(at, f"this is round {count}")
            elif count == 0 and found[0] != "forfeit":
                raise Wrong(at, "a line before the first round")

    def check_deals(self):
        """Checks that everybody who plays is dealt cards at the beginning of a round,
        once."""
        out, dealt, line = set(), None, 0
        for at, found in self.body + [(0, ["end"])]:
            if found[0] == "deal" and dealt is not None:
                dealt.append(found[1])
            elif dealt is not None:
                if (sorted(dealt) != sorted(self.playing(out)) and
                        not (self.aborted and found[0] in ("end", "forfeit"))):
                    raise Wrong(line, "not one hand for each seat that plays")
                dealt = None
            if found[0] == "round":
                dealt, line = [], at
            elif found[0] == "out":
                out.add(found[1])

    def playing(self, out):
        """Returns the seats that are dealt hands; in Toepen a seat that is out
        stays out."""
        if self.header.game == "doubles-dread":
            return []
        gone = out if self.header.game == "toepen" else ()
        return [seat for seat in map(str, range(self.seats))
                if seat not in gone]

    def check_end(self):
        """Checks that a game ends with a result for each seat or was aborted,
        followed by the retired seats."""
        end = len(self.body)
        while end and self.body[end - 1][1][0] == "forfeit":
            end -= 1
        events, forfeits = self.body[:end], self.body[end:]
        for at, found in events:
            if found[0] == "forfeit":
                raise Wrong(at, "only `forfeit` lines follow such a line")
        results = [one for one in events if one[1][0] == "result"]
        seats = [found[1] for _, found in results]
        if seats != [str(seat) for seat in range(self.seats)] and (
                not self.aborted or
                seats != [str(seat) for seat in range(len(seats))]):
            raise Unfit("it is cut off: it lacks `result` lines")
        if results != events[len(events) - len(results):]:
            raise Wrong(results[0][0], "results end a game")
        if len(results) == self.seats:
            self.check_places(results)
        self.check_faults(events, forfeits)

    def check_places(self, results):
        places = [int(found[2]) for _, found in results]
        for (at, _), place in zip(results, places):
            if place != 1 + sum(other < place for other in places):
                raise Wrong(at, "places are those of a ranking")

    def check_faults(self, events, forfeits):
        """Checks which seats were retired, when, and for what."""
        limit = int(self.header.one("faults", default="0"))
        count, left, last = [0] * self.seats, [], None
        for at, found in events:
            if found[0] not in ("fault", "ask"):
                last = None
            if found[0] != "fault":
                continue
            seat = int(found[1])
            count[seat] += 1
            if limit and count[seat] > limit:
                raise Wrong(at, f"seat {seat} was retired before")
            if last is not None and seat <= last:
                raise Wrong(at, "faults of a decision in the order of seats")
            last = seat
            if count[seat] == limit:
                left.append(["forfeit", found[1], found[2]])
        found = [one for _, one in forfeits]
        if found != (left[:len(found)] if self.aborted else left):
            raise Wrong(self.body[-1][0],
                        "not the `forfeit` lines of those who were retired")


MARKS = re.compile(r"([^{}]|\{[^{}]+\}\d*)*")


def unmark(line):
    return re.sub(r"\{([^{}]*)\}\d*", r"\1", line)


@functools.lru_cache(LINES_KEPT)
def words_of(game, seats, line):
    """Returns the words of a line of the body without marks, and what is wrong
    with it, or None."""
    plain = unmark(line)
    verb = plain.split(" ")[0]
    form = GAMES[game].lines.get(verb) or EVERY_GAME.get(verb)
    found = tuple(plain.split(" "))
    seat = SEAT_WORD.get(verb)
    why = None
    if not form:
        why = f"the game has no line `{verb}`"
    elif not re.fullmatch(form, plain):
        why = f"no line `{verb}` has this form"
    elif not MARKS.fullmatch(line):
        why = "its marks are not in order"
    elif any(int(marked) >= seats for marked in
             "".join(re.findall(r"\}(\d+)", line))):
        why = "a mark for a seat that there is not"
    elif verb in ("deal", "draw") and "{" in line and not re.search(
            rf"\}}{found[1]}( |$)", line):
        why = "its cards are for another seat"
    elif seat and found[seat].isdigit() and int(found[seat]) >= seats:
        why = f"there is no seat {found[seat]}"
    return found, why


def seed_of(header):
    """Checks the commitment and returns the seed."""
    secret = bytes.fromhex(header.one("secret"))
    block, _, game = header.one("block").partition(" ")
    if block:
        if not 1 <= int(game) <= header.seats:
            raise Wrong(header.found["block", ""][0],
                        "a block has as many games as there are seats")
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
    options = " ".join(f"{name}={value}" for name, value in header.options)
    parts = [b"referee deal 1", (block or header.id).encode(),
             header.game.encode(),
             str(header.seats).encode(), options.encode()]
    return blake(parts + [bytes.fromhex(header.one("entropy", str(seat)))
                          for seat in range(header.seats)], secret)


# ---- the draws of each game -------------------------------------------------

class Draws:
    """Draws from the rest of a deck and compares with the record."""

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
            # A round's line has the number that is drawn before its stream
            # begins.
            cutter = draws.stream.below(2)
            draws.compare(line, f"cutter {cutter}", f"cutter {words[5]}")
            if words[3] != str(1 - cutter):
                raise Wrong(line, "the dealer is not the other seat")
            if words[1] == "1" and words[6:] != ["first", words[5], "pot", "0"]:
                raise Wrong(line, "in round 1 the cutter begins, without a pot")
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
        elif draws.left:
            raise Wrong(line, "not all pawns are in a bark")


DOUBLES_DREAD_DECK = [colour + force for force in "12345678"
                      for colour in "RGBY"]


def durnius(record, draws):
    """All chance is in the deal; later cards come from the talon."""
    decks = dict(record.header.options)["decks"]
    if decks not in ("1", "2"):
        raise Wrong(5, "expected `option decks 1` or `option decks 2`")
    deck = sorted(DURNIUS_DECK * int(decks), key=DURNIUS_DECK.index)
    talon, trump = [], []
    for line, words in record.body:
        if words[0] == "round":
            if words[1] == "1":
                draws.number(line, record.seats, words[2])
            draws.begin_round(int(words[1]), deck)
            trump = []
        elif words[0] == "turn" and (draws.left or not trump):
            raise Wrong(line, "no trump and no talon before the first turn")
        elif words[0] == "deal":
            draws.cards(line, words[2:])
        elif words[0] == "trump":
            if trump:
                raise Wrong(line, "a second trump card")
            trump = words[1:]
            if draws.left:
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


# ---- the games --------------------------------------------------------------

# The lines of a body without marks: verb, form.
N, SEAT, COUNT = r"[1-9]\d{0,8}", r"[0-7]", r"(0|[1-9]\d{0,8})"
SUM = rf"(0|-?{N})"
EVERY_GAME = {
    "ask": rf"ask {SEAT}( \S+)+",
    "fault": rf"fault {SEAT} {FAULT}",
    "forfeit": rf"forfeit {SEAT} {FAULT}",
    "result": rf"result {SEAT} [1-8] {SUM}",
}
# The word of a line that is a seat, which is the same in all games.
SEAT_WORD = {verb: 1 for verb in (
    "ask", "fault", "forfeit", "result", "move", "deal", "draw", "score", "out",
    "reveal", "pile", "hand", "tally", "open", "take", "gain", "crown", "back",
    "count", "contract", "pickup", "fool", "epaulette", "south", "show")}


class Game:
    """`draw` checks a record's draws; `lines` are forms in which c is one of
    the game's pieces."""

    def __init__(self, draw, seats, options, piece, lines):
        self.draw, self.seats, self.options = draw, seats, options
        self.lines = {verb: re.sub(r"(?<!\\)\bc\b", lambda _: piece, form)
                      for verb, form in lines.items()}


GAMES = {
    "toepen": Game(toepen, (2, 8), ["points"], "[JQKA789T][CDHS]", {
        "round": f"round {N} {SEAT}", "deal": f"deal {SEAT} c c c c",
        "move": f"move {SEAT} (play:c|knock|mulligan|challenge|stay|fold)",
        "quiet": "quiet", "stake": f"stake {N}",
        "reveal": f"reveal {SEAT} c c c c", "trick": f"trick {SEAT}",
        "win": f"win {SEAT}", "score": f"score {SEAT} {COUNT}",
        "out": f"out {SEAT}"}),
    "daumen-drauf": Game(daumen_drauf, (2, 7), ["games", "twin"],
                         "[YGB][1-9][nt]", {
        "round": f"round {N} start {SEAT}", "deal": f"deal {SEAT} c c c c c",
        "turn": f"turn {N} {SEAT}", "move": f"move {SEAT} (show:c|twin:c|pass)",
        "quiet": "quiet",
        "open": f"open {SEAT} c", "take": f"take {SEAT}( c)+",
        "draw": f"draw {SEAT}( c)+", "pile": f"pile {SEAT}( c)*",
        "hand": f"hand {SEAT}( c)+",
        "tally": f"tally {SEAT} {COUNT} {COUNT} {COUNT}",
        "score": f"score {SEAT} {SUM}"}),
    "daupun": Game(daupun, (2, 2), ["crowns", "first", "rounds", "lowest"],
                   "[A2-9T][CDHS]", {
        "round": f"round {N} dealer {SEAT} cutter {SEAT} first {SEAT} pot "
                 f"{COUNT}",
        "deal": f"deal {SEAT} c c c c c", "draw": f"draw {SEAT} c",
        "move": f"move {SEAT} (stake(:{N})?|in|out|raise:{N}|"
                "discard:c(:stay)?|keep|swap:c:c|stay|leave)",
        "pot": f"pot {N}", "show": f"show {SEAT} {COUNT} c c c c c",
        "trick": rf"trick {N} c c \S+ \S+ \S+", "remove": f"remove {N} (tie|low)",
        "field": rf"field \S+ \S+ \S+", "win": rf"win ({SEAT}|none) \S+",
        "gain": f"gain {SEAT} {SUM}", "score": f"score {SEAT} {COUNT}",
        "crown": f"crown {SEAT} {N}"}),
    "doubles-dread": Game(doubles_dread, (2, 4), ["magic", "rounds"],
                          "[RGBY][1-8]", {
        "round": f"round {N} {SEAT}", "bark": "bark [a-e]( c)+",
        "monster": "monster c c", "south": f"south {SEAT} {N}",
        "move": rf"move {SEAT} (bid:{N}|pass|put:[a-e]:\w+|lead:\w+|play:c)",
        "at": rf"at \w+ [a-e] {SEAT}", "swallow": "swallow( c)+",
        "trick": rf"trick \w+ {SEAT}( c)+", "back": f"back {SEAT}( c)*",
        "count": f"count {SEAT} {COUNT}",
        "contract": f"contract {SEAT} {N} {COUNT} (made|failed)",
        "score": f"score {SEAT} {SUM}"}),
    "durnius": Game(durnius, (2, 6), [
        "decks", "passing", "travel", "adding", "teams", "start", "dealer",
        "games", "scoring", "epaulettes"], "[6-9TJQKA][CDHS]", {
        "round": f"round {N} {SEAT}", "deal": f"deal {SEAT} c c c c c c",
        "trump": "trump c", "talon": "talon( c)+",
        "lowest": f"lowest ({SEAT} c|none)",
        "turn": f"turn {N} {SEAT} {SEAT}( {SEAT} {SEAT})?",
        "move": f"move {SEAT} (attack:c|add:c|beat:c:c|transfer:c|show:c|take)",
        "shift": f"shift {SEAT} {SEAT}( {SEAT} {SEAT})?", "quiet": "quiet",
        "pickup": f"pickup {SEAT} {N}", "discard": f"discard {N}",
        "draw": f"draw {SEAT}( c)+", "out": f"out {SEAT}", "stall": "stall",
        "fool": f"fool ({SEAT}|none)", "epaulette": f"epaulette {SEAT} c( c)?",
        "score": f"score {SEAT} {SUM}"}),
}


def check(text):
    """Returns how many draws were checked; raises Wrong or Unfit."""
    record = Record(text)
    draws = Draws(seed_of(record.header))
    GAMES[record.header.game].draw(record, draws)
    return draws.count


def texts(path):
    """Yields the records of a file, which may be a pack, as (name, text)."""
    if not re.search(r"\.tar(\.gz)?$", path):
        with open(path, encoding="latin-1", newline="") as file:
            yield path, file.read()
        return
    with tarfile.open(path) as pack:
        for member in pack:
            if not member.isfile() or not member.name.endswith(".rec"):
                continue
            if member.size > RECORD_BYTES:
                raise Unfit(f"{member.name} is too large for a record")
            yield (f"{path}/{member.name}",
                   pack.extractfile(member).read().decode("latin-1"))


def judge(name, text):
    try:
        print(f"cards ok {name}: {check(text)} draws")
    except Wrong as wrong:
        print(f"{name}:{wrong.args[0]}: {wrong.args[1]}")
        return 1
    except Unfit as unfit:
        print(f"{name}: {unfit}", file=sys.stderr)
        return 2
    return 0


def main(paths):
    code = 0
    if not paths:
        print("usage: check-record.py RECORD|PACK...", file=sys.stderr)
        return 2
    if "--help" in paths or "-h" in paths:
        print(__doc__.strip())
        return 0
    for path in paths:
        try:
            for name, text in texts(path):
                code = max(code, judge(name, text))
        except (Unfit, OSError, EOFError, zlib.error, tarfile.TarError) as unfit:
            print(f"{path}: {unfit}", file=sys.stderr)
            code = 2
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
