/* referee/serve/standby.c - see standby.h. */
#include "referee/serve/standby.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/roster.h"
#include "referee/base/thread.h"
#include "referee/data/data-folder.h"
#include "referee/import/import.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/registry.h"
#include "referee/queue/pg.h"
#include "referee/queue/schema.h"
#include "referee/scheduler/scheduler-ladder.h"

struct standby {
	struct thread_task pass; /* first */
	struct loop *loop;
	struct logger *logger;
	const struct config *config;
	struct queue_term reads; /* with epoch 0, so it only reads */
	char name[REGISTRY_HOLDER_BYTES];
	struct thread *thread;
	struct pg *pg;
	struct timer wake;
	bool busy, soon, wanted;
	atomic_bool stop;
	/* The last sentence that was logged. */
	char told[ERROR_BYTES];
	bool told_level; /* it was logged that it has all */
	uint64_t told_us;
	/* Only the thread uses these while it is busy. */
	struct registry *registry;
	struct scheduler_ladder *ladder; /* owned; one for each ladder of
					  * `config` */
	bool all_bots;			 /* all bots that can be had are here */
	uint64_t bots_us;		 /* when to look for bots again */
	bool more;			 /* another pass follows at once */
	struct error why;		 /* "": all is well */
	bool knows;			 /* the next two are known */
	int64_t behind;
	double behind_s;
};

/* ---- by the thread: ladders --------------------------------------------- */

/* Notes a problem.  The first of a pass is kept. */
static void
complain(struct standby *standby, const char *what, const char *name,
	 const struct error *why)
{
	if (standby->why.text[0] == '\0' && !atomic_load(&standby->stop))
		error_set(&standby->why, why->kind, "%s%s: %s", what, name,
			  why->text);
}

static void
follow_ladder(struct standby *standby, unsigned i)
{
	const struct config_ladder *setup = &standby->config->ladder[i];
	struct scheduler_ladder *opened = &standby->ladder[i];
	const char *data = standby->config->data;
	char dir[SCHEDULER_DIR_BYTES];
	struct error why;
	int result;

	snprintf(dir, sizeof(dir), "%s/ladders/%s", data, setup->name);
	if (opened->ladder != NULL)
		result = ladder_follow(opened->ladder, opened->log, NULL,
				       &opened->settled, &why);
	else if ((result = data_folder_check(data, setup->name, &why)) == 0)
		result = scheduler_ladder_open(dir, setup, &standby->reads,
					       &standby->stop, opened, &why);
	if (result < 0)
		complain(standby, "ladder ", setup->name, &why);
	if (result < 0 || opened->ladder == NULL)
		scheduler_ladder_close(opened);
}

/* ---- bots --------------------------------------------------------------- */

static bool
is_here(const struct standby *standby, const char *hash)
{
	char path[IMPORT_PATH_BYTES];

	import_path(standby->config->data, hash, "", path);
	return access(path, F_OK) == 0;
}

/* Brings one bot that can be had.  The ladders need not wait for all bots. */
static void
follow_bots(struct standby *standby)
{
	struct import_hashes hashes = { NULL, 0 };
	struct roster *roster = NULL;
	struct error why;
	bool got = false;
	int result;

	if (registry_state(standby->registry) == 0 ||
	    (standby->all_bots && clock_us() < standby->bots_us))
		return;
	result = roster_open(standby->config->data, &roster, &why);
	if (result == 0)
		result = import_hashes(roster, &hashes, &why);
	roster_close(roster);
	if (result < 0)
		complain(standby, "roster", "", &why);
	for (size_t i = 0; i < hashes.count && result == 0 && !got; i++) {
		if (is_here(standby, hashes.hash[i]))
			continue;
		got = registry_bring_bot(standby->registry, hashes.hash[i],
					 &standby->stop, &why) == 0;
		if (!got)
			complain(standby, "bot ", hashes.hash[i], &why);
	}
	free(hashes.hash);
	standby->all_bots = !got;
	standby->more |= got;
	standby->bots_us = clock_us() + BOT_AGAIN_MS * UINT64_C(1000);
}

/* ---- all of it ----------------------------------------------------------- */

static void
tell(struct standby *standby)
{
	const struct config *config = standby->config;
	const size_t n = config->ladders;
	const char **name = memory(NULL, (n + 1) * sizeof(*name));
	int64_t *serial = memory(NULL, (n + 1) * sizeof(*serial));
	const char *cannot =
		standby->why.text[0] == '\0' ? NULL : standby->why.text;
	const struct ladder *ladder;
	struct error why;

	for (size_t i = 0; i < n; i++) {
		ladder = standby->ladder[i].ladder;
		name[i] = config->ladder[i].name;
		serial[i] = ladder == NULL ? 0 : ladder_last(ladder);
	}
	standby->knows = registry_tell(standby->registry, standby->name, name,
				       serial, n, cannot, &standby->behind,
				       &standby->behind_s, &why) == 0;
	if (!standby->knows)
		complain(standby, "queue", "", &why);
	free(name);
	free(serial);
}

