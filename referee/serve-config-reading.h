/* referee/serve-config-reading.h - a configuration while it is read: from
 * libConfuse to our structs.  Only the files of the configuration include this.
 */
#ifndef REFEREE_CONFIG_READING_H
#define REFEREE_CONFIG_READING_H

#include <confuse.h>

#include "referee/serve-config-inside.h"

/* An option as it stands in the file. */
struct config_value {
	int line;
	char text[];
};

/* Where an option was. */
struct config_given {
	const cfg_t *section;
	const char *option; /* borrowed from libConfuse */
	int line;
};

struct config_reading {
	const char *file;
	char *why;
	bool failed; /* `why` is set: the first mistake is told */
	struct config_marks marks;
	struct config_given *given; /* all options so far; owned */
	unsigned count;
	struct config *config;
};

/* What is read now: libConfuse's callbacks get no argument of ours. */
extern struct config_reading *config_reading;

/* Sets the sentence, unless there is one: -1. */
int config_wrong(int line, const char *fmt, ...) PRINTF_LIKE(2, 3) COLD;

/* ---- config-parse.c --------------------------------------------------- */

/* What libConfuse makes of the text, for cfg_free(). */
cfg_t *config_parse(const char *text);
/* Value `i` of an option, or NULL. */
const struct config_value *config_value_of(cfg_t *section, const char *name,
					   unsigned i);
/* The line of its first value, if it is given. */
int config_line_of(cfg_t *section, const char *name, int otherwise);
/* The line where section number `i` of that name begins. */
int config_line_of_section(const char *name, unsigned i);

/* ---- config-sections.c ------------------------------------------------ */

/* Each 0, or -1 and the sentence is set. */

/* All values that are given, into the section's struct. */
int config_read_keys(cfg_t *section, const struct config_key *keys,
		     void *to) MUST_CHECK;
/* Number `i` of config_reading->config, zeroed before. */
int config_read_listener(cfg_t *section, unsigned i) MUST_CHECK;
int config_read_ladder(cfg_t *section, unsigned i) MUST_CHECK;

#endif
