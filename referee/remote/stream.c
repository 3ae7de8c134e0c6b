/* referee/remote/stream.c - reads and writes of a socket, and of TLS over it.
 *
 * Only arm() adds and deletes the two events, for reading and for writing, as
 * the state needs them. */
#include "referee/remote/stream.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/remote/tls.h"

#define DRAIN_BYTES 65536

struct stream {
	struct loop *loop;
	stream_ready *ready;
	void *arg;
	int fd;
	SSL *ssl;	       /* NULL: plain */
	bool open;	       /* plain, or the handshake is done */
	bool shaking;	       /* the handshake is under way */
	bool shake_writes;     /* the handshake waits for room */
	uint64_t stepped;      /* see loop_may_step() */
	bool server;	       /* we are the server of TLS */
	bool blocked;	       /* a write did not take all */
	bool write_waits_read; /* a write waits for bytes */
	bool read_waits_write; /* a read waits for room */
	bool paused;
	bool ended; /* nothing more can be read */
	bool shut;
	bool reading, writing; /* the events are armed */
	struct event read_event, write_event;
	char why[TLS_WHY_BYTES];
};

static void
arm_one(struct event *event, bool *armed, bool wanted)
{
	if (wanted && !*armed)
		event_add(event, NULL);
	else if (!wanted && *armed)
		event_del(event);
	*armed = wanted;
}

static void
arm(struct stream *stream)
{
	bool reading, writing;

	if (stream->shaking) {
		reading = !stream->shake_writes;
		writing = stream->shake_writes;
	} else {
		reading = !stream->paused || stream->write_waits_read;
		writing = (stream->blocked && !stream->write_waits_read) ||
			  (stream->read_waits_write && !stream->paused);
	}
	arm_one(&stream->read_event, &stream->reading,
		reading && !stream->ended);
	arm_one(&stream->write_event, &stream->writing, writing);
}

/* ---- TLS ------------------------------------------------------------ */

static ssize_t
broken(struct stream *stream)
{
	long verified;
	int error = errno;

	if (stream->why[0] == '\0') {
		verified = stream->ssl == NULL
				   ? X509_V_OK
				   : SSL_get_verify_result(stream->ssl);
		if (verified != X509_V_OK)
			snprintf(stream->why, sizeof(stream->why),
				 "certificate: %s",
				 X509_verify_cert_error_string(verified));
		else
			snprintf(stream->why, sizeof(stream->why), "%s",
				 stream->ssl != NULL &&
						 ERR_peek_last_error() != 0
					 ? tls_reason()
				 : error == 0 ? "the other side closed it"
					      : strerror(error));
	}
	return STREAM_BROKEN;
}

/* Returns the result of a call that moved `done` bytes.  Sets `*waits_other` if
 * the call waits for the other direction, `other`. */
static ssize_t
tls_result(struct stream *stream, int result, size_t done, int other,
	   bool *waits_other)
{
	int error = SSL_get_error(stream->ssl, result);

	*waits_other = error == other;
	switch (error) {
	case SSL_ERROR_NONE:
		return (ssize_t)done;
	case SSL_ERROR_WANT_READ:
	case SSL_ERROR_WANT_WRITE:
		return STREAM_AGAIN;
	case SSL_ERROR_ZERO_RETURN:
		return STREAM_END;
	default:
		return broken(stream);
	}
}

static ssize_t
tls_read(struct stream *stream, void *to, size_t n)
{
	size_t done = 0;
	int result;

	ERR_clear_error();
	errno = 0;
	result = SSL_read_ex(stream->ssl, to, n, &done);
	return tls_result(stream, result, done, SSL_ERROR_WANT_WRITE,
			  &stream->read_waits_write);
}

static ssize_t
tls_write(struct stream *stream, const void *from, size_t n)
{
	size_t done = 0;
	int result;

	ERR_clear_error();
	errno = 0;
	result = SSL_write_ex(stream->ssl, from, n, &done);
	return tls_result(stream, result, done, SSL_ERROR_WANT_READ,
			  &stream->write_waits_read);
}

/* Tells a bot that has begun without TLS, in plain text.  Returns true if it
 * did. */
