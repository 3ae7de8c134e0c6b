/* referee/records/replay-notes.h - the comments of a record's line: thinking
 * times and remarks (RECORD.md, "Lines, comments"). */
#ifndef REFEREE_REPLAY_NOTES_H
#define REFEREE_REPLAY_NOTES_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "referee/records/replay.h"

struct replay_note {
	int seat; /* the seat that thought or spoke */
	bool spoke;
	/* A decoded remark, of any bytes but NUL; or a time as written, like
	 * "0.311ms". */
	char text[SAY_BYTES + 1];
};

/* Takes the next note of a line from `*at` on (NULL at first) that this viewer
 * may see: a seat its own, VIEW_ALL all, VIEW_PUBLIC none.  Returns false at
 * the end.  Skips comments of another form. */
bool replay_note_next(const struct replay_line *line, int viewer,
		      const char **at, struct replay_note *note);

/* Decodes the result of replay_said(). */
void replay_said_text(const char *said, char text[SAID_BYTES + 1]);

#endif
