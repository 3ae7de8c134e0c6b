/* referee/queue/dispatch-queue.c - see dispatch-queue.h. */
#include "referee/queue/dispatch-queue.h"

#include <stdlib.h>

struct queue_place {
	struct dispatch_place place;
	struct coordinator *coordinator;
	dispatch_adopted *adopted;
	void *arg;
};

/* ---- what the coordinator tells ---------------------------------------- */

/* Its programs have ended elsewhere, or will: what they write then is not told. */
static void
on_over(void *arg, uint64_t number, struct job_result *result,
	const struct coordinator_result *which)
{
	const struct queue_place *queue = arg;
	struct dispatched *game = dispatch_find(queue->place.dispatch, number);
	unsigned s;

	for (s = 0; s < SEATS_MAX; s++)
		result->end[s].lives = false;
	game->queue_job = which->job;
	game->queue_attempt = which->attempt;
	dispatch_over(queue->place.dispatch, game, result);
}

static bool
on_adopted(void *arg, const char *ladder, const struct job *job,
	   struct job_result *result, const struct coordinator_result *which)
{
	struct queue_place *queue = arg;
	struct dispatched *game = queue->adopted(queue->arg, ladder, job);

	if (game == NULL)
		return false;
	game->queue_job = which->job;
	game->queue_attempt = which->attempt;
	dispatch_adopt(&queue->place, game, result);
	return true;
}

static void
on_parked(void *arg, uint64_t number, const char *why, unsigned blamed)
{
	const struct queue_place *queue = arg;
	struct dispatched *game = dispatch_find(queue->place.dispatch, number);

	game->blamed = blamed;
	dispatch_park(queue->place.dispatch, game, why);
}

static const struct coordinator_calls coordinator_calls = {
	.over = on_over,
	.adopted = on_adopted,
	.parked = on_parked,
};

/* ---- what it is told ---------------------------------------------------- */

static struct coordinator *
coordinator_of(const struct dispatch_place *place)
{
	return ((const struct queue_place *)place)->coordinator;
}

static bool
takes(const struct dispatch_place *place UNUSED, const struct job *job)
{
	return coordinator_can_play(job);
}

static void
play(struct dispatch_place *place, const struct job *job,
     struct dispatched *game)
{
	coordinator_play(coordinator_of(place), job, game->ladder);
}

static void
receipt(struct dispatch_place *place, const struct dispatched *game,
	const unsigned char *hash UNUSED)
{
	coordinator_receipt(coordinator_of(place), game->queue_job);
}

/* It is played all the same: no game of the queue is lost. */
static void
leave_to_queue(struct dispatch_place *place, struct dispatched *game,
	       enum abort_word why UNUSED)
{
	if (game->result.number != 0)
		return; /* it is over */
	coordinator_leave(coordinator_of(place), game->number);
	dispatch_park(place->dispatch, game, NULL);
}

static uint64_t
left(const struct dispatch_place *place, const char *ladder)
{
	return coordinator_left(coordinator_of(place), ladder);
}

static void
queue_free(struct dispatch_place *place)
{
	struct queue_place *queue = ENCLOSING(place, struct queue_place, place);

	coordinator_free(queue->coordinator);
	free(queue);
}

static const struct dispatch_ops queue_ops = {
	.elsewhere = true,
	.takes = takes,
	.play = play,
	.receipt = receipt,
	.abort = leave_to_queue,
	.left = left,
	.free = queue_free,
};

struct coordinator *
dispatch_open_queue(struct dispatch *dispatch,
		    const struct coordinator_setup *setup,
		    dispatch_adopted *adopted, void *arg, struct error *why)
{
	struct queue_place *queue = zeroed(1, sizeof(*queue));

	queue->place.ops = &queue_ops;
	queue->adopted = adopted;
	queue->arg = arg;
	queue->coordinator =
		coordinator_new(setup, &coordinator_calls, queue, why);
	if (queue->coordinator == NULL) {
		free(queue);
		return NULL;
	}
	dispatch_add(dispatch, &queue->place);
	return queue->coordinator;
}
