/* referee/serve/scheduler-rebuild.c - a scheduler's ladder made again from its
 * records, while it is played.
 *
 * It is a job among the writer's others.  When it comes back the pairing is
 * told what ratings it has made. */
#include "referee/serve/scheduler-inside.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/serve/scheduler-recall.h"

struct scheduler_rebuild {
	struct writer_job job;
	struct rebuild what; /* its paths are owned */
	char file[LADDER_PATH_BYTES];
	atomic_bool stop;
	struct ladder_pool pool;
	scheduler_rebuilt *rebuilt;
	void *arg;
	uint64_t number;
	/* What came of it. */
	bool done;
	struct text out;
	struct error why; /* else */
	bool known;	  /* the standings; else they are as before */
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

/* In the writer's thread. */
static void
run(struct writer_job *job, struct ladder *ladder)
{
	struct scheduler_rebuild *rebuild =
		ENCLOSING(job, struct scheduler_rebuild, job);
	struct error why;

	rebuild->done = rebuild_do(&rebuild->what, ladder, &rebuild->out,
				   &rebuild->why) == 0;
	if (!rebuild->done)
		return;
	/* Without them the next games tell. */
	rebuild->known = ladder_pool_find(ladder, &rebuild->pool, &why) == 0 &&
			 (rebuild->pool.number == 0 ||
			  ladder_standings(ladder, rebuild->pool.number,
					   on_standing, rebuild, &why) == 0);
}

static void
rate(struct scheduler *scheduler, const struct ladder_standing *standing)
{
	const struct pairing_known known = {
		.rating_milli = standing->rating_milli,
		.games = (uint64_t)standing->games,
		.entered = (uint64_t)standing->entered,
	};
	int bot = pairing_find(scheduler->pairing, standing->bot);

	if (bot < 0) {
		bot = pairing_enter(scheduler->pairing, standing->bot, &known);
	} else {
		pairing_rate(scheduler->pairing, bot, known.rating_milli);
		pairing_recount(scheduler->pairing, bot, known.games);
	}
	if (bot >= 0)
		fault_counts_set(&scheduler->faults, (unsigned)bot,
				 standing->faults);
}

/* Of bots whose games are all voided no standing tells. */
static void
rate_all(struct scheduler *scheduler, const struct scheduler_rebuild *rebuild)
{
	uint64_t seats = 0;
	size_t i;

	if (!rebuild->known)
		return;
	pairing_forget_games(scheduler->pairing, scheduler->setup.start_milli);
	fault_counts_forget(&scheduler->faults);
	for (i = 0; i < rebuild->standings; i++) {
		rate(scheduler, &rebuild->standing[i]);
		seats += (uint64_t)rebuild->standing[i].games;
	}
	scheduler->counts.games = seats / scheduler->setup.setup.seats;
	scheduler_rate_newcomers(scheduler);
}

static void
log_rebuilt(struct scheduler *scheduler,
	    const struct scheduler_rebuild *rebuild)
{
	struct log_line line;

	log_begin(&line, scheduler->logger,
		  rebuild->done ? LOG_LEVEL_INFO : LOG_LEVEL_WARN,
		  *rebuild->what.void_why ? "games-voided" : "ladder-rebuilt");
	log_str(&line, "ladder", scheduler->setup.name);
	if (*rebuild->what.void_why)
		log_str(&line, "void", rebuild->what.void_why);
	log_num(&line, "code", rebuild->done ? 0 : (int)rebuild->why.kind);
	if (!rebuild->done)
		log_str(&line, "why", rebuild->why.text);
	log_end(&line);
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

void
scheduler_rebuild_done(struct scheduler *scheduler)
{
	struct scheduler_rebuild *rebuild = scheduler->rebuild;

	scheduler->rebuild = NULL;
	if (rebuild->done)
		scheduler_count_rated(scheduler, 0);
	rate_all(scheduler, rebuild);
	log_rebuilt(scheduler, rebuild);
	rebuild->rebuilt(rebuild->arg, rebuild->number, &rebuild->out,
			 rebuild->done ? NULL : &rebuild->why);
	rebuild_free(rebuild);
	scheduler_look_if_empty(scheduler);
}

void
scheduler_rebuild_stop(struct scheduler *scheduler)
{
	if (scheduler->rebuild != NULL)
		atomic_store(&scheduler->rebuild->stop, true);
}

bool
scheduler_rebuild(struct scheduler *scheduler, const struct rebuild *what,
		  scheduler_rebuilt *rebuilt, void *arg, uint64_t number)
{
	struct scheduler_rebuild *rebuild;
	unsigned i;

	if (scheduler->rebuild != NULL)
		return false;
	rebuild = zeroed(1, sizeof(*rebuild));
	rebuild->job.run = run;
	rebuild->what = *what;
	rebuild->what.file = rebuild->file;
	rebuild->what.stop = &rebuild->stop;
	scheduler_path(scheduler, rebuild->file);
	for (i = 0; i < what->count; i++) {
		rebuild->what.folders[i] = copied(what->folders[i]);
	}
	scheduler_pool(&scheduler->setup, &rebuild->pool);
	text_init(&rebuild->out, REBUILD_ANSWER_BYTES);
	rebuild->rebuilt = rebuilt;
	rebuild->arg = arg;
	rebuild->number = number;
	scheduler->rebuild = rebuild;
	writer_submit(scheduler->writer, &rebuild->job);
	return true;
}
