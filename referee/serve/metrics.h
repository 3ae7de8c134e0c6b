/* referee/serve/metrics.h - the daemon's metrics, in the format of
 * Prometheus. */
#ifndef REFEREE_METRICS_H
#define REFEREE_METRICS_H

#include <stdbool.h>
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
	bool nursery; /* programs of local bots can be started */
};

/* Both are for struct pages: `arg` is the metrics.
 * Returns true and appends `ok`; or false, and a line for each thing that keeps
 * the daemon from its work: it stops, its queue's database is away, or what
 * health_tell() tells. */
bool metrics_healthy(void *arg, struct text *out);
/* Appends them, in the text format of Prometheus. */
void metrics_write(void *arg, struct text *out);

#endif
