/* referee/config/serve-config-inside.h - what the files of the configuration
 * share, and nobody else includes. */
#ifndef REFEREE_CONFIG_INSIDE_H
#define REFEREE_CONFIG_INSIDE_H

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

#endif
