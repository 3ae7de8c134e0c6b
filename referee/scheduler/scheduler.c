/* referee/scheduler/scheduler.c - see scheduler.h.
 *
 * This file decides when a game begins, gives jobs to the writer, and keeps the
 * settings.  The bots and their pairing, the games, the opening, another fit
 * and a rebuild are modules that know nothing of the scheduler.  They report to
 * it by calls or by what they return. */
#include "referee/scheduler/scheduler.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/durable.h"
#include "protocol/clock.h"
#include "protocol/date.h"
#include "referee/config/config-parse.h"
#include "referee/data/data-folder.h"
#include "referee/scheduler/scheduler-fit.h"
#include "referee/scheduler/scheduler-freeze.h"
#include "referee/scheduler/scheduler-ladder.h"
#include "referee/scheduler/scheduler-prune.h"
#include "referee/scheduler/scheduler-rebuild.h"
#include "referee/scheduler/scheduler-recall.h"
#include "referee/scheduler/scheduler-term.h"

#define TERM_LOOK_MS                                                           \
	1000 /* between two looks, as people may set the calendar */

struct scheduler {
	struct loop *loop;
	struct logger *logger;
	struct config_ladder setup;
	const struct scheduler_calls *calls;
	void *arg;
	struct scheduler_ladder at; /* only the writer uses its ladder */
	struct writer *writer;
	struct scheduler_prune *prune; /* NULL: pruning was never on */
	char data[SCHEDULER_DIR_BYTES], dir[SCHEDULER_DIR_BYTES];
	struct event *written;
	struct timer again;
	struct loop_task fill_task;
	struct pairing *pairing; /* these two only until scheduler_open() */
	struct scheduler_standings standings;
	struct scheduler_bots *bots; /* this and the rest after that */
	struct scheduler_games *games;
	const struct dispatch *dispatch;
	struct scheduler_rebuild *rebuild; /* the running rebuild, or NULL */
	scheduler_rebuilt *rebuilt;	   /* called at its end */
	void *rebuilt_arg;
	uint64_t rebuilt_number;
	struct scheduler_rebuild *following; /* catches up; or NULL */
	struct timer follow_again;
	struct writer_task ranking;    /* gives the ladder the next two */
	uint64_t ranked_days;	       /* days given last */
	struct ladder_anchors anchors; /* anchors given last */
	bool is_ranking;	       /* the writer has this job */
	struct writer_task fitting;    /* reads another fit */
	struct ladder_pool pool;       /* the pool of that fit */
	struct fit_kept *fit;	       /* the fit that was read */
	bool is_fitting;	       /* the writer has this job */
	struct term term;
	enum term_phase phase;	    /* told last; never TERM_PACED */
	struct timer term_again;    /* looks at the term again */
	int64_t frozen;		    /* the second of the freeze; 0: none */
	struct writer_task copying; /* copies the ladder for the freeze */
	int64_t copied;		    /* the second of the freeze of that copy */
	bool late;		    /* it may lack games */
	struct ladder_pool copied_pool; /* the pool that is fitted there */
	bool is_copying;		/* the writer has this job */
	struct scheduler_counts counts;
	/* no game begins before it, as the last one was called off */
	uint64_t retry_at_us;
	bool stopping;
	bool blocked;			 /* bots of too few owners are here */
	char why[SCHEDULER_BLOCK_BYTES]; /* says why it is blocked */
};

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

const struct scheduler_bots *
scheduler_bots(const struct scheduler *scheduler)
{
	return scheduler->bots;
}

const struct scheduler_games *
scheduler_games(const struct scheduler *scheduler)
{
	return scheduler->games;
}

void
scheduler_path(const struct scheduler *scheduler, char path[LADDER_PATH_BYTES])
{
	snprintf(path, LADDER_PATH_BYTES, "%s/ladder.db", scheduler->dir);
}

