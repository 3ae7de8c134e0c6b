/* referee/cli/command-owners.c - `referee owners`: who answers for the bots of a
 * data folder, and who did what there. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "referee/base/serve-limits.h"
#include "referee/base/suggest.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/data-bot.h"
#include "referee/data/data-folder.h"
#include "referee/data/owner.h"
#include "referee/serve/bots.h"

#define CODE_ACCOUNTS 100
#define CODE_DAYS 14
#define LAST_DEEDS 100
#define NUMBER_BYTES 16

struct arguments {
	const char *data;
	char *word[BOTS_WORDS]; /* of the request */
	unsigned words;
	uint64_t accounts, days, last; /* 0: not given */
	char number[2][NUMBER_BYTES];  /* as words */
	bool json, off;
};

static const struct argument options[] = {
	{ "data", 'd', "DIR",
	  "The daemon's data folder (default: " SERVE_DATA ")",
	  STORE_TEXT(struct arguments, data) },
	{ "json", 0, NULL, "list, deeds: print JSON, one object a line",
	  STORE_FLAG(struct arguments, json), .group = 1 },
	{ "accounts", 0, "N",
	  "code: accounts that all who have it can make together (default 100)",
	  STORE_NUMBER(struct arguments, accounts, 1, ROSTER_OWNERS),
	  .group = 1 },
	{ "days", 0, "N", "code: days for which it is valid (default 14)",
	  STORE_NUMBER(struct arguments, days, 1, BOTS_CODE_DAYS), .group = 1 },
	{ "off", 0, NULL, "code: make none, and end the one that there is",
	  STORE_FLAG(struct arguments, off), .group = 1 },
	{ "last", 0, "N", "deeds: the last N of them (default 100)",
	  STORE_NUMBER(struct arguments, last, 1, ROSTER_DEEDS), .group = 1 },
	{ 0 },
};

static const struct argp argp = {
	.args_doc = "list\n"
		    "token NAME\n"
		    "code\n"
		    "ban NAME [WHY]\n"
		    "unban NAME\n"
		    "deeds",
	.doc = "Who answers for the bots of a daemon's data folder, whether it "
	       "runs or not.\v"
	       "`token` makes an account for an owner, or another token for "
	       "one, and prints it only once: with it an author makes bots and "
	       "their tokens himself.  `code` prints a code with which authors "
	       "make accounts over HTTP, if the configuration says `sign-up = "
	       "code`; the code before it ends.  `ban` disables an owner's "
	       "bots and his token, `unban` undoes that.  `deeds` lists who "
	       "changed what, the last change first: commands of the "
	       "organiser, and what authors did with their tokens.\n"
	       "\n"
	       "Exit codes: 0 done, 2 wrong usage or an unknown owner, 3 the "
	       "machine's fault.\n"
	       "\n"
	       "Example:\n"
	       "  $ referee owners code --accounts 40 --days 7\n"
	       "  $ referee owners ban ann 'two accounts'\n",
};

struct what {
	const char *name;
	unsigned least, most;	/* words, with its name */
	const char *request;	/* for bots_do() */
	bool json, code, deeds; /* options that it takes */
	bool reads;
};

static const struct what whats[] = {
	{ "list", 1, 1, "owners", .json = true, .reads = true },
	{ "token", 2, 2, "owner-token" },
	{ "code", 1, 1, "code", .code = true },
	{ "ban", 2, 3, "ban" },
	{ "unban", 2, 2, "unban" },
	{ "deeds", 1, 1, "deeds", .json = true, .deeds = true, .reads = true },
};

static const struct what *
find(const struct words *words)
{
	struct suggestion meant =
		suggest(words->count > 0 ? words->word[0] : "");

	for (size_t i = 0; i < NELEM(whats); i++) {
		if (words->count >= whats[i].least &&
		    words->count <= whats[i].most &&
		    strcmp(words->word[0], whats[i].name) == 0)
			return &whats[i];
		suggest_offer(&meant, whats[i].name);
	}
	refuse_argument("owners takes one of: list, token NAME, code, ban NAME "
			"[WHY], unban NAME, deeds%s",
			meant.edits > 0 ? meant.text : "");
}

static void
check_options(const struct arguments *arguments, const struct what *what)
{
	if (arguments->json && !what->json)
		refuse_argument("--json needs list or deeds");
	if ((arguments->accounts > 0 || arguments->days > 0 ||
	     arguments->off) &&
	    !what->code)
		refuse_argument("--accounts, --days and --off need code");
	if (arguments->off && (arguments->accounts > 0 || arguments->days > 0))
		refuse_argument("--off makes no code, so it takes neither "
				"--accounts nor --days");
	if (arguments->last > 0 && !what->deeds)
		refuse_argument("--last needs deeds");
}

static void
add_word(struct arguments *arguments, const char *word)
{
	if (strpbrk(word, "\t\n") != NULL)
		refuse_argument("%s contains a tab or a line feed",
				quoted(word).text);
	arguments->word[arguments->words++] = (char *)(uintptr_t)word;
}

static void
add_number(struct arguments *arguments, char text[NUMBER_BYTES], uint64_t given,
	   unsigned preset)
{
	snprintf(text, NUMBER_BYTES, "%u",
		 given > 0 ? (unsigned)given : preset);
	add_word(arguments, text);
}

/* Makes the request of the words and options. */
static void
make_request(struct arguments *arguments, const struct what *what,
	     const struct words *words)
{
	add_word(arguments, arguments->off ? "code-off" : what->request);
	for (unsigned i = 1; i < words->count; i++)
		add_word(arguments, words->word[i]);
	if (what->code && !arguments->off) {
		add_number(arguments, arguments->number[0], arguments->accounts,
			   CODE_ACCOUNTS);
		add_number(arguments, arguments->number[1], arguments->days,
			   CODE_DAYS);
	}
	if (what->deeds)
		add_number(arguments, arguments->number[0], arguments->last,
			   LAST_DEEDS);
	if (arguments->json)
		add_word(arguments, "json");
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .data = SERVE_DATA };
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &arguments);
	const struct what *what = find(&words);
	struct owner_request request;
	struct error why = { 0 };
	struct text out = { .max = CONTROL_ANSWER_BYTES };
	int result;

	check_options(&arguments, what);
	make_request(&arguments, what, &words);
	request = (struct owner_request){ .data = arguments.data,
					  .words = arguments.words,
					  .word = arguments.word,
					  .changes = !what->reads,
					  .on_files = data_bot_on_files };
	result = data_folder_find(arguments.data, &why);
	if (result == 0)
		result = owner_do(&request, &out, &why);
	if (result == 0 && out.used > 0)
		fwrite(out.bytes, 1, out.used, stdout);
	text_release(&out);
	return result == 0 ? finish_output() : complain_error(&why);
}

const struct command command_owners = {
	.name = "owners",
	.brief = "who answers for bots, and who did what",
	.run = run,
};
