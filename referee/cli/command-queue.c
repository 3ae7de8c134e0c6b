/* referee/cli/command-queue.c - `referee queue`: prepares, shows and changes
 * the database that carries games to workers on other machines. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/suggest.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/queue-show.h"
#include "referee/queue/pg.h"
#include "referee/queue/schema.h"
#include "referee/queue/seal.h"
#include "referee/queue/version.h"

#define QUEUE_WORDS 1000 /* most jobs of one command */
#define ALL "all"

struct arguments {
	const char *queue, *why;
	bool json;
	struct words words;
};

static const struct argument options[] = {
	{ "queue", 'q', "CONNINFO",
	  "The database, as libpq takes it: 'host=db1,db2 dbname=referee' or a "
	  "URI",
	  STORE_TEXT(struct arguments, queue) },
	{ "json", 0, NULL, "show, workers: print JSON, one object a line",
	  STORE_FLAG(struct arguments, json), .group = 1 },
	{ "why", 0, "TEXT",
	  "park, void, suspend: the reason, which show and workers tell",
	  STORE_TEXT(struct arguments, why), .group = 1 },
	{ 0 },
};

struct what {
	const char *name, *words;
	unsigned least, most; /* number of words behind it */
	bool local;	      /* needs no database */
	bool json, why;
	int (*run)(const struct arguments *arguments, struct pg_line *line,
		   struct error *why);
};

static const struct argp argp = {
	.args_doc = "init\n"
		    "key FILE\n"
		    "show\n"
		    "retry JOB...|all\n"
		    "park JOB...\n"
		    "void JOB...|all\n"
		    "workers\n"
		    "suspend NAME\n"
		    "admit NAME",
	.doc = "Prepare and look at the database through which a daemon has "
	       "games played on other machines.\v"
	       "`init` makes the tables, functions and roles, or brings them "
	       "up to date.  `key` makes the key that seals the secrets of "
	       "games; the daemon and all workers need a copy.  `show` counts "
	       "the jobs and lists those that are parked: a job is parked when "
	       "two workers lost it, because they died or gave it back.  "
	       "`retry` lets parked jobs be played after all, `park` keeps "
	       "jobs that wait or run from being played.  `void` gives up jobs "
	       "that are not over: they count for nothing.  `workers` lists "
	       "the workers; `suspend` ends one, whose jobs wait again, and "
	       "`admit` lets it be started again.  doc/MANY-MACHINES.md shows "
	       "the whole way.\n"
	       "\n"
	       "Exit codes: 0 done, 1 no such job or worker, 2 wrong usage or "
	       "a database that refuses, 3 the database cannot be reached or "
	       "another fault of the machine.\n"
	       "\n"
	       "Example: from an empty database to a queue\n"
	       "  $ referee queue key /etc/referee/queue.key\n"
	       "  $ referee queue init --queue 'host=db dbname=referee'\n",
};

/* ---- asking ----------------------------------------------------------- */

static int
do_init(const struct arguments *arguments UNUSED, struct pg_line *line,
	struct error *why)
{
	const struct pg_answer *answer = pg_line_run(line, queue_schema);

	if (answer->outcome == PG_REFUSED &&
	    strcmp(answer->state, "42501") == 0)
		return error_set(why, ERROR_INPUT,
				 "%s; init needs a role that may create roles "
				 "and owns the database",
				 answer->why);
	if (answer->outcome != PG_DONE)
		return queue_trouble(answer, QUEUE_DAEMON, why);
	printf("the queue is there, version %d\n", QUEUE_SCHEMA);
	return 0;
}

static int
do_key(const struct arguments *arguments, struct pg_line *line UNUSED,
       struct error *why)
{
	struct seal_key key;

	if (seal_key_make(arguments->words.word[1], &key, why) < 0)
		return -1;
	printf("key %s\n", key.print);
	seal_key_forget(&key);
	return 0;
}

static int
do_show(const struct arguments *arguments, struct pg_line *line,
	struct error *why)
{
	return queue_show(line, arguments->json, why);
}

static int
do_workers(const struct arguments *arguments, struct pg_line *line,
	   struct error *why)
{
	return queue_workers(line, arguments->json, why);
}

/* ---- jobs ------------------------------------------------------------- */

/* Returns true if the statement failed because another long transaction holds
 * what it would change. */
static bool
is_blocked(const struct pg_answer *answer)
{
	return strcmp(answer->state, "57014") == 0 ||
	       strcmp(answer->state, "55P03") == 0;
}

/* Sets an error that says which transaction blocks, if it still does.  Returns
 * -1. */
static int
tell_who_blocks(struct pg_line *line, const struct pg_answer *answer,
		const int64_t job[], size_t n, const char *worker,
		struct error *why)
{
	error_set(why, ERROR_MACHINE, "%s", answer->why);
	answer = pg_line_ask(line, "SELECT referee.who_blocks($1, $2 = 1, $3)",
			     "Iis", job, n, (int64_t)(n == 0 && worker == NULL),
			     worker);
	if (pg_rows(answer) > 0 && !pg_null(answer, 0, 0))
		error_set(why, ERROR_MACHINE,
			  "nothing was changed: %s; `referee queue suspend` of "
			  "its worker ends it",
			  pg_string(answer, 0, 0));
	return -1;
}