int64_t
scheduler_frozen(const struct scheduler *scheduler)
{
	const int64_t freezes = scheduler->setup.freezes;

	/* A clock that is set back does not thaw it. */
	return freezes != 0 && (scheduler->frozen == freezes ||
				clock_seconds() >= freezes)
		       ? freezes
		       : 0;
}

void
scheduler_shown_path(const struct scheduler *scheduler,
		     char path[LADDER_PATH_BYTES])
{
	const int64_t frozen = scheduler_frozen(scheduler);

	if (frozen != 0)
		scheduler_freeze_path(scheduler->dir, frozen, path);
	else
		scheduler_path(scheduler, path);
}

bool
scheduler_is_watched(const struct scheduler *scheduler)
{
	return scheduler->setup.readers != CONFIG_NOBODY &&
	       scheduler_frozen(scheduler) == 0;
}

bool
scheduler_is_empty(const struct scheduler *scheduler)
{
	return scheduler_games_is_empty(scheduler->games) &&
	       scheduler->rebuild == NULL && scheduler->following == NULL &&
	       !scheduler->is_ranking && !scheduler->is_fitting &&
	       !scheduler->is_copying;
}

void
scheduler_wake(struct scheduler *scheduler)
{
	loop_post(scheduler->loop, LOOP_SETTLE, &scheduler->fill_task);
}

static void
log_why(const struct scheduler *scheduler, enum log_level level,
	const char *event, const char *why)
{
	log_event(scheduler->logger, level, event, "ladder=%s why=%s",
		  scheduler->setup.name, why);
}

/* Calls empty() if it was stopped and is empty. */
static void
look_if_empty(struct scheduler *scheduler)
{
	if (scheduler->stopping && scheduler_is_empty(scheduler))
		scheduler->calls->empty(scheduler->arg, scheduler);
}

/* ---- who sits here ---------------------------------------------------- */

bool
scheduler_sit(struct scheduler *scheduler, struct participant *participant)
{
	scheduler->counts.offers++;
	if (!scheduler_bots_sit(scheduler->bots, participant))
		return false;
	scheduler_wake(scheduler);
	return true;
}

void
scheduler_hold(struct scheduler *scheduler, struct participant *participant)
{
	scheduler_bots_hold(scheduler->bots, participant);
}

bool
scheduler_may_pair_soon(const struct scheduler *scheduler,
			const struct participant *participant)
{
	return !scheduler->stopping &&
	       !scheduler_games_is_failing(scheduler->games) &&
	       scheduler_bots_may_pair_soon(scheduler->bots, participant);
}

void
scheduler_rise(struct scheduler *scheduler, struct participant *participant)
{
	if (scheduler_bots_rise(scheduler->bots, participant) &&
	    scheduler->blocked)
		scheduler_wake(scheduler); /* it may no longer be blocked */
}

void
scheduler_part(struct scheduler *scheduler, struct participant *participant,
	       enum scheduler_parting how)
{
	scheduler_rise(scheduler, participant);
	if (how == SCHEDULER_WITHDRAWN)
		scheduler_games_withdraw(scheduler->games, participant);
	else
		scheduler_games_forget(scheduler->games, participant,
				       how == SCHEDULER_LOST);
}

bool
scheduler_pardon(struct scheduler *scheduler, const char *name)
{
	const bool suspended = scheduler_bots_pardon(scheduler->bots, name);

	scheduler_wake(scheduler);
	return suspended;
}

/* ---- who meets whom --------------------------------------------------- */

static void
ask_again_at(struct scheduler *scheduler, uint64_t at_us)
{
	if (at_us != PAIRING_NEVER)
		timer_at(&scheduler->again, at_us);
}

const char *
scheduler_blocked(const struct scheduler *scheduler)
{
	if (scheduler->term.why[0] != '\0')
		return scheduler->term.why;
	return scheduler->blocked ? scheduler->why : NULL;
}

