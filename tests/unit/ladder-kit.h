/* tests/unit/ladder-kit.h - makes a folder to test ladders in, games to rate
 * there, and their records. */
#ifndef TESTS_UNIT_LADDER_KIT_H
#define TESTS_UNIT_LADDER_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/log.h"
#include "ladder/store.h"

/* Gives the kind of error that a call with `&why` gave; ERROR_NONE if it gave none.  An
 * error of an earlier call is forgotten. */
#define KIND(call)                                                             \
	(why = (struct error){ 0 }, (call) < 0 ? why.kind : ERROR_NONE)

/* Expects that a call with `&why` succeeds, or that it fails with an error of this kind
 * whose sentence has `part` in it.  TELLS() looks for another part. */
#define OK(call) cr_assert_eq(call, 0, "%s: %s", #call, why.text)
#define FAILS(call, wanted, part)                                              \
	kit_expect_error(KIND(call), wanted, &why, part, #call)
#define TELLS(part)                                                            \
	cr_assert_not_null(strstr(why.text, part), "\"%s\" lacks \"%s\"",      \
			   why.text, part)
void kit_expect_error(enum error_kind found, enum error_kind wanted,
		      const struct error *why, const char *part,
		      const char *call);

/* Makes a fresh folder with another one, `records`, in it.  Returned paths lie in it;
 * there is one buffer for each of the last four calls. */
void kit_begin(void);
void kit_end(void);		   /* removes everything */
void kit_remove(const char *path); /* removes a folder with its content */
const char *kit_path(const char *name);
const char *kit_pathf(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
bool kit_is_there(const char *path);

/* Returns numbers below `below` that look random and are the same every time. */
uint32_t kit_random(uint32_t *state, uint32_t below);

/* Makes a game of 2 to 5 of eight bots in one of three pools, with ID, places,
 * points and faults.  All but the serial depends only on `number`. */
void kit_game(uint32_t number, int64_t serial, struct ladder_game *game);

/* Writes the record of a game as it lies in a folder, for a ladder with this ID (NULL:
 * none). */
void kit_record_text(const struct ladder_game *game, const char *ladder,
		     char *text, size_t size);
void kit_hash(struct ladder_game *game, const char *ladder); /* sets it */
/* Writes it to records/NAME.rec.tmp and renames that; returns false on an
 * error.  `stop` 1: only half is written, 2: it is not renamed. */
bool kit_write_record(const struct ladder_game *game, const char *ladder,
		      int stop);
/* Writes records `from` to `to` of this ladder; their serials are their numbers. */
void kit_write_records(const struct ladder *ladder, uint32_t from, uint32_t to);
const char *kit_record_path(uint32_t number, int64_t serial);
unsigned kit_count_records(void); /* whole ones */

/* Makes a void with this serial of game `number`, for this ladder's id, and the name of
 * its file. */
void kit_void(int64_t serial, uint32_t number, const char *ladder,
	      char name[LADDER_FILE_BYTES], struct text *text);

bool kit_file_equals(const char *path, const char *bytes, size_t n);
void kit_write_file(const char *path, const char *bytes, size_t n);

/* Lets the ladder follow a log in memory with these `n` games, whose serials
 * follow its last entry; returns the result of ladder_follow(). */
int kit_try_rate(struct ladder *ladder, struct ladder_game *game, unsigned n,
		 struct error *why);
void kit_rate(struct ladder *ladder, struct ladder_game *game, unsigned n);

/* Opens the log of files in `records`. */
struct ladder_log *kit_log(struct ladder *ladder);
/* Lets the ladder follow that log, as after opening it.  `*count` becomes the
 * number of rated games, also on failure. */
int kit_try_follow(struct ladder *ladder, unsigned *count, struct error *why);
unsigned
kit_follow(struct ladder *ladder); /* returns the number of rated games */

/* Changes the settings by an entry of that log. */
void kit_set(struct ladder *ladder, int64_t k_milli, int64_t start_milli);
/* Writes the founding of a ladder with this ID into a folder of records. */
void kit_founding(const char *dir, const char *id);

/* Opens kit_path("ladder.db") for writing and makes `records` known. */
struct ladder *kit_open(int64_t *folder);
/* Runs statements of SQL on the database with this path. */
void kit_execute(const char *path, const char *sql);

/* Returns the standings of all pools and all games as text, which stays until
 * kit_end(). */
const char *kit_describe(struct ladder *ladder);
/* Expects the ladder to be so. */
void kit_expect(struct ladder *ladder, const char *wanted);

#endif
