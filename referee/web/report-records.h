/* referee/web/report-records.h - makes a temporary ladder from records in
 * folders. */
#ifndef REFEREE_REPORT_RECORDS_H
#define REFEREE_REPORT_RECORDS_H

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

struct report_records;

/* Rates the games of these records and packs (ladder/pack.h), and of the *.rec
 * and packs in folders among them, on a ladder in a folder of its own below
 * TMPDIR that only this user can read.  The records are copied there.  If all
 * of them name one ladder whose founding lies beside one of them, the games are
 * rated by this founding, and by the settings and voids that lie beside them,
 * under their serials.  Else the ladder is a new one, which begins with `how`,
 * and the games are rated in the order of their ends.  Aborted games are left
 * out; unless `unfinished` is true, so are games of duplicate blocks that lack
 * games; `*passed` is their number.  Returns NULL and an error if a file is no
 * record, if there is none, if two are of the same game, if `how` has a K or
 * start rating though there is a founding, or if `stop` can be read (-1:
 * never). */
struct report_records *report_records_new(char *const path[], unsigned paths,
					  const struct ladder_founding *how,
					  bool unfinished, unsigned *passed,
					  int stop,
					  struct error *why) MUST_CHECK;
/* Returns true if the founding of their ladder was found. */
bool report_records_founded(const struct report_records *records);
/* Returns the path of the ladder's file; borrowed. */
const char *report_records_ladder(const struct report_records *records);
/* Removes the folder.  NULL is allowed. */
void report_records_free(struct report_records *records);

#endif
