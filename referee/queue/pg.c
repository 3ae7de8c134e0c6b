/* referee/queue/pg.c - the connection in our loop.
 *
 * A thread connects, because libpq must wait to look names up and to give each
 * of several hosts its time.  Then the loop has the connection, and all
 * requests go through a pipeline.  A sync follows each, so each is a
 * transaction, whose answer is complete when the sync is answered. */
#include "referee/queue/pg-inside.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/base/thread.h"

#define LOOK_MS 1000 /* looks this often if the database is silent */
#define ENDS 3 /* NULL results in a row after which libpq is out of step */

/* A request that is not answered yet. */
struct request {
	STAILQ_ENTRY(request) at;
	pg_call *call;
	void *arg;
	uint64_t asked_us;
	PGresult *kept; /* the result that counts so far (pg_keep()) */
	bool sent;
	bool session; /* sets the session up, which is useless otherwise */
};

STAILQ_HEAD(requests, request);

/* An attempt to connect, made by the thread. */
struct attempt {
	struct thread_task task;
	struct pg *pg;
	char *conninfo, *name; /* owned */
	PGconn *conn;	       /* the result; NULL: `why` says why not */
	struct text why;       /* the lines of libpq */
};

struct pg {
	struct loop *loop;
	struct pg_calls calls;
	void *arg;
	char **listen; /* owned; ends with NULL */
	struct thread *thread;
	struct attempt *attempt;
	bool attempting; /* the thread has `attempt` */
	PGconn *conn;	 /* NULL: not connected */
	/* Requests of the session's setup that are not answered yet. */
	unsigned setting_up;
	/* A copy of libpq's socket for the loop; -1: not connected.  libpq
	 * closes its own as soon as it finds the connection broken, also while
	 * it sends.  The loop may then still watch this one. */
	int fd;
	struct event *reads, *writes;
	struct timer retry, silence, tell;
	uint64_t since_us; /* when it came up */
	uint64_t heard_us; /* when bytes last came, or waiting ones could go */
	uint64_t retry_ms;
	struct requests asked;	/* sent, in the order of sending */
	struct requests failed; /* will not be answered by the database */
	struct text why;	/* why the last answer is not done */
	struct text lost;	/* why the connection was lost */
	bool told;		/* down() was called */
	bool calling;
};

static void
request_free(struct request *request)
{
	PQclear(request->kept);
	free(request);
}

/* ---- answers ---------------------------------------------------------- */

static void
give(struct pg *pg, struct request *request, const struct pg_answer *answer)
{
	if (request->call != NULL) {
		pg->calling = true;
		request->call(request->arg, answer);
		pg->calling = false;
	}
	request_free(request);
}

/* Answers the requests that the database will not answer.  Requests that their
 * calls make meanwhile are answered in the next pass. */
static void
on_tell(void *arg)
{
	struct pg *pg = arg;
	struct requests failed = STAILQ_HEAD_INITIALIZER(failed);
	struct pg_answer answer = { 0 };
	struct request *request;

	STAILQ_CONCAT(&failed, &pg->failed);
	while ((request = STAILQ_FIRST(&failed)) != NULL) {
		STAILQ_REMOVE_HEAD(&failed, at);
		answer.outcome = request->sent ? PG_UNKNOWN : PG_UNSENT;
		answer.why = text_string(&pg->lost);
		give(pg, request, &answer);
	}
}

static void
fail_later(struct pg *pg, struct request *request)
{
	STAILQ_INSERT_TAIL(&pg->failed, request, at);
	timer_after(&pg->tell, 0);
}

/* ---- losing and finding it -------------------------------------------- */

static void
retry_later(struct pg *pg)
{
	/* A random part keeps all machines from coming at once when the
	 * database is back. */
	const uint64_t some =
		randombytes_uniform((uint32_t)pg->retry_ms / 2 + 1);

	timer_after(&pg->retry, (pg->retry_ms - some) * 1000);
	pg->retry_ms *= 2;
	if (pg->retry_ms > PG_RETRY_MAX_MS)
		pg->retry_ms = PG_RETRY_MAX_MS;
}

static void
set_why(struct pg *pg, const char *what, const char *lines)
{
	text_clear(&pg->lost);
	text_str(&pg->lost, what);
	pg_sentence(&pg->lost, lines);
}

