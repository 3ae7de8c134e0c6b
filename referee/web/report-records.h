/* referee/web/report-records.h - a ladder for a while, of records in folders. */
#ifndef REFEREE_REPORT_RECORDS_H
#define REFEREE_REPORT_RECORDS_H

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

struct report_records;

/* Rates the games of these records and packs (ladder/pack.h), and of the *.rec and
 * packs in folders among them, on a ladder in a folder of its own below TMPDIR that
 * only this user can read; records are copied there.  If all of them name one ladder
 * whose founding lies beside one of them, they are rated by that, and by the settings
 * and voids that lie beside them, under their serials.  Else the ladder is a new one,
 * which begins with `how`, and they are rated in the order of their ends.  Aborted
 * games are left out, and so are, unless `unfinished`, those of duplicate blocks of
 * which games are missing; `*passed` of them.  NULL and an error: a file is no
 * record, there is none, two are of the same game, `how` has a K or start rating
 * though there is a founding, or `stop` is readable (-1: it never is). */
struct report_records *report_records_new(char *const path[], unsigned paths,
					  const struct ladder_founding *how,
					  bool unfinished, unsigned *passed,
					  int stop,
					  struct error *why) MUST_CHECK;
/* Returns true if the founding of their ladder was found. */
bool report_records_founded(const struct report_records *records);
/* The ladder's file; borrowed. */
const char *report_records_ladder(const struct report_records *records);
/* Removes the folder.  NULL is fine. */
void report_records_free(struct report_records *records);

#endif
