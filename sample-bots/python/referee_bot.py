"""referee_bot - the Python kit: write a bot and never see a protocol line.

Copy this file beside your bot.  It needs Python 3.7 and nothing else.

    import referee_bot

    class Mine(referee_bot.Bot):
        def choose(self, ask):
            return ask.moves[0]

    referee_bot.run(Mine)

For each game that begins, a new object of your class is made; so nothing of
one game can leak into the next.  Your class may define:

    start()             a game begins; self.game tells which
    event(verb, words)  something happened, as your seat may see it
    choose(ask)         your turn: return one of ask.moves, or its token
    void(number)        ask `number` needs no answer any more
    retired()           your seat made its last fault; nothing more is asked
    over(why)           the game is over (why is None) or was aborted

It finds in self:

    game    a Game: id, name, seat, seats, options, names, clocks
    table   what all the events so far amount to: a Table, of one kind for
            each game; None in a game that this file does not know
    random  numbers that are the same whenever game and seat are the same
    say(text)  a remark, kept in the record

Standard output belongs to the protocol: print() goes to standard error.  If
choose() fails or returns what is not allowed, the kit shows why on standard
error, tells the referee (`say fallback TYPE: TEXT`) and makes the first move of
the list, so that the game goes on.  What else fails is told by `say failed`.

A referee starts this program for each game.  With these arguments, which are
the kit's, it goes to a referee that runs elsewhere instead and plays game
after game there; what stands before --connect is yours:

    --connect HOST:PORT   where the referee listens
    --name NAME           who this bot is there (else: `name` of your class)
    --token-file FILE     the secret that it was given
    --ladder LADDER       where to play; may be repeated
    --tls                 the connection is TLS; beyond this machine it must be
    --ca FILE             TLS; authorities to believe, in place of the system's
    --fingerprint HEX     TLS; believe the certificate with this SHA-256 only

A lost connection is made again, and the game goes on where it was.  SIGTERM or
SIGINT: the last game is played to its end; the second one ends all at once.
"""

import os
import re
import select
import signal
import socket
import sys
import time
import traceback

LINE_BYTES = 8191  # the longest line a referee sends
SAY_BYTES = 200    # bytes of one remark
SAY_COUNT = 100    # remarks in one game
NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,31}"


class Game:
    """Holds what is settled before a game begins."""

    NUMBERS = ("time", "bank", "increment", "total", "faults")

    def __init__(self, words):
        """Reads the words of a `game` line; raises ValueError if they are not
        one."""
        if len(words) < 7 or words[3] != "seat" or words[5] != "of":
            raise ValueError("not a game line")
        self.id = words[1]
        self.name = words[2]
        self.seat = int(words[4])
        self.seats = int(words[6])
        self.options = {}      # options of the game: "points": "15"
        self.names = None      # names of the bots by seat, if the match tells them
        self.open = "priority"
        self.time = 0          # milliseconds for a move
        self.bank = 0          # milliseconds that a game has on top
        self.increment = 0     # milliseconds that a move adds to the bank
        self.total = 0         # milliseconds for the whole game; 0: no bound
        self.faults = 0        # number of faults with which a seat is retired
        for word in words[7:]:
            key, equals, value = word.partition("=")
            if equals:
                self._pair(key, value)

    def _pair(self, key, value):
        if key == "names":
            self.names = value.split(",")
        elif key == "open":
            self.open = value
        elif key in self.NUMBERS and value.isdigit():
            setattr(self, key, int(value))
        else:
            self.options[key] = value


class Move:
    """One entry of a legal list: a move, or a range of moves."""

    __slots__ = ("token", "low", "high")
    RANGE = re.compile(r"([0-9]+)\.\.([0-9]+)")

    def __init__(self, token):
        self.token = token
        found = self.RANGE.search(token) if ".." in token else None
        self.low = int(found.group(1)) if found else None
        self.high = int(found.group(2)) if found else None

    @property
    def is_range(self):
        return self.low is not None

    @property
    def verb(self):
        return self.token.partition(":")[0]

    @property
    def args(self):
        return self.token.split(":")[1:]

    def with_number(self, number):
        """Returns the token with this number in place of the range."""
        if not self.low <= number <= self.high:
            raise ValueError("%d is not in %s" % (number, self.token))
        return self.RANGE.sub(str(number), self.token, count=1)

    def allows(self, token):
        if not self.is_range:
            return token == self.token
        before, after = self.RANGE.split(self.token, maxsplit=1)[::3]
        middle = token[len(before):len(token) - len(after)]
        return (token == before + middle + after and middle.isdigit()
                and middle == str(int(middle))
                and self.low <= int(middle) <= self.high)

    def __str__(self):
        return self.token


