/* ladder/roster-marks.h - which bots of a data folder no longer play, for
 * readers of a ladder there; also works while another process has the roster
 * open. */
#ifndef LADDER_ROSTER_MARKS_H
#define LADDER_ROSTER_MARKS_H

#include "ladder/store.h"

struct roster_marks;

/* Those of the roster in the folder `dir`; none if there is no roster, or an
 * older referee has written it.  As ladder_open(). */
int roster_marks_read(const char *dir, struct roster_marks **marks,
		      struct error *why) MUST_CHECK;
void roster_marks_free(struct roster_marks *marks); /* NULL is fine */

/* For ladder_mark_by(): `marks` is a struct roster_marks, `bot` what records
 * and ladders call it. */
enum ladder_mark roster_mark_of(void *marks, const char *bot);

#endif