static bool
spoke_plainly(struct stream *stream)
{
	static const char hello[] = "bot ";
	static const char answer[] = "error again=no this port takes TLS "
				     "alone: connect with --tls\nbye\n";
	char first[1024];

	if (recv(stream->fd, first, sizeof(hello) - 1, MSG_PEEK) !=
		    sizeof(hello) - 1 ||
	    memcmp(first, hello, sizeof(hello) - 1) != 0)
		return false;
	/* Unread bytes would cause a reset, which loses the answer. */
	if (recv(stream->fd, first, sizeof(first), MSG_DONTWAIT) > 0)
		(void)!send(stream->fd, answer, sizeof(answer) - 1,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
	snprintf(stream->why, sizeof(stream->why), "it speaks without TLS");
	return true;
}

/* Continues the handshake.  Returns true when it has ended, well or badly. */
static bool
shake_hands(struct stream *stream)
{
	int result;

	if (stream->server && spoke_plainly(stream)) {
		broken(stream);
		return true;
	}
	ERR_clear_error();
	errno = 0;
	result = SSL_do_handshake(stream->ssl);
	if (result == 1) {
		stream->open = true;
		return true;
	}
	if (tls_result(stream, result, 0, SSL_ERROR_WANT_WRITE,
		       &stream->shake_writes) == STREAM_AGAIN)
		return false;
	broken(stream); /* the farewell may have come in the handshake */
	return true;
}

/* ---- events --------------------------------------------------------- */

/* Reports what no event of the socket will: OpenSSL holds bytes, or has failed
 * and must not be used any more. */
static void
tell_pending(struct stream *stream)
{
	if (stream->paused || stream->ended || stream->shut ||
	    stream->ssl == NULL || stream->shaking)
		return;
	if (stream->why[0] != '\0' || SSL_pending(stream->ssl) > 0)
		event_active(&stream->read_event, EV_READ, 1);
}

/* Reports one thing at a time, because the owner may free the stream.  An event
 * comes again as long as there is a reason for it. */
static void
on_event(evutil_socket_t fd UNUSED, short what, void *arg)
{
	struct stream *stream = arg;
	bool write_waits = stream->write_waits_read;

	if (stream->shaking) {
		if (!loop_may_step(stream->loop, &stream->stepped))
			return;
		stream->shaking = !shake_hands(stream);
		arm(stream);
		tell_pending(stream);
	} else if (stream->blocked &&
		   what & (write_waits ? EV_READ : EV_WRITE)) {
		stream->ready(stream->arg, true);
	} else if (!stream->paused && !stream->ended &&
		   (what & EV_READ || stream->read_waits_write)) {
		stream->ready(stream->arg, false);
	} else {
		arm(stream);
	}
}

/* ---- for the owner -------------------------------------------------- */

struct stream *
stream_new(struct loop *loop, int fd, const struct tls *tls, const char *host,
	   stream_ready *ready, void *arg)
{
	struct stream *stream = memory(NULL, sizeof(*stream));

	*stream = (struct stream){
		.loop = loop, .ready = ready, .arg = arg, .fd = fd, .open = true
	};
	if (tls != NULL) {
		stream->ssl = tls_connection(tls, fd, host);
		if (stream->ssl == NULL) {
			close(fd);
			free(stream);
			return NULL;
		}
		stream->open = false;
		stream->shaking = true;
		stream->shake_writes = tls->client;
		stream->server = !tls->client;
	}
	event_assign(&stream->read_event, loop->base, fd, EV_READ | EV_PERSIST,
		     on_event, stream);
	event_assign(&stream->write_event, loop->base, fd,
		     EV_WRITE | EV_PERSIST, on_event, stream);
	arm(stream);
	return stream;
}

void
stream_free(struct stream *stream)
{
	if (stream == NULL)
		return;
	event_del(&stream->read_event);
	event_del(&stream->write_event);
	SSL_free(stream->ssl);
	ERR_clear_error();
	close(stream->fd);
	free(stream);
}

bool
stream_is_open(const struct stream *stream)
{
	return stream->open;
}

bool
stream_is_reset(const struct stream *stream)
{
	struct pollfd look = { .fd = stream_fd(stream) };

	return poll(&look, 1, 0) == 1 && look.revents & POLLERR;
}

bool
stream_has_ended(const struct stream *stream)
{
	return stream->ended;
}

int
stream_fd(const struct stream *stream)
{
	return stream->fd;
}

ssize_t
stream_read(struct stream *stream, void *to, size_t n)
{
	ssize_t done;

	if (stream->shaking)
		return STREAM_AGAIN;
	if (stream->why[0] != '\0') {
		done = STREAM_BROKEN;
	} else if (stream->ssl != NULL) {
		done = tls_read(stream, to, n);
	} else {
		done = read(stream->fd, to, n);
		if (done < 0 && (errno == EAGAIN || errno == EINTR))
			return STREAM_AGAIN;
		if (done < 0)
			done = broken(stream);
		else if (done == 0)
			done = STREAM_END;
	}
	stream->ended = done == STREAM_END || done == STREAM_BROKEN;
	arm(stream);
	tell_pending(stream);
	return done;
}

ssize_t
stream_write(struct stream *stream, const void *from, size_t n)
{
	ssize_t done;

	if (stream->shaking) {
		stream->blocked = true;
		return STREAM_AGAIN;
	}
	if (stream->why[0] != '\0') {
		done = STREAM_BROKEN;
	} else if (stream->ssl != NULL) {
		done = tls_write(stream, from, n);
	} else {
		done = write(stream->fd, from, n);
		if (done < 0)
			done = errno == EAGAIN || errno == EINTR
				       ? STREAM_AGAIN
				       : STREAM_BROKEN;
	}
	stream->blocked = done >= 0 && (size_t)done < n;
	arm(stream);
	tell_pending(stream);
	return done;
}

void
stream_pause(struct stream *stream, bool paused)
{
	stream->paused = paused;
	arm(stream);
	tell_pending(stream);
}

void
stream_shut(struct stream *stream)
{
	if (stream->ssl != NULL && !stream->shaking && stream->why[0] == '\0') {
		ERR_clear_error();
		SSL_shutdown(stream->ssl);
		ERR_clear_error();
	}
	shutdown(stream->fd, SHUT_WR);
	stream->shut = true;
	stream->shaking = stream->paused = stream->blocked = false;
	stream->read_waits_write = stream->write_waits_read = false;
	arm(stream);
}

ssize_t
stream_drain(struct stream *stream)
{
	char bytes[4096];
	size_t sum = 0;
	ssize_t n;

	while ((n = read(stream->fd, bytes, sizeof(bytes))) > 0)
		if ((sum += (size_t)n) >= DRAIN_BYTES)
			return (ssize_t)sum;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return (ssize_t)sum;
	stream->ended = true;
	arm(stream);
	return STREAM_END;
}

const char *
stream_why(const struct stream *stream)
{
	return stream->why[0] == '\0' ? "the other side closed it"
				      : stream->why;
}
