/* referee/queue/pg-line.c - the connection that waits, and what it shares with
 * the one in the loop. */
#include "protocol/clock.h"
#include "referee/queue/pg-inside.h"

#include <errno.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- of both ---------------------------------------------------------- */

/* Leaves out lines that begin with a tab, as they are advice. */
void
pg_sentence(struct text *to, const char *lines)
{
	bool more = false;
	size_t n;

	for (; *lines != '\0'; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		if (n == 0 || *lines == '\t')
			continue;
		text_str(to, more ? "; " : "");
		text_add(to, lines, n);
		more = true;
	}
}

bool
pg_consume(PGconn *conn)
{
	SSL *tls = PQsslStruct(conn, "OpenSSL");

	do {
		if (!PQconsumeInput(conn))
			return false;
		/* PQisBusy() parses what has come, which makes room for more. */
		(void)PQisBusy(conn);
		/* A message may end the connection, and `tls` with it. */
		if (PQstatus(conn) != CONNECTION_OK)
			return false;
	} while (tls != NULL && SSL_pending(tls) > 0);
	return true;
}

bool
pg_is_fatal(const PGresult *result)
{
	const char *severity =
		PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);

	return severity != NULL && (strcmp(severity, "FATAL") == 0 ||
				    strcmp(severity, "PANIC") == 0);
}

static bool
says_no(const PGresult *result)
{
	const ExecStatusType status = PQresultStatus(result);

	return status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
}

void
pg_keep(PGresult **kept, PGresult *result)
{
	if (*kept != NULL && (says_no(*kept) || !says_no(result))) {
		PQclear(result);
		return;
	}
	PQclear(*kept);
	*kept = result;
}

/* Returns true for an error that passes: a full disk, a deadlock, a time limit,
 * a leader that has become a standby.  The database has undone the statement. */
