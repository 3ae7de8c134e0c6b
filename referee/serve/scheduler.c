/* referee/serve/scheduler.c - see scheduler.h; its games are in
 * scheduler-game.c. */
#include "referee/serve/scheduler-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/serve/scheduler-recall.h"
#include "referee/serve/local-bot.h"

const char *
scheduler_name(const struct scheduler *scheduler)
{
	return scheduler->setup.name;
}

const struct scheduler_counts *
scheduler_counts(const struct scheduler *scheduler)
{
	return &scheduler->counts;
}

const struct config_ladder *
scheduler_setup(const struct scheduler *scheduler)
{
	return &scheduler->setup;
}

void
scheduler_path(const struct scheduler *scheduler, char path[LADDER_PATH_BYTES])
{
	snprintf(path, LADDER_PATH_BYTES, "%s/ladder.db", scheduler->dir);
}

bool
scheduler_is_empty(const struct scheduler *scheduler)
{
	return scheduler->runs == NULL && scheduler->rebuild == NULL &&
	       !scheduler->is_ranking && !scheduler->fit.is_read;
}

unsigned
scheduler_sitting(const struct scheduler *scheduler)
{
	unsigned i, n = 0;

	for (i = 0; i < scheduler->participants; i++)
		n += scheduler->participant[i] != NULL;
	return n;
}

uint64_t
scheduler_oldest_us(const struct scheduler *scheduler)
{
	uint64_t now_us = clock_us(), oldest_us = 0;
	const struct run *run;

	for (run = scheduler->runs; run != NULL; run = run->next)
		if (now_us - run->paired.started_us > oldest_us)
			oldest_us = now_us - run->paired.started_us;
	return oldest_us;
}

void
scheduler_write_faults(const struct scheduler *scheduler, const char *name,
		       struct text *out)
{
	const uint64_t *faults;
	enum fault fault;
	unsigned i;

	for (i = 0; i < scheduler->participants; i++) {
		if (scheduler->participant[i] == NULL)
			continue;
		faults = fault_counts_of(&scheduler->faults, i);
		for (fault = FAULT_TIMEOUT; fault < FAULT_KINDS; fault++)
			if (faults[fault] > 0)
				text_fmt(out,
					 "%s{ladder=\"%s\",bot=\"%s\","
					 "kind=\"%s\"} %" PRIu64 "\n",
					 name, scheduler->setup.name,
					 scheduler->participant[i]->stands_as,
					 fault_name(fault), faults[fault]);
	}
}

bool
scheduler_bot(const struct scheduler *scheduler, const char *name,
	      struct scheduler_bot *bot)
{
	int handle = pairing_find(scheduler->pairing, name);
	struct pairing_bot_view view;

	memset(bot, 0, sizeof(*bot));
	if (handle < 0)
		return false;
	pairing_view(scheduler->pairing, handle, &view);
	bot->rating_milli = view.rating_milli;
	bot->paired_milli = view.fit_milli;
	bot->games = view.games;
	bot->playing = view.playing;
	bot->sits = (unsigned)handle < scheduler->participants &&
		    scheduler->participant[handle] != NULL;
	bot->suspended = pairing_suspension_tell(scheduler->pairing, handle,
						 clock_us(), bot->suspension);
	if (!bot->suspended)
		bot->suspension[0] = '\0';
	memcpy(bot->faults,
	       fault_counts_of(&scheduler->faults, (unsigned)handle),
	       sizeof(bot->faults));
	return true;
}

void
scheduler_wake(struct scheduler *scheduler)
{
	loop_post(scheduler->loop, LOOP_SETTLE, &scheduler->fill_task);
}

void
scheduler_look_if_empty(struct scheduler *scheduler)
{
	if (scheduler->stopping && scheduler_is_empty(scheduler))
		scheduler->calls->empty(scheduler->arg, scheduler);
}

/* ---- who sits here ---------------------------------------------------- */

