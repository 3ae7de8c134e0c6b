/* referee/cli/complete.c - see complete.h. */
#include "referee/cli/complete.h"

#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/command.h"
#include "referee/games/game.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz-"

bool completing;

/* The part of the word before the typed value: `--NAME=`. */
static const char *before_it = "";
static int before_bytes;

void
complete_offer(const char *typed, const char *candidate, const char *what)
{
	if (strncmp(candidate, typed, strlen(typed)) == 0)
		printf("%.*s%s\t%s\n", before_bytes, before_it, candidate,
		       what);
}

static void
offer_games(const char *typed)
{
	for (unsigned i = 0; games[i] != NULL; i++)
		complete_offer(typed, games[i]->name, games[i]->brief);
}

/* Offers the words of `a|b|c`, but not those in capitals, which stand for
 * something else. */
static void
offer_values(const char *typed, const char *list)
{
	char word[64];
	size_t n;

	for (; *list != '\0'; list += n + (list[n] == '|')) {
		n = strcspn(list, "|");
		snprintf(word, sizeof(word), "%.*s", (int)n, list);
		if (n == 1 || !isupper((unsigned char)*word))
			complete_offer(typed, word, "");
	}
}

static void
offer_value(const char *typed, const char *arg)
{
	if (strcmp(arg, "GAME") == 0)
		offer_games(typed);
	else if (strchr(arg, '|') != NULL)
		offer_values(typed, arg);
}

/* Offers the first word of each line if it is in small letters. */
static void
offer_words(const char *typed, const char *doc)
{
	char word[64], rest[160];
	size_t n;

	for (; *doc != '\0'; doc += *doc == '\n') {
		n = strspn(doc, LETTERS);
		snprintf(word, sizeof(word), "%.*s", (int)n, doc);
		doc += n + (doc[n] == ' ');
		n = strcspn(doc, "\n");
		snprintf(rest, sizeof(rest), "%.*s", (int)n, doc);
		doc += n;
		if (*word != '\0')
			complete_offer(typed, word, rest);
	}
}

static void
offer_arguments(const char *typed, const char *doc)
{
	if (doc == NULL)
		return;
	if (strcmp(doc, "GAME") == 0 || strcmp(doc, "[GAME]") == 0)
		offer_games(typed);
	else
		offer_words(typed, doc);
}

static bool
is_option(const struct argp_option *option)
{
	return option->name != NULL || option->key != 0;
}

static void
offer_options(const char *typed, const struct argp_option *option)
{
	char name[64], what[80];

	for (; option != NULL && is_option(option); option++) {
		snprintf(name, sizeof(name), "--%s",
			 option->name != NULL ? option->name : "");
		/* The beginning of the sentence is enough. */
		snprintf(what, sizeof(what), "%.*s",
			 option->doc ? (int)strcspn(option->doc, ":;(") : 0,
			 option->doc);
		if (option->name != NULL && !(option->flags & OPTION_HIDDEN))
			complete_offer(typed, name, what);
	}
	complete_offer(typed, "--help", "what the command does");
}

/* Returns the option `word` if it takes a value, else NULL. */
static const struct argp_option *
takes_value(const struct argp_option *option, const char *word)
{
	for (; option != NULL && is_option(option); option++)
		if (option->arg != NULL &&
		    ((word[0] == '-' && word[1] == '-' &&
		      option->name != NULL &&
		      strcmp(word + 2, option->name) == 0) ||
		     (word[0] == '-' && word[1] == option->key &&
		      word[2] == '\0')))
			return option;
	return NULL;
}

/* Offers values for `--NAME=VALUE` in one word. */
static void
offer_joined(const char *typed, const struct argp_option *options)
{
	const struct argp_option *option;
	char name[64];

	before_it = typed;
	before_bytes = (int)strcspn(typed, "=") + 1;
	snprintf(name, sizeof(name), "%.*s", before_bytes - 1, typed);
	option = takes_value(options, name);
	if (option != NULL)
		offer_value(typed + before_bytes, option->arg);
}

_Noreturn void
complete_arguments(const struct argp *argp, int argc, char **argv)
{
	const char *typed = argv[argc - 1];
	const struct argp_option *option;
	int before = argc - 2;

	if (strncmp(typed, "--", 2) == 0 && strchr(typed, '=') != NULL) {
		offer_joined(typed, argp->options);
		exit(finish_output());
	}
	if (strcmp(typed, "=") == 0)
		typed = "";
	else if (before > 0 && strcmp(argv[before], "=") == 0)
		before--;
	option = before > 0 ? takes_value(argp->options, argv[before]) : NULL;
	if (option != NULL)
		offer_value(typed, option->arg);
	else if (*typed == '-')
		offer_options(typed, argp->options);
	else if (before == 0)
		offer_arguments(typed, argp->args_doc);
	exit(finish_output());
}