bool
scheduler_paced(const struct scheduler *scheduler)
{
	return scheduler->term.paced;
}

const struct ladder_season *
scheduler_season(const struct scheduler *scheduler)
{
	return ladder_season(scheduler->at.ladder);
}

/* Notes and logs why no bots can meet, so that the ladder does not look idle
 * without a reason. */
static void
look_if_blocked(struct scheduler *scheduler)
{
	const bool was = scheduler->blocked;

	scheduler->blocked = scheduler_bots_blocked(
		scheduler->bots, scheduler->why, sizeof(scheduler->why));
	if (scheduler->blocked && !was)
		log_why(scheduler, LOG_LEVEL_WARN, "owners-kept-apart",
			scheduler->why);
}

/* Returns true if a game was called off a moment ago. */
static bool
is_before_retry(const struct scheduler *scheduler)
{
	return scheduler->retry_at_us > clock_us();
}

/* ---- the term --------------------------------------------------------- */

/* Runs in the writer's thread. */
static void
copy(struct writer_task *task, struct ladder *ladder,
     struct ladder_log *log UNUSED)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, copying);

	task->failed =
		scheduler_freeze_make(ladder, scheduler->data, scheduler->dir,
				      scheduler->copied,
				      &scheduler->copied_pool, &task->why) < 0;
}

static void
on_copied(struct writer_task *task)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, copying);
	char date[DATE_BYTES];

	scheduler->is_copying = false;
	date_write(scheduler->copied, date);
	if (scheduler->copied != scheduler->setup.freezes)
		scheduler_freeze_clean(scheduler->dir,
				       scheduler->setup.freezes);
	else if (!task->failed)
		log_event(scheduler->logger, LOG_LEVEL_INFO, "standings-frozen",
			  "ladder=%s at=%s", scheduler->setup.name, date);
	else if (log_may(scheduler->logger, LOG_LEVEL_ERROR, "ladder-fails",
			 scheduler->setup.name))
		log_why(scheduler, LOG_LEVEL_ERROR, "ladder-fails",
			task->why.text);
	/* The next look tries again. */
	if (task->failed)
		scheduler->copied = 0;
	if (scheduler->late)
		scheduler_wake(scheduler);
	look_if_empty(scheduler);
}

/* Copies the ladder if its standings have frozen. */
static void
look_if_frozen(struct scheduler *scheduler)
{
	scheduler->frozen = scheduler_frozen(scheduler);
	if (scheduler->frozen == 0 ||
	    (scheduler->frozen == scheduler->copied && !scheduler->late) ||
	    scheduler->is_copying || scheduler->stopping)
		return;
	scheduler->is_copying = true;
	scheduler->late = false;
	scheduler->copied = scheduler->frozen;
	scheduler_pool(&scheduler->setup, &scheduler->copied_pool);
	scheduler->copying.run = copy;
	scheduler->copying.done = on_copied;
	writer_submit(scheduler->writer, &scheduler->copying);
}

static void
tell_phase(struct scheduler *scheduler, enum term_phase phase)
{
	static const char *const events[] = {
		[TERM_OPEN] = "games-begin",
		[TERM_BEFORE] = "games-wait",
		[TERM_AFTER] = "games-ended",
	};

	if (phase == TERM_PACED)
		phase = TERM_OPEN;
	if (phase != scheduler->phase)
		log_event(scheduler->logger, LOG_LEVEL_INFO, events[phase],
			  "ladder=%s why=%s", scheduler->setup.name,
			  phase == TERM_OPEN ? NULL : scheduler->term.why);
	scheduler->phase = phase;
}

