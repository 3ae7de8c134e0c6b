#!/usr/bin/env python3
"""A bot that thinks about daumen drauf.

The plan.  Every card that is shown goes to the seat that shows last: worth 1 to it
if it is not toxic, -1 if it is.  So before each answer this bot reckons what
the cards on the table are worth.  Of its own and the open ones it knows the
fang; of a covered one it knows it, too, if it has seen the twin; the others
count as nothing.  Then it compares

    passing     somebody else gets all this
    a twin      I get it all, for certain
    a card      I get it all unless somebody shows a higher one, which is as
                likely as there are higher cards that I have not seen

and subtracts what the card would have been good for later: a non-toxic card
is worth keeping, a toxic one is best shown when another will take it.  No
dice: the same game is played the same way."""

import referee_bot


class DaumenDraufBot(referee_bot.Bot):
    WILLING = 0.75   # how often the holder of a higher card shows it
    BACK = 0.7       # weight of what another seat gets, if I may still come back
    PASSED = 0.9     # the same after I have passed
    KEEP = 0.3       # what a non-toxic card in the hand is worth
    STRONG = 0.2     # what the strongest of them is worth on top
    BURDEN = 0.3     # what a toxic card in the hand costs
    DOUBT = 0.0      # how toxic an unknown covered card counts

    def choose(self, ask):
        self.hidden = self.table.unseen()
        pot = sum(self.worth(entry[1]) for entry in self.table.shown)
        best, value = None, None
        for move in ask.moves:
            now = self.value(move, pot)
            if best is None or now > value:
                best, value = move, now
        return best

    def value(self, move, pot):
        others = 1 / (self.table.seats - 1)
        if move.verb == "pass":
            return -pot * others * self.PASSED
        card = move.args[0]
        pot += self.worth(card)
        if move.verb == "twin":
            return pot - self.keep(card)
        beaten = self.beaten(card)
        return ((1 - beaten) * pot - beaten * pot * others * self.BACK
                - self.keep(card))

    def worth(self, card):
        """Returns what a card is worth to the seat that takes it."""
        return {"n": 1.0, "t": -1.0, "?": -self.DOUBT}[self.table.fang(card)]

    def keep(self, card):
        """Returns what it is worth to keep a card for later."""
        if card[-1] == "t":
            return -self.BURDEN
        return self.KEEP + self.STRONG * int(card[1]) / self.table.top

    def beaten(self, card):
        """Returns the chance that somebody shows a higher card, or the twin,
        later."""
        table = self.table
        threats = sum(1 for other in self.hidden
                      if other[:2] == card[:2] or self.beats(other, card))
        share = threats / max(1, len(self.hidden))
        unbeaten = 1.0
        for seat in range(table.seats):
            if seat != table.me:
                lacks = (1 - share) ** table.free[seat]
                unbeaten *= 1 - self.WILLING * (1 - lacks)
        return 1 - unbeaten

    def beats(self, other, card):
        """Returns true if `other` would be higher once `card` is on the table."""
        if other[0] == card[0]:
            return int(other[1]) > int(card[1])
        return other[0] not in self.table.colours


if __name__ == "__main__":
    referee_bot.run(DaumenDraufBot)
