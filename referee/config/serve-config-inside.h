/* referee/config/serve-config-inside.h - what the files of the configuration
 * share; besides them only bot-folder.c, which reads a file of the same kind,
 * includes it. */
#ifndef REFEREE_CONFIG_INSIDE_H
#define REFEREE_CONFIG_INSIDE_H

#include <confuse.h>

#include "protocol/error.h"
#include "referee/config/serve-config.h"

enum config_key_kind {
	KEY_NUMBER,  /* uint64_t */
	KEY_FLAG,    /* bool: no, yes */
	KEY_WORD,    /* unsigned: index into `words` */
	KEY_TEXT,    /* char[max + 1] */
	KEY_MILLI,   /* int64_t: thousandths */
	KEY_SETUP,   /* a part of a ladder's setup: read and printed apart */
	KEY_OPTIONS, /* likewise, a list */
};

/* An option of the file: where its value goes, what it may be. */
struct config_key {
	const char *name; /* NULL ends a table */
	enum config_key_kind kind;
	size_t offset; /* in the section's struct */
	uint64_t min, max;
	uint64_t preset;	  /* all but KEY_TEXT; may be out of range */
	const char *text;	  /* its default, or NULL: empty */
	const char *const *words; /* NULL ends */
	const char *brief;	  /* for people; lines parted by LF */
};

extern const struct config_key config_top_keys[];
extern const struct config_key config_listener_keys[];
extern const struct config_key config_ladder_keys[];
extern const struct config_key config_limit_keys[];
extern const struct config_key config_local_bot_keys[];
#define CONFIG_KEYS_MAX 24 /* of one table, its end included */

static inline void *
config_field(const void *section, const struct config_key *key)
{
	return (char *)(uintptr_t)section + key->offset;
}

/* ---- serve-config-keys.c ---------------------------------------------------- */

/* All values of a section's struct as they are by default. */
void config_presets(const struct config_key *keys, void *section);
/* A ladder with the defaults of this game. */
void config_ladder_init(struct config_ladder *ladder,
			const struct game_rules *rules, unsigned seats);
/* The seats that it has unless the file says otherwise. */
unsigned config_default_seats(const struct game_rules *rules);
/* Whether the option says anything in this listener. */
bool config_listener_has(const struct config_listener *listener,
			 const struct config_key *key);

/* ---- serve-config-text.c ---------------------------------------------------- */

/* Where the sections of the file begin, in its order. */
struct config_mark {
	char name[16]; /* `listener`, …; longer ones are cut */
	int line;
};

struct config_marks {
	struct config_mark *mark; /* owned */
	unsigned count;
};

/* Looks whether the `n` bytes are words, strings, comments and braces such as
 * libConfuse reads as people would, and blanks the comments, whose lines it
 * miscounts: 0, or -1, the line and a sentence. */
int config_text_check(char *text, size_t n, struct config_marks *marks,
		      int *line, char *why, size_t size) MUST_CHECK;

/* ---- while it is read, with libConfuse ---------------------------------- */

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
	struct error *why;
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
		  struct error *why) MUST_CHECK;

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
