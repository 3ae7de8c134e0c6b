#!/usr/bin/env python3
"""Computes the strengths of bots directly from the likelihood: a check of
`referee ladder fit` that shares neither code nor method with it.

  fit.py [--no-prior] [--anchor NAME=R]... [--tie NEW=OLD]... FILE.csv     game,block,bot,place

It computes the likelihood duel by duel and maximizes one coordinate at a time
by golden section.  Matrices are made of finite differences and inverted by
Gauss-Jordan; the ends of bars are bisected.  It is slow: use it for twenty bots
and a few hundred games.  It prints `bot rating low high` by name, then `bot bot
difference low high` for each pair that can be compared.

The model stands at the top of ladder/fit.h.  A coordinate is a bot, or all
anchors, which move as one."""

import argparse
import collections
import csv
import itertools
import math
import sys

POINTS = 400 / math.log(10)
Z = 1.959964
TIE, TRUST, FADE = 12, 20, 60


def read(file):
    """Reads games as (block, [(bot, place), …])."""
    games = collections.OrderedDict()
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines):
            games.setdefault(row["game"], (row["block"] or "game " + row["game"], []))[1] \
                .append((row["bot"], int(row["place"])))
    return [(block, tuple(seats)) for block, seats in games.values()]


def log_odds(d):
    """Returns ln 1/(1+exp(-d))."""
    return -math.log1p(math.exp(-d)) if d > 0 else d - math.log1p(math.exp(d))


def halves(d):
    """Returns the value of one virtual game at a distance, half of it won."""
    return (log_odds(d) + log_odds(-d)) / 2


def duels(seats):
    """Yields (bot, other, share that bot won, weight)."""
    for (a, pa), (b, pb) in itertools.combinations(seats, 2):
        if a != b:
            yield a, b, (pa < pb) + (pa == pb) / 2, 1 / (len(seats) - 1)


def duel_value(duel, x):
    a, b, y, weight = duel
    return weight * (y * log_odds(x[a] - x[b]) + (1 - y) * log_odds(x[b] - x[a]))


class Model:
    def __init__(self, games, anchors, ties, prior):
        self.games, self.ties, self.prior = games, ties if prior else [], prior
        self.duels = collections.Counter(d for _, seats in games for d in duels(seats))
        self.bots = sorted({bot for _, seats in games for bot, _ in seats})
        self.anchors = anchors
        # The parts that move independently: each bot, and all anchors as one.
        self.parts = [[bot] for bot in self.bots if bot not in anchors]
        if anchors:
            self.parts.append(sorted(anchors))
        self.part = {bot: i for i, part in enumerate(self.parts) for bot in part}
        self.virtual = {bot: self.virtual_games(bot) for bot in self.bots}

    def virtual_games(self, bot):
        seats = [len(s) for _, s in self.games for b, _ in s
                 if b == bot and len({one for one, _ in s}) > 1]
        if not self.prior or not seats:
            return 1 if self.prior else 0
        told = sum((n + 1) / (3 * (n - 1)) for n in seats) / len(seats)
        return FADE / (FADE + len(seats)) * told

    def games_value(self, x, part=None):
        """Returns the value of the duels of a part, or of all."""
        return sum(count * duel_value(duel, x) for duel, count in self.duels.items()
                   if part is None or duel[0] in part or duel[1] in part)

    def prior_value(self, x, part=None, mean=None):
        """Returns the prior of all bots, or the part's own virtual games against a
        given mean."""
        if part is None:
            part, mean = self.bots, sum(x.values()) / len(x)
        return sum(self.virtual[bot] * halves(x[bot] - mean) for bot in part) \
            + sum(TIE * halves(x[a] - x[b]) for a, b in self.ties if a in part or b in part)

    def moved(self, x, *steps):
        y = dict(x)
        for part, step in steps:
            for bot in part:
                y[bot] += step
        return y

    def climb(self):
        x = {bot: self.anchors.get(bot, 1500) / POINTS for bot in self.bots}
        reach = 1
        for _ in range(4000):
            far = 0
            for part in self.parts:
                def value(step):
                    y = self.moved(x, (part, step))
                    return self.games_value(y, part) + self.prior_value(y)
                step = top(value, reach)
                x = self.moved(x, (part, step))
                far = max(far, abs(step))
            if far < 1e-9:
                break
            reach = min(1, 4 * far)
        else:
            sys.exit("it does not settle")
        off = sum(x.values()) / len(x) - 1500 / POINTS
        if self.anchors:
            off = sum(x[bot] - r / POINTS for bot, r in self.anchors.items()) / len(self.anchors)
        return {bot: v - off for bot, v in x.items()}

    def sets(self):
        """Returns the sets of comparable bots: bot -> a bot that represents its
        set."""
        of = {bot: bot for bot in self.bots}
        for group in [[bot for bot, _ in seats] for _, seats in self.games] + [list(self.anchors)]:
            for bot in group:
                old, new = of[bot], of[group[0]]
                of = {b: new if s == old else s for b, s in of.items()}
        return of