class Ask:
    """A question: `number` counts the questions, `ms` is the time to answer,
    `moves` has the legal moves.  The first one is the house move, which is made
    for a bot that gives no answer."""

    __slots__ = ("number", "ms", "moves")

    def __init__(self, words):
        self.number = int(words[1])
        self.ms = int(words[2])
        self.moves = [Move(token) for token in words[3:]]
        if not self.moves:
            raise ValueError("an ask without moves")

    def of(self, verb):
        """Returns the moves with this verb."""
        return [move for move in self.moves if move.verb == verb]


class Random:
    """A small generator that gives the same numbers in all kits: FNV-1a of
    `SEAT ID` is the state of a xorshift32 (Marsaglia 2003: 13, 17, 5)."""

    def __init__(self, text):
        state = 2166136261
        for byte in text.encode():
            state = (state ^ byte) * 16777619 & 0xFFFFFFFF
        self.state = state or 1

    def below(self, n):
        """Returns a number from 0 to n-1."""
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return x * n >> 32

    def unit(self):
        """Returns a number from 0 up to, but not including, 1."""
        return self.below(1 << 32) / (1 << 32)

    def pick(self, items):
        return items[self.below(len(items))]


class Bot:
    """Derive your bot from this class."""

    name = None  # shown in place of the file's name

    game = None
    table = None
    random = None
    _say = None

    def start(self):
        pass

    def event(self, verb, words):
        pass

    def choose(self, ask):
        return ask.moves[0]

    def void(self, number):
        pass

    def retired(self):
        pass

    def over(self, why):
        pass

    def say(self, text):
        self._say(text)


# For each game: how many cards a round has (a fixed number and a number for
# each seat, times the value of an option), and which card of a move goes from
# the hand onto the table.
GAMES = {
    # made by make-tables.py:
    "daumen-drauf": (12, 6, None, {}),
    "daupun": (40, 0, None, {"discard": 1, "swap": 1}),
    "doubles-dread": (32, 0, None, {"play": 1}),
    "durnius": (36, 0, "decks", {"attack": 1, "beat": 2, "transfer": 1, "add": 1}),
    "toepen": (32, 0, None, {"play": 1}),
    # end of what make-tables.py makes
}


class Table:
    """A game as one seat knows it, by the event lines so far.  These fields
    are the same in all games and in all the kits:

        me, seats   my seat, and how many there are
        round       the number of the round that is on
        hand        my cards; of doubles-dread the pawns of my barks
        held        by seat: how many cards each has in its hand
        points      by seat: as the last `score` said
        inside      the seats that are still in the round
        stake       what it is about: toepen's stake, daupun's pot, the bid of
                    doubles-dread; else 0
        stock       how many cards no seat has yet
        lying       (seat, card): on the table in this turn or trick; of daupun
                    the two reserves
        seen        the cards that I have seen in this round
        trump       of durnius the trump card; else None

    A card that is shown with its fang covered ends in `?`: `Y3?`."""

    def __init__(self, game):
        fixed, each_seat, times, self.lays = GAMES[game.name]
        self.cards = ((fixed + each_seat * game.seats)
                      * int(game.options.get(times, 1)))
        self.me = game.seat
        self.seats = game.seats
        self.options = game.options
        self.points = [0] * game.seats
        self.alive = set(range(game.seats))
        self.begin(0)

    def begin(self, number):
        """A round begins."""
        self.round = number
        self.hand = []
        self.held = [0] * self.seats
        self.inside = set(self.alive)
        self.stake = 0
        self.stock = self.cards
        self.lying = []
        self.seen = set()
        self.trump = None

    def see(self, cards):
        self.seen.update(card for card in cards if "?" not in card)

    def drop(self, card):
        """Removes a card from my hand."""
        if card in self.hand:
            self.hand.remove(card)

    def lay(self, seat, card):
        """Moves a card from a hand onto the table."""
        self.held[seat] -= 1
        self.lying.append((seat, card))
        self.see([card])
        if seat == self.me:
            self.drop(card)

    def event(self, verb, words):
        method = getattr(self, "_on_" + verb, None)
        if method:
            method(*words)

    def _on_round(self, number, *_):
        self.begin(int(number))

    def _on_deal(self, seat, *cards):
        self.held[int(seat)] = 0
        if int(seat) == self.me:
            self.hand = []
        self._on_draw(seat, *cards)

    def _on_draw(self, seat, *cards):
        self.held[int(seat)] += len(cards)
        self.stock -= len(cards)
        self.see(cards)
        if int(seat) == self.me:
            self.hand += cards

    def _on_move(self, seat, token):
        verb, *args = token.split(":")
        self.move(int(seat), verb, *args)

    def move(self, seat, verb, *args):
        if verb in self.lays:
            self.lay(seat, args[self.lays[verb] - 1])

    def _on_score(self, seat, points):
        self.points[int(seat)] = int(points)

    def _on_out(self, seat):
        self.inside.discard(int(seat))

    def _on_trick(self, *_):
        self.lying = []

    def _on_turn(self, *_):
        self.lying = []


