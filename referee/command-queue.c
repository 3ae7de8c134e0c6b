/* referee/command-queue.c - `referee queue`: the database that carries games to
 * workers on other machines. */
#include <argp.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/command.h"
#include "referee/json-line.h"
#include "referee/queue/pg.h"
#include "referee/queue/schema.h"
#include "referee/queue/seal.h"
#include "referee/suggest.h"

#define QUEUE_WORDS 1000 /* jobs of one command */
#define ALL "all"

struct arguments {
	const char *queue, *why;
	bool json;
	const char *word[QUEUE_WORDS];
	unsigned words;
};

enum {
	KEY_JSON = 256,
	KEY_WHY,
};

static const struct argp_option options[] = {
	{ "queue", 'q', "CONNINFO", 0,
	  "The database, as libpq takes it: 'host=db1,db2 dbname=referee' or a "
	  "URI",
	  0 },
	{ "json", KEY_JSON, NULL, 0,
	  "show, workers: print JSON, one object a line", 1 },
	{ "why", KEY_WHY, "TEXT", 0,
	  "park, suspend: the reason, which show and workers tell", 1 },
	{ 0 },
};

struct what {
	const char *name;
	unsigned least, most; /* words behind it */
	bool local;	      /* without a database */
	bool json, why;
	int (*run)(const struct arguments *arguments, struct pg_line *line,
		   struct error *why);
};

static const struct what *what_of(const char *name);

/* ---- arguments -------------------------------------------------------- */

static _Noreturn void refuse_words(const struct arguments *arguments);

static void
check_arguments(const struct arguments *arguments)
{
	const struct what *what =
		arguments->words > 0 ? what_of(arguments->word[0]) : NULL;

	if (what == NULL || arguments->words - 1 < what->least ||
	    arguments->words - 1 > what->most)
		refuse_words(arguments);
	if (arguments->json && !what->json)
		refuse_argument("--json needs show or workers");
	if (arguments->why != NULL && !what->why)
		refuse_argument("--why needs park or suspend");
	if (!what->local && arguments->queue == NULL)
		refuse_argument("name the database: --queue "
				"'host=... dbname=...'");
	if (what->local && arguments->queue != NULL)
		refuse_argument("%s takes no --queue", what->name);
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'q':
		arguments->queue = arg;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case KEY_WHY:
		arguments->why = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->words == QUEUE_WORDS)
			refuse_argument("at most %d jobs are allowed",
					QUEUE_WORDS - 1);
		arguments->word[arguments->words++] = arg;
		return 0;
	case ARGP_KEY_END:
		check_arguments(arguments);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "init\n"
		    "key FILE\n"
		    "show\n"
		    "retry JOB...|all\n"
		    "park JOB...\n"
		    "workers\n"
		    "suspend NAME\n"
		    "admit NAME",
	.doc = "Prepare and look at the database through which a daemon has "
	       "games played on other machines.\v"
	       "`init` makes the tables, functions and roles, or brings them "
	       "up to date.  `key` makes the key that seals the secrets of "
	       "games; the daemon and all workers need a copy.  `show` counts "
	       "the jobs and lists those that are parked: a job is parked when "
	       "it was lost twice, because a worker died or gave it back.  "
	       "`retry` lets parked jobs be played after all, `park` keeps "
	       "jobs that wait or run from being played.  `workers` lists the "
	       "workers; `suspend` lets one have no more jobs, `admit` ends "
	       "that.  doc/MANY-MACHINES.md shows the whole way.\n"
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

/* What the answer that is not done means for the command. */
static int
trouble(const struct pg_answer *answer, struct error *why)
{
	if (answer->outcome == PG_REFUSED &&
	    (strcmp(answer->state, "3F000") == 0 ||
	     strcmp(answer->state, "42P01") == 0))
		return error_set(why, ERROR_INPUT,
				 "there is no queue in this database; make it "
				 "with `referee queue init`");
	if (answer->outcome == PG_REFUSED &&
	    strcmp(answer->state, "42501") == 0)
		return error_set(why, ERROR_INPUT,
				 "%s; log in as a member of "
				 "referee_coordinator",
				 answer->why);
	return error_set(why,
			 answer->outcome == PG_REFUSED ? ERROR_INPUT
						       : ERROR_MACHINE,
			 "%s", answer->why);
}

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
		return trouble(answer, why);
	printf("the queue is there, version %d\n", QUEUE_SCHEMA);
	return 0;
}

