"""Plays Daumen drauf from its rules alone; see rules_toepen.py."""


class DaumenDrauf:
    @staticmethod
    def pieces(seats, options):
        return [colour + str(number) + fang for number in range(1, seats + 3)
                for fang in "nt" for colour in "YGB"]

    def __init__(self, seats, options, order):
        self.seats, self.order = seats, order
        self.games = int(options.get("games", 3))
        self.any_twin = options.get("twin") == "any"
        self.out_of_turn = False
        self.game, self.starter = 0, -1
        self.over = False
        self.begin_game()

    def begin_game(self):  # R1, R2
        self.game += 1
        self.starter = (self.starter + 1) % self.seats
        self.stock = list(self.order)
        self.hand = [self.draw(5) for _ in range(self.seats)]
        self.begin_turn(self.starter)

    def draw(self, n):
        cards, self.stock = self.stock[:n], self.stock[n:]
        return cards

    def begin_turn(self, starter):  # R3
        self.asked, self.last = starter, None
        self.shown = []  # the cards of this turn
        self.covered = [None] * self.seats
        self.colours = []  # by first appearance

    def free(self, seat):
        return [card for card in self.hand[seat]
                if card != self.covered[seat]]

    def is_higher(self, card):
        last = self.shown[-1]
        if card[0] not in self.colours:
            return True
        return card[0] == last[0] and card[1] > last[1]

    def ask(self):
        if self.out_of_turn:
            return {seat: ["pass"] + self.twins(seat)
                    for seat in self.others()}, None
        seat = self.asked
        tokens = []
        if self.shown:
            tokens.append("pass")
            tokens += self.twins(seat)
        tokens += ["show:" + card for card in self.free(seat)
                   if not self.shown or self.is_higher(card)]
        return {seat: tokens}, seat

    def twins(self, seat):
        return ["twin:" + card for card in self.free(seat)
                if card[:2] == self.shown[-1][:2]]

    def others(self):
        """Returns who may show a twin when it is not their turn."""
        return [seat for seat in range(self.seats)
                if seat != self.last and self.free(seat)]

    def play(self, seat, token):
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

    def quiet(self):
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
            self.hand[seat].remove(self.covered[seat])
        self.covered[seat] = card
        self.shown.append(card)
        self.last = seat
        if card[0] not in self.colours:
            self.colours.append(card[0])

    def take(self, taker):  # R8, R9
        around = [(taker + i) % self.seats for i in range(self.seats)]
        for seat in range(self.seats):
            self.hand[seat] = self.free(seat)
        for seat in around:
            self.hand[seat] += self.draw(max(0, 5 - len(self.hand[seat])))
        holding = [seat for seat in around if self.hand[seat]]
        if len(holding) >= 2:
            self.begin_turn(holding[0])
        elif self.game < self.games:
            self.begin_game()
        else:
            self.over = True
