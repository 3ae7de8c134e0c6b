/* tests/unit/mutation.h - changes a record in one place, and says if such a
 * change may go unnoticed. */
#ifndef TESTS_MUTATION_H
#define TESTS_MUTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"

/* Holds a record cut into lines, for changing. */
struct sheet {
	char *bytes;	   /* owned */
	const char **line; /* owned; NUL-terminated */
	unsigned lines;
	unsigned body; /* the first line of it */
	bool aborted, durnius, daupun;
};

enum change { CHANGE_DELETE, CHANGE_DOUBLE, CHANGE_SWAP, CHANGE_REPLACE };

struct mutation {
	enum change change;
	unsigned at;	  /* line, from 0; swap: with the next one */
	const char *line; /* replace: by this one */
};

/* Cuts the text of a record. */
void sheet_init(struct sheet *sheet, const char *bytes, size_t n);
void sheet_release(struct sheet *sheet);

/* Writes the changed record; `to` is cleared first. */
void sheet_mutate(const struct sheet *sheet, const struct mutation *mutation,
		  struct text *to);

/* Returns true if a record with this change could have been written.  With
 * `sealed` its secret must still fit. */
bool sheet_harmless(const struct sheet *sheet, const struct mutation *mutation,
		    bool sealed);

/* Returns true if the rules of Durnius allow the game of this record.  With `cut` it
 * may end anywhere. */
bool durnius_could_have_been(struct text *record, bool cut);

#endif