static void
do_pass(struct thread_task *job)
{
	struct standby *standby = (struct standby *)job;
	struct error why;
	bool changed = false;

	standby->why.text[0] = '\0';
	standby->more = false;
	if (registry_bring(standby->registry, &changed, &why) < 0)
		complain(standby, "roster", "", &why);
	if (changed)
		standby->all_bots = false;
	for (unsigned i = 0;
	     i < standby->config->ladders && !atomic_load(&standby->stop); i++)
		follow_ladder(standby, i);
	if (atomic_load(&standby->stop))
		return;
	tell(standby);
	follow_bots(standby);
}

/* ---- by the loop --------------------------------------------------------- */

static void
log_pass(struct standby *standby)
{
	const bool caught_up = standby->knows && standby->behind == 0 &&
			       standby->all_bots &&
			       standby->why.text[0] == '\0';

	if (strcmp(standby->why.text, standby->told) != 0 &&
	    standby->why.text[0] != '\0')
		log_event(standby->logger, LOG_LEVEL_WARN, "standby-fails",
			  "why=%s", standby->why.text);
	memcpy(standby->told, standby->why.text, sizeof(standby->told));
	/* It falls behind for a moment with each game, which is not worth a
	 * line. */
	if (standby->knows &&
	    ((caught_up && !standby->told_level) ||
	     clock_us() >
		     standby->told_us + STANDBY_TELL_S * UINT64_C(1000000))) {
		log_event(standby->logger, LOG_LEVEL_INFO, "standby-follows",
			  "behind=%" PRId64 " seconds=%" PRId64
			  " roster=%" PRId64,
			  standby->behind, (int64_t)standby->behind_s,
			  registry_state(standby->registry));
		standby->told_us = clock_us();
		standby->told_level = caught_up;
	}
}

static void
look_soon(struct standby *standby)
{
	standby->wanted = true;
	if (standby->busy || standby->soon)
		return;
	standby->soon = true;
	timer_after(&standby->wake, STANDBY_PAUSE_MS * UINT64_C(1000));
}

static void
on_passed(struct thread_task *job, bool read)
{
	struct standby *standby = (struct standby *)job;

	standby->busy = false;
	if (!read || atomic_load(&standby->stop))
		return;
	log_pass(standby);
	if (standby->wanted || standby->more)
		look_soon(standby);
	else
		timer_after(&standby->wake, STANDBY_POLL_MS * UINT64_C(1000));
}

static void
on_wake(void *arg)
{
	struct standby *standby = arg;

	standby->soon = false;
	if (standby->busy)
		return;
	standby->busy = true;
	standby->wanted = false;
	thread_ask(standby->thread, &standby->pass);
}

static void
on_notice(void *arg, const char *channel UNUSED, const char *payload UNUSED)
{
	look_soon(arg);
}

static void
on_up(void *arg)
{
	look_soon(arg);
}

static const struct pg_calls pg_calls = { .up = on_up, .notice = on_notice };

/* ---- life ---------------------------------------------------------------- */

struct standby *
standby_new(struct loop *loop, struct logger *logger,
	    const struct config *config, struct error *why)
{
	static const char *const listen[] = { QUEUE_VERDICTS, QUEUE_REGISTRY,
					      NULL };
	struct standby *standby = zeroed(1, sizeof(*standby));

	registry_holder(standby->name);
	standby->loop = loop;
	standby->logger = logger;
	standby->config = config;
	standby->reads.conninfo = config->queue;
	standby->told_us = clock_us();
	standby->pass.read = do_pass;
	standby->pass.done = on_passed;
	standby->ladder = zeroed(config->ladders + 1, sizeof(*standby->ladder));
	standby->registry = registry_new(&standby->reads, config, why);
	if (standby->registry != NULL) {
		standby->thread = thread_new(loop);
		if (standby->thread == NULL)
			error_set(why, ERROR_MACHINE,
				  "cannot make a thread: %m");
	}
	if (standby->thread != NULL)
		standby->pg = pg_new(loop, config->queue, "referee standby",
				     listen, &pg_calls, standby, why);
	if (standby->pg == NULL) {
		standby_free(standby);
		return NULL;
	}
	timer_init(&standby->wake, &loop->timers, on_wake, standby);
	look_soon(standby);
	return standby;
}

void
standby_free(struct standby *standby)
{
	if (standby == NULL)
		return;
	atomic_store(&standby->stop, true);
	thread_free(standby->thread);
	pg_free(standby->pg);
	for (unsigned i = 0; i < standby->config->ladders; i++)
		scheduler_ladder_close(&standby->ladder[i]);
	registry_free(standby->registry);
	timer_stop(&standby->wake);
	free(standby->ladder);
	free(standby);
}
