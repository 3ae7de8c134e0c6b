/* referee/games/doubles-dread.c - Double's Dread: bid, and play open barks.
 *
 * Pawns are numbered (force - 1) * 4 + colour, colours R G B Y.  So the lowest
 * pawn of a set is the house move's, the highest one of a colour the
 * strongest, and a force is four bits in a row.  Positions are numbered
 * clockwise. */
#include "referee/games/game.h"
#include "referee/games/seats.h"

#define COLOURS 4
#define PAWNS 32
#define SEATS 4
#define BARKS 5 /* 4 seats; fewer seats have one less */
#define BID_MAX 64
#define MAGIC_POINTS 5

enum { OPTION_MAGIC, OPTION_ROUNDS };

enum { VERB_BID = VERB_PASS + 1, VERB_PUT, VERB_LEAD, VERB_PLAY };

enum phase { PHASE_AUCTION, PHASE_SPREAD, PHASE_LEAD, PHASE_PLAY, PHASE_OVER };

enum position { SOUTH, WEST, NORTH_WEST, NORTH, NORTH_EAST, EAST, POSITIONS };

struct doubles {
	uint32_t bark[BARKS];  /* sets of the pawns that are still there */
	uint32_t taken[SEATS]; /* sets of pawns, in this round */
	uint32_t magic;	       /* the set of all magic pawns */
	int16_t total[SEATS];

	uint8_t swallowed[PAWNS]; /* in this round, in order */
	uint8_t lying[BARKS];	  /* on the monster: in order, of one colour */
	uint8_t at[POSITIONS];	  /* which bark */
	uint8_t swallows, lie;	  /* how many there are in the two lists */

	uint8_t seats, rounds;
	uint8_t phase;
	uint8_t round, opener;
	uint8_t asked;	  /* the seat */
	uint8_t bidders;  /* set of the seats that have not passed */
	uint8_t bid;	  /* the highest; 0: none yet */
	uint8_t south;	  /* the seat that made it */
	uint8_t unput;	  /* set of the barks that are not put yet */
	uint8_t table;	  /* set of the positions with a bark */
	uint8_t leader;	  /* position of the bark that leads the trick, */
	uint8_t turn;	  /* of the one whose turn it is, */
	uint8_t winner;	  /* and of the one that played `best` */
	uint8_t force;	  /* of the trick, from 0 */
	uint8_t best;	  /* the strongest pawn that lies on the monster */
	uint8_t unplayed; /* pawns on all barks */
};

GAME_STATE_FITS(struct doubles);

static const struct deck pawns = {
	.count = PAWNS,
	.name = {
		"R1", "G1", "B1", "Y1",
		"R2", "G2", "B2", "Y2",
		"R3", "G3", "B3", "Y3",
		"R4", "G4", "B4", "Y4",
		"R5", "G5", "B5", "Y5",
		"R6", "G6", "B6", "Y6",
		"R7", "G7", "B7", "Y7",
		"R8", "G8", "B8", "Y8",
	},
};

static const struct deck barks = {
	.count = BARKS,
	.name = { "a", "b", "c", "d", "e" },
};

static const struct deck positions = {
	.count = POSITIONS,
	.name = { "S", "W", "NW", "N", "NE", "E" },
};

static uint32_t
pawns_of_force(unsigned force)
{
	return 0xfu << force * COLOURS;
}

static uint32_t
pawns_of_colour(unsigned pawn)
{
	return 0x11111111u << pawn % COLOURS;
}

static unsigned
bark_count(const struct doubles *d)
{
	return d->seats == 4 ? 5 : 4;
}

static unsigned
bid_min(const struct doubles *d)
{
	return d->seats == 4 ? 27 : 33;
}

/* R4: returns the seat that plays with the bark there. */
static unsigned
seat_at(const struct doubles *d, unsigned position)
{
	static const uint8_t after_south[SEATS + 1][POSITIONS] = {
		[2] = { [WEST] = 1, [EAST] = 1 },
		[3] = { [WEST] = 1, [EAST] = 2 },
		[4] = { [WEST] = 1, [NORTH] = 2, [EAST] = 3 },
	};
	unsigned seat = d->south + after_south[d->seats][position];

	return seat >= d->seats ? seat - d->seats : seat;
}