static bool
passes(const char *state)
{
	static const char *const begins[] = { "25006", "40", "53",
					      "55P03", "57", "58" };

	for (size_t i = 0; i < NELEM(begins); i++)
		if (strncmp(state, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

void
pg_answer(struct pg_answer *answer, PGresult *result, struct text *why)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *primary =
		PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

	*answer = (struct pg_answer){ .outcome = PG_DONE, .result = result };
	if (!says_no(result))
		return;
	/* Without a state the error is libpq's, which is out of step. */
	if (state == NULL || pg_is_fatal(result))
		answer->outcome = PG_UNKNOWN;
	else
		answer->outcome = passes(state) ? PG_UNSENT : PG_REFUSED;
	answer->result = NULL;
	snprintf(answer->state, sizeof(answer->state), "%s",
		 state == NULL ? "" : state);
	text_clear(why);
	text_str(why, "the database says: ");
	pg_sentence(why,
		    primary != NULL ? primary : PQresultErrorMessage(result));
	answer->why = text_string(why);
}

/* ---- for who may wait ------------------------------------------------- */

struct pg_line {
	char *conninfo, *name; /* owned */
	PGconn *conn;	       /* NULL: none */
	PGresult *result;      /* result of the last answer */
	struct pg_answer answer;
	struct text why;
};

struct pg_line *
pg_line_new(const char *conninfo, const char *name, struct error *why)
{
	struct pg_line *line;

	if (!pg_conninfo_holds(conninfo, why))
		return NULL;
	line = zeroed(1, sizeof(*line));
	line->conninfo = copied(conninfo);
	line->name = copied(name);
	text_init(&line->why, ERROR_BYTES);
	return line;
}

void
pg_line_free(struct pg_line *line)
{
	if (line == NULL)
		return;
	PQclear(line->result);
	PQfinish(line->conn);
	text_release(&line->why);
	free(line->conninfo);
	free(line->name);
	free(line);
}

static const struct pg_answer *
fail(struct pg_line *line, enum pg_outcome outcome, const char *what,
     const char *lines)
{
	text_clear(&line->why);
	text_str(&line->why, what);
	pg_sentence(&line->why, lines);
	line->answer = (struct pg_answer){ .outcome = outcome,
					   .why = text_string(&line->why) };
	PQfinish(line->conn);
	line->conn = NULL;
	return &line->answer;
}

static const struct pg_answer *
lost(struct pg_line *line, const char *lines)
{
	return fail(line, PG_UNKNOWN,
		    "the connection to the database was lost: ", lines);
}

/* Waits until the socket is ready.  Returns 0, or -1 if it was silent for
 * `silence_ms`; -1 ms means no limit. */
static int
wait_for_socket(const PGconn *conn, short events, int silence_ms)
{
	struct pollfd ready = { .fd = PQsocket(conn), .events = events };

	return RETRIED(clock_poll(&ready, 1, silence_ms)) > 0 ? 0 : -1;
}

/* Reads all results of the request up to its end, when the transaction is
 * committed or not. */
static const struct pg_answer *
take_answer(struct pg_line *line, int silence_ms)
{
	PGresult *result;
	int left;

	for (;;) {
		left = PQflush(line->conn);
		if (left < 0 || PQstatus(line->conn) != CONNECTION_OK)
			return lost(line, PQerrorMessage(line->conn));
		if (left == 0 && !PQisBusy(line->conn)) {
			result = PQgetResult(line->conn);
			if (result == NULL)
				break;
			pg_keep(&line->result, result);
			continue;
		}
		if (wait_for_socket(line->conn,
				    (short)(POLLIN | (left ? POLLOUT : 0)),
				    silence_ms) < 0)
			return lost(line, "no answer came within " PG_STRING(
						  PG_ANSWER_MS) " ms");
		if (!pg_consume(line->conn))
			return lost(line, PQerrorMessage(line->conn));
	}
	if (line->result == NULL)
		return lost(line, "an answer came without a result");
	pg_answer(&line->answer, line->result, &line->why);
	/* The next attempt may find another database. */
	if (line->answer.outcome == PG_UNKNOWN ||
	    line->answer.outcome == PG_UNSENT) {
		PQfinish(line->conn);
		line->conn = NULL;
	}
	return &line->answer;
}

static const struct pg_answer *
vask(struct pg_line *line, const char *sql, const char *types, va_list ap)
{
	struct pg_params params;
	int sent;

	pg_params_init(&params, types, ap);
	sent = PQsendQueryParams(line->conn, sql, params.count, params.type,
				 params.value, params.length, params.format, 1);
	pg_params_release(&params);
	return sent ? take_answer(line, PG_ANSWER_MS)
		    : lost(line, PQerrorMessage(line->conn));
}

static const struct pg_answer *
ask(struct pg_line *line, const char *sql, const char *types, ...)
{
	const struct pg_answer *answer;
	va_list ap;

	va_start(ap, types);
	answer = vask(line, sql, types, ap);
	va_end(ap);
	return answer;
}

/* Forgets the last answer and connects if need be.  Returns NULL, or an answer
 * that says why that failed. */
static const struct pg_answer *
begin(struct pg_line *line)
{
	const struct pg_answer *answer;
	struct text lines = { .max = ERROR_BYTES };

	PQclear(line->result);
	line->result = NULL;
	/* We look if the connection was closed meanwhile, so that this does not
	 * make an answer unknown.  The first look may see only the server's
	 * last message. */
	if (line->conn != NULL && pg_consume(line->conn) &&
	    pg_consume(line->conn))
		return NULL;
	PQfinish(line->conn);
	line->conn = pg_connect(line->conninfo, line->name, &lines);
	if (line->conn == NULL)
		fail(line, PG_UNSENT,
		     "cannot reach the database: ", text_string(&lines));
	text_release(&lines);
	if (line->conn == NULL)
		return &line->answer;
	answer = ask(line, PG_SESSION);
	if (answer->outcome != PG_DONE) {
		PQfinish(line->conn);
		line->conn = NULL;
		line->answer.outcome = PG_UNSENT;
		return answer;
	}
	PQclear(line->result);
	line->result = NULL;
	return NULL;
}

const struct pg_answer *
pg_line_ask(struct pg_line *line, const char *sql, const char *types, ...)
{
	const struct pg_answer *answer = begin(line);
	va_list ap;

	if (answer != NULL)
		return answer;
	va_start(ap, types);
	answer = vask(line, sql, types, ap);
	va_end(ap);
	return answer;
}

const struct pg_answer *
pg_line_run(struct pg_line *line, const char *sql)
{
	const struct pg_answer *answer = begin(line);

	if (answer != NULL)
		return answer;
	if (!PQsendQuery(line->conn, sql))
		return lost(line, PQerrorMessage(line->conn));
	return take_answer(line, -1);
}

bool
pg_line_again(const struct pg_answer *answer, unsigned *tries, unsigned most)
{
	if (answer->outcome == PG_DONE || answer->outcome == PG_REFUSED ||
	    ++*tries == most)
		return false;
	clock_pause(PG_AGAIN_MS);
	return true;
}

int
pg_failed(const struct pg_answer *answer, struct error *why)
{
	return error_set(why, ERROR_MACHINE, "the queue's database: %s",
			 answer->why);
}