class ToepenTable(Table):
    """Toepen.  Besides: dealer, limit (of points), alive (the seats in the
    game), last_knocker, laid (who laid down a hand just now), mulligans and
    played (by seat), tricks (so many are over), leader (of this one)."""

    RANKS = "JQKA789T"

    def begin(self, number, dealer=0):
        super().begin(number)
        self.limit = int(self.options.get("points", 15))
        self.stake = 1
        self.dealer = dealer
        self.last_knocker = None
        self.played = {}
        self.tricks = 0
        self.leader = (dealer + 1) % self.seats
        self.mulligans = [0] * self.seats
        self.laid = None

    def _on_round(self, number, dealer):
        self.begin(int(number), int(dealer))

    def move(self, seat, verb, *args):
        super().move(seat, verb, *args)
        if verb == "play":
            self.played.setdefault(seat, []).append(args[0])
        elif verb == "fold":
            self.inside.discard(seat)
        elif verb == "knock":
            self.last_knocker = seat
        elif verb == "mulligan":
            self.mulligans[seat] += 1
            self.laid = seat

    def _on_stake(self, stake):
        self.stake = int(stake)

    def _on_reveal(self, seat, *cards):
        self.see(cards)

    def _on_out(self, seat):
        self.alive.discard(int(seat))
        self.inside.discard(int(seat))

    def _on_trick(self, seat):
        self.leader = int(seat)
        self.lying = []
        self.tricks += 1

    def rank(self, card):
        return self.RANKS.index(card[0])

    def unseen_above(self, card):
        """Returns the cards of its suit that beat it and may be in another
        hand."""
        return sum(1 for rank in self.RANKS[self.rank(card) + 1:]
                   if rank + card[1] not in self.seen)

    def winning(self):
        """Returns (seat, card) that would take the trick as it lies, or None."""
        inside = [play for play in self.lying if play[0] in self.inside]
        if not inside:
            return None
        suit = self.lying[0][1][1]
        if all(card[1] != suit for _, card in inside):
            suit = inside[0][1][1]
        return max((play for play in inside if play[1][1] == suit),
                   key=lambda play: self.rank(play[1]))


class DurniusTable(Table):
    """Durnius.  Besides: attacker, defender."""

    RANKS = "6789TJQKA"

    def begin(self, number):
        super().begin(number)
        self.attacker = self.defender = None

    def move(self, seat, verb, *args):
        super().move(seat, verb, *args)
        if verb == "show":
            self.see(args)

    def _on_trump(self, card):
        self.trump = card
        self.see([card])

    def _on_turn(self, number, attacker, defender, *_):
        self._on_shift(attacker, defender)
        self.lying = []

    def _on_shift(self, attacker, defender, *_):
        self.attacker, self.defender = int(attacker), int(defender)

    def _on_pickup(self, seat, number):
        self.held[int(seat)] += int(number)
        if int(seat) == self.me:
            self.hand += [card for _, card in self.lying]
        self.lying = []

    def _on_discard(self, number):
        self.lying = []

    def rank(self, card):
        return self.RANKS.index(card[0])

    def is_trump(self, card):
        return card[1] == self.trump[1]


