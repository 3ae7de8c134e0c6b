/* referee/scheduler/dispatch.c - see dispatch.h: a runner, and workers. */
#include "referee/scheduler/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "referee/base/serve-limits.h"
#include "referee/runner/runner.h"
#include "referee/runner/workers.h"
#include "referee/table/table.h"

struct dispatch {
	struct loop *loop;
	const struct dispatch_calls *calls;
	void *arg;
	struct runner *runner;
	struct workers *workers; /* NULL: not yet, or they cannot be had */
	struct coordinator *coordinator; /* NULL: there is no queue */
	bool failed, finishing, workers_finished;
	uint64_t number;	  /* the last one that was given out */
	struct dispatched *games; /* until their receipts */
};

/* ---- games ------------------------------------------------------------ */

static struct dispatched *
find(const struct dispatch *dispatch, uint64_t number)
{
	struct dispatched *game = dispatch->games;

	while (game != NULL && game->number != number)
		game = game->next;
	if (game == NULL)
		bug("an unknown game");
	return game;
}

static void
leave(struct dispatched *game)
{
	LIST_CUT(game);
	job_result_release(&game->result);
}

static struct bot *
on_seat(void *arg, const struct job *job, unsigned seat)
{
	struct dispatched *game = find(arg, job->number);

	return game->calls->seat(game, seat);
}

/* What lives is told of when it ends. */
static void
on_over(void *arg, struct job_result *result)
{
	struct dispatch *dispatch = arg;
	struct dispatched *game = find(dispatch, result->number);
	unsigned s;

	job_result_release(&game->result);
	job_result_move(&game->result, result);
	for (s = 0; s < SEATS_MAX; s++)
		if (!game->result.end[s].lives)
			dispatch->calls->ended(dispatch->arg, game->number, s,
					       &game->result.end[s]);
	game->calls->over(game);
}

static void
on_ended(void *arg, uint64_t number, unsigned seat, uint32_t bot UNUSED,
	 const struct job_end *end)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->ended(dispatch->arg, number, seat,
			       end->known ? end : NULL);
}

static void
on_looked(void *arg, uint64_t number, size_t until, const char *lines, size_t n)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->looked(dispatch->arg, number, until, lines, n);
}

static void
look_here(struct dispatch *dispatch, const struct dispatched *game, size_t from,
	  uint64_t delay_us)
{
	const struct table *table =
		runner_table(dispatch->runner, game->number);
	struct text lines;
	size_t until;

	if (table == NULL)
		return;
	text_init(&lines, 2 * (size_t)PUBLIC_BYTES);
	until = table_public(table, from, delay_us, &lines);
	on_looked(dispatch, game->number, until, lines.bytes, lines.used);
	text_release(&lines);
}

void
dispatch_look(struct dispatch *dispatch, const struct dispatched *game,
	      size_t from, uint64_t delay_us)
{
	if (game->here)
		look_here(dispatch, game, from, delay_us);
	else if (!game->queued && dispatch->workers != NULL)
		workers_look(dispatch->workers, game->number, from, delay_us);
}

static void
park(struct dispatch *dispatch, struct dispatched *game, const char *why)
{
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		dispatch->calls->ended(dispatch->arg, game->number, s, NULL);
	leave(game);
	game->calls->parked(game, why);
}

static void
on_parked(void *arg, uint64_t number)
{
	park(arg, find(arg, number), "worker processes were lost with it");
}

/* ---- the queue --------------------------------------------------------- */

/* Its programs have ended elsewhere, or will: what they write then is not told. */
static void
on_queue_over(void *arg, uint64_t number, struct job_result *result,
	      const struct coordinator_result *which)
{
	struct dispatch *dispatch = arg;
	struct dispatched *game = find(dispatch, number);
	unsigned s;

	job_result_release(&game->result);
	job_result_move(&game->result, result);
	game->which = *which;
	for (s = 0; s < SEATS_MAX; s++)
		dispatch->calls->ended(dispatch->arg, number, s,
				       &game->result.end[s]);
	game->calls->over(game);
}

static bool
on_adopted(void *arg, const char *ladder, const struct job *job,
	   struct job_result *result, const struct coordinator_result *which)
{
	struct dispatch *dispatch = arg;
	struct dispatched *game =
		dispatch->calls->adopted(dispatch->arg, ladder, job);

	if (game == NULL)
		return false;
	game->number = dispatch_number(dispatch);
	game->here = false;
	game->queued = true;
	game->which = *which;
	job_result_init(&game->result);
	job_result_release(&game->result);
	job_result_move(&game->result, result);
	game->result.number = game->number;
	LIST_PUT(dispatch->games, game);
	game->calls->over(game);
	return true;
}

static void
on_queue_parked(void *arg, uint64_t number, const char *why, unsigned blamed)
{
	struct dispatched *game = find(arg, number);

	game->blamed = blamed;
	park(arg, game, why);
}

static void
on_refused(void *arg, const char *worker, const char *game, const char *why)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->refused(dispatch->arg, worker, game, why);
}

static void
on_queue_up(void *arg)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->queue_up(dispatch->arg);
}

static void
on_queue_down(void *arg, const char *why)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->queue_down(dispatch->arg, why);
}

static void
on_queue_taken(void *arg, const char *why)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->queue_taken(dispatch->arg, why);
}

static const struct coordinator_calls coordinator_calls = {
	.over = on_queue_over,
	.adopted = on_adopted,
	.parked = on_queue_parked,
	.refused = on_refused,
	.up = on_queue_up,
	.down = on_queue_down,
	.taken = on_queue_taken,
};

