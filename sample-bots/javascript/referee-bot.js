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
 *             increment, total, faults }; names is null unless the match tells
 *             them, total (for the whole game) 0 if there is no such bound
 *   table   a Table: what the events so far amount to; null in a game that
 *           this file does not know
 *   random  numbers that are the same whenever game and seat are the same
 *   say(text)  a remark, kept in the record
 *
 * Standard output belongs to the protocol: console.log() and
 * process.stdout.write() go to standard error.  If choose() throws or returns
 * what is not allowed, the kit shows why on standard error, tells the referee
 * (`say fallback TYPE: TEXT`) and makes the first move of the list, so that the
 * game goes on.  What else throws is told by `say failed`.
 *
 * A referee starts this program for each game.  With these arguments, which are
 * the kit's, it goes to a referee that runs elsewhere instead and plays game
 * after game there; what stands before --connect is yours:
 *
 *   --connect HOST:PORT   where the referee listens
 *   --name NAME           who this bot is there (else: botName of your class)
 *   --token-file FILE     the secret that it was given
 *   --ladder LADDER       where to play; may be repeated
 *   --tls                 the connection is TLS; beyond this machine it must be
 *   --ca FILE             TLS; authorities to believe, not the usual ones
 *   --fingerprint HEX     TLS; believe the certificate with this SHA-256 only
 *
 * A lost connection is made again, and the game goes on where it was.  SIGTERM
 * or SIGINT: the last game is played to its end; the second one ends all at
 * once. */

const LINE_BYTES = 8191; // the longest line a referee sends
const SAY_BYTES = 200; // of one remark
const SAY_COUNT = 100; // remarks in one game
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

// These hold for a connection to a referee elsewhere, in milliseconds.
const CONNECT_MS = 10000;
const SILENT_MS = 75000; // a referee that lives is never silent for so long
const WAIT_MS = 100; // after a loss, twice as long after each further one
const WAIT_MS_MAX = 15000;

