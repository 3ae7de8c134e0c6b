/* referee/import/import-add.h - `referee bots add`, `referee bots log`: in the
 * process that runs them. */
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
	const char *name;   /* that it must have; or NULL */
	const char *ladder[CONFIG_LADDERS];
	unsigned ladders; /* none: all whose game it plays */
	enum sandbox_want want;
	enum sandbox_tier minimum;
	bool unchecked;
	/* Its sender has only a token (import_enter());
	 * nothing is built below tier B, and a reserve of the disk is kept. */
	bool upload;
};

/* 0, and the answer is appended to `out`; or -1 and an error, and `out` has what
 * the build or the check said.  ERROR_ANSWER: one of those two failed. */
int import_add(const struct import_order *order, struct text *out,
	       struct error *why) MUST_CHECK;

/* What is kept of the bot `name`: the output of its build, the report of its
 * check, what its games have left. */
int import_log(const char *data, const char *name, struct text *out,
	       struct error *why) MUST_CHECK;

/* Those of them that are files: of the bot of this number; the hash of its entry,
 * or "", and what that plays as.  What became of its last upload comes first. */
void import_add_logs(const char *data, int64_t bot, const char *hash,
		     const char *stands_as, struct text *out);

/* Appends lines of a stranger so that a terminal shows them, and does nothing
 * else (text_shown()); their last ends in a line feed. */
void import_add_escaped(struct text *to, const char *bytes, size_t n);

#endif