static unsigned
next_position(const struct doubles *d, unsigned position)
{
	do
		position = position + 1 == POSITIONS ? 0 : position + 1;
	while (!(d->table >> position & 1));
	return position;
}

/* ---- what is asked ---------------------------------------------------- */

static void
doubles_decide(const void *state, struct decision *decision)
{
	const struct doubles *d = state;

	if (d->phase == PHASE_OVER)
		decision->kind = DECISION_OVER;
	else
		game_ask_one(decision, d->asked);
}

/* R3.  The auction has ended before a bid above 64 is due. */
static void
legal_auction(const struct doubles *d, struct legal *legal)
{
	unsigned least = d->bid ? d->bid + 1u : bid_min(d);

	game_list_verb(legal, VERB_PASS);
	game_list(legal, (struct move){ .verb = VERB_BID,
					.n = (int16_t)least,
					.top = BID_MAX });
}

static void
list_put(struct legal *legal, unsigned bark, unsigned position)
{
	game_list(legal, (struct move){ .verb = VERB_PUT,
					.piece = { (uint8_t)bark,
						   (uint8_t)position } });
}

/* R4, Q10 */
static void
legal_spread(const struct doubles *d, struct legal *legal)
{
	static const uint8_t order[] = { SOUTH, WEST, NORTH, EAST };
	unsigned put = bark_count(d) - cards_count(d->unput);
	card_set left = d->unput;

	if (put == NELEM(order)) {
		list_put(legal, card_lowest(left), NORTH_WEST);
		list_put(legal, card_lowest(left), NORTH_EAST);
		return;
	}
	while (left)
		list_put(legal, card_take_lowest(&left), order[put]);
}

/* R5, Q5: any bark; first the one that has won. */
static void
legal_lead(const struct doubles *d, struct legal *legal)
{
	game_list_piece(legal, VERB_LEAD, d->winner);
	game_list_pieces(legal, VERB_LEAD, d->table & ~(1u << d->winner));
}

/* R6, Q3: a bark without the required colour plays anything; a pawn of the
 * force of the trick is then a double. */
static void
legal_play(const struct doubles *d, struct legal *legal)
{
	uint32_t bark = d->bark[d->at[d->turn]], follow, doubles;

	if (d->lie == 0) {
		game_list_pieces(legal, VERB_PLAY, bark);
		return;
	}
	follow = bark & pawns_of_colour(d->lying[0]);
	if (follow) {
		game_list_pieces(legal, VERB_PLAY, follow);
		return;
	}
	doubles = bark & pawns_of_force(d->force);
	game_list_pieces(legal, VERB_PLAY, bark & ~doubles);
	game_list_pieces(legal, VERB_PLAY, doubles);
}

static void
doubles_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct doubles *d = state;

	(void)seat; /* all pieces are open */
	switch (d->phase) {
	case PHASE_AUCTION:
		legal_auction(d, legal);
		break;
	case PHASE_SPREAD:
		legal_spread(d, legal);
		break;
	case PHASE_LEAD:
		legal_lead(d, legal);
		break;
	default:
		legal_play(d, legal);
	}
}

/* ---- a round begins --------------------------------------------------- */

/* R2.2, R2.3 */
static void
deal(struct doubles *d, struct chance *chance, struct events *ev)
{
	unsigned size = d->seats == 4 ? 6 : 8, bark, i, pawn;
	card_set left = 0xffffffff;

	for (bark = 0; bark < bark_count(d); bark++) {
		d->bark[bark] = 0;
		event_begin(ev, "bark");
		event_word(ev, barks.name[bark]);
		for (i = 0; i < size; i++) {
			pawn = chance_card(chance, ev, left, &pawns);
			left ^= (card_set)1 << pawn;
			d->bark[bark] |= 1u << pawn;
			event_word(ev, pawns.name[pawn]);
		}
		event_end(ev);
	}
	d->unplayed = (uint8_t)(PAWNS - cards_count(left));
	if (!left)
		return;
	event_begin(ev, "monster");
	event_hide(ev);
	while (left) {
		pawn = chance_card(chance, ev, left, &pawns);
		left ^= (card_set)1 << pawn;
		d->swallowed[d->swallows++] = (uint8_t)pawn; /* Q13 */
		event_word(ev, pawns.name[pawn]);
	}
	event_seen_by(ev, 0);
	event_end(ev);
}

