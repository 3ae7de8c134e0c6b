"""Plays Durnius from its rules alone; see rules.py."""

from rules import Rules, hidden, numbers

RANKS, SUITS = "6789TJQKA", "CDHS"
PIECES = [rank + suit for rank in RANKS for suit in SUITS]


class Durnius(Rules):
    VERSION = 2
    DRAWN, WITHOUT_SEAT = ("deal", "trump", "talon"), ("trump", "talon")
    SEATS = range(2, 7)
    OPTIONS = {
        "decks": ["1", "2"], "passing": ["no", "yes"], "travel": ["no", "yes"],
        "adding": ["any", "defended"], "teams": ["none", "pairs", "threes"],
        "start": ["trump", "right", "winners"], "dealer": ["turn", "fool"],
        "games": numbers(1, 1, 1000), "scoring": ["fool", "first", "order"],
        "epaulettes": ["none", "mark", "score"]}

    @staticmethod
    def pieces(_seats, options):
        return [card for card in PIECES
                for _ in range(int(options.get("decks", 1)))]

    @classmethod
    def drawn(cls, seats, pieces):
        # Where all cards are dealt, the line `trump` repeats one.
        return cls.DRAWN[:1] if len(pieces) == 6 * seats else cls.DRAWN

    @staticmethod
    def refuses(seats, options):
        games, teams = int(options["games"]), options["teams"]
        race = options["epaulettes"] == "score"
        return (options["travel"] == "yes" and options["passing"] == "no"
                or teams == "pairs" and seats not in (4, 6)
                or teams == "threes" and seats != 6
                or options["start"] == "winners" and teams == "none"
                or options["start"] != "trump" and games < 2
                or options["dealer"] == "fool" and games < 2
                or race and (options["scoring"] != "fool" or games < 9))

    def begin(self):
        self.decks = int(self.option("decks"))
        self.passing = self.option("passing") == "yes"
        self.travel = self.option("travel") == "yes"
        self.defended = self.option("adding") == "defended"
        self.sides = [self.side(seat) for seat in range(self.seats)]
        self.points = [0] * self.seats
        self.game, self.fool = 0, None
        self.epaulettes = {side: 0 for side in self.sides}
        self.outs = []
        self.dealer = self.chance.below(self.seats)
        self.begin_game()

    def side(self, seat):  # R1
        teams = self.option("teams")
        if teams == "pairs":
            return frozenset([seat, (seat + self.seats // 2) % self.seats])
        if teams == "threes":
            return frozenset(range(seat % 2, 6, 2))
        return frozenset([seat])

    def begin_game(self):  # R2, R3
        self.game += 1
        self.tell("round", self.game, self.dealer)
        self.chance.begin_round(self.game)
        first = self.opener()
        self.deal()
        self.inside = set(range(self.seats))
        self.outs, self.idle, self.turn = [], 0, 0
        self.begin_turn(self.lowest() if first is None else first)

    def deal(self):
        self.hand = [[] for _ in range(self.seats)]
        for seat in self.around(self.dealer + 1):
            self.hand[seat] = cards = self.chance.cards(6)
            if self.chance.left():
                self.tell_hidden("deal", seat, cards)
            else:
                self.tell_hidden("deal", seat, cards[:-1], cards[-1])
        if not self.chance.left():
            self.talon, self.trump = [], cards[-1][1]
            self.tell("trump", cards[-1])
            return
        # The trump card is written first, and drawn last.
        card = self.chance.cards(1)
        self.trump = card[0][1]
        self.tell("trump", *card)
        talon = self.chance.cards(self.chance.left())
        if talon:
            self.tell("talon", hidden(talon))
        self.talon = talon + card

    def opener(self):
        start = self.option("start")
        if self.game == 1 or self.fool is None or start == "trump":
            return None
        if start == "right":
            return (self.fool - 1) % self.seats
        side = self.first_side()
        if side is None:
            return None
        return [seat for seat in self.outs if seat in side][0]

    def first_side(self):
        """Returns the side that was out first in this game, or None."""
        for i, seat in enumerate(self.outs):
            if self.sides[seat] <= set(self.outs[:i + 1]):
                return self.sides[seat]
        return None

    def lowest(self):
        held = [RANKS.index(card[0]) for hand in self.hand for card in hand
                if card[1] == self.trump]
        left = self.around(self.dealer + 1)
        if not held:
            self.tell("lowest", "none")
            return left[0]
        card = RANKS[min(held)] + self.trump
        seat = [seat for seat in left if card in self.hand[seat]][0]
        self.tell("lowest", seat, card)
        return seat

    # -- chairs -------------------------------------------------------------

    def player(self, chair):
        """Returns the seat that plays a chair; None: it is empty."""
        for seat in self.around(chair):
            if seat in self.sides[chair] and seat in self.inside:
                return seat
        return None

    def chair_from(self, chair):
        return [c for c in self.around(chair) if self.player(c) is not None][0]

    def take_chairs(self, chair, *words):  # R4
        self.attack_chair = chair
        self.defend_chair = self.chair_from(chair + 1)
        self.attacker = self.player(chair)
        self.defender = self.player(self.defend_chair)
        self.limit = len(self.hand[self.defender])
        chairs = [self.attack_chair, self.defend_chair]
        self.tell(*words, self.attacker, self.defender,
                  *(chairs if self.option("teams") != "none" else []))

    def begin_turn(self, chair):
        self.turn += 1
        self.take_chairs(chair, "turn", self.turn)
        self.attacks = []  # seat, card, the card on it or None
        self.shows = [0] * self.seats
        self.last_cards = []  # seats in the order of their last cards
        self.opening = True

    # -- what is asked ------------------------------------------------------

    def strength(self, card):
        """Sorts cards as house moves prefer them."""
        return card[1] == self.trump, PIECES.index(card)

    def beats(self, card, attack):
        if card[1] == attack[1]:
            return RANKS.index(card[0]) > RANKS.index(attack[0])
        return card[1] == self.trump

    def unbeaten(self):
        return [card for _, card, cover in self.attacks if cover is None]

    def adders(self):  # R6
        if len(self.attacks) >= self.limit:
            return []
        if self.defended and len(self.unbeaten()) == len(self.attacks):
            return []
        return [seat for seat in self.inside
                if seat not in self.sides[self.defender] and self.hand[seat]]

    def ask(self):
        if self.opening:  # R5
            cards = sorted(set(self.hand[self.attacker]), key=self.strength)
            tokens = ["attack:" + card for card in cards]
            return {self.attacker: tokens}, self.attacker
        ranks = {card[0] for entry in self.attacks for card in entry[1:]
                 if card}
        lists = {seat: ["pass"] + ["add:" + card for card
                                   in set(self.hand[seat]) if card[0] in ranks]
                 for seat in self.adders()}  # R9
        if not self.unbeaten():
            return lists, None
        lists[self.defender] = self.defence()
        return lists, self.defender

    def defence(self):  # R8
        hand = sorted(set(self.hand[self.defender]), key=self.strength)
        attacks = sorted(set(self.unbeaten()), key=PIECES.index)
        tokens = [f"beat:{attack}:{card}" for card in hand
                  for attack in attacks if self.beats(card, attack)]
        tokens.append("take")
        if not self.passing or len(self.unbeaten()) < len(self.attacks):
            return tokens
        room = len(self.hand[self.player(
            self.chair_from(self.defend_chair + 1))])
        for card in hand:
            if card[0] != self.attacks[0][1][0]:
                continue
            trump = card[1] == self.trump
            copies = self.hand[self.defender].count(card)
            if trump and copies <= self.shows[self.defender]:
                continue
            if room >= len(self.attacks) + 1:
                tokens.append("transfer:" + card)
            if trump and self.travel and room >= len(self.attacks):
                tokens.append("show:" + card)
        return tokens

    # -- what happens -------------------------------------------------------

    def move(self, seat, token):
        words = token.split(":")
        self.opening = False
        if words[0] == "take":
            self.end_turn(True)
            return
        if words[0] == "beat":
            i = [card if cover is None else None
                 for _, card, cover in self.attacks].index(words[1])
            self.attacks[i] = self.attacks[i][:2] + (words[2],)
            self.lose(seat, words[2])
        elif words[0] == "show":
            self.shows[seat] += 1
            self.take_chairs(self.defend_chair, "shift")
        else:
            self.attacks.append((seat, words[1], None))
            self.lose(seat, words[1])
            if words[0] == "transfer":
                self.take_chairs(self.defend_chair, "shift")
        if not self.unbeaten() and not self.adders():  # R7
            self.end_turn(False)

    def lose(self, seat, card):
        self.hand[seat].remove(card)
        if not self.hand[seat]:
            self.last_cards.append(seat)

    def all_passed(self):
        self.end_turn(False)

    def end_turn(self, taken):  # R10
        table = [card for entry in self.attacks for card in entry[1:] if card]
        if taken:
            self.hand[self.defender] += table
            self.tell("pickup", self.defender, len(table))
        else:
            self.tell("discard", len(table))
        drawn = [self.draw(seat) for seat in self.around(self.attacker)
                 if seat != self.defender]
        drawn.append(self.draw(self.defender))
        leaving = [seat for seat in self.last_cards if not self.hand[seat]]
        for seat in leaving:
            self.tell("out", seat)
        self.outs += leaving
        self.inside -= set(leaving)
        changed = not taken or any(drawn) or leaving
        self.idle = 0 if changed else self.idle + 1
        sides = {self.sides[seat] for seat in self.inside}
        self.score_order(leaving, sides)
        if len(sides) <= 1:
            holders = [seat for seat in self.around(self.defender)
                       if self.hand[seat]]
            self.end_game(holders[0] if holders else None)
        elif self.idle == 36 * self.decks:
            self.tell("stall")
            self.end_game(None)
        elif taken:  # R11
            self.begin_turn(self.chair_from(self.defend_chair + 1))
        else:
            self.begin_turn(self.chair_from(self.defend_chair))

    def draw(self, seat):
        n = max(0, 6 - len(self.hand[seat]))
        cards, self.talon = self.talon[:n], self.talon[n:]
        if cards and not self.talon:
            masked = [hidden(cards[:-1], seat)] if cards[:-1] else []
            self.tell("draw", seat, *masked, cards[-1])
        elif cards:
            self.tell_hidden("draw", seat, cards)
        self.hand[seat] += cards
        return len(cards)

    # -- points -------------------------------------------------------------

    def give(self, side, points):
        for seat in side:
            self.points[seat] += points

    def score_order(self, leaving, sides):  # R13
        if self.option("scoring") == "order":
            for side in {self.sides[seat] for seat in leaving} - sides:
                self.give(side, len(sides))

    def end_game(self, fool):  # R12, R13
        self.fool = fool
        self.tell("fool", "none" if fool is None else fool)
        ace = False
        race = self.option("epaulettes") == "score"
        if fool is not None and fool == self.defender:
            ace = self.shoulders(fool, race)
        if not race and self.option("scoring") != "order":
            if fool is not None:
                self.give(self.sides[fool], -1)
            first = self.first_side()
            if self.option("scoring") == "first" and first:
                self.give(first, 1)
        for seat in range(self.seats):
            self.tell("score", seat, self.points[seat])
        if ace or self.game == int(self.option("games")):
            self.end(self.points)
            return
        by_fool = self.option("dealer") == "fool" and fool is not None
        self.dealer = fool if by_fool else (self.dealer + 1) % self.seats
        self.begin_game()

    def shoulders(self, fool, race):
        """Gives the fool epaulettes.  Returns true if the race has ended with this
        game."""
        side = self.sides[fool]
        cards = [card for seat, card, _ in self.attacks if seat not in side]
        if race:
            if (not cards or all(card[1] == self.trump for card in cards)
                    or cards[-1][0] != RANKS[self.epaulettes[side]]):
                return False
            self.tell("epaulette", fool, cards[-1])
            self.epaulettes[side] += 1
            self.give(side, -1)
            return self.epaulettes[side] == len(RANKS)
        if (self.option("epaulettes") == "mark" and cards
                and cards[-1][0] == "6"):
            sixes = [card for card in cards if card[0] == "6"]
            self.tell("epaulette", fool, *sixes[-2:])
        return False
