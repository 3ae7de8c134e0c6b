/* ladder/pairing-next.c - makes the next table.
 *
 * Every choice is a draw among weighted bots: give each a weight, add them up,
 * draw a number below the sum, find the bot that it falls on. */
#include <string.h>

#include "ladder/pairing-inside.h"

/* Ratings that are further apart count as equally far. */
#define GAP_MILLI_MAX UINT64_C(1000000000)
#define WINDOWS 15 /* the widest holds that gap */

/* Flags of a bot while a table is made.  The low bits count the bots at the
 * table that it has met of late. */
#define JUST_MET 0x80 /* at the last table of the first bot */
#define SEATED 0x40
#define OVER 0x20 /* has met one of the table too often */
#define COUNT 0x1f

_Static_assert((uint64_t)PAIRING_WINDOW_MILLI << (WINDOWS - 1) >= GAP_MILLI_MAX,
	       "each gap is in a window");

/* Draws by splitmix64.  The remainder favours low numbers by less than n /
 * 2^64. */
uint64_t
pairing_draw(struct pairing *pairing, uint64_t n)
{
	uint64_t z = pairing->noise += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % n;
}

int
pairing_draw_weighted(struct pairing *pairing, unsigned n)
{
	uint64_t sum = 0, at;
	unsigned i;

	for (i = 0; i < n; i++)
		sum += pairing->weight[i];
	if (sum == 0)
		return -1;
	at = pairing_draw(pairing, sum);
	for (i = 0; at >= pairing->weight[i]; i++)
		at -= pairing->weight[i];
	return (int)i;
}

unsigned
pairing_draw_least(const struct pairing_making *making, const int bot[],
		   unsigned n,
		   int64_t (*value)(const struct pairing_making *making,
				    int bot))
{
	struct pairing *pairing = making->pairing;
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < n; i++)
		if (value(making, bot[i]) < least)
			least = value(making, bot[i]);
	for (unsigned i = 0; i < n; i++)
		pairing->weight[i] =
			least < INT64_MAX && value(making, bot[i]) == least;
	return (unsigned)pairing_draw_weighted(pairing, n);
}

int64_t
pairing_tally(const struct pairing_making *making, int bot)
{
	return making->pairing->bot[bot].tally;
}

/* ---- who is there ----------------------------------------------------- */

unsigned
pairing_count_apart(struct pairing *pairing, int bot)
{
	struct pairing_owner *owner = pairing_owner_of(pairing, bot);

	if (owner == NULL)
		return 1;
	if (owner->counted)
		return 0;
	owner->counted = true;
	return 1;
}

void
pairing_counted(struct pairing *pairing)
{
	for (int i = 1; i < pairing->owners; i++)
		pairing->owner[i].counted = false;
}

static void
gather(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	struct pairing_bot *bot;

	for (int i = 0; i < pairing->bots; i++) {
		bot = &pairing->bot[i];
		if (pairing_is_here(pairing, bot, making->now_us)) {
			making->here++;
			making->here_apart += pairing_count_apart(pairing, i);
			if (pairing_room(pairing, bot) == 0)
				continue;
			bot->comes = true;
			bot->free_us = making->now_us;
			pairing->ready[making->ready++] = i;
			making->seats += bot->free;
		} else if (pairing_room(pairing, bot) > 0) {
			if (bot->suspended_until_us < making->again_us)
				making->again_us = bot->suspended_until_us;
		}
	}
	pairing_counted(pairing);
}

/* Sets how often a bot may be among the last opponents of another. */
static void
bound_share(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	const unsigned seats = pairing->seats - 1;
	const struct pairing_bot *bot;
	unsigned expected = 0, twice;
	uint64_t until_us;

	making->lapse_us = PAIRING_NEVER;
	for (int i = 0; i < pairing->bots; i++) {
		bot = &pairing->bot[i];
		until_us = bot->free_us + PAIRING_PATIENCE_US_MAX;
		if (!bot->comes || making->now_us >= until_us ||
		    making->now_us < bot->suspended_until_us)
			continue;
		expected += pairing_count_apart(pairing, i);
		if (pairing_room(pairing, bot) == 0 &&
		    until_us < making->lapse_us)
			making->lapse_us = until_us;
	}
	pairing_counted(pairing);
	making->most = UINT32_MAX;
	if (expected <= 2 * seats + 1)
		return;
	making->most = PAIRING_LAST_MOST(pairing->seats);
	twice = 2 * PAIRING_LAST / (expected - 1);
	if (making->most < twice)
		making->most = twice;
}

