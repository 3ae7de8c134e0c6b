'use strict';
/* referee-bot - the JavaScript kit: write a bot and never see a protocol line.
 *
 * Copy this file beside your bot.  It needs Node 12 and no packages.
 *
 *   const { Bot, run } = require('./referee-bot.js');
 *
 *   class Mine extends Bot {
 *     choose(ask) { return ask.moves[0]; }
 *   }
 *   run(Mine);
 *
 * For each game that begins, a new object of your class is made.  It may
 * define:
 *
 *   start()             a game begins; this.game tells which
 *   event(verb, words)  something happened, as your seat may see it
 *   choose(ask)         your turn: return one of ask.moves, or its token
 *   voided(number)      ask `number` needs no answer any more
 *   retired()           your seat made its last fault
 *   over(why)           the game is over (why is null) or was aborted
 *
 * and finds in `this`:
 *
 *   game    { id, name, seat, seats, options, names, open, time, bank,
 *             increment, faults }; names is null unless the match tells them
 *   table   what the events so far amount to: a ToepenTable, a
 *           DaumenDraufTable, or null in a game that this file does not know
 *   random  numbers that are the same whenever game and seat are the same
 *   say(text)  a remark, kept in the record
 *
 * Standard output belongs to the protocol: console.log() and
 * process.stdout.write() go to standard error.  If choose() throws or returns
 * what is not allowed, the kit shows why on standard error and makes the first
 * move of the list, so that the game goes on. */

const LINE_BYTES = 8191; // the longest line a referee sends
const SAY_BYTES = 200; // of one remark
const SAY_COUNT = 100; // remarks in one game

/** Reads the words of a `game` line; null if it is none. */
function readGame(words) {
  if (words.length < 7 || words[3] !== 'seat' || words[5] !== 'of') return null;
  const game = {
    id: words[1], name: words[2],
    seat: Number(words[4]), seats: Number(words[6]),
    options: {}, names: null, open: 'priority',
    time: 0, bank: 0, increment: 0, faults: 0,
  };
  for (const word of words.slice(7)) {
    const equals = word.indexOf('=');
    if (equals < 1) continue;
    const key = word.slice(0, equals);
    const value = word.slice(equals + 1);
    if (key === 'names') game.names = value.split(',');
    else if (key === 'open') game.open = value;
    else if (['time', 'bank', 'increment', 'faults'].includes(key)) {
      game[key] = Number(value);
    } else game.options[key] = value;
  }
  return Number.isInteger(game.seat) && Number.isInteger(game.seats)
    ? game : null;
}

/** One entry of a legal list: a move, or (low is not null) a range of them. */
class Move {
  constructor(token) {
    this.token = token;
    const found = /^(.*?)([0-9]+)\.\.([0-9]+)(.*)$/.exec(token);
    this.before = found ? found[1] : null;
    this.low = found ? Number(found[2]) : null;
    this.high = found ? Number(found[3]) : null;
    this.after = found ? found[4] : null;
  }

  get isRange() { return this.low !== null; }

  get verb() { return this.token.split(':')[0]; }

  get args() { return this.token.split(':').slice(1); }

  /** The token with this number in place of the range. */
  withNumber(number) {
    if (!(number >= this.low && number <= this.high)) {
      throw new RangeError(`${number} is not in ${this.token}`);
    }
    return this.before + number + this.after;
  }

  allows(token) {
    if (!this.isRange) return token === this.token;
    const n = Number(token.slice(this.before.length,
      token.length - this.after.length));
    return Number.isInteger(n) && n >= this.low && n <= this.high
      && token === this.withNumber(n);
  }

  toString() { return this.token; }
}

/** Small, and with the same numbers in all the kits: FNV-1a of `SEAT ID` is the
 * state of a xorshift32 (Marsaglia 2003: 13, 17, 5). */
class Random {
  constructor(text) {
    let state = 2166136261;
    for (const byte of Buffer.from(text)) {
      state = Math.imul(state ^ byte, 16777619);
    }
    this.state = state >>> 0 || 1;
  }

  /** A number from 0 to n-1; n is at most 2 to the power of 21. */
  below(n) {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return Math.floor(this.state * n / 4294967296);
  }

  pick(items) { return items[this.below(items.length)]; }
}

/** Derive your bot from this class. */
class Bot {
  start() {}

  event(verb, words) {} // eslint-disable-line no-unused-vars

  choose(ask) { return ask.moves[0]; }

  voided(number) {} // eslint-disable-line no-unused-vars

  retired() {}

  over(why) {} // eslint-disable-line no-unused-vars
}
Bot.botName = null; // shown in place of the file's name
Bot.entropy = false; // true: ask the referee to mix my dice into the deal

/** A game of toepen as one seat knows it. */
class ToepenTable {
  constructor(game) {
    this.me = game.seat;
    this.seats = game.seats;
    this.limit = Number(game.options.points || 15);
    this.points = Array(game.seats).fill(0);
    this.alive = new Set(this.points.keys());
    this.round(0, 0);
  }

