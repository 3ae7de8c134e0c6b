/* referee/bench/bench-turns.c - measures turns a second of the whole referee.
 *
 * Tables of two instant bots play Daumen drauf through pipes, game after game
 * with the same programs, exactly as in a match but for the disk.  A turn is
 * one answered ask.  It compares this with bare ping-pong of messages of the
 * same mean length (bytes written to all bots for a turn, bytes of its answer).
 * One table is compared with two processes; more tables with an epoll loop that
 * has as many children as there are tables.  These children are forks that
 * share memory, and half as many as the tables have bots.  So a third figure
 * has the same loop with as many programs as bots, still without a game.  Each
 * is measured once on one processor and once free. */
#include <jansson.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "protocol/record.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/base/loop.h"
#include "referee/bench/bench.h"
#include "referee/runner/job.h"
#include "referee/runner/runner.h"
#include "referee/spawner/spawner.h"
#include "referee/table/deal.h"
#include "referee/table/table.h"

#define SEATS 2
#define GAME "daumen-drauf"
#define GAMES_A_MATCH "50"
#define TURNS_WARM 16
/* So many are measured, however long they take: means need some turns. */
#define TURNS_LEAST 16
/* Time until a bot counts as failed: a thousand of them may start at once on
 * one processor. */
#define STARVED_US (300 * (uint64_t)1000000)

struct scheduler {
	struct loop loop;
	struct runner *runner;
	unsigned tables, warm; /* `warm` of them have warmed up */
	uint64_t finished;     /* turns of finished games */
	bool closing;
	bool failed; /* see `why` */
	struct error why;
};

static void
fill_setup(struct table_setup *setup)
{
	char why[SENTENCE_BYTES];

	game_setup_init(&setup->game, game_find(GAME), SEATS);
	if (game_setup_option(&setup->game, "games", GAMES_A_MATCH, why) < 0)
		bug("%s", why);
	deal_random(&setup->deal);
	setup->clock.time_us = STARVED_US;
	setup->faults = FAULTS_DEFAULT;
	setup->show_names = true;
	for (unsigned s = 0; s < SEATS; s++)
		snprintf(setup->name[s], sizeof(setup->name[s]), "instant-%u",
			 s);
}

/* Begins the next game of a table with its own two programs. */
static void
begin(struct scheduler *scheduler, uint64_t table)
{
	static char self[] = "/proc/self/exe", bench[] = "bench",
		    as_bot[] = "--as-bot";
	static char *const argv[] = { self, bench, as_bot, NULL };
	struct job job;

	memset(&job, 0, sizeof(job));
	job.number = table;
	fill_setup(&job.setup);
	for (unsigned s = 0; s < SEATS; s++) {
		job.seat[s].bot = (uint32_t)table * SEATS + s;
		job.seat[s].reuse = true;
		job.seat[s].program.argv = argv;
	}
	runner_play(scheduler->runner, job_copy(&job));
}

static void
note_failure(struct scheduler *scheduler, const struct job_result *result)
{
	const struct fault_note *fault = fault_notes_first(&result->faults, 0);
	char how[FAULT_SENTENCE_BYTES] = "its game was aborted";

	if (fault == NULL)
		fault = fault_notes_first(&result->faults, 1);
	if (fault != NULL)
		fault_note_sentence(fault, how);
	scheduler->failed = true;
	if (result->machine)
		error_set(&scheduler->why, ERROR_MACHINE, "%s", result->why);
	else
		error_set(&scheduler->why, ERROR_MACHINE,
			  "an instant bot has failed: %s", how);
}

static void
on_over(void *arg, struct job_result *result)
{
	struct scheduler *scheduler = arg;
	unsigned char hash[RECORD_HASH_BYTES];
	const uint64_t table = result->number;
	const bool recorded = result->header.used > 0;

	if (recorded)
		job_result_hash(result, hash);
	scheduler->finished += result->outcome.turns;
	if (!scheduler->closing && !scheduler->failed &&
	    (result->outcome.aborted != ABORT_NONE || result->machine ||
	     result->outcome.faults[0] + result->outcome.faults[1] > 0))
		note_failure(scheduler, result);
	runner_receipt(scheduler->runner, table, recorded ? hash : NULL);
	if (!scheduler->closing && !scheduler->failed)
		begin(scheduler, table);
}

static const struct runner_calls runner_calls = {
	.over = on_over,
};

struct count {
	uint64_t turns, out, in;
};

static unsigned
turns(const struct scheduler *scheduler, uint64_t table)
{
	const struct table *playing = runner_table(scheduler->runner, table);

	return playing == NULL ? 0 : table_turns(playing);
}

static struct count
count(const struct scheduler *scheduler)
{
	struct count c = { .turns = scheduler->finished };

	for (unsigned i = 0; i < scheduler->tables; i++)
		c.turns += turns(scheduler, i);
	runner_traffic(scheduler->runner, &c.out, &c.in);
	return c;
}

struct row {
	unsigned tables;
	bool pinned;
	double rate, pingpong, programs;  /* a second */
	unsigned ask_bytes, answer_bytes; /* mean bytes of a turn */
};

/* Returns true if the programs of all tables run: each table has made a few
 * turns. */
static bool
warmed_up(struct scheduler *scheduler)
{
	while (scheduler->warm < scheduler->tables &&
	       turns(scheduler, scheduler->warm) >= TURNS_WARM)
		scheduler->warm++;
	return scheduler->warm == scheduler->tables;
}

