#!/usr/bin/env python3
"""End-to-end because the referee itself says what is true of a table.

Tests that what the kits know about a table is true, in every game and with
any number of seats.  The bots say their hand and their table at each ask, and
the test compares them with the record, which has no secrets.  Bots in all
languages must say the same as the bot in C, which starts quickest.  Without
CHECK_ALL a table has the fewest seats, three, or the most.  Speaks TAP."""

import glob
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import urllib.parse

from test_kits import HAND_BOTS, HERE, SHELL_BOTS, read_conversations, tap

import arena

ALL = bool(os.environ.get("CHECK_ALL"))
# Options that make a game short, or show more of its rules; other games have
# none.
OPTIONS = {
    "toepen": ["points=5"],
    "durnius": ["decks=2", "passing=yes", "travel=yes"],
    "daupun": ["rounds=20"],
    "doubles-dread": ["rounds=2"],
    "daumen-drauf": ["games=2"],
}
GAMES = {game["game"]: game for game in map(
    json.loads, tap.referee("games", "--json").out.splitlines())}
# The argument of a move that is the card from the hand, by verb.
CARD_MOVES = {move["verb"]: move["lays"] for game in GAMES.values()
              for move in game["moves"] if move["lays"]}
FIRST = "c"  # all others are compared with it
# The cards of these moves lie covered or are only shown.
CARD_MOVES.update(twin=1, show=1)


def play(place, game, seats, commands):
    """Plays a game in a folder of its own; returns the body of its record without times
    and the places of remarks, which vary."""
    options = [word for option in OPTIONS.get(game, ()) for word in ("-o", option)]
    bots = [word for i in range(seats)
            for word in ("--bot", shlex.join(commands[i % len(commands)]))]
    place.folder = tempfile.mkdtemp(prefix=f"{game}-", dir=place.root)
    done = place.match(game, *bots, *options, "--games", 1, "--exact", *arena.PATIENT,
                       "--seed", game)
    records = glob.glob(os.path.join(place.folder, "*.rec"))
    if not tap.ok(done.code == 0 and len(records) == 1, f"{game}: a match", done):
        return []
    with open(records[0], encoding="ascii") as file:
        body = file.read().partition("\n\n")[2]
    return [tidy(line) for line in body.splitlines()]


def tidy(line):
    event, *comments = line.split(" ; ")
    return " ; ".join([event] + sorted(
        comment for comment in comments
        if not comment.endswith(("ms", "tab%20here"))
        # Each language has its own words.
        and not re.match(r"say \d (failed|fallback)%20", comment)))


class Truth:
    """Holds what a record says that the bots should know."""

    def __init__(self, seats):
        self.points = [0] * seats
        self.hands = {}     # by seat: its hand, as it said at its last ask
        self.told = {}      # by seat: how many cards others said it has
        self.checked = 0
        self.wrong = []

    def line(self, line):
        event, *comments = line.split(" ; ")
        said = [comment.split(" ") for comment in comments
                if comment.startswith("say ")]
        words = event.split(" ")
        texts = [(int(seat), urllib.parse.unquote(text).split(" "))
                 for _, seat, text in said]
        hands = {seat: text[1:] for seat, text in texts if text[0] == "hand"}
        for seat, text in texts:
            if text[0] == "table":
                self.table(seat, hands[seat], text, line)
        if words[0] == "move" and int(words[1]) in hands:
            self.move(hands[int(words[1])], words[2].split(":"), line)
        if words[0] == "score":
            self.points[int(words[1])] = int(words[2])
        if len(hands) > 1:
            self.compare(hands, dict(
                (seat, text) for seat, text in texts if text[0] == "table"),
                line)

    def check(self, right, what, line):
        self.checked += 1
        if not right:
            self.wrong.append("%s: %s" % (what, line))

    def table(self, seat, hand, text, line):
        n = len(self.points)
        held = text[text.index("held") + 1:][:n]
        points = text[text.index("points") + 1:][:n]
        self.check(points == [str(p) for p in self.points], "points", line)
        if len(" ".join(["hand"] + hand)) < 190:  # else it was cut
            self.check(int(held[seat]) == len(hand), "my own cards", line)

    def compare(self, hands, tables, line):
        """They were asked at the same moment."""
        for text in tables.values():
            held = text[text.index("held") + 1:]
            for seat, hand in hands.items():
                if len(" ".join(["hand"] + hand)) < 190:
                    self.check(int(held[seat]) == len(hand),
                               "cards of %d" % seat, line)

    def move(self, hand, words, line):
        verb, args = words[0], words[1:]
        if verb in CARD_MOVES:
            card = args[CARD_MOVES[verb] - 1].replace("{", "").split("}")[0]
            self.check(card in hand, "a card that is in no hand", line)