  round(number, dealer) {
    this.dealer = Number(dealer);
    this.inside = new Set(this.alive); // the seats that have not folded
    this.stake = 1;
    this.lastKnocker = null;
    this.hand = [];
    this.held = Array(this.seats).fill(0); // cards in each seat's hand
    this.seen = new Set(); // the cards I know not to be elsewhere
    this.onTable = []; // { seat, card } of this trick
    this.tricks = 0; // complete ones
    this.leader = (this.dealer + 1) % this.seats;
    this.stock = 32;
    this.laid = null; // who laid a hand down last
  }

  deal(seat, ...cards) {
    this.held[seat] = cards.length;
    this.stock -= cards.length;
    if (Number(seat) !== this.me) return;
    this.hand = cards;
    for (const card of cards) this.seen.add(card);
  }

  move(seat, token) {
    const [verb, card] = token.split(':');
    if (verb === 'fold') this.inside.delete(Number(seat));
    else if (verb === 'knock') this.lastKnocker = Number(seat);
    else if (verb === 'mulligan') this.laid = Number(seat);
    else if (verb === 'play') {
      this.onTable.push({ seat: Number(seat), card });
      this.seen.add(card);
      this.held[seat] -= 1;
      if (Number(seat) === this.me) {
        this.hand = this.hand.filter((other) => other !== card);
      }
    }
  }

  reveal(seat, ...cards) { for (const card of cards) this.seen.add(card); }

  setStake(stake) { this.stake = Number(stake); }

  score(seat, points) { this.points[seat] = Number(points); }

  out(seat) {
    this.alive.delete(Number(seat));
    this.inside.delete(Number(seat));
  }

  trick(seat) {
    this.leader = Number(seat);
    this.onTable = [];
    this.tricks += 1;
  }
}
ToepenTable.events = {
  round: 'round', deal: 'deal', move: 'move', reveal: 'reveal',
  stake: 'setStake', score: 'score', out: 'out', trick: 'trick',
};

/** A match of daumen drauf as one seat knows it.  A card whose fang is not known
 * ends in `?`: `Y3?`. */
class DaumenDraufTable {
  constructor(game) {
    this.me = game.seat;
    this.seats = game.seats;
    this.total = Array(game.seats).fill(0);
    this.top = game.seats + 2; // the highest number
    this.round();
  }

  round() {
    this.hand = []; // mine, the covered card too
    this.free = Array(this.seats).fill(0); // each seat's cards to show
    this.stock = 6 * this.top;
    this.seen = new Set(); // whole cards I have seen
    this.piles = this.free.map(() => []);
    this.turn();
  }

  turn() {
    this.shown = []; // { seat, card, open }, in order
    this.colours = []; // in the order of their appearance
  }

  deal(seat, ...cards) {
    this.free[seat] += cards.length;
    this.stock -= cards.length;
    if (Number(seat) !== this.me) return;
    this.hand.push(...cards);
    for (const card of cards) this.seen.add(card);
  }

  move(seat, token) {
    const [verb, card] = token.split(':');
    if (verb !== 'show' && verb !== 'twin') return;
    this.shown.push({ seat: Number(seat), card, open: false });
    this.free[seat] -= 1;
    if (!this.colours.includes(card[0])) this.colours.push(card[0]);
  }

  open(seat, card) {
    const entry = this.shown.find((one) => one.seat === Number(seat)
      && !one.open);
    if (entry) Object.assign(entry, { card, open: true });
    this.seen.add(card);
    if (Number(seat) === this.me) {
      this.hand = this.hand.filter((other) => other !== card);
    }
  }

  take(seat, ...cards) {
    const mine = this.shown.filter((one) => one.seat === this.me)
      .map((one) => one.card);
    this.hand = this.hand.filter((card) => !mine.includes(card));
    this.piles[seat].push(...cards);
    for (const card of cards) if (!card.endsWith('?')) this.seen.add(card);
    this.turn();
  }

  score(seat, total) { this.total[seat] = Number(total); }
}
DaumenDraufTable.events = {
  round: 'round', turn: 'turn', deal: 'deal', draw: 'deal', move: 'move',
  open: 'open', take: 'take', score: 'score',
};

const TABLES = { toepen: ToepenTable, 'daumen-drauf': DaumenDraufTable };

/** A slow bot finds asks in its pipe that are void by now. */
function isVoid(number, lines, next) {
  for (let i = next; i < lines.length; i += 1) {
    if (lines[i].startsWith('ask ')) return false;
    if (lines[i].trim() === `void ${number}`) return true;
  }
  return false;
}

/** The conversation, apart from what carries it: feed() takes what has arrived,
 * `send` is given what is to leave. */
