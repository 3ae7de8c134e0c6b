/* tests/unit/one-ladder.h - the ladder of a test that has one, in the folder of
 * ladder-kit.h. */
#ifndef TESTS_UNIT_ONE_LADDER_H
#define TESTS_UNIT_ONE_LADDER_H

#include "tests/unit/ladder-kit.h"

extern struct ladder *ladder; /* NULL: it is not open */
extern int64_t folder;	      /* the number of `records` */
extern struct error why;      /* what has failed last */

/* Reports of the last call of rebuild(), void_game() and try_follow(). */
extern struct ladder_rebuilt rebuilt;
extern struct ladder_voided voided;
extern unsigned followed;

/* Opens it, after closing it if it is open. */
void open_ladder(void);
void close_ladder(void); /* does nothing if it is not open */
/* Closes it and removes everything; the .fini that goes with kit_begin(). */
void end_ladder(void);
/* Begins in another folder. */
void begin_again(void);

/* Writes records to `records`, of this ladder; their serials are their numbers. */
void write_records(uint32_t from, uint32_t to);
int try_follow(void);
/* `how` NULL: as the ladder knows it. */
int rebuild(const struct ladder_rebuilding *how);
/* Voids a game by its number; `log` NULL: the log in `records`. */
int void_game(struct ladder_log *log, uint32_t number, const char *reason);
/* Expects a rebuild to give the same ladder again, of that many games. */
void expect_same_again(unsigned games);

#endif
