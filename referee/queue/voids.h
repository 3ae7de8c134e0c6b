/* referee/queue/voids.h - voids of a ladder's games, and what it began with, as
 * the queue's database has them: for verdicts.c, whose connection and epoch they
 * use.  Functions return 0, or -1 and an error. */
#ifndef REFEREE_VOIDS_H
#define REFEREE_VOIDS_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/queue/pg.h"

/* A void is in the database from now on. */
int void_put(struct pg_line *line, int64_t epoch, const char *ladder,
	     int64_t number, const char *bytes, size_t n,
	     struct error *why) MUST_CHECK;

/* Voids that the database has and a folder may lack. */
struct void_list {
	struct void_body {
		int64_t number;
		struct text bytes; /* owned */
	} * list;		   /* owned */
	size_t count;
};

void void_list_release(struct void_list *voids);
/* Those that are not in the folder `dir`, by number. */
int void_list_read(struct pg_line *line, const char *ladder, const char *dir,
		   struct void_list *voids, struct error *why) MUST_CHECK;
/* Into the folder. */
int void_list_write(const struct void_list *voids, const char *dir,
		    struct error *why) MUST_CHECK;
/* Those that the folder alone has, which are from before the queue, come into
 * the database.  ERROR_INPUT: a void there is another one. */
int void_bring(struct pg_line *line, int64_t epoch, const char *ladder,
	       const char *dir, struct error *why) MUST_CHECK;

/* What the ladder began with. */
int founding_put(struct pg_line *line, int64_t epoch, struct ladder *ladder,
		 struct error *why) MUST_CHECK;
/* Appends a file of the house, such as `founding/ID`, which that has written;
 * nothing if the database has none. */
int house_file_get(struct pg_line *line, const char *folder, const char *name,
		   struct text *to, struct error *why) MUST_CHECK;

#endif
