/* referee/scheduler/scheduler-bots.c - see scheduler-bots.h. */
#include "referee/scheduler/scheduler-bots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/scheduler/scheduler-fit.h"

/* A bot's data apart from the pairing. */
struct known {
	struct participant *participant; /* the participant that sits here, or
					  * NULL */
	uint64_t faults[FAULT_KINDS];	 /* in games that count */
};

struct scheduler_bots {
	struct scheduler_bots_setup with;
	struct pairing *pairing;
	struct known *known; /* owned; indexed by handle */
	unsigned size;	     /* elements of `known` */
	unsigned here;	     /* participants that sit here */
	unsigned remotes;    /* those from other machines */
};

/* ---- handles ---------------------------------------------------------- */

/* Returns the data of the bot with this handle, and makes room for it. */
static struct known *
known_of(struct scheduler_bots *bots, int bot)
{
	const unsigned size = bots->size;

	if ((unsigned)bot >= size) {
		bots->size = 2 * (unsigned)bot + 16;
		bots->known =
			memory(bots->known, bots->size * sizeof(*bots->known));
		memset(bots->known + size, 0,
		       (bots->size - size) * sizeof(*bots->known));
	}
	return &bots->known[bot];
}

/* Returns the participant that sits here with this handle, or NULL. */
static struct participant *
sitting(const struct scheduler_bots *bots, int bot)
{
	return (unsigned)bot < bots->size ? bots->known[bot].participant : NULL;
}

/* ---- a new version of a bot continues from the version before it ------- */

/* Returns true if the bot has a rating here.  A bot whose first game still runs
 * has none: if that game ended after the heir's, the heir would enter with the
 * rating of an unknown bot. */
static bool
is_rated(const struct scheduler_bots *bots, const char *name,
	 struct pairing_bot_view *view)
{
	const int bot = pairing_find(bots->pairing, name);

	if (bot < 0)
		return false;
	pairing_view(bots->pairing, bot, view);
	return view->games > view->playing;
}

/* Returns the name of the bot whose rating it enters with: the latest of its
 * own earlier entries that has a rating in the pairing, or would enter this
 * season with one.  The name is borrowed from the participant; NULL if there is
 * none. */
static const char *
heir_of(const struct scheduler_bots *bots,
	const struct participant *participant)
{
	struct pairing_bot_view view;
	const char *name;
	int64_t milli;

	for (unsigned i = 0; i < PARTICIPANT_BEFORE; i++) {
		name = participant->before[i];
		if (*name == '\0')
			break;
		if (is_rated(bots, name, &view) ||
		    scheduler_ladder_enters(bots->with.at, name, &milli))
			return name;
	}
	return NULL;
}

/* Returns the rating that it would enter the ladder with. */
static int64_t
start_of(const struct scheduler_bots *bots,
	 const struct participant *participant)
{
	const struct scheduler_ladder *ladder = bots->with.at;
	const char *before = heir_of(bots, participant);
	struct pairing_bot_view view;
	int64_t milli = bots->with.setup->start_milli;

	/* ladder_follow() computes the same rating. */
	if (scheduler_ladder_enters(ladder, participant->stands_as, &milli) ||
	    before == NULL)
		return milli;
	if (is_rated(bots, before, &view))
		return view.rating_milli;
	(void)scheduler_ladder_enters(ladder, before, &milli);
	return milli;
}

/* Gives the bot with this handle the fitted rating of the bot before it, if it
 * is in no fit yet. */
static void
fit_heir(struct scheduler_bots *bots, const struct participant *participant,
	 int bot)
{
	struct pairing_bot_view view;
	const char *before;
	int handle;

	pairing_view(bots->pairing, bot, &view);
	if (view.fitted)
		return;
	before = heir_of(bots, participant);
	handle = before == NULL ? -1 : pairing_find(bots->pairing, before);
	if (handle < 0)
		return;
	pairing_view(bots->pairing, handle, &view);
	if (view.fitted)
		pairing_fit(bots->pairing, bot, view.fit_milli);
}

/* ---- who sits here ---------------------------------------------------- */

/* Tells the pairing, for bots that sit here and have no rating yet, the rating
 * that they would enter with. */