static int
do_key(const struct arguments *arguments, struct pg_line *line UNUSED,
       struct error *why)
{
	struct seal_key key;

	if (seal_key_make(arguments->word[1], &key, why) < 0)
		return -1;
	printf("key %s\n", key.print);
	seal_key_forget(&key);
	return 0;
}

/* ---- show ------------------------------------------------------------- */

static json_t *
text_or_none(const struct pg_answer *answer, unsigned row, unsigned column)
{
	return pg_null(answer, row, column)
		       ? NULL
		       : json_any_string(pg_string(answer, row, column));
}

#define COUNT(state)                                                           \
	" (SELECT count(*) FROM referee.job WHERE state = '" state "')"

static void
show_house(const struct pg_answer *answer, bool json)
{
	if (json) {
		print_json_line(
			JSON_OBJECT(
				TEXT("type", "queue"),
				INT("version", pg_number(answer, 0, 0)),
				INT("epoch", pg_number(answer, 0, 1)),
				JSON_IF("holder", text_or_none(answer, 0, 2)),
				JSON_IF("key", text_or_none(answer, 0, 3)),
				INT("waiting", pg_number(answer, 0, 4)),
				INT("claimed", pg_number(answer, 0, 5)),
				INT("reported", pg_number(answer, 0, 6)),
				INT("parked", pg_number(answer, 0, 7)),
				INT("verdicts", pg_number(answer, 0, 8)),
				INT("oldest_s", pg_number(answer, 0, 9))),
			0);
		return;
	}
	printf("daemon    ");
	print_escaped(stdout, pg_null(answer, 0, 2) ? "none yet"
						    : pg_string(answer, 0, 2));
	printf(", epoch %" PRId64 "\n", pg_number(answer, 0, 1));
	printf("waiting   %" PRId64, pg_number(answer, 0, 4));
	if (pg_number(answer, 0, 4) > 0)
		printf(", the oldest for %s",
		       counted((uint64_t)pg_number(answer, 0, 9), "second")
			       .text);
	printf("\nclaimed   %" PRId64 "\nreported  %" PRId64
	       "\nparked    %" PRId64 "\nverdicts  %" PRId64 "\n",
	       pg_number(answer, 0, 5), pg_number(answer, 0, 6),
	       pg_number(answer, 0, 7), pg_number(answer, 0, 8));
}

static json_t *
json_list(const struct pg_answer *answer, unsigned row, unsigned column)
{
	struct pg_piece item[SEATS_MAX];
	unsigned n = pg_list(answer, row, column, item, SEATS_MAX);
	json_t *list = json_array();
	char *text;

	if (list == NULL)
		bug("out of memory");
	for (unsigned i = 0; i < n && i < SEATS_MAX; i++) {
		text = formatted("%.*s", (int)item[i].n,
				 item[i].bytes == NULL ? "" : item[i].bytes);
		if (json_array_append_new(list, json_any_string(text)) < 0)
			bug("out of memory");
		free(text);
	}
	return list;
}

static void
show_job(const struct pg_answer *answer, unsigned row, bool json)
{
	if (json) {
		print_json_line(
			JSON_OBJECT(
				TEXT("type", "job"),
				INT("job", pg_number(answer, row, 0)),
				JSON("ladder", text_or_none(answer, row, 1)),
				JSON("game", text_or_none(answer, row, 2)),
				INT("losses", pg_number(answer, row, 3)),
				JSON("bots", json_list(answer, row, 5)),
				JSON_IF("why", text_or_none(answer, row, 4))),
			0);
		return;
	}
	printf("parked job %" PRId64 " of ", pg_number(answer, row, 0));
	print_escaped(stdout, pg_string(answer, row, 1));
	printf(": ");
	print_escaped(stdout, pg_string(answer, row, 4));
	putchar('\n');
}

