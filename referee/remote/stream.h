/* referee/remote/stream.h - bytes over a socket that never blocks, plain or TLS.
 *
 * With TLS a read may wait for room and a write for bytes; the stream hides
 * this from its owner.  Bytes that stream_write() took have been handed to the
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

/* Results of a read or a write that moved nothing. */
enum {
	STREAM_AGAIN = 0,   /* not now; stream_ready() tells when */
	STREAM_END = -1,    /* read: the other side has ended */
	STREAM_BROKEN = -2, /* stream_why() says why */
};

/* The loop calls it; it may call stream_free().  `writable`: after a write that
 * did not take all, there may be room again.  Otherwise there may be something
 * to read: the call repeats until all was read, and stops after STREAM_END or
 * STREAM_BROKEN. */
typedef void stream_ready(void *arg, bool writable);

/* Takes over `fd`, a connected socket, even if it returns NULL (out of memory).
 * `tls` NULL: plain; otherwise reads and writes return STREAM_AGAIN until the
 * handshake is done.  `host`: see tls_connection(). */
struct stream *stream_new(struct loop *loop, int fd, const struct tls *tls,
			  const char *host, stream_ready *ready,
			  void *arg) MUST_CHECK;
/* Closes the stream at once. */
void stream_free(struct stream *stream);

/* Returns true if the stream is plain or the handshake is done. */
bool stream_is_open(const struct stream *stream);
/* Returns true if STREAM_END or STREAM_BROKEN was read: nothing more comes in. */
bool stream_has_ended(const struct stream *stream);
/* Returns true if the peer has reset the connection.  Its earlier bytes can
 * still be read, but nothing can reach it. */
bool stream_is_reset(const struct stream *stream);
int stream_fd(const struct stream *stream);
/* Move at most `n` bytes.  Return how many, or one of the results above. */
ssize_t stream_read(struct stream *stream, void *to, size_t n) MUST_CHECK;
ssize_t stream_write(struct stream *stream, const void *from,
		     size_t n) MUST_CHECK;
/* Pauses or continues reading.  During a pause the peer has to wait. */
void stream_pause(struct stream *stream, bool paused);
/* Ends sending.  Input is dropped from now on: call stream_drain() when the
 * stream is readable. */
void stream_shut(struct stream *stream);
/* Drops some of the input.  Returns how many bytes, or STREAM_END. */
ssize_t stream_drain(struct stream *stream) MUST_CHECK;
/* Returns why the stream is broken, as part of a sentence. */
const char *stream_why(const struct stream *stream);

#endif
