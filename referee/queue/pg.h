/* referee/queue/pg.h - one connection to PostgreSQL, in our loop or for a
 * thread that may wait.
 *
 * Each statement is a transaction of its own.  Steps that belong together are
 * one statement or a function of the database.  All parameters and results are
 * binary.  Each request has exactly one answer, which says if it has happened.
 * That may be unknown, because a connection can be lost between the commit and
 * its answer. */
#ifndef REFEREE_PG_H
#define REFEREE_PG_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

#define PG_PARAMS 12	/* parameters of a statement */
#define PG_CONNECT_S 10 /* time for a host, unless connect_timeout is given */
#define PG_ANSWER_MS 20000   /* silence after which a connection is lost */
#define PG_STATEMENT_MS 5000 /* time limit of a statement in the database */
#define PG_GONE_MS 15000 /* silence of a client after which its session ends */
#define PG_PROBE_S 3	 /* between two keep-alive probes */
#define PG_AGAIN_MS 500	 /* pause of pg_line_again() */
#define PG_RETRY_MS 200	 /* wait before connecting again; doubles */
#define PG_RETRY_MAX_MS 5000 /* up to this */

enum pg_outcome {
	PG_DONE,    /* done and committed */
	PG_REFUSED, /* the database refuses; nothing has happened */
	PG_UNKNOWN, /* sent, but not answered: it may have happened */
	/* Nothing has happened: it was not sent, or the database cannot do it
	 * now (a full disk, a deadlock, read only).  In the second case the
	 * connection is closed, and the next one may find another database. */
	PG_UNSENT,
};

struct pg_answer {
	enum pg_outcome outcome;
	char state[6];	  /* SQLSTATE, if the database sent one; else "" */
	const char *why;  /* a sentence, unless done; borrowed */
	PGresult *result; /* if done; borrowed */
};

struct pg_piece {
	const char *bytes; /* NULL for SQL's NULL; no NUL follows the bytes */
	size_t n;
};

/* ---- what an answer says ---------------------------------------------- */

/* Returns the number of rows; 0 unless the answer is done. */
unsigned pg_rows(const struct pg_answer *answer) MUST_CHECK;
/* Return the value of a row's column, borrowed.  SQL's NULL is 0, "" or no
 * bytes.  A column of another type is a bug(). */
bool pg_null(const struct pg_answer *answer, unsigned row,
	     unsigned column) MUST_CHECK;
/* bool, int2, int4, int8 */
int64_t pg_number(const struct pg_answer *answer, unsigned row,
		  unsigned column) MUST_CHECK;
/* float8 */
double pg_real(const struct pg_answer *answer, unsigned row,
	       unsigned column) MUST_CHECK;
/* text */
const char *pg_string(const struct pg_answer *answer, unsigned row,
		      unsigned column) MUST_CHECK;
/* bytea, text */
const char *pg_bytes(const struct pg_answer *answer, unsigned row,
		     unsigned column, size_t *n) MUST_CHECK;
/* text[], bytea[]: returns the number of elements and stores the first `max` in
 * `item`. */
unsigned pg_list(const struct pg_answer *answer, unsigned row, unsigned column,
		 struct pg_piece item[], unsigned max) MUST_CHECK;

/* Returns false and an error if this is no conninfo. */
bool pg_conninfo_holds(const char *conninfo, struct error *why) MUST_CHECK;

/* ---- in the loop ------------------------------------------------------ */

/* The loop makes these calls.  Each may be NULL. None may free the connection. */
struct pg_calls {
	/* Connected: a new session has begun and listens already. */
	void (*up)(void *arg);
	/* The connection is lost, and all requests have been answered.  It is
	 * also called once if the first attempt to connect fails.  In both
	 * cases it will be tried again. */
	void (*down)(void *arg, const char *why);
	void (*notice)(void *arg, const char *channel, const char *payload);
};

struct pg;
/* Connects from now on, and again whenever the connection is lost, as libpq
 * reads `conninfo`: "host=db1,db2 dbname=referee" or a URI. `name` is our name
 * in the database.  `listen` holds the channels whose notices are passed on; it
 * ends with NULL or is NULL. All arguments but `calls` are copied.  Returns
 * NULL if this is no conninfo, or if no thread can be made to connect. */
struct pg *pg_new(struct loop *loop, const char *conninfo, const char *name,
		  const char *const listen[], const struct pg_calls *calls,
		  void *arg, struct error *why) MUST_CHECK;
/* Frees it without waiting; no request is answered any more.  NULL is allowed. */
void pg_free(struct pg *pg);
bool pg_is_up(const struct pg *pg) MUST_CHECK;

typedef void pg_call(void *arg, const struct pg_answer *answer);

/* Sends a statement.  The loop passes its answer to `call`, unless that is
 * NULL, in the order of the requests and never from within this function.
 * While there is no connection the answer is PG_UNSENT: ask again after up().
 * `types` has a letter for each of $1, $2, ..., which are copied:
 *
 *	i  int64_t			int8
 *	f  double			float8
 *	s  const char *			text; NULL is NULL; a byte that is no UTF-8
 *					becomes a question mark
 *	b  const void *, size_t		bytea; NULL is NULL
 *	I  const int64_t *, size_t	int8[]
 *	S  const char *const *, size_t	text[]; NULL and bytes as s
 *	B  const struct pg_piece *, size_t	bytea[] */
void pg_ask(struct pg *pg, pg_call *call, void *arg, const char *sql,
	    const char *types, ...);

/* ---- for who may wait ------------------------------------------------- */

/* A connection that waits, for one thread at a time. */
struct pg_line;
/* Makes one without connecting yet.  Returns NULL and an error if this is no
 * conninfo. */
struct pg_line *pg_line_new(const char *conninfo, const char *name,
			    struct error *why) MUST_CHECK;
void pg_line_free(struct pg_line *line); /* NULL is allowed */
/* Connects if need be, in one attempt, and waits for the answer, which is
 * borrowed until the next call. */
const struct pg_answer *pg_line_ask(struct pg_line *line, const char *sql,
				    const char *types, ...);
/* Runs statements without parameters in one transaction.  We wait without a
 * limit, and so does the database if the statements set that. */
const struct pg_answer *pg_line_run(struct pg_line *line, const char *sql);
/* Call it for a statement that may run twice without harm.  Returns true, after
 * a pause, if it must be asked again because it has not happened or that is not
 * known.  `*tries` is 0 at first; after `most` tries it returns false. */
bool pg_line_again(const struct pg_answer *answer, unsigned *tries,
		   unsigned most) MUST_CHECK;
/* Sets the error from an answer that is not done.  Returns -1. */
int pg_failed(const struct pg_answer *answer, struct error *why);

#endif
