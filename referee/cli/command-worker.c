/* referee/cli/command-worker.c - `referee worker`: plays the games of a queue. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "protocol/message.h"
#include "referee/base/log.h"
#include "referee/base/serve-limits.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/data/data-folder.h"
#include "referee/queue/player.h"
#include "referee/queue/seal.h"
#include "referee/sandbox/sandbox.h"

#define DATA "referee-worker"

struct arguments {
	struct player_setup setup;
	const char *key;
	enum log_level level;
	char name[NAME_BYTES + 1];
};

enum {
	KEY_QUEUE = 0x100,
	KEY_KEY,
	KEY_NAME,
	KEY_CLASS,
	KEY_SANDBOX,
	KEY_MINIMUM,
	KEY_LEVEL,
};

static const struct argp_option options[] = {
	{ "queue", KEY_QUEUE, "CONNINFO", 0,
	  "Where the queue is, as psql takes it: 'host=db dbname=referee "
	  "user=NAME' or a URI",
	  1 },
	{ "key", KEY_KEY, "FILE", 0,
	  "The key of `referee queue key`, which the daemon has, too", 1 },
	{ "name", KEY_NAME, "NAME", 0,
	  "What the queue calls this worker; no two have one name (default: "
	  "the machine's name)",
	  1 },
	{ "class", KEY_CLASS, "CLASS", 0,
	  "The class of this machine, for ladders that ask for one", 1 },
	{ "jobs", 'j', "N", 0,
	  "Games at a time (default: two for each processor)", 2 },
	{ "data", 'd', "DIR", 0,
	  "The folder of the bots that were built here (default: " DATA ")",
	  2 },
	{ "sandbox", KEY_SANDBOX, "auto|on|off", 0,
	  "The sandbox of bots and of their builds, as for a match", 3 },
	{ "sandbox-minimum", KEY_MINIMUM, "A|B|C|D", 0,
	  "Refuse to play in a tier below this one (default D)", 3 },
	{ "log-level", KEY_LEVEL, "debug|info|warn|error", 0,
	  "The least important events that are logged (default info)", 3 },
	{ 0 },
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
	"30 "
	"seconds, all others are given back; a second signal aborts them at "
	"once. Each event is one line of log on standard error.\n\n"
	"Exit codes: 0 stopped by a signal, 1 the worker was suspended, or "
	"results could not be reported, 2 wrong usage, a wrong key or a wrong "
	"database, 3 the machine's fault.\n\n"
	"Example:\n"
	"  $ referee worker --queue 'host=db dbname=referee user=worker1' \\\n"
	"      --key queue.key\n";

/* ---- arguments -------------------------------------------------------- */

static void
parse_name(struct arguments *a, const char *arg)
{
	if (!message_name_ok(arg, strlen(arg)))
		refuse_argument("--name takes up to %d letters, digits, `.`, "
				"`_` and `-`, not %s",
				NAME_BYTES, quoted(arg).text);
	snprintf(a->name, sizeof(a->name), "%s", arg);
}

static void
parse_class(struct arguments *a, const char *arg)
{
	if (!message_name_ok(arg, strlen(arg)))
		refuse_argument("--class takes up to %d letters, digits, `.`, "
				"`_` and `-`, not %s",
				NAME_BYTES, quoted(arg).text);
	if (strcmp(arg, SERVE_CLASS_ANY) == 0)
		refuse_argument("--class " SERVE_CLASS_ANY
				" is what ladders say that ask for no class");
	a->setup.class = arg;
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case KEY_QUEUE:
		a->setup.conninfo = arg;
		break;
	case KEY_KEY:
		a->key = arg;
		break;
	case KEY_NAME:
		parse_name(a, arg);
		break;
	case KEY_CLASS:
		parse_class(a, arg);
		break;
	case 'j':
		a->setup.jobs = (unsigned)argument_number("--jobs", arg, 1,
							  PLAYER_JOBS_MAX);
		break;
	case 'd':
		a->setup.data = arg;
		break;
	case KEY_SANDBOX:
		a->setup.want = argument_word("--sandbox", arg, sandbox_wants);
		break;
	case KEY_MINIMUM:
		a->setup.minimum =
			argument_word("--sandbox-minimum", arg, sandbox_tiers);
		break;
	case KEY_LEVEL:
		a->level = argument_word("--log-level", arg, log_levels);
		break;
	case ARGP_KEY_ARG:
		refuse_argument("worker takes no %s", quoted(arg).text);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = doc,
};

/* The machine's name may be one that no bot could have. */
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
}

static void
complete(struct arguments *a)
{
	struct player_setup *setup = &a->setup;
	const unsigned jobs = 2 * workers_count();

	if (setup->conninfo == NULL)
		refuse_argument("give the queue's database with --queue");
	if (a->key == NULL)
		refuse_argument("give the queue's key with --key");
	if (a->name[0] == '\0')
		take_host_name(a);
	setup->name = a->name;
	if (setup->jobs == 0)
		setup->jobs = jobs < PLAYER_JOBS_MAX ? jobs : PLAYER_JOBS_MAX;
}

/* ---- the command ------------------------------------------------------ */

static int
play(struct arguments *a, struct error *why)
{
	struct player_setup *setup = &a->setup;
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
		result = player_run(setup, why);
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
	struct error why;
	int code = EXIT_DONE;

	parse_arguments(&argp, argc, argv, &a);
	complete(&a);
	signal(SIGPIPE, SIG_IGN); /* the reader of the log may have gone */
	a.setup.logger = log_new(STDERR_FILENO, a.level, NULL);
	if (play(&a, &why) < 0)
		code = complain_error(&why);
	log_flush(a.setup.logger);
	log_free(a.setup.logger);
	/* There is no secret any more; and a leak checker needs to look. */
	prctl(PR_SET_DUMPABLE, 1);
	return code;
}

const struct command command_worker = {
	.name = "worker",
	.brief = "play games of a daemon's queue on this machine",
	.run = run,
};
