/* referee/match/match-publish.c - see match-publish.h. */
#include "referee/match/match-publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/records/unfinished.h"
#include "referee/table/deal.h"

struct match_publish {
	struct writer_job job; /* first */
	char dir[LADDER_PATH_BYTES];
	char id[SEATS_MAX][ID_BYTES + 1];
	unsigned games;
	match_published *published;
	void *arg;
};

static void
run(struct writer_job *job, struct ladder *ladder UNUSED)
{
	struct match_publish *publish = (struct match_publish *)job;

	job->failed = unfinished_publish(publish->dir, publish->id,
					 publish->games, &job->why) < 0;
}

static void
done(struct writer_job *job)
{
	struct match_publish *publish = (struct match_publish *)job;

	publish->published(publish->arg, job->failed ? job->why.text : NULL);
	free(publish);
}

void
match_publish(struct writer *writer, const char *dir, const char *seed,
	      unsigned seats, uint64_t number, match_published *published,
	      void *arg)
{
	struct match_publish *publish = zeroed(1, sizeof(*publish));
	const uint64_t first = (number - 1) / seats * seats + 1;
	struct deal deal;

	publish->job.run = run;
	publish->job.done = done;
	publish->published = published;
	publish->arg = arg;
	publish->games = seats;
	snprintf(publish->dir, sizeof(publish->dir), "%s", dir);
	for (unsigned k = 0; k < seats; k++) {
		deal_from_seed(&deal, seed, first + k);
		memcpy(publish->id[k], deal.id, sizeof(deal.id));
	}
	writer_submit(writer, &publish->job);
}
