/* referee/runner/dispatch.c - see dispatch.h: a runner, and workers. */
#include "referee/runner/dispatch.h"

#include <stdlib.h>

#include "referee/base/serve-limits.h"
#include "referee/runner/runner.h"
#include "referee/runner/workers.h"

struct dispatch {
	const struct dispatch_calls *calls;
	void *arg;
	struct loop *loop;
	struct dispatch_place here,
		in_workers; /* the first place, and the last */
	struct runner *runner;
	struct workers *workers; /* NULL: not started yet, or they cannot be
				  * started */
	bool workers_finished, failed, finishing;
	uint64_t number;	  /* the last number that was given out */
	struct dispatched *games; /* games until their receipts */
};

/* ---- games ------------------------------------------------------------ */

struct dispatched *
dispatch_find(const struct dispatch *dispatch, uint64_t number)
{
	struct dispatched *game = dispatch->games;

	while (game != NULL && game->number != number)
		game = game->next;
	if (game == NULL)
		bug("an unknown game");
	return game;
}

static void
enter(struct dispatch_place *place, struct dispatched *game, uint64_t number)
{
	game->number = number;
	game->life = 0;
	game->place = place;
	game->ops = place->ops;
	job_result_init(&game->result);
	LIST_PUT(place->dispatch->games, game);
}

static void
leave(struct dispatched *game)
{
	LIST_CUT(game);
	job_result_release(&game->result);
}

static void
take_result(struct dispatched *game, struct job_result *result)
{
	job_result_release(&game->result);
	job_result_move(&game->result, result);
}

void
dispatch_over(struct dispatch *dispatch, struct dispatched *game,
	      struct job_result *result)
{
	take_result(game, result);
	for (unsigned s = 0; s < SEATS_MAX; s++)
		if (!game->result.end[s].lives)
			dispatch->calls->ended(dispatch->arg, game->number, s,
					       &game->result.end[s]);
	game->calls->over(game);
}

void
dispatch_adopt(struct dispatch_place *place, struct dispatched *game,
	       struct job_result *result)
{
	enter(place, game, dispatch_number(place->dispatch));
	take_result(game, result);
	game->result.number = game->number;
	game->calls->over(game);
}

void
dispatch_park(struct dispatch *dispatch, struct dispatched *game,
	      const char *why)
{
	for (unsigned s = 0; s < SEATS_MAX; s++)
		dispatch->calls->ended(dispatch->arg, game->number, s, NULL);
	leave(game);
	game->calls->parked(game, why);
}

static void
fail(struct dispatch *dispatch, const char *why)
{
	if (!dispatch->failed)
		dispatch->calls->failed(dispatch->arg, why);
	dispatch->failed = true;
}

/* ---- what runner and workers tell ------------------------------------- */

static struct bot *
on_seat(void *arg, const struct job *job, unsigned seat)
{
	struct dispatched *game = dispatch_find(arg, job->number);

	return game->calls->seat(game, seat);
}

