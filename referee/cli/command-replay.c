/* referee/cli/command-replay.c - `referee replay`: shows a recorded game. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ladder/pack.h"
#include "protocol/hidden.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/records/frame-json.h"
#include "referee/records/opinion-run.h"
#include "referee/records/opinion.h"
#include "referee/records/replay-asks.h"
#include "referee/records/replay-frames.h"
#include "referee/records/replay-notes.h"
#include "referee/records/replay-wrote.h"
#include "referee/records/replay.h"
#include "referee/records/step.h"

struct arguments {
	const char *path;
	int viewer; /* a seat, VIEW_ALL or VIEW_PUBLIC */
	bool asks, json, step, raw, tables;
	unsigned from; /* a round; 0: the beginning */
	bool opinions, swing;
	const char *against; /* the path of another record, or NULL */
	const char
		*errors; /* the folder of a match's standard error, or NULL */
	const char *program; /* gives opinions; NULL: this build's */
	unsigned playouts;   /* 0: the program's default */
};

static void
take_view(void *to, const struct argument *option UNUSED, char *arg)
{
	struct arguments *arguments = to;

	if (!view_read(arg, &arguments->viewer))
		refuse_argument(
			"--view must be all, public or a seat from 0 to %d, "
			"not %s",
			SEATS_MAX - 1, quoted(arg).text);
}

static const struct argument options[] = {
	{ "view", 'v', "all|public|SEAT",
	  "Show what this viewer sees (default: all)", TAKE(take_view) },
	{ "asks", 'a', NULL,
	  "Also show the decisions that the rules ask for; a seat's view has "
	  "only its own",
	  STORE_FLAG(struct arguments, asks) },
	{ "from", 0, "N", "Begin at round N (default: the first line)",
	  STORE_NUMBER(struct arguments, from, 1, INT32_MAX) },
	{ "step", 's', NULL,
	  "Draw the table on this terminal and step through: n next, b back, ? "
	  "lists all keys, q quit",
	  STORE_FLAG(struct arguments, step) },
	{ "stderr", 0, "DIR",
	  "With --step: also the decisions, and with each what the bot wrote "
	  "to "
	  "standard error, from the folder of `referee match --stderr`",
	  STORE_TEXT(struct arguments, errors) },
	{ "raw", 'r', NULL,
	  "Print the lines as the bots read them (default: a sentence for "
	  "each)",
	  STORE_FLAG(struct arguments, raw) },
	{ "json", 'j', NULL, "Print JSON, one object a line",
	  STORE_FLAG(struct arguments, json) },
	{ "tables", 0, NULL,
	  "With --json: also the table after each line; after the first one "
	  "only what has changed of it",
	  STORE_FLAG(struct arguments, tables) },
	{ "against", 0, "RECORD",
	  "Show only the first line in which this game took another course for "
	  "spectators than that one: of a duplicate deal the game with the "
	  "other seating",
	  STORE_TEXT(struct arguments, against) },
	{ "opinions", 0, NULL,
	  "With --view SEAT: also what the strong bot would have chosen, by "
	  "what this seat knew, and what it expected of that and of the move "
	  "that was made: the share of the other seats to be placed before, "
	  "from 0 to 1",
	  STORE_FLAG(struct arguments, opinions) },
	{ "swing", 0, NULL,
	  "As --opinions, but begin at the decision that lost most",
	  STORE_FLAG(struct arguments, swing) },
	{ "playouts", 0, "N",
	  "With --opinions: N playouts for each decision (default: 1000)",
	  STORE_NUMBER(struct arguments, playouts, 1, OPINION_PLAYOUTS_MAX) },
	{ "opinion-program", 0, "PROGRAM",
	  "With --opinions: the path of a program to ask instead of the strong "
	  "bot",
	  STORE_TEXT(struct arguments, program) },
	{ 0 },
};

static void
check_opinions(const struct arguments *arguments)
{
	if (!arguments->opinions && !arguments->swing) {
		if (arguments->playouts || arguments->program)
			refuse_argument("--playouts and --opinion-program need "
					"--opinions or --swing");
		return;
	}
	if (arguments->viewer < 0)
		refuse_argument("--opinions and --swing need --view SEAT: an "
				"opinion is about what one seat knew");
	if (arguments->raw)
		refuse_argument("--opinions and --swing do not go with --raw");
	if (arguments->step && arguments->opinions)
		refuse_argument("--opinions does not go with --step; --swing "
				"does");
	if (arguments->swing && arguments->from)
		refuse_argument("give only one of --from and --swing");
}

