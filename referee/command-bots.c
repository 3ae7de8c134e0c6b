/* referee/command-bots.c - `referee bots`: who may play in a data folder. */
#include <argp.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "referee/serve/bots.h"
#include "referee/command.h"
#include "referee/serve/owner.h"
#include "referee/config/serve-limits.h"

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

static int
on_files(void *arg, struct text *out, char why[LADDER_WHY_BYTES])
{
	const struct arguments *arguments = arg;
	struct roster *roster;
	int result, code;

	result = roster_open(arguments->data, &roster, why);
	if (result != LADDER_OK)
		return result == LADDER_BAD ? EXIT_USAGE : EXIT_MACHINE;
	code = bots_do(roster, arguments->words, arguments->word, out, why);
	roster_close(roster);
	return code;
}

static int
do_it(struct arguments *arguments, struct text *out,
      char why[CONTROL_WHY_BYTES])
{
	const struct owner_request request = {
		.data = arguments->data,
		.words = arguments->words,
		.word = arguments->word,
		.on_files = on_files,
		.arg = arguments,
	};

	return owner_do(&request, out, why);
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
	text_init(&out, CONTROL_ANSWER_BYTES);
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
