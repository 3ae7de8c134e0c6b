/* referee/serve/hall-rebuild.c - a hall's ladder anew from its records, while
 * it is played.
 *
 * It is a job among the writer's others.  When it comes back the pairing is
 * told what ratings it has made. */
#include "referee/serve/hall-inside.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/serve/hall-recall.h"

struct hall_rebuild {
	struct writer_job job;
	struct rebuild what; /* its paths are owned */
	char file[LADDER_PATH_BYTES];
	atomic_bool stop;
	struct ladder_pool pool;
	hall_rebuilt *rebuilt;
	void *arg;
	uint64_t number;
	/* What came of it. */
	int code;
	struct text out;
	char why[LADDER_WHY_BYTES];
	bool known; /* the standings; else they are as before */
	struct ladder_standing *standing; /* owned */
	size_t standings, room;
};

static void
on_standing(void *arg, const struct ladder_standing *standing)
{
	struct hall_rebuild *rebuild = arg;

	if (rebuild->standings == rebuild->room) {
		rebuild->room = 2 * rebuild->room + 64;
		rebuild->standing =
			memory(rebuild->standing,
			       rebuild->room * sizeof(*rebuild->standing));
	}
	rebuild->standing[rebuild->standings++] = *standing;
}

/* In the writer's thread. */
static void
run(struct writer_job *job, struct ladder *ladder)
{
	struct hall_rebuild *rebuild =
		(struct hall_rebuild *)((char *)job -
					offsetof(struct hall_rebuild, job));
	char why[LADDER_WHY_BYTES];

	rebuild->code =
		rebuild_do(&rebuild->what, ladder, &rebuild->out, rebuild->why);
	if (rebuild->code != 0)
		return;
	/* Without them the next games tell. */
	rebuild->known =
		ladder_pool_find(ladder, &rebuild->pool, why) == LADDER_OK &&
		(rebuild->pool.number == 0 ||
		 ladder_standings(ladder, rebuild->pool.number, on_standing,
				  rebuild, why) == LADDER_OK);
}

static void
rate(struct hall *hall, const struct ladder_standing *standing)
{
	const struct pairing_known known = {
		.rating_milli = standing->rating_milli,
		.games = (uint64_t)standing->games,
		.entered = (uint64_t)standing->entered,
	};
	int bot = pairing_find(hall->pairing, standing->bot);

	if (bot < 0) {
		(void)!pairing_enter(hall->pairing, standing->bot, &known);
		return;
	}
	pairing_rate(hall->pairing, bot, known.rating_milli);
	pairing_recount(hall->pairing, bot, known.games);
}

/* Of bots whose games are all voided no standing tells. */
static void
rate_all(struct hall *hall, const struct hall_rebuild *rebuild)
{
	size_t i;

	if (!rebuild->known)
		return;
	pairing_forget_games(hall->pairing, hall->setup.start_milli);
	for (i = 0; i < rebuild->standings; i++)
		rate(hall, &rebuild->standing[i]);
	hall_rate_newcomers(hall);
}

static void
log_rebuilt(struct hall *hall, const struct hall_rebuild *rebuild)
{
	struct log_line line;

	log_begin(&line, hall->logger,
		  rebuild->code == 0 ? LOG_LEVEL_INFO : LOG_LEVEL_WARN,
		  *rebuild->what.void_why ? "games-voided" : "ladder-rebuilt");
	log_str(&line, "ladder", hall->setup.name);
	if (*rebuild->what.void_why)
		log_str(&line, "void", rebuild->what.void_why);
	log_num(&line, "code", rebuild->code);
	if (rebuild->code != 0)
		log_str(&line, "why", rebuild->why);
	log_end(&line);
}

static void
rebuild_free(struct hall_rebuild *rebuild)
{
	unsigned i;

	for (i = 0; i < rebuild->what.count; i++)
		free((char *)(uintptr_t)rebuild->what.folders[i]);
	text_release(&rebuild->out);
	free(rebuild->standing);
	free(rebuild);
}

void
hall_rebuild_done(struct hall *hall)
{
	struct hall_rebuild *rebuild = hall->rebuild;

	hall->rebuild = NULL;
	if (rebuild->code == 0)
		hall_count_rated(hall, 0);
	rate_all(hall, rebuild);
	log_rebuilt(hall, rebuild);
	rebuild->rebuilt(rebuild->arg, rebuild->number, rebuild->code,
			 &rebuild->out, rebuild->why);
	rebuild_free(rebuild);
	hall_look_if_empty(hall);
}

void
hall_rebuild_stop(struct hall *hall)
{
	if (hall->rebuild != NULL)
		atomic_store(&hall->rebuild->stop, true);
}

bool
hall_rebuild(struct hall *hall, const struct rebuild *what,
	     hall_rebuilt *rebuilt, void *arg, uint64_t number)
{
	struct hall_rebuild *rebuild;
	unsigned i;

	if (hall->rebuild != NULL)
		return false;
	rebuild = memory(NULL, sizeof(*rebuild));
	memset(rebuild, 0, sizeof(*rebuild));
	rebuild->job.run = run;
	rebuild->what = *what;
	rebuild->what.file = rebuild->file;
	rebuild->what.stop = &rebuild->stop;
	hall_path(hall, rebuild->file);
	for (i = 0; i < what->count; i++) {
		rebuild->what.folders[i] = strdup(what->folders[i]);
		if (rebuild->what.folders[i] == NULL)
			bug("out of memory");
	}
	hall_pool(&hall->setup, &rebuild->pool);
	text_init(&rebuild->out, REBUILD_ANSWER_BYTES);
	rebuild->rebuilt = rebuilt;
	rebuild->arg = arg;
	rebuild->number = number;
	hall->rebuild = rebuild;
	writer_submit(hall->writer, &rebuild->job);
	return true;
}