/* Returns true if a game may begin now by the dates and the games a day. */
static bool
look_at_term(struct scheduler *scheduler)
{
	const struct config_ladder *setup = &scheduler->setup;
	const int64_t now_ms = clock_calendar_ms();
	const enum term_phase phase =
		term_look(&scheduler->term, setup, now_ms);
	int64_t next_ms;

	tell_phase(scheduler, phase);
	look_if_frozen(scheduler);
	if (setup->begins == 0 && setup->freezes == 0 && setup->ends == 0 &&
	    setup->games_a_day == 0)
		return true;
	next_ms = term_next(&scheduler->term, setup, now_ms) - now_ms;
	if (next_ms <= 0 || next_ms > TERM_LOOK_MS)
		next_ms = TERM_LOOK_MS;
	timer_after(&scheduler->term_again, (uint64_t)next_ms * 1000);
	return phase == TERM_OPEN;
}

/* ---- the next game ---------------------------------------------------- */

static void
fill(struct loop_task *task)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, fill_task);
	bool open = look_at_term(scheduler);
	const uint64_t left =
		dispatch_left(scheduler->dispatch, scheduler->setup.name);
	struct scheduler_game_seats seats;
	uint64_t again_us;

	while (open && !scheduler->stopping &&
	       !scheduler_games_is_failing(scheduler->games) &&
	       !is_before_retry(scheduler) &&
	       left + scheduler->counts.running + scheduler->counts.writing <
		       scheduler->setup.at_once &&
	       scheduler_bots_may(scheduler->bots,
				  scheduler->calls->full(scheduler->arg))) {
		scheduler->counts.searches++;
		if (!scheduler_bots_next(scheduler->bots, &seats, &again_us)) {
			look_if_blocked(scheduler);
			ask_again_at(scheduler, again_us);
			break;
		}
		scheduler->blocked = false;
		scheduler_games_begin(scheduler->games, &seats);
		term_use(&scheduler->term, &scheduler->setup,
			 clock_calendar_ms());
		open = look_at_term(scheduler);
	}
	if (left > 0)
		ask_again_at(scheduler,
			     clock_us() + SCHEDULER_AGAIN_MS * UINT64_C(1000));
	if (is_before_retry(scheduler))
		ask_again_at(scheduler, scheduler->retry_at_us);
	look_if_empty(scheduler);
}

static void
look_again(void *arg)
{
	scheduler_wake(arg);
}

/* ---- a ladder that is behind -------------------------------------------- */

static void follow(struct scheduler *scheduler);

/* Takes the ratings once the ladder has caught up with its log. */
static void
on_followed(void *arg, const struct scheduler_rebuild *rebuild)
{
	struct scheduler *scheduler = arg;
	const bool failed = rebuild->task.failed;

	scheduler->following = NULL;
	if (failed && log_may(scheduler->logger, LOG_LEVEL_ERROR,
			      "ladder-fails", scheduler->setup.name))
		log_why(scheduler, LOG_LEVEL_ERROR, "ladder-fails",
			rebuild->task.why.text);
	if (failed && !scheduler->stopping)
		timer_after(&scheduler->follow_again,
			    SCHEDULER_AGAIN_MS * UINT64_C(1000));
	else if (rebuild->more && !scheduler->stopping)
		follow(scheduler);
	else if (!failed && !rebuild->more) {
		scheduler_bots_rebuilt(scheduler->bots, rebuild);
		scheduler->late = true;
		scheduler_wake(scheduler);
	}
	look_if_empty(scheduler);
}

static struct scheduler_rebuild *
begin_rebuild(struct scheduler *scheduler, const struct rebuild *what,
	      scheduler_rebuild_done *done)
{
	char path[LADDER_PATH_BYTES];

	scheduler_path(scheduler, path);
	return scheduler_rebuild_begin(scheduler->writer, what, path,
				       &scheduler->setup, done, scheduler);
}

static void
follow(struct scheduler *scheduler)
{
	if (scheduler->following == NULL &&
	    !timer_runs(&scheduler->follow_again))
		scheduler->following =
			begin_rebuild(scheduler, NULL, on_followed);
}

static void
on_follow_again(void *arg)
{
	const struct scheduler *scheduler = arg;

	if (!scheduler->stopping)
		follow(arg);
}

