/* referee/runner/channel.h - messages between a referee and its workers.
 *
 *	JOB      to the worker: a game to play           job_write()
 *	ENTROPY  to the parent: what the seats gave, which it keeps before it
 *	         sends it back: then the cards are dealt
 *	RESULT  to the parent: the result of a game  job_result_write()
 *	RECEIPT  to the worker: the hash of its record, or that there is none
 *	LEAVE    to the worker, instead: that this is not known in time
 *	ENDED    to the parent: how a program ended after its game's result
 *	LOOK     to the worker: which game, from which byte of its body, and how
 *	         many microseconds ago: what may the public read of it?
 *	LOOKED   to the parent: that, and up to which byte it was read
 *	STOP     to the worker: abort all games (0) or that of a number, by a
 *	         word; without a word: no more jobs come, end when the last
 *	         program has left
 *
 * A message is its length, CHANNEL_VERSION, its kind (8 bytes each, as
 * wire.h has them), and what it says.  The channel never blocks. */
#ifndef REFEREE_CHANNEL_H
#define REFEREE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/job.h"

#define CHANNEL_VERSION 6
/* The longest message there is: a result. */
#define CHANNEL_BYTES RESULT_BYTES

enum channel_kind {
	CHANNEL_JOB,
	CHANNEL_ENTROPY,
	CHANNEL_RESULT,
	CHANNEL_RECEIPT,
	CHANNEL_LEAVE,
	CHANNEL_ENDED,
	CHANNEL_STOP,
	CHANNEL_LOOK,
	CHANNEL_LOOKED,
	CHANNEL_KINDS,
};

struct channel;

/* From the loop.  Neither may free the channel. */
struct channel_calls {
	/* `bytes` are the channel's and may be written to. */
	void (*message)(void *arg, enum channel_kind kind, char *bytes,
			size_t n);
	/* The other side has gone, or (`garbled`) has said what is no message:
	 * once, and nothing comes after it. */
	void (*gone)(void *arg, bool garbled);
};

/* The stream socket is the channel's from now on; `loop`, `calls` and `arg` are
 * borrowed until channel_free(). */
struct channel *channel_new(struct loop *loop, int fd,
			    const struct channel_calls *calls,
			    void *arg) MUST_CHECK;
/* Closes it; what has not left is lost. */
void channel_free(struct channel *channel);
void channel_send(struct channel *channel, enum channel_kind kind,
		  const struct text *what);
/* Whether all that was sent has left. */
bool channel_has_sent(const struct channel *channel) MUST_CHECK;

#endif