static void
check_arguments(const struct arguments *arguments, const struct words *words)
{
	if (words->count > 1)
		refuse_argument("only one RECORD is allowed; remove %s",
				quoted(words->word[1]).text);
	if (words->count == 0)
		refuse_argument("name the RECORD");
	if (arguments->step + arguments->json + arguments->raw > 1)
		refuse_argument("give only one of --step, --json and --raw");
	if (arguments->errors && !arguments->step)
		refuse_argument("--stderr needs --step");
	if (arguments->tables && !arguments->json)
		refuse_argument("--tables needs --json");
	check_opinions(arguments);
	if (arguments->against &&
	    (arguments->viewer != VIEW_ALL || arguments->from ||
	     arguments->asks || arguments->step || arguments->raw ||
	     arguments->tables))
		refuse_argument("with --against only --json may be given");
}

static const struct argp argp = {
	.args_doc = "RECORD",
	.doc = "Show a recorded game, a sentence for each line. With --raw the "
	       "view of a seat is, byte for byte, the event lines that this "
	       "seat was sent; each fault of that seat is followed by its "
	       "cause.\v"
	       "Exit codes: 0 done, 2 wrong usage "
	       "or not a record, 3 the output could not be written.\n\n"
	       "Example: what seat 1 saw and was asked, from round 2\n"
	       "  referee replay --view 1 --asks --from 2 game.rec",
};

/* ---- printing ----------------------------------------------------------- */

/* Prints how long the seat thought: behind the ask if asks are shown, else
 * behind the move or the fault. */
static void
print_thought(const struct replay_walk *walk, bool asks)
{
	const struct asks_ask *ask =
		replay_asks_of(walk->replay, walk->line, walk->viewer);
	char sentence[REPLAY_ASK_BYTES];

	if (ask == NULL || asks != (walk->line->ask >= 0))
		return;
	if (asks)
		replay_ask_sentence(ask, walk->replay->record, sentence);
	else if (ask->number == 0 ||
		 (ask->fault != FAULT_NONE && walk->line->charged < 0))
		return;
	else
		replay_ask_time(ask, sentence);
	printf(" %s", sentence);
}

static void
print_sentence(const struct replay_walk *walk, bool asks)
{
	char text[SAID_BYTES + 1], shown[4 * SAID_BYTES + 1];

	printf("%s", walk->frame.sentence);
	if (walk->said != NULL) {
		replay_said_text(walk->said, text);
		text_escape(shown, sizeof(shown), text, strlen(text));
		printf(" It had sent `%s`.", shown);
	}
	print_thought(walk, asks);
	putchar('\n');
}

/* Prints the line as JSON, with --tables also the parts of the table that
 * differ from `before`.  If that is NULL the line is the first, and the table
 * is whole. */
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
		print_sentence(walk, arguments->asks);
	else if (walk->said != NULL)
		printf("%s ; said %.*s\n", walk->text,
		       (int)strcspn(walk->said, " "), walk->said);
	else
		puts(walk->text);
}

static void
print_opinion(const struct arguments *arguments, const struct opinion *opinion)
{
	char sentence[OPINION_SENTENCE];

	if (arguments->json) {
		print_json_line(opinion_json(opinion), OPINION_DIGITS);
		return;
	}
	opinion_sentence(opinion, sentence);
	printf("  %s\n", sentence);
}