/* R1, R2 */
static void
begin_round(struct doubles *d, struct chance *chance, struct events *ev)
{
	d->round++;
	event_begin_of(ev, "round", d->round);
	if (d->round == 1)
		d->opener = (uint8_t)chance_number(chance, ev, 0, d->seats);
	else
		d->opener = (uint8_t)seat_left(d->opener, d->seats);
	event_number(ev, d->opener);
	event_end(ev);
	chance_round(chance, d->round);

	for (unsigned seat = 0; seat < d->seats; seat++)
		d->taken[seat] = 0;
	d->swallows = 0;
	deal(d, chance, ev);
	d->bidders = (uint8_t)((1u << d->seats) - 1);
	d->bid = 0;
	d->asked = d->opener;
	d->phase = PHASE_AUCTION;
}

/* ---- a round ends ----------------------------------------------------- */

/* Goes on with a line by these pawns. */
static void
pawn_words(struct events *ev, const uint8_t *pawn, unsigned n)
{
	while (n-- > 0)
		event_word(ev, pawns.name[*pawn++]);
}

/* R7.1 */
static void
give_back(struct doubles *d, unsigned seat, struct events *ev)
{
	event_begin_of(ev, "back", seat);
	pawn_words(ev, d->swallowed, d->swallows);
	event_end(ev);
	for (unsigned i = 0; i < d->swallows; i++)
		d->taken[seat] |= 1u << d->swallowed[i];
}

/* R7.2: counts what each seat's pawns are worth. */
static void
count_up(const struct doubles *d, unsigned count[SEATS], struct events *ev)
{
	for (unsigned seat = 0; seat < d->seats; seat++) {
		count[seat] = cards_count(d->taken[seat]) +
			      (MAGIC_POINTS - 1) *
				      cards_count(d->taken[seat] & d->magic);
		EVENT_LINE(ev, "count", seat, count[seat]);
	}
}

/* R7.3, R7.4, Q6 */
static void
score(struct doubles *d, const unsigned count[SEATS], struct events *ev)
{
	bool made = count[d->south] >= d->bid;
	unsigned points;

	event_begin_of(ev, "contract", d->south);
	event_number(ev, d->bid);
	event_number(ev, count[d->south]);
	event_word(ev, made ? "made" : "failed");
	event_end(ev);
	for (unsigned seat = 0; seat < d->seats; seat++) {
		points = count[seat];
		if (!made)
			points = seat == d->south ? 0 : points + d->bid;
		d->total[seat] = (int16_t)(d->total[seat] + (int)points);
		EVENT_LINE(ev, "score", seat, d->total[seat]);
	}
}

/* R7 */
static void
end_round(struct doubles *d, struct chance *chance, struct events *ev)
{
	unsigned count[SEATS];

	give_back(d, seat_at(d, d->winner), ev);
	count_up(d, count, ev);
	score(d, count, ev);
	if (d->round == d->rounds)
		d->phase = PHASE_OVER;
	else
		begin_round(d, chance, ev);
}

/* ---- what happens ----------------------------------------------------- */

/* R3: returns true in cases (a), (b), (c).  The highest bidder is not asked before
 * another seat has bid more, so it cannot have passed. */
static bool
auction_is_over(const struct doubles *d)
{
	if (d->bid == BID_MAX || !d->bidders)
		return true;
	return d->bid && d->bidders == 1u << d->south;
}

/* R3 */
static void
bid_or_pass(struct doubles *d, unsigned seat, struct move move,
	    struct events *ev)
{
	if (move.verb == VERB_BID) {
		d->bid = (uint8_t)move.n;
		d->south = (uint8_t)seat;
	} else {
		d->bidders &= (uint8_t) ~(1u << seat); /* Q7 */
	}
	if (!auction_is_over(d)) {
		d->asked = (uint8_t)seats_first(
			d->bidders, seat_left(seat, d->seats), d->seats);
		return;
	}
	if (!d->bid) { /* Q8 */
		d->bid = (uint8_t)bid_min(d);
		d->south = d->opener;
	}
	EVENT_LINE(ev, "south", d->south, d->bid);
	d->unput = (uint8_t)((1u << bark_count(d)) - 1);
	d->table = 0;
	d->asked = d->south;
	d->phase = PHASE_SPREAD;
}