static void
tell_down(struct pg *pg)
{
	if (pg->told)
		return;
	pg->told = true;
	if (pg->calls.down == NULL)
		return;
	pg->calling = true;
	pg->calls.down(pg->arg, text_string(&pg->lost));
	pg->calling = false;
}

static void
disconnect(struct pg *pg)
{
	loop_drop(&pg->reads);
	loop_drop(&pg->writes);
	if (pg->fd >= 0)
		close(pg->fd);
	pg->fd = -1;
	PQfinish(pg->conn);
	pg->conn = NULL;
	pg->setting_up = 0;
}

static void
lose(struct pg *pg, const char *lines)
{
	set_why(pg, "the connection to the database was lost: ",
		*lines == '\0' ? "it was closed" : lines);
	/* If connections last only for a moment, we try less and less often. */
	if (clock_us() > pg->since_us + PG_RETRY_MAX_MS * (uint64_t)1000)
		pg->retry_ms = PG_RETRY_MS;
	timer_stop(&pg->silence);
	disconnect(pg);
	STAILQ_CONCAT(&pg->failed, &pg->asked);
	on_tell(pg);
	retry_later(pg);
	tell_down(pg);
}

/* ---- what comes ------------------------------------------------------- */

static void
tell_notices(struct pg *pg)
{
	PGnotify *notice;

	while ((notice = PQnotifies(pg->conn)) != NULL) {
		pg->calling = true;
		if (pg->calls.notice != NULL)
			pg->calls.notice(pg->arg, notice->relname,
					 notice->extra);
		pg->calling = false;
		PQfreemem(notice);
	}
}

static void
tell_up(struct pg *pg)
{
	pg->told = false;
	if (pg->calls.up == NULL)
		return;
	pg->calling = true;
	pg->calls.up(pg->arg);
	pg->calling = false;
}

/* Answers the first request, which is complete.  Returns false if the session
 * ends by that answer. */
static bool
answered(struct pg *pg)
{
	struct request *request = STAILQ_FIRST(&pg->asked);
	const bool session = request->session;
	struct pg_answer answer;

	if (request->kept == NULL) {
		text_clear(&pg->why);
		text_str(&pg->why, "an answer came without a result");
		return false;
	}
	pg_answer(&answer, request->kept, &pg->why);
	if (answer.outcome == PG_UNKNOWN ||
	    (answer.outcome == PG_REFUSED && session))
		return false;
	STAILQ_REMOVE_HEAD(&pg->asked, at);
	give(pg, request, &answer);
	if (answer.outcome == PG_UNSENT)
		return false;
	if (session && --pg->setting_up == 0)
		tell_up(pg);
	return true;
}

/* Gives up a failed connection.  The reason is the database's message when it
 * ended the session, if there is one, else libpq's `words`. */
static void
fail(struct pg *pg, const char *words)
{
	const struct request *first = STAILQ_FIRST(&pg->asked);
	const char *fatal = NULL;
	char *last;

	if (*words == '\0' && pg->why.used > 0)
		words = text_string(&pg->why);
	if (first != NULL && first->kept != NULL && pg_is_fatal(first->kept))
		fatal = PQresultErrorField(first->kept,
					   PG_DIAG_MESSAGE_PRIMARY);
	last = copied(fatal == NULL ? words : fatal);
	lose(pg, last);
	free(last);
}

/* Takes all results that have come.  Returns false if the connection is useless
 * now. */
static bool
take_results(struct pg *pg)
{
	PGresult *result;
	unsigned ends = 0;

	while (!STAILQ_EMPTY(&pg->asked) && !PQisBusy(pg->conn)) {
		result = PQgetResult(pg->conn);
		if (result == NULL) {
			if (++ends > ENDS)
				return false;
			continue;
		}
		ends = 0;
		if (PQresultStatus(result) != PGRES_PIPELINE_SYNC) {
			pg_keep(&STAILQ_FIRST(&pg->asked)->kept, result);
			continue;
		}
		PQclear(result);
		if (!answered(pg))
			return false;
	}
	return true;
}

static void watch_writes(struct pg *pg);

static void
flush(struct pg *pg)
{
	const int left = PQflush(pg->conn);

	if (left < 0 || PQstatus(pg->conn) != CONNECTION_OK)
		fail(pg, PQerrorMessage(pg->conn));
	else if (left > 0)
		watch_writes(pg);
}

