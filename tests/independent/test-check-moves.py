#!/usr/bin/env python3
"""Tests that check-record.py knows the rules of all games.

It accepts random games of the product with each value of each option, and in
settings drawn at random with all that is asked; and the product accepts random games
that were played by rules*.py alone.  Games that were played by rules with one fault
are right in all else: both programs refuse them, at the same line."""

import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import forge  # noqa: E402
import tap  # noqa: E402

checker = forge.checker
GAMES = checker.GAMES
FEW = 12  # values of an option, from which random settings are drawn
LONG = os.environ.get("CHECK_ALL")
# Settings of each game that are drawn: Durnius has thousands.
SETTINGS = 3000 if LONG else 40
SEEDS = 200  # so many games are played until a fault shows

# Seats and options, in which each value of each option occurs.  Of numbers a few do.
VARIANTS = {
    "toepen": [(2, {"points": 1}), (3, {"points": 6}), (5, {"points": 2}),
               (8, {"points": 9})],
    "daumen-drauf": [(2, {"games": 2}), (3, {"twin": "any", "games": 1}),
                     (5, {"twin": "any", "games": 2}), (7, {"games": 1})],
    "daupun": [(2, {"rounds": 9, "lowest": "position"}),
               (2, {"rounds": 30, "first": "cutter"}),
               (2, {"rounds": 40, "crowns": 2}),
               (2, {"rounds": 60, "crowns": 3, "lowest": "position"})],
    "doubles-dread": [(2, {"rounds": 3, "magic": "12"}), (3, {"rounds": 2}),
                      (4, {"rounds": 4, "magic": "48"})],
    "durnius": [
        (2, {"passing": "yes"}),
        (3, {"decks": 2, "passing": "yes", "travel": "yes"}),
        (4, {"teams": "pairs", "games": 3, "start": "winners", "dealer": "fool",
             "scoring": "first", "epaulettes": "mark"}),
        (6, {"teams": "threes", "games": 4, "start": "right", "passing": "yes",
             "scoring": "order", "adding": "defended"}),
        (6, {"decks": 2, "games": 3, "teams": "pairs", "epaulettes": "mark"}),
        (5, {"games": 12, "epaulettes": "score", "adding": "defended"}),
        (3, {"games": 4, "scoring": "first", "start": "right"}),
    ],
}

# Rare events of Durnius: how the lines of a turn show them, and a game that has one.
# Only one of a thousand settings drawn has the last.
RARE = [
    ("a draw", r"(?<!\nstall)\nfool none", 2, {"passing": "yes"}, "draw167"),
    ("a transfer that comes back", r"\nmove (\d) transfer:.*\nshift \d \1\b",
     4, {"passing": "yes"}, "back18"),
    ("a second show of one seat", r"\nmove (\d) show:.*\nmove \1 show:",
     2, {"decks": 2, "passing": "yes", "travel": "yes"}, "show6298"),
]

