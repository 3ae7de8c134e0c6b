#!/usr/bin/env node
'use strict';
/* Every legal move is as likely as any other; so is every number of a range.
 * Its moves follow from the game's ID and its seat alone. */

const { Bot, run } = require('./referee-bot.js');

class RandomBot extends Bot {
  choose(ask) {
    const move = this.random.pick(ask.moves);
    if (!move.isRange) return move;
    const size = move.high - move.low + 1;
    return move.withNumber(move.low + this.random.below(size));
  }
}

run(RandomBot);