/* Bytes have come, or there is room for more of those that wait.  While libpq
 * sends it also reads, so there may be answers in both cases. */
static void
on_ready(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct pg *pg = arg;
	char *words = NULL;
	bool whole;

	pg->heard_us = clock_us();
	whole = pg_consume(pg->conn);
	if (!whole)
		words = copied(PQerrorMessage(pg->conn));
	/* This takes also what came before the connection ended. */
	if (!take_results(pg) || !whole) {
		fail(pg, words == NULL ? PQerrorMessage(pg->conn) : words);
		free(words);
		return;
	}
	tell_notices(pg);
	flush(pg);
}

static void
watch_writes(struct pg *pg)
{
	if (pg->writes == NULL)
		pg->writes = event_new(pg->loop->base, pg->fd, EV_WRITE,
				       on_ready, pg);
	if (pg->writes == NULL || event_add(pg->writes, NULL) < 0)
		bug("out of memory");
}

static void
on_silence(void *arg)
{
	struct pg *pg = arg;
	uint64_t since;

	if (pg->conn == NULL || STAILQ_EMPTY(&pg->asked))
		return;
	since = STAILQ_FIRST(&pg->asked)->asked_us;
	if (since < pg->heard_us)
		since = pg->heard_us;
	if (clock_us() >= since + PG_ANSWER_MS * (uint64_t)1000)
		lose(pg, "the database does not answer");
	else
		timer_after(&pg->silence, LOOK_MS * (uint64_t)1000);
}

/* ---- what goes -------------------------------------------------------- */

/* Sends as much as the socket takes.  Returns what PQflush() does. */
static int
send_request(struct pg *pg, const char *sql, const struct pg_params *params)
{
	if (PQsendQueryParams(pg->conn, sql, params->count, params->type,
			      params->value, params->length, params->format,
			      1) == 0 ||
	    PQpipelineSync(pg->conn) == 0)
		return -1;
	return PQflush(pg->conn);
}

static void
vask(struct pg *pg, struct request *request, const char *sql, const char *types,
     va_list ap)
{
	struct pg_params params;
	int left;

	if (pg->conn == NULL || (pg->setting_up > 0 && !request->session)) {
		fail_later(pg, request);
		return;
	}
	pg_params_init(&params, types, ap);
	request->sent = true;
	request->asked_us = clock_us();
	if (STAILQ_EMPTY(&pg->asked))
		timer_after(&pg->silence, LOOK_MS * (uint64_t)1000);
	STAILQ_INSERT_TAIL(&pg->asked, request, at);
	left = send_request(pg, sql, &params);
	pg_params_release(&params);
	/* The loop finds the trouble. */
	if (left < 0)
		shutdown(pg->fd, SHUT_RDWR);
	else if (left > 0)
		watch_writes(pg);
}

void
pg_ask(struct pg *pg, pg_call *call, void *arg, const char *sql,
       const char *types, ...)
{
	struct request *request = zeroed(1, sizeof(*request));
	va_list ap;

	request->call = call;
	request->arg = arg;
	va_start(ap, types);
	vask(pg, request, sql, types, ap);
	va_end(ap);
}

/* Asks what a session begins with. */
static void
set_up(struct pg *pg, const char *sql, const char *types, ...)
{
	struct request *request = zeroed(1, sizeof(*request));
	va_list ap;

	request->session = true;
	pg->setting_up++;
	va_start(ap, types);
	vask(pg, request, sql, types, ap);
	va_end(ap);
}

/* ---- connecting ------------------------------------------------------- */

static void
drop_attempt(struct thread_task *task)
{
	struct attempt *attempt = ENCLOSING(task, struct attempt, task);

	PQfinish(attempt->conn);
	text_release(&attempt->why);
	free(attempt->conninfo);
	free(attempt->name);
	free(attempt);
}

static void
try_to_connect(struct thread_task *task)
{
	struct attempt *attempt = ENCLOSING(task, struct attempt, task);

	text_clear(&attempt->why);
	attempt->conn =
		pg_connect(attempt->conninfo, attempt->name, &attempt->why);
}

static void
begin_session(struct pg *pg)
{
	char *listen;

	set_up(pg, PG_SESSION);
	for (size_t i = 0; pg->listen[i] != NULL; i++) {
		listen = formatted("LISTEN %s", pg->listen[i]);
		set_up(pg, listen, "");
		free(listen);
	}
}

