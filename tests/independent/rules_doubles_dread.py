"""Plays Double's Dread from its rules alone; see rules_toepen.py."""

PIECES = [colour + force for force in "12345678" for colour in "RGBY"]
CLOCKWISE = ["S", "W", "NW", "N", "NE", "E"]
SEATS_AFTER = {2: {"S": 0, "N": 0, "W": 1, "E": 1},
               3: {"S": 0, "N": 0, "W": 1, "E": 2},
               4: {"S": 0, "NW": 0, "NE": 0, "W": 1, "N": 2, "E": 3}}


class DoublesDread:
    pieces = staticmethod(lambda seats, options: PIECES)

    def __init__(self, seats, options, order):
        self.seats, self.order = seats, order
        self.rounds = int(options.get("rounds", seats))
        self.round, self.opener = 0, -1
        self.over = False
        self.begin_round()

    def begin_round(self):  # R2
        self.round += 1
        self.opener = (self.opener + 1) % self.seats
        names, size = ("abcde", 6) if self.seats == 4 else ("abcd", 8)
        self.bark = {name: self.order[i * size:(i + 1) * size]
                     for i, name in enumerate(names)}
        self.phase, self.asked = "auction", self.opener
        self.passed, self.bid, self.south = set(), 0, None
        self.at = {}  # position: bark

    def ask(self):
        tokens = getattr(self, self.phase)()
        return {self.asked: tokens}, self.asked

    def auction(self):  # R3
        low = self.bid + 1 if self.bid else self.minimum()
        return ["pass"] + [f"bid:{n}" for n in range(low, 65)]

    def minimum(self):
        return 27 if self.seats == 4 else 33

    def spread(self):  # R4
        due = ["S", "W", "N", "E"][len(self.at):][:1] or ["NW", "NE"]
        return [f"put:{bark}:{position}" for bark in self.bark
                if bark not in self.at.values() for position in due]

    def lead(self):  # R5
        return ["lead:" + position for position in self.at]

    def trick(self):  # R6
        pawns = self.bark[self.at[self.turn]]
        if self.lying:
            colour = self.lying[-1][1][0]
            pawns = [pawn for pawn in pawns if pawn[0] == colour] or pawns
        return ["play:" + pawn for pawn in pawns]

    def play(self, seat, token):
        words = token.split(":")
        if self.phase == "auction":
            self.call(seat, words)
        elif self.phase == "spread":
            self.at[words[2]] = words[1]
            if len(self.at) == len(self.bark):
                self.phase = "lead"
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
        self.phase, self.asked = "spread", self.south

    def owner(self, position):
        after = SEATS_AFTER[self.seats][position]
        return (self.south + after) % self.seats

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
            self.lying = entry
        table = [position for position in CLOCKWISE if position in self.at]
        self.turn = table[(table.index(self.turn) + 1) % len(table)]
        self.asked = self.owner(self.turn)
        if self.turn == self.leader:
            self.end_trick()

    def end_trick(self):
        winner = max(self.lying, key=lambda entry: entry[1][1])[0]
        self.phase, self.asked = "lead", self.owner(winner)
        if any(self.bark.values()):
            return
        if self.round == self.rounds:
            self.over = True
        else:
            self.begin_round()
