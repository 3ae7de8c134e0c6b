/* referee/import/upload.h - bots that are uploaded over HTTP: a process imports
 * each of them, one after the other, as `referee bots add` does it.
 *
 * One upload of each owner waits, and one of all bots without an owner; owners
 * take turns (referee/base/fair.h).  How many an owner may send in on a day is
 * its caller's to say; an import that takes long counts more than once.
 *
 * An archive is kept in memory until its turn has come.  The worker thread
 * writes to DATA/bots/NUMBER.upload that it was accepted, and then the outcome;
 * NUMBER is the bot's in the roster, which no rename changes.  What a daemon was
 * sent and did not live to import is told there when the next one starts, and in
 * the log (`upload-lost`). */
#ifndef REFEREE_UPLOAD_H
#define REFEREE_UPLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/base/worker-thread.h"
#include "referee/sandbox/sandbox.h"

struct uploads;

struct uploads *uploads_new(struct loop *loop, struct worker_thread *thread,
			    struct logger *logger, struct roster *roster,
			    const char *data) MUST_CHECK;
/* Ends the one that is imported; those that wait are lost. */
void uploads_free(struct uploads *uploads); /* NULL is fine */
/* From the next one on. */
void uploads_set(struct uploads *uploads, enum sandbox_want want,
		 enum sandbox_tier minimum);

/* The day that uploads count for: roster_add_upload(). */
int64_t uploads_today(void);
/* An archive of `n` bytes for this bot, copied.  It replaces one of the same
 * owner that waits, in its place; without an owner only one of the same bot.
 * NULL; or why not: a sentence. */
const char *uploads_take(struct uploads *uploads, const struct roster_bot *bot,
			 const char *bytes, size_t n) MUST_CHECK;
/* How many are imported before the one for the bot of this number; 0: it is
 * imported now; -1: there is none. */
int uploads_place(const struct uploads *uploads, int64_t bot);

#endif