/* R4 */
static void
put(struct doubles *d, unsigned bark, unsigned position, struct events *ev)
{
	card_set table;

	d->at[position] = (uint8_t)bark;
	d->table |= (uint8_t)(1u << position);
	d->unput ^= (uint8_t)(1u << bark);
	if (d->unput)
		return;
	table = d->table;
	while (table) {
		position = card_take_lowest(&table);
		event_begin(ev, "at");
		event_word(ev, positions.name[position]);
		event_word(ev, barks.name[d->at[position]]);
		event_number(ev, seat_at(d, position));
		event_end(ev);
	}
	d->winner = SOUTH; /* the house move of the first lead */
	d->phase = PHASE_LEAD;
}

/* R5 */
static void
lead(struct doubles *d, unsigned position)
{
	d->leader = d->turn = (uint8_t)position;
	d->lie = 0;
	d->asked = (uint8_t)seat_at(d, position);
	d->phase = PHASE_PLAY;
}

/* Swallows the `n` pawns. */
static void
swallow(struct doubles *d, const uint8_t *pawn, unsigned n, struct events *ev)
{
	event_begin(ev, "swallow");
	pawn_words(ev, pawn, n);
	event_end(ev);
	while (n-- > 0)
		d->swallowed[d->swallows++] = *pawn++;
}

static void
lay(struct doubles *d, uint8_t pawn)
{
	if (d->lie == 0 || pawn > d->best) {
		d->best = pawn;
		d->winner = d->turn;
	}
	d->lying[d->lie++] = pawn;
}

/* R6: plays a pawn. */
static void
play_pawn(struct doubles *d, uint8_t pawn, struct events *ev)
{
	d->bark[d->at[d->turn]] ^= 1u << pawn;
	d->unplayed--;
	if (d->lie == 0) {
		d->force = pawn / COLOURS; /* Q2: for the whole trick */
		lay(d, pawn);
	} else if (pawn % COLOURS == d->lying[0] % COLOURS) {
		lay(d, pawn);
	} else if (pawn / COLOURS == d->force) {
		swallow(d, d->lying, d->lie, ev); /* Q4 */
		d->lie = 0;
		lay(d, pawn);
	} else {
		swallow(d, &pawn, 1, ev);
	}
}

static void
end_trick(struct doubles *d, struct chance *chance, struct events *ev)
{
	unsigned seat = seat_at(d, d->winner), i;

	event_begin(ev, "trick");
	event_word(ev, positions.name[d->winner]);
	event_number(ev, seat);
	pawn_words(ev, d->lying, d->lie);
	event_end(ev);
	for (i = 0; i < d->lie; i++)
		d->taken[seat] |= 1u << d->lying[i];
	d->asked = (uint8_t)seat;
	d->phase = PHASE_LEAD;
	if (d->unplayed == 0)
		end_round(d, chance, ev);
}

static void
doubles_play(void *state, unsigned seat, struct move move,
	     struct chance *chance, struct events *ev)
{
	struct doubles *d = state;

	game_move_event(ev, &game_doubles_dread, seat, move);
	event_end(ev);
	switch (move.verb) {
	case VERB_PUT:
		put(d, move.piece[0], move.piece[1], ev);
		return;
	case VERB_LEAD:
		lead(d, move.piece[0]);
		return;
	case VERB_PLAY:
		play_pawn(d, move.piece[0], ev);
		d->turn = (uint8_t)next_position(d, d->turn);
		d->asked = (uint8_t)seat_at(d, d->turn);
		if (d->turn == d->leader)
			end_trick(d, chance, ev);
		return;
	default:
		bid_or_pass(d, seat, move, ev);
	}
}

/* ---- what a viewer cannot know ---------------------------------------- */

/* The two pawns on the body of the monster lie on no bark, so all seats know
 * which they are; no seat knows their order before `back` shows it. */