/* Whether it has a rating here.  One whose first game still runs has none: if that
 * ended later, its heir would enter with the rating of a bot that is not known. */
static bool
is_rated(const struct scheduler *scheduler, const char *name,
	 struct pairing_bot_view *view)
{
	const int bot = pairing_find(scheduler->pairing, name);

	if (bot < 0)
		return false;
	pairing_view(scheduler->pairing, bot, view);
	return view->games > view->playing;
}

/* Of those before it the latest that has a rating, or would enter this season
 * with one. */
const char *
scheduler_heir_of(const struct scheduler *scheduler,
		  const struct participant *participant)
{
	struct pairing_bot_view view;
	const char *name;
	int64_t milli;

	for (unsigned i = 0; i < PARTICIPANT_BEFORE; i++) {
		name = participant->before[i];
		if (*name == '\0')
			break;
		if (is_rated(scheduler, name, &view) ||
		    scheduler_ladder_enters(&scheduler->at, name, &milli))
			return name;
	}
	return NULL;
}

/* What it would enter the ladder with. */
static int64_t
start_of(const struct scheduler *scheduler,
	 const struct participant *participant)
{
	const char *heir_of = scheduler_heir_of(scheduler, participant);
	const struct scheduler_ladder *at = &scheduler->at;
	struct pairing_bot_view view;
	int64_t milli = scheduler->setup.start_milli;

	/* As ladder_enter() and ladder_rate() will have it. */
	if (scheduler_ladder_enters(at, participant->stands_as, &milli) ||
	    heir_of == NULL)
		return milli;
	if (is_rated(scheduler, heir_of, &view))
		return view.rating_milli;
	(void)scheduler_ladder_enters(at, heir_of, &milli);
	return milli;
}

void
scheduler_rate_newcomers(struct scheduler *scheduler)
{
	struct pairing_bot_view view;
	unsigned i;

	for (i = 0; i < scheduler->participants; i++) {
		if (scheduler->participant[i] == NULL)
			continue;
		pairing_view(scheduler->pairing, (int)i, &view);
		if (view.games == view.playing)
			pairing_rate(
				scheduler->pairing, (int)i,
				start_of(scheduler, scheduler->participant[i]));
	}
}

static int
handle_of(struct scheduler *scheduler, const struct participant *participant)
{
	struct pairing_known known = {
		.rating_milli = start_of(scheduler, participant),
		.entered = scheduler->counts.rated + scheduler->counts.settled,
	};
	int bot = pairing_find(scheduler->pairing, participant->stands_as);

	if (bot < 0)
		bot = pairing_enter(scheduler->pairing, participant->stands_as,
				    &known);
	return bot;
}

static bool
is_remote_bot(const struct participant *participant)
{
	return participant != NULL &&
	       participant_local_bot(participant) == NULL;
}

/* Or NULL. */
static void
set_participant(struct scheduler *scheduler, unsigned bot,
		struct participant *participant)
{
	scheduler->remotes -= is_remote_bot(scheduler->participant[bot]);
	scheduler->remotes += is_remote_bot(participant);
	scheduler->participant[bot] = participant;
}

static void
keep_participant(struct scheduler *scheduler, unsigned bot,
		 struct participant *participant)
{
	unsigned size = scheduler->participants;

	if (bot >= size) {
		size = 2 * bot + 16;
		scheduler->participant =
			memory(scheduler->participant,
			       size * sizeof(*scheduler->participant));
		memset(scheduler->participant + scheduler->participants, 0,
		       (size - scheduler->participants) *
			       sizeof(*scheduler->participant));
		scheduler->participants = size;
	}
	set_participant(scheduler, bot, participant);
}

/* For how many more games it is wanted here.  A slow bot that plays many at a
 * time would else have all tables, and no other bot one.  Bots of this machine
 * are bounded by `residents`. */