class DaupunTable(Table):
    """Daupun.  `lying` are the reserves."""

    RANKS = "A23456789T"

    def _on_trick(self, *_):
        """Changes nothing: the reserves stay on the table."""

    def _on_round(self, number, *pairs):
        self.begin(int(number))
        self.stake = int(pairs[pairs.index("pot") + 1])

    def move(self, seat, verb, *args):
        super().move(seat, verb, *args)
        if verb == "swap":
            back = args[1]
            self.lying.remove((seat, back))
            self.held[seat] += 1
            if seat == self.me:
                self.hand.append(back)

    def _on_pot(self, pot):
        self.stake = int(pot)

    def _on_show(self, seat, total, *cards):
        self.see(cards)

    def value(self, card):
        return self.RANKS.index(card[0]) + 1


class DoublesDreadTable(Table):
    """Double's Dread.  Besides: barks (by letter: the pawns that are left), at
    (by position, clockwise from S: its bark and its seat), south, leads (the
    position that began the trick), next (the one that plays), force and colour
    (of the trick, None before its first pawn), worth (by seat: points taken
    in this round), swallowed (pawns).  `lying` is what lies on the monster."""

    def begin(self, number):
        super().begin(number)
        self.barks = {}
        self.at = {}
        self.south = None
        self.leads = self.next = None
        self.force = self.colour = None
        self.worth = [0] * self.seats
        self.swallowed = []
        self.magic = self.options.get("magic", "78")

    def value(self, pawn):
        return 5 if pawn[1] in self.magic else 1

    def _on_bark(self, bark, *pawns):
        self.barks[bark] = list(pawns)
        self.stock -= len(pawns)
        self.see(pawns)

    def _on_south(self, seat, bid):
        self.south, self.stake = int(seat), int(bid)

    def _on_at(self, position, bark, seat):
        self.at[position] = bark, int(seat)
        self.held[int(seat)] += len(self.barks[bark])
        if int(seat) == self.me:
            self.hand += self.barks[bark]

    def pawns(self, position):
        """Returns the pawns that are left at a position."""
        return self.barks[self.at[position][0]]

    def after(self, position):
        order = list(self.at)
        return order[(order.index(position) + 1) % len(order)]

    def move(self, seat, verb, *args):
        super().move(seat, verb, *args)
        if verb == "lead":
            self.leads = self.next = args[0]
            self.force = self.colour = None
        elif verb == "play":
            pawn = args[0]
            self.pawns(self.next).remove(pawn)
            self.next = self.after(self.next)
            self.force = self.force or pawn[1]
            if self.colour is None or pawn[1] == self.force:
                self.colour = pawn[0]

    def _on_swallow(self, *pawns):
        self.lying = [play for play in self.lying if play[1] not in pawns]
        self.swallowed += pawns

    def _on_trick(self, position, seat, *pawns):
        self.lying = []
        self.worth[int(seat)] += sum(map(self.value, pawns))


