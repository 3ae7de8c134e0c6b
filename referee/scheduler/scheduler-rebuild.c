/* referee/scheduler/scheduler-rebuild.c - see scheduler-rebuild.h. */
#include "referee/scheduler/scheduler-rebuild.h"

#include <stdio.h>
#include <stdlib.h>

static int
follow(struct scheduler_rebuild *rebuild, struct ladder *ladder,
       struct ladder_log *log)
{
	unsigned count = 0;
	int result;

	ladder_heed(ladder, &rebuild->stop);
	result = ladder_follow_some(ladder, log, NULL, &count,
				    &rebuild->task.why);
	ladder_heed(ladder, NULL);
	return result;
}

/* Runs in the writer's thread. */
static void
run(struct writer_task *task, struct ladder *ladder, struct ladder_log *log)
{
	struct scheduler_rebuild *rebuild =
		ENCLOSING(task, struct scheduler_rebuild, task);
	struct error why;
	int result = rebuild->follows ? follow(rebuild, ladder, log)
				      : rebuild_do(&rebuild->what, ladder, log,
						   &rebuild->out, &task->why);

	task->failed = result < 0;
	rebuild->more = result == LADDER_MORE;
	/* Without the standings the ratings stay until the next games. */
	rebuild->known = result == 0 && scheduler_standings_read(
						ladder, &rebuild->pool,
						&rebuild->standings, &why) == 0;
}

static void
on_done(struct writer_task *task)
{
	struct scheduler_rebuild *rebuild =
		ENCLOSING(task, struct scheduler_rebuild, task);

	rebuild->done(rebuild->arg, rebuild);
	for (unsigned i = 0; i < rebuild->what.count; i++)
		free((char *)(uintptr_t)rebuild->what.folders[i]);
	text_release(&rebuild->out);
	free(rebuild->standings.of);
	free(rebuild);
}

struct scheduler_rebuild *
scheduler_rebuild_begin(struct writer *writer, const struct rebuild *what,
			const char *ladder, const struct config_ladder *setup,
			scheduler_rebuild_done *done, void *arg)
{
	struct scheduler_rebuild *rebuild = zeroed(1, sizeof(*rebuild));

	rebuild->task.run = run;
	rebuild->task.done = on_done;
	rebuild->follows = what == NULL;
	if (what != NULL)
		rebuild->what = *what;
	rebuild->what.file = rebuild->file;
	rebuild->what.stop = &rebuild->stop;
	snprintf(rebuild->file, sizeof(rebuild->file), "%s", ladder);
	for (unsigned i = 0; i < rebuild->what.count; i++)
		rebuild->what.folders[i] = copied(rebuild->what.folders[i]);
	text_init(&rebuild->out, REBUILD_ANSWER_BYTES);
	scheduler_pool(setup, &rebuild->pool);
	rebuild->done = done;
	rebuild->arg = arg;
	writer_submit(writer, &rebuild->task);
	return rebuild;
}
