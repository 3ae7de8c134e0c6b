/* referee/serve/metrics.h - the daemon's metrics, in the format of
 * Prometheus. */
#ifndef REFEREE_METRICS_H
#define REFEREE_METRICS_H

#include <stdint.h>

#include "protocol/text.h"
#include "referee/base/loop.h"
#include "referee/remote/door.h"
#include "referee/serve/health.h"
#include "referee/web/page.h"

/* What is shown; all of it is borrowed. */
struct metrics {
	const struct loop *loop;
	const struct pages *pages; /* what the daemon has */
	struct door *door;
	struct health *health;
	uint64_t started_us; /* monotonic */
	uint64_t reloads, reloads_failed;
	uint64_t workers_lost;
};

/* Appends them, in the text format of Prometheus. */
void metrics_write(const struct metrics *metrics, struct text *out);

#endif