class DaumenDraufTable(Table):
    """Daumen drauf.  Besides: top (the highest number), free (by seat: the
    cards it can show), shown ([seat, card, open], in order), covered (by seat:
    its entry of shown), colours (as they appeared), piles (by seat)."""

    def begin(self, number):
        super().begin(number)
        self.top = self.seats + 2
        self.free = [0] * self.seats
        self.piles = [[] for _ in range(self.seats)]
        self._on_turn()

    def _on_turn(self, *words):
        self.lying = []
        self.shown = []
        self.covered = {}
        self.colours = []

    def _on_draw(self, seat, *cards):
        super()._on_draw(seat, *cards)
        self.free[int(seat)] += len(cards)

    def move(self, seat, verb, *args):
        if verb not in ("show", "twin"):
            return
        card = args[0]
        entry = [seat, card, False]
        self.lying.append((seat, card))
        self.shown.append(entry)
        self.covered[seat] = entry
        self.free[seat] -= 1
        if card[0] not in self.colours:
            self.colours.append(card[0])

    def _on_open(self, seat, card):
        seat = int(seat)
        for at, entry in enumerate(self.shown):
            if entry[0] == seat and not entry[2]:
                entry[1:] = [card, True]
                self.lying[at] = (seat, card)
                break
        self.leave(seat, card)

    def leave(self, seat, card):
        """Takes the card out of the hand."""
        self.held[seat] -= 1
        self.see([card])
        if seat == self.me:
            self.drop(card)

    def _on_take(self, seat, *cards):
        for other, entry in self.covered.items():
            self.leave(other, entry[1])
        self.piles[int(seat)] += cards
        self.see(cards)
        self._on_turn()

    def last(self):
        """Returns the card shown last, or None before the first."""
        return self.shown[-1][1] if self.shown else None

    def strength(self, card):
        """Returns (colour, number) as they count now: the greater is higher."""
        if card[0] in self.colours:
            return self.colours.index(card[0]), int(card[1])
        return 3, int(card[1])

    def higher(self, card, than):
        mine, theirs = self.strength(card), self.strength(than)
        return mine > theirs

    def fang(self, card):
        """Returns `t` or `n` if it is certain, else `?`."""
        if card[-1] != "?":
            return card[-1]
        if card[:-1] + "t" in self.seen:
            return "n"
        return "t" if card[:-1] + "n" in self.seen else "?"

    def unseen(self):
        """Returns all cards that may be in other hands or in the stock."""
        shown = {card[:-1] + self.fang(card) for _, card, _ in self.shown}
        return [colour + str(number) + fang for colour in "YGB"
                for number in range(1, self.top + 1) for fang in "tn"
                if colour + str(number) + fang not in self.seen
                and colour + str(number) + fang not in shown]


# A game without a class of its own uses Table.
TABLES = {"toepen": ToepenTable, "durnius": DurniusTable,
          "daupun": DaupunTable, "doubles-dread": DoublesDreadTable,
          "daumen-drauf": DaumenDraufTable}


def attempt(method, *args):
    """Calls it; returns TYPE: TEXT of what it raises, or None."""
    try:
        method(*args)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return "%s: %s" % (type(error).__name__, error)
    return None


