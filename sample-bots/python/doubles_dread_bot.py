#!/usr/bin/env python3
"""A bot that thinks about double's dread.

The plan.  Everything lies open, so a trick can be played out in the head: each
bark in turn plays every pawn that it may, mine for me, the others against me.
What counts at its end are the points I take less those that others take, and a
little of what the pawns I have used were worth; a pawn that the monster gets
is worth to the seat that wins last, so a part of it counts for no one.  The lead is
chosen in the same way.  Bids are modest: only who has the two best barks by
far promises what is asked at least, for a bid that fails is the others' gain.
No dice: the same game is played the same way."""

import referee_bot

USED = 0.25      # share of a pawn's points that it is worth later
FORCE = 0.05     # the same for its force
SURE = 33        # how strong my two best barks must be to bid
STEPS = 4000     # pawns tried out for one decision


class DoublesDreadBot(referee_bot.Bot):
    def choose(self, ask):
        verb = ask.moves[-1].verb
        if verb == "put":
            return self.put(ask)
        if verb == "lead":
            return self.lead(ask)
        if verb == "play":
            return self.play(ask)
        return self.bid(ask)

    def strength(self, pawns):
        """Returns roughly what a bark will take, from its points and high
        forces."""
        table = self.table
        return sum(table.value(pawn) + int(pawn[1]) / 4 for pawn in pawns)

    def bid(self, ask):
        barks = sorted(map(self.strength, self.table.barks.values()))
        least = next((move.low if move.is_range else int(move.args[0])
                      for move in ask.of("bid")), None)
        if least is None or sum(barks[-2:]) < SURE + least:
            return "pass"
        move = ask.of("bid")[0]
        return move.with_number(least) if move.is_range else move

    def put(self, ask):
        """Returns the best barks for me: for S, and for N or its replacement."""
        position = ask.moves[0].args[1]
        mine = position in ("S", "NW", "NE") or (
            position == "N" and self.table.seats < 4)
        by_strength = sorted(ask.moves, key=lambda move: (
            self.strength(self.table.barks[move.args[0]]), move.token))
        return by_strength[-1 if mine else 0]

    # A trick that is tried out is a list of (seat, pawn) on the table, the
    # required colour and the force.

    def lead(self, ask):
        self.steps = STEPS // len(ask.moves)
        return max(ask.moves, key=lambda move: (
            self.search(self.round_from(move.args[0]), [], None, None)[0],
            move.token))

    def play(self, ask):
        table = self.table
        self.steps = STEPS
        left = self.round_from(table.next)
        done = self.round_from(table.leads).index(table.next)
        pawn = self.search(left[:len(left) - done], list(table.lying),
                           table.colour, table.force)[1]
        return "play:" + pawn

    def round_from(self, position):
        order = list(self.table.at)
        at = order.index(position)
        return order[at:] + order[:at]

    @staticmethod
    def legal(pawns, colour, force):
        if colour is None:
            return pawns
        same = [pawn for pawn in pawns if pawn[0] == colour]
        return same or pawns

    def search(self, positions, lying, colour, force):
        """Returns (value for me, pawn) of the best way to play on."""
        table = self.table
        if not positions:
            return self.value(lying), None
        seat = table.at[positions[0]][1]
        pawns = table.pawns(positions[0])
        sign = 1 if seat == table.me else -1
        best = None
        for pawn in self.legal(pawns, colour, force):
            self.steps -= 1
            then = self.after(seat, pawn, lying, colour, force)
            value = self.search(positions[1:], *then)[0] - sign * self.used(
                pawn)
            if best is None or sign * value > sign * best[0]:
                best = value, pawn
            if self.steps < 0:
                break
        return best

    @staticmethod
    def after(seat, pawn, lying, colour, force):
        if colour is None:
            return [(seat, pawn)], pawn[0], pawn[1]
        if pawn[0] == colour:
            return lying + [(seat, pawn)], colour, force
        if pawn[1] == force:
            return [(seat, pawn)], pawn[0], force
        return lying, colour, force

    def used(self, pawn):
        return USED * self.table.value(pawn) + FORCE * int(pawn[1])

    def value(self, lying):
        """Returns what a finished trick is worth to me."""
        points = sum(self.table.value(pawn) for _, pawn in lying)
        winner = max(lying, key=lambda play: play[1][1])[0]
        return points if winner == self.table.me else -points


if __name__ == "__main__":
    referee_bot.run(DoublesDreadBot)
