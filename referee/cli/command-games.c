/* referee/cli/command-games.c - `referee games`: lists the games and explains
 * their rules. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>

#include "referee/base/json-line.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/games/game.h"
#include "referee/table/game-help.h"

#define INDENT 15 /* columns before the text about an option */

struct arguments {
	bool json;
};

static const struct argument options[] = {
	{ "json", 'j', NULL, "Print JSON, one object a line",
	  STORE_FLAG(struct arguments, json) },
	{ 0 },
};

static const struct argp argp = {
	.args_doc = "[GAME]",
	.doc = "List the games, or show the seats, options, moves and lines of "
	       "one game.\v"
	       "Exit codes: 0 done, 2 wrong usage or an unknown "
	       "game, 3 the output could not be written.\n\n"
	       "Example: the options of Toepen, and its lines\n"
	       "  referee games toepen",
};

/* Returns false for a verb that is in the table only because it must be, like
 * `pass`. */
static bool
is_told(const struct verb *verb)
{
	return verb->brief != NULL;
}

/* ---- text --------------------------------------------------------------- */

static void
seats_range(const struct game_rules *rules, char to[16])
{
	if (rules->min_seats == rules->max_seats)
		snprintf(to, 16, "%d", rules->min_seats);
	else
		snprintf(to, 16, "%d to %d", rules->min_seats,
			 rules->max_seats);
}

static void
option_values(const struct game_option *option, char *to, size_t size)
{
	size_t used = 0;

	if (option->values == NULL) {
		snprintf(to, size, "%d to %d", option->min, option->max);
		return;
	}
	to[0] = '\0';
	for (unsigned i = 0; option->values[i] && used < size; i++)
		used += (size_t)snprintf(to + used, size - used, "%s%s",
					 i ? ", " : "", option->values[i]);
}

static void
option_preset(const struct game_option *option, char to[32])
{
	if (option->preset == OPTION_DEFAULT_SEATS)
		snprintf(to, 32, "as many as seats");
	else if (option->values != NULL)
		snprintf(to, 32, "%s", option->values[option->preset]);
	else
		snprintf(to, 32, "%d", option->preset);
}

/* Writes the form of a move with this verb; arguments are in capitals. */
static void
verb_form(const struct verb *verb, char to[64])
{
	snprintf(to, 64, "%s%s%s%s%s", verb->name,
		 verb->deck[0] ? ":PIECE" : "", verb->deck[1] ? ":PIECE" : "",
		 verb->number ? ":N" : "", verb->tail ? verb->tail : "");
}

static void
print_options(const struct game_rules *rules)
{
	const struct game_option *option = rules->options;
	char values[256], preset[32], text[320];

	if (!option->name)
		return;
	puts("\nOptions (-o NAME=VALUE):");
	for (; option->name; option++) {
		option_values(option, values, sizeof(values));
		option_preset(option, preset);
		snprintf(text, sizeof(text), "%s; default %s", values, preset);
		printf("  %-*s", INDENT - 2, option->name);
		print_words(text, INDENT, INDENT);
		printf("\n%*s", INDENT, "");
		print_words(option->brief, INDENT, INDENT);
		putchar('\n');
	}
}

static void
print_game(const struct game_rules *rules)
{
	const struct verb *verb;
	const char *const *line;
	char form[64], seats[16];

	seats_range(rules, seats);
	printf("%s - %s\n%s\n\nSeats: %s\n", rules->name, rules->title,
	       rules->brief, seats);
	print_options(rules);
	puts("\nMoves:");
	for (verb = rules->verbs; verb->name; verb++) {
		if (!is_told(verb))
			continue;
		verb_form(verb, form);
		printf("  %-24s %s\n", form, verb->brief);
	}
	puts("\nLines (only the seats after the braces see what is inside "
	     "them):");
	for (line = rules->lines; *line; line++)
		printf("  %s\n", *line);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *
option_json(const struct game_option *option)
{
	json_t *json = JSON_OBJECT(TEXT("name", option->name),
				   TEXT("brief", option->brief));
	json_t *values;

	if (option->values == NULL) {
		JSON_ADD(json, INT("min", option->min), INT("max", option->max),
			 JSON("default",
			      option->preset == OPTION_DEFAULT_SEATS
				      ? json_string("seats")
				      : json_integer(option->preset)));
		return json;
	}
	values = json_array();
	for (unsigned i = 0; option->values[i]; i++)
		json_array_append_new(values, json_string(option->values[i]));
	JSON_ADD(json, JSON("values", values),
		 TEXT("default", option->values[option->preset]));
	return json;
}

static void
print_json(const struct game_rules *rules)
{
	json_t *list = json_array(), *moves = json_array(),
	       *lines = json_array(), *deck = json_array(), *json;
	const struct game_option *option;
	const struct verb *verb;
	const char *const *line;
	char form[64];

	for (unsigned i = 0; i < rules->deck->count; i++)
		json_array_append_new(deck, json_string(rules->deck->name[i]));
	for (option = rules->options; option->name; option++)
		json_array_append_new(list, option_json(option));
	for (verb = rules->verbs; verb->name; verb++) {
		if (!is_told(verb))
			continue;
		verb_form(verb, form);
		JSON_PUSH(moves, TEXT("verb", verb->name), TEXT("form", form),
			  TEXT("brief", verb->brief), INT("lays", verb->lays));
	}
	for (line = rules->lines; *line; line++)
		json_array_append_new(lines, json_string(*line));
	json = JSON_OBJECT(
		TEXT("game", rules->name), TEXT("title", rules->title),
		TEXT("brief", rules->brief), INT("version", rules->version),
		INT("min_seats", rules->min_seats),
		INT("max_seats", rules->max_seats), JSON("options", list),
		JSON("moves", moves), JSON("lines", lines), JSON("deck", deck),
		JSON("pieces",
		     JSON_OBJECT(
			     INT("fixed", rules->pieces.fixed),
			     INT("each_seat", rules->pieces.each_seat),
			     TEXT("times", rules->pieces.times == NULL
						   ? ""
						   : rules->pieces.times))));
	print_json_line(json, 0);
}

/* ---- the command -------------------------------------------------------- */

static int
print_one(const struct arguments *arguments, const char *game)
{
	const struct game_rules *rules = game_find(game);

	if (!rules)
		return complain_usage("there is no game %s; `referee games` "
				      "lists them%s",
				      quoted(game).text,
				      suggest_game(game).text);
	if (arguments->json)
		print_json(rules);
	else
		print_game(rules);
	return finish_output();
}

static void
print_line(const struct game_rules *rules)
{
	char range[16], seats[32];

	seats_range(rules, range);
	snprintf(seats, sizeof(seats), "%s seats", range);
	printf("%-14s %-13s %s\n", rules->name, seats, rules->brief);
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &arguments);

	if (words.count > 1)
		refuse_argument("at most one GAME is allowed; remove %s",
				quoted(words.word[1]).text);
	if (words.count > 0)
		return print_one(&arguments, words.word[0]);
	for (unsigned i = 0; games[i]; i++)
		if (arguments.json)
			print_json(games[i]);
		else
			print_line(games[i]);
	return finish_output();
}

const struct command command_games = {
	.name = "games",
	.brief = "list the games, or describe one",
	.run = run,
};