class Session:
    """Holds the conversation, but not the transport: feed() takes the bytes
    that have arrived, and `send`, a function, is called with the bytes to be
    sent.  `ladders` are for a referee elsewhere, to which there is one
    connection or several."""

    def __init__(self, make, send, ladders=None):
        self.make = make
        self.send = send
        self.ladders = ladders
        self.bot = None       # the bot of the current game
        self.read = 0         # how many lines of that game were read
        self.answer = None    # the last answer in that game, as it was sent
        self.remarks = 0
        self.failing = False  # a failure was told since the last ask
        self.quitting = False
        self.clear()

    def clear(self):
        """Forgets what was heard on the last connection."""
        self.welcome = False  # the referee has said who it is
        self.moved = False    # a line of a game has come
        self.error = None     # why the referee closes the connection
        self.unwanted = False  # the referee does not want us to come again
        self.ended = False    # the referee has said `bye`
        self.awaits = "", 0   # a game and its current ask
        self.lines = []       # lines that have arrived together
        self.next = 0         # the next one of them
        self.rest = b""       # the beginning of an incomplete line
        self.skipping = False
        self.out = []

    def begin(self, name, token=None):
        """Begins a connection; a game of the one before goes on."""
        self.clear()
        if name:
            self._write("bot 1 " + name
                        + (" token=%s entropy=yes" % token if token else "")
                        + (" resume=%s:%d" % (self.bot.game.id, self.read)
                           if self.bot else ""))
        self._flush()

    def quit(self):
        """Begins no game after this one."""
        self.quitting = True
        if self.welcome:
            self._write("quit")
            self._flush()

    def feed(self, data):
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        if self.skipping and lines:
            lines.pop(0)
            self.skipping = False
        self.lines = lines
        for self.next, line in enumerate(lines, 1):
            if self.ended:
                break
            if len(line) <= LINE_BYTES:
                self._line(line)
        if self.skipping or len(self.rest) > LINE_BYTES:
            self.rest = b""
            self.skipping = True
        self._flush()

    def _write(self, line):
        self.out.append(line + "\n")

    def _write_in_game(self, line):
        """Writes a line with the game's ID, since over a network it may come
        late and must not count in the next game.
        """
        if self.ladders and self.bot:
            line = "@%s %s" % (self.bot.game.id, line)
        self._write(line)
        return line

    def _flush(self):
        if self.out:
            data = "".join(self.out).encode("ascii")
            self.out = []
            self.send(data)

    def _guard(self, method, *args):
        """Calls a method of the bot; an exception ends neither bot nor game."""
        why = attempt(method, *args)
        if why and self.bot and not self.failing:
            self.failing = True
            self._say("failed " + why)

    def _line(self, line):
        words = line.decode("ascii", "replace").split()
        if not words:
            return
        if self.bot and words[0] not in self.OUTSIDE:
            self.read += 1
            self.moved = True
        control = self.CONTROL.get(words[0])
        if control:
            try:
                control(self, words)
            except (ValueError, IndexError):
                print("not understood: %r" % line, file=sys.stderr)
        elif self.bot:
            if self.bot.table:
                attempt(self.bot.table.event, words[0], words[1:])
            self._guard(self.bot.event, words[0], words[1:])

    def _game(self, words):
        game = Game(words)
        bot = self.make()
        bot.game = game
        bot.random = Random("%d %s" % (game.seat, game.id))
        kind = TABLES.get(game.name, Table)
        bot.table = kind(game) if game.name in GAMES else None
        bot._say = self._remark
        self.bot = bot
        self.read = 1
        self.moved = True
        self.answer = None
        self.remarks = 0
        self.failing = False
        self._guard(bot.start)

    def _ask(self, words):
        ask = Ask(words)
        if self.bot is None or self._is_void(ask.number):
            return
        if self.awaits[0] == self.bot.game.id and ask.number < self.awaits[1]:
            return
        token = self._choose(ask)
        self.failing = False
        self.answer = self._write_in_game("do %d %s" % (ask.number, token))
        self._flush()

    def _choose(self, ask):
        """Returns the token; if the bot gave none, the first one, and says so."""
        answers = []
        why = attempt(lambda: answers.append(str(self.bot.choose(ask))))
        if not why:
            token = answers[0]
            if any(move.allows(token) for move in ask.moves):
                return token
            why = "illegal: %s is %s" % (
                token, "a range: answer with one number of it"
                if ".." in token else "not in the list")
        print("%s; making the first move instead" % why, file=sys.stderr)
        self._say("fallback " + why)
        return ask.moves[0].token

    def _is_void(self, number):
        """Returns true if the ask is void: a slow bot may find such asks in its
        pipe."""
        for i in range(self.next, len(self.lines)):
            if self.lines[i].startswith(b"ask "):
                return False
            if self.lines[i].rstrip() == b"void %d" % number:
                return True
        return False

    def _void(self, words):
        if self.bot:
            self._guard(self.bot.void, int(words[1]))

    def _retired(self, words):
        if self.bot:
            self._guard(self.bot.retired)

    def _over(self, words):
        bot, self.bot = self.bot, None
        why = " ".join(words[2:]) if words[0] == "abort" else None
        if bot:
            self._guard(bot.over, why)

    def _gone(self, words):
        if self.bot and words[1] == self.bot.game.id:
            self._over(["abort", words[1], "nothing is known of it any more"])

    def _awaits(self, words):
        self.awaits = words[1], int(words[2])

    def _referee(self, words):
        self.welcome = True
        if not self.ladders:
            return
        self._write("quit" if self.quitting
                    else " ".join(["sit"] + self.ladders))
        if self.bot and self.answer:  # the answer may not have arrived
            self._write(self.answer)

    def _entropy(self, words):
        dice = os.urandom(32).hex()
        self._write_in_game("entropy " + dice)
        if self.ladders and self.bot:
            print("entropy", self.bot.game.id, dice, file=sys.stderr)

    def _ping(self, words):
        self._write(" ".join(["pong"] + words[1:]))

    def _error(self, words):
        words = words[1:]
        while words and re.match("[a-z-]+=.", words[0]):
            self.unwanted |= words.pop(0) == "again=no"
        self.error = " ".join(words)
        print("the referee says: " + self.error, file=sys.stderr)

    def _bye(self, words):
        self.ended = True

    def _nothing(self, words):
        pass

    def _remark(self, text):
        if self.remarks < SAY_COUNT and self._say(text):
            self.remarks += 1

    def _say(self, text):
        """Sends the bot's remark; returns true if there was one."""
        text = re.sub(r"[^ -~]+", " ", str(text)).strip()[:SAY_BYTES]
        if text:
            self._write_in_game("say " + text)
        return bool(text)

    OUTSIDE = {"referee", "ping", "error", "bye", "gone",
               "awaits"}  # lines that belong to no game
    CONTROL = {"game": _game, "ask": _ask, "void": _void, "over": _over,
               "abort": _over, "retired": _retired, "entropy?": _entropy,
               "ping": _ping, "error": _error, "bye": _bye,
               "gone": _gone, "awaits": _awaits, "referee": _referee, "commit": _nothing}


