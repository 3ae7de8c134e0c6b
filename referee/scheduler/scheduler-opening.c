/* referee/scheduler/scheduler-opening.c - see scheduler-opening.h. */
#include "referee/scheduler/scheduler-opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "referee/data/data-folder.h"
#include "referee/scheduler/scheduler-recall.h"

/* What it was, and what has become of it. */
static void
read_past(struct scheduler_opening *opening, const struct queue_house *house,
	  const atomic_bool *stop)
{
	if (scheduler_ladder_open(opening->dir, &opening->setup, house, stop,
				  &opening->at, &opening->why) < 0)
		return;
	/* From now on they are those that hold. */
	if (ladder_settings(opening->at.ladder, &opening->setup.k_milli,
			    &opening->setup.start_milli, &opening->why) < 0)
		return;
	opening->pairing = scheduler_recall(
		opening->at.ladder, &opening->setup, (uint64_t)time(NULL),
		SCHEDULER_RECALLED, &opening->standings, &opening->why);
	ladder_heed(opening->at.ladder, NULL);
}

struct scheduler_opening *
scheduler_read(const struct config_ladder *ladder, const char *data,
	       const struct queue_house *house, const atomic_bool *stop)
{
	struct scheduler_opening *opening = zeroed(1, sizeof(*opening));

	opening->setup = *ladder;
	snprintf(opening->dir, sizeof(opening->dir), "%s/ladders/%s", data,
		 ladder->name);
	if (data_folder_check(data, ladder->name, &opening->why) == 0)
		read_past(opening, house, stop);
	return opening;
}

void
scheduler_opening_free(struct scheduler_opening *opening)
{
	if (opening == NULL)
		return;
	scheduler_ladder_close(&opening->at);
	pairing_free(opening->pairing);
	free(opening->standings.of);
	free(opening);
}
