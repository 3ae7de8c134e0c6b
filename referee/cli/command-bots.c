/* referee/cli/command-bots.c - `referee bots`: manages the bots that may play
 * in a data folder. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/durable.h"
#include "protocol/file.h"
#include "protocol/message.h"
#include "referee/base/serve-limits.h"
#include "referee/base/suggest.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/data-bot.h"
#include "referee/data/data-folder.h"
#include "referee/data/owner.h"
#include "referee/import/import-add.h"
#include "referee/serve/bots.h"

#define NAMES_BYTES 1048576 /* limit for a file with names of bots */

struct arguments {
	const char *data;
	char *word[BOTS_WORDS];
	unsigned words;
	const char *owner; /* --owner of `token`; or NULL */
	const char *file;  /* --file of `token`; or NULL */
	int failed;	   /* exit code of the last name that failed */
	bool json, replace;
	struct import_order add;
};

static void
take_ladder(void *to, const struct argument *option UNUSED, char *name)
{
	struct import_order *add = &((struct arguments *)to)->add;

	if (!message_name_ok(name, strlen(name)))
		refuse_argument("%s is not a ladder name", quoted(name).text);
	if (add->ladders == CONFIG_LADDERS)
		refuse_argument("at most %d ladders are allowed",
				CONFIG_LADDERS);
	add->ladder[add->ladders++] = name;
}

static const struct argument options[] = {
	{ "data", 'd', "DIR",
	  "The daemon's data folder (default: " SERVE_DATA ")",
	  STORE_TEXT(struct arguments, data) },
	{ "ladder", 'l', "NAME",
	  "add: a ladder that the bot plays on; repeat it for more ladders "
	  "(default: every ladder whose game the bot plays)",
	  TAKE(take_ladder), .group = 1 },
	{ "json", 0, NULL, "list: print JSON, one object a line",
	  STORE_FLAG(struct arguments, json), .group = 1 },
	{ "sandbox", 0, "auto|on|off",
	  "add: the sandbox for the bot's build and check, as for a match",
	  STORE_WORD(struct arguments, add.want, sandbox_wants), .group = 1 },
	{ "sandbox-minimum", 0, "A|B|C|D",
	  "add: refuse to build or check in a tier below this one (default D)",
	  STORE_WORD(struct arguments, add.minimum, sandbox_tiers),
	  .group = 1 },
	{ "no-check", 0, NULL, "add: skip `referee check`",
	  STORE_FLAG(struct arguments, add.unchecked), .group = 1 },
	{ "owner", 0, "WHO", "token: the owner of a new bot",
	  STORE_TEXT(struct arguments, owner), .group = 1 },
	{ "replace", 0, NULL, "token: replace the token that the bot has",
	  STORE_FLAG(struct arguments, replace), .group = 1 },
	{ "file", 0, "NAMES",
	  "token: for each name of this file, one a line; each token is "
	  "printed behind its name",
	  STORE_TEXT(struct arguments, file), .group = 1 },
	{ "name", 0, "NAME", "add: refuse a bot of another name",
	  STORE_TEXT(struct arguments, add.name), .group = 1 },
	{ "upload", 0, NULL,
	  "add: apply the rules for uploads: the bot exists and is enabled, no "
	  "build below tier B, a reserve of the disk stays free",
	  STORE_FLAG(struct arguments, add.upload), .group = 1 },
	{ "trial", 0, NULL,
	  "add: with --upload: have the daemon play it in a trial, and enter "
	  "it "
	  "later or not",
	  STORE_FLAG(struct arguments, add.trial), .group = 1 },
	{ 0 },
};

static bool
is(const struct arguments *arguments, const char *word)
{
	return arguments->words > 0 && strcmp(arguments->word[0], word) == 0;
}

/* Adds `json` to the request's words; on the command line it is an option. */
static void
add_json(struct arguments *arguments)
{
	const bool list = is(arguments, "list");

	if (list && arguments->words > 1)
		refuse_argument("unexpected argument after list");
	if (!arguments->json)
		return;
	if (!list)
		refuse_argument("--json needs list");
	arguments->word[arguments->words++] = (char *)(uintptr_t) "json";
}

/* Adds the owner as the third word of the request; on the command line it is an
 * option. */
static void
add_owner(struct arguments *arguments)
{
	const bool token = is(arguments, "token");

	if (token && arguments->words > 2)
		refuse_argument(
			"token takes one name; give the owner with --owner");
	if (arguments->owner == NULL)
		return;
	if (!token || arguments->words != 2)
		refuse_argument("--owner needs token NAME");
	if (strpbrk(arguments->owner, "\t\n") != NULL)
		refuse_argument("%s contains a tab or a line feed",
				quoted(arguments->owner).text);
	arguments->word[arguments->words++] =
		(char *)(uintptr_t)arguments->owner;
}

/* Turns `token --replace` into the request `replace`, which the command line
 * does not have. */
static void
take_replace(struct arguments *arguments)
{
	if (!arguments->replace)
		return;
	if (!is(arguments, "token"))
		refuse_argument("--replace needs token NAME");
	if (arguments->owner != NULL)
		refuse_argument("--replace changes no owner; use owner NAME "
				"WHO");
	arguments->word[0] = (char *)(uintptr_t) "replace";
}