def truth_problem(seats, record):
    truth = Truth(seats)
    for line in record:
        truth.line(line)
    if truth.checked < 10:
        return "only %d things to check" % truth.checked
    return "\n".join(truth.wrong[:3]) or None


def difference(one, other):
    for mine, theirs in zip(one, other):
        if mine != theirs:
            return "%s\n%s" % (mine, theirs)
    return None if len(one) == len(other) else "one is longer"


def coverage_problem():
    """Returns a problem if a game is unknown, or no conversation covers it."""
    told = {line.split()[2] for _, talk in read_conversations("hands.txt")
            for referee, line in talk if referee and line.startswith("game ")}
    missing = OPTIONS.keys() - (GAMES.keys() & told)
    return "not the referee's games: %s" % sorted(missing) if missing else None


def generated_problem():
    """Checks that the kits have the tables of `referee games`."""
    done = subprocess.run(
        [os.path.join(HERE, "../../sample-bots/make-tables.py"), "--check"],
        env=dict(os.environ, REFEREE=tap.REFEREE), check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode() if done.returncode else None


def mixes(languages, seats, turn):
    """Returns tables at which each language sits at least once, by turns in
    each seat."""
    around = itertools.cycle(languages[turn % len(languages):]
                             + languages[:turn % len(languages)])
    for _ in range(-(-len(languages) // seats)):
        yield list(itertools.islice(around, seats))


def test_games(place, bots):
    for game, rules in GAMES.items():
        all_seats = range(rules["min_seats"], rules["max_seats"] + 1)
        for seats in all_seats:
            if not ALL and seats not in (all_seats[0], 3, all_seats[-1]):
                continue
            first = play(place, game, seats, [bots[FIRST]])
            title = "%s, %d seats: " % (game, seats)
            tap.holds(title + "what is told is true",
                      truth_problem(seats, first))
            # A shell is too slow for many games.
            others = [language for language in bots if language != FIRST
                      and (language != "shell" or seats == all_seats[0])]
            # All bots make the same moves and remarks in any company.
            tables = ([[language] * seats for language in others] if ALL
                      else list(mixes(others, seats, seats)))
            # Between the fewest and the most seats some languages are enough.
            if not ALL and all_seats[0] < seats < all_seats[-1]:
                tables = tables[:1]
            for mix in tables:
                tap.holds(title + ", ".join(mix) + " tell the same",
                          difference(first, play(
                              place, game, seats, [bots[one] for one in mix])))


def main():
    tap.holds("the games are those of the referee", coverage_problem())
    tap.holds("the kits know the games as these are", generated_problem())
    bots = {language: argv for language, argv in HAND_BOTS.items()
            if shutil.which(argv[0])}
    bots["shell"] = SHELL_BOTS["hands.txt"]
    for language in HAND_BOTS.keys() - bots.keys():
        tap.skip("%s: the table" % language, "there is no such bot here")
    with arena.Arena() as place:
        test_games(place, bots)
    tap.done()


if __name__ == "__main__":
    main()
