/* referee/games/daupun-battle.c - who wins which tricks, which of them count,
 * and what they bring (R11). */
#include "referee/games/daupun-battle.h"

#define TRICKS DAUPUN_HAND

struct battle {
	uint8_t row[DAUPUN_SEATS][TRICKS]; /* rising, equal values by suit */
	uint8_t sum[DAUPUN_SEATS];

	/* These hold for each trick. */
	uint8_t winner[TRICKS]; /* DAUPUN_NOBODY: a tie */
	uint8_t distance[TRICKS];
	uint8_t worth[TRICKS];

	unsigned left; /* set of tricks not removed */
	bool by_position;
};

static unsigned
position(unsigned trick)
{
	return TRICKS - trick;
}

/* R11.1 */
static void
show(struct battle *b, unsigned seat, card_set hand, struct events *ev)
{
	for (unsigned i = 0; i < TRICKS; i++) {
		b->row[seat][i] = (uint8_t)card_take_lowest(&hand);
		b->sum[seat] =
			(uint8_t)(b->sum[seat] + daupun_value(b->row[seat][i]));
	}
	event_begin_of(ev, "show", seat);
	event_number(ev, b->sum[seat]);
	for (unsigned i = 0; i < TRICKS; i++)
		event_word(ev, daupun_deck.name[b->row[seat][i]]);
	event_end(ev);
}

static void
line_trick(const struct battle *b, unsigned trick, struct events *ev)
{
	event_begin_of(ev, "trick", trick + 1);
	event_word(ev, daupun_deck.name[b->row[0][trick]]);
	event_word(ev, daupun_deck.name[b->row[1][trick]]);
	if (b->winner[trick] == DAUPUN_NOBODY)
		event_word(ev, "tie");
	else
		event_number(ev, b->winner[trick]);
	event_number(ev, position(trick));
	event_number(ev, b->distance[trick]);
	event_end(ev);
}

/* R11.2: the lower card wins. */
static void
fight(struct battle *b, unsigned trick, struct events *ev)
{
	int apart = (int)daupun_value(b->row[1][trick]) -
		    (int)daupun_value(b->row[0][trick]);

	b->winner[trick] = apart == 0 ? DAUPUN_NOBODY : apart < 0;
	b->distance[trick] = (uint8_t)(apart < 0 ? -apart : apart);
	b->worth[trick] = (uint8_t)(position(trick) + b->distance[trick]);
	line_trick(b, trick, ev);
}

static void
remove_trick(struct battle *b, unsigned trick, const char *why,
	     struct events *ev)
{
	b->left &= ~(1u << trick);
	event_begin_of(ev, "remove", trick + 1);
	event_word(ev, why);
	event_end(ev);
}

/* Q12: by worth, of equal worth the later trick; or the latest trick. */
static unsigned
lowest(const struct battle *b)
{
	unsigned low = TRICKS, trick;

	for (trick = 0; trick < TRICKS; trick++)
		if (b->left >> trick & 1 && (low == TRICKS || b->by_position ||
					     b->worth[trick] <= b->worth[low]))
			low = trick;
	return low;
}

/* R11.3 */
static void
remove_tricks(struct battle *b, struct events *ev)
{
	static const uint8_t lows[TRICKS + 1] = { 0, 0, 1, 0, 1, 2 };

	b->left = (1u << TRICKS) - 1;
	for (unsigned trick = 0; trick < TRICKS; trick++)
		if (b->winner[trick] == DAUPUN_NOBODY)
			remove_trick(b, trick, "tie", ev);
	for (unsigned due = lows[cards_count(b->left)]; due > 0; due--)
		remove_trick(b, lowest(b), "low", ev);
}

/* R11.4, Q13: the value; how many tricks the seat has left in `*won`. */
static uint16_t
field(const struct battle *b, unsigned seat, unsigned *won, struct events *ev)
{
	unsigned worth = 0, trick;

	*won = 0;
	for (trick = 0; trick < TRICKS; trick++) {
		if (!(b->left >> trick & 1) || b->winner[trick] != seat)
			continue;
		++*won;
		worth += b->worth[trick];
	}
	EVENT_LINE(ev, "field", seat, *won, *won * worth);
	return (uint16_t)(*won * worth);
}

struct daupun_end
daupun_battle(const card_set hand[DAUPUN_SEATS], bool by_position,
	      struct events *ev)
{
	struct daupun_end end = { .winner = DAUPUN_NOBODY, .reason = "tie" };
	unsigned won[DAUPUN_SEATS], seat, trick;
	struct battle b = { .by_position = by_position };
	bool reached[DAUPUN_SEATS];

	for (seat = 0; seat < DAUPUN_SEATS; seat++) {
		show(&b, seat, hand[seat], ev);
		reached[seat] = b.sum[seat] >= DAUPUN_GOAL;
	}
	for (trick = 0; trick < TRICKS; trick++)
		fight(&b, trick, ev);
	remove_tricks(&b, ev);
	for (seat = 0; seat < DAUPUN_SEATS; seat++)
		end.gain[seat] = field(&b, seat, &won[seat], ev);

	if (!b.left)
		return end;
	if (reached[0] != reached[1]) { /* R11.5, R11.6, Q14 */
		end.winner = reached[1];
		end.reason = "goal";
		end.gain[!end.winner] = 0;
		return end;
	}
	end.winner = won[1] > won[0];
	end.reason = "tricks";
	return end;
}
