'use strict';
/* Does what an author should not do, to see the kit put up with it: prints,
 * fails, answers what is not allowed.  At each ask it says its hand and its
 * table, and unless it fails makes the last move of the list. */

const { Bot, run } = require('../../sample-bots/javascript/referee-bot.js');

class HandBot extends Bot {
  start() {
    console.log('a game begins');
    this.say('tab\there');
    if (this.used) this.say('this object has played before');
    this.used = true;
  }

  event(verb) {
    if (verb === 'round') throw new Error('an author\'s mistake');
  }

  choose(ask) {
    const { table } = this;
    process.stdout.write('do 1 noise\n');
    this.say(['hand', ...[...table.hand].sort()].join(' '));
    this.say(['table', table.round, table.stake, table.stock,
      'held', ...table.held, 'points', ...table.points,
      'inside', ...[...table.inside].sort(), 'seen', table.seen.size,
      table.trump || '-',
      ...table.lying.map(({ seat, card }) => `${seat}:${card}`)].join(' '));
    if (ask.number % 6 === 0) throw new Error('another one');
    if (ask.number === 3) return 'non..sense';
    if (ask.number % 3 === 0) return 'nonsense';
    const last = ask.moves[ask.moves.length - 1];
    return last.isRange ? last.withNumber(last.low) : last;
  }
}
HandBot.botName = 'hand';

run(HandBot);
