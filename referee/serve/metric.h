/* referee/serve/metric.h - writes a metric in the text format of Prometheus.
 *
 * tests/lint/check-metrics.py compares name, type and help, three literals in a
 * row, with doc/referee-metrics.5. */
#ifndef REFEREE_METRIC_H
#define REFEREE_METRIC_H

#include <stdint.h>

#include "protocol/text.h"

/* Appends the lines before its values.  `type` is gauge or counter. */
void metric_head(struct text *out, const char *name, const char *type,
		 const char *help);
/* Appends a metric without labels. */
void metric_one(struct text *out, const char *name, const char *type,
		const char *help, uint64_t value);

#endif
