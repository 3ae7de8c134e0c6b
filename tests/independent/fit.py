#!/usr/bin/env python3
"""The strengths of bots by the likelihood itself: a second statement of what
`referee ladder fit` says, which shares neither code nor method with it.

  fit.py [--prior SD] [--anchor NAME=R]... [--tie NEW=OLD]... FILE.csv     game,block,bot,place

The likelihood is written down as a number, pair by pair, and climbed one
coordinate at a time by golden section.  The errors are those of the
sandwich: both matrices come of differences of that number, and are inverted by
Gauss and Jordan.  It is slow: for twenty bots and a few hundred games.  Prints
`bot rating sd` by name, then `bot bot difference sd` of each pair."""

import argparse
import collections
import csv
import itertools
import math
import sys

POINTS = 400 / math.log(10)


def read(file):
    """games: (block, [(bot, place), …])"""
    games = collections.OrderedDict()
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines):
            games.setdefault(row["game"], (row["block"] or "game " + row["game"], []))[1] \
                .append((row["bot"], int(row["place"])))
    return list(games.values())


def log_odds(d):
    """ln 1/(1+exp(-d))"""
    return -math.log1p(math.exp(-d)) if d > 0 else d - math.log1p(math.exp(d))


def game_value(seats, x):
    total = 0
    for (a, pa), (b, pb) in itertools.combinations(seats, 2):
        y = 1 if pa < pb else 0.5 if pa == pb else 0
        total += y * log_odds(x[a] - x[b]) + (1 - y) * log_odds(x[b] - x[a])
    return total / (len(seats) - 1)


def top(f, low, high):
    """Where a concave function is largest, by golden section."""
    g = (math.sqrt(5) - 1) / 2
    a, b = high - g * (high - low), low + g * (high - low)
    fa, fb = f(a), f(b)
    while high - low > 1e-9:
        if fa < fb:
            low, a, fa = a, b, fb
            b = low + g * (high - low)
            fb = f(b)
        else:
            high, b, fb = b, a, fa
            a = high - g * (high - low)
            fa = f(a)
    return (low + high) / 2


def from_mean(x):
    mean = sum(x.values()) / len(x)
    return sum((v - mean) ** 2 for v in x.values())


def climb(games, bots, anchors, sd, ties):
    pull = (POINTS / 100) ** 2 if sd else 0
    mean = sum(anchors.values()) / len(anchors) if anchors else 0
    tau = (POINTS / sd) ** 2 if sd else 0
    x = {bot: anchors.get(bot, mean) for bot in bots}
    # What is alike is counted once.
    same = collections.Counter(tuple(seats) for _, seats in games)
    of = {bot: [(g, n) for g, n in same.items() if bot in (b for b, _ in g)]
          for bot in bots}
    for _ in range(2000):
        far = 0
        for bot in bots:
            if bot in anchors:
                continue

            def value(v):
                y = dict(x)
                y[bot] = v
                return sum(n * game_value(g, y) for g, n in of[bot]) \
                    - tau / 2 * from_mean(y) \
                    - sum(pull / 2 * (y[a] - y[b]) ** 2 for a, b in ties)
            old = x[bot]
            x[bot] = top(value, old - 1, old + 1)
            far = max(far, abs(x[bot] - old))
        if not anchors:
            middle = sum(x.values()) / len(x)
            x = {bot: v - middle for bot, v in x.items()}
        if far < 1e-7:
            return x, tau
    sys.exit("it does not settle")


def differences(f, x, bots, h=1e-4):
    """The gradient of f at x."""
    out = []
    for bot in bots:
        y = dict(x)
        y[bot] = x[bot] + h
        up = f(y)
        y[bot] = x[bot] - h
        out.append((up - f(y)) / (2 * h))
    return out


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


def sandwich(games, bots, x, tau, anchors, ties):
    free = [bot for bot in bots if bot not in anchors]
    n = len(free)
    clusters = collections.defaultdict(list)
    for block, seats in games:
        clusters[block].append(seats)
    meat = [[0.0] * n for _ in free]
    for seats in clusters.values():
        s = differences(lambda y: sum(game_value(g, y) for g in seats), x, free)
        for i, j in itertools.product(range(n), range(n)):
            meat[i][j] += s[i] * s[j]

    def whole(y):
        return sum(game_value(g, y) for _, g in games) - (
            (POINTS / 100) ** 2 / 2 * sum((y[a] - y[b]) ** 2 for a, b in ties)
            if tau else 0)
    bread, h = [], 1e-3
    for bot in free:
        y = dict(x)
        y[bot] = x[bot] + h
        up = differences(whole, y, free, h)
        y[bot] = x[bot] - h
        down = differences(whole, y, free, h)
        bread.append([(d - u) / (2 * h) for u, d in zip(up, down)])
    for i in range(n):
        bread[i][i] += tau
        for j in range(n):
            bread[i][j] += (0 if anchors else 1 / n) - tau / len(bots)
    inverse = invert(bread)
    return free, times(times(inverse, meat), inverse)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prior", type=float, default=350)
    parser.add_argument("--anchor", action="append", default=[])
    parser.add_argument("--tie", action="append", default=[])
    parser.add_argument("file")
    options = parser.parse_args()
    games = read(options.file)
    bots = sorted({bot for _, seats in games for bot, _ in seats})
    anchors = {name: (float(r) - 1500) / POINTS for name, r in
               (text.rsplit("=", 1) for text in options.anchor)}
    ties = [tuple(text.split("=")) for text in options.tie]
    x, tau = climb(games, bots, anchors, options.prior, ties)
    free, v = sandwich(games, bots, x, tau, anchors, ties)
    place = {bot: i for i, bot in enumerate(free)}

    def cov(a, b):
        return v[place[a]][place[b]] if a in place and b in place else 0
    for bot in bots:
        print(bot, f"{1500 + POINTS * x[bot]:.4f}",
              f"{POINTS * math.sqrt(cov(bot, bot)):.4f}")
    for a, b in itertools.combinations(bots, 2):
        square = cov(a, a) + cov(b, b) - 2 * cov(a, b)
        print(a, b, f"{POINTS * (x[a] - x[b]):.4f}",
              f"{POINTS * math.sqrt(max(square, 0)):.4f}")


if __name__ == "__main__":
    main()
