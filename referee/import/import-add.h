/* referee/import/import-add.h - `referee bots add` and `referee bots log`, in
 * the process that runs them. */
#ifndef REFEREE_IMPORT_ADD_H
#define REFEREE_IMPORT_ADD_H

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/serve-limits.h"
#include "referee/data/control.h"
#include "referee/sandbox/sandbox.h"

struct import_order {
	const char *data;
	const char *source; /* a folder or an archive */
	const char *name;   /* the name that it must have, or NULL */
	const char *ladder[CONFIG_LADDERS];
	unsigned ladders; /* none: all ladders whose game it plays */
	enum sandbox_want want;
	enum sandbox_tier minimum;
	bool unchecked;
	/* The sender has only a token (import_enter()).  Nothing is built below
	 * tier B, and a part of the disk stays free. */
	bool upload;
	bool trial; /* an upload that the daemon plays in a trial */
};

/* Imports a bot.  Returns 0 and appends the answer to `out`; or -1 and an
 * error, and appends what the build or the check said.  ERROR_ANSWER means that
 * one of those two failed. */
int import_add(const struct import_order *order, struct text *out,
	       struct error *why) MUST_CHECK;

/* Appends what is kept of the bot `name`: the output of its build, the report
 * of its check, and the logs of its games.  Returns 0, or -1 and an error. */
int import_log(const char *data, const char *name, struct text *out,
	       struct error *why) MUST_CHECK;

/* Appends the logs that are files, for the bot of this number.  `hash` is that
 * of its entry, or ""; `stands_as` is the name that the entry plays as.  The
 * outcome of its last upload comes first. */
void import_add_logs(const char *data, int64_t bot, const char *hash,
		     const char *stands_as, struct text *out);

/* Appends the logs of the build and the check in this folder of incoming or of
 * bots, each under the name of its bot, such as "alice.2". */
void import_add_logs_of(const char *folder, const char *whose,
			struct text *out);

/* Appends lines of a stranger in a form that a terminal only shows
 * (text_shown()).  The last one ends in a line feed. */
void import_add_escaped(struct text *to, const char *bytes, size_t n);

#endif
