"""Knows the pairings of a tournament, by the words of
referee/match/tournament.h and the manual alone, with fractions.

Chance is not known here: the draw is given, and if a match's rule for sets
leaves a choice, any of the best is accepted."""

import fractions
import itertools

F = fractions.Fraction
MORE = 2  # sets of a knockout's table whose last place is not clear


class Wrong(Exception):
    pass


def need(what, *shown):
    if not what:
        raise Wrong(" ".join(map(str, shown)))


class Tournament:
    """`draw`: the bots in this order; `games`: (bots by seat, their places)."""

    def __init__(self, setup, draw, games):
        for key, value in setup.items():
            setattr(self, key, value)
        self.draw = {bot: i for i, bot in enumerate(draw)}
        self.order = list(draw)
        self.games, self.at = games, 0
        self.met = {frozenset(pair): 0
                    for pair in itertools.combinations(draw, 2)}
        self.shares = {bot: [] for bot in draw}
        self.byes = {bot: 0 for bot in draw}
        self.phase = {bot: 0 for bot in draw}
        self.tables_of = {bot: 0 for bot in draw}
        self.phases = 0
        self.whole = 2 * (self.seats - 1)  # a whole share, in halves

    # ---- games

    def left(self):
        return self.at < len(self.games)

    def take_set(self):
        """Takes the next set, in which all bots are in all seats; returns their
        shares: how many seats each beat, in halves."""
        seats = self.seats
        games = self.games[self.at:self.at + seats]
        need(len(games) == seats, "a set is not whole at", self.at)
        first = games[0][0]
        shares = {bot: [] for bot in first}
        need(len(shares) == seats, "a bot sits twice", first)
        for turn, (bots, places) in enumerate(games):
            need(bots == first[-turn:] + first[:-turn] if turn else True,
                 "no rotation at", self.at, bots, first)
            for bot, place in zip(bots, places):
                others = list(places)
                others.remove(place)
                shares[bot].append(sum(
                    2 * (place < other) + (place == other)
                    for other in others))
        self.at += seats
        return shares

    def take_table(self, sets):
        """Returns the shares at a table; all its sets have the same bots."""
        shares = self.take_set()
        for _ in range(sets - 1):
            more = self.take_set()
            need(more.keys() == shares.keys(), "another table at", self.at)
            for bot, what in more.items():
                shares[bot] += what
        for bot, what in shares.items():
            self.shares[bot] += what
        return shares

    def meet(self, bots):
        for pair in itertools.combinations(bots, 2):
            self.met[frozenset(pair)] += 1
        for bot in bots:
            self.tables_of[bot] += 1
            self.phase[bot] = self.phases

    def times(self, bot, others):
        return sum(self.met[frozenset((bot, other))] for other in others)

    def expect(self, bots, sets):
        shares = self.take_table(sets)
        need(set(shares) == set(bots), "phase", self.phases, "expected",
             sorted(bots), "found", sorted(shares))
        return shares

    # ---- how they stand

    def mean(self, bot):
        what = self.shares[bot]
        return F(sum(what), len(what) * self.whole) if what else F(0)

    def points(self, bot):
        return F(sum(self.shares[bot]), self.whole) + \
            F(self.byes[bot] * self.sets * self.seats, 2)

    def buchholz(self, bot):
        """Returns the mean share of a bot's opponents, weighted by how often
        they met."""
        sums, met = F(0), 0
        for other in self.draw:
            if other != bot:
                times = self.met[frozenset((bot, other))]
                sums += times * self.mean(other)
                met += times
        return sums / met if met else F(0)

    # ---- formats

    def circle(self):
        """Checks that every pair meets once, and that in a round every bot
        plays at most once."""
        bots = self.order + [None] * (len(self.order) % 2)
        for _ in range(self.rounds):
            for turn in range(len(bots) - 1):
                row = [bots[0]] + [bots[1 + (turn + i) % (len(bots) - 1)]
                                   for i in range(len(bots) - 1)]
                half = len(row) // 2
                pairs = [(row[0], row[1])] + \
                    [(row[1 + i], row[-i]) for i in range(1, half)]
                for pair in pairs:
                    if None not in pair:
                        self.meet(pair)
                        self.expect(pair, self.sets)

    def cost(self, table, bot):
        return sum(2 * (2 * self.met[frozenset((bot, other))] + 1)
                   for other in table) + self.tables_of[bot]

    def is_chosen(self, table, hero):
        """Returns true if some order of the table takes the cheapest bot each time."""
        least = min(self.tables_of.values())

        def costs(at, bot):
            ahead = self.tables_of[bot] >= least + 2
            return ahead, self.cost(at, bot) if at else self.tables_of[bot]

        def grows(at, rest):
            if not rest:
                return True
            cheap = min(costs(at, bot) for bot in self.order if bot not in at)
            return any(costs(at, bot) == cheap and
                       grows(at + [bot], rest - {bot}) for bot in rest)

        start = [] if hero is None else [hero]
        return set(start) <= set(table) and \
            grows(start, set(table) - set(start))

    def chosen(self, hero):
        def lacking():
            return any(times < self.rounds for pair, times in self.met.items()
                       if hero is None or hero in pair)

        while lacking():
            table = list(self.take_table(self.sets))
            need(self.is_chosen(table, hero), "a table that is not the "
                 "least met:", table)
            self.meet(table)

    def take_byes(self, bots):
        """Returns the bots that play and those that have a bye."""
        bots, out = list(bots), []
        while len(bots) % self.seats:
            least = min(self.byes[bot] for bot in bots)
            equal = [bot for bot in bots if self.byes[bot] == least]
            bot = equal[-1 if self.format == "swiss" else 0]
            bots.remove(bot)
            out.append(bot)
            self.byes[bot] += 1
            self.phase[bot] = self.phases
        return bots, out

    def pair_cost(self, left):
        """Returns the cost of pairing two places: met before, how often,
        distance in points and in places."""
        points = [self.points(bot) for bot in left]

        def cost(a, b):
            times = self.met[frozenset((left[a], left[b]))]
            return (times > 0, times, abs(points[a] - points[b]), abs(a - b))

        return cost

    @staticmethod
    def table_cost(cost, table):
        pairs = [cost(a, b) for a, b in itertools.combinations(table, 2)]
        return tuple(map(sum, zip(*pairs)))

    def least_of_pairs(self, cost, places):
        """Returns what the best round of two seats costs, by all sets of places."""
        least = {(): (0, 0, 0, 0)}
        for size in range(2, len(places) + 1, 2):
            for some in itertools.combinations(places, size):
                first, rest = some[0], some[1:]
                least[some] = min(
                    tuple(map(sum, zip(
                        cost(first, other),
                        least[tuple(p for p in rest if p != other)])))
                    for other in rest)
        return least[tuple(places)]

    def is_as_good_as_others(self, cost, tables):
        """Returns true if swapping two bots of two tables never lowers the
        cost."""
        for one, two in itertools.combinations(tables, 2):
            now = tuple(map(sum, zip(self.table_cost(cost, one),
                                     self.table_cost(cost, two))))
            for a, b in itertools.product(one, two):
                then = tuple(map(sum, zip(
                    self.table_cost(cost, [b, *(p for p in one if p != a)]),
                    self.table_cost(cost, [a, *(p for p in two if p != b)]))))
                if then < now:
                    return False
        return True

    def swiss(self):
        for _ in range(self.rounds):
            self.phases += 1
            left, _ = self.take_byes(self.order)
            cost = self.pair_cost(left)
            tables = [sorted(left.index(bot) for bot in
                             self.take_table(self.sets))
                      for _ in range(len(left) // self.seats)]
            need(sorted(sum(tables, [])) == list(range(len(left))),
                 "not everybody sits once", tables)
            need(tables == sorted(tables), "tables are not in order", tables)
            if self.seats == 2:
                found = tuple(map(sum, zip(*(cost(*table)
                                             for table in tables))))
                least = self.least_of_pairs(cost, list(range(len(left))))
                need(found == least, "a round that costs", found, "not",
                     least)
            need(self.is_as_good_as_others(cost, tables),
                 "two bots should change places", tables)
            for table in tables:
                self.meet([left[place] for place in table])
            self.order.sort(key=lambda bot: (
                -self.points(bot), -self.buchholz(bot), self.draw[bot]))

    def knockout_tables(self, left):
        tables = [[] for _ in range(len(left) // self.seats)]
        for bot in left:
            fewest = min(map(len, tables))
            at = min((table for table in tables if len(table) == fewest),
                     key=lambda table: (self.times(bot, table),
                                        tables.index(table)))
            at.append(bot)
        return tables

    def knockout(self):
        going, last_share = list(self.order), {}
        out = []
        while True:
            self.phases += 1
            final = len(going) == self.seats
            best = 1 if final else self.best
            left, idle = self.take_byes(going)
            tables = self.knockout_tables(left)
            for table in tables:
                self.meet(table)
            shares = [self.expect(table, self.sets) for table in tables]
            level = []
            for what in shares:
                sums = sorted(map(sum, what.values()), reverse=True)
                if sums[best - 1] == sums[best]:
                    level.append(what)
            for what in level:
                more = self.expect(list(what), MORE)
                for bot in what:
                    what[bot] += more[bot]
            key = {bot: (0,) for bot in idle}
            for what in shares:
                ranked = sorted(what, key=lambda bot: (
                    -sum(what[bot]), self.draw[bot]))
                for place, bot in enumerate(ranked):
                    last_share[bot] = F(sum(what[bot]), len(what[bot]))
                    key[bot] = (place + 1 if place < best else 99,)
            going.sort(key=lambda bot: (
                key[bot], -last_share.get(bot, 0), self.draw[bot]))
            if final:
                self.order = going + out
                return
            stay = max(self.seats, len(idle) + best * len(tables))
            out = going[stay:] + out
            going = going[:stay]

    def check(self):
        """Checks the order at the end."""
        if self.format == "swiss":
            self.swiss()
        elif self.format == "knockout":
            self.knockout()
        else:
            self.phases = 1
            if self.format == "gauntlet":
                self.chosen(self.hero)
            elif self.seats == 2:
                self.circle()
            else:
                self.chosen(None)
            self.order.sort(key=lambda bot: (-self.mean(bot),
                                             self.draw[bot]))
        need(not self.left(), "more games than there should be:", self.at,
             "of", len(self.games))
        return self.order
