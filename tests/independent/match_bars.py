"""Computes the errors of a match's standings a second time: from the formulas
at the head of referee/match/standings.c, in exact fractions as far as possible,
and with Student's distribution by another integral.

    import match_bars
    bars = match_bars.Bars(seats, games)  # {number: ([bot by seat], [place])}
    bars.error("a"), bars.difference("a", "b"), bars.difference_error("a", "b")
"""

import math
from fractions import Fraction

SETS = 10  # fewer sets give no error


def student(freedom):
    """Returns the 97.5 % point of Student's distribution: with t =
    sqrt(freedom) tan u the density is that of cos(u) ** (freedom - 1)."""
    panels = 4000

    def area(top):
        h = top / panels
        return h * math.fsum(math.cos((i + .5) * h) ** (freedom - 1)
                             for i in range(panels))
    goal, low, high = .95 * area(math.pi / 2), 0, math.pi / 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if area(middle) < goal else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def share(places, seat):
    others = places[:seat] + places[seat + 1:]
    return Fraction(sum(2 * (other > places[seat]) + (other == places[seat])
                        for other in others), 2 * len(others))


class Bars:
    def __init__(self, seats, games):
        self.seats = seats
        self.shares = {}  # by bot: {game: share}
        self.against = {}  # by game: the bots at the table
        for number, (bots, places) in games.items():
            self.against[number] = frozenset(bots)
            for seat, bot in enumerate(bots):
                self.shares.setdefault(bot, {})[number] = share(places, seat)
        met = {}
        for pair in self.against.values():
            met[pair] = met.get(pair, 0) + 1
        self.strata = seats == 2 and len(self.shares) > 2 and \
            min(met.values()) > 1

    def score(self, bot):
        return sum(self.shares[bot].values()) / len(self.shares[bot])

    def _set(self, number):
        return number if self.strata else (number - 1) // self.seats

    def _stratum(self, number):
        return self.against[number] if self.strata else None

    def _residuals(self, bot):
        """Returns the residuals by stratum and set."""
        mine, found = self.shares[bot], {}
        for number, one in mine.items():
            stratum = self._stratum(number)
            alike = [other for which, other in mine.items()
                     if self._stratum(which) == stratum]
            key = stratum, self._set(number)
            found[key] = found.get(key, 0) + \
                (one - sum(alike) / len(alike)) / len(mine)
        return found

    def _variance(self, *residuals):
        """Returns the variance of the first bot minus the second, and its
        degrees of freedom."""
        strata = {}
        for key in set().union(*residuals):
            r = residuals[0].get(key, 0) - sum(
                other.get(key, 0) for other in residuals[1:])
            strata.setdefault(key[0], []).append(r * r)
        parts = [(sum(one) * len(one) / (len(one) - 1), len(one) - 1)
                 for one in strata.values()]
        v = sum(part for part, _ in parts)
        below = sum(part * part / freedom for part, freedom in parts)
        return v, float(v * v / below) if below else sum(
            freedom for _, freedom in parts)

    def _knows(self, bot):
        return len(self.shares[bot]) >= SETS * self.seats

    def error(self, bot):
        if not self._knows(bot):
            return None
        n, mean = len(self.shares[bot]), self.score(bot)
        b = mean * (1 - mean)
        v, freedom = self._variance(self._residuals(bot))
        t = student(freedom)
        e = b / (v + b / n / n) if b else n
        return t / (1 + t * t / e) * math.sqrt(b / e + t * t / (4 * e * e))

    def difference(self, one, other):
        return float(self.score(one) - self.score(other))

    def difference_error(self, one, other):
        if not self._knows(one) or not self._knows(other):
            return None
        v, freedom = self._variance(self._residuals(one),
                                    self._residuals(other))
        return student(freedom) * math.sqrt(v) if v else None


def gain(seats, games):
    """Returns the gain of duplicate deals and its error, by
    referee/match/gain.c: the variance of as many independent games divided by
    that of a block."""
    blocks = {}  # by bots: {block: {bot: [share by seat]}}
    for number, (bots, places) in games.items():
        block = blocks.setdefault(frozenset(bots), {}).setdefault(
            (number - 1) // seats, {bot: [0] * seats for bot in bots})
        for seat, bot in enumerate(bots):
            block[bot][seat] = share(places, seat)
    pairs, freedom = [], 0  # weight, variance within seats, variance of the block
    for same in blocks.values():
        m = len(same)
        if m < 2:
            continue
        freedom += m - 1
        mean = {bot: [sum(block[bot][seat] for block in same.values()) / m
                      for seat in range(seats)]
                for bot in next(iter(same.values()))}
        for block in same.values():
            rest = [[value - at for value, at in zip(block[bot], mean[bot])]
                    for bot in block]
            pairs.append((Fraction(m, m - 1),
                          sum(r * r for row in rest for r in row),
                          sum(sum(row) ** 2 for row in rest)))
    below = sum(c for _, _, c in pairs)
    if freedom < SETS - 1 or below == 0:
        return None, None
    found = sum(a for _, a, _ in pairs) / below
    variance = sum(w * (a - found * c) ** 2 for w, a, c in pairs) / below ** 2
    above = sum(a for _, a, _ in pairs)
    bias = sum(w * (c * c / below ** 2 - a * c / (above * below))
               for w, a, c in pairs)
    corrected = found / (1 + bias)
    return (float(corrected), student(freedom) * math.sqrt(variance) +
            float(abs(found - corrected)))