static unsigned
room_of(const struct scheduler *scheduler, int bot,
	const struct participant *participant)
{
	unsigned room = participant->ops->room(participant), most;
	struct pairing_bot_view view;

	if (!is_remote_bot(participant))
		return room;
	most = ((unsigned)scheduler->setup.at_once + 1) / 2;
	if (scheduler->setup.same_bot_twice) /* seats */
		most *= scheduler->setup.setup.seats;
	pairing_view(scheduler->pairing, bot, &view);
	most = most > view.playing ? most - view.playing : 0;
	return room < most ? room : most;
}

bool
scheduler_sit(struct scheduler *scheduler, struct participant *participant)
{
	int bot = handle_of(scheduler, participant);

	scheduler->counts.offers++;
	if (bot < 0)
		return false;
	keep_participant(scheduler, (unsigned)bot, participant);
	pairing_tie(scheduler->pairing, bot, !is_remote_bot(participant));
	pairing_once(scheduler->pairing, bot, is_remote_bot(participant));
	pairing_own(scheduler->pairing, bot, participant->owner);
	scheduler_fit_heir(scheduler, (unsigned)bot);
	pairing_offer(scheduler->pairing, bot,
		      room_of(scheduler, bot, participant));
	scheduler_wake(scheduler);
	return true;
}

void
scheduler_hold(struct scheduler *scheduler, struct participant *participant)
{
	int bot = pairing_find(scheduler->pairing, participant->stands_as);

	if (bot >= 0)
		pairing_offer(scheduler->pairing, bot, 0);
}

/* Whether so many sit here that a table could be made, if those came free that
 * play elsewhere. */
static bool
could_fill_a_table(const struct scheduler *scheduler)
{
	const unsigned seats = scheduler->setup.setup.seats;
	struct pairing_bot_view view;
	const struct participant *other;
	unsigned i, able = 0;
	bool busy = false;

	for (i = 0; i < scheduler->participants && !(busy && able >= seats);
	     i++) {
		other = scheduler->participant[i];
		if (other == NULL)
			continue;
		pairing_view(scheduler->pairing, (int)i, &view);
		if (view.suspension.until_us > clock_us())
			continue;
		able++;
		busy |= other->ops->room(other) == 0;
	}
	return busy && able >= seats;
}

bool
scheduler_hopes(const struct scheduler *scheduler,
		const struct participant *participant)
{
	int bot = pairing_find(scheduler->pairing, participant->stands_as);
	struct pairing_bot_view view;

	if (bot < 0 || scheduler->stopping || scheduler->failing)
		return false;
	pairing_view(scheduler->pairing, bot, &view);
	if (view.suspension.until_us > clock_us())
		return false;
	return scheduler->counts.running + scheduler->counts.writing >
		       view.playing ||
	       could_fill_a_table(scheduler);
}

uint64_t
scheduler_played_us(const struct scheduler *scheduler,
		    const struct participant *participant)
{
	int bot = pairing_find(scheduler->pairing, participant->stands_as);
	struct pairing_bot_view view;

	if (bot < 0)
		return 0;
	pairing_view(scheduler->pairing, bot, &view);
	return view.ended_us;
}

void
scheduler_rise(struct scheduler *scheduler, struct participant *participant)
{
	int bot = pairing_find(scheduler->pairing, participant->stands_as);

	if (bot < 0 || (unsigned)bot >= scheduler->participants ||
	    scheduler->participant[bot] != participant)
		return;
	pairing_offer(scheduler->pairing, bot, 0);
	set_participant(scheduler, (unsigned)bot, NULL);
	if (scheduler->blocked)
		scheduler_wake(scheduler); /* it may be so no more */
}

static void
forget(struct scheduler *scheduler, struct participant *participant, bool lost)
{
	struct run *run;
	unsigned s;

	scheduler_rise(scheduler, participant);
	for (run = scheduler->runs; run != NULL; run = run->next) {
		for (s = 0; s < SEATS_MAX; s++) {
			if (run->participant[s] != participant)
				continue;
			run->participant[s] = NULL;
			run->lost[s] = lost;
		}
	}
}

