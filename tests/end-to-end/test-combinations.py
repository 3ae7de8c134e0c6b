#!/usr/bin/env python3
"""End-to-end because a game's page tells what its command line refuses: wrong seats and
options, and those that do not go together, get the sentence of the rules; defaults and
largest values are played and verified.

It gives each option a wrong value, and meets each sentence about settings that do not go
together.  test-setups tries all settings by the rules alone, and test-random-games plays
all pairs.  CHECK_ALL=1 gives each option each wrong value."""

import itertools
import os
import re

import arena
import forms
import pages
import tap

ALL = os.environ.get("CHECK_ALL") == "1"
SOME = 4        # values of an option with many, without CHECK_ALL
LENGTH = ("games", "rounds")  # only make a game longer: 1 to 3, and a race
DICE = tap.dice()

# The sentences of the rules about seats, about what follows them, and about a
# number.
SEATS = {"daumen-drauf": "is for 2 to 7 seats, not {}",
         "daupun": "is for exactly 2 seats, not {}",
         "doubles-dread": "needs 2 to 4 seats",
         "durnius": "needs 2 to 6 seats",
         "toepen": "needs 2 to 8 seats"}
VALUES = {
    ("daumen-drauf", "games"):
        "option games must be an integer from 1 to 50, not {}",
    ("daumen-drauf", "twin"): "option twin must be one of turn, any, not {}",
    ("daupun", "crowns"):
        "option crowns must be an integer from 1 to 3, not {}",
    ("daupun", "first"):
        "option first must be one of winner, cutter, not {}",
    ("daupun", "lowest"):
        "option lowest must be one of value, position, not {}",
    ("daupun", "rounds"):
        "option rounds must be an integer from 1 to 1000, not {}",
    ("doubles-dread", "magic"): "option magic must be two different digits "
                                "from 1 to 8, the smaller first",
    ("doubles-dread", "rounds"):
        "option rounds must be an integer from 1 to 99",
    ("durnius", "decks"): "option decks must be one of: 1 2",
    ("durnius", "passing"): "option passing must be one of: no yes",
    ("durnius", "travel"): "option travel must be one of: no yes",
    ("durnius", "adding"): "option adding must be one of: any defended",
    ("durnius", "teams"): "option teams must be one of: none pairs threes",
    ("durnius", "start"): "option start must be one of: trump right winners",
    ("durnius", "dealer"): "option dealer must be one of: turn fool",
    ("durnius", "games"): "option games must be an integer from 1 to 1000",
    ("durnius", "scoring"): "option scoring must be one of: fool first order",
    ("durnius", "epaulettes"):
        "option epaulettes must be one of: none mark score",
    ("toepen", "points"): "option points must be an integer from 1 to 99",
}
NO_NUMBERS = ("", "0", "-1", "+1", "01", "1.0", "1e0", "0x1", " 1", "1 ",
              "one", "18446744073709551617", "4294967297", "65537")
NO_WORDS = ("", "0", "3", "NO", "Any", "none ", " fool", "yess", "orde", "-",
            "21", "11", "09", "89", "7", "178")


def disagreement(game, seats, options):
    """Returns the first reason in the order of the rules, or None."""
    if game.name == "daumen-drauf" and seats < 3 and options["twin"] == "any":
        return "twin any needs 3 to 7 seats"
    if game.name == "daupun":
        return disagreement_of_daupun(options)
    if game.name != "durnius":
        return None
    if options["travel"] == "yes" and options["passing"] == "no":
        return "travel yes needs passing yes"
    if options["teams"] == "pairs" and seats not in (4, 6):
        return "teams pairs needs 4 or 6 seats"
    if options["teams"] == "threes" and seats != 6:
        return "teams threes needs 6 seats"
    if options["start"] == "winners" and options["teams"] == "none":
        return "start winners needs teams pairs or threes"
    if options["epaulettes"] == "score" and options["scoring"] != "fool":
        return "epaulettes score needs scoring fool"
    if options["start"] != "trump" and options["games"] == "1":
        return f"start {options['start']} needs games 2 or more"
    if options["dealer"] == "fool" and options["games"] == "1":
        return "dealer fool needs games 2 or more"
    if options["epaulettes"] == "score" and int(options["games"]) < 9:
        return "epaulettes score needs games 9 or more"
    return None


def disagreement_of_daupun(options):
    rounds = int(options["rounds"])
    if rounds < int(options["crowns"]):
        return "crowns {0} needs rounds {0} or more".format(options["crowns"])
    if rounds < 2 and options["first"] == "cutter":
        return "first cutter needs rounds 2 or more"
    return None


# ---- combinations

def values_of(option):
    """Returns the values that are worth playing with."""
    if "values" in option:
        values = option["values"]
        return values if ALL or len(values) < 9 else DICE.sample(values, SOME)
    if option["name"] in LENGTH:
        return ["1", "2", "3", "9"]
    least, most = option["min"], option["max"]
    if ALL or most - least < 5:
        return [str(value) for value in range(least, most + 1)]
    return sorted({str(least), str(least + 1), str(option["default"]),
                   str(most)}, key=int)


