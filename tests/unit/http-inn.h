/* tests/unit/http-inn.h - an HTTP server and its clients, all in one process. */
#ifndef TESTS_UNIT_HTTP_INN_H
#define TESTS_UNIT_HTTP_INN_H

#include <criterion/criterion.h>
#include <stdbool.h>

#include "protocol/limits.h"
#include "referee/base/address.h"
#include "referee/http/http.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/net-kit.h"

#define ASKED_MAX 64

/* Holds a host that answers each path with itself, or keeps the request. */
struct inn {
	struct loop loop;
	struct addresses *addresses;
	struct http *http;
	struct http_limits limits;
	struct listener *bound;
	bool keeps;
	unsigned count;
	struct http_request *asked[ASKED_MAX];
	char path[256];	       /* of the last */
	enum http_cache cache; /* of all answers */
	const char *type;      /* of all answers; NULL: text/plain */
	/* Counts refusals, and holds the last `KIND FROM BOT: WHY`, without its
	 * port. */
	unsigned refused;
	char refusal[256];
	unsigned descriptors;
};

extern struct inn inn;

/* Call inn_begin() first; set limits before inn_open(). */
void inn_begin(void);
void inn_open(void);
/* Ends the inn and checks that nothing has leaked. */
void inn_end(void);
/* Answers with 200 and this text. */
void inn_reply(struct http_request *request, const char *text);
void inn_pass(unsigned n);

/* These return the socket of a client from 127.0.0.LAST that sends this, or
 * asks for this path. */
int inn_come(unsigned last);
int inn_say(unsigned last, const char *text);
int inn_ask(unsigned last, const char *path);
/* Returns true if the client's connection is open and nothing has come. */
bool inn_waits(int fd);
/* These return all that the client is sent until the end (borrowed), and the
 * code of the answer; 0: there is none.  They close the socket. */
const char *inn_answer(int fd);
int inn_code(int fd);
/* Reads up to and with these bytes. */
void inn_skip(int fd, const char *end);
void inn_expect_part(const char *text, const char *part);

#endif
