"""Knows in which order a line names its pieces, and checks that a page says so
and that records keep to it.

DRAWN are the lines whose pieces are drawn while they are written, in the order
of the draws.  For every other line with pieces, PROMISES has the words that the
page's table must have, and a function (words of the line, lines of its round
before it, deck) that returns true if the line keeps them."""

import re

import forms

# Hidden pieces are drawn; these lines have pieces that are drawn openly.
DRAWN_OPEN = {"doubles-dread": {"bark"}}
DRAWN = {name: {line.split(" ")[0] for line in told["lines"]
                if " {" in line} | DRAWN_OPEN.get(name, set())
         for name, told in forms.TOLD.items()}


def _is_part(part, whole):
    """Returns true if `part` is a subsequence of `whole`."""
    rest = iter(whole)
    return all(one in rest for one in part)


def _moves(before, verbs):
    """Returns the pieces of these moves in order."""
    return [move[2].split(":")[1] for move in before
            if move[0] == "move" and move[2].split(":")[0] in verbs]


def _all_of(before, verb, seat, skip=2):
    """Returns the pieces of all such lines of a seat, in order."""
    return [one for line in before
            if line[0] == verb and (seat is None or line[1] == seat)
            for one in line[skip:]]


def as_dealt(words, before, _):
    return words[2:] in [line[2:] for line in before
                         if line[:2] == ["deal", words[1]]]


def as_shown(words, before, _):
    shown = _moves(before, ("show", "twin"))
    return words[2:] == shown[len(shown) - len(words[2:]):]


def as_taken(words, before, _):
    return words[2:] == _all_of(before, "take", words[1])


def by_deck(words, _, deck):
    return words[2:] == sorted(words[2:], key=deck.index)


def rising(words, _, deck):
    return words[3:] == sorted(words[3:], key=deck.index)


def as_played(words, before, _):
    pieces = [word for word in words[1:] if re.fullmatch("[RGBY][1-8]", word)]
    return bool(pieces) and _is_part(pieces, _moves(before, ("lead", "play")))


def as_swallowed(words, before, _):
    return words[2:] == (_all_of(before, "monster", None, 1)
                         + _all_of(before, "swallow", None, 1))


def as_attacked(words, before, _):
    return _is_part(words[2:], _moves(before, ("attack", "add", "transfer")))


PLAYED = "in the order in which they were played"
PROMISES = {
    "toepen": {
        "reveal": ("in the order in which it was dealt", as_dealt)},
    "daumen-drauf": {
        "take": ("in the order in which they were shown", as_shown),
        "pile": ("in the order in which it was taken", as_taken),
        "hand": ("in the order of the deck", by_deck)},
    "daupun": {
        "show": ("in rising order", rising),
        "trick": ("the cards of seats 0 and 1", None)},
    "doubles-dread": {
        "swallow": (PLAYED, as_played), "trick": (PLAYED, as_played),
        "back": ("in the order in which it was swallowed", as_swallowed)},
    "durnius": {"epaulette": (PLAYED, as_attacked)},
}


def unmarked(line):
    return re.sub(r"\{([^{}]*)\}\d*", r"\1", line.partition(" ;")[0])


def broken(game, deck, bodies):
    """Returns the lines that do not keep their promise, and how many lines of
    each verb with two or more pieces were checked."""
    wrong, met = [], dict.fromkeys(PROMISES.get(game, {}), 0)
    for body in bodies:
        before = []
        for line in body.splitlines():
            words = unmarked(line).split(" ")
            if words[0] == "round":
                before = []
            keeps = PROMISES.get(game, {}).get(words[0], ("", None))[1]
            if keeps and len(words) > 2:
                met[words[0]] += len(words) > 3
                if not keeps(words, before, deck):
                    wrong.append(line)
            before.append(words)
    return wrong, met
