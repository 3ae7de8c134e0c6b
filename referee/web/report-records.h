/* referee/web/report-records.h - a ladder for a while, of records that belong to
 * none. */
#ifndef REFEREE_REPORT_RECORDS_H
#define REFEREE_REPORT_RECORDS_H

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

struct report_records;

/* Rates the games of these records and packs (ladder/pack.h), and of the *.rec and
 * packs in folders among them, in the order of their ends, on a new ladder in a
 * folder of its own below TMPDIR that only this user can read; records are copied
 * there.  Aborted games are left out, and so are, unless `unfinished`, those of
 * duplicate blocks of which games are missing; `*passed` of them.  NULL and an
 * error: a file is no record, there is none, two are of the same game, or `stop`
 * is readable (-1: it never is). */
struct report_records *report_records_new(char *const path[], unsigned paths,
					  bool unfinished, unsigned *passed,
					  int stop,
					  struct error *why) MUST_CHECK;
/* The ladder's file; borrowed. */
const char *report_records_ladder(const struct report_records *records);
/* Removes the folder.  NULL is fine. */
void report_records_free(struct report_records *records);

#endif