static int
read_job(const char *word, int64_t *job, struct error *why)
{
	char *end;

	*job = strtoll(word, &end, 10);
	if (*word < '1' || *word > '9' || *end != '\0' || end - word > 18)
		return error_set(why, ERROR_INPUT, "%s is not a job's number",
				 quoted(word).text);
	return 0;
}

/* Prints the jobs that the statement has changed.  Returns -1 and an error if
 * it failed, or if a job that was asked for is not among them. */
static int
tell_jobs(struct pg_line *line, const struct pg_answer *answer,
	  const int64_t job[], size_t n, const char *done, const char *undone,
	  struct error *why)
{
	bool found;

	if (is_blocked(answer))
		return tell_who_blocks(line, answer, job, n, NULL, why);
	if (answer->outcome != PG_DONE)
		return queue_trouble(answer, QUEUE_DAEMON, why);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		printf("job %" PRId64 " %s\n", pg_number(answer, i, 0), done);
	if (n == 0 && pg_rows(answer) == 0)
		printf("no job %s\n", undone);
	for (size_t i = 0; i < n; i++) {
		found = false;
		for (unsigned j = 0; j < pg_rows(answer); j++)
			found = found || pg_number(answer, j, 0) == job[i];
		if (!found)
			return error_set(why, ERROR_ANSWER,
					 "there is no job %" PRId64 " that %s",
					 job[i], undone);
	}
	return 0;
}

/* Runs a statement that changes jobs and names them.  Its parameters are the
 * jobs, 1 for all of them, and the reason. */
static int
change_jobs(const struct arguments *arguments, struct pg_line *line,
	    bool may_be_all, const char *sql, const char *done,
	    const char *undone, struct error *why)
{
	char *const *word = arguments->words.word + 1;
	size_t n = arguments->words.count - 1;
	int64_t job[QUEUE_WORDS];

	if (may_be_all && n == 1 && strcmp(word[0], ALL) == 0)
		n = 0;
	for (size_t i = 0; i < n; i++)
		if (read_job(word[i], &job[i], why) < 0)
			return -1;
	return tell_jobs(line,
			 pg_line_ask(line, sql, "Iis", job, n,
				     (int64_t)(n == 0), arguments->why),
			 job, n, done, undone, why);
}

static int
do_retry(const struct arguments *arguments, struct pg_line *line,
	 struct error *why)
{
	return change_jobs(arguments, line, true,
			   "WITH again AS (UPDATE referee.job SET"
			   " state = 'waiting', losses = 0, worker = NULL,"
			   " blamed = NULL WHERE state = 'parked' AND"
			   " (job = ANY($1) OR $2 = 1) RETURNING job, bot),"
			   " built AS (DELETE FROM referee.unbuilt u USING"
			   " again a WHERE u.hash = ANY (a.bot)), told AS"
			   " (SELECT pg_notify('" QUEUE_JOBS "', '')"
			   " FROM (SELECT FROM again LIMIT 1) one)"
			   " SELECT job FROM again"
			   " WHERE (SELECT count(*) FROM told) >= 0"
			   " ORDER BY job",
			   "waits again", "is parked", why);
}

static int
do_park(const struct arguments *arguments, struct pg_line *line,
	struct error *why)
{
	return change_jobs(arguments, line, false,
			   "WITH those AS (UPDATE referee.job SET"
			   " state = 'parked',"
			   " lease_until = NULL, worker = NULL,"
			   " why = $3 WHERE job = ANY($1) AND state"
			   " IN ('waiting', 'claimed')"
			   " RETURNING job) SELECT job FROM those"
			   " ORDER BY job",
			   "is parked", "waits or runs", why);
}

/* Voids reported jobs, too, because without the key no result can be verified. */
static int
do_void(const struct arguments *arguments, struct pg_line *line,
	struct error *why)
{
	return change_jobs(arguments, line, true,
			   "WITH those AS (UPDATE referee.job SET"
			   " state = 'void', lease_until = NULL,"
			   " worker = NULL, why = $3"
			   " WHERE state IN ('waiting', 'claimed',"
			   " 'reported', 'parked')"
			   " AND (job = ANY($1) OR $2 = 1)"
			   " RETURNING job), told AS"
			   " (UPDATE referee.result r SET"
			   " state = 'refused', why = $3 FROM those"
			   " WHERE r.job = those.job"
			   " AND r.state IN ('new', 'late'))"
			   " SELECT job FROM those ORDER BY job",
			   "is void", "is still open", why);
}

/* ---- workers ---------------------------------------------------------- */

/* Ends the sessions of a worker's login.  Returns how many could not be ended
 * for lack of permission; -1 if the database does not say. */
static int64_t
end_sessions(struct pg_line *line, const char *worker)
{
	const struct pg_answer *answer = pg_line_ask(
		line, "SELECT referee.end_sessions($1)", "s", worker);

	return pg_rows(answer) == 0 ? -1 : pg_number(answer, 0, 0);
}