/* ---- what games do ----------------------------------------------------- */

static void
on_ended(void *arg, const struct scheduler_game_end *end)
{
	struct scheduler *scheduler = arg;

	if (end->behind)
		follow(scheduler);
	if (end->safe && !end->aborted &&
	    date_read(end->game->ended) < scheduler->frozen)
		scheduler->late = true;
	scheduler_bots_ended(scheduler->bots, end);
}

static void
on_called_off(void *arg, const char *id, const struct pairing_table *paired,
	      struct participant *const participant[SEATS_MAX], unsigned blamed)
{
	struct scheduler *scheduler = arg;

	scheduler->retry_at_us = clock_us() + SCHEDULER_AGAIN_MS * 1000;
	scheduler_bots_called_off(scheduler->bots, id, paired, participant,
				  blamed);
}

static const struct scheduler_game_calls game_calls = {
	.ended = on_ended,
	.called_off = on_called_off,
	.room = look_again,
};

struct dispatched *
scheduler_adopt(struct scheduler *scheduler, const struct job *job)
{
	if (job->setup.game.seats != scheduler->setup.setup.seats ||
	    job->setup.game.rules != scheduler->setup.setup.rules)
		return NULL;
	return scheduler_games_adopt(scheduler->games, &job->setup);
}

/* ---- stopping --------------------------------------------------------- */

void
scheduler_stop(struct scheduler *scheduler)
{
	scheduler->stopping = true;
	scheduler_wake(scheduler);
}

void
scheduler_leave(struct scheduler *scheduler)
{
	scheduler_games_leave(scheduler->games);
}

void
scheduler_abort(struct scheduler *scheduler, enum abort_word why)
{
	if (scheduler->rebuild != NULL)
		atomic_store(&scheduler->rebuild->stop, true);
	if (scheduler->following != NULL)
		atomic_store(&scheduler->following->stop, true);
	scheduler_games_abort(scheduler->games, why);
}

/* ---- records that are not kept ----------------------------------------- */

static void
on_pruned(void *arg, const struct scheduler_prune_done *done)
{
	struct scheduler *scheduler = arg;

	scheduler->counts.prune_runs++;
	scheduler->counts.prune_failures += done->failed;
	scheduler->counts.pruned += done->pruned;
	log_event(scheduler->logger,
		  done->failed ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO,
		  done->failed ? "prune-fails" : "records-pruned",
		  "ladder=%s pruned=%u limit=%u more=%s why=%s",
		  scheduler->setup.name, done->pruned, done->limit,
		  done->more ? "yes" : "no",
		  done->failed ? done->why.text : NULL);
}

/* Sets pruning to the current `keep-days`.  Returns false and sets errno if no
 * thread can be started. */
static bool
set_prune(struct scheduler *scheduler)
{
	const unsigned days = (unsigned)scheduler->setup.keep_days;
	char path[LADDER_PATH_BYTES];

	if (scheduler->prune == NULL && days > 0) {
		scheduler_path(scheduler, path);
		scheduler->prune = scheduler_prune_new(scheduler->loop, path,
						       scheduler->at.records,
						       on_pruned, scheduler);
		if (scheduler->prune == NULL)
			return false;
	}
	scheduler_prune_set(scheduler->prune, days);
	return true;
}

/* ---- what the ladder's readers go by ----------------------------------- */

/* Runs in the writer's thread. */
static void
rank(struct writer_task *task, struct ladder *ladder,
     struct ladder_log *log UNUSED)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, ranking);

	task->failed = ladder_rank_for(ladder, (int64_t)scheduler->ranked_days,
				       &task->why) != 0 ||
		       ladder_set_anchors(ladder, &scheduler->anchors,
					  &task->why) != 0;
}

static void set_ranking(struct scheduler *scheduler);

