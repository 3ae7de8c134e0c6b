/* referee/records/replay-notes.h - the comments of a record's line: thinking
 * times and remarks (RECORD.md, "Lines, comments"). */
#ifndef REFEREE_REPLAY_NOTES_H
#define REFEREE_REPLAY_NOTES_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "referee/records/replay.h"

struct replay_note {
	int seat; /* who thought or spoke */
	bool spoke;
	/* A remark, decoded: any bytes but NUL; or a time as it stands:
	 * "0.311ms". */
	char text[SAY_BYTES + 1];
};

/* Takes the next note of a line that this viewer may see, from `*at` on, which
 * is NULL at first: a seat those of itself, VIEW_ALL all, VIEW_PUBLIC none.
 * False: there is none any more.  What is not in the form is skipped. */
bool replay_note_next(const struct replay_line *line, int viewer,
		      const char **at, struct replay_note *note);

/* What replay_said() has given, decoded likewise. */
void replay_said_text(const char *said, char text[SAID_BYTES + 1]);

#endif
