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

/* The sources of the metrics; all pointers are borrowed. */
struct metrics {
	const struct loop *loop;
	const struct pages *pages; /* the parts of the daemon */
	struct door *door;
	struct health *health;
	uint64_t started_us; /* by clock_us() */
	uint64_t reloads, reloads_failed;
	uint64_t workers_lost;
	bool spawner; /* programs of local bots can be started */
};

/* Both are for struct pages, and `arg` is the metrics. metrics_healthy()
 * returns true and appends `ok`; or it returns false and appends a line for
 * each thing that keeps the daemon from its work: it stops, its queue's
 * database is away, or a problem of health_tell(). */
bool metrics_healthy(void *arg, struct text *out);
/* Appends the metrics in the text format of Prometheus. */
void metrics_write(void *arg, struct text *out);

#endif
