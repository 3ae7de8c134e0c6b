/* referee/cli/command-bench.c - `referee bench`: chooses what to measure, and how
 * long. */
#include <argp.h>
#include <string.h>

#include "ladder/milli.h"
#include "protocol/message.h"
#include "referee/bench/bench.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"

#define SECONDS_DEFAULT 2
#define SECONDS_MIN_MILLI 10
#define SECONDS_MAX 600

static const struct part {
	const char *name;
	int (*run)(const struct bench *bench);
} parts[] = {
	{ "turns", bench_turns },
	{ "engine", bench_engine },
	{ "ladder", bench_ladder },
	{ "start", bench_start },
};

struct arguments {
	struct bench bench;
	bool chosen[NELEM(parts)], some;
	bool as_bot;
};

static const char doc[] =
	"Measure the referee itself: `turns` a second with 1, 8, 64 and 512 "
	"tables of instant bots, beside bare ping-pong of messages of the same "
	"mean length on this machine in the same run (`ratio` is the first "
	"divided by the second); `engine`: decisions a second of each game, "
	"and the time that a copy of its state takes; `ladder`: results rated "
	"a second; `start`: how long a program takes until it runs, bare and "
	"in a sandbox. Without WHAT, all are measured.\v"
	"Turns are measured "
	"twice: with everything on one processor, and on all processors. `out` "
	"and `in` are the mean bytes of a turn: to the bots, and of the "
	"answer. `bare` is one child process a table, a fork; `programs` is "
	"the same loop with as many programs as the tables have bots.\n\n"
	"Engines play at random: without text, and with the lines that every "
	"seat is told. `a game` is the number of decisions in one game.\n\n"
	"Exit codes: 0 done, 2 wrong usage, 3 the machine failed (descriptors, "
	"processes).\n\n"
	"Example: the turns of one table, five seconds a row\n"
	"  referee bench turns --tables 1 --seconds 5";

static void
choose(struct arguments *arguments, const char *name)
{
	for (unsigned i = 0; i < NELEM(parts); i++) {
		if (strcmp(parts[i].name, name) != 0)
			continue;
		arguments->chosen[i] = arguments->some = true;
		return;
	}
	refuse_argument("WHAT must be turns, engine, ladder or start, not %s",
			quoted(name).text);
}

static void
take_seconds(void *to, const struct argument *option UNUSED, char *arg)
{
	struct arguments *arguments = to;
	int64_t milli;

	if (milli_read(arg, SECONDS_MAX * 1000, &milli) < 0 ||
	    milli < SECONDS_MIN_MILLI)
		refuse_argument("--seconds takes a number from %.2f to %d, not "
				"%s",
				SECONDS_MIN_MILLI / 1e3, SECONDS_MAX,
				quoted(arg).text);
	arguments->bench.seconds = (double)milli / 1000;
}

static void
take_tables(void *to, const struct argument *option UNUSED, char *arg)
{
	struct arguments *arguments = to;
	uint64_t number = 0;

	if (message_number(arg, strlen(arg), 512, &number) < 0 ||
	    (number != 1 && number != 8 && number != 64 && number != 512))
		refuse_argument("--tables takes 1, 8, 64 or 512, not %s",
				quoted(arg).text);
	arguments->bench.tables = (unsigned)number;
}

static const struct argument options[] = {
	{ "seconds", 0, "N", "How long each row is measured (default 2)",
	  TAKE(take_seconds) },
	{ "tables", 0, "N", "Turns: only the rows with 1, 8, 64 or 512 tables",
	  TAKE(take_tables) },
	{ "json", 0, NULL, "Print JSON, one object a row",
	  STORE_FLAG(struct arguments, bench.json) },
	{ "as-bot", 0, NULL, NULL, STORE_FLAG(struct arguments, as_bot),
	  .hidden = true },
	{ 0 },
};

static const struct argp argp = {
	.args_doc = "[WHAT...]",
	.doc = doc,
};

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .bench.seconds = SECONDS_DEFAULT };
	const struct words words =
		parse_arguments(&argp, options, argc, argv, &arguments);
	int code = EXIT_DONE;

	for (unsigned i = 0; i < words.count; i++)
		choose(&arguments, words.word[i]);
	if (arguments.as_bot)
		return bench_bot();
	for (unsigned i = 0; i < NELEM(parts) && code == EXIT_DONE; i++)
		if (arguments.chosen[i] || !arguments.some)
			code = parts[i].run(&arguments.bench);
	return code;
}

const struct command command_bench = {
	.name = "bench",
	.brief = "measure the referee against the limits of the machine",
	.run = run,
};
