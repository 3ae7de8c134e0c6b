/* referee/cli/queue-show.c - see queue-show.h. */
#include "referee/cli/queue-show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/date.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/queue/figures.h"
#include "referee/queue/spec.h"
#include "referee/queue/version.h"

#define LIST_ROWS 1000 /* rows of one answer */
#define REAL_DIGITS 7

/* Prints values of the database escaped, so that none can look like a line of
 * ours. */
static void PRINTF_LIKE(1, 2) print(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = vformatted(fmt, ap);
	va_end(ap);
	print_escaped(stdout, text);
	free(text);
}

/* Shows each row of the answer. */
typedef void show_row(const struct pg_answer *answer, unsigned row, bool json);

static int
show_rows(const struct pg_answer *answer, show_row *show, bool json,
	  struct error *why)
{
	if (answer->outcome != PG_DONE)
		return queue_trouble(answer, QUEUE_DAEMON, why);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		show(answer, i, json);
	return 0;
}

/* ---- show ------------------------------------------------------------- */

static const char *
about(int64_t count)
{
	return count > QUEUE_COUNTED ? "about " : "";
}

static void
print_rated(const struct queue_figures *figures)
{
	printf("rated     %" PRId64, figures->verdicts);
	if (figures->recent > 0)
		printf("; %.1f a second lately, %.1f s after their "
		       "results, %.1f s at most",
		       queue_pace(figures), figures->lag_median_s,
		       figures->lag_worst_s);
	putchar('\n');
}

static void
show_figures(const struct queue_figures *figures, bool json)
{
	char date[DATE_BYTES];

	if (json) {
		print_json_line(queue_figures_json(figures, QUEUE_OPERATOR),
				REAL_DIGITS);
		return;
	}
	print("daemon    %s, epoch %" PRId64,
	      figures->holder[0] == '\0' ? "none yet" : figures->holder,
	      figures->epoch);
	if (figures->taken > 0) {
		date_write(figures->taken, date);
		printf(", since %s", date);
	}
	printf("\nwaiting   %s%" PRId64, about(figures->waiting),
	       figures->waiting);
	if (figures->waiting > 0)
		printf(", the oldest for %s",
		       counted((uint64_t)figures->oldest_s, "second").text);
	printf("\nclaimed   %" PRId64 "\nreported  %" PRId64
	       "\nparked    %s%" PRId64 "\nworkers   %" PRId64 " there",
	       figures->claimed, figures->reported, about(figures->parked),
	       figures->parked, figures->workers);
	if (figures->suspended > 0)
		printf(", %" PRId64 " suspended", figures->suspended);
	putchar('\n');
	print_rated(figures);
}

/* Prints a job on two lines, because the reason may be long. */
static void
show_job(const struct queue_job *job, bool json)
{
	if (json) {
		print_json_line(queue_job_json(job, QUEUE_OPERATOR), 0);
		return;
	}
	print("parked job %" PRId64 " of %s", job->job, job->ladder);
	for (unsigned s = 0; s < job->seats; s++)
		print("%s%s", s == 0 ? ", with " : ", ", job->name[s]);
	printf(":\n  ");
	print("%s", job->why[0] == '\0' ? "no reason" : job->why);
	putchar('\n');
}

/* Prints the parked jobs.  Of 100,000 a person needs only the first ones and
 * their number. */
static int
show_parked(struct pg_line *line, int64_t parked, bool json, struct error *why)
{
	const struct pg_answer *answer;
	struct queue_job job = { .job = 0 };
	unsigned rows, shown = 0;

	do {
		answer = pg_line_ask(line, PARKED_SQL, PARKED_TYPES, job.job,
				     (int64_t)(json ? LIST_ROWS : QUEUE_SHOWN));
		if (answer->outcome != PG_DONE)
			return queue_trouble(answer, QUEUE_DAEMON, why);
		rows = pg_rows(answer);
		for (unsigned i = 0; i < rows; i++) {
			parked_read(answer, i, &job);
			show_job(&job, json);
		}
		shown += rows;
	} while (json && rows == LIST_ROWS);
	if (!json && parked > shown)
		printf("and %" PRId64 " more; --json lists all\n",
		       parked - shown);
	return 0;
}

static json_t *
text_or_none(const struct pg_answer *answer, unsigned row, unsigned column)
{
	return pg_null(answer, row, column)
		       ? NULL
		       : json_any_string(pg_string(answer, row, column));
}

