/* referee/config/serve-config-reading.h - a configuration while it is read:
 * from libConfuse to our structs.  Only the files of the configuration include
 * this, and bot-folder.c, which reads a file of the same kind. */
#ifndef REFEREE_CONFIG_READING_H
#define REFEREE_CONFIG_READING_H

#include <confuse.h>

#include "referee/config/serve-config-inside.h"

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
	struct config *config; /* NULL: a file of another kind */
};

/* What is read now: libConfuse's callbacks get no argument of ours. */
extern struct config_reading *config_reading;

/* Sets the sentence, unless there is one: -1. */
int config_wrong(int line, const char *fmt, ...) PRINTF_LIKE(2, 3) COLD;

/* ---- serve-config.c --------------------------------------------------- */

/* The whole file, of at most `max` bytes, ended by a blank and a NUL, for
 * libConfuse does not read what is empty; `*n` counts the blank.  Or NULL, and
 * `why` is set.  The caller frees it. */
char *config_load(const char *file, size_t max, size_t *n,
		  char why[CONFIG_WHY_BYTES]) MUST_CHECK;

/* ---- serve-config-parse.c --------------------------------------------------- */

/* What libConfuse makes of the text, for cfg_free(). */
cfg_t *config_parse(const char *text);
/* Likewise, of a file that has these options and no sections. */
cfg_t *config_parse_keys(const char *text, const struct config_key *keys);
/* Value `i` of an option, or NULL. */
const struct config_value *config_value_of(cfg_t *section, const char *name,
					   unsigned i);
/* The line of its first value, if it is given. */
int config_line_of(cfg_t *section, const char *name, int otherwise);
/* The line where section number `i` of that name begins. */
int config_line_of_section(const char *name, unsigned i);

/* ---- serve-config-sections.c ------------------------------------------------ */

/* Each 0, or -1 and the sentence is set. */

/* All values that are given, into the section's struct. */
int config_read_keys(cfg_t *section, const struct config_key *keys,
		     void *to) MUST_CHECK;
/* Number `i` of config_reading->config, zeroed before. */
int config_read_listener(cfg_t *section, unsigned i) MUST_CHECK;
int config_read_ladder(cfg_t *section, unsigned i) MUST_CHECK;

#endif