static void
on_over(void *arg, struct job_result *result)
{
	dispatch_over(arg, dispatch_find(arg, result->number), result);
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

/* ---- on this loop ----------------------------------------------------- */

static void
on_orphaned(void *arg)
{
	fail(arg, SPAWNER_DIED);
}

static const struct runner_calls runner_calls = {
	.seat = on_seat,
	.over = on_over,
	.ended = on_ended,
	.orphaned = on_orphaned,
};

static bool
has_own(const struct job *job)
{
	for (unsigned s = 0; s < job->setup.game.seats; s++)
		if (job->seat[s].own)
			return true;
	return false;
}

static void
play_here(struct dispatch_place *place, const struct job *job,
	  struct dispatched *game UNUSED)
{
	runner_play(place->dispatch->runner, job_copy(job));
}

static void
receipt_here(struct dispatch_place *place, const struct dispatched *game,
	     const unsigned char *hash)
{
	runner_receipt(place->dispatch->runner, game->number, hash);
}

static void
look_here(struct dispatch_place *place, const struct dispatched *game,
	  size_t from, uint64_t delay_us)
{
	const struct table *table =
		runner_table(place->dispatch->runner, game->number);
	struct text lines = { .max = 2 * (size_t)PUBLIC_BYTES };
	size_t until;

	if (table == NULL)
		return;
	until = table_public(table, from, delay_us, &lines);
	on_looked(place->dispatch, game->number, until, lines.bytes,
		  lines.used);
	text_release(&lines);
}

static void
abort_here(struct dispatch_place *place, struct dispatched *game,
	   enum abort_word why)
{
	runner_abort_one(place->dispatch->runner, game->number, why);
}

static const struct dispatch_ops here_ops = {
	.here = true,
	.takes = has_own,
	.play = play_here,
	.receipt = receipt_here,
	.look = look_here,
	.abort = abort_here,
};

/* ---- in worker processes ---------------------------------------------- */

static void
on_parked(void *arg, uint64_t number)
{
	dispatch_park(arg, dispatch_find(arg, number),
		      "worker processes were lost with it");
}

static void
on_again(void *arg, uint64_t number)
{
	const struct dispatch *dispatch = arg;

	dispatch_find(dispatch, number)->life++;
	dispatch->calls->again(dispatch->arg, number);
}

static void
on_lost(void *arg, const char *sentence)
{
	const struct dispatch *dispatch = arg;

	dispatch->calls->lost(dispatch->arg, sentence);
}

/* Parks the games that are not over: only those have an empty result. */
static void
on_workers_failed(void *arg, const char *why)
{
	struct dispatch *dispatch = arg;
	struct dispatched *game, *next;

	fail(dispatch, why);
	for (game = dispatch->games; game != NULL; game = next) {
		next = game->next;
		if (game->place == &dispatch->in_workers &&
		    game->result.number == 0)
			dispatch_park(dispatch, game, why);
	}
}

static void
on_workers_finished(void *arg)
{
	struct dispatch *dispatch = arg;

	dispatch->workers_finished = true;
}

/* A result of a worker belongs to its owner at once, and is moved on. */
static const struct workers_calls workers_calls = {
	.over = on_over,
	.ended = on_ended,
	.looked = on_looked,
	.again = on_again,
	.parked = on_parked,
	.lost = on_lost,
	.failed = on_workers_failed,
	.finished = on_workers_finished,
};

/* Starts workers for the most games: the number at a time changes with the
 * configuration. */
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

static void
play_in_worker(struct dispatch_place *place, const struct job *job,
	       struct dispatched *game)
{
	struct dispatch *dispatch = place->dispatch;

	open_workers(dispatch);
	if (dispatch->failed)
		dispatch_park(dispatch, game, "no worker process can start");
	else
		workers_play(dispatch->workers, job);
}

static void
receipt_to_worker(struct dispatch_place *place, const struct dispatched *game,
		  const unsigned char *hash)
{
	workers_receipt(place->dispatch->workers, game->number, hash);
}

static void
look_in_worker(struct dispatch_place *place, const struct dispatched *game,
	       size_t from, uint64_t delay_us)
{
	workers_look(place->dispatch->workers, game->number, from, delay_us);
}

static void
abort_in_worker(struct dispatch_place *place, struct dispatched *game,
		enum abort_word why)
{
	workers_abort_one(place->dispatch->workers, game->number, why);
}

static const struct dispatch_ops workers_ops = {
	.play = play_in_worker,
	.receipt = receipt_to_worker,
	.look = look_in_worker,
	.abort = abort_in_worker,
};

/* ---- wherever it is --------------------------------------------------- */

uint64_t
dispatch_number(struct dispatch *dispatch)
{
	return ++dispatch->number;
}

void
dispatch_play(struct dispatch *dispatch, const struct job *job,
	      struct dispatched *game)
{
	struct dispatch_place *place = &dispatch->here;

	while (place->ops->takes != NULL && !place->ops->takes(job))
		place = place->next;
	enter(place, game, job->number);
	place->ops->play(place, job, game);
}

void
dispatch_receipt(struct dispatched *game, const unsigned char *hash)
{
	game->ops->receipt(game->place, game, hash);
	leave(game);
}

void
dispatch_look(const struct dispatched *game, size_t from, uint64_t delay_us)
{
	if (game->ops->look != NULL)
		game->ops->look(game->place, game, from, delay_us);
}

void
dispatch_abort(struct dispatched *game, enum abort_word why)
{
	game->ops->abort(game->place, game, why);
}

uint64_t
dispatch_left(const struct dispatch *dispatch, const char *ladder)
{
	const struct dispatch_place *place;
	uint64_t left = 0;

	for (place = &dispatch->here; place != NULL; place = place->next)
		if (place->ops->left != NULL)
			left += place->ops->left(place, ladder);
	return left;
}

/* ---- life ------------------------------------------------------------- */

void
dispatch_finish(struct dispatch *dispatch)
{
	if (dispatch->finishing)
		return;
	dispatch->finishing = true;
	runner_finish(dispatch->runner);
	dispatch->workers_finished = dispatch->workers == NULL;
	if (dispatch->workers != NULL)
		workers_finish(dispatch->workers);
}

bool
dispatch_is_finished(const struct dispatch *dispatch)
{
	return dispatch->finishing && dispatch->workers_finished &&
	       runner_is_quiet(dispatch->runner);
}

void
dispatch_add(struct dispatch *dispatch, struct dispatch_place *place)
{
	place->dispatch = dispatch;
	place->next = dispatch->here.next;
	dispatch->here.next = place;
}

struct dispatch *
dispatch_new(struct loop *loop, struct spawner *spawner,
	     const struct dispatch_calls *calls, void *arg)
{
	struct dispatch *dispatch = zeroed(1, sizeof(*dispatch));

	dispatch->calls = calls;
	dispatch->arg = arg;
	dispatch->here.ops = &here_ops;
	dispatch->here.dispatch = dispatch;
	dispatch->loop = loop;
	dispatch->runner = runner_new(loop, spawner, SERVE_LOCAL_BOT_GAMES_MAX,
				      -1, &runner_calls, dispatch);
	dispatch->in_workers.ops = &workers_ops;
	dispatch_add(dispatch, &dispatch->in_workers);
	return dispatch;
}

void
dispatch_free(struct dispatch *dispatch)
{
	struct dispatch_place *place, *next;

	if (dispatch == NULL)
		return;
	for (place = dispatch->here.next; place != NULL; place = next) {
		next = place->next; /* the place may be freed */
		if (place->ops->free != NULL)
			place->ops->free(place);
	}
	if (dispatch->workers != NULL)
		workers_free(dispatch->workers);
	runner_free(dispatch->runner);
	free(dispatch);
}
