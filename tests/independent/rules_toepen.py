"""Plays Toepen from its rules alone; see rules.py.  The numbers in comments are
those of the rules."""

from rules import Rules, numbers

RANKS, SUITS = "JQKA789T", "CDHS"
PIECES = [rank + suit for rank in RANKS for suit in SUITS]


class Toepen(Rules):
    VERSION = 1
    SEATS = range(2, 9)
    OPTIONS = {"points": numbers(15, 1, 99)}
    pieces = staticmethod(lambda seats, options: PIECES)

    def begin(self):  # R1
        self.goal = int(self.option("points"))
        self.points = [0] * self.seats
        self.out_in = [0] * self.seats  # the round in which a seat went out
        self.alive = set(range(self.seats))
        self.round = 0
        self.begin_round(self.chance.below(self.seats))

    def begin_round(self, dealer):  # R2
        self.round += 1
        self.dealer = dealer
        self.tell("round", self.round, dealer)
        self.chance.begin_round(self.round)
        self.inside = set(self.alive)
        self.hand = {}
        self.leader = (dealer + 1) % self.seats
        for seat in self.around(self.leader, self.alive):
            self.draw(seat)
        self.stake, self.knocker = 1, None
        self.trick, self.tricks = [], 0  # trick: seat and card, in order
        self.answers, self.laid = [], None

    def draw(self, seat):
        self.hand[seat] = self.chance.cards(4)
        self.tell_hidden("deal", seat, self.hand[seat])

    def on_turn(self):
        played = [seat for seat, _ in self.trick]
        return self.around(self.leader, self.inside - set(played))[0]

    def ask(self):
        if self.answers:
            return {self.answers[0]: ["fold", "stay"]}, self.answers[0]
        if self.laid:
            others = self.inside - {self.laid[0]}
            return {seat: ["pass", "challenge"] for seat in others}, None
        turn, lists = self.on_turn(), {}
        for seat in self.inside:  # R3
            tokens = self.cards(seat) if seat == turn else ["pass"]
            if seat != self.knocker and self.stake < self.goal:
                tokens.append("knock")
            if (not self.tricks and not self.trick
                    and self.chance.left() >= 4):
                tokens.append("mulligan")
            if tokens != ["pass"]:
                lists[seat] = tokens
        return lists, turn

    def cards(self, seat):  # R4
        cards = sorted(self.hand[seat], key=PIECES.index)
        if self.trick:
            suit = self.trick[0][1][1]
            cards = [card for card in cards if card[1] == suit] or cards
        return ["play:" + card for card in cards]

    def move(self, seat, token):
        if token == "knock":  # R5
            self.knocker = seat
            self.stake += 1
            self.tell("stake", self.stake)
            self.answers = self.around(seat, self.inside - {seat})
        elif token == "mulligan":  # R6
            self.laid = seat, self.hand[seat]
            self.draw(seat)
            return
        elif token == "challenge":  # R7
            owner, hand = self.laid
            self.tell("reveal", owner, *hand)
            faces = all(card[0] in "JQKA" for card in hand)
            self.laid = None
            self.give(seat if faces else owner, 1)
        elif token in ("stay", "fold"):
            self.answers.pop(0)
            if token == "fold":
                self.inside.discard(seat)
                self.give(seat, self.stake - 1)
        else:
            card = token[5:]
            self.hand[seat] = [other for other in self.hand[seat]
                               if other != card]
            self.trick = self.trick + [(seat, card)]
        self.go_on()

    def all_passed(self):
        self.laid = None
        self.go_on()

    def give(self, seat, points):  # R10
        self.points[seat] += points
        self.tell("score", seat, self.points[seat])
        if self.points[seat] >= self.goal:
            self.tell("out", seat)
            self.out_in[seat] = self.round
            self.alive.discard(seat)
            self.inside.discard(seat)

    def go_on(self):  # R8
        if self.answers:
            return
        if len(self.inside) == 1:
            self.end_round(*self.inside)
        elif self.inside <= {seat for seat, _ in self.trick}:
            self.end_trick()

    def end_trick(self):  # R9
        live = [entry for entry in self.trick if entry[0] in self.inside]
        suit = self.trick[0][1][1]
        if all(card[1] != suit for _, card in live):
            suit = live[0][1][1]
        self.leader = max((RANKS.index(card[0]), seat) for seat, card in live
                          if card[1] == suit)[1]
        self.tell("trick", self.leader)
        self.trick = []
        self.tricks += 1
        if self.tricks == 4:
            self.end_round(self.leader)

    def end_round(self, winner):  # R11
        self.tell("win", winner)
        for seat in sorted(self.inside - {winner}):
            self.give(seat, self.stake)
        if len(self.alive) > 1:
            self.begin_round(self.around(self.dealer + 1, self.alive)[0])
            return
        self.end(self.points,
                 [(seat in self.alive, self.out_in[seat], -self.points[seat])
                  for seat in range(self.seats)])
