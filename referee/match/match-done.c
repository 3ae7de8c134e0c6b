/* referee/match/match-done.c - see match-done.h. */
#include "referee/match/match-done.h"

#include <stdlib.h>
#include <string.h>

void
match_resume_tell(const struct match_resume *resume, unsigned seats,
		  struct standings *standings, struct match_faults faults[])
{
	unsigned count[SEATS_MAX][FAULT_KINDS];
	struct table_outcome outcome;
	const struct match_done *done;

	for (done = resume->done; done < resume->done + resume->count; done++) {
		memset(&outcome, 0, sizeof(outcome));
		memset(count, 0, sizeof(count));
		fault_count(done->faults.bytes, done->faults.used, count);
		for (unsigned s = 0; s < seats; s++) {
			outcome.place[s] = done->place[s];
			outcome.points[s] = done->points[s];
			outcome.retired[s] = done->retired[s];
			for (unsigned f = 0; f < FAULT_KINDS; f++)
				outcome.faults[s] += count[s][f];
		}
		standings_add(standings, done->number, done->bot, &outcome);
		if (done->faults.used > 0)
			match_faults_add(faults, done->number, done->bot,
					 &done->faults);
	}
}

void
match_resume_release(struct match_resume *resume)
{
	for (uint64_t i = 0; i < resume->count; i++)
		text_release(&resume->done[i].faults);
	free(resume->done);
	free(resume->is_done);
}