static unsigned
count_last(const struct pairing_bot *bot, int other)
{
	unsigned n = 0, i;

	for (i = 0; i < PAIRING_LAST; i++)
		n += bot->last[i] == other;
	return n;
}

bool
pairing_is_over(const struct pairing_making *making, int a, int b)
{
	const struct pairing *pairing = making->pairing;

	if (making->most > PAIRING_LAST)
		return false;
	return count_last(&pairing->bot[a], b) >= making->most ||
	       count_last(&pairing->bot[b], a) >= making->most;
}

/* ---- the others ------------------------------------------------------- */

/* Returns how many of its last opponents are kept away from a bot: so few that
 * enough others are left. */
static unsigned
keep_away(const struct pairing_making *making, const struct pairing_bot *bot)
{
	unsigned n = 1 + (making->here - 1) / 4;

	return n < bot->recents ? n : bot->recents;
}

/* Marks a bot that has a seat now, the bots that it has met of late, and those
 * that it has met so often that it may not meet them once more. */
static void
mark(const struct pairing_making *making, int at)
{
	struct pairing *pairing = making->pairing;
	const struct pairing_bot *bot = &pairing->bot[at];
	unsigned i, n = keep_away(making, bot);

	pairing->flags[at] |= SEATED;
	for (i = 0; i < n; i++)
		pairing->flags[bot->recent[i]]++;
	if (making->most > PAIRING_LAST)
		return;
	for (i = 0; i < PAIRING_LAST && i < bot->lasts; i++)
		if (count_last(bot, bot->last[i]) >= making->most)
			pairing->flags[bot->last[i]] |= OVER;
}

/* Marks the bots that were at the first bot's last table, and those that had it
 * at theirs. */
static void
mark_just_met(const struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	const struct pairing_bot *first = &pairing->bot[making->at[0]], *bot;

	for (unsigned i = 0; i < first->recents; i++) {
		bot = &pairing->bot[first->recent[i]];
		if (i < pairing_just_met(pairing, first))
			pairing->flags[first->recent[i]] |= JUST_MET;
		for (unsigned j = 0; j < pairing_just_met(pairing, bot); j++)
			if (bot->recent[j] == making->at[0])
				pairing->flags[first->recent[i]] |= JUST_MET;
	}
}

static void
clear_marks(const struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	struct pairing_owner *owner;

	memset(pairing->flags, 0, (size_t)pairing->bots);
	for (unsigned i = 0; i < making->taken; i++) {
		owner = pairing_owner_of(pairing, making->at[i]);
		if (owner != NULL)
			owner->sits = false;
	}
}

/* Returns true if a bot of the same owner sits at the table, so that this one
 * may not. */
static bool
is_barred(const struct pairing *pairing, int bot)
{
	const struct pairing_owner *owner = pairing_owner_of(pairing, bot);

	return owner != NULL && owner->sits;
}

static void
sit(struct pairing_making *making, int bot)
{
	struct pairing_owner *owner = pairing_owner_of(making->pairing, bot);

	if (owner != NULL)
		owner->sits = true;
}

static uint64_t
gap_milli(const struct pairing *pairing, int a, int b)
{
	int64_t x = pairing_stands_milli(pairing, &pairing->bot[a]);
	int64_t y = pairing_stands_milli(pairing, &pairing->bot[b]);
	uint64_t gap =
		x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;

	if (pairing->manner == PAIRING_ANY)
		return 0;
	return gap < GAP_MILLI_MAX ? gap : GAP_MILLI_MAX;
}

/* Counts an opponent of the first bot, and returns true if it is one for
 * coverage. */
static bool
cover_is_due(const struct pairing *pairing, struct pairing_bot *first)
{
	return ++first->since_cover >= PAIRING_COVER_EVERY ||
	       pairing->manner == PAIRING_ROUNDS;
}

/* Returns the first window that holds a gap; all later ones hold it, too. */
static unsigned
window_of(uint64_t gap)
{
	unsigned window = 0;

	while (gap > (uint64_t)PAIRING_WINDOW_MILLI << window)
		window++;
	return window;
}

/* Widens the window until enough bots without an objection are in it, or all
 * bots, and lists the bots in it. */
