/* referee/scheduler/scheduler-rebuild.c - see scheduler-rebuild.h. */
#include "referee/scheduler/scheduler-rebuild.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scheduler_rebuild {
	struct writer_job job;
	struct rebuild what; /* its paths are owned */
	bool follows;	     /* in place of that */
	char file[LADDER_PATH_BYTES];
	atomic_bool stop;
	struct ladder_pool pool;
	scheduler_rebuild_done *done;
	void *arg;
	/* What came of it. */
	bool is_done, more;
	struct text out;
	struct error why;		  /* else */
	bool known;			  /* the standings */
	struct ladder_standing *standing; /* owned */
	size_t standings;
};

static void
on_standing(void *arg, const struct ladder_standing *standing)
{
	struct scheduler_rebuild *rebuild = arg;

	rebuild->standing = grown(rebuild->standing, rebuild->standings,
				  sizeof(*rebuild->standing));
	rebuild->standing[rebuild->standings++] = *standing;
}

/* Runs in the writer's thread. */
static void
run(struct writer_job *job, struct ladder *ladder, struct ladder_log *log)
{
	struct scheduler_rebuild *rebuild =
		ENCLOSING(job, struct scheduler_rebuild, job);
	struct error why;

	unsigned count = 0;
	int result;

	if (rebuild->follows) {
		ladder_heed(ladder, &rebuild->stop);
		result = ladder_follow_some(ladder, log, NULL, &count,
					    &rebuild->why);
		ladder_heed(ladder, NULL);
	} else {
		result = rebuild_do(&rebuild->what, ladder, log, &rebuild->out,
				    &rebuild->why);
	}
	rebuild->is_done = result >= 0;
	rebuild->more = result == LADDER_MORE;
	if (result != 0)
		return;
	/* Without them the next games tell. */
	rebuild->known = ladder_pool_find(ladder, &rebuild->pool, &why) == 0 &&
			 (rebuild->pool.number == 0 ||
			  ladder_standings(ladder, rebuild->pool.number,
					   on_standing, rebuild, &why) == 0);
}

static void
rebuild_free(struct scheduler_rebuild *rebuild)
{
	unsigned i;

	for (i = 0; i < rebuild->what.count; i++)
		free((char *)(uintptr_t)rebuild->what.folders[i]);
	text_release(&rebuild->out);
	free(rebuild->standing);
	free(rebuild);
}

static void
on_done(struct writer_job *job)
{
	struct scheduler_rebuild *rebuild =
		ENCLOSING(job, struct scheduler_rebuild, job);
	const struct scheduler_rebuild_result result = {
		.what = &rebuild->what,
		.out = &rebuild->out,
		.why = rebuild->is_done ? NULL : &rebuild->why,
		.known = rebuild->known,
		.more = rebuild->more,
		.standing = rebuild->standing,
		.standings = rebuild->standings,
	};

	rebuild->done(rebuild->arg, &result);
	rebuild_free(rebuild);
}

struct scheduler_rebuild *
scheduler_rebuild_begin(struct writer *writer, const struct rebuild *what,
			const char *ladder, const struct ladder_pool *pool,
			scheduler_rebuild_done *done, void *arg)
{
	struct scheduler_rebuild *rebuild = zeroed(1, sizeof(*rebuild));
	unsigned i;

	rebuild->job.run = run;
	rebuild->job.done = on_done;
	rebuild->what = *what;
	rebuild->what.file = rebuild->file;
	rebuild->what.stop = &rebuild->stop;
	snprintf(rebuild->file, sizeof(rebuild->file), "%s", ladder);
	for (i = 0; i < what->count; i++)
		rebuild->what.folders[i] = copied(what->folders[i]);
	rebuild->pool = *pool;
	text_init(&rebuild->out, REBUILD_ANSWER_BYTES);
	rebuild->done = done;
	rebuild->arg = arg;
	writer_submit(writer, &rebuild->job);
	return rebuild;
}

struct scheduler_rebuild *
scheduler_rebuild_follow(struct writer *writer, const struct ladder_pool *pool,
			 scheduler_rebuild_done *done, void *arg)
{
	struct scheduler_rebuild *rebuild = zeroed(1, sizeof(*rebuild));

	rebuild->job.run = run;
	rebuild->job.done = on_done;
	rebuild->follows = true;
	rebuild->pool = *pool;
	rebuild->done = done;
	rebuild->arg = arg;
	writer_submit(writer, &rebuild->job);
	return rebuild;
}

void
scheduler_rebuild_stop(struct scheduler_rebuild *rebuild)
{
	atomic_store(&rebuild->stop, true);
}

static void
rate(const struct ladder_standing *standing, struct pairing *pairing,
     struct fault_counts *faults)
{
	const struct pairing_known known = {
		.rating_milli = standing->rating_milli,
		.games = (uint64_t)standing->games,
		.entered = (uint64_t)standing->entered,
	};
	int bot = pairing_find(pairing, standing->bot);

	if (bot < 0) {
		bot = pairing_enter(pairing, standing->bot, &known);
	} else {
		pairing_rate(pairing, bot, known.rating_milli);
		pairing_recount(pairing, bot, known.games);
	}
	if (bot >= 0)
		fault_counts_set(faults, (unsigned)bot, standing->faults);
}

uint64_t
scheduler_rebuild_tell(const struct scheduler_rebuild_result *result,
		       int64_t start_milli, struct pairing *pairing,
		       struct fault_counts *faults)
{
	uint64_t seats = 0;
	size_t i;

	pairing_forget_games(pairing, start_milli);
	fault_counts_forget(faults);
	for (i = 0; i < result->standings; i++) {
		rate(&result->standing[i], pairing, faults);
		seats += (uint64_t)result->standing[i].games;
	}
	return seats;
}
