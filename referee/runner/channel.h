/* referee/runner/channel.h - messages between a referee and its workers.
 *
 * JOB to the worker: a game to play job_write() ENTROPY to the parent: the
 * entropy of the seats, which the parent keeps before it sends it back; then
 * the cards are dealt RESULT to the parent: the result of a game
 * job_result_write() RECEIPT to the worker: the hash of the game's record, or
 * that there is none LEAVE to the worker, instead: the hash is not known in
 * time ENDED to the parent: how a program ended after its game's result LOOK to
 * the worker: which game, from which byte of its body, and how many
 * microseconds ago: what may the public read of it?  LOOKED to the parent:
 * that, and up to which byte it was read STOP to the worker: abort all games
 * (0) or that of a number, by a word; without a word: no more jobs come, end
 * when the last program has left
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
/* The longest message: a result. */
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

/* The loop calls these.  Neither may free the channel. */
struct channel_calls {
	/* The channel owns `bytes`; they may be written to. */
	void (*message)(void *arg, enum channel_kind kind, char *bytes,
			size_t n);
	/* The other side has gone, or (`garbled`) has sent an invalid message.
	 * Called once, as the last call. */
	void (*gone)(void *arg, bool garbled);
};

/* Takes over the stream socket `fd`.  `loop`, `calls` and `arg` are borrowed
 * until channel_free(). */
struct channel *channel_new(struct loop *loop, int fd,
			    const struct channel_calls *calls,
			    void *arg) MUST_CHECK;
/* Closes the channel.  What has not left is lost. */
void channel_free(struct channel *channel);
void channel_send(struct channel *channel, enum channel_kind kind,
		  const struct text *what);
/* Returns true if all that was sent has left. */
bool channel_has_sent(const struct channel *channel) MUST_CHECK;

#endif