static void
on_ranked(struct writer_task *task)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, ranking);

	scheduler->is_ranking = false;
	scheduler->counts.anchored++;
	if (scheduler->ranking.failed)
		log_why(scheduler, LOG_LEVEL_ERROR, "ladder-fails",
			scheduler->ranking.why.text);
	set_ranking(scheduler);
	look_if_empty(scheduler);
}

/* Gives the ladder the current `ranked-days` and `anchor`. */
static void
set_ranking(struct scheduler *scheduler)
{
	if (scheduler->is_ranking ||
	    (scheduler->ranked_days == scheduler->setup.ranked_days &&
	     ladder_anchors_same(&scheduler->anchors,
				 &scheduler->setup.anchors)))
		return;
	scheduler->is_ranking = true;
	scheduler->ranked_days = scheduler->setup.ranked_days;
	scheduler->anchors = scheduler->setup.anchors;
	scheduler->ranking.run = rank;
	scheduler->ranking.done = on_ranked;
	writer_submit(scheduler->writer, &scheduler->ranking);
}

/* ---- the ladder is made again ------------------------------------------ */

static void
log_rebuilt(const struct scheduler *scheduler,
	    const struct scheduler_rebuild *rebuild)
{
	const bool failed = rebuild->task.failed;
	const char *why_void = rebuild->what.void_why;

	log_event(scheduler->logger, failed ? LOG_LEVEL_WARN : LOG_LEVEL_INFO,
		  *why_void ? "games-voided" : "ladder-rebuilt",
		  "ladder=%s void=%s code=%d why=%s", scheduler->setup.name,
		  *why_void ? why_void : NULL,
		  failed ? (int)rebuild->task.why.kind : 0,
		  failed ? rebuild->task.why.text : NULL);
}

static void
on_rebuilt(void *arg, const struct scheduler_rebuild *rebuild)
{
	struct scheduler *scheduler = arg;
	const bool failed = rebuild->task.failed;

	scheduler->rebuild = NULL;
	scheduler_bots_rebuilt(scheduler->bots, rebuild);
	log_rebuilt(scheduler, rebuild);
	/* The void may be in the log all the same. */
	if (failed && !scheduler->stopping)
		follow(scheduler);
	scheduler->rebuilt(scheduler->rebuilt_arg, scheduler->rebuilt_number,
			   &rebuild->out, failed ? &rebuild->task.why : NULL);
	look_if_empty(scheduler);
}

bool
scheduler_rebuild(struct scheduler *scheduler, const struct rebuild *what,
		  scheduler_rebuilt *rebuilt, void *arg, uint64_t number)
{
	if (scheduler->rebuild != NULL)
		return false;
	scheduler->rebuilt = rebuilt;
	scheduler->rebuilt_arg = arg;
	scheduler->rebuilt_number = number;
	scheduler->rebuild = begin_rebuild(scheduler, what, on_rebuilt);
	return true;
}

/* ---- another fit ------------------------------------------------------- */

/* Runs in the writer's thread. */
static void
read_fit(struct writer_task *task, struct ladder *ladder,
	 struct ladder_log *log UNUSED)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, fitting);

	scheduler->fit = scheduler_fit_read(ladder, &scheduler->pool);
}

static void
on_fitted(struct writer_task *task)
{
	struct scheduler *scheduler =
		ENCLOSING(task, struct scheduler, fitting);
	const unsigned bots =
		scheduler_bots_fitted(scheduler->bots, scheduler->fit);

	scheduler->is_fitting = false;
	fit_kept_free(scheduler->fit);
	scheduler->fit = NULL;
	scheduler->counts.fits++;
	log_event(scheduler->logger, LOG_LEVEL_DEBUG, "pairing-fitted",
		  "ladder=%s bots=%u", scheduler->setup.name, bots);
	look_if_empty(scheduler);
}

