/* referee/scheduler/scheduler-rebuild.h - while a ladder is played, makes it
 * again from its records without voided games, or lets it follow its log.
 *
 * It is one of the writer's jobs: games go on, and those that end meanwhile are
 * written after it. */
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

/* Called with the outcome.  The rebuild is freed afterwards. */
typedef void scheduler_rebuild_done(void *arg,
				    const struct scheduler_rebuild *rebuild);

struct scheduler_rebuild {
	struct writer_task task; /* `failed` and `why` are the outcome */
	struct rebuild what;	 /* its paths are owned */
	struct text out;	 /* the answer of rebuild_do() */
	bool more;		 /* if it follows its log: entries are left */
	/* The standings afterwards; `known` is false if they could not be read. */
	bool known;
	struct scheduler_standings standings;
	/* Set it to true to make the rebuild return soon.  It has failed then,
	 * unless it was already done. */
	atomic_bool stop;
	/* Only scheduler-rebuild.c uses the rest. */
	bool follows; /* it follows its log instead of doing `what` */
	char file[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	scheduler_rebuild_done *done;
	void *arg;
};

/* Submits a rebuild to the writer, which is borrowed; done() follows.  `what`
 * is copied with its folders, but without its file and stop: the ladder is in
 * the file `ladder`, and its games are rated in the pool of this setup.  If
 * `what` is NULL, a ladder that is behind follows a part of its log. */
struct scheduler_rebuild *
scheduler_rebuild_begin(struct writer *writer, const struct rebuild *what,
			const char *ladder, const struct config_ladder *setup,
			scheduler_rebuild_done *done, void *arg) MUST_CHECK;

#endif
