"""Plays Durnius from its rules alone; see rules_toepen.py.  Points do not
change what is legal, except the race of epaulettes, so only those are kept."""

RANKS, SUITS = "6789TJQKA", "CDHS"
PIECES = [rank + suit for rank in RANKS for suit in SUITS]


class Durnius:
    @staticmethod
    def pieces(seats, options):
        return [card for card in PIECES
                for _ in range(int(options.get("decks", 1)))]

    def __init__(self, seats, options, order):
        self.seats, self.order, self.options = seats, order, options
        self.decks = int(options.get("decks", 1))
        self.passing = options.get("passing") == "yes"
        self.travel = options.get("travel") == "yes"
        self.defended = options.get("adding") == "defended"
        self.sides = [self.side(seat) for seat in range(seats)]
        self.game, self.dealer, self.fool = 0, 0, None
        self.epaulettes = {side: 0 for side in self.sides}
        self.outs = []
        self.over = False
        self.begin_game()

    def side(self, seat):  # R1
        teams = self.options.get("teams", "none")
        if teams == "pairs":
            return frozenset([seat, (seat + self.seats // 2) % self.seats])
        if teams == "threes":
            return frozenset(range(seat % 2, 6, 2))
        return frozenset([seat])

    def around(self, first):
        return [(first + i) % self.seats for i in range(self.seats)]

    def begin_game(self):  # R2, R3
        self.game += 1
        first = self.opener()
        stock = list(self.order)
        self.hand = [[] for _ in range(self.seats)]
        for seat in self.around(self.dealer + 1):
            self.hand[seat], stock = stock[:6], stock[6:]
        if stock:  # the trump card is written first, and drawn last
            self.talon = stock[1:] + stock[:1]
            self.trump = stock[0][1]
        else:
            self.talon = []
            self.trump = self.hand[self.dealer][-1][1]
        self.inside = set(range(self.seats))
        self.outs, self.idle = [], 0
        self.begin_turn(self.lowest() if first is None else first)

    def opener(self):
        start = self.options.get("start", "trump")
        if self.game == 1 or self.fool is None or start == "trump":
            return None
        if start == "right":
            return (self.fool - 1) % self.seats
        for i in range(len(self.outs)):
            side = self.sides[self.outs[i]]
            if side <= set(self.outs[:i + 1]):
                return [seat for seat in self.outs if seat in side][0]
        return None

    def lowest(self):
        held = [RANKS.index(card[0]) for hand in self.hand for card in hand
                if card[1] == self.trump]
        left = self.around(self.dealer + 1)
        if not held:
            return left[0]
        card = RANKS[min(held)] + self.trump
        return [seat for seat in left if card in self.hand[seat]][0]

    # -- chairs -------------------------------------------------------------

    def player(self, chair):
        """Returns the seat that plays a chair; None: it is empty."""
        for seat in self.around(chair):
            if seat in self.sides[chair] and seat in self.inside:
                return seat
        return None

    def chair_from(self, chair):
        return [c for c in self.around(chair) if self.player(c) is not None][0]

    def take_chairs(self, chair):  # R4
        self.attack_chair = chair
        self.defend_chair = self.chair_from(chair + 1)
        self.attacker = self.player(chair)
        self.defender = self.player(self.defend_chair)
        self.limit = len(self.hand[self.defender])

    def begin_turn(self, chair):
        self.take_chairs(chair)
        self.attacks = []  # seat, card, the card on it or None
        self.shows = [0] * self.seats
        self.last_cards = []  # seats in the order of their last cards
        self.opening = True

    # -- what is asked ------------------------------------------------------

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
            cards = set(self.hand[self.attacker])
            tokens = ["attack:" + card for card in cards]
            return {self.attacker: tokens}, self.attacker
        ranks = {card[0] for entry in self.attacks for card in entry[1:]
                 if card}
        lists = {seat: ["pass"] + ["add:" + card for card
                                   in set(self.hand[seat]) if card[0] in ranks]
                 for seat in self.adders()}
        if not self.unbeaten():
            return lists, None
        lists[self.defender] = self.defence()
        return lists, self.defender

    def defence(self):  # R8
        hand = self.hand[self.defender]
        tokens = ["take"]
        tokens += [f"beat:{attack}:{card}" for attack in set(self.unbeaten())
                   for card in set(hand) if self.beats(card, attack)]
        if not self.passing or len(self.unbeaten()) < len(self.attacks):
            return tokens
        room = len(self.hand[self.player(
            self.chair_from(self.defend_chair + 1))])
        for card in set(hand):
            if card[0] != self.attacks[0][1][0]:
                continue
            trump = card[1] == self.trump
            if trump and hand.count(card) <= self.shows[self.defender]:
                continue
            if room >= len(self.attacks) + 1:
                tokens.append("transfer:" + card)
            if trump and self.travel and room >= len(self.attacks):
                tokens.append("show:" + card)
        return tokens

    # -- what happens -------------------------------------------------------

    def play(self, seat, token):
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
            self.take_chairs(self.defend_chair)
        else:
            self.attacks.append((seat, words[1], None))
            self.lose(seat, words[1])
            if words[0] == "transfer":
                self.take_chairs(self.defend_chair)
        if not self.unbeaten() and not self.adders():  # R7
            self.end_turn(False)

    def lose(self, seat, card):
        self.hand[seat].remove(card)
        if not self.hand[seat]:
            self.last_cards.append(seat)

    def quiet(self):
        self.end_turn(False)

    def end_turn(self, taken):  # R10
        table = [card for entry in self.attacks for card in entry[1:] if card]
        if taken:
            self.hand[self.defender] += table
        drawn = [self.draw(seat) for seat in self.around(self.attacker)
                 if seat != self.defender]
        drawn.append(self.draw(self.defender))
        leaving = [seat for seat in self.last_cards if not self.hand[seat]]
        self.outs += leaving
        self.inside -= set(leaving)
        changed = not taken or any(drawn) or leaving
        self.idle = 0 if changed else self.idle + 1
        sides = {self.sides[seat] for seat in self.inside}
        if len(sides) <= 1:
            holders = [seat for seat in self.around(self.defender)
                       if self.hand[seat]]
            self.end_game(holders[0] if holders else None)
        elif self.idle == 36 * self.decks:
            self.end_game(None)
        elif taken:  # R11
            self.begin_turn(self.chair_from(self.defend_chair + 1))
        else:
            self.begin_turn(self.chair_from(self.defend_chair))

    def draw(self, seat):
        n = max(0, 6 - len(self.hand[seat]))
        cards, self.talon = self.talon[:n], self.talon[n:]
        self.hand[seat] += cards
        return len(cards)

    def end_game(self, fool):  # R12
        self.fool = fool
        ace = fool is not None and self.epaulette(fool)
        if ace or self.game == int(self.options.get("games", 1)):
            self.over = True
            return
        by_fool = self.options.get("dealer") == "fool" and fool is not None
        self.dealer = fool if by_fool else (self.dealer + 1) % self.seats
        self.begin_game()

    def epaulette(self, fool):
        """Returns true if the race has ended with this game."""
        if self.options.get("epaulettes") != "score" or fool != self.defender:
            return False
        side = self.sides[fool]
        cards = [card for seat, card, _ in self.attacks if seat not in side]
        if (not cards or all(card[1] == self.trump for card in cards)
                or cards[-1][0] != RANKS[self.epaulettes[side]]):
            return False
        self.epaulettes[side] += 1
        return self.epaulettes[side] == len(RANKS)
