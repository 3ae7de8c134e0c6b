/* referee/scheduler/scheduler-bots.c - see scheduler-bots.h. */
#include "referee/scheduler/scheduler-bots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/scheduler/scheduler-fit.h"
#include "referee/scheduler/scheduler-heirs.h"
#include "referee/scheduler/scheduler-recall.h"

struct scheduler_bots {
	struct scheduler_bots_setup with;
	struct pairing *pairing;
	struct fault_counts faults; /* by handle */
	struct participant *
		*participant;  /* by handle: who sits here, or NULL */
	unsigned participants; /* room in it */
	unsigned remotes;      /* of them, those that are not of this machine */
};

/* ---- who sits here ---------------------------------------------------- */

/* What it would enter the ladder with. */
static int64_t
start_of(const struct scheduler_bots *bots,
	 const struct participant *participant)
{
	return scheduler_heir_milli(bots->pairing, bots->with.at, participant,
				    bots->with.setup->start_milli);
}

/* The pairing is told with what rating those who sit here would enter, as far
 * as they have none. */
static void
rate_newcomers(struct scheduler_bots *bots)
{
	struct pairing_bot_view view;
	unsigned i;

	for (i = 0; i < bots->participants; i++) {
		if (bots->participant[i] == NULL)
			continue;
		pairing_view(bots->pairing, (int)i, &view);
		if (view.games == view.playing)
			pairing_rate(bots->pairing, (int)i,
				     start_of(bots, bots->participant[i]));
	}
}

static int
handle_of(struct scheduler_bots *bots, const struct participant *participant)
{
	struct pairing_known known = {
		.rating_milli = start_of(bots, participant),
		.entered =
			bots->with.counts->rated + bots->with.counts->settled,
	};
	int bot = pairing_find(bots->pairing, participant->stands_as);

	if (bot < 0)
		bot = pairing_enter(bots->pairing, participant->stands_as,
				    &known);
	return bot;
}

static bool
is_remote_bot(const struct participant *participant)
{
	return participant != NULL && participant->ops->seat == NULL;
}

/* Or NULL. */
static void
set_participant(struct scheduler_bots *bots, unsigned bot,
		struct participant *participant)
{
	bots->remotes -= is_remote_bot(bots->participant[bot]);
	bots->remotes += is_remote_bot(participant);
	bots->participant[bot] = participant;
}

static void
keep_participant(struct scheduler_bots *bots, unsigned bot,
		 struct participant *participant)
{
	unsigned size = bots->participants;

	if (bot >= size) {
		size = 2 * bot + 16;
		bots->participant = memory(bots->participant,
					   size * sizeof(*bots->participant));
		memset(bots->participant + bots->participants, 0,
		       (size - bots->participants) *
			       sizeof(*bots->participant));
		bots->participants = size;
	}
	set_participant(bots, bot, participant);
}

/* For how many more games it is wanted here.  A slow bot that plays many at a
 * time would else have all tables, and no other bot one.  Bots of this machine
 * are bounded by `residents`. */
static unsigned
room_of(const struct scheduler_bots *bots, int bot,
	const struct participant *participant)
{
	unsigned room = participant->ops->room(participant), most;
	struct pairing_bot_view view;

	if (!is_remote_bot(participant))
		return room;
	most = ((unsigned)bots->with.setup->at_once + 1) / 2;
	if (bots->with.setup->same_bot_twice) /* seats */
		most *= bots->with.setup->setup.seats;
	pairing_view(bots->pairing, bot, &view);
	most = most > view.playing ? most - view.playing : 0;
	return room < most ? room : most;
}

bool
scheduler_bots_sit(struct scheduler_bots *bots, struct participant *participant)
{
	int bot = handle_of(bots, participant);

	if (bot < 0)
		return false;
	keep_participant(bots, (unsigned)bot, participant);
	pairing_tie(bots->pairing, bot, !is_remote_bot(participant));
	pairing_once(bots->pairing, bot, is_remote_bot(participant));
	pairing_own(bots->pairing, bot, participant->owner);
	scheduler_heir_fit(bots->pairing, bots->with.at, participant, bot);
	pairing_offer(bots->pairing, bot, room_of(bots, bot, participant));
	return true;
}

