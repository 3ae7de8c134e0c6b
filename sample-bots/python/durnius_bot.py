#!/usr/bin/env python3
"""A bot that thinks about durnius.

The plan.  A card costs what it could still beat: its rank, and a trump more
than any other card.  Attack with the cheapest card, and of equally cheap ones
with one that the hand has twice, for its like can be added.  Beat with the
cheapest card that does it, but take when that costs more than the cards to be
taken are worth; the longer the talon, the less is a good card thrown away for
a bad one.  Add what is cheap; pass the attack on whenever that is possible.
Once the talon is empty only one thing counts: to be rid of the cards.  No
dice: the same game is played the same way."""

import itertools

import referee_bot

TRUMP = 9        # ranks by which a trump is dearer than another card
CHEAP = 5        # a card that costs at most this is added, and so is a pair
SPARE = 3.5      # what each card that is picked up costs the hand
FULL = 36        # cards of a deck


class DurniusBot(referee_bot.Bot):
    def choose(self, ask):
        self.late = self.table.stock == 0
        verbs = {move.verb for move in ask.moves}
        if "attack" in verbs:
            return min(ask.moves, key=self.attacking)
        if "take" in verbs:
            return self.defend(ask)
        return self.add(ask)

    def cost(self, card):
        rank = self.table.rank(card)
        return rank + (TRUMP if self.table.is_trump(card) else 0)

    def attacking(self, move):
        card = move.args[0]
        likes = sum(1 for other in self.table.hand if other[0] == card[0])
        return self.cost(card) - 0.5 * likes, move.token

    def add(self, ask):
        """Returns the cheapest card that may be added, if it is cheap enough."""
        moves = ask.of("add")
        if not moves:
            return "pass"
        move = min(moves, key=lambda one: (self.cost(one.args[0]), one.token))
        card = move.args[0]
        if self.late:
            good = not self.table.is_trump(card) or len(self.table.hand) < 3
        else:
            good = self.cost(card) <= CHEAP
        return move if good else "pass"

    def defend(self, ask):
        on = ask.of("show") or [
            move for move in ask.of("transfer")
            if self.late or not self.table.is_trump(move.args[0])]
        if on:
            return min(on, key=lambda one: (self.cost(one.args[0]), one.token))
        plan = self.cheapest(ask.of("beat"))
        return plan or "take"

    def cheapest(self, beats):
        """Returns the next step of the cheapest way to beat all; None: take
        instead."""
        by_attack = {}
        for move in beats:
            by_attack.setdefault(move.args[0], []).append(move)
        if not by_attack or len(by_attack) < self.unbeaten():
            return None
        ways = (way for way in itertools.islice(
            itertools.product(*by_attack.values()), 2000)
            if len({move.args[1] for move in way}) == len(way))
        best = min(ways, default=None, key=self.price)
        if best is None or self.price(best) > self.patience():
            return None
        return min(best, key=lambda one: (self.cost(one.args[1]), one.token))

    def unbeaten(self):
        """Returns how many cards must be beaten; equal cards may lie there
        twice."""
        table = self.table
        beating = sum(1 for seat, _ in table.lying if seat == table.me)
        return len({card for seat, card in table.lying
                    if seat != table.me}) - beating

    def price(self, way):
        ranks = {card[0] for _, card in self.table.lying}
        new = sum(0.5 for move in way if move.args[1][0] not in ranks)
        return sum(self.cost(move.args[1]) for move in way) + new

    def patience(self):
        """Returns the highest cost at which beating is better than taking."""
        if self.late:
            return 1000
        table = self.table
        gained = sum(self.cost(card) - SPARE * 2 for _, card in table.lying)
        played = 1 - table.stock / FULL
        return 15 + 12 * played - min(0, gained)


if __name__ == "__main__":
    referee_bot.run(DurniusBot)
