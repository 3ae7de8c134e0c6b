/* referee/serve/metrics.h - the daemon's metrics, in the format of
 * Prometheus. */
#ifndef REFEREE_METRICS_H
#define REFEREE_METRICS_H

#include <stdint.h>

#include "protocol/text.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/base/refusals.h"
#include "referee/http/http.h"
#include "referee/queue/coordinator.h"
#include "referee/remote/door.h"
#include "referee/remote/remote-bot.h"
#include "referee/scheduler/ladders.h"
#include "referee/serve/health.h"

/* What is shown; all of it is borrowed. */
struct metrics {
	const struct loop *loop;
	const struct logger *logger;
	const struct ladders *ladders;
	const struct remote_bots *remotes;
	const struct door *door;
	const struct http *http;
	struct health *health;
	const struct refusals *refusals;
	const struct coordinator *coordinator; /* NULL: there is no queue */
	uint64_t started_us;		       /* monotonic */
	uint64_t reloads, reloads_failed;
	uint64_t workers_lost;
};

/* Appends them, in the text format of Prometheus. */
void metrics_write(const struct metrics *metrics, struct text *out);

#endif
