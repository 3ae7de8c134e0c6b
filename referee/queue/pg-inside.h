/* referee/queue/pg-inside.h - shared by the parts of pg. */
#ifndef REFEREE_PG_INSIDE_H
#define REFEREE_PG_INSIDE_H

#include <stdarg.h>

#include "protocol/text.h"
#include "referee/queue/pg.h"

/* Makes a string of the digits of a number's macro. */
#define PG_DIGITS(number) #number
#define PG_STRING(number) PG_DIGITS(number)

/* Parameters in the form of PQsendQueryParams(). */
struct pg_params {
	int count;
	Oid type[PG_PARAMS];
	const char *value[PG_PARAMS];
	int length[PG_PARAMS], format[PG_PARAMS];
	size_t at[PG_PARAMS]; /* where its value begins in `made` */
	struct text made;     /* owned: values that were converted */
};

void pg_params_init(struct pg_params *params, const char *types, va_list ap);
void pg_params_release(struct pg_params *params);

/* Connects to the first host that accepts us, whatever those before it answer,
 * and waits until that is done.  Calls on the connection do not block
 * afterwards.  Returns NULL if no host accepts us, and appends libpq's lines on
 * each to `why`. */
PGconn *pg_connect(const char *conninfo, const char *name,
		   struct text *why) MUST_CHECK;
/* The statement, types and parameters that each session begins with.  In
 * `public` others may have made functions and operators that fit our calls
 * better than those that we mean.  Without these settings a server would end
 * the session of a client whose network is gone, and free its locks, only after
 * hours.  Compiling a plan takes longer than any of our statements may. */
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

/* Appends libpq's lines to `to` as one sentence. */
void pg_sentence(struct text *to, const char *lines);
/* Reads what has come, including bytes in the TLS buffer, which polling the
 * socket does not show.  Returns false if the connection is lost. */
bool pg_consume(PGconn *conn) MUST_CHECK;
/* Returns true if the session ends with this answer, so that it is not known
 * what has happened. */
bool pg_is_fatal(const PGresult *result) MUST_CHECK;
/* Adds one more result of a statement.  `*kept` becomes the first error, or
 * else the first result; the other result is freed. */
void pg_keep(PGresult **kept, PGresult *result);
/* Makes an answer of a complete result; `why` holds its sentence. */
void pg_answer(struct pg_answer *answer, PGresult *result, struct text *why);

#endif