static void
open_window(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	unsigned count[WINDOWS] = { 0 }, wanted, found, window, widest = 0, i;
	int first = making->at[0], bot;

	wanted = PAIRING_WINDOW_BOTS * (pairing->seats - 1);
	for (i = 0; i < making->ready; i++) {
		bot = pairing->ready[i];
		pairing->weight[i] = gap_milli(pairing, first, bot);
		window = window_of(pairing->weight[i]);
		if (window > widest)
			widest = window;
		if (pairing->flags[bot] == 0 && !pairing->bot[bot].resting &&
		    !is_barred(pairing, bot))
			count[window]++;
	}
	window = 0;
	for (found = count[0]; found < wanted && window < widest;)
		found += count[++window];
	making->window_milli = (uint64_t)PAIRING_WINDOW_MILLI << window;
	for (i = 0; i < making->ready; i++)
		if (pairing->weight[i] <= making->window_milli)
			pairing->near[making->near++] = pairing->ready[i];
}

/* Opens the window for all bots, because those in it would not do. */
static void
open_wide(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;

	making->near = making->ready;
	making->window_milli = GAP_MILLI_MAX;
	memcpy(pairing->near, pairing->ready,
	       making->ready * sizeof(*pairing->near));
}

/* Returns how much speaks against a bot as the next opponent; the least is
 * best. */
static unsigned
objection(const struct pairing *pairing, int at)
{
	const struct pairing_bot *bot = &pairing->bot[at];
	unsigned flags = pairing->flags[at], count = flags & COUNT;

	return (flags & OVER ? 32 : 0) +
	       (bot->tally >= pairing->mark + PAIRING_LAG ? 16 : 0) +
	       (flags & JUST_MET ? 8 : 0) + (bot->resting ? 4 : 0) +
	       (count < 3 ? count : 3);
}

/* Draws a bot from the window, a nearer one with a higher chance; or returns
 * -1. */
static int
draw_near(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	unsigned least = UINT32_MAX, against, i;
	int bot;

	for (i = 0; i < making->near; i++) {
		bot = pairing->near[i];
		if (!(pairing->flags[bot] & SEATED) &&
		    !is_barred(pairing, bot) && objection(pairing, bot) < least)
			least = objection(pairing, bot);
	}
	for (i = 0; i < making->near; i++) {
		bot = pairing->near[i];
		against =
			pairing->flags[bot] & SEATED || is_barred(pairing, bot)
				? UINT32_MAX
				: objection(pairing, bot);
		pairing->weight[i] = 0;
		if (against == least && least < UINT32_MAX)
			pairing->weight[i] =
				making->window_milli + 1 -
				gap_milli(pairing, making->at[0], bot);
	}
	i = (unsigned)pairing_draw_weighted(pairing, making->near);
	return i == (unsigned)-1 ? -1 : pairing->near[i];
}

/* Begins the next round of coverage if the first bot has met all bots that are
 * here. */
static void
end_round(struct pairing_making *making, int first)
{
	struct pairing *pairing = making->pairing;
	size_t words = (size_t)(pairing->room / 64);

	if (!pairing_lacks_one(making, first))
		memset(pairing_met_word(pairing, first, 0), 0,
		       words * sizeof(*pairing->met));
}

static int64_t
cover_tally(const struct pairing_making *making, int bot)
{
	const struct pairing *pairing = making->pairing;
	const int first = making->at[0];
	const bool may =
		!(pairing->flags[bot] & (JUST_MET | SEATED | OVER)) &&
		(!pairing->bot[bot].resting || pairing->bot[first].waiting) &&
		!pairing_has_met(pairing, first, bot) &&
		!is_barred(pairing, bot);

	return may ? pairing_tally(making, bot) : INT64_MAX;
}

/* Draws the bot that has played least among those that the first bot has not
 * met in this round; or returns -1. */
static int
draw_cover(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	unsigned place;

	end_round(making, making->at[0]);
	place = pairing_draw_least(making, pairing->ready, making->ready,
				   cover_tally);
	if (place == PAIRING_NONE)
		return -1;
	pairing->bot[making->at[0]].since_cover = 0;
	return pairing->ready[place];
}

/* ---- the same bot again ----------------------------------------------- */

/* Returns the number of its seats at the table; INT64_MAX: it cannot have another. */
static int64_t
seats_again(const struct pairing_making *making, int bot)
{
	unsigned i, n = 0;

	for (i = 0; i < making->taken; i++)
		n += making->at[i] == bot;
	if (n >= pairing_seats_of(&making->pairing->bot[bot]) ||
	    (n == 0 && is_barred(making->pairing, bot)))
		return INT64_MAX;
	return n;
}