/** Reads the words of a `game` line; null if it is none. */
function readGame(words) {
  if (words.length < 7 || words[3] !== 'seat' || words[5] !== 'of') return null;
  const game = {
    id: words[1], name: words[2],
    seat: Number(words[4]), seats: Number(words[6]),
    options: {}, names: null, open: 'priority',
    time: 0, bank: 0, increment: 0, total: 0, faults: 0,
  };
  for (const word of words.slice(7)) {
    const equals = word.indexOf('=');
    if (equals < 1) continue;
    const key = word.slice(0, equals);
    const value = word.slice(equals + 1);
    if (key === 'names') game.names = value.split(',');
    else if (key === 'open') game.open = value;
    else if (['time', 'bank', 'increment', 'total', 'faults'].includes(key)) {
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

// Tells of each game how many cards a round has (so many, and so many for each seat,
// times the number of an option), and which card of a move goes from the hand onto the
// table.
const GAMES = {
  // made by make-tables.py:
  'daumen-drauf': [12, 6, '', {  }],
  'daupun': [40, 0, '', { discard: 1, swap: 1 }],
  'doubles-dread': [32, 0, '', { play: 1 }],
  'durnius': [36, 0, 'decks', { attack: 1, beat: 2, transfer: 1, add: 1 }],
  'toepen': [32, 0, '', { play: 1 }],
  // end of what make-tables.py makes
};

/** A game as one seat knows it, by the event lines so far.  These fields are
 * the same in all games and in all the kits:
 *
 *   me, seats   my seat, and how many there are
 *   round       the number of the round that is on
 *   hand        my cards; of doubles-dread the pawns of my barks
 *   held        by seat: how many cards each has in its hand
 *   points      by seat: as the last `score` said
 *   inside      a Set: the seats that are still in the round
 *   stake       what it is about: toepen's stake, daupun's pot, the bid of
 *               doubles-dread; else 0
 *   stock       how many cards no seat has yet
 *   lying       { seat, card }: on the table in this turn or trick; of daupun
 *               the two reserves
 *   seen        a Set: the cards that I have seen in this round
 *   trump       of durnius the trump card; else null
 *
 * A card that is shown with its fang covered ends in `?`: `Y3?`. */
class Table {
  constructor(game) {
    this.game = game;
    this.me = game.seat;
    this.seats = game.seats;
    this.points = Array(game.seats).fill(0);
    this.alive = new Set(this.points.keys());
    const [fixed, eachSeat, times, lays] = GAMES[game.name];
    this.lays = lays;
    this.cards = (fixed + eachSeat * game.seats)
      * Number(game.options[times] || 1);
    this.begin(0);
  }

  /** A round begins. */
  begin(number) {
    this.round = Number(number);
    this.hand = [];
    this.held = Array(this.seats).fill(0);
    this.inside = new Set(this.alive);
    this.stake = this.game.name === 'toepen' ? 1 : 0;
    this.stock = this.cards;
    this.lying = [];
    this.seen = new Set();
    this.trump = null;
    this.barks = {}; // of doubles-dread
  }

  see(cards) {
    for (const card of cards) if (!card.includes('?')) this.seen.add(card);
  }

  /** Into a hand. */
  give(seat, cards) {
    this.held[seat] += cards.length;
    this.see(cards);
    if (seat === this.me) this.hand.push(...cards);
  }

  /** Out of a hand. */
  leave(seat, card) {
    this.held[seat] -= 1;
    this.see([card]);
    const at = this.hand.indexOf(card);
    if (seat === this.me && at >= 0) this.hand.splice(at, 1);
  }

  lay(seat, card) {
    this.leave(seat, card);
    this.lying.push({ seat, card });
  }

  /** A `move` line. */
  move(seat, verb, card, other) {
    if (this.lays[verb]) this.lay(seat, this.lays[verb] === 1 ? card : other);
    switch (verb) {
      case 'fold': this.inside.delete(seat); break;
      case 'show': case 'twin':
        if (this.game.name === 'daumen-drauf') this.lying.push({ seat, card });
        else this.see([card]);
        break;
      case 'swap':
        this.lying = this.lying.filter((one) => one.card !== other);
        this.give(seat, [other]);
        break;
      default:
    }
  }

  /** `open`: the card that a seat showed before its last one. */
  open(seat, card) {
    const mine = this.lying.filter((one) => one.seat === seat);
    if (mine.length > 1) mine[mine.length - 2].card = card;
    this.leave(seat, card);
  }

  /** `take`: the last card that each seat showed leaves its hand. */
  take(cards) {
    for (let seat = 0; seat < this.seats; seat += 1) {
      const mine = this.lying.filter((one) => one.seat === seat);
      if (mine.length) this.leave(seat, mine[mine.length - 1].card);
    }
    this.see(cards);
    this.lying = [];
  }

  event(verb, words) {
    const [first, ...rest] = words;
    const seat = Number(first);
    switch (verb) {
      case 'round':
        this.begin(first);
        if (words.includes('pot')) this.stake = Number(words[8]);
        break;
      case 'deal':
        this.held[seat] = 0;
        if (seat === this.me) this.hand = [];
        this.event('draw', words);
        break;
      case 'draw':
        this.stock -= rest.length;
        this.give(seat, rest);
        break;
      case 'bark':
        this.barks[first] = rest;
        this.stock -= rest.length;
        this.see(rest);
        break;
      case 'at': this.give(Number(words[2]), this.barks[words[1]]); break;
      case 'move': this.move(seat, ...words[1].split(':')); break;
      case 'stake': case 'pot': this.stake = Number(first); break;
      case 'south': this.stake = Number(words[1]); break;
      case 'trump':
        this.trump = first;
        this.see([first]);
        break;
      case 'reveal': this.see(rest); break;
      case 'show': this.see(rest.slice(1)); break;
      case 'score': this.points[seat] = Number(words[1]); break;
      case 'out':
        this.inside.delete(seat);
        if (this.game.name === 'toepen') this.alive.delete(seat);
        break;
      case 'swallow':
        this.lying = this.lying.filter((one) => !words.includes(one.card));
        break;
      case 'trick':
        if (this.game.name !== 'daupun') this.lying = [];
        break;
      case 'turn': case 'discard': this.lying = []; break;
      case 'pickup':
        this.held[seat] += Number(words[1]);
        if (seat === this.me) {
          this.hand.push(...this.lying.map((one) => one.card));
        }
        this.lying = [];
        break;
      case 'open': this.open(seat, words[1]); break;
      case 'take': this.take(rest); break;
      default:
    }
  }
}

/** A slow bot finds asks in its pipe that are void by now. */
function isVoid(number, lines, next) {
  for (let i = next; i < lines.length; i += 1) {
    if (lines[i].startsWith('ask ')) return false;
    if (lines[i].trim() === `void ${number}`) return true;
  }
  return false;
}

const OUTSIDE = ['referee', 'ping', 'error', 'bye', 'gone', 'awaits']; // of any game

/** The conversation, apart from what carries it: feed() takes what has arrived,
 * `send` is given what is to leave.  `ladders` are for a referee elsewhere, with
 * whom it has one connection or several. */
class Session {
  constructor(Make, send, ladders = null) {
    this.Make = Make;
    this.send = send;
    this.ladders = ladders;
    this.bot = null; // of the game that is on
    this.read = 0; // lines of that game
    this.answer = null; // the last one in that game, as it was sent
    this.remarks = 0;
    this.quitting = false;
    this.clear();
  }

  /** Nothing has been heard on a connection yet. */
  clear() {
    this.welcome = false; // the referee has said who it is
    this.moved = false; // a line of a game has come
    this.error = null; // why the referee ends the connection
    this.unwanted = false; // and does not want us to come again
    this.ended = false; // it has said `bye`
    this.awaits = { id: null, ask: 0 }; // a game, and the ask of it that counts
    this.rest = ''; // of a line that is not whole yet
    this.skipping = false;
    this.out = '';
  }

  /** A connection is there; a game that was on before still is. */
  begin(name, token) {
    this.clear();
    if (name) {
      this.write(['bot 1', name, ...(token ? [`token=${token} entropy=yes`] : []),
        ...(this.bot ? [`resume=${this.bot.game.id}:${this.read}`] : []),
      ].join(' '));
    }
    this.flush();
  }

  /** No game after this one. */
  quit() {
    this.quitting = true;
    if (this.welcome) this.write('quit');
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

  /** Elsewhere a line may come late: it must not count in the next game. */
  writeInGame(line) {
    const { bot } = this;
    const whole = this.ladders && bot ? `@${bot.game.id} ${line}` : line;
    this.write(whole);
    return whole;
  }

  sendEntropy() {
    const dice = require('crypto').randomBytes(32).toString('hex');
    this.writeInGame(`entropy ${dice}`);
    if (this.ladders && this.bot) {
      console.error(`entropy ${this.bot.game.id} ${dice}`);
    }
  }

  flush() {
    const { out } = this;
    this.out = '';
    if (out) this.send(out);
  }

  /** A mistake of the bot's author ends neither bot nor game. */
  guard(work) {
    const why = attempt(work);
    if (!why) return;
    if (this.bot && !this.failing) this.say(`failed ${why}`);
    this.failing = true;
  }

  line(line, lines, next) {
    const words = line.split(/[ \r]+/).filter((word) => word);
    const { bot } = this;
    if (bot && words.length && !OUTSIDE.includes(words[0])) {
      this.read += 1;
      this.moved = true;
    }
    switch (words[0]) {
      case undefined: case 'commit': break;
      case 'referee': this.referee(); break;
      case 'game': this.game(words); break;
      case 'ask': this.ask(words, lines, next); break;
      case 'entropy?': this.sendEntropy(); break;
      case 'void': if (bot) this.guard(() => bot.voided(Number(words[1]))); break;
      case 'retired': if (bot) this.guard(() => bot.retired()); break;
      case 'over': this.over(null); break;
      case 'abort': this.over(words.slice(2).join(' ')); break;
      case 'gone':
        if (bot && words[1] === bot.game.id) {
          this.over('nothing is known of it any more');
        }
        break;
      case 'awaits':
        this.awaits = { id: words[1], ask: Number(words[2]) };
        break;
      case 'ping': this.write(['pong', ...words.slice(1)].join(' ')); break;
      case 'error':
        words.shift();
        while (words.length && /^[a-z-]+=./.test(words[0])) {
          if (words.shift() === 'again=no') this.unwanted = true;
        }
        this.error = words.join(' ');
        console.error(`the referee says: ${this.error}`);
        break;
      case 'bye': this.ended = true; break;
      default: if (bot) this.event(words[0], words.slice(1));
    }
  }

  referee() {
    this.welcome = true;
    if (!this.ladders) return;
    this.write(this.quitting ? 'quit' : ['sit', ...this.ladders].join(' '));
    // It may not have arrived.
    if (this.bot && this.answer) this.write(this.answer);
  }

  over(why) {
    const { bot } = this;
    this.bot = null;
    if (bot) this.guard(() => bot.over(why));
  }

  event(verb, words) {
    const { bot } = this;
    if (bot.table) attempt(() => bot.table.event(verb, words));
    this.guard(() => bot.event(verb, words));
  }

  game(words) {
    const game = readGame(words);
    if (!game) return;
    const bot = new this.Make();
    bot.game = game;
    bot.random = new Random(`${game.seat} ${game.id}`);
    bot.table = Object.prototype.hasOwnProperty.call(GAMES, game.name)
      ? new Table(game) : null;
    bot.say = (text) => this.remark(text);
    this.bot = bot;
    this.read = 1;
    this.moved = true;
    this.answer = null;
    this.remarks = 0;
    this.failing = false; // told since the last ask
    this.guard(() => bot.start());
  }

  ask(words, lines, next) {
    const { bot } = this;
    if (!bot || words.length < 4) return;
    if (isVoid(words[1], lines, next)) return;
    if (this.awaits.id === bot.game.id && Number(words[1]) < this.awaits.ask) return;
    const moves = words.slice(3).map((token) => new Move(token));
    const token = this.choose({
      number: Number(words[1]), ms: Number(words[2]), moves,
    });
    this.failing = false;
    this.answer = this.writeInGame(`do ${words[1]} ${token}`);
    this.flush();
  }

  /** The token; the first one, and a word about it, if there is none. */
  choose(ask) {
    let token;
    let why = attempt(() => { token = String(this.bot.choose(ask)); });
    if (!why && ask.moves.some((move) => move.allows(token))) return token;
    why = why || `illegal: ${token} is ${token.includes('..')
      ? 'a range: answer with one number of it' : 'not in the list'}`;
    console.error(`${why}; making the first move instead`);
    this.say(`fallback ${why}`);
    return ask.moves[0].token;
  }

  remark(text) {
    if (this.remarks < SAY_COUNT && this.say(text)) this.remarks += 1;
  }

  /** Returns true if there was anything to say. */
  say(text) {
    const clean = String(text).replace(/[^ -~]+/g, ' ').trim()
      .slice(0, SAY_BYTES);
    if (clean) this.writeInGame(`say ${clean}`);
    return clean !== '';
  }
}

/** TYPE: TEXT of what it throws; null if it does not. */
function attempt(work) {
  try {
    work();
  } catch (error) {
    console.error(error);
    return error instanceof Error ? String(error) : `thrown: ${error}`;
  }
  return null;
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

/** It is no use to try, or to try again. */
class Refused extends Error {}

/** The kit's arguments; null if there are none. */
function remoteOptions(all) {
  const first = all.indexOf('--connect');
  if (first < 0) return null;
  const options = { ladder: [], tls: false };
  const rest = all.slice(first);
  while (rest.length) {
    const [, key] = /^--([a-z-]+)$/.exec(rest[0]) || [];
    const option = rest.shift();
    if (key === 'tls') {
      options.tls = true;
    } else if (['connect', 'name', 'token-file', 'ladder', 'ca', 'fingerprint']
      .includes(key)) {
      if (!rest.length) throw new Refused(`${option} wants a value`);
      if (key === 'ladder') options.ladder.push(rest.shift());
      else options[key] = rest.shift();
    } else {
      throw new Refused(`there is no ${option}`);
    }
  }
  for (const key of ['token-file', 'ladder']) {
    if (!options[key] || !options[key].length) {
      throw new Refused(`--${key} is missing`);
    }
  }
  return options;
}

function readToken(path) {
  let token;
  try {
    token = require('fs').readFileSync(path, 'latin1').trim();
  } catch (error) {
    throw new Refused(error.message);
  }
  if (!/^[!-~]{1,128}$/.test(token)) throw new Refused(`${path}: not a token`);
  return token;
}

function isThisMachine(address) {
  return /^(::ffff:)?127\.|^::1$/.test(address);
}

/** A referee elsewhere: connections, one after the other. */
class Remote {
  constructor(Make, options) {
    const where = /^(.+):([0-9]+)$/.exec(options.connect);
    if (!where) throw new Refused('--connect wants HOST:PORT');
    this.options = options;
    this.host = where[1].replace(/^\[|\]$/g, '');
    this.port = Number(where[2]);
    this.name = options.name || Make.botName || '';
    if (!NAME.test(this.name)) {
      throw new Refused('--name is missing, or no name');
    }
    if (!options.ladder.every((ladder) => NAME.test(ladder))) {
      throw new Refused('--ladder is no name');
    }
    this.secure = this.readSecurity();
    readToken(options['token-file']);
    this.session = new Session(Make, (text) => this.socket.write(text, 'latin1'),
      options.ladder);
    this.socket = null;
    this.quitting = false; // a signal has come
    this.wait = WAIT_MS;
    this.timer = null; // of the next connection
  }

  /** Returns what tls.connect() is told, or null without TLS.  This class itself
   * says whether the certificate is to be believed. */
  readSecurity() {
    const { tls, ca, fingerprint } = this.options;
    if (!tls && !ca && !fingerprint) return null;
    const secure = { minVersion: 'TLSv1.2', rejectUnauthorized: false };
    try {
      if (ca) {
        secure.ca = require('fs').readFileSync(ca);
        require('tls').createSecureContext({ ca: secure.ca });
      }
    } catch (error) {
      throw new Refused(`${ca}: ${error.message}`);
    }
    if (fingerprint) {
      this.pin = fingerprint.replace(/:/g, '').toLowerCase();
      if (!/^[0-9a-f]{64}$/.test(this.pin)) {
        throw new Refused('--fingerprint wants 64 hex digits');
      }
    }
    return secure;
  }

  run() {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      process.once(signal, () => this.heed());
    }
    this.connect();
  }

  heed() {
    this.quitting = true;
    if (this.timer) {
      clearTimeout(this.timer);
      this.session.quitting = true;
      if (this.mayLeave()) this.end(0);
      else this.connect();
    } else {
      this.session.quit();
    }
  }

  /** A referee that we have just lost may have begun another game. */
  mayLeave() {
    return this.quitting && !this.session.bot && !this.session.welcome;
  }

  end(status) {
    process.exitCode = status;
    if (this.socket) this.socket.destroy();
    for (const signal of ['SIGTERM', 'SIGINT']) {
      process.removeAllListeners(signal);
    }
  }

  refuse(why) {
    console.error(`refused: ${why}`);
    this.socket.removeAllListeners('close');
    this.end(1);
  }

  connect() {
    const { host, port, session } = this;
    let why = 'it closed the connection';
    this.timer = null;
    session.clear();
    const socket = this.secure
      ? require('tls').connect({ ...this.secure, host, port })
      : require('net').connect({ host, port });
    this.socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.setTimeout(CONNECT_MS);
    socket.on('timeout', () => {
      socket.destroy(new Error('no word of it any more'));
    });
    socket.on('error', (error) => { why = error.message; });
    socket.on('close', () => this.closed(why));
    socket.on('data', (data) => this.take(data));
    socket.on(this.secure ? 'secureConnect' : 'connect', () => this.begin());
  }

  /** Why the other side is not to be told anything, or null. */
  whyNot() {
    const { socket } = this;
    if (!this.secure) {
      return isThisMachine(socket.remoteAddress) ? null
        : 'beyond this machine a token needs --tls';
    }
    if (!this.pin) return socket.authorized ? null : socket.authorizationError;
    const { raw } = socket.getPeerCertificate();
    const found = require('crypto').createHash('sha256').update(raw || '')
      .digest('hex');
    return found === this.pin ? null
      : 'the certificate has another fingerprint';
  }

  begin() {
    try {
      const why = this.whyNot();
      if (why) throw new Refused(why);
      const token = readToken(this.options['token-file']);
      this.socket.setTimeout(SILENT_MS);
      this.session.begin(this.name, token);
    } catch (error) {
      this.refuse(error.message);
    }
  }

  take(data) {
    const { session } = this;
    if (session.ended) return;
    session.feed(data);
    if (session.ended) this.socket.destroy();
  }

  closed(why) {
    const { session } = this;
    if (this.isOver()) {
      this.end(session.unwanted ? 1 : 0);
    } else if (this.mayLeave()) {
      this.end(0);
    } else {
      this.comeBack(why);
    }
  }

  /** Returns true if the referee wants no more of us.  A referee that is full for a
   * moment, or stops, says `error`, too: then this is false. */
  isOver() {
    const { error, ended, unwanted } = this.session;
    return unwanted || (ended && error === null);
  }

  comeBack(why) {
    if (this.session.moved) this.wait = WAIT_MS;
    const ms = this.wait * (0.5 + Math.random() / 2);
    this.wait = Math.min(2 * this.wait, WAIT_MS_MAX);
    console.error(`no connection to ${this.options.connect}: ${why}; again in `
      + `${(ms / 1000).toFixed(1)} s`);
    this.timer = setTimeout(() => this.connect(), ms);
  }
}

function runRemote(Make, all) {
  try {
    const options = remoteOptions(all);
    if (!options) return false;
    new Remote(Make, options).run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`${process.argv[1]}: ${error.message}`);
    process.exitCode = 2;
  }
  return true;
}

/** Plays until the referee says bye or goes away.  `Make` is your class; a
 * `transport` has `input`, a stream to read, and send(text). */
function run(Make, transport = null) {
  if (!transport && runRemote(Make, process.argv.slice(2))) return;
  const { input, send } = transport || pipes();
  const session = new Session(Make, send);
  session.begin(Make.botName);
  input.setEncoding('latin1');
  input.on('data', (data) => {
    session.feed(data);
    if (session.ended) input.destroy();
  });
}

module.exports = {
  Bot, Move, Random, Session, Table, run,
};
