#!/usr/bin/env python3
"""Computes the sequential test of a match a second time: what
referee/match/sprt.h promises, by other methods.

    sprt.py                              the figures of tests/unit/test-sprt.c
    import sprt
    sprt.llr_of_counts("normalized", elo0, elo1, [39, 8843, 26675, 9240, 44])
    sprt.llr_of_values(elo0, elo1, games_of_a_unit, [v, ...])

The likeliest law of a few values with a given (mean - 1/2) / deviation is
searched for among all means by golden section; the one with a given mean and
second moment is found by Newton's steps on Owen's dual (A. B. Owen, Empirical
Likelihood, 2001, 2.9).  The motion between the bounds is a walk on a lattice."""

import math

POINTS = 800 / math.log(10)


def dual(p, rows):
    """Returns max over a of sum p ln(1 + a . row): the likeliest law under
    which each entry of the rows has mean 0 is p / (1 + a . row).  Rows have one
    or two entries."""
    a = [0.0] * len(rows[0])

    def value(a):
        total = 0
        for q, row in zip(p, rows):
            inner = 1 + sum(x * y for x, y in zip(a, row))
            if inner <= 0:
                return -math.inf
            total += q * math.log(inner)
        return total
    now = value(a)
    for _ in range(300):
        inner = [1 + sum(x * y for x, y in zip(a, row)) for row in rows]
        grad = [sum(q * row[i] / d for q, row, d in zip(p, rows, inner))
                for i in range(len(a))]
        hess = [[sum(q * row[i] * row[j] / d / d
                     for q, row, d in zip(p, rows, inner))
                 for j in range(len(a))] for i in range(len(a))]
        if len(a) == 1:
            step = [grad[0] / hess[0][0]]
        else:
            det = hess[0][0] * hess[1][1] - hess[0][1] ** 2
            if det <= 0:  # no law has these moments: a diverges
                return math.inf, None
            step = [(grad[0] * hess[1][1] - grad[1] * hess[0][1]) / det,
                    (grad[1] * hess[0][0] - grad[0] * hess[0][1]) / det]
        size = 1.0
        while size > 1e-12:
            new = [x + size * y for x, y in zip(a, step)]
            then = value(new)
            if then >= now:
                break
            size /= 2
        else:
            break
        moved = max(abs(x - y) for x, y in zip(a, new))
        a, now = new, then
        if moved < 1e-14 * (1 + max(map(abs, a))):
            break
    return now, [q / (1 + sum(x * y for x, y in zip(a, row)))
                 for q, row in zip(p, rows)]


def law_of_mean(p, values, mean):
    return dual(p, [[v - mean] for v in values])[1]


def law_of_t(p, values, t):
    if t == 0:
        return law_of_mean(p, values, .5)

    def loss(mean):
        spread = (mean - .5) / t
        if spread <= 0 or spread ** 2 >= mean * (1 - mean):
            return math.inf, None
        rows = [[v - mean, (v - mean) ** 2 - spread ** 2] for v in values]
        return dual(p, rows)
    # mean (1 - mean) t^2 > (mean - 1/2)^2
    edge = abs(t) / math.sqrt(1 + t * t) / 2
    low, high = (.5, .5 + edge) if t > 0 else (.5 - edge, .5)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(120):
        a, b = high - golden * (high - low), low + golden * (high - low)
        if loss(a)[0] < loss(b)[0]:
            high = b
        else:
            low = a
    return loss((low + high) / 2)[1]


def regular(counts):
    counts = [count or 1e-3 for count in counts]
    total = sum(counts)
    return total, [count / total for count in counts], \
        [i / (len(counts) - 1) for i in range(len(counts))]


def llr_of_counts(model, elo0, elo1, counts):
    total, p, values = regular(counts)
    games = (len(counts) - 1) / 2
    if model == "normalized":
        laws = [law_of_t(p, values, elo * math.sqrt(games) / POINTS)
                for elo in (elo0, elo1)]
    else:
        laws = [law_of_mean(p, values, 1 / (1 + 10 ** (-elo / 400)))
                for elo in (elo0, elo1)]
    return total * math.fsum(q * math.log(b / a)
                             for q, a, b in zip(p, *laws))


def moments_of_values(values):
    n = len(values)
    mean = math.fsum(values) / n
    return n, mean, (math.fsum((v - mean) ** 2 for v in values) + 1 / 16) / n


