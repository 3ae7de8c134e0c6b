/* referee/command-bots.c - `referee bots`: who may play in a data folder. */
#include <argp.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "referee/bots.h"
#include "referee/command.h"
#include "referee/control.h"
#include "referee/data-folder.h"
#include "referee/serve-limits.h"

/* Until a daemon that has the folder answers. */
#define TRIES 50
#define TRY_AGAIN_MS 100

struct arguments {
	const char *data;
	char *word[BOTS_WORDS];
	unsigned words;
};

static const struct argp_option options[] = {
	{ "data", 'd', "DIR", 0,
	  "The daemon's data folder (default: " SERVE_DATA ")", 0 },
	{ 0 },
};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'd':
		arguments->data = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->words == BOTS_WORDS)
			refuse_argument("too many words, from %s on",
					quoted(arg).text);
		if (strpbrk(arg, "\t\n") != NULL)
			refuse_argument("%s has a tab or a line's end in it",
					quoted(arg).text);
		arguments->word[arguments->words++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (!bots_is(arguments->words, arguments->word))
			refuse_argument("bots takes one of: list, token NAME, "
					"revoke NAME, enable NAME, disable "
					"NAME [WHY], rename NAME NAME, remove "
					"NAME");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "list\n"
		    "token NAME\n"
		    "revoke NAME\n"
		    "enable NAME\n"
		    "disable NAME [WHY]\n"
		    "rename NAME NAME\n"
		    "remove NAME",
	.doc = "Who may play in a daemon's data folder, whether it runs or "
	       "not.\v"
	       "`token` makes a bot, or a new token for one that is there: it "
	       "is printed this once, and the one before is worth nothing from "
	       "then on.  A bot that is renamed keeps its token and its "
	       "rating; "
	       "records and ladders go on calling it by its first name.  A bot "
	       "that is removed stays in the records, and its name stays "
	       "taken.\n"
	       "\n"
	       "Exit codes: 0 done, 2 wrong usage or no such bot, 3 the "
	       "machine's fault.\n"
	       "\n"
	       "Example:\n"
	       "  $ referee bots token alice\n"
	       "  $ referee bots disable alice 'loops for ever'\n",
};

/* Nobody else works on the folder. */
static int
on_files(const struct arguments *arguments, struct text *out, char *why,
	 size_t n)
{
	char reason[LADDER_WHY_BYTES] = "";
	struct roster *roster;
	int result, code;

	result = roster_open(arguments->data, &roster, reason);
	if (result == LADDER_OK) {
		code = bots_do(roster, arguments->words, arguments->word, out,
			       reason);
		roster_close(roster);
	} else {
		code = result == LADDER_BAD ? EXIT_USAGE : EXIT_MACHINE;
	}
	snprintf(why, n, "%s", reason);
	return code;
}

/* One try; -1: somebody has the folder, but does not answer. */
static int
try_it(const struct arguments *arguments, struct text *out,
       char why[CONTROL_WHY_BYTES])
{
	char folder[DATA_FOLDER_WHY_BYTES];
	int lock, code;

	lock = data_folder_take(arguments->data, folder);
	if (lock >= 0) {
		code = on_files(arguments, out, why, CONTROL_WHY_BYTES);
		close(lock);
		return code;
	}
	snprintf(why, CONTROL_WHY_BYTES, "%s", folder);
	if (lock != DATA_FOLDER_IN_USE)
		return EXIT_MACHINE;
	return control_ask(arguments->data, arguments->words, arguments->word,
			   out, why);
}

/* A daemon that is just starting, or ending, has the folder and does not answer
 * yet, or any more; so has another `referee bots`. */
static int
do_it(const struct arguments *arguments, struct text *out,
      char why[CONTROL_WHY_BYTES])
{
	const struct timespec pause = { .tv_nsec = TRY_AGAIN_MS * 1000000L };
	unsigned tries = TRIES;
	int code = -1;

	while (tries-- > 0 && (code = try_it(arguments, out, why)) < 0)
		nanosleep(&pause, NULL);
	return code < 0 ? EXIT_MACHINE : code;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .data = SERVE_DATA };
	char why[CONTROL_WHY_BYTES] = "";
	struct text out;
	int code;

	parse_arguments(&argp, argc, argv, &arguments);
	if (sodium_init() < 0)
		return complain_machine("libsodium does not start");
	text_init(&out, BOTS_ANSWER_BYTES);
	code = do_it(&arguments, &out, why);
	if (out.used > 0)
		fwrite(out.bytes, 1, out.used, stdout);
	text_release(&out);
	if (code == EXIT_USAGE)
		return complain_usage("%s", why);
	if (code != EXIT_DONE)
		return complain_machine("%s", why);
	return finish_output();
}

const struct command command_bots = {
	.name = "bots",
	.brief = "who may play on a daemon's ladders",
	.run = run,
};
