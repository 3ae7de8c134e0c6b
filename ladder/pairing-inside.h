/* ladder/pairing-inside.h - shared by the files of pairing. */
#ifndef LADDER_PAIRING_INSIDE_H
#define LADDER_PAIRING_INSIDE_H

#include "ladder/pairing.h"

struct pairing_bot {
	/* These are read for each table, so they are kept together. */
	bool settled; /* `tally` is set */
	bool resting; /* far ahead: not drawn until it was first itself */
	bool remote; /* never twice at a table; seated also while others are held */
	unsigned free, playing;
	/* The games that it would have if it had been there from the beginning
	 * and had played as much as the others; `played least` means the lowest
	 * tally. */
	int64_t tally;
	int64_t rating_milli;
	int64_t fit_milli; /* valid if `fitted`: it is in the last fit */
	bool fitted;
	uint64_t suspended_until_us; /* 0: it never was */

	int owner; /* in pairing->owner, from 1; 0: none */
	uint64_t name_hash;
	uint64_t games, entered;
	uint64_t seat[SEATS_MAX];
	int recent[PAIRING_RECENT]; /* the newest first */
	unsigned recents;
	uint16_t last[PAIRING_LAST]; /* opponents, once for each meeting */
	unsigned lasts;		     /* ever; number i is at i % PAIRING_LAST */
	bool comes;		     /* it has been free since it left */
	uint64_t free_us;	     /* when it was last free */
	unsigned since_cover; /* opponents since one was drawn for coverage */

	bool waiting;	     /* for a bot that it has not met yet */
	unsigned since_wait; /* tables as the first bot since it waited */
	uint64_t ended_us, lasted_us; /* its last game: end and length */
	unsigned repeats; /* tables in a row that were much the same */

	uint64_t suspended_us; /* when the last pause began */
	enum pairing_end reason;
	unsigned steps, good; /* good: good games in a row */
	uint64_t failed;
	char name[NAME_BYTES + 1];
};

struct pairing_owner {
	uint64_t hash; /* of the name; owners with the same hash count as one */
	bool sits;     /* a bot of it sits at the present table */
	bool counted;  /* used while bots are counted; else false */
};

struct pairing {
	unsigned seats;
	bool same_bot;
	bool apart;
	bool held; /* only remote ones have room now */
	enum pairing_manner manner;
	uint64_t noise; /* state of the generator */
	uint64_t games;
	int64_t shift_milli; /* for bots that are not in the last fit */
	int64_t mark; /* the highest tally of a bot that was seated first;
		       * newcomers start here.  It never falls. */
	unsigned unsettled;

	int bots;		 /* handles are below this number */
	int room;		 /* size of the arrays, a multiple of 64 */
	struct pairing_bot *bot; /* owned */
	int *by_name; /* owned; 2 * room places: handle + 1, or 0.  A name is at
		       * its hash's place, or behind it, before the next free
		       * one */
	struct pairing_owner *owner; /* owned; number 0 is not used */
	int owners, owners_room;
	uint64_t *met; /* owned; room / 64 words a bot, with a bit for each bot
		        * that it met in this round of coverage */

	/* Owned; scratch space of pairing_next(), `room` elements each. */
	int *ready, *near;
	uint64_t *weight;
	unsigned char *flags; /* all 0 between calls */
};

/* A table in the making. */
struct pairing_making {
	struct pairing *pairing;
	uint64_t now_us, again_us;
	unsigned ready;	     /* bots in pairing->ready, which may be seated */
	uint64_t seats;	     /* games that the ready bots offer together */
	unsigned here;	     /* number of bots that are ready or play */
	unsigned here_apart; /* how many of them could sit at one table */
	unsigned most;	     /* times that a bot may be in `last` */
	uint64_t lapse_us;   /* when the first busy bot stops being expected */
	unsigned near;	     /* number of bots in pairing->near, the window */
	uint64_t window_milli;
	int at[SEATS_MAX]; /* the table, at[0] is the first bot */
	unsigned taken;
	bool stale; /* the table is much the same as the last one */
};

/* Remembers that a has met b of late. */
void pairing_remember(struct pairing_bot *a, int b);