void
scheduler_bots_hold(struct scheduler_bots *bots,
		    const struct participant *participant)
{
	int bot = pairing_find(bots->pairing, participant->stands_as);

	if (bot >= 0)
		pairing_offer(bots->pairing, bot, 0);
}

/* Whether so many sit here that a table could be made, if those came free that
 * play elsewhere. */
static bool
could_fill_a_table(const struct scheduler_bots *bots)
{
	const unsigned seats = bots->with.setup->setup.seats;
	struct pairing_bot_view view;
	const struct participant *other;
	unsigned i, able = 0;
	bool busy = false;

	for (i = 0; i < bots->participants && !(busy && able >= seats); i++) {
		other = bots->participant[i];
		if (other == NULL)
			continue;
		pairing_view(bots->pairing, (int)i, &view);
		if (view.suspension.until_us > clock_us())
			continue;
		able++;
		busy |= other->ops->room(other) == 0;
	}
	return busy && able >= seats;
}

bool
scheduler_bots_hopes(const struct scheduler_bots *bots,
		     const struct participant *participant)
{
	const struct scheduler_counts *counts = bots->with.counts;
	int bot = pairing_find(bots->pairing, participant->stands_as);
	struct pairing_bot_view view;

	if (bot < 0)
		return false;
	pairing_view(bots->pairing, bot, &view);
	if (view.suspension.until_us > clock_us())
		return false;
	return counts->running + counts->writing > view.playing ||
	       could_fill_a_table(bots);
}

uint64_t
scheduler_bots_played_us(const struct scheduler_bots *bots,
			 const struct participant *participant)
{
	int bot = pairing_find(bots->pairing, participant->stands_as);
	struct pairing_bot_view view;

	if (bot < 0)
		return 0;
	pairing_view(bots->pairing, bot, &view);
	return view.ended_us;
}

static bool
sits(const void *arg, int bot)
{
	const struct scheduler_bots *bots = arg;

	return (unsigned)bot < bots->participants &&
	       bots->participant[bot] != NULL;
}

bool
scheduler_bots_rise(struct scheduler_bots *bots,
		    const struct participant *participant)
{
	int bot = pairing_find(bots->pairing, participant->stands_as);

	if (bot < 0 || !sits(bots, bot) ||
	    bots->participant[bot] != participant)
		return false;
	pairing_leave(bots->pairing, bot);
	set_participant(bots, (unsigned)bot, NULL);
	return true;
}

bool
scheduler_bots_pardon(struct scheduler_bots *bots, const char *name)
{
	char sentence[PAIRING_SUSPENSION_BYTES];
	int bot = pairing_find(bots->pairing, name);
	bool suspended;

	if (bot < 0)
		return false;
	suspended = pairing_suspension_tell(bots->pairing, bot, clock_us(),
					    sentence);
	pairing_pardon(bots->pairing, bot);
	return suspended;
}

unsigned
scheduler_bots_sitting(const struct scheduler_bots *bots)
{
	unsigned i, n = 0;

	for (i = 0; i < bots->participants; i++)
		n += bots->participant[i] != NULL;
	return n;
}

unsigned
scheduler_bots_suspended(const struct scheduler_bots *bots)
{
	const uint64_t now_us = clock_us();
	struct pairing_bot_view view;
	unsigned i, n = 0;

	for (i = 0; i < bots->participants; i++) {
		if (bots->participant[i] == NULL)
			continue;
		pairing_view(bots->pairing, (int)i, &view);
		n += view.suspension.until_us > now_us;
	}
	return n;
}

bool
scheduler_bots_tell(const struct scheduler_bots *bots, const char *name,
		    struct scheduler_bot *bot)
{
	int handle = pairing_find(bots->pairing, name);
	struct pairing_bot_view view;

	memset(bot, 0, sizeof(*bot));
	if (handle < 0)
		return false;
	pairing_view(bots->pairing, handle, &view);
	bot->rating_milli = view.rating_milli;
	bot->paired_milli = view.fit_milli;
	bot->games = view.games;
	bot->playing = view.playing;
	bot->sits = sits(bots, handle);
	bot->suspended = pairing_suspension_tell(bots->pairing, handle,
						 clock_us(), bot->suspension);
	if (!bot->suspended)
		bot->suspension[0] = '\0';
	memcpy(bot->faults, fault_counts_of(&bots->faults, (unsigned)handle),
	       sizeof(bot->faults));
	return true;
}