static json_t *
names_json(const struct pg_answer *answer, unsigned row, unsigned column)
{
	json_t *names = json_loads(pg_string(answer, row, column), 0, NULL);

	return names == NULL ? json_array() : names;
}

static void
show_wait(const struct pg_answer *answer, unsigned row, bool json)
{
	const int64_t job = pg_number(answer, row, 0);

	if (json) {
		print_json_line(
			JSON_OBJECT(
				TEXT("type", "waiting"), INT("job", job),
				JSON("ladder", text_or_none(answer, row, 1)),
				JSON("game", text_or_none(answer, row, 4)),
				JSON("bots", names_json(answer, row, 5)),
				INT("waits_s", pg_number(answer, row, 3))),
			0);
		return;
	}
	print("waiting job %" PRId64 " of %s, with %s, for %s", job,
	      pg_string(answer, row, 1), pg_string(answer, row, 2),
	      counted((uint64_t)pg_number(answer, row, 3), "second").text);
	putchar('\n');
}

/* Lists waiting jobs with their numbers, which `park` and `void` take.  The
 * first is claimed next.  A person needs only the first few of a million. */
static int
show_waiting(struct pg_line *line, int64_t waiting, bool json,
	     struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		line,
		"SELECT job, ladder, array_to_string(name, ', '),"
		" greatest(0, extract(epoch FROM now() - made))::int8, game,"
		" array_to_json(name)::text"
		" FROM referee.job WHERE state = 'waiting'"
		" ORDER BY place LIMIT $1",
		"i", (int64_t)QUEUE_SHOWN);
	if (show_rows(answer, show_wait, json, why) < 0)
		return -1;
	if (!json && waiting > pg_rows(answer))
		printf("and %" PRId64 " more that wait\n",
		       waiting - pg_rows(answer));
	return 0;
}

/* Prints a class that jobs wait for. */
static void
show_class(const struct pg_answer *answer, unsigned row, bool json)
{
	const int64_t workers = pg_number(answer, row, 2);

	if (json) {
		print_json_line(
			JSON_OBJECT(TEXT("type", "class"),
				    JSON("class", text_or_none(answer, row, 0)),
				    INT("waiting", pg_number(answer, row, 1)),
				    INT("workers", workers)),
			0);
		return;
	}
	if (workers > 0)
		return;
	print("%s for a machine of class %s, which no worker has: start one "
	      "with --class",
	      counted((uint64_t)pg_number(answer, row, 1), "job").text,
	      pg_string(answer, row, 0));
	putchar('\n');
}

static int
show_classes(struct pg_line *line, bool json, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		line,
		"SELECT j.class, count(*), (SELECT count(*) FROM"
		" referee.worker w WHERE w.class = j.class AND NOT w.suspended"
		" AND w.seen > now() - $1 * interval '1 s') FROM referee.job j"
		" WHERE j.state = 'waiting' AND j.class <> ''"
		" GROUP BY j.class ORDER BY j.class",
		"i", (int64_t)QUEUE_SEEN_S);

	return show_rows(answer, show_class, json, why);
}

static void
print_waits(int64_t n, const char *what, const char *rules, const char *who)
{
	const enum spec_age age = spec_age(rules);

	if (n == 0)
		return;
	print("waits     %s of %s, for %s %s%s",
	      counted((uint64_t)n, what).text, rules,
	      age == SPEC_NEWER	  ? "a newer"
	      : age == SPEC_OLDER ? "an older"
				  : "a",
	      who,
	      age == SPEC_NEWER || age == SPEC_OLDER ? ""
						     : " that has the game");
	putchar('\n');
}

/* Prints how many games and results have rules that this program cannot read. */
static void
show_rules(const struct pg_answer *answer, unsigned row, bool json)
{
	const char *rules = pg_string(answer, row, 0);
	const int64_t waiting = pg_number(answer, row, 1),
		      results = pg_number(answer, row, 2);

	if (json) {
		print_json_line(
			JSON_OBJECT(TEXT("type", "rules"),
				    JSON("rules", text_or_none(answer, row, 0)),
				    INT("waiting", waiting),
				    INT("reported", results)),
			0);
		return;
	}
	print_waits(waiting, "game", rules, "worker");
	print_waits(results, "result", rules, "daemon");
}

