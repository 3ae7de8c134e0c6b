/* referee/command-replay.c - `referee replay`: shows a recorded game. */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "protocol/hidden.h"
#include "protocol/message.h"
#include "referee/command.h"
#include "referee/json-line.h"
#include "referee/records/frame-json.h"
#include "referee/records/replay-frames.h"
#include "referee/records/replay-notes.h"
#include "referee/records/replay.h"
#include "referee/records/step.h"

struct arguments {
	const char *path;
	int viewer; /* a seat or VIEW_… */
	bool asks, json, step, raw, tables;
	unsigned from; /* a round, 0: the beginning */
};

enum { KEY_FROM = 256, KEY_TABLES };

static const struct argp_option options[] = {
	{ "view", 'v', "all|public|SEAT", 0,
	  "Show what this viewer sees (default: all)", 0 },
	{ "asks", 'a', NULL, 0,
	  "Also show the decisions that the rules ask for; a seat's view has "
	  "only its own",
	  0 },
	{ "from", KEY_FROM, "N", 0,
	  "Begin at round N (default: the first line)", 0 },
	{ "step", 's', NULL, 0,
	  "Draw the table on this terminal and step through: n next, b back, ? "
	  "lists all keys, q quit",
	  0 },
	{ "raw", 'r', NULL, 0,
	  "Print the lines as the bots read them (default: a sentence for "
	  "each)",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON, one object a line", 0 },
	{ "tables", KEY_TABLES, NULL, 0,
	  "With --json: also the table after each line; after the first one "
	  "only what has changed of it",
	  0 },
	{ 0 },
};

static void
parse_view(const char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	uint64_t seat;

	if (strcmp(arg, "all") == 0)
		arguments->viewer = VIEW_ALL;
	else if (strcmp(arg, "public") == 0)
		arguments->viewer = VIEW_PUBLIC;
	else if (message_number(arg, strlen(arg), SEATS_MAX - 1, &seat) == 0)
		arguments->viewer = (int)seat;
	else
		refuse_argument(
			"--view must be all, public or a seat from 0 to %d, "
			"not %s",
			SEATS_MAX - 1, quoted(arg).text);
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'v':
		parse_view(arg, state);
		return 0;
	case KEY_FROM:
		arguments->from =
			(unsigned)argument_number("--from", arg, 1, INT32_MAX);
		return 0;
	case 'a':
		arguments->asks = true;
		return 0;
	case 's':
		arguments->step = true;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case KEY_TABLES:
		arguments->tables = true;
		return 0;
	case 'r':
		arguments->raw = true;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->path)
			refuse_argument("only one RECORD is allowed; remove %s",
					quoted(arg).text);
		arguments->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->path)
			refuse_argument("name the RECORD");
		if (arguments->step + arguments->json + arguments->raw > 1)
			refuse_argument("give only one of --step, --json and "
					"--raw");
		if (arguments->tables && !arguments->json)
			refuse_argument("--tables needs --json");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "RECORD",
	.doc = "Show a recorded game, a sentence for each line. With --raw the "
	       "view of a seat is, byte for byte, the event lines that this "
	       "seat was sent; after each fault of that seat stands its "
	       "cause.\v"
	       "Exit codes: 0 done, 2 wrong usage "
	       "or not a record, 3 the output could not be written.\n\n"
	       "Example: what seat 1 saw and was asked, from round 2\n"
	       "  referee replay --view 1 --asks --from 2 game.rec",
};

/* ---- printing ----------------------------------------------------------- */

static void
print_sentence(const char *sentence, const char *said)
{
	char text[SAID_BYTES + 1], shown[4 * SAID_BYTES + 1];

	if (said == NULL) {
		puts(sentence);
		return;
	}
	replay_said_text(said, text);
	text_escape(shown, sizeof(shown), text, strlen(text));
	printf("%s It had sent `%s`.\n", sentence, shown);
}

/* With the table, or what of it is not as in `before`; NULL: the line is the
 * first one. */
static void
print_json(const struct arguments *arguments, const struct replay_walk *walk,
	   const struct frame_table *before)
{
	json_t *json = frame_json_line(walk);

	if (arguments->tables)
		json_object_set_new(
			json, "table",
			frame_json_table(&walk->frame.table, before));
	print_json_line(json, 0);
}

static void
print_line(const struct arguments *arguments, const struct replay_walk *walk,
	   const struct frame_table *before)
{
	if (arguments->json)
		print_json(arguments, walk, before);
	else if (!arguments->raw)
		print_sentence(walk->frame.sentence, walk->said);
	else if (walk->said != NULL)
		printf("%s ; said %.*s\n", walk->text,
		       (int)strcspn(walk->said, " "), walk->said);
	else
		puts(walk->text);
}

static int
print_lines(const struct arguments *arguments, const struct replay *replay,
	    unsigned first)
{
	static struct replay_walk walk; /* too large for the stack */
	static struct frame_table before;
	bool any = false;
	int result;

	replay_walk_begin(&walk, replay, arguments->viewer);
	while ((result = replay_walk_next(&walk)) > 0) {
		if (walk.next <= first)
			continue;
		print_line(arguments, &walk, any ? &before : NULL);
		if (arguments->tables)
			before = walk.frame.table;
		any = true;
	}
	if (result < 0)
		return complain_usage("%s:%u: expected a line with its marks "
				      "in order, found `%s`",
				      arguments->path, walk.line->number,
				      walk.line->text);
	return EXIT_DONE;
}

static int
show(const struct arguments *arguments, const struct replay *replay)
{
	int first = 0, code;

	if (arguments->from)
		first = replay_round(replay, arguments->from);
	if (first < 0)
		return complain_usage("%s: this game has no round %u",
				      arguments->path, arguments->from);
	if (replay->lines == 0)
		return EXIT_DONE;
	if (arguments->step) {
		if (step_run(replay, (unsigned)first, arguments->viewer) != 0)
			return complain_machine("cannot read the terminal: %m");
		return EXIT_DONE;
	}
	code = print_lines(arguments, replay, (unsigned)first);
	return code ? code : finish_output();
}

/* ---- the command -------------------------------------------------------- */

static int
show_record(const struct arguments *arguments, const struct record *record)
{
	struct replay replay;
	struct verdict verdict;
	int code;

	if (arguments->viewer >= (int)record->seats)
		return complain_usage("%s: there is no seat %d at a table of "
				      "%u",
				      arguments->path, arguments->viewer,
				      record->seats);
	if (replay_init(&replay, record, arguments->asks, &verdict) != 0)
		return complain_usage("%s:%u: expected %s, found %s",
				      arguments->path, verdict.line,
				      verdict.expected, verdict.found);
	code = show(arguments, &replay);
	replay_release(&replay);
	return code;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .viewer = VIEW_ALL };
	struct error why;
	struct record *record;
	int code;

	parse_arguments(&argp, argc, argv, &arguments);
	if (arguments.step && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return complain_usage("--step needs a terminal");
	if (record_read(arguments.path, &record, &why) != 0)
		return complain_usage("%s", why.text);
	code = show_record(&arguments, record);
	record_free(record);
	return code;
}

const struct command command_replay = {
	.name = "replay",
	.brief = "show a recorded game, from any seat's view",
	.run = run,
};
