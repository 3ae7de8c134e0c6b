"""Plays Daupun from its rules alone; see rules_toepen.py."""

PIECES = [rank + suit for rank in "A23456789T" for suit in "CDHS"]


def value(card):
    return "A23456789T".index(card[0]) + 1


def total(cards):
    return sum(map(value, cards))


class Daupun:
    pieces = staticmethod(lambda seats, options: PIECES)

    def __init__(self, seats, options, order):
        self.order = order
        self.goal = 250 * int(options.get("crowns", 1))
        self.first_by = options.get("first", "winner")
        self.rounds = int(options.get("rounds", 200))
        self.by_position = options.get("lowest") == "position"
        self.stones, self.pot = [0, 0], 0
        self.round, self.winner = 0, None
        self.over = False
        self.begin_round()

    def begin_round(self):  # R2; the cutter is drawn, so it is 0 here
        self.round += 1
        self.pile = list(self.order)
        self.hand = [self.draw(5), self.draw(5)]
        self.reserve = [[], []]
        by_winner = self.first_by == "winner" and self.winner is not None
        self.begin_turn(self.winner if by_winner else 0)

    def draw(self, n):
        cards, self.pile = self.pile[:n], self.pile[n:]
        return cards

    def begin_turn(self, seat):  # R4
        self.player = seat
        self.hand[seat] += self.draw(1)
        self.phase = "turn"

    def need(self, seat):
        return 250 - self.stones[seat] % 250

    def ask(self):
        seat = self.player
        if self.phase == "reply":
            seat = 1 - self.speaker
            tokens = ["in", "out"]
            tokens += [f"raise:{n}" for n in
                       range(self.offer + 1, self.need(seat) + 1)]
        elif self.phase == "answer":
            seat, tokens = 1 - seat, ["stay", "leave"]
        elif self.phase == "exchange":
            tokens = self.exchange(seat)
        else:
            tokens = self.discards(seat)
            if self.phase == "turn":
                tokens += ["stake"]
                tokens += [f"stake:{n}" for n in
                           range(self.pot + 1, self.need(seat) + 1)]
        return {seat: tokens}, seat

    def discards(self, seat):  # R5
        hand = self.hand[seat]
        tokens = ["discard:" + card for card in hand]
        if len(self.reserve[seat]) < 4:
            tokens += [f"discard:{card}:stay" for card in hand
                       if total(hand) - value(card) >= 25]
        return tokens

    def exchange(self, seat):  # R8
        tokens = ["keep"]
        if total(self.hand[seat]) >= 25:
            tokens.append("stay")
        if self.swaps < 3:
            tokens += [f"swap:{mine}:{other}" for mine in self.hand[seat]
                       for other in self.reserve[seat]]
        return tokens

    def play(self, seat, token):
        words = token.split(":")
        if words[0] == "discard":
            self.discard(seat, words)
        elif words[0] in ("stake", "raise"):  # R6
            plain = self.pot + 1 if self.pot else 3
            self.offer = int(words[1]) if len(words) > 1 else plain
            self.phase, self.speaker = "reply", seat
        elif token == "in":
            self.pot, self.phase = self.offer, "discard"
        elif token == "out":
            self.decide(self.speaker, 2)
        elif words[0] == "swap":
            self.swaps += 1
            self.hand[seat].remove(words[1])
            self.hand[seat].append(words[2])
            self.reserve[seat].remove(words[2])
            self.reserve[seat].append(words[1])
        elif token == "keep":
            self.end_turn()
        elif token == "leave":  # R9
            self.decide(self.player, 1)
        elif self.phase == "answer":
            self.battle()
        else:
            self.phase = "answer"

    def discard(self, seat, words):  # R7
        self.hand[seat].remove(words[1])
        self.reserve[seat].append(words[1])
        if len(words) > 2:
            self.phase = "answer"
        elif len(self.reserve[seat]) == 5:
            self.phase, self.swaps = "exchange", 0
        else:
            self.end_turn()

    def end_turn(self):
        if len(self.reserve[0]) == 5 and len(self.reserve[1]) == 5:
            self.battle()  # R10
        else:
            self.begin_turn(1 - self.player)

    def battle(self):  # R11
        rows = [sorted(map(value, hand)) for hand in self.hand]
        tricks = []  # worth, position, winner
        for k, (a, b) in enumerate(zip(*rows)):
            if a != b:
                tricks.append((5 - k + abs(a - b), 5 - k, int(b < a)))
        tricks.sort(key=lambda trick: trick[1:] if self.by_position
                    else trick)
        tricks = tricks[{5: 2, 4: 1, 2: 1}.get(len(tricks), 0):]
        won = [[worth for worth, _, who in tricks if who == seat]
               for seat in (0, 1)]
        gains = [len(worths) * sum(worths) for worths in won]
        enough = [total(hand) >= 25 for hand in self.hand]
        if not tricks:
            self.end_round(None, [0, 0])
        elif enough[0] != enough[1]:
            winner = enough.index(True)
            gains[1 - winner] = 0
            self.end_round(winner, gains)
        else:
            self.end_round(int(len(won[1]) > len(won[0])), gains)

    def decide(self, winner, grant):
        self.end_round(winner, [grant if seat == winner else 0
                                for seat in (0, 1)])

    def end_round(self, winner, gains):  # R12 to R14
        self.winner = winner
        if winner is not None:
            gains[winner] += self.pot
            self.pot = 0
        self.stones = [a + b for a, b in zip(self.stones, gains)]
        if max(self.stones) >= self.goal or self.round == self.rounds:
            self.over = True
        else:
            self.begin_round()
