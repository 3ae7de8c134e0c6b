"""The forms of lines and moves that `referee games` prints, as patterns.

    toepen = forms.Game("toepen")
    toepen.lines_like("score 2 7")      # ["score S n"]
    toepen.moves_like("play:7H")        # ["play:PIECE"]

A line may have the form of a record, `deal 0 {7H TC}0`, or that which a seat
reads, `deal 0 ? ?`.  The words of a form that have a meaning below stand for
that; the others stand for themselves."""

import json
import re

import tap

TOLD = {one["game"]: one for one in map(json.loads, tap.referee(
    "games", "--json").out.splitlines())}
NAMES = tuple(TOLD)

NUMBER = r"-?(?:0|[1-9]\d*)"
SEAT = r"[0-7]"
COMMON = {"S": SEAT, "D": SEAT, "N": NUMBER, "n": NUMBER, "place": r"[1-8]",
          "points": NUMBER, "why": "timeout|illegal|protocol|crash"}
SNAKE = r"[YGB][1-9](?:[tn?]|\{[tn]\}\d+)"

# The meanings of words and pieces in the forms of a game, where `c` and PIECE
# do not stand for any piece of its deck.
MEANINGS = {
    "daumen-drauf": {
        "c": SNAKE, "SNAKE": SNAKE, "K": NUMBER, "p": NUMBER, "m": NUMBER,
        "h": NUMBER, "total": NUMBER},
    "daupun": {
        "C": SEAT, "F": SEAT, "P": NUMBER, "k": "[1-5]",
        "W": f"{SEAT}|tie", "sum": NUMBER, "position": "[1-5]",
        "distance": "[0-9]", "t": "[0-5]", "v": NUMBER,
        "reason": "tricks|goal|out|leave", "stones": NUMBER},
    "doubles-dread": {
        "O": SEAT, "x": "[a-e]", "p": "[RGBY][1-8]", "P": "S|W|N|E|NW|NE",
        "b": NUMBER, "t": NUMBER,
        "PIECE": "[RGBY][1-8]|[a-e]|S|W|N|E|NW|NE"},
    "durnius": {
        "t": "[6-9TJQKA][CDHS]", "a": "[6-9TJQKA][CDHS]",
        "d": "[6-9TJQKA][CDHS]", "T": NUMBER, "A": SEAT, "CA": "[0-5]",
        "CD": "[0-5]"},
}


class Game:
    """Holds what `referee games NAME --json` prints, and patterns made of it."""

    def __init__(self, name):
        told = TOLD[name]
        self.name = name
        self.deck = told["deck"]
        any_piece = "|".join(self.deck)
        self.meanings = {**COMMON, "c": any_piece, "PIECE": any_piece,
                         **MEANINGS.get(name, {})}
        self.seats = told["min_seats"], told["max_seats"]
        self.options = told["options"]
        self.moves = [move["form"] for move in told["moves"]]
        self.lines = told["lines"]
        self._moves = {form: re.compile(self._token(form))
                       for form in self.moves}
        self._lines = {form: re.compile(self._line(form))
                       for form in self.lines}

    def moves_like(self, token):
        """Returns the forms of moves that match a token; a number matches a
        range."""
        token = re.sub(rf":({NUMBER})\.\.({NUMBER})", r":\1", token)
        return [form for form, pattern in self._moves.items()
                if pattern.fullmatch(token)]

    def lines_like(self, line):
        return [form for form, pattern in self._lines.items()
                if pattern.fullmatch(line)]

    def _token(self, token):
        return ":".join(self._word(word) for word in token.split(":"))

    def _word(self, word):
        if word in self.meanings:
            return f"(?:{self.meanings[word]})"
        if not re.fullmatch("[a-z]{2,}", word):
            raise ValueError(f"{self.name}: what is {word!r} in a form?")
        return word

    def _hidden(self, words):
        """Returns the pattern of words in braces: as a record has it, as a seat
        that sees them reads it, or as others do."""
        if words[-1] == "...":
            card, repeat = self._token(words[0]), "(?: {})*"
            seen = card + repeat.format(card)
            masked = r"\?" + repeat.format(r"\?")
        else:
            seen = " ".join(map(self._token, words))
            masked = " ".join([r"\?"] * len(words))
        return rf"(?:\{{{seen}\}}[0-7]*|{seen}|{masked})"

    def _line(self, form):
        # This form alone is an example, because part of its token is hidden.
        form = form.replace("Y3{t}S", "SNAKE")
        verb, _, rest = form.partition(" ")
        pattern = verb
        for part in re.findall(r"\{[^}]*\}S?|\S+", rest):
            if part.startswith("{"):
                words = part[1:part.index("}")].split(" ")
                pattern += " " + self._hidden(words)
            elif part == "...":
                head, _, last = pattern.rpartition(" ")
                pattern = f"{head}(?: {last})*"
            else:
                pattern += " " + self._token(part)
        return pattern
