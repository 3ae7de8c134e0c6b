/* ladder/void.h - what the files of the store share about voids.
 *
 * A void is a file NNNNNNNN.void in a folder with records, from number 1 on;
 * RECORD.md tells its lines.  The tables `void` and `voided` say the same while
 * the ladder is folded, and later to readers. */
#ifndef LADDER_VOID_H
#define LADDER_VOID_H

#include "ladder/folder.h"
#include "ladder/store.h"
#include "protocol/error.h"

/* One that is being made. */
struct void_new {
	const char *why;
	const char *games; /* lines `game SERIAL ID` */
	int64_t folder;	   /* where it goes */
	int64_t known;	   /* the highest number that the ladder knew */
	int64_t number;	   /* set by void_enter() */
};

/* Fills both tables from all files of the list; ERROR_INPUT names one that is
 * none. */
int void_load(struct ladder *ladder, const struct folder_list *list,
	      struct error *why) MUST_CHECK;
/* Adds one behind those, in the tables and on disk. */
int void_enter(struct ladder *ladder, const struct folder_list *list,
	       struct void_new *new, struct error *why) MUST_CHECK;
int void_write(struct ladder *ladder, struct void_new *new,
	       struct error *why) MUST_CHECK;

/* The highest number that the ladder knows, or 0. */
int void_last(struct ladder *ladder, int64_t *number,
	      struct error *why) MUST_CHECK;
/* ERROR_INPUT if `before` knew one that is no more. */
int void_check_missing(struct ladder *ladder, struct ladder *before,
		       struct error *why) MUST_CHECK;
/* Whether the game with this ID is voided. */
int void_of(struct ladder *ladder, const char *id, bool *voided,
	    struct error *why) MUST_CHECK;

/* rebuild.c: ladder_rebuild(), with one void more or NULL. */
int rebuild_with(struct ladder *ladder, const struct ladder_rebuilding *how,
		 struct void_new *new, struct ladder_rebuilt *report,
		 struct error *why) MUST_CHECK;

#endif
