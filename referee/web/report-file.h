/* referee/web/report-file.h - writes the file of a report as a whole or not at
 * all, and holds the signals that end the work on it. */
#ifndef REFEREE_REPORT_FILE_H
#define REFEREE_REPORT_FILE_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define REPORT_STDOUT "-" /* the path of standard output */

/* Holds SIGINT, SIGTERM and SIGHUP from now on.  Returns a descriptor that can
 * be read once one of them has come. */
int report_hold_signals(void) MUST_CHECK;
/* Lets these signals end the program again, at once if one has come. */
void report_let_signals(void);

/* Returns -1 and an error if `stop` can be read, else 0.  `stop` may be -1. */
int report_go_on(int stop, struct error *why) MUST_CHECK;

/* Checks before all the work that there is nothing at `path` yet.  Returns 0,
 * or -1 and an error.  Standard output is always accepted. */
int report_file_check(const char *path, struct error *why) MUST_CHECK;
/* Writes the file under the name `path`.tmp, and then renames it.  Returns 0,
 * or -1 and an error, also if there is something at `path` by now, or if `stop`
 * can be read; then there is no new file.  After a kill `path`.tmp may be left. */
int report_file_write(const char *path, const struct text *text, int stop,
		      struct error *why) MUST_CHECK;

#endif