void
scheduler_bots_write_faults(const struct scheduler_bots *bots, const char *name,
			    struct text *out)
{
	const uint64_t *faults;
	enum fault fault;
	unsigned i;

	for (i = 0; i < bots->participants; i++) {
		if (bots->participant[i] == NULL)
			continue;
		faults = fault_counts_of(&bots->faults, i);
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
			if (faults[fault] > 0)
				text_fmt(out,
					 "%s{ladder=\"%s\",bot=\"%s\","
					 "kind=\"%s\"} %" PRIu64 "\n",
					 name, bots->with.setup->name,
					 bots->participant[i]->stands_as,
					 fault_name(fault), faults[fault]);
	}
}

/* ---- who meets whom --------------------------------------------------- */

bool
scheduler_bots_may(struct scheduler_bots *bots, bool full)
{
	pairing_hold(bots->pairing, full);
	return !full || bots->remotes > 0;
}

bool
scheduler_bots_next(struct scheduler_bots *bots,
		    struct scheduler_game_seats *seats, uint64_t *again_us)
{
	const struct participant *participant;
	struct pairing_bot_view view;
	unsigned s;

	memset(seats, 0, sizeof(*seats));
	if (!pairing_next(bots->pairing, clock_us(), &seats->paired, again_us))
		return false;
	for (s = 0; s < bots->with.setup->setup.seats; s++) {
		participant = bots->participant[seats->paired.bot[s]];
		seats->participant[s] = bots->participant[seats->paired.bot[s]];
		seats->heir_of[s] = scheduler_heir_of(
			bots->pairing, bots->with.at, participant);
		pairing_view(bots->pairing, seats->paired.bot[s], &view);
		seats->untried[s] = view.games == view.playing;
	}
	return true;
}

bool
scheduler_bots_blocked(const struct scheduler_bots *bots, char *why,
		       size_t size)
{
	unsigned here, apart;

	if (!pairing_blocked(bots->pairing, sits, bots, &here, &apart))
		return false;
	snprintf(why, size,
		 "%u bots are here, but a table needs %u of different owners, "
		 "and at most %u of them can meet (same-owner = no)",
		 here, bots->with.setup->setup.seats, apart);
	return true;
}

/* ---- what becomes of them --------------------------------------------- */

/* A ladder that takes so many games has taken those that waited, too. */
static void
count_rated(struct scheduler_bots *bots, unsigned count)
{
	count += (unsigned)bots->with.counts->unrated;
	bots->with.counts->rated += count;
	bots->with.counts->games += count;
	bots->with.counts->unrated = 0;
}

static void
count_and_rate(struct scheduler_bots *bots,
	       const struct scheduler_game_end *end)
{
	const struct ladder_game *game = end->game;
	unsigned s;
	int bot;

	if (end->aborted) {
		bots->with.counts->aborted++;
		return;
	}
	if (end->behind)
		bots->with.counts->unrated++;
	else
		count_rated(bots, 1);
	for (s = 0; s < game->seats; s++) {
		bot = end->paired != NULL
			      ? end->paired->bot[s]
			      : pairing_find(bots->pairing, game->seat[s].bot);
		if (bot < 0)
			continue; /* of an adopted game: it never came here */
		if (!end->behind)
			pairing_rate(bots->pairing, bot,
				     game->seat[s].before_milli +
					     game->seat[s].delta_milli);
		fault_counts_add(&bots->faults, (unsigned)bot,
				 game->seat[s].faults);
	}
}

/* Until when the bots of its seats are suspended. */
static void
note_suspensions(const struct scheduler_bots *bots,
		 const struct pairing_table *paired,
		 uint64_t until_us[SEATS_MAX])
{
	struct pairing_bot_view view;
	unsigned s;

	for (s = 0; s < bots->with.setup->setup.seats; s++) {
		pairing_view(bots->pairing, paired->bot[s], &view);
		until_us[s] = view.suspension.until_us;
	}
}

