/* referee/queue/pg.h - one connection to PostgreSQL: in our loop, or for a
 * thread that may wait.
 *
 * A statement is a transaction of its own: what belongs together is a function
 * of the database, or one statement.  All parameters and results are binary.
 * Each request has exactly one answer, which says whether it has happened; that
 * may be unknown, for a connection can be lost between the commit and its
 * answer. */
#ifndef REFEREE_PG_H
#define REFEREE_PG_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

#define PG_PARAMS 12	     /* of a statement */
#define PG_CONNECT_S 10	     /* for a host, without connect_timeout */
#define PG_ANSWER_MS 20000   /* of silence; then a connection is lost */
#define PG_STATEMENT_MS 5000 /* of one statement, in the database */
#define PG_GONE_MS 15000     /* of a client's silence; then its session ends */
#define PG_PROBE_S 3	     /* between two looks at whether it is there */
#define PG_AGAIN_MS 500	     /* before pg_line_again() */
#define PG_RETRY_MS 200	     /* until it connects again; twice as long */
#define PG_RETRY_MAX_MS 5000 /* each time, up to this */

enum pg_outcome {
	PG_DONE,    /* it has happened, and is committed */
	PG_REFUSED, /* the database says no: nothing has happened */
	PG_UNKNOWN, /* it was sent and no answer came: it may have happened */
	/* Nothing has happened: it was not sent, or the database cannot do it
	 * now (a full disk, a deadlock, read only).  Then the connection is
	 * given up, and the next one may find another database. */
	PG_UNSENT,
};

struct pg_answer {
	enum pg_outcome outcome;
	char state[6];	  /* SQLSTATE, if the database said so; else "" */
	const char *why;  /* a sentence, unless it is done; borrowed */
	PGresult *result; /* of what is done; borrowed */
};

struct pg_piece {
	const char *bytes; /* NULL: it is NULL; else without a NUL behind it */
	size_t n;
};

/* ---- what an answer says ---------------------------------------------- */

/* 0 unless it is done. */
unsigned pg_rows(const struct pg_answer *answer) MUST_CHECK;
/* The values of a row's columns, which are borrowed.  What is NULL is 0, "" or
 * no bytes; a column of another type is a bug(). */
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
/* text[], bytea[]: how many there are, of which `item` gets the first `max`. */
unsigned pg_list(const struct pg_answer *answer, unsigned row, unsigned column,
		 struct pg_piece item[], unsigned max) MUST_CHECK;

/* False, and a sentence: this is no conninfo. */
bool pg_conninfo_holds(const char *conninfo, struct error *why) MUST_CHECK;

/* ---- in the loop ------------------------------------------------------ */

/* By the loop; each may be NULL.  None may free the connection. */
struct pg_calls {
	/* Connected: a new session, which listens already. */
	void (*up)(void *arg);
	/* The connection is lost, and what waited for an answer has it; or there
	 * was none, which is told once.  It will be tried again. */
	void (*down)(void *arg, const char *why);
	void (*notice)(void *arg, const char *channel, const char *payload);
};

struct pg;
/* Connects from now on, and again whenever the connection is lost, to where
 * libpq finds `conninfo`: "host=db1,db2 dbname=referee" or a URI.  `name` is
 * what the database calls us; `listen`, which ends with NULL or is NULL, are
 * the channels whose notices are told.  All is copied but `calls`.  NULL: this
 * is no conninfo, or there is no thread to connect. */
struct pg *pg_new(struct loop *loop, const char *conninfo, const char *name,
		  const char *const listen[], const struct pg_calls *calls,
		  void *arg, struct error *why) MUST_CHECK;
/* Does not wait; no answer is told any more.  NULL is fine. */
void pg_free(struct pg *pg);
bool pg_is_up(const struct pg *pg) MUST_CHECK;

typedef void pg_call(void *arg, const struct pg_answer *answer);

/* Sends a statement; `call`, unless it is NULL, gets its answer by the loop, in
 * the order of the requests and never out of this function.  While there is no
 * connection the answer is PG_UNSENT: ask again after up().  `types` has a
 * letter for each of $1, $2, ..., which are copied:
 *
 *	i  int64_t			int8
 *	f  double			float8
 *	s  const char *			text; NULL is NULL; a byte that is no UTF-8
 *					becomes a question mark
 *	b  const void *, size_t		bytea; NULL is NULL
 *	I  const int64_t *, size_t	int8[]
 *	S  const char *const *, size_t	text[]; likewise
 *	B  const struct pg_piece *, size_t	bytea[] */
void pg_ask(struct pg *pg, pg_call *call, void *arg, const char *sql,
	    const char *types, ...);

/* ---- for who may wait ------------------------------------------------- */

/* The same for one thread at a time. */
struct pg_line;
/* NULL: this is no conninfo.  Does not connect yet. */
struct pg_line *pg_line_new(const char *conninfo, const char *name,
			    struct error *why) MUST_CHECK;
void pg_line_free(struct pg_line *line); /* NULL is fine */
/* Connects if need be, by one attempt, and waits for the answer, which is
 * borrowed until the next call. */
const struct pg_answer *pg_line_ask(struct pg_line *line, const char *sql,
				    const char *types, ...);
/* Likewise statements without parameters, in one transaction, which the database
 * may take any time for if they say so. */
const struct pg_answer *pg_line_run(struct pg_line *line, const char *sql);
/* Of a statement that does no harm twice: whether it must be asked again, as it has
 * not happened or that is not known, after a pause; `*tries` is 0 at first, and
 * `most` of them are made. */
bool pg_line_again(const struct pg_answer *answer, unsigned *tries,
		   unsigned most) MUST_CHECK;
/* The sentence of an answer that is not done: -1. */
int pg_failed(const struct pg_answer *answer, struct error *why);

#endif
