/* referee/command-replay.c - `referee replay`: shows a recorded game as
 * lines. */
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
#include "referee/records/replay.h"
#include "referee/records/step.h"

struct arguments {
	const char *path;
	int viewer; /* a seat or VIEW_… */
	bool asks, json, step;
	unsigned from; /* a round, 0: the beginning */
};

enum { KEY_FROM = 256 };

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
	  "Step through on this terminal: n next, b back, r next round, v "
	  "other view, q quit",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON, one object a line", 0 },
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
	case ARGP_KEY_ARG:
		if (arguments->path)
			refuse_argument("only one RECORD is allowed; remove %s",
					quoted(arg).text);
		arguments->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->path)
			refuse_argument("name the RECORD");
		if (arguments->step && arguments->json)
			refuse_argument("give --step or --json, not both");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "RECORD",
	.doc = "Show a recorded game. The view of a seat is, byte for byte, "
	       "the event lines that this seat was sent; after each fault of "
	       "that seat stands its cause.\v"
	       "Exit codes: 0 done, 2 wrong usage "
	       "or not a record, 3 the output could not be written.\n\n"
	       "Example: what seat 1 saw and was asked, from round 2\n"
	       "  referee replay --view 1 --asks --from 2 game.rec",
};

/* ---- printing ----------------------------------------------------------- */

static json_t *
ask_json(const struct replay_line *line)
{
	json_t *tokens = json_array();
	const char *at = line->text + strlen("ask N "), *end;

	for (; *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, ' ');
		json_array_append_new(tokens,
				      json_stringn(at, (size_t)(end - at)));
	}
	return json_pack("{s:I, s:i, s:o}", "line", (json_int_t)line->number,
			 "ask", line->ask, "tokens", tokens);
}

static void
print_json(const struct replay_line *line, const char *text, const char *said)
{
	json_t *json = line->ask >= 0 ? ask_json(line)
				      : json_pack("{s:I, s:s}", "line",
						  (json_int_t)line->number,
						  "event", text);

	if (said != NULL)
		json_object_set_new(json, "said",
				    json_stringn(said, strcspn(said, " ")));
	print_json_line(json, 0);
}

static int
print_lines(const struct arguments *arguments, const struct replay *replay,
	    unsigned first)
{
	char text[LINE_REFEREE_BYTES + 1];
	const struct replay_line *line;
	const char *said;
	unsigned i;

	for (i = first; i < replay->lines; i++) {
		line = &replay->line[i];
		if (!replay_visible(line, arguments->viewer))
			continue;
		if (replay_text(line, arguments->viewer, text) < 0)
			return complain_usage("%s:%u: expected a line with its "
					      "marks in order, found `%s`",
					      arguments->path, line->number,
					      line->text);
		said = replay_said(line, arguments->viewer);
		if (arguments->json)
			print_json(line, text, said);
		else if (said != NULL)
			printf("%s ; said %.*s\n", text,
			       (int)strcspn(said, " "), said);
		else
			puts(text);
	}
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