void
scheduler_refitted(struct scheduler *scheduler)
{
	if (scheduler->stopping || scheduler->is_fitting)
		return;
	scheduler->is_fitting = true;
	scheduler_pool(&scheduler->setup, &scheduler->pool);
	scheduler->fitting.run = read_fit;
	scheduler->fitting.done = on_fitted;
	writer_submit(scheduler->writer, &scheduler->fitting);
}

/* ---- other settings --------------------------------------------------- */

static bool
is_kept(int64_t now, int64_t then)
{
	return then == now || then == CONFIG_UNSET;
}

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
	       is_kept(scheduler->setup.k_milli, ladder->k_milli) &&
	       is_kept(scheduler->setup.start_milli, ladder->start_milli) &&
	       scheduler->setup.same_bot_twice == ladder->same_bot_twice;
}

void
scheduler_set(struct scheduler *scheduler, const struct config_ladder *ladder)
{
	const int64_t k_milli = scheduler->setup.k_milli;
	const int64_t start_milli = scheduler->setup.start_milli;

	scheduler->setup = *ladder;
	scheduler->setup.k_milli = k_milli;
	scheduler->setup.start_milli = start_milli;
	scheduler->stopping = false;
	scheduler_bots_set(scheduler->bots);
	if (!set_prune(scheduler))
		log_why(scheduler, LOG_LEVEL_ERROR, "prune-fails",
			strerror(errno));
	set_ranking(scheduler);
	if (!scheduler->is_copying)
		scheduler_freeze_clean(scheduler->dir,
				       scheduler->setup.freezes);
	/* Pages may be asked for before the loop looks again. */
	scheduler->frozen = scheduler_frozen(scheduler);
	scheduler_wake(scheduler);
}

/* ---- opening ---------------------------------------------------------- */

/* Opens the ladder and reads what has become of its bots. */
static int
read_past(struct scheduler *scheduler, const char *data,
	  const struct queue_term *house, const atomic_bool *stop,
	  struct error *why)
{
	struct config_ladder *setup = &scheduler->setup;
	struct scheduler_ladder *at = &scheduler->at;

	if (data_folder_check(data, setup->name, why) < 0 ||
	    scheduler_ladder_open(scheduler->dir, setup, house, stop, at, why) <
		    0)
		return -1;
	/* From now on the setup has the settings in effect. */
	if (ladder_settings(at->ladder, &setup->k_milli, &setup->start_milli,
			    why) < 0)
		return -1;
	scheduler->pairing =
		scheduler_recall(at->ladder, setup, (uint64_t)clock_seconds(),
				 &scheduler->standings, why);
	ladder_heed(at->ladder, NULL);
	return scheduler->pairing == NULL ? -1 : 0;
}

struct scheduler *
scheduler_read(const struct config_ladder *ladder, const char *data,
	       const struct queue_term *house, const atomic_bool *stop,
	       struct error *why)
{
	struct scheduler *scheduler = zeroed(1, sizeof(*scheduler));

	scheduler->setup = *ladder;
	snprintf(scheduler->data, sizeof(scheduler->data), "%s", data);
	snprintf(scheduler->dir, sizeof(scheduler->dir), "%s/ladders/%s", data,
		 ladder->name);
	if (read_past(scheduler, data, house, stop, why) == 0)
		return scheduler;
	error_prefix(why, "ladder %s: ", ladder->name);
	why->kind = ERROR_INPUT;
	scheduler_close_files(scheduler);
	return NULL;
}

static void
take_past(struct scheduler *scheduler)
{
	const struct scheduler_bots_setup bots = {
		.setup = &scheduler->setup,
		.at = &scheduler->at,
		.counts = &scheduler->counts,
		.logger = scheduler->logger,
	};

	scheduler->counts.last_us = clock_us();
	scheduler->ranked_days = scheduler->setup.ranked_days;
	scheduler->anchors = scheduler->setup.anchors;
	scheduler->counts.settled = scheduler->at.settled;
	scheduler->counts.missing =
		(uint64_t)ladder_missing(scheduler->at.ladder);
	scheduler->bots = scheduler_bots_new(&bots, scheduler->pairing,
					     &scheduler->standings);
	scheduler->pairing = NULL;
	free(scheduler->standings.of);
	scheduler->standings.of = NULL;
	scheduler_ladder_tell(&scheduler->at, &scheduler->setup,
			      scheduler->logger);
}

