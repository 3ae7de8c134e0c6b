#!/usr/bin/env python3
"""A bot that thinks about toepen.

The plan.  Only the last trick counts, and who leads it wins it more often
than not.  So the worth of a hand is the chance to take the last trick, found
by looking at the own cards alone: lead() and follow() try each order in which
they can be played.  What the others may hold enters by one number a card:
how likely it is that no seat that is still in has a higher one of its suit.

With that chance every decision is a comparison of two sums of points, mine
against the others' average: knock or not, stay or fold, a new hand or this
one.  How the others behave (how often they fold, bluff and challenge) is
counted during the game.  No dice: the same game is played the same way."""

import referee_bot

SUITS = "CDHS"
HONEST = 0.05    # share of hands of four cards that have no number card
DEATH = 4.0      # what elimination costs on top of the points
REPLY = 0.7      # how much less an answering card wins than a led one


class ToepenBot(referee_bot.Bot):
    def start(self):
        seats = range(self.game.seats)
        self.rounds = 0
        self.folds = [1.0] * len(seats)      # number of answers to knocks
        self.answers = [2.5] * len(seats)
        self.laid = [0] * len(seats)         # hands laid down
        self.caught = [0] * len(seats)
        self.honest = [0] * len(seats)
        self.mulligans = 2.0                 # all mulligans, challenged ones
        self.challenges = 1.0

    def event(self, verb, words):
        if verb == "round":
            self.rounds += 1
        elif verb == "move":
            seat, move = int(words[0]), words[1]
            if move in ("stay", "fold"):
                self.answers[seat] += 1
                self.folds[seat] += move == "fold"
            elif move == "mulligan":
                self.laid[seat] += 1
                self.mulligans += 1
            elif move == "challenge":
                self.challenges += 1
        elif verb == "reveal":
            bluff = any(card[0] in "789T" for card in words[1:])
            (self.caught if bluff else self.honest)[int(words[0])] += 1

    # This part decides.

    def choose(self, ask):
        table = self.table
        self.rivals = [s for s in table.inside if s != table.me]
        verbs = {move.verb for move in ask.moves}
        if "challenge" in verbs:
            return "challenge" if self.doubts(table.laid) else "pass"
        card, chance = self.outlook(ask.of("play"))
        if "fold" in verbs:
            return "stay" if self.stays(chance) else "fold"
        if "mulligan" in verbs and self.swaps(chance):
            return "mulligan"
        if "knock" in verbs and self.knocks(chance):
            return "knock"
        return card or "pass"

    def doubts(self, seat):
        """Returns true if it pays to challenge the hand that `seat` laid down:
        such a hand comes once in twenty rounds."""
        excess = 1 - min(1, HONEST * self.rounds / self.laid[seat])
        record = (self.caught[seat] + 1) / (
            self.caught[seat] + self.honest[seat] + 1)
        bluff = excess * record
        return bluff * self.others(self.cost(seat, 1)) > (
            (1 - bluff) * self.cost(self.table.me, 1))

    def swaps(self, chance):
        """Returns true if it pays to lay the hand down for a new one."""
        average = 1 / (len(self.rivals) + 1)
        gain = (average - chance) * (self.table.stake + 1.5)
        if all(card[0] in "JQKA" for card in self.table.hand):
            return gain > 0
        caught = min(1, self.challenges / self.mulligans)
        return gain > caught * self.cost(self.table.me, 1)

    def stays(self, chance):
        stake = self.table.stake
        away = (self.others(self.pay(stake) - self.cheapest(stake))
                - self.cost(self.table.me, stake - 1))
        return self.showdown(chance, stake) >= away

    def knocks(self, chance):
        """Returns true if knocking pays: some seats will fold and pay the
        present stake, the others play for more.  The chances to beat each of
        them are multiplied."""
        stake = self.table.stake
        each = chance ** (1 / len(self.rivals))
        wins, paid, staying = 1.0, 0.0, 0.0
        for seat in self.rivals:
            folds = self.folds[seat] / self.answers[seat]
            wins *= folds + (1 - folds) * each
            paid += folds * self.cost(seat, stake)
            staying += (1 - folds) * self.cost(seat, stake + 1)
        lost = staying / len(self.rivals)
        value = (self.others(paid + staying - (1 - wins) * lost)
                 - (1 - wins) * self.cost(self.table.me, stake + 1))
        return value > self.showdown(chance, stake) + 0.05

    # This part says what points are worth.

    def cost(self, seat, points):
        left = self.table.limit - self.table.points[seat]
        return points + (DEATH if points >= left else 0)

    def pay(self, points):
        return sum(self.cost(seat, points) for seat in self.rivals)

    def cheapest(self, points):
        return min(self.cost(seat, points) for seat in self.rivals)

    def others(self, points):
        """Returns what these points of others are worth to me."""
        return points / max(1, len(self.table.alive) - 1)

    def showdown(self, chance, stake):
        """Returns what playing on for this stake is worth."""
        lost = self.others(self.pay(stake) - self.cheapest(stake))
        return (chance * self.others(self.pay(stake))
                + (1 - chance) * (lost - self.cost(self.table.me, stake)))

    # This part says what the cards are worth.

    def outlook(self, plays):
        """Returns the best card to play now, and the chance to take the last
        trick; (None, chance) if it is another seat's turn."""
        self.safe = {card: self.safety(card) for card in self.table.hand}
        self.known = {}
        hand = frozenset(self.table.hand)
        if not plays:
            mine = [c for s, c in self.table.lying if s == self.table.me]
            if mine:
                return None, self.after(mine[0], hand)
            return None, self.follow(hand)
        best = max(plays, key=lambda move: (self.after(
            move.args[0], hand - set(move.args)), move.token))
        return best, self.after(best.args[0], hand - set(best.args))

    def after(self, card, hand):
        """Returns the chance with this card in the trick and these in the hand."""
        table = self.table
        winning = table.winning()
        wins = self.safety(card)
        if winning and winning[0] != table.me:
            suit = winning[1][1]
            if card[1] != suit or table.rank(card) < table.rank(winning[1]):
                wins = 0.0
        elif winning and winning[1] != card:
            wins = 0.0
        if not hand:
            return wins
        return wins * self.lead(hand) + (1 - wins) * self.follow(hand)

    def safety(self, card):
        """Returns the chance that no seat still to play has a higher one."""
        table = self.table
        unseen = 32 - len(table.seen)
        done = {seat for seat, _ in table.lying}
        held = sum(table.held[s] for s in self.rivals if s not in done)
        above = table.unseen_above(card)
        return (1 - above / max(unseen, above + 1)) ** held

    def lead(self, hand):
        """Returns the chance to take the last trick with this hand and the
        lead."""
        if not hand:
            return 0.0
        if (hand, "lead") not in self.known:
            self.known[hand, "lead"] = max(
                self.takes(card, hand, 1.0) for card in hand)
        return self.known[hand, "lead"]

    def follow(self, hand):
        """Returns the chance if another seat leads, each suit being equally
        likely."""
        if not hand:
            return 0.0
        if (hand, "follow") not in self.known:
            total = 0.0
            for suit in SUITS:
                same = [card for card in hand if card[1] == suit]
                total += max(self.takes(card, hand, REPLY if same else 0)
                             for card in same or hand)
            self.known[hand, "follow"] = total / len(SUITS)
        return self.known[hand, "follow"]

    def takes(self, card, hand, factor):
        wins = self.safe[card] * factor
        rest = hand - {card}
        if not rest:
            return wins
        return wins * self.lead(rest) + (1 - wins) * self.follow(rest)


if __name__ == "__main__":
    referee_bot.run(ToepenBot)