static int
set_suspended(const struct arguments *arguments, struct pg_line *line,
	      bool suspended, const char *reason, struct error *why)
{
	const char *name = arguments->words.word[1];
	const struct pg_answer *answer = pg_line_ask(
		line,
		"UPDATE referee.worker SET suspended = ($2 = 1), why = $3,"
		" told = NULL WHERE worker = $1 RETURNING worker",
		"sis", name, (int64_t)suspended, reason);

	if (is_blocked(answer))
		return tell_who_blocks(line, answer, NULL, 0, name, why);
	if (answer->outcome != PG_DONE)
		return queue_trouble(answer, QUEUE_DAEMON, why);
	if (pg_rows(answer) == 0)
		return error_set(why, ERROR_ANSWER, "there is no worker %s",
				 quoted(name).text);
	print_escaped(stdout, name);
	puts(suspended ? " is suspended"
		       : " gets jobs again; start it if it has ended");
	return 0;
}

static int
do_suspend(const struct arguments *arguments, struct pg_line *line,
	   struct error *why)
{
	const char *name = arguments->words.word[1];
	int64_t left;
	int result;

	/* The sessions are ended first because their locks could block the
	 * suspension. */
	(void)!end_sessions(line, name);
	result = set_suspended(arguments, line, true, arguments->why, why);
	if (result < 0)
		return -1;
	/* The worker may have come back before it was suspended. */
	left = end_sessions(line, name);
	if (left > 0)
		return error_set(why, ERROR_INPUT,
				 "%s of its login may not be ended by this "
				 "role; a superuser has to run: " QUEUE_GRANT,
				 counted((uint64_t)left, "session").text);
	return 0;
}

static int
do_admit(const struct arguments *arguments, struct pg_line *line,
	 struct error *why)
{
	return set_suspended(arguments, line, false, NULL, why);
}

/* ---- the command ------------------------------------------------------ */

static const struct what whats[] = {
	{ "init", "", 0, 0, false, false, false, do_init },
	{ "key", " FILE", 1, 1, true, false, false, do_key },
	{ "show", "", 0, 0, false, true, false, do_show },
	{ "retry", " JOB...|all", 1, QUEUE_WORDS, false, false, false,
	  do_retry },
	{ "park", " JOB...", 1, QUEUE_WORDS, false, false, true, do_park },
	{ "void", " JOB...|all", 1, QUEUE_WORDS, false, false, true, do_void },
	{ "workers", "", 0, 0, false, true, false, do_workers },
	{ "suspend", " NAME", 1, 1, false, false, true, do_suspend },
	{ "admit", " NAME", 1, 1, false, false, false, do_admit },
};

static const struct what *
what_of(const char *name)
{
	for (size_t i = 0; i < NELEM(whats); i++)
		if (strcmp(whats[i].name, name) == 0)
			return &whats[i];
	return NULL;
}

static _Noreturn void
refuse_words(const struct arguments *arguments)
{
	struct suggestion meant = suggest(
		arguments->words.count > 0 ? arguments->words.word[0] : "");

	for (size_t i = 0; i < NELEM(whats); i++)
		suggest_offer(&meant, whats[i].name);
	refuse_argument("queue takes one of: init, key FILE, show, retry "
			"JOB...|all, park JOB..., void JOB...|all, workers, "
			"suspend NAME, admit NAME%s",
			meant.edits > 0 ? meant.text : "");
}

static const struct what *
choose(const struct arguments *arguments)
{
	const struct what *what = arguments->words.count > 0
					  ? what_of(arguments->words.word[0])
					  : NULL;

	if (arguments->words.count > QUEUE_WORDS)
		refuse_argument("at most %d jobs are allowed", QUEUE_WORDS - 1);
	if (what == NULL)
		refuse_words(arguments);
	if (arguments->words.count - 1 < what->least ||
	    arguments->words.count - 1 > what->most)
		refuse_argument("write: queue %s%s", what->name, what->words);
	if (arguments->json && !what->json)
		refuse_argument("--json needs show or workers");
	if (arguments->why != NULL && !what->why)
		refuse_argument("--why needs park, void or suspend");
	if (!what->local && arguments->queue == NULL)
		refuse_argument("name the database: --queue "
				"'host=... dbname=...'");
	if (what->local && arguments->queue != NULL)
		refuse_argument("%s takes no --queue", what->name);
	return what;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct pg_line *line = NULL;
	const struct what *what;
	struct error why = { 0 };
	int result;

	arguments.words =
		parse_arguments(&argp, options, argc, argv, &arguments);
	what = choose(&arguments);
	if (arguments.why == NULL)
		arguments.why = "by hand";
	if (!what->local) {
		line = pg_line_new(arguments.queue, "referee queue", &why);
		if (line == NULL)
			return complain_error(&why);
	}
	result = what->run(&arguments, line, &why);
	pg_line_free(line);
	if (result < 0) {
		if (finish_output() != EXIT_DONE)
			return EXIT_MACHINE;
		return complain_error(&why);
	}
	return finish_output();
}

const struct command command_queue = {
	.name = "queue",
	.brief = "the database through which other machines play",
	.run = run,
};
