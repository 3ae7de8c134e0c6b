/* referee/config/config-parse.h - the language of the daemon's configuration
 * and of the manifests of bots.
 *
 *	data = "/var/lib/referee"	# NAME = VALUE
 *	limits {			// a section
 *		connections = 100
 *	}
 *	ladder quick {			// a section with a name
 *		options = { "scoring=order", "decks=2" }
 *		options += { "games=3" }
 *	}
 *
 * A value is a word of [A-Za-z0-9._:/@%-], or printable bytes in "…" or '…',
 * where \ may stand before \ and before the quote only; nothing is expanded.
 * Only the options that are lists take { } and +=. Comments begin with # or //
 * and end with the line, or stand between the usual signs of C. Line ends
 * matter only in strings and comments.  No option is given twice.
 *
 * The parser knows the names of all options and sections, keeps each value as
 * text with its line, and holds nothing between two calls. */
#ifndef REFEREE_CONFIG_PARSE_H
#define REFEREE_CONFIG_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"

enum config_key_type {
	KEY_NUMBER, /* uint64_t */
	KEY_FLAG,   /* bool: no, yes */
	KEY_WORD,   /* unsigned: index into `words` */
	KEY_TEXT,   /* char[max + 1] */
	KEY_MILLI,  /* int64_t: thousandths, or CONFIG_UNSET if not given */
	KEY_DATE,   /* int64_t: seconds since 1970, 0 if not given */
	KEY_OTHER,  /* one value that the section's own code reads and prints */
	KEY_LIST,   /* a list that the section's own code reads and prints */
};

#define CONFIG_UNSET -1

/* An option: the place and the range of its value. */
struct config_key {
	const char *name; /* NULL ends a table */
	enum config_key_type type;
	size_t offset; /* place in the section's struct */
	uint64_t min, max;
	uint64_t preset;  /* default of all types but KEY_TEXT; may be out of
			  * range.  For KEY_MILLI the value if nothing else
			  * gives one, for KEY_DATE an example */
	const char *text; /* the default of KEY_TEXT; NULL: empty */
	const char *const *words; /* ends with NULL */
	const char *brief;	  /* for people; LF between lines */
};
#define CONFIG_KEYS_MAX 32 /* options of one table */

struct config_section;

/* A kind of section. */
struct config_section_kind {
	const char *name; /* NULL ends a table */
	const struct config_key *keys;
	unsigned max; /* sections of this kind in a file */
	bool named;
	/* Reads the values into the caller's `to`.  Returns 0, or -1 and the
	 * error. */
	int (*read)(const struct config_section *section, void *to);
};

/* One value as it is in the file. */
struct config_value {
	struct config_value *next; /* the next one of a list */
	int line;
	const char *text;
};

/* The values that the file gives to an option. */
struct config_option {
	int line; /* line where it is given first; 0: not given */
	struct config_value *first, **end;
};

struct config_section {
	struct config_section *next;		/* in the order of the file */
	const struct config_section_kind *kind; /* NULL: the top */
	const struct config_key *keys;
	const char *name; /* NULL: the kind has no names */
	int line;
	char *text;	  /* the whole file; owned; only at the top */
	const char *file; /* borrowed, like `why` */
	struct error *why;
	struct config_option
		option[CONFIG_KEYS_MAX]; /* in the order of `keys` */
};

/* Reads a file of at most `max` bytes.  Returns its top, followed by its
 * sections, for config_parse_free(); or NULL and one sentence, `FILE:LINE: what
 * was expected`, without LINE if the file cannot be read.  `file` and `why`
 * must live as long as the result. */
struct config_section *config_parse(const char *file, size_t max,
				    const struct config_key *keys,
				    const struct config_section_kind *kinds,
				    struct error *why) MUST_CHECK;
void config_parse_free(struct config_section *top); /* may be NULL */

/* Returns the values of an option, which the section's table must have. */
const struct config_option *config_option(const struct config_section *section,
					  const char *name);
/* Returns the line of an option, or of the section if the option is not given. */
int config_line(const struct config_section *section, const char *name);

/* Sets the error `FILE:LINE: ` and the sentence.  Returns -1. */
int config_wrong(const struct config_section *section, int line,
		 const char *fmt, ...) PRINTF_LIKE(3, 4) COLD;

#endif