void
scheduler_forget(struct scheduler *scheduler, struct participant *participant)
{
	forget(scheduler, participant, true);
}

void
scheduler_let_go(struct scheduler *scheduler, struct participant *participant)
{
	forget(scheduler, participant, false);
}

bool
scheduler_pardon(struct scheduler *scheduler, const char *name)
{
	char sentence[PAIRING_SUSPENSION_BYTES];
	int bot = pairing_find(scheduler->pairing, name);
	bool suspended;

	if (bot < 0)
		return false;
	suspended = pairing_suspension_tell(scheduler->pairing, bot, clock_us(),
					    sentence);
	pairing_pardon(scheduler->pairing, bot);
	scheduler_wake(scheduler);
	return suspended;
}

/* ---- who meets whom --------------------------------------------------- */

static void
ask_again_at(struct scheduler *scheduler, uint64_t at_us)
{
	if (at_us != PAIRING_NEVER)
		loop_at_us(scheduler->again, at_us);
}

/* False: no bot that sits here can begin a game, so none is looked for. */
static bool
look_who_may(struct scheduler *scheduler)
{
	bool full = scheduler->calls->full(scheduler->arg);

	pairing_hold(scheduler->pairing, full);
	return !full || scheduler->remotes > 0;
}

const char *
scheduler_blocked(const struct scheduler *scheduler)
{
	return scheduler->blocked ? scheduler->why : NULL;
}

const struct ladder_season *
scheduler_season(const struct scheduler *scheduler)
{
	return ladder_season(scheduler->at.ladder);
}

static bool
sits(const void *arg, int bot)
{
	const struct scheduler *scheduler = arg;

	return (unsigned)bot < scheduler->participants &&
	       scheduler->participant[bot] != NULL;
}

/* The ladder must not look idle without a reason. */
static void
look_if_blocked(struct scheduler *scheduler)
{
	bool was = scheduler->blocked;
	unsigned bots, apart;

	scheduler->blocked = pairing_blocked(scheduler->pairing, sits,
					     scheduler, &bots, &apart);
	if (!scheduler->blocked || was)
		return;
	snprintf(scheduler->why, sizeof(scheduler->why),
		 "%u bots are here, but a table needs %u of different owners, "
		 "and at most %u of them can meet (same-owner = no)",
		 bots, scheduler->setup.setup.seats, apart);
	scheduler_log(scheduler, LOG_LEVEL_WARN, "owners-kept-apart",
		      scheduler->why);
}

/* A game could not be had a moment ago. */
static bool
is_calm(const struct scheduler *scheduler)
{
	return scheduler->calm_us > clock_us();
}

static void
fill(struct loop_task *task)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, fill_task);
	struct pairing_table paired;
	uint64_t again_us;

	while (!scheduler->stopping && !scheduler->failing &&
	       !is_calm(scheduler) &&
	       scheduler->counts.running + scheduler->counts.writing <
		       scheduler->setup.at_once &&
	       look_who_may(scheduler)) {
		scheduler->counts.searches++;
		if (!pairing_next(scheduler->pairing, clock_us(), &paired,
				  &again_us)) {
			look_if_blocked(scheduler);
			ask_again_at(scheduler, again_us);
			break;
		}
		scheduler->blocked = false;
		if (!scheduler_game_begin(scheduler, &paired))
			break;
	}
	if (is_calm(scheduler))
		ask_again_at(scheduler, scheduler->calm_us);
	scheduler_look_if_empty(scheduler);
}

static void
on_again(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	scheduler_wake(arg);
}

/* ---- stopping --------------------------------------------------------- */

void
scheduler_stop(struct scheduler *scheduler)
{
	scheduler->stopping = true;
	scheduler_wake(scheduler);
}