/* Returns true if the names are in a file. */
static bool
is_file(const struct arguments *arguments)
{
	if (arguments->file == NULL)
		return false;
	if (arguments->words != 1 || !is(arguments, "token"))
		refuse_argument("--file needs token, without a name");
	return true;
}

static _Noreturn void
refuse_words(const struct arguments *arguments)
{
	static const char *const words[] = {
		"list",	  "add",     "log",    "token",	 "owner",  "revoke",
		"enable", "disable", "rename", "remove", "pardon", "back",
	};
	struct suggestion meant =
		suggest(arguments->words > 0 ? arguments->word[0] : "");

	for (size_t i = 0; i < NELEM(words); i++)
		suggest_offer(&meant, words[i]);
	refuse_argument("bots takes one of: list, add PATH, log NAME, token "
			"NAME, owner NAME [WHO], revoke NAME, enable NAME, "
			"disable NAME [WHY], rename NAME NAME, remove NAME, "
			"pardon NAME, back NAME NUMBER%s",
			meant.edits > 0 ? meant.text : "");
}

/* Refuses options of `add` where they would be passed over. */
static void
check_add(const struct arguments *arguments)
{
	const struct import_order *add = &arguments->add;
	const char *given = add->trial		? "trial"
			    : add->upload	? "upload"
			    : add->unchecked	? "no-check"
			    : add->ladders > 0	? "ladder"
			    : add->name != NULL ? "name"
						: NULL;

	if (given != NULL && !is(arguments, "add"))
		refuse_argument("--%s needs add PATH", given);
	if (add->trial && !add->upload)
		refuse_argument("--trial needs --upload");
}

static void
take_words(struct arguments *arguments, const struct words *words)
{
	if (words->count > BOTS_WORDS)
		refuse_argument("too many arguments, from %s on",
				quoted(words->word[BOTS_WORDS]).text);
	for (unsigned i = 0; i < words->count; i++) {
		if (strpbrk(words->word[i], "\t\n") != NULL)
			refuse_argument("%s contains a tab or a line feed",
					quoted(words->word[i]).text);
		arguments->word[arguments->words++] = words->word[i];
	}
	check_add(arguments);
	if (is_file(arguments))
		return;
	add_owner(arguments);
	add_json(arguments);
	if (is(arguments, "add") || is(arguments, "log")
		    ? arguments->words != 2
		    : !bots_is(arguments->words, arguments->word) ||
			      is(arguments, "replace") ||
			      is(arguments, "admit"))
		refuse_words(arguments);
	take_replace(arguments);
}

static const struct argp argp = {
	.args_doc = "list\n"
		    "add DIR|FILE.tar.gz\n"
		    "log NAME\n"
		    "token NAME\n"
		    "token --file=NAMES\n"
		    "owner NAME [WHO]\n"
		    "revoke NAME\n"
		    "enable NAME\n"
		    "disable NAME [WHY]\n"
		    "rename NAME NAME\n"
		    "remove NAME\n"
		    "pardon NAME\n"
		    "back NAME NUMBER",
	.doc = "Who may play in a daemon's data folder, whether it runs or "
	       "not.\v"
	       "`token` creates a bot, or gives a token to a bot that has "
	       "none, and prints it only once.  With `--replace` it gives "
	       "another one to a bot that has one, and the old token stops "
	       "working at once.  `--owner` for a new bot, and `owner NAME "
	       "WHO` for an existing one, set the bot's owner ('': none): bots "
	       "of one owner do not meet at tables of more than two.  `owner "
	       "NAME` shows it.  A renamed bot keeps its token and its rating; "
	       "records and ladders still use its first name.  A removed bot "
	       "stays in the records, and its name stays taken.  `pardon` ends "
	       "a bot's suspension on all ladders and forgets the failures "
	       "that led to it.\n"
	       "\n"
	       "`add` imports a bot that will run on this machine: a folder "
	       "with a bot.conf, or an archive of one.  The bot is copied, "
	       "built and checked in a sandbox, and then plays without a "
	       "token.  Adding the same name again makes a new version: it "
	       "plays as NAME.2, NAME.3, ... and begins with the rating of the "
	       "version before, which is provisional for 30 games.  `back "
	       "NAME NUMBER` lets an earlier version play again, under its "
	       "own name and with its own rating; the programs of the last 4 "
	       "versions are kept.  `log` "
	       "prints the output of its build and its check, and the end of "
	       "what its games wrote to standard error.\n"
	       "\n"
	       "Exit codes: 0 done, 1 the build or the check failed, 2 wrong "
	       "usage or an unknown bot, 3 the machine's fault.\n"
	       "\n"
	       "Example:\n"
	       "  $ referee bots token alice\n"
	       "  $ referee bots disable alice 'loops for ever'\n",
};

static int
do_request(struct arguments *arguments, struct text *out, struct error *why)
{
	const struct owner_request request = {
		.data = arguments->data,
		.words = arguments->words,
		.word = arguments->word,
		.changes = !is(arguments, "list"),
		.on_files = data_bot_on_files,
	};

	return owner_do(&request, out, why);
}

