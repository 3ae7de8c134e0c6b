/* referee/config/config-keys.h - options by their tables: presets, values that
 * are read into a section's struct, values that are printed. */
#ifndef REFEREE_CONFIG_KEYS_H
#define REFEREE_CONFIG_KEYS_H

#include <stdio.h>

#include "protocol/util.h"
#include "referee/config/config-parse.h"

/* All values of the struct as they are by default. */
void config_presets(const struct config_key *keys, void *to);

/* All values that the section gives, into the struct: 0, or -1 and the error.
 * Those of KEY_OTHER and KEY_LIST are left alone. */
int config_read_keys(const struct config_section *section, void *to) MUST_CHECK;
/* A value alone, which must be an integer within these bounds; likewise. */
int config_read_number(const struct config_section *section, const char *name,
		       uint64_t min, uint64_t max, uint64_t *number) MUST_CHECK;

/* The option's value in the struct, as a file has it. */
void config_print_value(const struct config_key *key, const void *from,
			FILE *out);

#endif