/* Prints what waits for programs of another version than this one. */
static int
show_unread(struct pg_line *line, bool json, struct error *why)
{
	const struct pg_answer *answer;
	size_t n;
	const char **rules = spec_known(&n);

	answer = pg_line_ask(
		line,
		"SELECT rules, count(*) FILTER (WHERE state = 'waiting'),"
		" count(*) FILTER (WHERE state = 'reported')"
		" FROM referee.job WHERE state IN ('waiting', 'reported')"
		" AND rules <> ALL ($1) GROUP BY rules ORDER BY rules",
		"S", rules, n);
	free((void *)rules);
	return show_rows(answer, show_rules, json, why);
}

/* Prints a daemon that waits to take over, and how far it is behind. */
static void
show_follower(const struct pg_answer *answer, unsigned row, bool json)
{
	const uint64_t behind = (uint64_t)pg_number(answer, row, 1);

	if (json) {
		print_json_line(
			JSON_OBJECT(
				TEXT("type", "follower"),
				JSON("follower", text_or_none(answer, row, 0)),
				INT("behind", pg_number(answer, row, 1)),
				REAL("behind_s", pg_real(answer, row, 2)),
				INT("roster", pg_number(answer, row, 3)),
				INT("roster_behind", pg_number(answer, row, 4)),
				INT("seen_s", pg_number(answer, row, 5)),
				JSON_IF("why", text_or_none(answer, row, 6))),
			0);
		return;
	}
	print("follower  %s: %s behind", pg_string(answer, row, 0),
	      counted(behind, "verdict").text);
	if (behind > 0)
		printf(", the oldest for %s",
		       counted((uint64_t)pg_real(answer, row, 2), "second")
			       .text);
	if (pg_number(answer, row, 4) > 0)
		printf(", %s of the roster",
		       counted((uint64_t)pg_number(answer, row, 4), "change")
			       .text);
	printf(", heard from %s ago",
	       counted((uint64_t)pg_number(answer, row, 5), "second").text);
	if (!pg_null(answer, row, 6))
		print(": %s", pg_string(answer, row, 6));
	putchar('\n');
}

static int
show_followers(struct pg_line *line, bool json, struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		line,
		"SELECT f.follower, f.behind, f.behind_s, f.state,"
		" greatest(0, r.state - f.state),"
		" greatest(0, extract(epoch FROM now() - f.seen))::int8, f.why"
		" FROM referee.follower f, referee.roster r,"
		" referee.house h WHERE h.holder IS DISTINCT FROM f.follower"
		" ORDER BY f.follower",
		"");

	return show_rows(answer, show_follower, json, why);
}

int
queue_show(struct pg_line *line, bool json, struct error *why)
{
	const struct pg_answer *answer =
		pg_line_ask(line, FIGURES_SQL, FIGURES_TYPES, FIGURES_VALUES);
	struct queue_figures figures;

	if (answer->outcome != PG_DONE)
		return queue_trouble(answer, QUEUE_DAEMON, why);
	if (pg_rows(answer) == 0)
		return error_set(why, ERROR_INPUT,
				 "the queue is not whole; run `referee queue "
				 "init`");
	figures_read(answer, &figures);
	show_figures(&figures, json);
	if (show_unread(line, json, why) < 0 ||
	    show_waiting(line, figures.waiting, json, why) < 0 ||
	    show_parked(line, figures.parked, json, why) < 0 ||
	    show_classes(line, json, why) < 0)
		return -1;
	return show_followers(line, json, why);
}

/* ---- workers ---------------------------------------------------------- */

static void
show_worker(const struct pg_answer *answer, unsigned row, bool json)
{
	struct queue_worker worker;

	worker_read(answer, row, &worker);
	if (json) {
		print_json_line(queue_worker_json(&worker), REAL_DIGITS);
		return;
	}
	print("%s: %s, %s, %s in the last hour, heard from %s ago", worker.name,
	      counted((uint64_t)worker.cores, "core").text,
	      counted((uint64_t)worker.jobs, "job").text,
	      counted((uint64_t)worker.hour, "result").text,
	      counted((uint64_t)worker.seen_s, "second").text);
	if (worker.class[0] != '\0')
		print(", class %s", worker.class);
	putchar('\n');
	print("  referee %s, speed %.2f, %s", worker.version, worker.speed,
	      worker.processor);
	putchar('\n');
	if (worker.suspended) {
		print("  suspended: %s",
		      worker.why[0] == '\0' ? "no reason" : worker.why);
		putchar('\n');
	}
}

int
queue_workers(struct pg_line *line, bool json, struct error *why)
{
	return show_rows(pg_line_ask(line, WORKERS_SQL, ""), show_worker, json,
			 why);
}
