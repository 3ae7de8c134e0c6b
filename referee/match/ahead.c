/* referee/match/ahead.c - see ahead.h. */
#include "referee/match/ahead.h"

void
ahead_init(struct ahead *ahead, unsigned jobs, unsigned more)
{
	*ahead = (struct ahead){ .jobs = jobs,
				 .sets = jobs,
				 .most = jobs + more };
}

/* The first game that is over counts: it began alone or beside the fewest
 * others. */
void
ahead_started(struct ahead *ahead, uint64_t us)
{
	if (ahead->start_us == 0)
		ahead->start_us = us;
}

void
ahead_settle(struct ahead *ahead, uint64_t now_us)
{
	ahead->lost_us += ahead->waits * (now_us - ahead->since_us);
	ahead->waits = 0;
	if (ahead->start_us == 0 || ahead->sets >= ahead->most ||
	    ahead->lost_us < ahead->jobs * ahead->start_us)
		return;
	ahead->sets += ahead->jobs;
	if (ahead->sets > ahead->most)
		ahead->sets = ahead->most;
	ahead->lost_us = 0;
}

bool
ahead_may_begin(struct ahead *ahead, unsigned running, unsigned writing,
		uint64_t now_us)
{
	if (running + writing < ahead->sets)
		return true;
	ahead->waits = ahead->jobs > running ? ahead->jobs - running : 0;
	ahead->since_us = now_us;
	return false;
}