static int
do_show(const struct arguments *arguments, struct pg_line *line,
	struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		line,
		"SELECT version, epoch, holder, "
		"key_print," COUNT("waiting") "," COUNT(
			"claime"
			"d") "," COUNT("reported") "," COUNT("parked") ", "
								       "(SELEC"
								       "T "
								       "count("
								       "*) "
								       "FROM "
								       "refere"
								       "e."
								       "verdic"
								       "t),"
								       " ("
								       "SELECT"
								       " coale"
								       "sce("
								       "extrac"
								       "t("
								       "epoch "
								       "FROM "
								       "now() "
								       "- "
								       "min("
								       "made))"
								       ","
								       " 0)::"
								       "int8 "
								       "FROM "
								       "refere"
								       "e.job "
								       "WHERE "
								       "state "
								       "= "
								       "'waiti"
								       "ng')"
								       " FROM "
								       "refere"
								       "e."
								       "house",
		"");

	if (answer->outcome != PG_DONE)
		return trouble(answer, why);
	if (pg_rows(answer) == 0)
		return error_set(why, ERROR_INPUT,
				 "the queue is not whole; run `referee queue "
				 "init`");
	show_house(answer, arguments->json);
	answer = pg_line_ask(line,
			     "SELECT job, ladder, game, losses, why, name"
			     " FROM referee.job WHERE state = 'parked'"
			     " ORDER BY job",
			     "");
	if (answer->outcome != PG_DONE)
		return trouble(answer, why);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		show_job(answer, i, arguments->json);
	return 0;
}

/* ---- jobs ------------------------------------------------------------- */

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