class Session {
  constructor(Make, send) {
    this.Make = Make;
    this.send = send;
    this.ended = false; // the referee has said `bye`
    this.bot = null; // of the game that is on
    this.rest = ''; // of a line that is not whole yet
    this.skipping = false;
    this.out = '';
    this.remarks = 0;
    if (Make.botName) {
      this.write(`bot 1 ${Make.botName}${Make.entropy ? ' entropy=yes' : ''}`);
    }
    this.flush();
  }

  feed(data) {
    const lines = (this.rest + data).split('\n');
    this.rest = lines.pop();
    if (this.skipping && lines.length) {
      lines.shift();
      this.skipping = false;
    }
    for (let i = 0; i < lines.length && !this.ended; i += 1) {
      if (lines[i].length <= LINE_BYTES) this.line(lines[i], lines, i + 1);
    }
    if (this.skipping || this.rest.length > LINE_BYTES) {
      this.rest = '';
      this.skipping = true;
    }
    this.flush();
  }

  write(line) { this.out += `${line}\n`; }

  flush() {
    const { out } = this;
    this.out = '';
    if (out) this.send(out);
  }

  /** A mistake of the bot's author ends neither bot nor game. */
  guard(work) {
    try {
      return work();
    } catch (error) {
      console.error(error);
      return null;
    }
  }

  line(line, lines, next) {
    const words = line.split(/[ \r]+/).filter((word) => word);
    const { bot } = this;
    switch (words[0]) {
      case undefined: case 'referee': case 'commit': break;
      case 'game': this.game(words); break;
      case 'ask': this.ask(words, lines, next); break;
      case 'entropy?':
        this.write(`entropy ${require('crypto').randomBytes(32)
          .toString('hex')}`);
        break;
      case 'void': if (bot) this.guard(() => bot.voided(Number(words[1]))); break;
      case 'retired': if (bot) this.guard(() => bot.retired()); break;
      case 'over': case 'abort':
        this.bot = null;
        if (bot) {
          const why = words[0] === 'abort' ? words.slice(2).join(' ') : null;
          this.guard(() => bot.over(why));
        }
        break;
      case 'ping': this.write(['pong', ...words.slice(1)].join(' ')); break;
      case 'error': console.error(`the referee says: ${line.slice(6)}`); break;
      case 'bye': this.ended = true; break;
      default: if (bot) this.event(words[0], words.slice(1));
    }
  }

  event(verb, words) {
    const { bot } = this;
    const { table } = bot;
    this.guard(() => {
      const { events } = table ? table.constructor : { events: {} };
      if (Object.prototype.hasOwnProperty.call(events, verb)) {
        table[events[verb]](...words);
      }
    });
    this.guard(() => bot.event(verb, words));
  }

  game(words) {
    const game = readGame(words);
    if (!game) return;
    const bot = new this.Make();
    bot.game = game;
    bot.random = new Random(`${game.seat} ${game.id}`);
    bot.table = Object.prototype.hasOwnProperty.call(TABLES, game.name)
      ? new TABLES[game.name](game) : null;
    bot.say = (text) => this.remark(text);
    this.bot = bot;
    this.remarks = 0;
    this.guard(() => bot.start());
  }

  ask(words, lines, next) {
    const { bot } = this;
    if (!bot || words.length < 4) return;
    if (isVoid(words[1], lines, next)) return;
    const moves = words.slice(3).map((token) => new Move(token));
    let token = String(this.guard(() => bot.choose({
      number: Number(words[1]), ms: Number(words[2]), moves,
    })));
    if (!moves.some((move) => move.allows(token))) {
      console.error(`not legal: ${token}; making the first move instead`);
      token = moves[0].token;
    }
    this.write(`do ${words[1]} ${token}`);
    this.flush();
  }

  remark(text) {
    const clean = String(text).replace(/[^ -~]+/g, ' ').trim()
      .slice(0, SAY_BYTES);
    if (clean && this.remarks < SAY_COUNT) {
      this.remarks += 1;
      this.write(`say ${clean}`);
    }
  }
}

/** Standard input and output; whatever else writes to standard output from now
 * on reaches standard error. */
function pipes() {
  const to = process.stdout;
  const write = to.write.bind(to);
  global.console = new console.Console(process.stderr, process.stderr);
  to.write = process.stderr.write.bind(process.stderr);
  to.on('error', () => process.exit(0)); // the referee is gone
  return { input: process.stdin, send: write };
}

/** Plays until the referee says bye or goes away.  `Make` is your class; a
 * `transport` has `input`, a stream to read, and send(text). */
function run(Make, transport = pipes()) {
  const session = new Session(Make, transport.send);
  transport.input.setEncoding('latin1');
  transport.input.on('data', (data) => {
    session.feed(data);
    if (session.ended) transport.input.destroy();
  });
}

module.exports = {
  Bot, Move, Random, Session, ToepenTable, DaumenDraufTable, run,
};