# Game, seats, options, what the rules say, what is played instead, the verbs of lines
# that may be the first wrong one.
FAULTS = [
    ("toepen", 4, {"points": 3}, "self.leader = max(", "self.leader = min(", "trick"),
    ("toepen", 5, {"points": 9}, "suit = live[0][1][1]", "suit = min(live)[1][1]",
     "trick"),
    ("toepen", 3, {}, "self.give(seat, self.stake - 1)", "self.give(seat, self.stake)",
     "score"),
    ("toepen", 3, {}, "self.give(seat, self.stake)\n",
     "self.give(seat, self.stake + 1)\n", "score"),
    ("toepen", 3, {}, "if card[1] == suit] or cards", "if card[1] == suit or True]",
     "move"),
    ("toepen", 3, {}, "faces = all(", "faces = any(", "score"),
    ("toepen", 3, {}, "if seat != self.knocker and ", "if ", "move"),
    ("toepen", 5, {}, "self.around(self.dealer + 1, self", "self.around(self.dealer, self",
     "round"),
    ("toepen", 6, {"points": 2}, "-self.points[seat])", "self.points[seat])", "result"),
    ("daumen-drauf", 4, {}, "for seat in around:\n",
     "for seat in around[1:] + around[:1]:\n", "draw turn pile"),
    ("daumen-drauf", 4, {}, "card[1] > last[1]", "card[1] < last[1]", "move"),
    ("daumen-drauf", 4, {}, "harmless - toxic - held", "harmless - held", "score"),
    ("daumen-drauf", 4, {}, "self.begin_turn(holding[0])",
     "self.begin_turn(holding[-1])", "turn"),
    ("daumen-drauf", 4, {}, "sorted({seat, taker})", "sorted({taker})", "take"),
    ("daumen-drauf", 5, {"twin": "any"}, "if seat != self.last and self.free(seat)]",
     "if self.free(seat)]", "move quiet"),
    ("daupun", 2, {"rounds": 200}, "            self.pot = 0\n        before",
     "        self.pot = 0\n        before", "round"),
    ("daupun", 2, {}, "{0: 2, 1: 1, 3: 1}", "{0: 2, 1: 1, 2: 1}", "remove field"),
    ("daupun", 2, {}, "value(card) >= 25]", "value(card) >= 24]", "move"),
    ("daupun", 2, {}, "return CROWN - self.stones[seat] % CROWN", "return CROWN", "move"),
    ("daupun", 2, {}, "self.decide(self.player, 1", "self.decide(self.player, 2", "gain"),
    ("daupun", 2, {}, "self.pot, self.phase = self.offer", "self.pot, self.phase = self.offer + 1",
     "pot"),
    ("doubles-dread", 3, {"rounds": 20}, "counts[self.south] >= self.bid",
     "counts[self.south] > self.bid", "contract"),
    ("doubles-dread", 4, {}, "if pawn[0] == colour] or pawns",
     "if pawn[0] == colour or True]", "move"),
    ("doubles-dread", 2, {}, "sum(5 if", "sum(4 if", "count"),
    ("doubles-dread", 3, {}, "+= counts[seat] + self.bid", "+= counts[seat]", "score"),
    ("doubles-dread", 4, {}, "elif pawn[1] == self.force:", "elif pawn[1] >= self.force:",
     "swallow"),
    ("doubles-dread", 3, {"rounds": 5}, "self.opener = (self.opener + 1)",
     "self.opener = (self.opener + 2)", "round"),
    ("durnius", 4, {"passing": "yes"},
     "        self.limit = len(self.hand[self.defender])\n",
     "        if words[0] == \"turn\":\n"
     "            self.limit = len(self.hand[self.defender])\n",
     "move discard quiet fault"),
    ("durnius", 3, {"decks": 2}, "> RANKS.index(attack[0])", ">= RANKS.index(attack[0])",
     "move"),
    ("durnius", 4, {}, "for seat in self.around(self.attacker)\n",
     "for seat in self.around(self.attacker + 1)\n", "draw"),
    ("durnius", 4, {"games": 4}, "self.give(self.sides[fool], -1)",
     "self.give(self.sides[fool], -2)", "score"),
    ("durnius", 3, {}, "elif taken:  # R11", "elif not taken:", "turn"),
    ("durnius", 6, {"scoring": "order"}, "self.give(side, len(sides))",
     "self.give(side, len(sides) + 1)", "score"),
    ("durnius", 4, {"teams": "pairs", "games": 3, "dealer": "fool"},
     "self.dealer = fool if by_fool else", "self.dealer = 1 if by_fool else", "round"),
]


def first_wrong(text):
    """Returns the number and the verb of the first wrong line; None: it holds."""
    try:
        checker.check(text)
        return None
    except checker.Wrong as wrong:
        at = wrong.args[0]
        return at, text.split("\n")[at - 1].split(" ")[0]


class Both:
    """Gives records to both programs."""

    def __init__(self, folder):
        self.folder = folder
        self.names, self.lines = [], []

    def add(self, name, text, line=None):
        (self.folder / f"{len(self.names):04}.rec").write_text(text)
        self.names.append(name)
        self.lines.append(line)

    def compare(self, about):
        run = tap.referee("verify", "--json", self.folder)
        said = [json.loads(line).get("line") for line in run.out.splitlines()]
        tap.equal(len(said), len(self.names), f"{about}: a verdict for each")
        tap.equal([one for one in zip(self.names, self.lines, said)
                   if one[1] != one[2]], [], f"{about}: verify says the same")


def first_wrong_of(path, game, seats, options, seed, *fields):
    """Lets the product play a game.  Returns what is wrong with it, or None."""
    if options.get("rounds") == "0":
        options = {**options, "rounds": str(seats)}
    text = " ".join(f"{name}={value}" for name, value in options.items())
    tap.write_record(path, f"game={game}", f"seats={seats}", f"options={text}",
                     f"seed={seed}", *fields)
    found = first_wrong(path.read_text())
    return found and (seats, text, seed, fields, found)


def product_plays(folder):
    path = folder / "one"
    for game, variants in VARIANTS.items():
        wrong = []
        for n, (seats, given) in enumerate(variants):
            for fields in (["asks", "entropies=1"],
                           ["faults=4", "fault_rate=12"],
                           ["arrival", "faults=2", "fault_rate=9", "comments"]):
                wrong.append(first_wrong_of(
                    path, game, seats, forge.options_of(GAMES[game], given),
                    f"moves {n}", *fields))
        tap.equal(list(filter(None, wrong)), [], f"{game}: games of the product")


def setting(rules, luck):
    """Draws seats and options that go together."""
    while True:
        seats = luck.choice(rules.SEATS)
        options = {name: luck.choice(values[:FEW])
                   for name, values in rules.OPTIONS.items()}
        if not rules.refuses(seats, options):
            return seats, options


