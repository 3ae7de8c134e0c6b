/* ladder/pairing-first.c - chooses the bot that begins the next table, and the
 * bots that wait. */
#include "ladder/pairing-inside.h"

static void
ask_again(struct pairing_making *making, uint64_t at_us)
{
	if (at_us < making->again_us)
		making->again_us = at_us;
}

/* ---- how much a newcomer has played ------------------------------------ */

static uint64_t
chances(const struct pairing *pairing, const struct pairing_bot *bot)
{
	uint64_t games = pairing->games;

	return games > bot->entered ? games - bot->entered : 0;
}

/* Returns the games that a bot has to catch up on: what a bot of its age has on
 * average, less what it has.  The limit is PAIRING_LAG to either side, because
 * the past may have been different, with few bots and many games.  Doubles
 * would do, but would not give the same on every machine. */
static int64_t
behind(uint64_t chances_of_bot, uint64_t games, unsigned __int128 all_games,
       unsigned __int128 all_chances)
{
	unsigned __int128 due = 0;

	if (all_chances > 0)
		due = all_games * chances_of_bot / all_chances;
	if (due >= games)
		return due - games < PAIRING_LAG ? (int64_t)(due - games)
						 : PAIRING_LAG;
	return games - due < PAIRING_LAG ? -(int64_t)(games - due)
					 : -PAIRING_LAG;
}

/* This waits until all bots that came together are there, so that their order
 * does not matter. */
void
pairing_settle(struct pairing *pairing)
{
	unsigned __int128 all_games = 0, all_chances = 0;
	struct pairing_bot *bot;

	if (pairing->unsettled == 0)
		return;
	for (int i = 0; i < pairing->bots; i++) {
		bot = &pairing->bot[i];
		all_games += bot->games;
		all_chances += chances(pairing, bot);
	}
	for (int i = 0; i < pairing->bots; i++) {
		bot = &pairing->bot[i];
		if (bot->settled)
			continue;
		bot->settled = true;
		bot->tally = pairing->mark - behind(chances(pairing, bot),
						    bot->games, all_games,
						    all_chances);
	}
	pairing->unsettled = 0;
}

/* ---- who begins  ---------------------------------------------------- */

/* Returns the fewest seats that any ready bot of the same owner can have, from
 * this bot on.  Only one of them can sit, and which one is not known yet. */
static unsigned
least_room(const struct pairing_making *making, unsigned from)
{
	const struct pairing *pairing = making->pairing;
	int first = pairing->ready[from], bot;
	unsigned least = pairing_seats_of(&pairing->bot[first]), i, seats;

	if (!pairing->same_bot || pairing_owner_of(pairing, first) == NULL)
		return least;
	for (i = from + 1; i < making->ready; i++) {
		bot = pairing->ready[i];
		seats = pairing_seats_of(&pairing->bot[bot]);
		if (pairing_are_apart(pairing, first, bot) && seats < least)
			least = seats;
	}
	return least;
}

/* Returns true if the ready bots can fill a table.  A bot sits twice only if
 * that is allowed and there are too few bots otherwise. */
static bool
are_enough(const struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	unsigned seats = pairing->seats, apart = 0, i;
	uint64_t offered = 0;
	int bot;

	for (i = 0; i < making->ready; i++) {
		bot = pairing->ready[i];
		if (pairing_count_apart(pairing, bot) == 0)
			continue;
		apart++;
		offered += least_room(making, i);
	}
	pairing_counted(pairing);
	if (apart >= seats)
		return true;
	return pairing->same_bot && making->here_apart < seats &&
	       making->ready > 0 && offered >= seats;
}

/* Returns when the bot will have waited as long as its last game took, doubled
 * `steps` times. */
static uint64_t
patient_until(const struct pairing_bot *bot, unsigned steps)
{
	uint64_t wait_us = bot->lasted_us;

	if (wait_us > PAIRING_PATIENCE_US_MAX >> steps)
		return bot->ended_us + PAIRING_PATIENCE_US_MAX;
	return bot->ended_us + (wait_us << steps);
}

/* Returns true if enough others are ready that the first bot has not just met:
 * half a table, but no more than the bots beyond one table. */
static bool
has_company(const struct pairing_making *making, int first)
{
	struct pairing *pairing = making->pairing;
	const struct pairing_bot *bot = &pairing->bot[first];
	unsigned wanted = pairing->seats / 2, fresh = making->ready - 1;
	unsigned spare = 0, i;

	if (making->here > pairing->seats)
		spare = making->here - pairing->seats;
	if (wanted > spare)
		wanted = spare;
	for (i = 0; i < pairing_just_met(pairing, bot); i++)
		if (pairing_room(pairing, &pairing->bot[bot->recent[i]]) > 0 &&
		    pairing_is_here(pairing, &pairing->bot[bot->recent[i]],
				    making->now_us))
			fresh--;
	return fresh >= wanted;
}

