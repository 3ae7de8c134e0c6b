/* referee/queue/dispatch-queue.h - the queue as a place where games of the daemon are
 * played (referee/runner/dispatch.h): those of bots that were imported. */
#ifndef REFEREE_DISPATCH_QUEUE_H
#define REFEREE_DISPATCH_QUEUE_H

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/coordinator.h"
#include "referee/runner/dispatch.h"

/* A game of this ladder is over that nothing here has begun, or that was parked:
 * a game of the owner's, with its calls.  Its number and result come
 * afterwards, then over() is called.  NULL: there is no such ladder. */
typedef struct dispatched *dispatch_adopted(void *arg, const char *ladder,
					    const struct job *job);

/* From now on such games are played through the queue.  The coordinator is
 * borrowed until dispatch_free(); NULL and a sentence. */
struct coordinator *dispatch_open_queue(struct dispatch *dispatch,
					const struct coordinator_setup *setup,
					dispatch_adopted *adopted, void *arg,
					struct error *why) MUST_CHECK;

#endif