void
scheduler_abort(struct scheduler *scheduler, enum abort_word why)
{
	struct run *run, *next;

	scheduler->hurried = true;
	scheduler_rebuild_stop(scheduler);
	if (scheduler->failing) /* once more, for the last time */
		scheduler_game_again(scheduler);
	for (run = scheduler->runs; run != NULL; run = next) {
		next = run->next; /* one that waits is gone at once */
		dispatch_abort(scheduler->dispatch, &run->game, why);
	}
}

/* ---- records that are not kept ----------------------------------------- */

static void
on_pruned(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct scheduler *scheduler = arg;
	struct error why;
	struct scheduler_prune_done done;
	struct log_line line;
	int result = scheduler_prune_told(scheduler->prune, &done, &why);

	if (result > 0)
		return;
	scheduler->counts.prune_runs++;
	scheduler->counts.prune_failures += result < 0;
	scheduler->counts.pruned += done.pruned;
	log_begin(&line, scheduler->logger,
		  result < 0 ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO,
		  result < 0 ? "prune-fails" : "records-pruned");
	log_str(&line, "ladder", scheduler->setup.name);
	log_num(&line, "pruned", done.pruned);
	log_num(&line, "limit", done.limit);
	log_str(&line, "more", done.more ? "yes" : "no");
	if (result < 0)
		log_str(&line, "why", why.text);
	log_end(&line);
}

/* As `keep-days` is now.  False, and errno: there is no thread. */
static bool
set_prune(struct scheduler *scheduler)
{
	const unsigned days = (unsigned)scheduler->setup.keep_days;
	char path[LADDER_PATH_BYTES];

	if (scheduler->prune != NULL)
		scheduler_prune_set(scheduler->prune, days);
	if (scheduler->prune != NULL || days == 0)
		return true;
	scheduler_path(scheduler, path);
	scheduler->prune =
		scheduler_prune_new(path, scheduler->at.records, days);
	if (scheduler->prune == NULL)
		return false;
	scheduler->prune_told = loop_reads(scheduler->loop->base,
					   scheduler_prune_fd(scheduler->prune),
					   on_pruned, scheduler);
	return true;
}

/* ---- who is ranked ---------------------------------------------------- */

/* In the writer's thread. */
static void
rank(struct writer_job *job, struct ladder *ladder)
{
	struct scheduler *scheduler = ENCLOSING(job, struct scheduler, ranking);

	job->failed = ladder_rank_for(ladder, (int64_t)scheduler->ranked_days,
				      &job->why) != 0;
}

/* As `ranked-days` is now. */
static void
set_ranking(struct scheduler *scheduler)
{
	if (scheduler->is_ranking ||
	    scheduler->ranked_days == scheduler->setup.ranked_days)
		return;
	scheduler->is_ranking = true;
	scheduler->ranked_days = scheduler->setup.ranked_days;
	scheduler->ranking.run = rank;
	writer_submit(scheduler->writer, &scheduler->ranking);
}

void
scheduler_ranking_done(struct scheduler *scheduler)
{
	scheduler->is_ranking = false;
	if (scheduler->ranking.failed)
		scheduler_log(scheduler, LOG_LEVEL_ERROR, "ladder-fails",
			      scheduler->ranking.why.text);
	set_ranking(scheduler);
	scheduler_look_if_empty(scheduler);
}

/* ---- other settings --------------------------------------------------- */

bool
scheduler_can_set(const struct scheduler *scheduler,
		  const struct config_ladder *ladder)
{
	struct ladder_pool now, then;

	scheduler_pool(&scheduler->setup, &now);
	scheduler_pool(ladder, &then);
	return strcmp(now.game, then.game) == 0 &&
	       strcmp(now.options, then.options) == 0 &&
	       now.seats == then.seats && now.arrival == then.arrival &&
	       scheduler->setup.k_milli == ladder->k_milli &&
	       scheduler->setup.start_milli == ladder->start_milli &&
	       scheduler->setup.same_bot_twice == ladder->same_bot_twice;
}

