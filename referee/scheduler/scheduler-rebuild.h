/* referee/scheduler/scheduler-rebuild.h - a ladder made again from its records,
 * without games that are voided, or further along its log, while it is played.
 *
 * It is a job among the writer's others: games go on, and those that end
 * meanwhile are written after it. */
#ifndef REFEREE_SCHEDULER_REBUILD_H
#define REFEREE_SCHEDULER_REBUILD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "ladder/store.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"
#include "referee/records/ladder-rebuild.h"
#include "referee/records/writer.h"
#include "referee/scheduler/scheduler-recall.h"

struct scheduler_rebuild;

/* Tells what came of it.  After this the rebuild is gone. */
typedef void scheduler_rebuild_done(void *arg,
				    const struct scheduler_rebuild *rebuild);

struct scheduler_rebuild {
	struct writer_job job; /* which has `failed`: why */
	struct rebuild what;   /* its paths are owned */
	struct text out;       /* as of rebuild_do() */
	bool more; /* of a ladder that follows its log: entries are left */
	/* The standings then, unless they could not be read. */
	bool known;
	struct scheduler_standings standings;
	/* When it is true the rebuild is to come back soon, and then has failed,
	 * unless it is done already. */
	atomic_bool stop;
	/* The rest is scheduler-rebuild.c's. */
	bool follows; /* in place of `what` */
	char file[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	scheduler_rebuild_done *done;
	void *arg;
};

/* Submits it to the writer, which is borrowed: done() follows.  `what` is
 * copied, with its folders, but for its file and stop: the ladder is in the
 * file `ladder`, and what counts in it is rated in the pool of this setup.  `what`
 * NULL: lets a ladder that is behind follow a part of its log. */
struct scheduler_rebuild *
scheduler_rebuild_begin(struct writer *writer, const struct rebuild *what,
			const char *ladder, const struct config_ladder *setup,
			scheduler_rebuild_done *done, void *arg) MUST_CHECK;

#endif
