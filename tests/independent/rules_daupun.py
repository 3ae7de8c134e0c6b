"""Plays Daupun from its rules alone; see rules.py."""

from rules import Rules, numbers, span

PIECES = [rank + suit for rank in "A23456789T" for suit in "CDHS"]
CROWN = 250


def value(card):
    return "A23456789T".index(card[0]) + 1


def total(cards):
    return sum(map(value, cards))


class Daupun(Rules):
    VERSION = 2
    ROUND, EACH_ROUND, DRAWN = 5, True, ("deal", "draw")
    SEATS = range(2, 3)
    OPTIONS = {"crowns": numbers(1, 1, 3), "first": ["winner", "cutter"],
               "rounds": numbers(200, 1, 1000), "lowest": ["value", "position"]}
    pieces = staticmethod(lambda seats, options: PIECES)

    @staticmethod
    def refuses(_seats, options):
        rounds = int(options["rounds"])
        return (rounds < int(options["crowns"])
                or options["first"] == "cutter" and rounds < 2)

    def begin(self):
        self.goal = CROWN * int(self.option("crowns"))
        self.first_by = self.option("first")
        self.rounds = int(self.option("rounds"))
        self.by_position = self.option("lowest") == "position"
        self.stones, self.pot = [0, 0], 0
        self.round, self.winner = 0, None
        self.begin_round()

    def begin_round(self):  # R2
        self.round += 1
        cutter = self.chance.below(2)
        by_winner = self.first_by == "winner" and self.winner is not None
        first = self.winner if by_winner else cutter
        self.tell("round", self.round, "dealer", 1 - cutter, "cutter", cutter,
                  "first", first, "pot", self.pot)
        self.chance.begin_round(self.round)
        self.hand, self.reserve = [], [[], []]
        for seat in (0, 1):
            self.hand.append(self.chance.cards(5))
            self.tell_hidden("deal", seat, self.hand[seat])
        self.begin_turn(first)

    def begin_turn(self, seat):  # R4
        self.player = seat
        self.drawn = self.chance.cards(1)
        self.tell_hidden("draw", seat, self.drawn)
        self.hand[seat] += self.drawn
        self.phase = "turn"

    def need(self, seat):
        return CROWN - self.stones[seat] % CROWN

    def ask(self):
        seat = self.player
        if self.phase == "reply":  # R6
            seat = 1 - self.speaker
            tokens = ["out", "in"] + span("raise", self.offer + 1,
                                          self.need(seat))
        elif self.phase == "answer":
            seat, tokens = 1 - seat, ["leave", "stay"]
        elif self.phase == "exchange":
            tokens = self.exchange(seat)
        else:
            tokens = self.discards(seat)
            if self.phase == "turn":
                tokens += ["stake"] + span("stake", self.pot + 1,
                                           self.need(seat))
        return {seat: tokens}, seat

    def discards(self, seat):  # R5
        hand = self.hand[seat]
        # The card just drawn is the last one, and the house move.
        tokens = ["discard:" + card for card in reversed(hand)]
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

    def move(self, seat, token):
        words = token.split(":")
        if words[0] == "discard":
            self.discard(seat, words)
        elif words[0] in ("stake", "raise"):  # R6
            plain = self.pot + 1 if self.pot else 3
            self.offer = int(words[1]) if len(words) > 1 else plain
            self.phase, self.speaker = "reply", seat
        elif token == "in":
            self.pot, self.phase = self.offer, "discard"
            self.tell("pot", self.pot)
        elif token == "out":
            self.decide(self.speaker, 2, token)
        elif words[0] == "swap":
            self.swaps += 1
            self.hand[seat].remove(words[1])
            self.hand[seat].append(words[2])
            self.reserve[seat].remove(words[2])
            self.reserve[seat].append(words[1])
        elif token == "keep":
            self.end_turn()
        elif token == "leave":  # R9
            self.decide(self.player, 1, token)
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
        rows = [sorted(hand, key=PIECES.index) for hand in self.hand]
        for seat, row in enumerate(rows):
            self.tell("show", seat, total(row), *row)
        ties, tricks = [], []  # tricks: worth, position, winner
        for k, pair in enumerate(zip(*rows), 1):
            a, b = map(value, pair)
            winner = "tie" if a == b else int(b < a)
            self.tell("trick", k, *pair, winner, 6 - k, abs(a - b))
            if a == b:
                ties.append(k)
            else:
                tricks.append((6 - k + abs(a - b), 6 - k, winner))
        tricks.sort(key=lambda trick: trick[1:] if self.by_position
                    else trick)
        low = {0: 2, 1: 1, 3: 1}.get(len(ties), 0)
        for k in ties:
            self.tell("remove", k, "tie")
        for _, position, _ in tricks[:low]:
            self.tell("remove", 6 - position, "low")
        won = [[worth for worth, _, who in tricks[low:] if who == seat]
               for seat in (0, 1)]
        gains = [len(worths) * sum(worths) for worths in won]
        for seat in (0, 1):
            self.tell("field", seat, len(won[seat]), gains[seat])
        enough = [total(hand) >= 25 for hand in self.hand]
        winner, why = int(len(won[1]) > len(won[0])), "tricks"
        if not tricks:
            winner, why = None, "tie"
        elif enough[0] != enough[1]:
            winner, why = enough.index(True), "goal"
            gains[1 - winner] = 0
        self.end_round(winner, gains, why)

    def decide(self, winner, grant, why):
        self.end_round(winner, [grant if seat == winner else 0
                                for seat in (0, 1)], why)

    def end_round(self, winner, gains, why):  # R12 to R14
        self.winner = winner
        self.tell("win", "none" if winner is None else winner, why)
        if winner is not None:
            gains[winner] += self.pot
            self.pot = 0
        before = self.stones
        self.stones = [a + b for a, b in zip(before, gains)]
        for verb, counts in (("gain", gains), ("score", self.stones)):
            for seat in (0, 1):
                self.tell(verb, seat, counts[seat])
        for seat in (0, 1):
            crowns = self.stones[seat] // CROWN
            if crowns > before[seat] // CROWN:
                self.tell("crown", seat, crowns)
        if max(self.stones) >= self.goal or self.round == self.rounds:
            self.end(self.stones)
        else:
            self.begin_round()
