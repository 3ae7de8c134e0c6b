/* referee/serve/standby.h - lets a daemon that waits for the queue follow the
 * one that has it: its data folder becomes a copy, and stays one.
 *
 * A thread does the work.  Notices of the database wake it, and it looks by
 * itself every STANDBY_POLL_MS. It writes how far it has come into the
 * database, for `referee queue show` and the other daemon. */
#ifndef REFEREE_STANDBY_H
#define REFEREE_STANDBY_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/config/serve-config.h"

#define STANDBY_POLL_MS 5000 /* looks this often, as a notice may be lost */
#define STANDBY_PAUSE_MS 200 /* between two looks */
#define STANDBY_TELL_S 60    /* between two lines in the log */

struct standby;

/* Begins to follow.  All arguments are borrowed.  Neither the roster nor a
 * ladder may be open.  Returns NULL and an error if that fails. */
struct standby *standby_new(struct loop *loop, struct logger *logger,
			    const struct config *config,
			    struct error *why) MUST_CHECK;
/* Stops soon and frees it.  The daemon goes on with the step that was left
 * unfinished.  NULL is allowed. */
void standby_free(struct standby *standby);

#endif
