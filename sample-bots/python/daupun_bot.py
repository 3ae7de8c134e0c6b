#!/usr/bin/env python3
"""A bot that thinks about daupun.

The plan.  What a hand is worth is tried out: it does battle with a few hands
that the other seat may hold, made of cards that have not been seen, and the
average of what I gain and the other does not is its worth.  Of the six cards
the one goes that leaves the best five.  A hand that wins clearly is called
with, or stakes are raised for it; to an offer or a call the answer is the
better of two sums, what the battle is worth and what is lost by leaving.  The
dice are the kit's, so the same game is played the same way."""

import referee_bot

HANDS = 16       # hands that are tried out
GOAL = 25        # what a hand must add up to
AWAY = {0: 2, 1: 1, 2: 0, 3: 1, 4: 0, 5: 0}  # low tricks removed, by number of ties
CALL = 4.0       # from this worth on a hand calls the battle
STAKE = 8.0      # from this worth on it stakes a little
DECK = [rank + suit for rank in "A23456789T" for suit in "CDHS"]


def battle(mine, theirs, pot):
    """Returns what I gain minus what the other seat gains; both hands are
    sorted values."""
    tricks = [[5 - i + abs(a - b), a < b, i] for i, (a, b)
              in enumerate(zip(mine, theirs)) if a != b]
    tricks.sort(key=lambda trick: (trick[0], -trick[2]))
    tricks = tricks[AWAY[5 - len(tricks)]:]
    if not tricks:
        return 0
    worth = sum(trick[0] for trick in tricks)
    won = sum(1 for trick in tricks if trick[1])
    lost = len(tricks) - won
    good, other_good = sum(mine) >= GOAL, sum(theirs) >= GOAL
    if good != other_good:
        wins = good
    else:
        wins = won > lost
    gain = 0 if other_good and not good else won * worth
    loss = 0 if good and not other_good else lost * worth
    return gain - loss + (pot if wins else -pot)


class DaupunBot(referee_bot.Bot):
    def choose(self, ask):
        table = self.table
        self.values = {card: table.value(card) for card in DECK}
        self.others = self.try_hands()
        verbs = {move.verb for move in ask.moves}
        if "discard" in verbs:
            return self.discard(ask)
        if "out" in verbs:
            return "in" if self.goes_on() else "out"
        if "leave" in verbs:
            return "stay" if self.worth(table.hand) > -1 - table.stake \
                else "leave"
        return self.exchange(ask)

    def try_hands(self):
        """Returns some hands that the other seat may hold, as sorted values."""
        unseen = [card for card in DECK if card not in self.table.seen]
        hands = []
        for _ in range(HANDS):
            for i in range(5):
                j = i + self.random.below(len(unseen) - i)
                unseen[i], unseen[j] = unseen[j], unseen[i]
            hands.append(sorted(self.values[card] for card in unseen[:5]))
        return hands

    def worth(self, hand, pot=None):
        pot = self.table.stake if pot is None else pot
        mine = sorted(self.values[card] for card in hand)
        return sum(battle(mine, theirs, pot)
                   for theirs in self.others) / len(self.others)

    def without(self, card):
        return [other for other in self.table.hand if other != card]

    def discard(self, ask):
        plain = [move for move in ask.of("discard") if len(move.args) == 1]
        worths = {move.args[0]: self.worth(self.without(move.args[0]))
                  for move in plain}
        best = max(plain, key=lambda move: (worths[move.args[0]], move.token))
        card = best.args[0]
        if worths[card] > STAKE and ask.of("stake") and self.table.stake < 20:
            return "stake"
        call = "discard:%s:stay" % card
        if worths[card] > CALL and any(
                move.token == call for move in ask.moves):
            return call
        return best

    def goes_on(self):
        """Returns true if a higher pot is worth it: giving up costs the present
        pot.  The best five of six cards count if I still have to discard one."""
        table = self.table
        hands = [table.hand]
        if len(table.hand) == 6:
            hands = [self.without(card) for card in table.hand]
        return max(map(self.worth, hands)) > -2 - table.stake

    def exchange(self, ask):
        best, most = "keep", self.worth(self.table.hand)
        if ask.of("stay") and most > CALL:
            return "stay"
        for move in ask.of("swap"):
            away, back = move.args
            worth = self.worth(self.without(away) + [back])
            if worth > most + 1:
                best, most = move, worth
        return best


if __name__ == "__main__":
    referee_bot.run(DaupunBot)
