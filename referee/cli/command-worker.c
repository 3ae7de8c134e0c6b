/* referee/cli/command-worker.c - `referee worker`: plays the games of a queue. */
#include <argp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "protocol/message.h"
#include "referee/base/log.h"
#include "referee/base/serve-limits.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/data/data-folder.h"
#include "referee/queue/machine.h"
#include "referee/runner/workers.h"
#include "referee/queue/seal.h"
#include "referee/sandbox/sandbox.h"

#define DATA "referee-worker"

struct arguments {
	struct machine_setup setup;
	const char *key;
	enum log_level level;
	char name[NAME_BYTES + 1]; /* the machine's name */
};

static const char doc[] =
	"Play games of a daemon's local bots on this machine. The daemon and "
	"its workers have a queue in PostgreSQL (`queue` in the daemon's "
	"configuration); each worker claims games there, plays them with all "
	"its processors, and reports their results.\v"
	"Bots are fetched by their hash and built here once, in a sandbox. "
	"While the database is away, games are played to their end and their "
	"results are kept; if a worker is lost, its games are played again, "
	"with the same cards.\n\n"
	"After SIGTERM, SIGINT (Ctrl-C) or SIGHUP running games may end within "
	"30 seconds, all others are given back; a second signal aborts them at "
	"once. Each event is one line of log on standard error.\n\n"
	"Exit codes: 0 stopped by a signal, 1 the worker was suspended, or "
	"results could not be reported, 2 wrong usage, a wrong key or a wrong "
	"database, 3 the machine's fault.\n\n"
	"Example:\n"
	"  $ referee worker --queue 'host=db dbname=referee user=worker1' \\\n"
	"      --key queue.key\n";

/* ---- arguments -------------------------------------------------------- */

static void
check_class(void *to, const struct argument *option, char *arg)
{
	argument_check_name(to, option, arg);
	if (strcmp(arg, SERVE_CLASS_ANY) == 0)
		refuse_argument("--class " SERVE_CLASS_ANY
				" is what ladders say that ask for no class");
}

static const struct argument options[] = {
	{ "queue", 0, "CONNINFO",
	  "Where the queue is, as psql takes it: 'host=db dbname=referee "
	  "user=NAME' or a URI",
	  STORE_TEXT(struct arguments, setup.conninfo), .group = 1 },
	{ "key", 0, "FILE",
	  "The key of `referee queue key`, which the daemon has, too",
	  STORE_TEXT(struct arguments, key), .group = 1 },
	{ "name", 0, "NAME",
	  "What the queue calls this worker; no two have one name (default: "
	  "the machine's name)",
	  STORE_TEXT(struct arguments, setup.name), .take = argument_check_name,
	  .group = 1 },
	{ "class", 0, "CLASS",
	  "The class of this machine, for ladders that ask for one",
	  STORE_TEXT(struct arguments, setup.class), .take = check_class,
	  .group = 1 },
	{ "jobs", 'j', "N", "Games at a time (default: two for each processor)",
	  STORE_NUMBER(struct arguments, setup.jobs, 1, MACHINE_JOBS_MAX),
	  .group = 2 },
	{ "data", 'd', "DIR",
	  "The folder of the bots that were built here (default: " DATA ")",
	  STORE_TEXT(struct arguments, setup.data), .group = 2 },
	{ "sandbox", 0, "auto|on|off",
	  "The sandbox of bots and of their builds, as for a match",
	  STORE_WORD(struct arguments, setup.want, sandbox_wants), .group = 3 },
	{ "sandbox-minimum", 0, "A|B|C|D",
	  "Refuse to play in a tier below this one (default D)",
	  STORE_WORD(struct arguments, setup.minimum, sandbox_tiers),
	  .group = 3 },
	{ "log-level", 0, "debug|info|warn|error",
	  "The least important events that are logged (default info)",
	  STORE_WORD(struct arguments, level, log_levels), .group = 3 },
	{ 0 },
};

static const struct argp argp = {
	.doc = doc,
};

/* Takes the machine's name; refuses one that no bot could have. */
static void
take_host_name(struct arguments *a)
{
	char name[256] = "";

	(void)!gethostname(name, sizeof(name) - 1);
	name[strcspn(name, ".")] = '\0';
	if (!message_name_ok(name, strlen(name)))
		refuse_argument("the machine's name %s cannot be the worker's: "
				"give one with --name",
				quoted(name).text);
	memcpy(a->name, name, strlen(name) + 1);
	a->setup.name = a->name;
}

static void
complete(struct arguments *a)
{
	struct machine_setup *setup = &a->setup;
	const unsigned jobs = 2 * workers_count();

	if (setup->conninfo == NULL)
		refuse_argument("give the queue's database with --queue");
	if (a->key == NULL)
		refuse_argument("give the queue's key with --key");
	if (setup->name == NULL)
		take_host_name(a);
	if (setup->jobs == 0)
		setup->jobs = jobs < MACHINE_JOBS_MAX ? jobs : MACHINE_JOBS_MAX;
}

/* ---- the command ------------------------------------------------------ */

static int
play(struct arguments *a, struct error *why)
{
	struct machine_setup *setup = &a->setup;
	struct seal_key key;
	int lock, result;

	if (sandbox_choose(setup->want, setup->minimum, &setup->tier, why) <
	    0) {
		why->kind = ERROR_MACHINE;
		return -1;
	}
	lock = data_folder_take(setup->data, why);
	if (lock < 0)
		return -1;
	result = seal_key_load(a->key, &key, why);
	if (result == 0) {
		setup->key = &key;
		result = machine_run(setup, why);
		seal_key_forget(&key);
	}
	close(lock);
	return result;
}

static int
run(int argc, char **argv)
{
	struct arguments a = {
		.setup = { .class = "", .data = DATA },
		.level = LOG_LEVEL_INFO,
	};
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &a);
	struct error why;
	int code = EXIT_DONE;

	if (words.count > 0)
		refuse_argument("worker takes no %s",
				quoted(words.word[0]).text);
	complete(&a);
	signal(SIGPIPE, SIG_IGN); /* the log's reader may be gone */
	a.setup.logger = log_new(STDERR_FILENO, a.level);
	if (play(&a, &why) < 0)
		code = complain_error(&why);
	log_flush(a.setup.logger);
	log_free(a.setup.logger);
	/* No secret is left in our memory, and a leak checker must be able to
	 * read it. */
	prctl(PR_SET_DUMPABLE, 1);
	return code;
}

const struct command command_worker = {
	.name = "worker",
	.brief = "play games of a daemon's queue on this machine",
	.run = run,
};
