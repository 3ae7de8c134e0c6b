/* referee/http/http-inside.h - connections over HTTP, between http.c, which
 * knows requests and answers, and http-connection.c, which lets them in and moves
 * their bytes. */
#ifndef REFEREE_HTTP_INSIDE_H
#define REFEREE_HTTP_INSIDE_H

#include <event2/event_struct.h>
#include <sys/queue.h>

#include "protocol/text.h"
#include "referee/base/worker-thread.h"
#include "referee/http/http-head.h"
#include "referee/http/http.h"

struct evbuffer;

enum http_state {
	HTTP_READING,	/* a head, or nothing yet */
	HTTP_ASKED,	/* the owner has the request */
	HTTP_BODY,	/* likewise, and its body is read */
	HTTP_WRITING,	/* the answer */
	HTTP_WATCHING,	/* it is sent events */
	HTTP_LINGERING, /* until its other side has ended, too */
};

struct http_piece {
	unsigned users;
	size_t n;
	char bytes[];
};

struct http_request {
	struct http_connection *connection;
	char *bytes; /* of the head; owned */
	struct http_head head;
	struct text added;	   /* headers of the answer */
	struct http_answer answer; /* while it is gzipped */
	enum http_cache cache;
	/* The body of a PUT. */
	http_body *body;
	void *arg;
	char *put; /* owned */
	size_t used;
	char sender[HTTP_SENDER_BYTES]; /* that it counts for */
	uint64_t since_us;		/* it is read */
	/* A refusal that comes late; NULL: there is none. */
	const char *late;
};

struct http_connection {
	TAILQ_ENTRY(http_connection) at;
	struct http *http;
	const struct listener *listener; /* NULL: it has gone */
	int fd;
	enum http_state state;
	struct event read, write, timer;
	struct event again; /* more has come than one request */
	struct evbuffer *in, *out;
	size_t scanned; /* of `in`, for http_head_find() */
	uint64_t until_us;
	struct address *address; /* that it counts for; NULL: for none now */
	char from[ADDRESS_TEXT_BYTES]; /* likewise */
	struct http_request *request;  /* owned; from its head to its answer */
	unsigned requests;	       /* so far */
	bool proxied;	/* each request counts for an address of its own */
	bool paused;	/* `read` is not waited for */
	bool ended;	/* nothing more comes in */
	bool closes;	/* after this answer */
	bool large;	/* its answer is */
	size_t packing; /* bytes of its answer that are gzipped now */
	size_t sending; /* bytes of its answer when that was ready */
	uint64_t sending_since_us;
	/* Of one who watches; what it was not told yet, about. */
	const struct http_watch *watch;
	void *watch_arg;
	size_t queued;
};

TAILQ_HEAD(http_connections, http_connection);

struct http {
	struct event_base *base;
	struct http_limits limits;
	struct addresses *addresses;
	struct networks proxies;
	http_allowed *allowed;
	http_asked *asked;
	refusal_told *refused;
	http_refusal_page *refusal_page; /* or NULL */
	void *arg;
	struct worker_thread *thread; /* or NULL */
	size_t put_bytes;	      /* 0: nothing may be put */
	unsigned char secret[16];     /* of ETags */
	struct listener *listener[HTTP_LISTENERS];
	struct http_connections connections; /* since when they are as they
					      * are: the oldest first */
	bool stopping;
	struct http_counts counts;
};

/* ---- http.c ----------------------------------------------------------- */

/* A request has come: answers it, now or later.  The connection may be gone
 * after that. */
void http_begin(struct http_request *request);
/* The head of an answer without a length, after which the connection ends: into
 * `out`.  True: that was all, for it was a HEAD. */
bool http_answer_head(struct http_request *request,
		      const char *type) MUST_CHECK;
/* A refusal as bytes, for those who have no connection to answer at. */
size_t http_refusal(char *to, size_t size, int code, const char *sentence);

/* ---- http-connection.c ------------------------------------------------ */

/* What is in `out` is the answer: the request is freed, and the connection may
 * be, too. */
void http_send(struct http_connection *connection);
/* Begins to read the body. */
void http_take_body(struct http_request *request);
/* http_refuse_wrong(): when it is due. */
void http_wait_ms(struct http_connection *connection, unsigned ms);
void http_close(struct http_connection *connection);

/* Appends it by reference. */
void http_piece_add(struct http_piece *piece, struct evbuffer *to);

#endif