/* Prints the lines from line `first` on. */
static int
print_lines(const struct arguments *arguments, const struct replay *replay,
	    const struct opinions *opinions, unsigned first)
{
	static struct replay_walk walk; /* too large for the stack */
	static struct frame_table before;
	const struct opinion *opinion;
	bool any = false;
	unsigned told = 0;
	int result;

	replay_walk_begin(&walk, replay, arguments->viewer);
	while ((result = replay_walk_next(&walk)) > 0) {
		opinion = walk.line->ask >= 0 ? NULL
					      : opinions_at(opinions, told++);
		if (walk.next <= first)
			continue;
		if (opinion != NULL)
			print_opinion(arguments, opinion);
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
show_from(const struct arguments *arguments, const struct replay *replay,
	  const struct opinions *opinions, unsigned first)
{
	int code;

	if (replay->lines == 0)
		return EXIT_DONE;
	if (arguments->step) {
		if (step_run(replay, first, arguments->viewer) != 0)
			return complain_machine("cannot read the terminal: %m");
		return EXIT_DONE;
	}
	code = print_lines(arguments, replay, opinions, first);
	return code ? code : finish_output();
}

static int
show(const struct arguments *arguments, const struct replay *replay,
     const struct opinions *opinions)
{
	int first = 0;

	if (arguments->from)
		first = replay_round(replay, arguments->from);
	if (first < 0)
		return complain_usage("%s: this game has no round %u",
				      arguments->path, arguments->from);
	return show_from(arguments, replay, opinions, (unsigned)first);
}

/* ---- opinions ----------------------------------------------------------- */

static int
ask_program(const struct arguments *arguments, const struct text *input,
	    struct opinions *opinions)
{
	char playouts[16];
	struct opinion_task task = { .program = arguments->program,
				     .playouts = arguments->playouts == 0
							 ? NULL
							 : playouts,
				     .ms = OPINION_MS,
				     .stop = -1 };
	struct text output;
	struct error why;
	int result;

	snprintf(playouts, sizeof(playouts), "%u", arguments->playouts);
	if (task.program == NULL)
		task.program = opinion_program(&why);
	if (task.program == NULL)
		return complain_machine("%s", why.text);
	result = opinion_run(&task, input, &output, &why);
	if (result == 0)
		result = opinions_read(output.bytes, output.used, opinions,
				       &why);
	text_release(&output);
	return result == 0 ? EXIT_DONE : complain_machine("%s", why.text);
}

static int
show_swing(const struct arguments *arguments, const struct replay *replay,
	   const struct opinions *opinions)
{
	const struct opinion *swing = opinions_swing(opinions);

	if (swing == NULL) {
		note("by these values seat %d has made no mistake",
		     arguments->viewer);
		return EXIT_DONE;
	}
	return show_from(
		arguments, replay, opinions,
		replay_find_line(replay, arguments->viewer, swing->at + 1));
}

/* Shows the lines of `replay` with opinions.  The opinions are asked for with
 * `asked`, which has the asks. */
static int
show_opinions(const struct arguments *arguments, const struct replay *replay,
	      const struct replay *asked)
{
	struct opinions opinions;
	struct text input = { .max = SIZE_MAX };
	int code;

	if (opinion_input(asked, (unsigned)arguments->viewer, &input) < 0) {
		text_release(&input);
		return complain_usage("%s: a line has its marks out of order",
				      arguments->path);
	}
	code = ask_program(arguments, &input, &opinions);
	text_release(&input);
	if (code != EXIT_DONE)
		return code;
	code = arguments->swing ? show_swing(arguments, replay, &opinions)
				: show(arguments, replay, &opinions);
	opinions_release(&opinions);
	return code;
}

/* ---- another seating ------------------------------------------------------ */

/* Returns the sentence of line `number`, from 1; NULL if there is none. */
static const char *
find_sentence(struct replay_walk *walk, const struct replay *replay, int number)
{
	int i, result = 1;

	replay_walk_begin(walk, replay, VIEW_PUBLIC);
	for (i = 0; i < number && result > 0; i++)
		result = replay_walk_next(walk);
	return result > 0 ? walk->frame.sentence : NULL;
}

static void
print_difference(const struct arguments *arguments, const struct replay *one,
		 const struct replay *other, int number)
{
	static struct replay_walk walks[2];
	const char *mine = find_sentence(&walks[0], one, number);
	const char *theirs = find_sentence(&walks[1], other, number);

	if (arguments->json) {
		print_json_line(JSON_OBJECT(INT("at", number),
					    TEXT_IF("sentence", mine),
					    TEXT_IF("against", theirs)),
				0);
		return;
	}
	printf("Line %d is the first that differs.\n", number);
	printf("%s: %s\n", arguments->path, mine ? mine : "The game ends.");
	printf("%s: %s\n", arguments->against,
	       theirs ? theirs : "The game ends.");
}

static bool
same_kind(const struct record *one, const struct record *other)
{
	if (strcmp(one->game, other->game) != 0 || one->seats != other->seats ||
	    one->options != other->options)
		return false;
	for (unsigned i = 0; i < one->options; i++)
		if (strcmp(one->option[i].name, other->option[i].name) != 0 ||
		    strcmp(one->option[i].value, other->option[i].value) != 0)
			return false;
	return true;
}

static int
compare(const struct arguments *arguments, const struct record *one,
	const struct record *other)
{
	struct replay mine, theirs;
	struct verdict ignored;
	int number;

	if (!same_kind(one, other))
		return complain_usage("%s and %s are not the same game with "
				      "the same seats and options",
				      arguments->path, arguments->against);
	if (replay_init(&mine, one, false, &ignored) != 0 ||
	    replay_init(&theirs, other, false, &ignored) != 0)
		bug("a record without asks cannot be shown");
	number = replay_difference(&mine, &theirs);
	if (number > 0)
		print_difference(arguments, &mine, &theirs, number);
	else if (number == 0)
		note("both games took the same course for spectators");
	replay_release(&mine);
	replay_release(&theirs);
	if (number < 0)
		return complain_usage("%s or %s has a line whose marks are not "
				      "in order",
				      arguments->path, arguments->against);
	return finish_output();
}

static int
show_difference(const struct arguments *arguments, const struct record *one)
{
	struct record *other;
	struct error why;
	int code;

	if (packed_record(NULL, arguments->against, &other, &why) != 0)
		return complain_usage("%s", why.text);
	code = compare(arguments, one, other);
	record_free(other);
	return code;
}

/* ---- the command -------------------------------------------------------- */

static int
open_replay(const struct arguments *arguments, const struct record *record,
	    bool asks, struct replay *replay)
{
	struct verdict verdict;

	if (replay_init(replay, record, asks, &verdict) == 0)
		return EXIT_DONE;
	return complain_usage("%s:%u: expected %s, found %s", arguments->path,
			      verdict.line, verdict.expected, verdict.found);
}

/* The caller calls replay_wrote_forget(). */
static int
read_errors(const struct arguments *arguments, const struct record *record,
	    struct replay_wrote wrote[SEATS_MAX])
{
	struct error why;

	memset(wrote, 0, SEATS_MAX * sizeof(*wrote));
	if (arguments->errors == NULL ||
	    replay_wrote_read(arguments->errors, arguments->path, record, wrote,
			      &why) == 0)
		return EXIT_DONE;
	return complain_error(&why);
}

static int
show_record(const struct arguments *arguments, const struct record *record,
	    struct pack_cache *cache)
{
	const struct opinions none = { 0 };
	struct replay_wrote wrote[SEATS_MAX];
	struct replay replay, asked;
	struct asks asks;
	struct error why;
	int code;

	if (arguments->viewer >= (int)record->seats)
		return complain_usage("%s: there is no seat %d at a table of "
				      "%u",
				      arguments->path, arguments->viewer,
				      record->seats);
	code = read_errors(arguments, record, wrote);
	if (code == EXIT_DONE)
		code = open_replay(arguments, record,
				   arguments->asks || arguments->errors,
				   &replay);
	if (code != EXIT_DONE) {
		replay_wrote_forget(wrote);
		return code;
	}
	if (replay_asks_read(cache, arguments->path, record, &asks, &why) < 0)
		note("%s", why.text);
	replay.asks = &asks;
	if (arguments->errors)
		replay.wrote = wrote;
	if (!arguments->opinions && !arguments->swing) {
		code = show(arguments, &replay, &none);
	} else {
		code = open_replay(arguments, record, true, &asked);
		if (code == EXIT_DONE) {
			code = show_opinions(arguments, &replay, &asked);
			replay_release(&asked);
		}
	}
	replay_release(&replay);
	asks_forget(&asks);
	replay_wrote_forget(wrote);
	return code;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .viewer = VIEW_ALL };
	struct pack_cache cache = { 0 };
	struct error why;
	struct record *record;
	int code;
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &arguments);

	check_arguments(&arguments, &words);
	arguments.path = words.word[0];
	if (arguments.step && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return complain_usage("--step needs a terminal");
	if (packed_record(&cache, arguments.path, &record, &why) != 0) {
		pack_cache_release(&cache);
		return complain_usage("%s", why.text);
	}
	code = arguments.against ? show_difference(&arguments, record)
				 : show_record(&arguments, record, &cache);
	record_free(record);
	pack_cache_release(&cache);
	return code;
}

const struct command command_replay = {
	.name = "replay",
	.brief = "show a recorded game, from any seat's view",
	.run = run,
};