/* The jobs that a statement names are those that were asked for. */
static int
tell_jobs(const struct pg_answer *answer, const int64_t job[], size_t n,
	  const char *done, const char *undone, struct error *why)
{
	bool found;

	if (answer->outcome != PG_DONE)
		return trouble(answer, why);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		printf("job %" PRId64 " %s\n", pg_number(answer, i, 0), done);
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

static int
read_jobs(const struct arguments *arguments, int64_t job[QUEUE_WORDS],
	  struct error *why)
{
	for (unsigned i = 1; i < arguments->words; i++)
		if (read_job(arguments->word[i], &job[i - 1], why) < 0)
			return -1;
	return 0;
}

static int
do_retry(const struct arguments *arguments, struct pg_line *line,
	 struct error *why)
{
	const bool all =
		arguments->words == 2 && strcmp(arguments->word[1], ALL) == 0;
	const size_t n = all ? 0 : arguments->words - 1;
	int64_t job[QUEUE_WORDS];

	if (!all && read_jobs(arguments, job, why) < 0)
		return -1;
	return tell_jobs(
		pg_line_ask(line,
			    "WITH again AS (UPDATE referee.job SET"
			    " state = 'waiting', losses = 0, worker = NULL"
			    " WHERE state = 'parked' AND"
			    " (job = ANY($1) OR $2 = 1) RETURNING job), told AS"
			    " (SELECT pg_notify('" QUEUE_JOBS "', '')"
			    " FROM (SELECT FROM again LIMIT 1) one)"
			    " SELECT job FROM again"
			    " WHERE (SELECT count(*) FROM told) >= 0"
			    " ORDER BY job",
			    "Ii", job, n, (int64_t)all),
		job, n, "waits again", "is parked", why);
}

static int
do_park(const struct arguments *arguments, struct pg_line *line,
	struct error *why)
{
	const size_t n = arguments->words - 1;
	int64_t job[QUEUE_WORDS];

	if (read_jobs(arguments, job, why) < 0)
		return -1;
	return tell_jobs(pg_line_ask(line,
				     "WITH those AS (UPDATE referee.job SET"
				     " state = 'parked',"
				     " lease_until = NULL, worker = NULL,"
				     " why = $2 WHERE job = ANY($1) AND state"
				     " IN ('waiting', 'claimed')"
				     " RETURNING job) SELECT job FROM those"
				     " ORDER BY job",
				     "Is", job, n,
				     arguments->why == NULL ? "by hand"
							    : arguments->why),
			 job, n, "is parked", "waits or runs", why);
}

/* ---- workers ---------------------------------------------------------- */

static void
show_worker(const struct pg_answer *answer, unsigned row, bool json)
{
	if (json) {
		print_json_line(
			JSON_OBJECT(
				TEXT("type", "worker"),
				JSON("worker", text_or_none(answer, row, 0)),
				JSON("class", text_or_none(answer, row, 1)),
				JSON("version", text_or_none(answer, row, 2)),
				JSON("processor", text_or_none(answer, row, 3)),
				INT("cores", pg_number(answer, row, 4)),
				REAL("speed", pg_real(answer, row, 5)),
				INT("seen_s", pg_number(answer, row, 6)),
				INT("jobs", pg_number(answer, row, 9)),
				BOOL("suspended", pg_number(answer, row, 7)),
				JSON_IF("why", text_or_none(answer, row, 8))),
			0);
		return;
	}
	print_escaped(stdout, pg_string(answer, row, 0));
	printf(": %s, %s, heard of %s ago",
	       counted((uint64_t)pg_number(answer, row, 4), "core").text,
	       counted((uint64_t)pg_number(answer, row, 9), "job").text,
	       counted((uint64_t)pg_number(answer, row, 6), "second").text);
	if (*pg_string(answer, row, 1) != '\0') {
		printf(", class ");
		print_escaped(stdout, pg_string(answer, row, 1));
	}
	if (pg_number(answer, row, 7) != 0) {
		printf(", suspended: ");
		print_escaped(stdout, pg_string(answer, row, 8));
	}
	putchar('\n');
}

static int
do_workers(const struct arguments *arguments, struct pg_line *line,
	   struct error *why)
{
	const struct pg_answer *answer = pg_line_ask(
		line,
		"SELECT worker, class, version, processor, cores, speed,"
		" greatest(0, extract(epoch FROM now() - seen))::int8,"
		" suspended, why, (SELECT count(*) FROM referee.job j"
		" WHERE j.state = 'claimed' AND j.worker = w.worker)"
		" FROM referee.worker w ORDER BY worker",
		"");

	if (answer->outcome != PG_DONE)
		return trouble(answer, why);
	for (unsigned i = 0; i < pg_rows(answer); i++)
		show_worker(answer, i, arguments->json);
	return 0;
}

static int
set_suspended(const struct arguments *arguments, struct pg_line *line,
	      bool suspended, const char *reason, struct error *why)
{
	const char *name = arguments->word[1];
	const struct pg_answer *answer = pg_line_ask(
		line,
		"UPDATE referee.worker SET suspended = ($2 = 1), why = $3"
		" WHERE worker = $1 RETURNING worker",
		"sis", name, (int64_t)suspended, reason);

	if (answer->outcome != PG_DONE)
		return trouble(answer, why);
	if (pg_rows(answer) == 0)
		return error_set(why, ERROR_ANSWER, "there is no worker %s",
				 quoted(name).text);
	print_escaped(stdout, name);
	puts(suspended ? " is suspended" : " gets jobs again");
	return 0;
}

static int
do_suspend(const struct arguments *arguments, struct pg_line *line,
	   struct error *why)
{
	return set_suspended(
		arguments, line, true,
		arguments->why == NULL ? "by hand" : arguments->why, why);
}

static int
do_admit(const struct arguments *arguments, struct pg_line *line,
	 struct error *why)
{
	return set_suspended(arguments, line, false, NULL, why);
}

/* ---- the command ------------------------------------------------------ */

static const struct what whats[] = {
	{ "init", 0, 0, false, false, false, do_init },
	{ "key", 1, 1, true, false, false, do_key },
	{ "show", 0, 0, false, true, false, do_show },
	{ "retry", 1, QUEUE_WORDS, false, false, false, do_retry },
	{ "park", 1, QUEUE_WORDS, false, false, true, do_park },
	{ "workers", 0, 0, false, true, false, do_workers },
	{ "suspend", 1, 1, false, false, true, do_suspend },
	{ "admit", 1, 1, false, false, false, do_admit },
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
	struct suggestion meant =
		suggest(arguments->words > 0 ? arguments->word[0] : "");

	for (size_t i = 0; i < NELEM(whats); i++)
		suggest_offer(&meant, whats[i].name);
	refuse_argument("queue takes one of: init, key FILE, show, retry "
			"JOB...|all, park JOB..., workers, suspend NAME, admit "
			"NAME%s",
			meant.edits > 0 ? meant.text : "");
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct pg_line *line = NULL;
	const struct what *what;
	struct error why = { 0 };
	int result;

	parse_arguments(&argp, argc, argv, &arguments);
	if (sodium_init() < 0)
		return complain_machine("libsodium does not start");
	what = what_of(arguments.word[0]);
	if (what == NULL)
		bug("a word that is none of ours");
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