class Pipes:
    """Uses standard input and output; what anything else prints from now on
    goes to standard error."""

    def __init__(self):
        sys.stdout.flush()
        self.to = os.dup(1)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def receive(self):
        return os.read(0, 65536)

    def send(self, data):
        while data:
            data = data[os.write(self.to, data):]


class Refused(Exception):
    """Raised if it is useless to try again."""


class Remote:
    """A referee elsewhere: connections, one after the other."""

    CONNECT_S = 10
    SILENT_S = 75          # a live referee is never silent for this long
    WAIT_S = 0.1           # after a loss; doubled after each further one
    WAIT_S_MAX = 15

    def __init__(self, make, options):
        self.options = options
        self.host, self.port = host_and_port(options.connect)
        self.name = options.name or make.name
        for option, names in (("name", [self.name or ""]),
                              ("ladder", options.ladder)):
            if not all(map(re.compile(NAME).fullmatch, names)):
                raise Refused("--%s is missing, or no name" % option)
        self.context = None    # the TLS context
        self.later = (BlockingIOError,)
        self.distrust = ()
        if options.tls or options.ca or options.fingerprint:
            self._use_tls()
        self._token()
        self.session = Session(make, self.send, options.ladder)
        self.socket = None
        self.broken = False    # nothing can be said
        self.quitting = False  # a signal has come
        self.wait = self.WAIT_S
        self.wake, self.waker = socket.socketpair()

    def _use_tls(self):
        import ssl  # takes a while: not before it is needed
        options = self.options
        try:
            context = ssl.create_default_context(cafile=options.ca)
        except (OSError, ValueError) as error:
            raise Refused("%s: %s" % (options.ca, error)) from error
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if options.fingerprint:
            self.pin = options.fingerprint.replace(":", "").lower()
            if not re.fullmatch("[0-9a-f]{64}", self.pin):
                raise Refused("--fingerprint wants 64 hex digits")
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        self.context = context
        self.later += (ssl.SSLWantReadError, ssl.SSLWantWriteError)
        self.distrust = ssl.SSLCertVerificationError

    def _token(self):
        try:
            with open(self.options.token_file, encoding="ascii") as lines:
                token = lines.read().strip()
        except (OSError, ValueError) as error:
            raise Refused(str(error)) from error
        if not re.fullmatch("[!-~]{1,128}", token):
            raise Refused("%s: not a token" % self.options.token_file)
        return token

    def run(self):
        """Plays until it is told to stop; returns the exit status."""
        self._heed_signals()
        while not self._may_leave():
            why = "it closed the connection"
            try:
                self._talk()
            except OSError as error:
                why = error
            except Refused as error:
                print("refused: %s" % error, file=sys.stderr)
                return 1
            if self.socket:
                self.socket.close()
                self.socket = None
            if self._is_over():
                return 1 if self.session.unwanted else 0
            self._pause(why)
        return 0

    def _may_leave(self):
        """Returns true if it may leave: a referee that we have just lost may
        have begun another game."""
        return (self.quitting and not self.session.bot
                and not self.session.welcome)

    def _is_over(self):
        """Returns true if the referee does not want us any more.  A referee
        that is full for a moment, or that stops, also says `error`."""
        session = self.session
        return session.unwanted or session.ended and session.error is None

    def _pause(self, why):
        import random
        if self.session.moved:
            self.wait = self.WAIT_S
        seconds = self.wait * random.uniform(0.5, 1)
        self.wait = min(2 * self.wait, self.WAIT_S_MAX)
        print("no connection to %s: %s; again in %.1f s" % (
            self.options.connect, why, seconds), file=sys.stderr)
        self._sleep([], seconds)

    def _heed_signals(self):
        def heed(number, frame):
            self.quitting = True
            signal.signal(number, signal.SIG_DFL)

        self.wake.setblocking(False)
        self.waker.setblocking(False)
        try:
            signal.set_wakeup_fd(self.waker.fileno())
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, heed)
        except ValueError:  # not the main thread, which alone may set handlers
            pass

    def _sleep(self, sockets, seconds):
        """Waits until one of the sockets can be read, or a signal has come."""
        select.select(sockets + [self.wake], [], [], seconds)
        try:
            self.wake.recv(64)
        except BlockingIOError:
            pass

    def _connect(self):
        self.socket = socket.create_connection((self.host, self.port),
                                               self.CONNECT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.context:
            self._shake_hands()
        elif not is_this_machine(self.socket.getpeername()[0]):
            raise Refused("beyond this machine a token needs --tls")
        self.socket.setblocking(False)

    def _shake_hands(self):
        import hashlib
        try:
            self.socket = self.context.wrap_socket(
                self.socket, server_hostname=self.host)
        except self.distrust as error:
            raise Refused(str(error)) from error
        if self.options.fingerprint and self.pin != hashlib.sha256(
                self.socket.getpeercert(True)).hexdigest():
            raise Refused("the certificate has another fingerprint")

    def _talk(self):
        """Serves one connection from its beginning to its end."""
        session = self.session
        session.clear()
        self.broken = False
        token = self._token()
        self._connect()
        session.begin(self.name, token)
        while not session.ended:
            data = self._receive()
            if not data:
                return
            session.feed(data)

    def _receive(self):
        """Returns the bytes that have arrived; b"" at the end."""
        end = time.monotonic() + self.SILENT_S
        while True:
            if self.quitting and not self.session.quitting:
                self.session.quit()
            try:
                return self.socket.recv(65536)
            except self.later:
                pass
            left = end - time.monotonic()
            if self.broken or left <= 0:
                raise OSError("no word of it any more")
            self._sleep([self.socket], left)

    def send(self, data):
        """Sends the data; what cannot be sent now is sent when we are back."""
        end = time.monotonic() + self.SILENT_S
        while data and not self.broken:
            try:
                data = data[self.socket.send(data):]
            except self.later:
                left = max(0, end - time.monotonic())
                self.broken = left == 0
                select.select([], [self.socket], [], left)
            except OSError:
                self.broken = True


def host_and_port(text):
    """Splits `HOST:PORT` or `[::1]:7450`."""
    host, colon, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise Refused("--connect wants HOST:PORT")
    return host.strip("[]"), int(port)


def is_this_machine(address):
    return bool(re.match(r"(::ffff:)?127\.|::1$", address))


def remote_options(arguments):
    """Returns the kit's arguments; None if there are none."""
    if "--connect" not in arguments:
        return None
    import argparse
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--connect", metavar="HOST:PORT", required=True)
    parser.add_argument("--name")
    parser.add_argument("--token-file", metavar="FILE", required=True)
    parser.add_argument("--ladder", action="append", required=True)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--ca", metavar="FILE")
    parser.add_argument("--fingerprint", metavar="HEX")
    return parser.parse_args(arguments[arguments.index("--connect"):])


def run_remote(make, options):
    try:
        remote = Remote(make, options)
    except Refused as why:
        print("%s: %s" % (sys.argv[0], why), file=sys.stderr)
        sys.exit(2)
    status = remote.run()
    if status:
        sys.exit(status)


def run(make, transport=None):
    """Plays until the referee says bye or goes away.  `make` is your class; a
    `transport` has receive(), which returns b"" at the end, and send()."""
    options = None if transport else remote_options(sys.argv[1:])
    if options:
        run_remote(make, options)
        return
    transport = transport or Pipes()
    try:
        session = Session(make, transport.send)
        session.begin(make.name)
        while not session.ended:
            data = transport.receive()
            if not data:
                break
            session.feed(data)
    except (BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        pass