def combinations(game):
    """Returns the combinations (seats, value, …) that do not go together."""
    names = [option["name"] for option in game.options]
    bad = []
    for seats, *values in itertools.product(
            range(game.seats[0], game.seats[1] + 1),
            *map(values_of, game.options)):
        wrong = disagreement(game, seats, dict(zip(names, values)))
        if wrong:
            bad.append((seats, *values))
    return bad


def header(record):
    return (record.header("seats"), record.header("open"),
            [tuple(words[1:]) for words in record.head
             if words[0] == "option"])


def check_defaults(game):
    """Checks a match without options, and one with the largest value of each."""
    preset = {option["name"]: str(option["default"])
              for option in game.options}
    counts = range(game.seats[0], game.seats[1] + 1) if ALL else game.seats
    with arena.Arena() as place:
        runs = [place.match(game.name, *arena.bots(*["random"] * seats),
                            "--games", 1, "--exact")
                for seats in sorted(set(counts))]
        found = sorted(map(header, place.records()))
    expected = [(str(seats), "priority",
                 [(name, str(seats) if value == "seats" else value)
                  for name, value in preset.items()])
                for seats in sorted(set(counts))]
    tap.equal(([run.code for run in runs], found),
              ([0] * len(expected), expected), f"{game.name}: defaults")
    for option in game.options:
        if "max" not in option:
            continue
        given = option["name"] + "=" + str(option["max"])
        with arena.Arena() as place:
            run = place.match(game.name, *arena.bots(*["random"] * game.seats[0]),
                              "--games", 1, "--exact", "-o", given)
            verified = tap.referee("verify", place.folder)
        tap.ok(run.code == 0 and verified.code == 0,
               f"{game.name}: {given} is not too many", (run, verified))


# ---- what is refused

def some(wrong):
    return wrong if ALL else DICE.sample(wrong, 1)


class Refusals:
    """Collects the sentences of a game that were met, and those of its page."""

    def __init__(self, game):
        self.game, self.met, self.wrong, self.count = game, set(), [], 0

    def expect(self, sentence, seats, *options):
        self.count += 1
        self.met.add(sentence)
        run = tap.referee("match", self.game.name, "--bot", "random", "--bot",
                          "random", "--seats", seats,
                          *[argument for option in options
                            for argument in ("-o", option)])
        if (run.code, run.out, run.err) != (2, "", f"referee: {sentence}\n"):
            self.wrong.append(f"{seats} seats, {options}: expected "
                              f"{sentence!r}, found {run!r}")

    def seats(self):
        least, most = self.game.seats
        others = (*range(1, least), *range(most + 1, 12), 99)
        for seats in others if ALL else {least - 1, most + 1, 99}:
            self.expect(f"{self.game.name} "
                        + SEATS[self.game.name].format(seats), seats)

    def no_option(self, name):
        known = ", ".join(option["name"] for option in self.game.options)
        return f"{self.game.name} has no option {name}; it has {known}"

    def names(self):
        least = self.game.seats[0]
        known = [option["name"] for option in self.game.options]
        for name in some(("x", "open", "seats", known[0].upper(),
                          known[0] + "s", known[0][:-1], known[-1] + " ")):
            self.expect(self.no_option(name), least, f"{name}=1")

    def values(self):
        for option in self.game.options:
            name, sentence = option["name"], VALUES[self.game.name,
                                                    option["name"]]
            values = set(NO_WORDS) - set(option.get("values", ()))
            if "max" in option:
                values = {*NO_NUMBERS, str(option["max"] + 1)}
            for value in some(sorted(values)):
                self.expect(sentence.format(value), self.game.seats[0],
                            f"{name}={value}")

    def together(self, bad):
        names = [option["name"] for option in self.game.options]
        for seats, *values in bad:
            options = dict(zip(names, values))
            self.expect(disagreement(self.game, seats, options), seats,
                        *[f"{name}={value}"
                          for name, value in options.items()])

    def check(self):
        tap.equal(self.wrong[:5], [], f"{self.game.name}: {self.count} times "
                  "refused with the sentence of the rules")
        told = [re.sub(r"\b(?:[A-Z]{4,}|N)\b", ".*", re.escape(one))
                for one in pages.Page(self.game.name).refusals()]
        unmet = [one for one in told
                 if not any(re.fullmatch(one, met) for met in self.met)]
        untold = [met for met in self.met
                  if not any(re.fullmatch(one, met) for one in told)]
        tap.equal((unmet, untold), ([], []),
                  f"{self.game.name}: its page tells these sentences")


def check_refused(game, bad):
    refusals = Refusals(game)
    refusals.seats()
    refusals.names()
    refusals.values()
    names, alike = [option["name"] for option in game.options], {}
    for one in bad:  # each sentence is met with any seed
        alike.setdefault(disagreement(game, one[0], dict(zip(names, one[1:]))),
                         []).append(one)
    refusals.together([DICE.choice(some) for some in alike.values()])
    refusals.check()


for its_name in forms.NAMES:
    its_game = forms.Game(its_name)
    check_defaults(its_game)
    check_refused(its_game, combinations(its_game))
tap.done()