static void
on_writer(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	const struct scheduler *scheduler = arg;

	writer_tell(scheduler->writer);
}

static int
open_threads(struct scheduler *scheduler, struct error *why)
{
	scheduler->writer =
		writer_new(scheduler->at.log, scheduler->at.records);
	if (scheduler->writer == NULL)
		return path_error(why, ERROR_MACHINE, "write to",
				  scheduler->at.records);
	scheduler->written =
		loop_reads(scheduler->loop->base, writer_fd(scheduler->writer),
			   on_writer, scheduler);
	timer_init(&scheduler->again, &scheduler->loop->timers, look_again,
		   scheduler);
	timer_init(&scheduler->term_again, &scheduler->loop->timers, look_again,
		   scheduler);
	timer_init(&scheduler->follow_again, &scheduler->loop->timers,
		   on_follow_again, scheduler);
	/* A thread prunes records only if they are not kept for ever. */
	if (set_prune(scheduler))
		return 0;
	return error_set(why, ERROR_MACHINE, "cannot start a thread: %m");
}

static void
open_games(struct scheduler *scheduler, struct dispatch *dispatch)
{
	const struct scheduler_games_setup setup = {
		.loop = scheduler->loop,
		.logger = scheduler->logger,
		.dispatch = dispatch,
		.writer = scheduler->writer,
		.ladder = &scheduler->setup,
		.counts = &scheduler->counts,
		.calls = &game_calls,
		.arg = scheduler,
		.news = &scheduler->calls->news,
		.news_arg = scheduler->arg,
	};

	scheduler->games = scheduler_games_new(&setup);
}

int
scheduler_open(struct scheduler *scheduler, struct loop *loop,
	       struct logger *logger, struct dispatch *dispatch,
	       const struct scheduler_calls *calls, void *arg,
	       struct error *why)
{
	scheduler->loop = loop;
	scheduler->logger = logger;
	scheduler->calls = calls;
	scheduler->arg = arg;
	scheduler->fill_task.run = fill;
	scheduler->dispatch = dispatch;
	take_past(scheduler);
	if (open_threads(scheduler, why) == 0) {
		open_games(scheduler, dispatch);
		scheduler_freeze_clean(scheduler->dir,
				       scheduler->setup.freezes);
		scheduler_wake(scheduler);
		return 0;
	}
	error_prefix(why, "ladder %s: ", scheduler->setup.name);
	why->kind = ERROR_INPUT;
	scheduler_close(scheduler);
	return -1;
}

void
scheduler_close_events(struct scheduler *scheduler)
{
	loop_cancel(scheduler->loop, &scheduler->fill_task);
	scheduler_games_free(scheduler->games);
	if (scheduler->written != NULL) {
		event_free(scheduler->written);
		timer_stop(&scheduler->again);
		timer_stop(&scheduler->term_again);
		timer_stop(&scheduler->follow_again);
	}
	scheduler_prune_close_events(scheduler->prune);
}

void
scheduler_close_files(struct scheduler *scheduler)
{
	if (scheduler == NULL)
		return;
	scheduler_prune_free(scheduler->prune);
	writer_free(scheduler->writer);
	fit_kept_free(scheduler->fit);
	scheduler_ladder_close(&scheduler->at);
	scheduler_bots_free(scheduler->bots);
	pairing_free(scheduler->pairing);
	free(scheduler->standings.of);
	free(scheduler);
}

void
scheduler_close(struct scheduler *scheduler)
{
	scheduler_close_events(scheduler);
	scheduler_close_files(scheduler);
}
