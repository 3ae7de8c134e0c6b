"""Holds what the rules of all games have in common.

The rules of a game are a class of rules_GAME.py.  They are written from the page of
the game alone, and share no code with the referee.  A game tells its event lines,
with marks, in `told`.  ask() returns the tokens of each asked seat, of which the
first is the house move, and the holder, or None if there is none.  play() makes a
move, quiet() says that all have passed.  At the end `over` is true and the last
lines of `told` are the results.

VERSION is the number of these rules in a record.  SEATS are the numbers of seats,
OPTIONS the values of each option, and refuses() returns true if the options do not
go together.  A chance deals the cards: it has the methods of Fixed.
"""


class Fixed:
    """Deals the cards of every round in one order, and draws 0."""

    def __init__(self, order):
        self.order, self.rest = order, []

    def begin_round(self, _number):
        self.rest = list(self.order)

    def left(self):
        return len(self.rest)

    def cards(self, n):
        cards, self.rest = self.rest[:n], self.rest[n:]
        return cards

    @staticmethod
    def below(_n):
        return 0


class Rules:
    OPTIONS = {}
    # A record tells what chance decided in this word of the line `round 1`, or of
    # each round, and in the words of these lines behind the seat or the bark.
    ROUND, EACH_ROUND = 2, False
    DRAWN, WITHOUT_SEAT = ("deal",), ()

    def __init__(self, seats, options, chance):
        self.seats, self.chance = seats, chance
        self.options = dict(options)
        self.told = []
        self.over = False

    @classmethod
    def drawn(cls, _seats, _pieces):
        return cls.DRAWN

    @staticmethod
    def refuses(_seats, _options):
        return False

    @staticmethod
    def marked(_seat, token):
        """Returns the token of a move as its line has it."""
        return token

    def option(self, name):
        """Returns an option's value, by default the first that the rules name."""
        return self.options.get(name, self.OPTIONS[name][0])

    def tell(self, *words):
        self.told.append(" ".join(map(str, words)))

    def tell_hidden(self, verb, seat, cards, *more):
        self.tell(verb, seat, hidden(cards, seat), *more)

    def play(self, seat, token):
        self.tell("move", seat, self.marked(seat, token))
        self.move(seat, token)

    def quiet(self):
        self.tell("quiet")
        self.all_passed()

    def around(self, first, among=range(8)):
        """Returns seats clockwise from one, which comes first."""
        seats = [(first + i) % self.seats for i in range(self.seats)]
        return [seat for seat in seats if seat in among]

    def end(self, points, merit=None):
        """Tells the results: more of `merit` is better, by default the points."""
        self.over = True
        merit = merit or points
        for seat in range(self.seats):
            better = sum(other > merit[seat] for other in merit)
            self.tell("result", seat, 1 + better, points[seat])


def hidden(cards, seats=""):
    return f"{{{' '.join(cards)}}}{seats}"


def numbers(default, least, most):
    """Returns the values of an option that is a number; the default comes first."""
    return [str(default)] + [str(n) for n in range(least, most + 1)
                             if n != default]


def span(verb, low, high):
    """Returns the tokens that offer all numbers from low to high."""
    if low > high:
        return []
    return [f"{verb}:{low}" if low == high else f"{verb}:{low}..{high}"]


def singly(tokens):
    """Returns the tokens with each number of a range by itself."""
    found = []
    for token in tokens:
        verb, _, both = token.rpartition(":")
        if ".." not in both:
            found.append(token)
            continue
        low, high = map(int, both.split(".."))
        found += [f"{verb}:{n}" for n in range(low, high + 1)]
    return found


def offers(tokens, token):
    """Returns true if a list of tokens offers a token."""
    if token in tokens:
        return ".." not in token
    verb, _, n = token.rpartition(":")
    for other in tokens:
        if ".." in other and other.startswith(verb + ":"):
            low, high = map(int, other[len(verb) + 1:].split(".."))
            return (n.isdecimal() and str(int(n)) == n and len(n) < 9
                    and low <= int(n) <= high)
    return False