static void
measure(struct scheduler *scheduler, double seconds, struct row *row)
{
	struct count before, after;
	uint64_t start, end;

	do
		loop_pass(&scheduler->loop);
	while (!warmed_up(scheduler) && !scheduler->failed);
	before = count(scheduler);
	start = clock_us();
	do {
		loop_pass(&scheduler->loop);
		end = clock_us();
	} while (((double)(end - start) < seconds * 1e6 ||
		  count(scheduler).turns < before.turns + TURNS_LEAST) &&
		 !scheduler->failed);
	if (scheduler->failed)
		return;
	after = count(scheduler);
	after.turns -= before.turns;
	row->rate = (double)after.turns * 1e6 / (double)(end - start);
	row->ask_bytes = (unsigned)((after.out - before.out) / after.turns);
	row->answer_bytes = (unsigned)((after.in - before.in) / after.turns);
}

static void
close_scheduler(struct scheduler *scheduler)
{
	scheduler->closing = true;
	runner_abort(scheduler->runner, ABORT_INTERRUPTED);
	runner_finish(scheduler->runner);
	while (!runner_is_quiet(scheduler->runner))
		loop_pass(&scheduler->loop);
	runner_free(scheduler->runner);
}

/* Runs the scheduler.  Returns EXIT_DONE, or EXIT_MACHINE after a message. */
static int
run_scheduler(struct row *row, double seconds)
{
	struct scheduler scheduler = { .tables = row->tables };
	struct spawner *spawner = spawner_new();

	if (spawner == NULL)
		return complain_machine("cannot make the process that starts "
					"the bots: %m");
	if (loop_init(&scheduler.loop) < 0)
		bug("out of memory");
	scheduler.runner =
		runner_new(&scheduler.loop, spawner, scheduler.tables, -1,
			   &runner_calls, &scheduler);
	for (unsigned i = 0; i < scheduler.tables; i++)
		begin(&scheduler, i);
	measure(&scheduler, seconds, row);
	close_scheduler(&scheduler);
	loop_release(&scheduler.loop);
	spawner_free(spawner);
	if (!scheduler.failed)
		return EXIT_DONE;
	return complain_machine("cannot measure %s: %s",
				counted(row->tables, "table").text,
				scheduler.why.text);
}

/* ---- rows ------------------------------------------------------------- */

static void
print_row(const struct row *row, bool json)
{
	double ratio = row->rate / row->pingpong;
	json_t *object;

	if (!json) {
		printf("%6u  %-5s %9.0f %9.0f %6.2f %11.0f %5u %4u\n",
		       row->tables, row->pinned ? "one" : "all", row->rate,
		       row->pingpong, ratio, row->programs, row->ask_bytes,
		       row->answer_bytes);
		fflush(stdout);
		return;
	}
	object = JSON_OBJECT(
		TEXT("bench", "turns"), INT("tables", row->tables),
		BOOL("pinned", row->pinned), REAL("rate", row->rate),
		REAL("pingpong", row->pingpong), REAL("ratio", ratio),
		REAL("programs", row->programs),
		INT("ask_bytes", row->ask_bytes),
		INT("answer_bytes", row->answer_bytes));
	print_json_line(object, 6);
	fflush(stdout);
}

static int
run_row(const struct bench *bench, struct row *row)
{
	const int code = run_scheduler(row, bench->seconds);

	if (code != EXIT_DONE)
		return code;
	row->pingpong = bench_pingpong(row->tables, false, row->ask_bytes,
				       row->answer_bytes, bench->seconds);
	row->programs =
		bench_pingpong(row->tables * SEATS, true, row->ask_bytes,
			       row->answer_bytes, bench->seconds);
	if (row->pingpong < 0 || row->programs < 0)
		return complain_machine("cannot measure %u peers: %m",
					row->tables);
	print_row(row, bench->json);
	return EXIT_DONE;
}

/* Keeps us on the first of the processors that we may use. */
static void
pin(const cpu_set_t *all)
{
	cpu_set_t one;
	int cpu = 0;

	while (!CPU_ISSET(cpu, all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void
raise_descriptors(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int
bench_turns(const struct bench *bench)
{
	static const unsigned all_tables[] = { 1, 8, 64, 512 };
	struct row row;
	cpu_set_t cpus;
	unsigned i;
	int code = EXIT_DONE;

	raise_descriptors();
	sched_getaffinity(0, sizeof(cpus), &cpus);
	if (!bench->json)
		printf("turns: " GAME ", %d seats, instant bots over pipes\n"
		       "%6s  %-5s %9s %9s %6s %11s %5s %4s\n",
		       SEATS, "tables", "cores", "turns/s", "bare/s", "ratio",
		       "programs/s", "out", "in");
	for (unsigned pinned = 2; pinned-- > 0 && code == EXIT_DONE;) {
		if (pinned)
			pin(&cpus);
		for (i = 0; i < NELEM(all_tables) && code == EXIT_DONE; i++) {
			if (bench->tables != 0 &&
			    bench->tables != all_tables[i])
				continue;
			row = (struct row){ .tables = all_tables[i],
					    .pinned = pinned };
			code = run_row(bench, &row);
		}
		sched_setaffinity(0, sizeof(cpus), &cpus);
	}
	return code;
}
