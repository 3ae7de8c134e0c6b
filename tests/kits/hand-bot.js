'use strict';
/* Does what an author should not do, to see the kit put up with it: prints,
 * fails, answers what is not allowed.  At each ask it says its hand, and unless
 * it fails makes the last move of the list. */

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
    process.stdout.write('do 1 noise\n');
    this.say(['hand', ...[...this.table.hand].sort()].join(' '));
    if (ask.number % 6 === 0) throw new Error('another one');
    return ask.number % 3 ? ask.moves[ask.moves.length - 1] : 'nonsense';
  }
}
HandBot.botName = 'hand';
HandBot.entropy = true;

run(HandBot);
