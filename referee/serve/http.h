/* referee/serve/http.h - an HTTP server: which requests are allowed, from how
 * many, for how long; its owner gives the answers.
 *
 * For each path the owner says whether GET and HEAD are allowed and whether PUT
 * is; any other request gets 405 and a header Allow with the methods that are
 * allowed.  One answer for each connection, which then ends.  A connection has
 * a fixed time from its beginning to its end, whatever it sends.  At the limit
 * of connections no other is accepted until one has gone: they wait in the
 * kernel.  A visitor from an address at its own limit gets 429 and is turned
 * away; a connection counts until its request is answered, even if it has ended
 * before.
 */
#ifndef REFEREE_HTTP_H
#define REFEREE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/serve/http-visit.h"

struct addresses;
struct event_base;
struct evhttp_request;
struct evhttp_bound_socket;
struct http;

/* A client wants to read `path`, which begins with a slash, is decoded, has no
 * query, and only printable ASCII in it.  http_answer() or http_refuse()
 * follows, now or later. */
typedef void http_asked(void *arg, struct evhttp_request *request,
			const char *path);

/* What may be done with a path. */
enum http_methods {
	HTTP_NOTHING, /* there is no such path: the owner is asked, and refuses
		       */
	HTTP_READ,    /* GET and HEAD */
	HTTP_READ_PUT,
};
typedef enum http_methods http_allowed(void *arg, const char *path);

/* `addresses`, where wrong tokens are counted, are borrowed until
 * http_free().  `refused` is told of connections that are turned away and of
 * wrong tokens.  `asked` is only called for what is `allowed`, or for paths that
 * there are not. */
struct http *http_new(struct event_base *base, const struct http_limits *limits,
		      struct addresses *addresses, http_allowed *allowed,
		      http_asked *asked, refusal_told *refused,
		      void *arg) MUST_CHECK;
/* What is PUT has at most so many bytes; 0: nothing may be PUT. */
void http_set_put(struct http *http, size_t bytes);
bool http_is_put(struct evhttp_request *request);
/* For those who come from now on. */
void http_set_each_address(struct http *http, unsigned each_address);
/* Closes all listeners and connections; no request may wait for its answer. */
void http_free(struct http *http); /* NULL is fine */

/* Listens at an address in digits; or at a descriptor that listens already,
 * which is ours from now on, also at NULL.  NULL and a sentence. */
struct evhttp_bound_socket *http_listen(struct http *http, const char *address,
					unsigned port,
					struct error *why) MUST_CHECK;
struct evhttp_bound_socket *http_adopt(struct http *http, int fd,
				       struct error *why) MUST_CHECK;
void http_unlisten(struct http *http, struct evhttp_bound_socket *bound);
unsigned http_port(struct evhttp_bound_socket *bound);

/* A header of a request, and a value of its query (`?name=value`): 1, and it is
 * in `value`; 0: there is none; -1: there are several, or it is none of less
 * than `size` printable ASCII. */
int http_header(struct evhttp_request *request, const char *name, char *value,
		size_t size) MUST_CHECK;
int http_query(struct evhttp_request *request, const char *name, char *value,
	       size_t size) MUST_CHECK;

/* Before a large answer is made: false if too many are on their way, and it is
 * to be refused. */
bool http_expect_large(struct http *http,
		       struct evhttp_request *request) MUST_CHECK;
/* Goes with the answer, which follows. */
void http_add_header(struct evhttp_request *request, const char *name,
		     const char *value);
/* 200 and `n` bytes of this type. */
void http_answer(struct http *http, struct evhttp_request *request,
		 const char *type, const char *bytes, size_t n);
/* 202 and a line, with its LF: it is done later. */
void http_accept(struct http *http, struct evhttp_request *request,
		 const char *text);
/* A number of 400 or more and a sentence, without its point. */
void http_refuse(struct http *http, struct evhttp_request *request, int code,
		 const char *sentence);
/* 401, for a wrong token of that bot: as late as the address deserves, and
 * counted.  `sentence` is a constant. */
void http_refuse_wrong(struct http *http, struct evhttp_request *request,
		       const char *bot, const char *sentence);

/* Open connections. */
unsigned http_count(const struct http *http);
/* Requests that were answered with 200, and with anything else by us. */
uint64_t http_answered(const struct http *http);
uint64_t http_refused(const struct http *http);

#endif
