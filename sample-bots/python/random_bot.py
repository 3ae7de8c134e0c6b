#!/usr/bin/env python3
"""Every legal move is equally likely, and so is every number of a range.

The choices depend only on the game's ID and the seat."""

import referee_bot


class RandomBot(referee_bot.Bot):
    def choose(self, ask):
        move = self.random.pick(ask.moves)
        if not move.is_range:
            return move
        size = move.high - move.low + 1
        return move.with_number(move.low + self.random.below(size))


if __name__ == "__main__":
    referee_bot.run(RandomBot)
