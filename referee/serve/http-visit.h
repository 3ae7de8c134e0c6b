/* referee/serve/http-visit.h - the connections of HTTP: how many, how long, from
 * where, and how much at a time.
 *
 * evhttp does not report them.  A visit lasts from the accept until evhttp has
 * closed the connection and its request, if it sent one, is answered. */
#ifndef REFEREE_HTTP_VISIT_H
#define REFEREE_HTTP_VISIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/net/address.h"
#include "referee/net/refusal.h"

#define HTTP_LISTENERS 16
#define HTTP_BODY_BYTES 1024 /* read, and refused, where nothing may be put */

struct event_base;
struct evhttp;
struct evhttp_bound_socket;
struct evhttp_request;
struct visits;

struct http_limits {
	unsigned connections;
	unsigned each_address; /* from one; as at the door, not of local ones */
	unsigned ms;	       /* of one connection */
	size_t head_bytes;     /* of a request */
	unsigned pause_ms;     /* without descriptors */
	/* Large answers that are made or sent, in all and to one address. */
	unsigned large, large_each;
};
extern const struct http_limits http_limits;

/* The answer to a request with a wrong token, which was late. */
typedef void visits_refuse(void *arg, struct evhttp_request *request,
			   const char *sentence);

/* Before the first listener.  All but the limits is borrowed. */
struct visits *visits_new(struct event_base *base, struct evhttp *evhttp,
			  const struct http_limits *limits,
			  struct addresses *addresses, visits_refuse *refuse,
			  refusal_told *refused, void *arg) MUST_CHECK;
/* Refuses what waits for its late refusal; all others were answered.  After
 * that evhttp may be freed, then visits_free(). */
void visits_end(struct visits *visits);
void visits_free(struct visits *visits);

/* A listener has come, or goes. */
void visits_listen(struct visits *visits, struct evhttp_bound_socket *bound);
void visits_unlisten(struct visits *visits, struct evhttp_bound_socket *bound);
void visits_set_each_address(struct visits *visits, unsigned each_address);

/* This request waits for its answer from now on.  False: it may not, and is
 * refused. */
bool visits_ask(struct visits *visits,
		struct evhttp_request *request) MUST_CHECK;
/* Its answer leaves. */
void visits_answered(struct visits *visits, struct evhttp_request *request,
		     bool refused);
/* http_expect_large() and http_refuse_wrong(). */
bool visits_expect_large(struct visits *visits,
			 struct evhttp_request *request) MUST_CHECK;
void visits_refuse_wrong(struct visits *visits, struct evhttp_request *request,
			 const char *bot, const char *sentence);

unsigned visits_count(const struct visits *visits);
/* Those that were turned away. */
uint64_t visits_refused(const struct visits *visits);

#endif
