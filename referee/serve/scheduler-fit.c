/* referee/serve/scheduler-fit.c - a new fit of the ladder, on its way to the
 * pairing. */
#include "referee/serve/scheduler-inside.h"
#include "referee/serve/scheduler-recall.h"

/* In the writer's thread. */
static void
read_fit(struct writer_job *job, struct ladder *ladder)
{
	struct scheduler_fit *fit = ENCLOSING(job, struct scheduler_fit, job);

	fit->kept = scheduler_fit_read(ladder, &fit->pool);
}

void
scheduler_refitted(struct scheduler *scheduler)
{
	struct scheduler_fit *fit = &scheduler->fit;

	if (fit->is_read || scheduler->stopping)
		return;
	fit->is_read = true;
	fit->job.run = read_fit;
	scheduler_pool(&scheduler->setup, &fit->pool);
	writer_submit(scheduler->writer, &fit->job);
}

void
scheduler_fit_done(struct scheduler *scheduler)
{
	struct scheduler_fit *fit = &scheduler->fit;
	struct log_line line;
	unsigned bots, i;

	fit->is_read = false;
	bots = scheduler_fit_tell(scheduler->pairing, &scheduler->setup,
				  fit->kept);
	fit_kept_free(fit->kept);
	fit->kept = NULL;
	for (i = 0; i < scheduler->participants; i++)
		if (scheduler->participant[i] != NULL)
			scheduler_fit_heir(scheduler, i);
	log_begin(&line, scheduler->logger, LOG_LEVEL_DEBUG, "pairing-fitted");
	log_str(&line, "ladder", scheduler->setup.name);
	log_num(&line, "bots", bots);
	log_end(&line);
	scheduler_look_if_empty(scheduler);
}

void
scheduler_fit_heir(struct scheduler *scheduler, unsigned bot)
{
	struct pairing_bot_view view;
	const char *heir_of;
	int heir;

	pairing_view(scheduler->pairing, (int)bot, &view);
	if (view.fitted)
		return;
	heir_of = scheduler_heir_of(scheduler, scheduler->participant[bot]);
	heir = heir_of == NULL ? -1 : pairing_find(scheduler->pairing, heir_of);
	if (heir < 0)
		return;
	pairing_view(scheduler->pairing, heir, &view);
	if (view.fitted)
		pairing_fit(scheduler->pairing, (int)bot, view.fit_milli);
}