/* Returns true if one of the two has been among the last opponents of the other
 * so often that they may not meet again now. */
bool pairing_is_over(const struct pairing_making *making, int a, int b);

/* Gives a tally to the bots that have entered since the last table. */
void pairing_settle(struct pairing *pairing);

/* Puts the first bot at the table.  Returns false if no table can begin now. */
bool pairing_choose_first(struct pairing_making *making);

/* Draws a place in pairing->weight[0 to n-1] by weight; returns -1 if all are
 * 0. */
int pairing_draw_weighted(struct pairing *pairing, unsigned n);
/* Draws one of those bots among the `n` that have the least value, and returns
 * its place; PAIRING_NONE if all have INT64_MAX, or there are none. */
#define PAIRING_NONE UINT32_MAX
unsigned pairing_draw_least(
	const struct pairing_making *making, const int bot[], unsigned n,
	int64_t (*value)(const struct pairing_making *making, int bot));
/* Returns what a bot has played, as it counts for its turn. */
int64_t pairing_tally(const struct pairing_making *making, int bot);

/* Returns true if a bot is here that this one has not met in this round of
 * coverage. */
bool pairing_lacks_one(const struct pairing_making *making, int bot);

/* Draws a number below `n`, which is at least 1. */
uint64_t pairing_draw(struct pairing *pairing, uint64_t n);

/* Counts a bot among those that could sit together.  Returns 1, or 0 if a bot
 * of its owner is counted already.  Call pairing_counted() after the last bot. */
unsigned pairing_count_apart(struct pairing *pairing, int bot);
void pairing_counted(struct pairing *pairing);

/* Puts the bots of a full table in the order of their seats. */
void pairing_seat(struct pairing *pairing, int at[]);

static inline uint64_t *
pairing_met_word(const struct pairing *pairing, int a, int b)
{
	return &pairing->met[(size_t)a * (unsigned)(pairing->room / 64) +
			     (unsigned)b / 64];
}

/* Returns the owner whose bots are kept apart from this one; or NULL. */
static inline struct pairing_owner *
pairing_owner_of(const struct pairing *pairing, int bot)
{
	int owner = pairing->apart ? pairing->bot[bot].owner : 0;

	return owner == 0 ? NULL : &pairing->owner[owner];
}

static inline bool
pairing_are_apart(const struct pairing *pairing, int a, int b)
{
	return a != b && pairing_owner_of(pairing, a) != NULL &&
	       pairing->bot[a].owner == pairing->bot[b].owner;
}

/* Returns the rating that distances from this bot are measured from. */
static inline int64_t
pairing_stands_milli(const struct pairing *pairing,
		     const struct pairing_bot *bot)
{
	int64_t sum;

	if (bot->fitted)
		return bot->fit_milli;
	return __builtin_add_overflow(bot->rating_milli, pairing->shift_milli,
				      &sum)
		       ? bot->rating_milli
		       : sum;
}

static inline bool
pairing_has_met(const struct pairing *pairing, int a, int b)
{
	return *pairing_met_word(pairing, a, b) >> (unsigned)b % 64 & 1;
}

/* Returns how many more games the bot has room for now. */
static inline unsigned
pairing_room(const struct pairing *pairing, const struct pairing_bot *bot)
{
	return pairing->held && !bot->remote ? 0 : bot->free;
}

/* Returns how many seats the bot can have at one table. */
static inline unsigned
pairing_seats_of(const struct pairing_bot *bot)
{
	return bot->remote && bot->free > 1 ? 1 : bot->free;
}

static inline bool
pairing_is_here(const struct pairing *pairing, const struct pairing_bot *bot,
		uint64_t now_us)
{
	return now_us >= bot->suspended_until_us &&
	       (pairing_room(pairing, bot) > 0 || bot->playing > 0);
}

/* Returns how many of its recent opponents were at its last table. */
static inline unsigned
pairing_just_met(const struct pairing *pairing, const struct pairing_bot *bot)
{
	unsigned n = pairing->seats - 1;

	return n < bot->recents ? n : bot->recents;
}

#endif
