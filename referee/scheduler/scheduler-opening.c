/* referee/scheduler/scheduler-opening.c - see scheduler-opening.h. */
#include "referee/scheduler/scheduler-opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "protocol/error.h"
#include "referee/data/data-folder.h"
#include "referee/scheduler/scheduler-recall.h"

struct scheduler_opening {
	struct scheduler_past past;
	struct error why; /* "": it is open */
};

/* What it was, and what has become of it. */
static void
read_past(struct scheduler_past *past, const struct queue_house *house,
	  const atomic_bool *stop, struct error *why)
{
	if (scheduler_ladder_open(past->dir, &past->setup, house, stop,
				  &past->at, why) < 0)
		return;
	past->pairing = scheduler_recall(
		past->at.ladder, &past->setup, (uint64_t)time(NULL),
		SCHEDULER_RECALLED, &past->faults, &past->games, why);
	ladder_heed(past->at.ladder, NULL);
}

struct scheduler_opening *
scheduler_read(const struct config_ladder *ladder, const char *data,
	       const struct queue_house *house, const atomic_bool *stop)
{
	struct scheduler_opening *opening = zeroed(1, sizeof(*opening));
	struct scheduler_past *past = &opening->past;

	past->setup = *ladder;
	snprintf(past->dir, sizeof(past->dir), "%s/ladders/%s", data,
		 ladder->name);
	if (data_folder_check(data, ladder->name, &opening->why) == 0)
		read_past(past, house, stop, &opening->why);
	return opening;
}

const char *
scheduler_opening_name(const struct scheduler_opening *opening)
{
	return opening->past.setup.name;
}

const char *
scheduler_opening_why(const struct scheduler_opening *opening)
{
	return opening->why.text[0] == '\0' ? NULL : opening->why.text;
}

void
scheduler_opening_take(struct scheduler_opening *opening,
		       struct scheduler_past *past)
{
	*past = opening->past;
	free(opening);
}

void
scheduler_opening_free(struct scheduler_opening *opening)
{
	if (opening == NULL)
		return;
	scheduler_ladder_close(&opening->past.at);
	pairing_free(opening->past.pairing);
	fault_counts_release(&opening->past.faults);
	free(opening);
}
