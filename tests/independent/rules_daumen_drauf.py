"""Plays Daumen drauf from its rules alone; see rules.py."""

from rules import Rules, hidden, numbers

PIECES = [colour + str(number) + fang for number in range(1, 10)
          for fang in "nt" for colour in "YGB"]


class DaumenDrauf(Rules):
    VERSION = 2
    ROUND, DRAWN = 3, ("deal", "draw")
    SEATS = range(2, 8)
    OPTIONS = {"games": numbers(3, 1, 50), "twin": ["turn", "any"]}

    @staticmethod
    def pieces(seats, _options):
        return PIECES[:6 * (seats + 2)]

    @staticmethod
    def refuses(seats, options):
        return options["twin"] == "any" and seats < 3

    def begin(self):
        self.games = int(self.option("games"))
        self.any_twin = self.option("twin") == "any"
        self.out_of_turn = False
        self.totals = [0] * self.seats
        self.game, self.starter = 0, self.chance.below(self.seats)
        self.begin_game()

    def begin_game(self):  # R1, R2
        self.game += 1
        self.tell("round", self.game, "start", self.starter)
        self.chance.begin_round(self.game)
        self.hand = []
        for seat in range(self.seats):
            self.hand.append(self.chance.cards(5))
            self.tell_hidden("deal", seat, self.hand[seat])
        self.pile = [[] for _ in range(self.seats)]
        self.turn = 0
        self.begin_turn(self.starter)

    def begin_turn(self, starter):  # R3
        self.turn += 1
        self.tell("turn", self.turn, starter)
        self.asked, self.last = starter, None
        self.shown = []  # the cards of this turn, each with its seat
        self.covered = [None] * self.seats
        self.colours = []  # by first appearance

    def free(self, seat):
        return [card for card in self.hand[seat]
                if card != self.covered[seat]]

    def is_higher(self, card):  # R5
        last = self.shown[-1][1]
        if card[0] not in self.colours:
            return True
        return card[0] == last[0] and card[1] > last[1]

    def ask(self):
        if self.out_of_turn:
            return {seat: ["pass"] + self.twins(seat)
                    for seat in self.others()}, None
        seat = self.asked
        cards = sorted(self.free(seat), key=PIECES.index)
        if not self.shown:  # R4
            return {seat: ["show:" + card for card in cards]}, seat
        return {seat: ["pass"] + self.twins(seat) + [
            "show:" + card for card in cards if self.is_higher(card)]}, seat

    def twins(self, seat):  # R7
        return ["twin:" + card for card in self.free(seat)
                if card[:2] == self.shown[-1][1][:2]]

    def others(self):
        """Returns who may show a twin when it is not their turn."""
        return [seat for seat in range(self.seats)
                if seat != self.last and self.free(seat)]

    @staticmethod
    def marked(seat, token):
        return token if token == "pass" else token[:-1] + hidden(token[-1], seat)

    def move(self, seat, token):
        self.out_of_turn = False
        if token != "pass":
            self.show(seat, token[5:])
        if token[0] == "t":
            self.take(seat)  # R7
            return
        if token != "pass" and self.any_twin and self.others():
            self.out_of_turn = True
        else:
            self.go_on(seat)

    def all_passed(self):
        self.out_of_turn = False
        self.go_on(self.last)

    def go_on(self, seat):
        seat = (seat + 1) % self.seats  # R5
        while seat != self.last and not self.free(seat):
            seat = (seat + 1) % self.seats
        if seat == self.last:
            self.take(seat)
        else:
            self.asked = seat

    def show(self, seat, card):  # R6
        if self.covered[seat]:
            self.tell("open", seat, self.covered[seat])
            self.hand[seat].remove(self.covered[seat])
        self.covered[seat] = card
        self.shown.append((seat, card))
        self.last = seat
        if card[0] not in self.colours:
            self.colours.append(card[0])

    def take(self, taker):  # R8, R9
        around = self.around(taker)
        words = []
        for seat, card in self.shown:
            if card in self.covered:
                seers = "".join(map(str, sorted({seat, taker})))
                words.append(card[:2] + hidden(card[2], seers))
            else:
                words.append(card)
        self.tell("take", taker, *words)
        self.pile[taker] += [card for _, card in self.shown]
        for seat in range(self.seats):
            self.hand[seat] = self.free(seat)
        for seat in around:
            n = min(5 - len(self.hand[seat]), self.chance.left())
            if n > 0:
                cards = self.chance.cards(n)
                self.tell_hidden("draw", seat, cards)
                self.hand[seat] += cards
        holding = [seat for seat in around if self.hand[seat]]
        if len(holding) >= 2:
            self.begin_turn(holding[0])
        else:
            self.count()

    def count(self):  # R10
        for seat, pile in enumerate(self.pile):
            self.tell("pile", seat, *pile)
        for seat, hand in enumerate(self.hand):
            if hand:
                self.tell("hand", seat, *sorted(hand, key=PIECES.index))
        for seat in range(self.seats):
            toxic = sum(card[2] == "t" for card in self.pile[seat])
            harmless = len(self.pile[seat]) - toxic
            held = len(self.hand[seat])
            self.tell("tally", seat, harmless, toxic, held)
            self.totals[seat] += harmless - toxic - held
        for seat in range(self.seats):
            self.tell("score", seat, self.totals[seat])
        if self.game < self.games:
            self.starter = (self.starter + 1) % self.seats
            self.begin_game()
        else:
            self.end(self.totals)