void
scheduler_set(struct scheduler *scheduler, const struct config_ladder *ladder)
{
	scheduler->setup = *ladder;
	scheduler->stopping = false;
	pairing_set_apart(scheduler->pairing, scheduler_apart(ladder));
	if (!set_prune(scheduler))
		scheduler_log(scheduler, LOG_LEVEL_ERROR, "prune-fails",
			      strerror(errno));
	set_ranking(scheduler);
	scheduler_wake(scheduler);
}

/* ---- opening ---------------------------------------------------------- */

static void
take_past(struct scheduler *scheduler, struct scheduler_opening *opening)
{
	scheduler->setup = opening->setup;
	memcpy(scheduler->dir, opening->dir, sizeof(scheduler->dir));
	scheduler->at = opening->at;
	scheduler->pairing = opening->pairing;
	scheduler->faults = opening->faults;
	scheduler->counts.games = opening->games;
	scheduler->ranked_days = opening->setup.ranked_days;
	scheduler->counts.settled = scheduler->at.settled;
	scheduler->counts.lost = scheduler->at.lost;
	scheduler->counts.missing =
		(uint64_t)ladder_missing(scheduler->at.ladder);
	free(opening);
	scheduler_ladder_tell(&scheduler->at, &scheduler->setup,
			      scheduler->logger);
}

static int
open_writer(struct scheduler *scheduler, struct error *why)
{
	scheduler->writer =
		writer_new(scheduler->at.records, scheduler->at.ladder,
			   scheduler->at.folder);
	if (scheduler->writer == NULL)
		return error_set(why, ERROR_MACHINE, "cannot write to %s: %m",
				 scheduler->at.records);
	scheduler->written =
		loop_reads(scheduler->loop->base, writer_fd(scheduler->writer),
			   scheduler_on_writer, scheduler);
	scheduler->again =
		loop_timer(scheduler->loop->base, on_again, scheduler);
	scheduler->retry = loop_timer(scheduler->loop->base, scheduler_on_retry,
				      scheduler);
	return 0;
}

/* Where records are not kept for ever. */
static int
open_prune(struct scheduler *scheduler, struct error *why)
{
	if (set_prune(scheduler))
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot start a thread: %m");
}

struct scheduler *
scheduler_open(struct loop *loop, struct logger *logger,
	       struct dispatch *dispatch, struct scheduler_opening *opening,
	       const struct scheduler_calls *calls, void *arg,
	       struct error *why)
{
	struct scheduler *scheduler = zeroed(1, sizeof(*scheduler));

	scheduler->loop = loop;
	scheduler->logger = logger;
	scheduler->dispatch = dispatch;
	scheduler->calls = calls;
	scheduler->arg = arg;
	scheduler->fill_task.run = fill;
	take_past(scheduler, opening);
	if (open_writer(scheduler, why) == 0 && open_prune(scheduler, why) == 0)
		return scheduler;
	scheduler_close(scheduler);
	return NULL;
}

void
scheduler_close_events(struct scheduler *scheduler)
{
	loop_cancel(scheduler->loop, &scheduler->fill_task);
	if (scheduler->written != NULL) {
		event_free(scheduler->written);
		event_free(scheduler->again);
		event_free(scheduler->retry);
	}
	if (scheduler->prune_told != NULL)
		event_free(scheduler->prune_told);
}

void
scheduler_close_files(struct scheduler *scheduler)
{
	scheduler_prune_free(scheduler->prune);
	writer_free(scheduler->writer);
	fit_kept_free(scheduler->fit.kept);
	scheduler_ladder_close(&scheduler->at);
	pairing_free(scheduler->pairing);
	fault_counts_release(&scheduler->faults);
	free(scheduler->participant);
	free(scheduler);
}

void
scheduler_close(struct scheduler *scheduler)
{
	scheduler_close_events(scheduler);
	scheduler_close_files(scheduler);
}