static void
tried_to_connect(struct thread_task *task, bool read UNUSED)
{
	struct attempt *attempt = ENCLOSING(task, struct attempt, task);
	struct pg *pg = attempt->pg;
	const char *lines = NULL;

	pg->attempting = false;
	pg->conn = attempt->conn;
	attempt->conn = NULL;
	if (pg->conn == NULL)
		lines = text_string(&attempt->why);
	else if (!PQenterPipelineMode(pg->conn))
		lines = PQerrorMessage(pg->conn);
	else if ((pg->fd = fcntl(PQsocket(pg->conn), F_DUPFD_CLOEXEC, 0)) < 0)
		lines = strerror(errno);
	if (lines != NULL) {
		set_why(pg, "cannot reach the database: ", lines);
		disconnect(pg);
		retry_later(pg);
		tell_down(pg);
		return;
	}
	pg->since_us = pg->heard_us = clock_us();
	text_clear(&pg->why);
	pg->reads = loop_reads(pg->loop->base, pg->fd, on_ready, pg);
	begin_session(pg);
}

static void
try_again(void *arg)
{
	struct pg *pg = arg;

	pg->attempting = true;
	thread_ask(pg->thread, &pg->attempt->task);
}

/* ---- life ------------------------------------------------------------- */

static char **
copy_list(const char *const list[])
{
	size_t n = 0;
	char **copy;

	while (list != NULL && list[n] != NULL)
		n++;
	copy = zeroed(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = copied(list[i]);
	return copy;
}

struct pg *
pg_new(struct loop *loop, const char *conninfo, const char *name,
       const char *const listen[], const struct pg_calls *calls, void *arg,
       struct error *why)
{
	struct thread *thread;
	struct pg *pg;

	if (!pg_conninfo_holds(conninfo, why))
		return NULL;
	/* OpenSSL must not clean up at exit, as the thread may still be
	 * connecting. */
	OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
	thread = thread_new(loop);
	if (thread == NULL) {
		error_set(why, ERROR_MACHINE,
			  "cannot start a thread to connect to the database: "
			  "%m");
		return NULL;
	}
	pg = zeroed(1, sizeof(*pg));
	pg->loop = loop;
	pg->calls = *calls;
	pg->arg = arg;
	pg->listen = copy_list(listen);
	pg->thread = thread;
	pg->fd = -1;
	pg->attempt = zeroed(1, sizeof(*pg->attempt));
	*pg->attempt = (struct attempt){
		.task = { .read = try_to_connect, .done = tried_to_connect },
		.pg = pg,
		.conninfo = copied(conninfo),
		.name = copied(name),
	};
	text_init(&pg->attempt->why, ERROR_BYTES);
	timer_init(&pg->retry, &loop->timers, try_again, pg);
	timer_init(&pg->silence, &loop->timers, on_silence, pg);
	timer_init(&pg->tell, &loop->timers, on_tell, pg);
	pg->retry_ms = PG_RETRY_MS;
	STAILQ_INIT(&pg->asked);
	STAILQ_INIT(&pg->failed);
	text_init(&pg->why, ERROR_BYTES);
	text_init(&pg->lost, ERROR_BYTES);
	text_str(&pg->lost, "there is no connection to the database yet");
	try_again(pg);
	return pg;
}

void
pg_free(struct pg *pg)
{
	struct request *request;

	if (pg == NULL)
		return;
	if (pg->calling)
		bug("pg_free() by what it calls");
	timer_stop(&pg->retry);
	timer_stop(&pg->silence);
	timer_stop(&pg->tell);
	STAILQ_CONCAT(&pg->failed, &pg->asked);
	while ((request = STAILQ_FIRST(&pg->failed)) != NULL) {
		STAILQ_REMOVE_HEAD(&pg->failed, at);
		request_free(request);
	}
	disconnect(pg);
	if (pg->attempting) {
		thread_leave(pg->thread, drop_attempt);
	} else {
		thread_free(pg->thread);
		drop_attempt(&pg->attempt->task);
	}
	for (size_t i = 0; pg->listen[i] != NULL; i++)
		free(pg->listen[i]);
	free(pg->listen);
	text_release(&pg->why);
	text_release(&pg->lost);
	free(pg);
}

bool
pg_is_up(const struct pg *pg)
{
	return pg->conn != NULL && pg->setting_up == 0;
}
