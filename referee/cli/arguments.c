/* referee/cli/arguments.c - see arguments.h. */
#include "referee/cli/arguments.h"

#include <argp.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ladder/milli.h"
#include "protocol/message.h"
#include "protocol/text.h"
#include "referee/base/suggest.h"
#include "referee/cli/complete.h"

#define OPTIONS_LONG 64
/* getopt returns this for each long option; it is none of the letters. */
#define LONG_OPTION 0x100

/* argp's options and argp's own --help and --usage in getopt's form. */
struct getopt_options {
	char letters[2 * OPTIONS_LONG + 4];
	struct option option[OPTIONS_LONG + 1];
};

static void
add_option(struct getopt_options *to, unsigned i, const char *name, int key,
	   bool has_value)
{
	size_t n = strlen(to->letters);

	if (i >= OPTIONS_LONG)
		bug("too many options");
	to->option[i] = (struct option){ .name = name,
					 .has_arg = has_value,
					 .val = LONG_OPTION };
	if (key > ' ' && key < 0x7f)
		snprintf(to->letters + n, sizeof(to->letters) - n, "%c%s", key,
			 has_value ? ":" : "");
}

static void
fill_options(const struct argp_option *from, struct getopt_options *to)
{
	unsigned i = 0;

	memset(to, 0, sizeof(*to));
	to->letters[0] = ':';
	for (; from->name != NULL || from->key != 0; from++)
		add_option(to, i++, from->name != NULL ? from->name : "-",
			   from->key, from->arg != NULL);
	add_option(to, i++, "help", 0, false);
	add_option(to, i, "usage", 0, false);
}

/* Returns the long option that is most like `word`, which is --NAME or
 * --NAME=VALUE as given. */
static struct suggestion
nearest_option(const struct argp_option *options, const char *word)
{
	char name[SUGGEST_WORD_BYTES + 2], offer[SUGGEST_WORD_BYTES + 2];
	struct suggestion meant;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	meant = suggest(name);
	for (; options->name != NULL || options->key != 0; options++) {
		if (options->name == NULL)
			continue;
		snprintf(offer, sizeof(offer), "--%s", options->name);
		suggest_offer(&meant, offer);
	}
	return meant;
}

/* Refuses wrong options in our words before argp can do so in its own. */
static void
check_options(const struct argp *argp, int argc, char **argv)
{
	struct getopt_options options;
	const char *word;
	char letter[3] = "-";
	int key;

	fill_options(argp->options, &options);
	opterr = 0;
	optind = 0;
	while ((key = getopt_long(argc, argv, options.letters, options.option,
				  NULL)) != -1) {
		word = argv[optind - 1];
		if (key == ':')
			refuse_argument("option %s needs a value",
					quoted(word).text);
		if (key != '?' || optopt == '?')
			continue;
		if (optopt == LONG_OPTION)
			refuse_argument("option %s takes no value",
					quoted(word).text);
		letter[1] = (char)optopt;
		if (optopt != 0)
			word = letter;
		refuse_argument("there is no option %s%s", quoted(word).text,
				nearest_option(argp->options, word).text);
	}
}

/* ---- values ----------------------------------------------------------- */

void *
argument_field(const struct argument *option, void *to)
{
	return (char *)to + option->offset;
}

void
argument_check_name(void *to UNUSED, const struct argument *option, char *arg)
{
	if (!message_name_ok(arg, strlen(arg)))
		refuse_argument("--%s takes up to %d letters, digits, `.`, "
				"`_` and `-`, not %s",
				option->name, NAME_BYTES, quoted(arg).text);
}

void
argument_take_milli(void *to, const struct argument *option, char *arg)
{
	int64_t *milli = argument_field(option, to);

	if (milli_read(arg, (int64_t)option->max, milli) < 0)
		refuse_argument("--%s must be a number from 0 to %lld with at "
				"most three decimals, not %s",
				option->name, (long long)option->max / 1000,
				quoted(arg).text);
}

static void
store(const struct argument *option, void *to, uint64_t value)
{
	void *field = argument_field(option, to);

	if (option->bytes == sizeof(bool))
		*(bool *)field = value != 0;
	else if (option->bytes == sizeof(unsigned))
		*(unsigned *)field = (unsigned)value;
	else
		*(uint64_t *)field = value;
}

static uint64_t
read_number(const struct argument *option, const char *arg)
{
	uint64_t value = 0;

	if (message_number(arg, strlen(arg), option->max, &value) < 0 ||
	    value < option->min)
		refuse_argument("--%s takes an integer from %" PRIu64
				" to %" PRIu64 ", not %s",
				option->name, option->min, option->max,
				quoted(arg).text);
	return value * option->unit;
}

