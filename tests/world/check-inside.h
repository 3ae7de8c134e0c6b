/* tests/world/check-inside.h - shared by the files of the invariants. */
#ifndef TESTS_WORLD_CHECK_INSIDE_H
#define TESTS_WORLD_CHECK_INSIDE_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "tests/world/check.h"

/* A game that a log has. */
struct check_game {
	char id[ID_BYTES + 1];
	char hash[2 * RECORD_HASH_BYTES + 1]; /* in hex */
	char ladder[NAME_BYTES + 1];
	int64_t serial;
	bool rated;    /* the ladder has it */
	int64_t ended; /* in seconds of the calendar */
	char *placing; /* owned: see check_placing() */
};

struct check {
	const struct world_check *what;
	struct world_checked *checked;
	unsigned wrong;
	struct check_game *game; /* owned */
	size_t games, room;
};

/* Says one thing that does not hold. */
__attribute__((format(printf, 2, 3))) void check_wrong(struct check *check,
						       const char *format, ...);

/* ---- check-ladder.c ------------------------------------------------------ */

/* Checks the ladder in this folder; its games come to check->game. */
void check_ladder(struct check *check, const char *name, const char *dir);

/* ---- check-record.c ------------------------------------------------------ */

/* Checks a record; `where` names it in sentences.  Sets the hash of the whole record,
 * in hex, and, unless NULL is given, its placing. */
void check_record(struct check *check, const char *where,
		  const struct text *text, char hash[2 * RECORD_HASH_BYTES + 1],
		  char **placing);

/* ---- check-places.c ------------------------------------------------------- */

/* Returns the names of a record, each with its place and spaces between, owned by the
 * caller; NULL: it has no result. */
char *check_placing(const struct record *record) MUST_CHECK;

/* ---- what the trace says ------------------------------------------------- */

/* Each is in the file of its name. */
void check_allowed(struct check *check);
void check_rules(struct check *check);
void check_seats(struct check *check);
void check_standings(struct check *check);
void check_terms(struct check *check);

/* ---- check-read.c -------------------------------------------------------- */

/* Compares what the bots of a record that verifies have read with what they may. */
void check_read(struct check *check, const struct record *record);

/* ---- check-dump.c -------------------------------------------------------- */

/* Lines `KEY\tVALUES`, sorted. */
struct dump {
	char **line; /* owned, and so is each */
	size_t count, room;
};

/* Reads everything that a ladder's file says which follows from its founding and its
 * log.  Returns 0, or -1 and an error. */
int dump_ladder(const char *file, struct dump *dump,
		struct error *why) MUST_CHECK;
/* Finds out if SQLite takes a file for sound. */
int dump_sound(const char *file, struct error *why) MUST_CHECK;
void dump_release(struct dump *dump);
/* Says what differs: `one` and `other` are what each was made by. */
void dump_compare(struct check *check, const char *ladder, const char *one,
		  const struct dump *first, const char *other,
		  const struct dump *second);

#endif