def llr_of_values(elo0, elo1, games, values):
    """Returns the ratio by the likeliest normal law under each hypothesis: its
    mean is 1/2 plus t of its deviations, and the deviation is searched for."""
    n, mean, variance = moments_of_values(values)

    def best(t):
        off = mean - .5 - t * math.sqrt(variance)

        def loss(s):
            return math.log(s) + (variance + off ** 2) / s / s / 2
        low, high = 1e-4, 10
        golden = (math.sqrt(5) - 1) / 2
        for _ in range(200):
            a, b = high - golden * (high - low), low + golden * (high - low)
            if loss(a) < loss(b):
                high = b
            else:
                low = a
        return loss((low + high) / 2)
    return n * (best(elo0 * math.sqrt(games) / POINTS) -
                best(elo1 * math.sqrt(games) / POINTS))


def verdict(llr, alpha=.05, beta=.05):
    return "H1" if llr >= math.log((1 - beta) / alpha) else \
        "H0" if llr <= math.log(beta / (1 - alpha)) else "open"


def chance_of_worse(lower, upper, drift, variance, time, at, cells=400):
    """Returns the chance that a motion from 0 is absorbed below before `time`, or is
    below `at` then."""
    step = (upper - lower) / cells
    start = round(-lower / step)
    tick = step * step / variance / 3
    ticks = max(1, round(time / tick))
    tick = time / ticks
    # Second moments per tick: variance * tick = step^2 * (up + down)
    both = variance * tick / step ** 2
    lean = drift * tick / step
    up, down = (both + lean) / 2, (both - lean) / 2
    alive, lost = [0.0] * (cells + 1), 0.0
    alive[start] = 1.0
    for _ in range(ticks):
        lost += alive[1] * down
        alive = [0.0] + [alive[i] * (1 - up - down) + alive[i - 1] * up +
                         alive[i + 1] * down for i in range(1, cells)] + [0.0]
    edge = (at - lower) / step
    return lost + sum(q * min(1, max(0, edge - i + .5))
                      for i, q in enumerate(alive))


def estimate(model, elo0, elo1, counts, goals=(.5, .975, .025),
             alpha=.05, beta=.05, cells=200):
    total, p, values = regular(counts)
    games = (len(counts) - 1) / 2
    mean = sum(q * v for q, v in zip(p, values))
    variance = sum(q * (v - mean) ** 2 for q, v in zip(p, values))

    def to_mean(elo):
        if model == "logistic":
            return 1 / (1 + 10 ** (-elo / 400))
        return .5 + elo / POINTS * math.sqrt(games * variance)

    def to_elo(s):
        if model == "logistic":
            return 400 * math.log10(s / (1 - s))
        return (s - .5) * POINTS / math.sqrt(games * variance)
    s0, s1 = to_mean(elo0), to_mean(elo1)
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    drift = (mean - (s0 + s1) / 2) * (s1 - s0) / variance
    llr = min(upper, max(lower, drift * total))
    time = llr / drift
    found = []
    for goal in goals:
        low, high = mean - 6 * math.sqrt(variance / total), \
            mean + 6 * math.sqrt(variance / total)
        for _ in range(16):
            s = (low + high) / 2
            worse = chance_of_worse(
                lower, upper, (s - (s0 + s1) / 2) * (s1 - s0) / variance,
                (s1 - s0) ** 2 / variance, time, llr, cells)
            low, high = (s, high) if worse > goal else (low, s)
        found.append(to_elo((low + high) / 2))
    return found


if __name__ == "__main__":
    CASES = (
        ("normalized", .5, 2.5, [39, 8843, 26675, 9240, 44]),
        ("logistic", .5, 2.5, [39, 8843, 26675, 9240, 44]),
        ("normalized", 0, 20, [10, 20, 40, 30, 15]),
        ("logistic", 0, 20, [10, 20, 40, 30, 15]),
        ("normalized", -10, 30, [0, 3, 0, 9, 1]),
        ("normalized", 0, 20, [0, 0, 0, 0, 7]),
        ("normalized", -200, 200, [5, 0, 3, 0, 0]),
        ("logistic", -200, 200, [5, 0, 3, 0, 0]),
        ("normalized", 0, 20, [310, 210, 350]),
        ("logistic", 0, 20, [310, 210, 350]),
        ("normalized", 150, 200, [0, 0, 9]),
    )
    for case in CASES:
        print(*case, "%.9f" % llr_of_counts(*case))
    SHARES = [(7 * i * i + 3 * i) % 13 for i in range(40)]
    print("unbinned", "%.9f" % llr_of_values(0, 50, 4,
                                             [s / 12 for s in SHARES]))
    print("level", "%.9f" % llr_of_values(0, 50, 4, [.5] * 12))
    for model, counts in (("normalized", [39, 8843, 26675, 9240, 44]),
                          ("logistic", [39, 8843, 26675, 9240, 44])):
        print("estimate", model, *("%.4f" % x for x in estimate(
            model, .5, 2.5, counts)))
    print("estimate", *("%.3f" % x for x in estimate(
        "normalized", 0, 20, [60, 200, 400, 260, 80])))