static void
rate_newcomers(struct scheduler_bots *bots)
{
	struct pairing_bot_view view;

	for (unsigned i = 0; i < bots->size; i++) {
		if (bots->known[i].participant == NULL)
			continue;
		pairing_view(bots->pairing, (int)i, &view);
		if (view.games == view.playing)
			pairing_rate(
				bots->pairing, (int)i,
				start_of(bots, bots->known[i].participant));
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

/* Sets the participant of a bot; NULL: it does not sit here. */
static void
set_participant(struct scheduler_bots *bots, int bot,
		struct participant *participant)
{
	struct known *known = known_of(bots, bot);

	bots->here -= known->participant != NULL;
	bots->here += participant != NULL;
	bots->remotes -= is_remote_bot(known->participant);
	bots->remotes += is_remote_bot(participant);
	known->participant = participant;
}

/* Returns how many more games it may begin here.  Without this bound a slow bot
 * that plays many games at a time would take all tables.  Bots of this machine
 * are bounded by `local-bots`. */
static unsigned
room_of(const struct scheduler_bots *bots, int bot,
	const struct participant *participant)
{
	unsigned room = participant->ops->room(participant), most;
	struct pairing_bot_view view;

	if (!is_remote_bot(participant))
		return room;
	most = ((unsigned)bots->with.setup->at_once + 1) / 2;
	if (bots->with.setup->same_bot_twice) /* counted by seats */
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
	set_participant(bots, bot, participant);
	pairing_remote(bots->pairing, bot, is_remote_bot(participant));
	pairing_own(bots->pairing, bot, participant->owner);
	fit_heir(bots, participant, bot);
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

/* Returns true if enough bots sit here for a table, should those that play
 * elsewhere become free. */
static bool
could_fill_a_table(const struct scheduler_bots *bots)
{
	const unsigned seats = bots->with.setup->setup.seats;
	struct pairing_bot_view view;
	const struct participant *other;
	unsigned i, able = 0;
	bool busy = false;

	for (i = 0; i < bots->size && !(busy && able >= seats); i++) {
		other = bots->known[i].participant;
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
scheduler_bots_may_pair_soon(const struct scheduler_bots *bots,
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
	return sitting(arg, bot) != NULL;
}

bool
scheduler_bots_rise(struct scheduler_bots *bots,
		    const struct participant *participant)
{
	int bot = pairing_find(bots->pairing, participant->stands_as);

	if (bot < 0 || sitting(bots, bot) != participant)
		return false;
	pairing_leave(bots->pairing, bot);
	set_participant(bots, bot, NULL);
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
	return bots->here;
}

unsigned
scheduler_bots_suspended(const struct scheduler_bots *bots)
{
	const uint64_t now_us = clock_us();
	struct pairing_bot_view view;
	unsigned i, n = 0;

	for (i = 0; i < bots->size; i++) {
		if (bots->known[i].participant == NULL)
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
	if (view.suspension.reason == PAIRING_FINE)
		bot->suspension[0] = '\0';
	if ((unsigned)handle < bots->size)
		memcpy(bot->faults, bots->known[handle].faults,
		       sizeof(bot->faults));
	return true;
}

void
scheduler_bots_write_faults(const struct scheduler_bots *bots, const char *name,
			    struct text *out)
{
	const struct known *known;
	enum fault fault;

	for (unsigned i = 0; i < bots->size; i++) {
		known = &bots->known[i];
		if (known->participant == NULL)
			continue;
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
			if (known->faults[fault] > 0)
				text_fmt(out,
					 "%s{ladder=\"%s\",bot=\"%s\","
					 "kind=\"%s\"} %" PRIu64 "\n",
					 name, bots->with.setup->name,
					 known->participant->stands_as,
					 fault_name(fault),
					 known->faults[fault]);
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
	struct pairing_bot_view view;

	memset(seats, 0, sizeof(*seats));
	if (!pairing_next(bots->pairing, clock_us(), &seats->paired, again_us))
		return false;
	for (unsigned s = 0; s < bots->with.setup->setup.seats; s++) {
		seats->participant[s] = sitting(bots, seats->paired.bot[s]);
		seats->heir_of[s] = heir_of(bots, seats->participant[s]);
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

/* Counts `count` more rated games.  A ladder that takes a game has also taken
 * those that waited. */
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
	enum fault fault;
	int bot;

	if (end->aborted) {
		bots->with.counts->aborted++;
		return;
	}
	if (end->behind)
		bots->with.counts->unrated++;
	else
		count_rated(bots, 1);
	for (unsigned s = 0; s < game->seats; s++) {
		bot = end->paired != NULL
			      ? end->paired->bot[s]
			      : pairing_find(bots->pairing, game->seat[s].bot);
		if (bot < 0)
			continue; /* a bot of an adopted game that never came
				   * here */
		if (!end->behind)
			pairing_rate(bots->pairing, bot,
				     game->seat[s].before_milli +
					     game->seat[s].delta_milli);
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
			known_of(bots, bot)->faults[fault] +=
				game->seat[s].faults[fault];
	}
}

/* Stores until when the bots of its seats are suspended. */
static void
note_suspensions(const struct scheduler_bots *bots,
		 const struct pairing_table *paired,
		 uint64_t until_us[SEATS_MAX])
{
	struct pairing_bot_view view;

	for (unsigned s = 0; s < bots->with.setup->setup.seats; s++) {
		pairing_view(bots->pairing, paired->bot[s], &view);
		until_us[s] = view.suspension.until_us;
	}
}

/* Tells the pairing that the game has ended, and logs which bots are suspended
 * for it. */
static void
end_paired(struct scheduler_bots *bots, const struct pairing_table *paired,
	   const char *id, const enum pairing_end end[SEATS_MAX], bool counts)
{
	uint64_t before[SEATS_MAX], after[SEATS_MAX];
	char why[PAIRING_SUSPENSION_BYTES];
	struct pairing_bot_view view;

	note_suspensions(bots, paired, before);
	pairing_ended(bots->pairing, paired, end, counts, clock_us());
	note_suspensions(bots, paired, after);
	for (unsigned s = 0; s < bots->with.setup->setup.seats; s++) {
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

/* pairing_next() has used up a game of each offer, so local bots are offered
 * again here. changed() offers remote bots again in any case.  A bot that has
 * left since stays away. */
void
scheduler_bots_called_off(struct scheduler_bots *bots, const char *id,
			  const struct pairing_table *paired,
			  struct participant *const participant[SEATS_MAX],
			  unsigned blamed)
{
	enum pairing_end end[SEATS_MAX] = { PAIRING_FINE };

	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (blamed & (1U << s))
			end[s] = PAIRING_NOT_STARTED;
	end_paired(bots, paired, id, end, false);
	for (unsigned s = 0; s < bots->with.setup->setup.seats; s++)
		if (participant[s] != NULL && !is_remote_bot(participant[s]) &&
		    sitting(bots, paired->bot[s]) == participant[s])
			(void)!scheduler_bots_sit(bots, participant[s]);
}

unsigned
scheduler_bots_fitted(struct scheduler_bots *bots, const struct fit_kept *kept)
{
	const unsigned count = scheduler_fit_tell(
		bots->pairing, bots->with.setup->start_milli, kept);

	for (unsigned i = 0; i < bots->size; i++)
		if (bots->known[i].participant != NULL)
			fit_heir(bots, bots->known[i].participant, (int)i);
	return count;
}

/* Replaces the pairing's ratings and games by these standings.  Bots whose
 * games are all voided are not in them: they return to the start rating. */
static void
take_standings(struct scheduler_bots *bots,
	       const struct scheduler_standings *standings)
{
	const struct config_ladder *setup = bots->with.setup;
	const struct ladder_standing *standing = standings->of;
	int bot;

	pairing_forget_games(bots->pairing, setup->start_milli);
	for (unsigned i = 0; i < bots->size; i++)
		memset(bots->known[i].faults, 0, sizeof(bots->known->faults));
	for (; standing < standings->of + standings->count; standing++) {
		const struct pairing_known known = {
			.games = (uint64_t)standing->games,
			.entered = (uint64_t)standing->entered,
		};

		bot = pairing_find(bots->pairing, standing->bot);
		if (bot < 0)
			bot = pairing_enter(bots->pairing, standing->bot,
					    &known);
		if (bot < 0)
			continue;
		pairing_rate(bots->pairing, bot, standing->rating_milli);
		pairing_recount(bots->pairing, bot, known.games);
		memcpy(known_of(bots, bot)->faults, standing->faults,
		       sizeof(standing->faults));
	}
	bots->with.counts->games =
		scheduler_standings_seats(standings) / setup->setup.seats;
}

/* Without standings the ratings stay unchanged until the next games. */
void
scheduler_bots_rebuilt(struct scheduler_bots *bots,
		       const struct scheduler_rebuild *rebuild)
{
	if (!rebuild->task.failed)
		count_rated(bots, 0);
	if (!rebuild->known)
		return;
	take_standings(bots, &rebuild->standings);
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
		   struct pairing *pairing,
		   const struct scheduler_standings *standings)
{
	struct scheduler_bots *bots = zeroed(1, sizeof(*bots));

	bots->with = *setup;
	bots->pairing = pairing;
	take_standings(bots, standings);
	return bots;
}

void
scheduler_bots_free(struct scheduler_bots *bots)
{
	if (bots == NULL)
		return;
	pairing_free(bots->pairing);
	free(bots->known);
	free(bots);
}