def top(f, reach, h=1e-4):
    """Returns where a concave function is largest: its slope, by differences, is 0."""
    low, high = -reach, reach
    while high - low > reach * 1e-5:
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle + h) > f(middle - h) else (low, middle)
    return (low + high) / 2


def curvature(model, f, x, h=1e-3):
    """Returns -f'' by parts, from differences."""
    def second(p, q):
        return sum(s * t * f(model.moved(x, (p, s * h), (q, t * h)))
                   for s in (1, -1) for t in (1, -1)) / (-4 * h * h)
    return [[second(p, q) for q in model.parts] for p in model.parts]


def invert(m):
    n = len(m)
    m = [row[:] + [float(i == j) for j in range(n)] for i, row in enumerate(m)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        m[i] = [v / m[i][i] for v in m[i]]
        for r in range(n):
            if r != i and m[r][i]:
                f = m[r][i]
                m[r] = [a - f * b for a, b in zip(m[r], m[i])]
    return [row[n:] for row in m]


def times(a, b):
    return [[sum(u * v for u, v in zip(row, col)) for col in zip(*b)] for row in a]


class Errors:
    def __init__(self, model, x):
        self.model, self.x = model, x
        self.sets = model.sets()
        n = len(model.parts)
        clusters = collections.defaultdict(list)
        for block, seats in model.games:
            clusters[block].append(seats)
        score = [self.scores(cluster) for cluster in clusters.values()]
        j = [[sum(s[a] * s[b] for s in score) for b in range(n)] for a in range(n)]
        h = curvature(model, model.games_value, x)
        k = curvature(model, model.prior_value, x)
        self.won_all, self.lost_all = [], []
        for part in model.parts:
            shares = {y if a in part else 1 - y for _, seats in model.games
                      for a, b, y, _ in duels(seats) if (a in part) != (b in part)}
            self.won_all.append(shares <= {1})
            self.lost_all.append(shares <= {0})
        counts = [sum(any(self.plays(part, seats) for seats in cluster)
                      for cluster in clusters.values()) for part in model.parts]
        trust = []
        for i in range(n):
            known = min(counts[i], 4 * h[i][i])
            trust.append(0 if self.won_all[i] or self.lost_all[i] else known / (known + TRUST))
        both = [i for i in range(n) if not self.won_all[i] and not self.lost_all[i]]
        ratio, count = 1, sum(counts[i] for i in both)
        if count:
            ratio = sum(j[i][i] for i in both) / sum(h[i][i] for i in both)
            ratio = (count * ratio + TRUST) / (count + TRUST)
        mixed = [[math.sqrt(trust[a] * trust[b]) * j[a][b]
                  + ratio * (math.sqrt((1 - trust[a]) * (1 - trust[b])) * h[a][b] + k[a][b])
                  for b in range(n)] for a in range(n)]
        # The mean of all bots is 0; this is each part's share of it.
        share = [len(part) / len(model.bots) for part in model.parts]
        bread = invert([[h[a][b] + k[a][b] + share[a] * share[b] for b in range(n)]
                        for a in range(n)])
        # The shown errors are relative to the mean of a bot's set.
        sets = [self.sets[part[0]] for part in model.parts]
        size = collections.Counter(self.sets.values())
        centre = [[(a == b) - (sets[a] == sets[b]) * len(model.parts[b]) / size[sets[b]]
                   for b in range(n)] for a in range(n)]
        bread = times(centre, bread)
        self.v = times(times(bread, mixed), list(zip(*bread)))
        self.arms = [self.ends(i) for i in range(n)]

    def plays(self, part, seats):
        return any((a in part) != (b in part) for a, b, _, _ in duels(seats))

    def scores(self, cluster, h=1e-4):
        def value(part, step):
            y = self.model.moved(self.x, (part, step))
            return sum(duel_value(duel, y) for seats in cluster for duel in duels(seats))
        return [(value(part, h) - value(part, -h)) / (2 * h) for part in self.model.parts]

    def ends(self, i, h=1e-3):
        """Returns the lengths of both arms: where the likelihood has fallen by
        the limit."""
        part, mean = self.model.parts[i], sum(self.x.values()) / len(self.x)

        def value(step):
            y = self.model.moved(self.x, (part, step))
            return self.model.games_value(y, part) + self.model.prior_value(y, part, mean)
        best = value(0)
        # Because the mean is fixed, too, x is not quite the top: a slope is
        # left.
        slope = (value(h) - value(-h)) / (2 * h)
        bend = (2 * best - value(h) - value(-h)) / (h * h)
        fall = Z * Z / 2 * self.v[i][i] * bend
        return [math.inf if open_there else
                bisect(lambda arm: best + slope * sign * arm - value(sign * arm) - fall)
                for sign, open_there in ((-1, self.lost_all[i]), (1, self.won_all[i]))]

    def difference(self, a, b):
        """Returns the distances of both ends from x[a] - x[b], by MOVER."""
        i, j = self.model.part[a], self.model.part[b]
        if i == j:
            return 0, 0
        r = self.v[i][j] / math.sqrt(self.v[i][i] * self.v[j][j])

        def both(one, other):
            if math.isinf(one) or math.isinf(other):
                return math.inf
            return math.sqrt(max(one * one + other * other - 2 * r * one * other, 0))
        return both(self.arms[i][0], self.arms[j][1]), both(self.arms[i][1], self.arms[j][0])

    def bar(self, bot):
        for anchor in self.model.anchors:
            if self.sets[anchor] == self.sets[bot]:
                return self.difference(bot, anchor)
        return self.arms[self.model.part[bot]]


def bisect(f):
    """Returns the root of a rising function that begins below 0."""
    low, high = 0, 1
    while f(high) < 0 and high < 1e6:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low


def show(names, value, arms):
    print(*names, *(f"{POINTS * v:.4f}" for v in (value, value - arms[0], value + arms[1])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-prior", action="store_true")
    parser.add_argument("--anchor", action="append", default=[])
    parser.add_argument("--tie", action="append", default=[])
    parser.add_argument("file")
    options = parser.parse_args()
    anchors = {name: float(r) for name, r in
               (text.rsplit("=", 1) for text in options.anchor)}
    ties = [tuple(text.split("=")) for text in options.tie]
    model = Model(read(options.file), anchors, ties, not options.no_prior)
    x = model.climb()
    errors = Errors(model, x)
    for bot in model.bots:
        show([bot], x[bot], errors.bar(bot))
    for a, b in itertools.combinations(model.bots, 2):
        if errors.sets[a] == errors.sets[b]:
            show([a, b], x[a] - x[b], errors.difference(a, b))


if __name__ == "__main__":
    main()
