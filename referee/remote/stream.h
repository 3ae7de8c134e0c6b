/* referee/remote/stream.h - bytes over a socket that never blocks, plain or TLS.
 *
 * With TLS both directions may have to wait for either; the stream knows, its
 * owner does not notice.  What stream_write() took has been handed to the
 * kernel. */
#ifndef REFEREE_STREAM_H
#define REFEREE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/base/loop.h"

struct stream;
struct tls;

/* What a read or a write comes to if it moved nothing. */
enum {
	STREAM_AGAIN = 0,   /* not now; a call below tells when */
	STREAM_END = -1,    /* read: the other side has ended */
	STREAM_BROKEN = -2, /* stream_why() says why */
};

/* By the loop; it may call stream_free().  `writable`: after a write that did
 * not take all, there may be room again.  Else there may be something to read:
 * that comes again if not all was read, and no more after STREAM_END or
 * STREAM_BROKEN. */
typedef void stream_ready(void *arg, bool writable);

/* `fd`, a connected socket, is the stream's from now on, also if NULL comes
 * back (out of memory).  `tls` NULL: plain; else reads and writes come to
 * STREAM_AGAIN until hands are shaken.  `host`: see tls_connection(). */
struct stream *stream_new(struct loop *loop, int fd, const struct tls *tls,
			  const char *host, stream_ready *ready,
			  void *arg) MUST_CHECK;
/* Closes it at once. */
void stream_free(struct stream *stream);

/* It is plain, or hands have been shaken. */
bool stream_is_open(const struct stream *stream);
/* Nothing more comes in: STREAM_END or STREAM_BROKEN was read. */
bool stream_has_ended(const struct stream *stream);
/* The peer has thrown the connection away.  What it said before can still be
 * read, but nothing can reach it. */
bool stream_is_reset(const struct stream *stream);
int stream_fd(const struct stream *stream);
/* At most `n` bytes: how many, or one of the above. */
ssize_t stream_read(struct stream *stream, void *to, size_t n) MUST_CHECK;
ssize_t stream_write(struct stream *stream, const void *from,
		     size_t n) MUST_CHECK;
/* While it is paused, nothing is told to be readable and the peer has to wait. */
void stream_pause(struct stream *stream, bool paused);
/* Nothing more is sent.  What comes in is dropped from now on; stream_drain()
 * when it is readable. */
void stream_shut(struct stream *stream);
/* Drops some of what came in: how many bytes, or STREAM_END. */
ssize_t stream_drain(struct stream *stream) MUST_CHECK;
/* Why it is broken; part of a sentence. */
const char *stream_why(const struct stream *stream);

#endif