/* Returns true for `token` and `add`, which may make a data folder; the others
 * need one that is there. */
static bool
may_make_folder(const struct arguments *arguments)
{
	return is(arguments, "add") || is(arguments, "token");
}

static int
do_there(struct arguments *arguments, struct text *out, struct error *why)
{
	if (is(arguments, "add")) {
		arguments->add.data = arguments->data;
		arguments->add.source = arguments->word[1];
		return import_add(&arguments->add, out, why);
	}
	if (is(arguments, "log"))
		return import_log(arguments->data, arguments->word[1], out,
				  why);
	return do_request(arguments, out, why);
}

/* Says which data folder was made.  It may not be the one that was meant: a
 * daemon with another one does not know the bot. */
static void
tell_made(const char *dir)
{
	char *full = realpath(dir, NULL);

	note("made the data folder %s", quoted(full == NULL ? dir : full).text);
	free(full);
}

static int
do_it(struct arguments *arguments, struct text *out, struct error *why)
{
	const bool makes = data_folder_find(arguments->data, why) < 0;
	int result;

	if (makes && !may_make_folder(arguments))
		return -1;
	result = do_there(arguments, out, why);
	if (makes && result == 0)
		tell_made(arguments->data);
	return result;
}

/* ---- many tokens ------------------------------------------------------ */

/* Returns the name in a line of the file, or "". */
static char *
name_of(char *line)
{
	char *name = line + strspn(line, " \t\r\n");

	name[strcspn(name, "\r\n")] = '\0';
	for (size_t n = strlen(name); n > 0 && strchr(" \t", name[n - 1]); n--)
		name[n - 1] = '\0';
	return name;
}

/* Calls `each` for each name, until it fails. */
static int
for_names(struct arguments *arguments, const struct text *names,
	  int (*each)(struct arguments *arguments, char *name, unsigned line))
{
	char *all = copied(names->bytes), *rest = all, *line, *name;
	unsigned number = 0;
	int code = EXIT_DONE;

	while (code == EXIT_DONE && (line = strsep(&rest, "\n")) != NULL) {
		name = name_of(line);
		number++;
		if (*name != '\0')
			code = each(arguments, name, number);
	}
	free(all);
	return code;
}

static int
check_name(struct arguments *arguments, char *name, unsigned line)
{
	if (message_name_ok(name, strlen(name)))
		return EXIT_DONE;
	return complain_usage("%s:%u: %s is not a name of a bot",
			      arguments->file, line, quoted(name).text);
}

/* Makes one token and prints it.  If the bot has a token already, the other
 * bots still get theirs. */
static int
make_one(struct arguments *arguments, char *name, unsigned line UNUSED)
{
	struct arguments one = *arguments;
	struct error why = { 0 };
	struct text out = { .max = CONTROL_ANSWER_BYTES };

	one.word[one.words++] = name;
	add_owner(&one);
	take_replace(&one);
	if (do_it(&one, &out, &why) == 0)
		printf("%s %.*s", name, (int)out.used, (const char *)out.bytes);
	else
		arguments->failed = complain_error(&why);
	text_release(&out);
	return finish_output();
}

/* Checks all names first, so that no token is made if the file has a mistake. */
static int
make_many(struct arguments *arguments)
{
	struct text names = { .max = NAMES_BYTES };
	int code = EXIT_DONE;
	struct error why;

	if (file_load(arguments->file, &names) < 0) {
		(void)error_set(&why, path_kind(errno), "cannot open %s: %s",
				quoted(arguments->file).text, file_trouble());
		code = complain_error(&why);
	} else if (names.full) {
		code = complain_usage("%s has more than %d bytes",
				      quoted(arguments->file).text,
				      NAMES_BYTES);
	} else if (strlen(text_string(&names)) != names.used) {
		code = complain_usage("%s has a NUL byte, so it is not a list "
				      "of names",
				      quoted(arguments->file).text);
	}
	if (code == EXIT_DONE)
		code = for_names(arguments, &names, check_name);
	if (code == EXIT_DONE)
		code = for_names(arguments, &names, make_one);
	text_release(&names);
	return code == EXIT_DONE ? arguments->failed : code;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .data = SERVE_DATA };
	struct error why = { 0 };
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &arguments);
	struct text out = { .max = CONTROL_ANSWER_BYTES };
	bool first; /* print the error before the log, which may be cut */
	int result, code = EXIT_DONE;

	take_words(&arguments, &words);
	if (arguments.file != NULL)
		return make_many(&arguments);
	result = do_it(&arguments, &out, &why);
	first = arguments.add.upload && result != 0;
	if (first)
		code = complain_error(&why);
	if (out.used > 0)
		fwrite(out.bytes, 1, out.used, result == 0 ? stdout : stderr);
	text_release(&out);
	if (result == 0)
		return finish_output();
	return first ? code : complain_error(&why);
}

const struct command command_bots = {
	.name = "bots",
	.brief = "who may play on a daemon's ladders",
	.run = run,
};
