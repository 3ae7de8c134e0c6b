"""Plays Double's Dread from its rules alone; see rules.py."""

from rules import Rules, hidden, numbers, span

PIECES = [colour + force for force in "12345678" for colour in "RGBY"]
CLOCKWISE = ["S", "W", "NW", "N", "NE", "E"]
SEATS_AFTER = {2: {"S": 0, "N": 0, "W": 1, "E": 1},
               3: {"S": 0, "N": 0, "W": 1, "E": 2},
               4: {"S": 0, "NW": 0, "NE": 0, "W": 1, "N": 2, "E": 3}}
MAGIC = [a + b for a in "12345678" for b in "12345678" if a < b]


class DoublesDread(Rules):
    VERSION = 1
    DRAWN, WITHOUT_SEAT = ("bark", "monster"), ("monster",)
    SEATS = range(2, 5)
    OPTIONS = {"magic": ["78"] + MAGIC[:-1], "rounds": numbers(0, 1, 99)}
    pieces = staticmethod(lambda seats, options: PIECES)

    @staticmethod
    def refuses(_seats, options):
        return options["rounds"] == "0"  # here it means as many as seats

    def begin(self):
        self.rounds = int(self.option("rounds")) or self.seats
        self.magic = self.option("magic")
        self.totals = [0] * self.seats
        self.round, self.opener = 0, self.chance.below(self.seats)
        self.begin_round()

    def begin_round(self):  # R1, R2
        self.round += 1
        self.tell("round", self.round, self.opener)
        self.chance.begin_round(self.round)
        names, size = ("abcde", 6) if self.seats == 4 else ("abcd", 8)
        self.bark = {}
        for name in names:
            self.bark[name] = self.chance.cards(size)
            self.tell("bark", name, *self.bark[name])
        self.swallowed = []  # by the monster
        if self.seats == 4:
            self.swallowed = self.chance.cards(2)
            self.tell("monster", hidden(self.swallowed))
        self.taken = [[] for _ in range(self.seats)]
        self.phase, self.asked = "auction", self.opener
        self.passed, self.bid, self.south = set(), 0, None
        self.at = {}  # position: bark
        self.won = "S"  # the position that is the house move of a lead

    def ask(self):
        tokens = getattr(self, self.phase)()
        return {self.asked: tokens}, self.asked

    def auction(self):  # R3
        low = self.bid + 1 if self.bid else self.minimum()
        return ["pass"] + span("bid", low, 64)

    def minimum(self):
        return 27 if self.seats == 4 else 33

    def spread(self):  # R4
        due = ["S", "W", "N", "E"][len(self.at):][:1] or ["NW", "NE"]
        return [f"put:{bark}:{position}" for bark in self.bark
                if bark not in self.at.values() for position in due]

    def lead(self):  # R5
        return ["lead:" + self.won] + ["lead:" + position for position in
                                       self.at if position != self.won]

    def trick(self):  # R6
        pawns = self.bark[self.at[self.turn]]
        if self.lying:
            colour = self.lying[-1][1][0]
            pawns = [pawn for pawn in pawns if pawn[0] == colour] or pawns
        return ["play:" + pawn for pawn in
                sorted(pawns, key=lambda pawn: (self.doubles(pawn),
                                                PIECES.index(pawn)))]

    def doubles(self, pawn):
        return (bool(self.lying) and pawn[0] != self.lying[-1][1][0]
                and pawn[1] == self.force)

    def move(self, seat, token):
        words = token.split(":")
        if self.phase == "auction":
            self.call(seat, words)
        elif self.phase == "spread":
            self.at[words[2]] = words[1]
            if len(self.at) == len(self.bark):
                self.phase = "lead"
                for position in self.table():
                    self.tell("at", position, self.at[position],
                              self.owner(position))
        elif self.phase == "lead":
            self.phase, self.turn, self.leader = "trick", words[1], words[1]
            self.lying, self.force = [], None
            self.asked = self.owner(self.turn)
        else:
            self.lay(words[1])

    def call(self, seat, words):
        if words[0] == "pass":
            self.passed.add(seat)
        else:
            self.bid, self.south = int(words[1]), seat
        others = set(range(self.seats)) - self.passed
        if len(self.passed) == self.seats:
            self.bid, self.south = self.minimum(), self.opener
        elif self.bid != 64 and not (self.bid and others == {self.south}):
            self.asked = min(others, key=lambda s: (s - seat - 1) % self.seats)
            return
        self.tell("south", self.south, self.bid)
        self.phase, self.asked = "spread", self.south

    def owner(self, position):
        after = SEATS_AFTER[self.seats][position]
        return (self.south + after) % self.seats

    def table(self):
        return [position for position in CLOCKWISE if position in self.at]

    def lay(self, pawn):
        bark = self.at[self.turn]
        self.bark[bark] = [p for p in self.bark[bark] if p != pawn]
        entry = [(self.turn, pawn)]
        if not self.lying:
            self.force = pawn[1]
            self.lying = entry
        elif pawn[0] == self.lying[-1][1][0]:
            self.lying = self.lying + entry
        elif pawn[1] == self.force:  # a double
            self.swallow([p for _, p in self.lying])
            self.lying = entry
        else:
            self.swallow([pawn])
        table = self.table()
        self.turn = table[(table.index(self.turn) + 1) % len(table)]
        self.asked = self.owner(self.turn)
        if self.turn == self.leader:
            self.end_trick()

    def swallow(self, pawns):
        self.tell("swallow", *pawns)
        self.swallowed = self.swallowed + pawns

    def end_trick(self):
        self.won = max(self.lying, key=lambda entry: entry[1][1])[0]
        winner, pawns = self.owner(self.won), [p for _, p in self.lying]
        self.tell("trick", self.won, winner, *pawns)
        self.taken[winner] = self.taken[winner] + pawns
        self.phase, self.asked = "lead", winner
        if not any(self.bark.values()):
            self.end_round(winner)

    def end_round(self, winner):  # R7
        self.tell("back", winner, *self.swallowed)
        self.taken[winner] = self.taken[winner] + self.swallowed
        counts = [sum(5 if pawn[1] in self.magic else 1 for pawn in pawns)
                  for pawns in self.taken]
        for seat, count in enumerate(counts):
            self.tell("count", seat, count)
        made = counts[self.south] >= self.bid
        self.tell("contract", self.south, self.bid, counts[self.south],
                  "made" if made else "failed")
        for seat in range(self.seats):
            if made:
                self.totals[seat] += counts[seat]
            elif seat != self.south:
                self.totals[seat] += counts[seat] + self.bid
            self.tell("score", seat, self.totals[seat])
        self.opener = (self.opener + 1) % self.seats
        if self.round == self.rounds:
            self.end(self.totals)
        else:
            self.begin_round()