static bool
can_cover(const struct pairing_making *making, int first)
{
	struct pairing *pairing = making->pairing;

	for (unsigned i = 0; i < making->ready; i++)
		if (pairing->ready[i] != first &&
		    !pairing_are_apart(pairing, first, pairing->ready[i]) &&
		    !pairing_has_met(pairing, first, pairing->ready[i]) &&
		    !pairing_is_over(making, first, pairing->ready[i]))
			return true;
	return false;
}

bool
pairing_lacks_one(const struct pairing_making *making, int first)
{
	struct pairing *pairing = making->pairing;

	for (int i = 0; i < pairing->bots; i++)
		if (i != first && !pairing_has_met(pairing, first, i) &&
		    !pairing_are_apart(pairing, first, i) &&
		    pairing_is_here(pairing, &pairing->bot[i], making->now_us))
			return true;
	return false;
}

/* Returns true if the bot's turn for coverage has come, but all bots that it
 * lacks are playing.  If bots never waited for that, slow bots would never
 * meet, because they are not free at the same moment. */
static bool
waits_for_cover(const struct pairing_making *making, int first)
{
	struct pairing *pairing = making->pairing;
	const struct pairing_bot *bot = &pairing->bot[first];

	return bot->since_cover + pairing->seats > PAIRING_COVER_EVERY &&
	       bot->since_wait >= PAIRING_COVER_EVERY &&
	       !can_cover(making, first) && pairing_lacks_one(making, first);
}

/* Returns true if too few others are free that may meet the bot once more
 * (pairing_is_over()), and a bot that is not free is expected. */
static bool
waits_for_share(const struct pairing_making *making, int first)
{
	struct pairing *pairing = making->pairing;
	unsigned fresh = 0, i;

	if (making->lapse_us == PAIRING_NEVER)
		return false;
	for (i = 0; i < making->ready && fresh < pairing->seats - 1; i++)
		fresh +=
			pairing->ready[i] != first &&
			!pairing_are_apart(pairing, first, pairing->ready[i]) &&
			!pairing_is_over(making, first, pairing->ready[i]);
	return fresh < pairing->seats - 1;
}

enum start {
	BEGINS,
	WAITS_FOR_ANY, /* for any bot that it has not just met */
	WAITS_FOR_SOME, /* for some bot that it lacks in this round of coverage */
};

static enum start
begins(struct pairing_making *making, int first)
{
	struct pairing_bot *bot = &making->pairing->bot[first];
	enum start start = BEGINS;
	uint64_t until_us = 0;

	making->stale = !has_company(making, first);
	if (waits_for_share(making, first)) {
		ask_again(making, making->lapse_us);
		return WAITS_FOR_ANY;
	}
	if (making->stale) {
		start = WAITS_FOR_ANY;
		until_us = patient_until(bot, bot->repeats);
	} else if (waits_for_cover(making, first)) {
		start = WAITS_FOR_SOME;
		until_us = patient_until(bot, 0);
	}
	if (making->now_us >= until_us)
		return BEGINS;
	bot->waiting = start == WAITS_FOR_SOME;
	ask_again(making, until_us);
	return start;
}

/* Chooses first a bot that has waited for one that is there now, or another bot
 * would take that one. */
static bool
choose_waiting(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	int64_t least = INT64_MAX;
	int bot;

	for (unsigned i = 0; i < making->ready; i++) {
		bot = pairing->ready[i];
		if (pairing->bot[bot].waiting &&
		    pairing->bot[bot].tally < least && can_cover(making, bot)) {
			least = pairing->bot[bot].tally;
			making->at[0] = bot;
		}
	}
	making->taken = least < INT64_MAX;
	return making->taken > 0;
}

static void
set_aside(struct pairing_making *making, unsigned place)
{
	struct pairing *pairing = making->pairing;

	making->seats -= pairing->bot[pairing->ready[place]].free;
	pairing->ready[place] = pairing->ready[--making->ready];
}

/* Makes sure that no table takes the bots that still wait. */
static void
set_waiting_aside(struct pairing_making *making)
{
	const struct pairing_bot *bot;

	for (unsigned i = 0; i < making->ready;) {
		bot = &making->pairing->bot[making->pairing->ready[i]];
		if (bot->waiting && making->now_us < patient_until(bot, 0)) {
			ask_again(making, patient_until(bot, 0));
			set_aside(making, i);
		} else {
			i++;
		}
	}
}

bool
pairing_choose_first(struct pairing_making *making)
{
	struct pairing *pairing = making->pairing;
	unsigned tried = 0, place;
	int bot;

	if (are_enough(making) && choose_waiting(making))
		return true;
	set_waiting_aside(making);
	while (are_enough(making) && tried < making->ready) {
		place = tried + pairing_draw_least(
					making, pairing->ready + tried,
					making->ready - tried, pairing_tally);
		bot = pairing->ready[place];
		switch (begins(making, bot)) {
		case BEGINS:
			making->at[making->taken++] = bot;
			return true;
		case WAITS_FOR_ANY: /* it is not tried again, but may be drawn */
			pairing->ready[place] = pairing->ready[tried];
			pairing->ready[tried++] = bot;
			break;
		case WAITS_FOR_SOME:
			set_aside(making, place);
			break;
		}
	}
	return false;
}
