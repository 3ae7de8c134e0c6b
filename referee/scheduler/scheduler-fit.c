/* referee/scheduler/scheduler-fit.c - see scheduler-fit.h. */
#include "referee/scheduler/scheduler-fit.h"

#include <math.h>

/* Greater ratings are cut to this, because others may have written the file. */
#define FAR_POINTS 1e6

static int64_t
milli_of(double points)
{
	return llround(fmax(fmin(points, FAR_POINTS), -FAR_POINTS) * 1000);
}

struct fit_kept *
scheduler_fit_read(struct ladder *ladder, struct ladder_pool *pool)
{
	struct error why;

	if (ladder_pool_find(ladder, pool, &why) < 0 || pool->number == 0)
		return NULL;
	return fit_recall_any(ladder, pool->number);
}

/* Returns the mean rating of the fit, which is where its prior puts other bots. */
static int64_t
mean_milli(const struct fit_kept *kept)
{
	double sum = 0;

	for (unsigned i = 0; i < kept->count; i++)
		sum += (double)milli_of(kept->row[i].rating);
	return llround(sum / kept->count);
}

unsigned
scheduler_fit_tell(struct pairing *pairing, int64_t start_milli,
		   const struct fit_kept *kept)
{
	unsigned i, count = 0;
	int bot;

	if (kept == NULL || kept->count == 0)
		return 0;
	pairing_refit(pairing, mean_milli(kept) - start_milli);
	for (i = 0; i < kept->count; i++) {
		bot = pairing_find(pairing, kept->row[i].name);
		if (bot < 0)
			continue;
		pairing_fit(pairing, bot, milli_of(kept->row[i].rating));
		count++;
	}
	return count;
}