def rare_in(text):
    turns = text.split("\nturn ")
    return {name for name, lines, *_ in RARE
            if any(re.search(lines, turn, re.DOTALL) for turn in turns)}


def product_plays_what_is_rare(folder):
    path = folder / "one"
    for name, _, seats, given, seed in RARE:
        wrong = first_wrong_of(path, "durnius", seats,
                               forge.options_of(GAMES["durnius"], given), seed, "asks")
        tap.equal(wrong, None, f"durnius: {name}")
        tap.ok(name in rare_in(path.read_text()), f"durnius: {name} happens")


def product_plays_any_setting(folder):
    path = folder / "one"
    for game, rules in GAMES.items():
        luck = tap.dice(game)
        wrong, seen = [], set()
        for n in range(SETTINGS if game == "durnius" else SETTINGS // 4):
            wrong.append(first_wrong_of(path, game, *setting(rules, luck), f"any {n}",
                                        "asks"))
            seen |= rare_in(path.read_text())
        tap.equal(list(filter(None, wrong)), [], f"{game}: any settings")
        if LONG and game == "durnius":
            for name, *_ in RARE[:2]:
                tap.ok(name in seen, f"durnius: {name} in any settings")


def rules_play(both):
    for game, variants in VARIANTS.items():
        for seats, given in variants:
            for asks in (False, True):
                if game == "doubles-dread":
                    given = {"rounds": seats, **given}
                text = forge.record(GAMES[game], game, seats, given,
                                    f"{given}", asks)
                both.add((game, seats, given, asks), text)
                tap.equal(first_wrong(text), None,
                          f"{game} of {seats} with {given} and asks {asks}")
    both.compare("games of the rules")


def forged(rules, game, seats, given, **how):
    """Returns the first game that is wrong, and its wrong line."""
    if game == "doubles-dread":
        given = {"rounds": seats, **given}
    for seed in range(SEEDS):
        text = forge.record(rules, game, seats, given, f"forged {seed}", **how)
        found = first_wrong(text)
        if found:
            return text, found
    return None, (0, "none is wrong")


def rules_are_broken(both):
    for game, seats, given, old, new, verbs in FAULTS:
        name = f"{game}: {new.strip()!r}"
        how = {"choose": forge.low} if "pot = 0" in new else {}
        text, (at, verb) = forged(forge.broken(game, old, new), game, seats, given,
                                  **how)
        tap.ok(verb in verbs.split(" "), name, (at, verb))
        if text:
            both.add(name, text, at)
    for game in GAMES:
        seats = 2 if game == "daupun" else 4
        text, (at, verb) = forged(GAMES[game], game, seats, {}, defiant=True)
        tap.equal(verb, "move", f"{game}: another move than that of the house")
        both.add(game, text, at)
    both.compare("games with a fault")


def lines_are_changed(both):
    """Changes one line, or a few that belong together."""
    for game in GAMES:
        seats = 2 if game == "daupun" else 3
        given = {"rounds": 3} if game in ("daupun", "doubles-dread") else {}
        lines = forge.record(GAMES[game], game, seats, given, "lines",
                             True).split("\n")[:-1]
        last = len(lines) - seats
        asks = [i for i, line in enumerate(lines)
                if line.startswith("ask ") and len(line.split(" ")) > 3]
        for name, i, line in (
                ("a point more", last, lines[last] + "0"),
                ("a token that is not asked", asks[0], lines[asks[0]] + " pass pass"),
                ("a token left out", asks[-1], lines[asks[-1]].rpartition(" ")[0]),
                ("another house move", asks[1], " ".join(
                    lines[asks[1]].split(" ")[k]
                    for k in (0, 1, 3, 2, *range(4, len(lines[asks[1]].split(" "))))))):
            text = "\n".join(lines[:i] + [line] + lines[i + 1:]) + "\n"
            tap.equal((first_wrong(text) or [0])[0], i + 1, f"{game}: {name}")
            both.add((game, name), text, i + 1)
        results = sorted(lines[last:], key=lambda line: line.split(" ")[2])
        swapped = [f"result {seat} {' '.join(line.split(' ')[2:])}"
                   for seat, line in enumerate(reversed(results))]
        if swapped != lines[last:]:
            text = "\n".join(lines[:last] + swapped) + "\n"
            found = first_wrong(text)
            tap.ok(found and found[1] == "result", f"{game}: places swapped", found)
            both.add((game, "places"), text, found[0])
    both.compare("changed lines")


with tap.folder() as scratch:
    for n_, part in enumerate((rules_play, rules_are_broken, lines_are_changed)):
        folder_ = pathlib.Path(scratch) / str(n_)
        folder_.mkdir()
        part(Both(folder_))
    product_plays(pathlib.Path(scratch))
    product_plays_what_is_rare(pathlib.Path(scratch))
    product_plays_any_setting(pathlib.Path(scratch))
tap.done()
