/* referee/import/upload.h - imports bots that are uploaded over HTTP, one after
 * the other, each in a process of its own, as `referee bots add` does.
 *
 * One upload of each owner waits, and one of all bots without an owner; owners
 * take turns (referee/base/fair.h).  When UPLOADS_WAITING wait, one makes room: the
 * last from an address that has more than UPLOADS_WAITING_PER_ADDRESS of the places,
 * for one from an address that has at least two fewer, if its own owner has sent in
 * at least as much today; else that of the owner who has sent in most today, for an
 * owner who has sent in less.  The caller counts and limits the uploads of an owner
 * in a day.  A long import counts more than once.
 *
 * An archive is kept in memory until its turn has come.  The thread
 * writes to DATA/bots/NUMBER.upload that it was accepted, and then the outcome;
 * NUMBER is the bot's in the roster, which no rename changes.  It tells of the last
 * upload of the bot: an import during which another one came leaves it alone.  If a
 * daemon dies before an import has finished, the next one writes that there at its
 * start, and to the log (`upload-lost`). */
#ifndef REFEREE_UPLOAD_H
#define REFEREE_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/base/thread.h"
#include "referee/sandbox/sandbox.h"

/* The file of an upload that failed begins with this; a sentence follows in its first
 * line. */
#define UPLOAD_FAILED "Not imported: "

struct uploads;

struct uploads *uploads_new(struct loop *loop, struct thread *thread,
			    struct logger *logger, struct roster *roster,
			    const char *data) MUST_CHECK;
/* Ends the running import.  Waiting uploads are lost. */
void uploads_free(struct uploads *uploads); /* may be NULL */
/* Sets the sandbox from the next import on. */
void uploads_set(struct uploads *uploads, enum sandbox_want want,
		 enum sandbox_tier minimum);

#define UPLOAD_FROM_BYTES 64

/* The sender of an upload (roster_by()), and the address that it counts for; "" is
 * not counted. */
struct upload_sender {
	char by[ROSTER_BY_BYTES + 1], from[UPLOAD_FROM_BYTES];
};

/* Returns NULL if an archive of this bot would find a place now, sent from this
 * address, of an owner who has sent in so many today with it; else a sentence that says
 * why not. */
const char *uploads_full(const struct uploads *uploads,
			 const struct roster_bot *bot, const char *from,
			 int64_t sent) MUST_CHECK;
/* Takes a copy of an archive of `n` bytes for this bot.  It takes the place of
 * a waiting one of the same owner; without an owner only of one for the same
 * bot.  With `trial` it is not entered, but handed to the trials (trials.h).
 * Returns NULL, or a sentence that says why not. */
const char *uploads_take(struct uploads *uploads, const struct roster_bot *bot,
			 const struct upload_sender *sender, bool trial,
			 const char *bytes, size_t n) MUST_CHECK;
/* Returns who has sent the upload that is being imported now, borrowed, if that is
 * for the bot `name`; else NULL. */
const char *uploads_by(const struct uploads *uploads,
		       const char *name) MUST_CHECK;
enum upload_at { UPLOAD_GONE, UPLOAD_WAITS, UPLOAD_NOW };

/* Returns the number of the upload that was taken last.  A daemon gives each another
 * one, from 1 on. */
uint64_t uploads_last(const struct uploads *uploads) MUST_CHECK;
/* Returns whether the upload with this number waits or is being imported. */
enum upload_at uploads_find(const struct uploads *uploads,
			    uint64_t number) MUST_CHECK;
/* Returns how many imports come before that of the bot with this number; 0 if
 * it is being imported; -1 if there is none. */
int uploads_place(const struct uploads *uploads, int64_t bot);
/* Returns the name of the bot, borrowed, whose waiting upload that of the bot with
 * this number has replaced; NULL if it has not, or is over. */
const char *uploads_replaced(const struct uploads *uploads,
			     int64_t bot) MUST_CHECK;

#endif
