/* referee/web/report-file.h - the file of a report, which is there as a whole or not
 * at all, and the signals that end the work on it. */
#ifndef REFEREE_REPORT_FILE_H
#define REFEREE_REPORT_FILE_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define REPORT_STDOUT "-" /* as a path */

/* SIGINT, SIGTERM and SIGHUP end nothing from now on.  A descriptor that is
 * readable once one of them has come. */
int report_hold_signals(void) MUST_CHECK;
/* They end the program again, at once if one has come. */
void report_let_signals(void);

/* -1 and an error if `stop` is readable, which may be -1; else 0. */
int report_go_on(int stop, struct error *why) MUST_CHECK;

/* Whether there is nothing at `path` yet, before all the work: 0, or -1 and an
 * error.  Standard output always is. */
int report_file_check(const char *path, struct error *why) MUST_CHECK;
/* Makes it under the name `path`.tmp, and then renames it.  Returns 0, or -1 and an
 * error: also if there is something at `path` by now, or if `stop` is readable;
 * there is no new file then.  After a kill `path`.tmp may be left. */
int report_file_write(const char *path, const struct text *text, int stop,
		      struct error *why) MUST_CHECK;

#endif