int
dispatch_open_queue(struct dispatch *dispatch,
		    const struct coordinator_setup *setup, struct error *why)
{
	dispatch->coordinator =
		coordinator_new(setup, &coordinator_calls, dispatch, why);
	return dispatch->coordinator == NULL ? -1 : 0;
}

struct coordinator *
dispatch_coordinator(const struct dispatch *dispatch)
{
	return dispatch->coordinator;
}

/* ---- trouble ---------------------------------------------------------- */

static void
on_lost(void *arg, const char *sentence)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->lost(dispatch->arg, sentence);
}

static void
fail(struct dispatch *dispatch, const char *why)
{
	if (!dispatch->failed)
		dispatch->calls->failed(dispatch->arg, why);
	dispatch->failed = true;
}

/* Those that are over have their result; it is empty only until then. */
static void
on_workers_failed(void *arg, const char *why)
{
	struct dispatch *dispatch = arg;
	struct dispatched *game, *next;

	fail(dispatch, why);
	for (game = dispatch->games; game != NULL; game = next) {
		next = game->next;
		if (!game->here && !game->queued && game->result.number == 0)
			park(dispatch, game, why);
	}
}

static void
on_orphaned(void *arg)
{
	fail(arg, SPAWNER_DIED);
}

static void
on_quiet(void *arg UNUSED)
{
}

static void
on_workers_finished(void *arg)
{
	struct dispatch *dispatch = arg;

	dispatch->workers_finished = true;
}

static const struct runner_calls runner_calls = {
	.seat = on_seat,
	.over = on_over,
	.ended = on_ended,
	.orphaned = on_orphaned,
	.quiet = on_quiet,
};

/* The workers' results are the owner's at once, and moved, too. */
static const struct workers_calls workers_calls = {
	.over = on_over,
	.ended = on_ended,
	.looked = on_looked,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_workers_failed,
	.finished = on_workers_finished,
};

/* ---- playing ---------------------------------------------------------- */

uint64_t
dispatch_number(struct dispatch *dispatch)
{
	return ++dispatch->number;
}

static bool
has_own(const struct job *job)
{
	unsigned s;

	for (s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].own)
			return true;
	return false;
}

/* How many games there may be at a time changes with the configuration; so each
 * worker is made for the most. */
static void
open_workers(struct dispatch *dispatch)
{
	const struct workers_setup setup = { .count = workers_count(),
					     .jobs = SERVE_LOCAL_BOT_GAMES_MAX,
					     .pin = true };
	struct error why;

	if (dispatch->workers != NULL || dispatch->failed)
		return;
	dispatch->workers = workers_new(dispatch->loop, &setup, &workers_calls,
					dispatch, &why);
	if (dispatch->workers == NULL)
		fail(dispatch, why.text);
}

void
dispatch_play(struct dispatch *dispatch, const struct job *job,
	      struct dispatched *game)
{
	game->number = job->number;
	job_result_init(&game->result);
	game->here = has_own(job);
	game->queued = !game->here && dispatch->coordinator != NULL &&
		       coordinator_can_play(job);
	LIST_PUT(dispatch->games, game);
	if (game->here) {
		runner_play(dispatch->runner, job_copy(job));
		return;
	}
	if (game->queued) {
		coordinator_play(dispatch->coordinator, job, game->ladder);
		return;
	}
	open_workers(dispatch);
	if (dispatch->failed)
		park(dispatch, game, "no worker process can start");
	else
		workers_play(dispatch->workers, job);
}

void
dispatch_receipt(struct dispatch *dispatch, struct dispatched *game,
		 const unsigned char *hash)
{
	if (game->here)
		runner_receipt(dispatch->runner, game->number, hash);
	else if (game->queued)
		coordinator_receipt(dispatch->coordinator, game->which.job);
	else
		workers_receipt(dispatch->workers, game->number, hash);
	leave(game);
}

/* It is played all the same: no game of the queue is lost. */
static void
leave_to_queue(struct dispatch *dispatch, struct dispatched *game)
{
	if (game->result.number != 0)
		return; /* it is over */
	coordinator_leave(dispatch->coordinator, game->number);
	park(dispatch, game, NULL);
}

void
dispatch_abort(struct dispatch *dispatch, struct dispatched *game,
	       enum abort_word why)
{
	if (game->here)
		runner_abort_one(dispatch->runner, game->number, why);
	else if (game->queued)
		leave_to_queue(dispatch, game);
	else
		workers_abort_one(dispatch->workers, game->number, why);
}

/* ---- life ------------------------------------------------------------- */

void
dispatch_finish(struct dispatch *dispatch)
{
	if (dispatch->finishing)
		return;
	dispatch->finishing = true;
	runner_finish(dispatch->runner);
	if (dispatch->workers != NULL)
		workers_finish(dispatch->workers);
}

bool
dispatch_is_finished(const struct dispatch *dispatch)
{
	return dispatch->finishing && runner_is_quiet(dispatch->runner) &&
	       (dispatch->workers == NULL || dispatch->workers_finished);
}

struct dispatch *
dispatch_new(struct loop *loop, struct spawner *spawner,
	     const struct dispatch_calls *calls, void *arg)
{
	struct dispatch *dispatch = memory(NULL, sizeof(*dispatch));

	*dispatch =
		(struct dispatch){ .loop = loop, .calls = calls, .arg = arg };
	dispatch->runner = runner_new(loop, spawner, SERVE_LOCAL_BOT_GAMES_MAX,
				      -1, &runner_calls, dispatch);
	return dispatch;
}

void
dispatch_free(struct dispatch *dispatch)
{
	if (dispatch == NULL)
		return;
	if (dispatch->workers != NULL)
		workers_free(dispatch->workers);
	coordinator_free(dispatch->coordinator);
	runner_free(dispatch->runner);
	free(dispatch);
}
