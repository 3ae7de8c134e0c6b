/* referee/serve/metric.c - see metric.h. */
#include "referee/serve/metric.h"

#include <inttypes.h>

void
metric_head(struct text *out, const char *name, const char *type,
	    const char *help)
{
	text_fmt(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void
metric_one(struct text *out, const char *name, const char *type,
	   const char *help, uint64_t value)
{
	metric_head(out, name, type, help);
	text_fmt(out, "%s %" PRIu64 "\n", name, value);
}
