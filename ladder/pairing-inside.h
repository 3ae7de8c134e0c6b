/* ladder/pairing-inside.h - what the files of pairing share. */
#ifndef LADDER_PAIRING_INSIDE_H
#define LADDER_PAIRING_INSIDE_H

#include "ladder/pairing.h"

struct pairing_bot {
	/* Looked at for each table: kept together. */
	bool settled; /* `tally` is set */
	bool resting; /* far ahead: no opponent until it was first itself */
	bool remote; /* never twice at a table; seated also while others are held */
	unsigned free, playing;
	/* Games that it would have, had it been there from the beginning and
	 * played as much as the others: what `played least` goes by. */
	int64_t tally;
	int64_t rating_milli;
	int64_t fit_milli; /* if it is in the last fit: `fitted` */
	bool fitted;
	uint64_t suspended_until_us; /* 0: never was */

	int owner; /* in pairing->owner, from 1; 0: none */
	uint64_t name_hash;
	uint64_t games, entered;
	uint64_t seat[SEATS_MAX];
	int recent[PAIRING_RECENT]; /* the newest first */
	unsigned recents;
	uint16_t last[PAIRING_LAST]; /* opponents, as often as they met */
	unsigned lasts;		     /* ever; number i is in i % PAIRING_LAST */
	bool comes;		     /* it has been free since it left */
	uint64_t free_us;	     /* when it was so last */
	unsigned since_cover; /* opponents since one was drawn for coverage */

	bool waiting;		      /* until it can meet one that it lacks */
	unsigned since_wait;	      /* tables as the first bot */
	uint64_t ended_us, lasted_us; /* its last game */
	unsigned repeats; /* tables in a row that were much the same */

	uint64_t suspended_us; /* the last pause began */
	enum pairing_end reason;
	unsigned steps, good; /* good: games in a row */
	uint64_t failed;
	char name[NAME_BYTES + 1];
};

struct pairing_owner {
	uint64_t hash; /* of the name; two that have the same are kept apart */
	bool sits;     /* at the table in the making; else false */
	bool counted;  /* while bots are counted; else false */
};

struct pairing {
	unsigned seats;
	bool same_bot;
	bool apart;
	bool held; /* only remote ones have room now */
	enum pairing_manner manner;
	uint64_t noise; /* state of the generator */
	uint64_t games;
	int64_t shift_milli; /* for those that are not in the last fit */
	int64_t mark; /* the highest tally of those that were seated first:
		       * where newcomers start.  Never falls. */
	unsigned unsettled;

	int bots;		 /* handles are below */
	int room;		 /* of the arrays, a multiple of 64 */
	struct pairing_bot *bot; /* owned */
	int *by_name; /* owned; 2 * room places, from that of a name's hash on
		       * until one is free: handle + 1, or 0 */
	struct pairing_owner *owner; /* owned; number 0 is not used */
	int owners, owners_room;
	uint64_t *met; /* owned; room / 64 words a bot: a bit for each
			* one met in the present round of coverage */

	/* Owned; scratch of pairing_next(), as long as `room`. */
	int *ready, *near;
	uint64_t *weight;
	unsigned char *flags; /* between calls all 0 */
};

/* A table in the making. */
struct pairing_making {
	struct pairing *pairing;
	uint64_t now_us, again_us;
	unsigned ready; /* bots in pairing->ready: those that may be seated */
	uint64_t seats; /* that those offer together */
	unsigned here;	/* all that are ready or play */
	unsigned here_apart; /* as many of them as could sit together */
	unsigned most;	     /* so often one may be among the last of another */
	uint64_t lapse_us;   /* when one is expected no more that is not free */
	unsigned near;	     /* bots in pairing->near: the window */
	uint64_t window_milli;
	int at[SEATS_MAX]; /* the table, at[0] is the first bot */
	unsigned taken;
	bool stale; /* it is much the same as the last one */
};

/* b is remembered as met of late by a. */
void pairing_remember(struct pairing_bot *a, int b);

/* One of the two has been among the last opponents of the other so often that it
 * may not be again. */
bool pairing_is_over(const struct pairing_making *making, int a, int b);

/* Gives those a tally that have entered since the last table. */
void pairing_settle(struct pairing *pairing);

/* Puts the first bot at the table; false if no table can begin now. */
bool pairing_choose_first(struct pairing_making *making);

/* A place in pairing->weight[0 to n-1] by weight, or -1 if all are 0. */
int pairing_draw_weighted(struct pairing *pairing, unsigned n);
/* Draws among the `n` bots with the least value: the place of one; PAIRING_NONE: all
 * have INT64_MAX, or there are none. */
#define PAIRING_NONE UINT32_MAX
unsigned pairing_draw_least(
	const struct pairing_making *making, const int bot[], unsigned n,
	int64_t (*value)(const struct pairing_making *making, int bot));
/* Returns what a bot has played, as it counts for its turn. */
int64_t pairing_tally(const struct pairing_making *making, int bot);

/* A bot is here that this one has not met in this round of coverage. */
bool pairing_lacks_one(const struct pairing_making *making, int bot);

/* A number below `n`, which is at least 1. */
uint64_t pairing_draw(struct pairing *pairing, uint64_t n);

/* Counts a bot among those that could sit together: 1, or 0 if one of its
 * owner's is counted already.  After all, pairing_counted(). */
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

/* The owner whose bots are kept apart from this one; or NULL. */
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

/* What distances from it are taken from. */
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

/* For how many more games it has room now. */
static inline unsigned
pairing_room(const struct pairing *pairing, const struct pairing_bot *bot)
{
	return pairing->held && !bot->remote ? 0 : bot->free;
}

/* Seats that it can have at one table. */
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

/* Those at its last table. */
static inline unsigned
pairing_just_met(const struct pairing *pairing, const struct pairing_bot *bot)
{
	unsigned n = pairing->seats - 1;

	return n < bot->recents ? n : bot->recents;
}

#endif