static void
doubles_resample(void *state, int viewer, struct draws *draws)
{
	struct doubles *d = state;
	uint8_t *body = d->swallowed, first = body[0];

	(void)viewer; /* all seats know the same */
	if (d->seats < SEATS || d->phase == PHASE_OVER)
		return;
	if ((body[1] < first) == (draws_below(draws, 2) == 0))
		return; /* 0: the lower one lies second */
	body[0] = body[1];
	body[1] = first;
}

static unsigned
doubles_hidden(const void *state, uint8_t pawn[HIDDEN_MAX])
{
	const struct doubles *d = state;

	if (d->seats < SEATS)
		return 0;
	pawn[0] = d->swallowed[0];
	pawn[1] = d->swallowed[1];
	return 2;
}

static unsigned
doubles_standing(const void *state, long points[SEATS_MAX])
{
	const struct doubles *d = state;

	for (unsigned seat = 0; seat < d->seats; seat++)
		points[seat] = d->total[seat];
	return d->round;
}

/* ---- the table -------------------------------------------------------- */

static const char *const magic_values[] = {
	"12", "13", "14", "15", "16", "17", "18", "23", "24", "25",
	"26", "27", "28", "34", "35", "36", "37", "38", "45", "46",
	"47", "48", "56", "57", "58", "67", "68", "78", NULL,
};

#define MAGIC_78 27 /* its index */

static const struct game_option options[] = {
	[OPTION_MAGIC] = {
		.name = "magic",
		.values = magic_values,
		.preset = MAGIC_78,
		.must = "option magic must be two different digits from 1 to "
			"8, the smaller first",
		.brief = "the two forces whose pawns count 5 points",
	},
	[OPTION_ROUNDS] = {
		.name = "rounds",
		.min = 1,
		.max = 99,
		.preset = OPTION_DEFAULT_SEATS,
		.must = "option rounds must be an integer from 1 to 99",
		.brief = "rounds in a game; the totals decide",
	},
	{ .name = NULL },
};

static void
doubles_start(void *state, const struct game_setup *setup,
	      struct chance *chance, struct events *ev)
{
	const char *magic = magic_values[setup->option[OPTION_MAGIC]];
	struct doubles *d = state;

	d->seats = setup->seats;
	d->rounds = (uint8_t)setup->option[OPTION_ROUNDS];
	d->magic = pawns_of_force((unsigned)(magic[0] - '1')) |
		   pawns_of_force((unsigned)(magic[1] - '1'));
	begin_round(d, chance, ev);
}

static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass", .brief = "bid no more" },
	[VERB_BID] = {
		.name = "bid",
		.number = true,
		.brief = "promise to take this many points",
	},
	[VERB_PUT] = {
		.name = "put",
		.deck = { &barks, &positions },
		.brief = "put this bark at this position",
	},
	[VERB_LEAD] = {
		.name = "lead",
		.deck = { &positions },
		.brief = "let the bark there begin the trick",
	},
	[VERB_PLAY] = {
		.name = "play",
		.deck = { &pawns },
		.lays = 1,
		.brief = "play this pawn of the bark whose turn it is",
	},
	{ .name = NULL },
};

static const char *const lines[] = {
	"round N O",
	"bark x p ...",
	"monster {p p}",
	"move S bid:n",
	"move S pass",
	"south S n",
	"move S put:x:P",
	"at P x S",
	"move S lead:P",
	"move S play:p",
	"swallow p ...",
	"trick P S p ...",
	"back S p ...",
	"count S n",
	"contract S b n made",
	"contract S b n failed",
	"score S t",
	"fault S why",
	"result S place points",
	NULL,
};

const struct game_rules game_doubles_dread = {
	.name = "doubles-dread",
	.title = "Double's Dread",
	.brief = "bid for points, and double what a monster swallows",
	.version = 1,
	.min_seats = 2,
	.max_seats = SEATS,
	.seats_must = "needs 2 to 4 seats",
	.state_bytes = sizeof(struct doubles),
	.deck = &pawns,
	.pieces = { 32, 0, NULL },
	.options = options,
	.verbs = verbs,
	.lines = lines,
	.start = doubles_start,
	.decide = doubles_decide,
	.legal = doubles_legal,
	.play = doubles_play,
	.resample = doubles_resample,
	.hidden = doubles_hidden,
	.standing = doubles_standing,
};
