/* referee/queue/pg-inside.h - what the parts of pg share. */
#ifndef REFEREE_PG_INSIDE_H
#define REFEREE_PG_INSIDE_H

#include <stdarg.h>

#include "protocol/text.h"
#include "referee/queue/pg.h"

/* A number's name as a string of its digits. */
#define PG_DIGITS(number) #number
#define PG_STRING(number) PG_DIGITS(number)

/* Parameters as PQsendQueryParams() takes them. */
struct pg_params {
	int count;
	Oid type[PG_PARAMS];
	const char *value[PG_PARAMS];
	int length[PG_PARAMS], format[PG_PARAMS];
	size_t at[PG_PARAMS]; /* of what stands in `made` */
	struct text made;     /* owned: what the caller does not have so */
};

void pg_params_init(struct pg_params *params, const char *types, va_list ap);
void pg_params_release(struct pg_params *params);

/* Connects, and waits for it: to the first host that takes us, whatever those before
 * it say.  Calls do not block then.  NULL: none does, and libpq's lines on each are
 * appended to `why`. */
PGconn *pg_connect(const char *conninfo, const char *name,
		   struct text *why) MUST_CHECK;
/* What each session begins with, as a statement, types and parameters.  In `public`
 * others may have made functions and operators that fit our calls better than those
 * that we mean.  A server that is not told ends the session of a client whose
 * network is gone only after hours, and a lock as late.  To compile a plan takes
 * longer than any of ours may. */
#define PG_SESSION                                                             \
	"SELECT pg_catalog.set_config('search_path', $4, false),"              \
	" pg_catalog.set_config('statement_timeout', $1, false),"              \
	" pg_catalog.set_config('jit', 'off', false),"                         \
	" pg_catalog.set_config('lock_timeout', $1, false),"                   \
	" pg_catalog.set_config('idle_in_transaction_session_timeout', $1,"    \
	" false),"                                                             \
	" pg_catalog.set_config('tcp_keepalives_idle', $2, false),"            \
	" pg_catalog.set_config('tcp_keepalives_interval', $2, false),"        \
	" pg_catalog.set_config('tcp_user_timeout', $3, false)",               \
		"ssss", PG_STRING(PG_STATEMENT_MS), PG_STRING(PG_PROBE_S),     \
		PG_STRING(PG_GONE_MS), "referee, pg_temp"

/* libpq's lines as one sentence, into `to`. */
void pg_sentence(struct text *to, const char *lines);
/* Reads bytes that lie in the connection's TLS already, which its socket does
 * not tell; false: the connection is lost. */
bool pg_consume(PGconn *conn) MUST_CHECK;
/* Whether the session ends with this answer, so that no one knows what has
 * happened. */
bool pg_is_fatal(const PGresult *result) MUST_CHECK;
/* Takes one more result of a statement into what is known of its answer:
 * `kept` is the first, or the first that says no. */
void pg_keep(PGresult **kept, PGresult *result);
/* The answer that a whole result is; `why` holds its sentence. */
void pg_answer(struct pg_answer *answer, PGresult *result, struct text *why);

#endif