static unsigned
read_word(const struct argument *option, const char *arg)
{
	const char *const *words = option->words;
	struct text text = { .max = 256 };

	for (unsigned i = 0; words[i] != NULL; i++) {
		if (strcmp(arg, words[i]) == 0) {
			text_release(&text);
			return i;
		}
		text_fmt(&text, "%s%s",
			 i == 0			? ""
			 : words[i + 1] != NULL ? ", "
						: " or ",
			 words[i]);
	}
	refuse_argument("--%s takes %s, not %s", option->name,
			text_string(&text), quoted(arg).text);
}

static void
take(const struct argument *option, void *to, char *arg)
{
	switch (option->kind) {
	case ARGUMENT_VALUE:
		store(option, to, option->max);
		break;
	case ARGUMENT_TEXT:
		*(const char **)argument_field(option, to) = arg;
		break;
	case ARGUMENT_NUMBER:
		store(option, to, read_number(option, arg));
		break;
	case ARGUMENT_WORD:
		store(option, to, read_word(option, arg));
		break;
	case ARGUMENT_OWN:
		break;
	}
	if (option->take != NULL)
		option->take(to, option, arg);
}

/* ---- with argp -------------------------------------------------------- */

/* The input of argp's parser. */
struct parsing {
	const struct argument *options;
	const struct argp *argp; /* given by the caller */
	const char *command;	 /* `referee NAME...` */
	void *to;
	struct words words;
};

static bool
is_end(const struct argument *option)
{
	return option == NULL || (option->name == NULL && option->letter == 0);
}

/* Returns the option's key for argp: its letter, or a number for its place in
 * the table. */
static int
key_of(const struct argument *options, size_t i)
{
	return options[i].letter != 0 ? options[i].letter
				      : LONG_OPTION + 1 + (int)i;
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	const struct argument *options = parsing->options;

	for (size_t i = 0; options != NULL && !is_end(&options[i]); i++) {
		if (key_of(options, i) != key)
			continue;
		take(&options[i], parsing->to, arg);
		return 0;
	}
	if (key != ARGP_KEY_ARGS)
		return ARGP_ERR_UNKNOWN;
	parsing->words.word = state->argv + state->next;
	parsing->words.count = (unsigned)(state->argc - state->next);
	return 0;
}

/* Names the page of the manual at the end of --help; argp frees the text. */
static char *
help_filter(int key, const char *text, void *input)
{
	const struct parsing *parsing = input;
	const char *name = strchr(parsing->command, ' ');

	if (key == ARGP_KEY_HELP_EXTRA && name != NULL)
		return formatted("`man referee-%.*s` says more.",
				 (int)strcspn(name + 1, " "), name + 1);
	if (parsing->argp->help_filter != NULL)
		return parsing->argp->help_filter(key, text, input);
	return (char *)(uintptr_t)text;
}

struct words
parse_arguments(const struct argp *argp, const struct argument *options,
		int argc, char **argv, void *to)
{
	struct argp_option table[OPTIONS_LONG] = { { 0 } };
	struct parsing parsing = {
		options, argp, argv[0], to, { argv + argc, 0 }
	};
	struct argp whole = *argp;

	for (size_t i = 0; options != NULL && !is_end(&options[i]); i++) {
		if (i + 1 == OPTIONS_LONG)
			bug("too many options");
		table[i] = (struct argp_option){
			.name = options[i].name,
			.key = key_of(options, i),
			.arg = options[i].arg,
			.flags = options[i].hidden ? OPTION_HIDDEN : 0,
			.doc = options[i].doc,
			.group = options[i].group,
		};
	}
	whole.options = table;
	whole.parser = parse;
	whole.help_filter = help_filter;
	if (completing)
		complete_arguments(&whole, argc, argv);
	check_options(&whole, argc, argv);
	/* glibc's help leaks what it makes of a table without rows. */
	if (options == NULL || is_end(&options[0]))
		whole.options = NULL;
	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&whole, argc, argv, 0, NULL, &parsing) != 0)
		refuse_argument("wrong arguments");
	return parsing.words;
}

bool
parse_place(const char *arg, bool need, char host[HOST_BYTES],
	    char port[PORT_BYTES])
{
	const char *colon = strrchr(arg, ':');
	const char *digits = colon == NULL ? arg : colon + 1;
	const char *name = colon == NULL ? "127.0.0.1" : arg;
	size_t n = colon == NULL ? strlen(name) : (size_t)(colon - arg);
	uint64_t number;

	if (n > 2 && name[0] == '[' && name[n - 1] == ']') {
		name++;
		n -= 2;
	} else if (memchr(name, ':', n) != NULL) {
		refuse_argument("%s: an IPv6 address needs brackets: "
				"[ADDRESS]:PORT",
				quoted(arg).text);
	}
	if ((need && colon == NULL) || n == 0 || n >= HOST_BYTES ||
	    message_number(digits, strlen(digits), 65535, &number) < 0)
		return false;
	snprintf(host, HOST_BYTES, "%.*s", (int)n, name);
	snprintf(port, PORT_BYTES, "%u", (unsigned)number);
	return true;
}
