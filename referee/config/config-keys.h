/* referee/config/config-keys.h - handles options by their tables: sets
 * defaults, reads values into a section's struct, prints them. */
#ifndef REFEREE_CONFIG_KEYS_H
#define REFEREE_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "protocol/util.h"
#include "referee/config/config-parse.h"

/* Type and place of an option in its section's struct, and its maximum.  The
 * compiler checks that the field has the type, that a number fits into an
 * unsigned, to which its users convert it, and that a text fits into its field. */
#define CONFIG_NUMBER(section, field, most)                                    \
	KEY_NUMBER, .offset = CONFIG_FIELD(section, field, uint64_t),          \
		    .max = CONFIG_UNSIGNED(most)
#define CONFIG_FLAG(section, field)                                            \
	KEY_FLAG, .offset = CONFIG_FIELD(section, field, bool)
#define CONFIG_WORD(section, field)                                            \
	KEY_WORD, .offset = CONFIG_FIELD(section, field, unsigned)
#define CONFIG_MILLI(section, field, most)                                     \
	KEY_MILLI, .offset = CONFIG_FIELD(section, field, int64_t),            \
		   .max = CONFIG_UNSIGNED(most)
#define CONFIG_DATE(section, field)                                            \
	KEY_DATE, .offset = CONFIG_FIELD(section, field, int64_t)
#define CONFIG_TEXT(section, field)                                            \
	KEY_TEXT, .offset = CONFIG_FIELD(section, field[0], char),             \
		  .max = sizeof(((section *)0)->field) - 1

#define CONFIG_FIELD(section, field, type)                                     \
	(offsetof(section, field) +                                            \
	 0 * _Generic(((section *)0)->field, type : 1))
#define CONFIG_UNSIGNED(most)                                                  \
	((most) + 0 * sizeof(char[(most) <= UINT32_MAX ? 1 : -1]))

/* Sets all values to their defaults. */
void config_presets(const struct config_key *keys, void *to);

/* Reads all values that the section gives into the struct, but not those of
 * KEY_OTHER and KEY_LIST. Returns 0, or -1 and the error. */
int config_read_keys(const struct config_section *section, void *to) MUST_CHECK;
/* Reads one value, which must be an integer within these bounds.  Returns 0, or
 * -1 and the error. */
int config_read_number(const struct config_section *section, const char *name,
		       uint64_t min, uint64_t max, uint64_t *number) MUST_CHECK;

/* Returns true if the option is a KEY_MILLI or KEY_DATE that is not given. */
bool config_is_unset(const struct config_key *key, const void *from);
/* Prints the option's value in the struct as a file would have it, or its
 * default if it is not given. */
void config_print_value(const struct config_key *key, const void *from,
			FILE *out);

#endif