/* Draws the ready bot that has the fewest seats at the table and may have one
 * more. */
static int
draw_again(const struct pairing_making *making)
{
	const int *ready = making->pairing->ready;

	return ready[pairing_draw_least(making, ready, making->ready,
					seats_again)];
}

/* ---- not the same one for ever ----------------------------------------- */

/* Returns true if the bot may not meet one at the table once more, and marks
 * it.  This also finds bots that have had one at the table too often among
 * their own last opponents, which mark() does not look for. */
static bool
is_over(const struct pairing_making *making, int bot)
{
	unsigned char *flags = &making->pairing->flags[bot];

	for (unsigned i = 0; i < making->taken && !(*flags & OVER); i++)
		if (pairing_is_over(making, making->at[i], bot))
			*flags |= OVER;
	return *flags & OVER;
}

/* Draws until the bot may be taken, or all are marked; or returns -1. */
static int
draw_fresh(struct pairing_making *making,
	   int (*draw)(struct pairing_making *making))
{
	int bot = draw(making);

	while (bot >= 0 && !(making->pairing->flags[bot] & OVER) &&
	       is_over(making, bot))
		bot = draw(making);
	return bot;
}

/* ---- the table -------------------------------------------------------- */

static void
choose_others(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	struct pairing_bot *first = &pairing->bot[making->at[0]];
	int bot;

	sit(making, making->at[0]);
	mark(making, making->at[0]);
	mark_just_met(making);
	open_window(making);
	while (making->taken < pairing->seats) {
		bot = -1;
		if (cover_is_due(pairing, first))
			bot = draw_fresh(making, draw_cover);
		if (bot < 0)
			bot = draw_fresh(making, draw_near);
		if ((bot < 0 || pairing->flags[bot] & OVER) &&
		    making->near < making->ready) {
			open_wide(making);
			bot = draw_fresh(making, draw_near);
		}
		if (bot < 0)
			bot = draw_again(making);
		making->at[making->taken++] = bot;
		sit(making, bot);
		mark(making, bot);
	}
	clear_marks(making);
}

/* Limits a tally.  No bot gets back all games that it missed while it was away.
 * No bot that played more while others were missing pays for all of that. */
static int64_t
within_lag(const struct pairing *pairing, int64_t tally)
{
	if (tally < pairing->mark - PAIRING_LAG)
		return pairing->mark - PAIRING_LAG;
	if (tally > pairing->mark + PAIRING_LAG)
		return pairing->mark + PAIRING_LAG;
	return tally;
}

/* Counts the game for everybody at the table. */
static void
count_game(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	struct pairing_bot *bot = &pairing->bot[making->at[0]];

	bot->resting = false;
	bot->since_wait++;
	if (bot->tally > pairing->mark)
		pairing->mark = bot->tally;
	for (unsigned i = 0; i < making->taken; i++) {
		bot = &pairing->bot[making->at[i]];
		bot->tally = within_lag(pairing, bot->tally) + 1;
		if (bot->tally >= pairing->mark + PAIRING_AHEAD)
			bot->resting = true;
		if (!making->stale)
			bot->repeats = 0;
		else if (bot->repeats < PAIRING_PATIENCE_STEPS)
			bot->repeats++;
		if (bot->waiting)
			bot->since_wait = 0;
		bot->waiting = false;
		bot->free--;
		bot->playing++;
		bot->games++;
		for (unsigned j = 0; j < making->taken; j++)
			if (making->at[j] != making->at[i])
				pairing_remember(bot, making->at[j]);
	}
}

bool
pairing_next(struct pairing *pairing, uint64_t now_us,
	     struct pairing_table *table, uint64_t *again_us)
{
	struct pairing_making making = { .pairing = pairing,
					 .now_us = now_us,
					 .again_us = PAIRING_NEVER };

	pairing_settle(pairing);
	gather(&making);
	bound_share(&making);
	if (!pairing_choose_first(&making)) {
		*again_us = making.again_us;
		return false;
	}
	choose_others(&making);
	count_game(&making);
	pairing_seat(pairing, making.at);
	memset(table, 0, sizeof(*table));
	table->started_us = now_us;
	for (unsigned i = 0; i < pairing->seats; i++) {
		table->bot[i] = making.at[i];
		pairing->bot[making.at[i]].seat[i]++;
	}
	return true;
}