/* Tells the pairing, and the log who is suspended for it. */
static void
end_paired(struct scheduler_bots *bots, const struct pairing_table *paired,
	   const char *id, const enum pairing_end end[SEATS_MAX], bool counts)
{
	uint64_t before[SEATS_MAX], after[SEATS_MAX];
	char why[PAIRING_SUSPENSION_BYTES];
	struct pairing_bot_view view;
	unsigned s;

	note_suspensions(bots, paired, before);
	pairing_ended(bots->pairing, paired, end, counts, clock_us());
	note_suspensions(bots, paired, after);
	for (s = 0; s < bots->with.setup->setup.seats; s++) {
		if (after[s] == before[s] ||
		    !pairing_suspension_tell(bots->pairing, paired->bot[s],
					     clock_us(), why))
			continue;
		pairing_view(bots->pairing, paired->bot[s], &view);
		if (log_may(bots->with.logger, LOG_LEVEL_WARN, "suspended",
			    view.name))
			log_event(bots->with.logger, LOG_LEVEL_WARN,
				  "suspended",
				  "ladder=%s game=%s bot=%s why=%s",
				  bots->with.setup->name, id, view.name, why);
	}
}

void
scheduler_bots_ended(struct scheduler_bots *bots,
		     const struct scheduler_game_end *end)
{
	if (end->safe)
		count_and_rate(bots, end);
	if (end->paired != NULL)
		end_paired(bots, end->paired, end->game->id, end->end,
			   !end->aborted);
}

/* The pairing has taken a game of theirs away, which did not begin.  Remote bots
 * are offered again by changed(), whatever has changed; one that has risen since
 * stays away. */
void
scheduler_bots_called_off(struct scheduler_bots *bots, const char *id,
			  const struct pairing_table *paired,
			  struct participant *const participant[SEATS_MAX],
			  unsigned blamed)
{
	enum pairing_end end[SEATS_MAX] = { PAIRING_FINE };
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		if (blamed & (1U << s))
			end[s] = PAIRING_NOT_STARTED;
	end_paired(bots, paired, id, end, false);
	for (s = 0; s < bots->with.setup->setup.seats; s++)
		if (participant[s] != NULL && !is_remote_bot(participant[s]) &&
		    bots->participant[paired->bot[s]] == participant[s])
			(void)!scheduler_bots_sit(bots, participant[s]);
}

unsigned
scheduler_bots_fitted(struct scheduler_bots *bots, const struct fit_kept *kept)
{
	const unsigned count = scheduler_fit_tell(
		bots->pairing, bots->with.setup->start_milli, kept);
	unsigned i;

	for (i = 0; i < bots->participants; i++)
		if (bots->participant[i] != NULL)
			scheduler_heir_fit(bots->pairing, bots->with.at,
					   bots->participant[i], (int)i);
	return count;
}

/* Without standings they are as before, and the next games tell. */
void
scheduler_bots_rebuilt(struct scheduler_bots *bots,
		       const struct scheduler_rebuild_result *result)
{
	const struct config_ladder *setup = bots->with.setup;

	if (result->why == NULL)
		count_rated(bots, 0);
	if (!result->known)
		return;
	bots->with.counts->games =
		scheduler_rebuild_tell(result, setup->start_milli,
				       bots->pairing, &bots->faults) /
		setup->setup.seats;
	rate_newcomers(bots);
}

/* ---- life ------------------------------------------------------------- */

void
scheduler_bots_set(struct scheduler_bots *bots)
{
	pairing_set_apart(bots->pairing, scheduler_apart(bots->with.setup));
}

struct scheduler_bots *
scheduler_bots_new(const struct scheduler_bots_setup *setup,
		   struct pairing *pairing, const struct fault_counts *faults)
{
	struct scheduler_bots *bots = zeroed(1, sizeof(*bots));

	bots->with = *setup;
	bots->pairing = pairing;
	bots->faults = *faults;
	return bots;
}

void
scheduler_bots_free(struct scheduler_bots *bots)
{
	if (bots == NULL)
		return;
	pairing_free(bots->pairing);
	fault_counts_release(&bots->faults);
	free(bots->participant);
	free(bots);
}
