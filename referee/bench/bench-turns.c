/* referee/bench/bench-turns.c - turns a second of the whole referee.
 *
 * Tables of two instant bots play Daumen drauf through pipes, game after game
 * with the same programs, exactly as in a match but for the disk.  A turn is
 * one answered ask.  Beside it the bare ping-pong of messages of the same mean
 * length (bytes written to all bots for a turn, bytes of its answer): between
 * two processes for one table; by one epoll loop for as many children as there
 * are tables for more.  Those children are forks that share their memory, and
 * half as many as the tables have bots; so a third figure tells what such a
 * loop makes of as many programs as there are bots, still without a game.
 * Once with everything on one processor, once free. */
#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <sched.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "protocol/record.h"
#include "referee/bench/bench.h"
#include "referee/table/bot.h"
#include "referee/command.h"
#include "referee/json-line.h"
#include "referee/table/deal.h"
#include "referee/table/loop.h"
#include "referee/child/nursery.h"
#include "referee/table/table.h"

#define SEATS 2
#define GAME "daumen-drauf"
#define GAMES_A_MATCH "50"
#define TURNS_WARM 16

struct hall {
	struct loop loop;
	struct nursery *nursery;
	struct place *place; /* owned; one a table */
	unsigned places;
	uint64_t finished; /* turns of games that are over */
	unsigned programs; /* that have not ended */
	bool closing;
	bool failed;
};

struct place {
	struct hall *hall;
	struct table *table;
	struct bot *bot[SEATS_MAX];
};

static void begin(struct place *place);

static void
on_over(struct table *table, void *arg)
{
	struct place *place = arg;
	struct hall *hall = place->hall;
	unsigned char hash[RECORD_HASH_BYTES];
	const struct text *body;
	struct text header;
	unsigned s;

	text_init(&header, RECORD_BYTES);
	table_record(table, &header, &body);
	text_add(&header, "\n", 1);
	text_add(&header, body->bytes, body->used);
	record_hash_text(header.bytes, header.used, hash);
	text_release(&header);
	hall->finished += table_turns(table);
	place->table = NULL;
	if (hall->closing) {
		table_receipt(table, hash);
		return;
	}
	table_receipt_reuse(table, hash, place->bot);
	for (s = 0; s < SEATS; s++)
		hall->failed |= place->bot[s] == NULL;
	if (!hall->failed)
		begin(place);
}

static void
begin(struct place *place)
{
	struct table_setup setup;
	char why[SENTENCE_BYTES];
	unsigned s;

	memset(&setup, 0, sizeof(setup));
	game_setup_init(&setup.game, game_find(GAME), SEATS);
	if (game_setup_option(&setup.game, "games", GAMES_A_MATCH, why) < 0)
		bug("%s", why);
	deal_random(&setup.deal);
	setup.clock.time_us = MOVE_TIME_MS * (uint64_t)1000;
	setup.faults = FAULTS_DEFAULT;
	setup.show_names = true;
	for (s = 0; s < SEATS; s++)
		snprintf(setup.name[s], sizeof(setup.name[s]), "instant-%u", s);
	place->table = table_new(&place->hall->loop, &setup, place->bot,
				 on_over, place);
}

static void
on_ended(void *arg, struct bot *bot, const struct bot_end *end)
{
	struct hall *hall = arg;

	(void)bot;
	(void)end;
	hall->programs--;
}

static void
on_nursery(evutil_socket_t fd, short what, void *arg)
{
	struct hall *hall = arg;

	(void)fd;
	(void)what;
	hall->failed |= nursery_dispatch(hall->nursery) < 0;
}

static int
seat_all(struct hall *hall)
{
	static char self[] = "/proc/self/exe", bench[] = "bench",
		    as_bot[] = "--as-bot";
	char *const argv[] = { self, bench, as_bot, NULL };
	struct bot *bot;
	unsigned i;

	for (i = 0; i < hall->places * SEATS; i++) {
		bot = bot_child_new(&hall->loop, hall->nursery, argv, NULL);
		if (bot == NULL)
			return -1;
		bot->ended = on_ended;
		bot->ended_arg = hall;
		hall->programs++;
		hall->place[i / SEATS].bot[i % SEATS] = bot;
	}
	return 0;
}

struct count {
	uint64_t turns, out, in;
};

static struct count
count(const struct hall *hall)
{
	struct count c = { .turns = hall->finished };
	unsigned i, s;

	for (i = 0; i < hall->places; i++) {
		c.turns += table_turns(hall->place[i].table);
		for (s = 0; s < SEATS; s++) {
			c.out += hall->place[i].bot[s]->bytes_out;
			c.in += hall->place[i].bot[s]->bytes_in;
		}
	}
	return c;
}

struct row {
	unsigned tables;
	bool pinned;
	double rate, pingpong, programs;  /* a second */
	unsigned ask_bytes, answer_bytes; /* the mean of a turn */
};

/* Whether the programs of all tables run: each has made a few turns. */
static bool
warmed_up(const struct hall *hall)
{
	unsigned i;

	for (i = 0; i < hall->places; i++)
		if (hall->place[i].table == NULL ||
		    table_turns(hall->place[i].table) < TURNS_WARM)
			return false;
	return true;
}

static void
measure(struct hall *hall, double seconds, struct row *row)
{
	struct count before, after;
	uint64_t start, end;

	do
		loop_pass(&hall->loop);
	while (!warmed_up(hall) && !hall->failed);
	before = count(hall);
	start = clock_us();
	do {
		loop_pass(&hall->loop);
		end = clock_us();
	} while ((double)(end - start) < seconds * 1e6 && !hall->failed);
	if (hall->failed)
		return;
	after = count(hall);
	after.turns -= before.turns;
	row->rate = (double)after.turns * 1e6 / (double)(end - start);
	row->ask_bytes = (unsigned)((after.out - before.out) / after.turns);
	row->answer_bytes = (unsigned)((after.in - before.in) / after.turns);
}

static void
close_hall(struct hall *hall)
{
	unsigned i, s;

	hall->closing = true;
	for (i = 0; i < hall->places; i++) {
		if (hall->place[i].table != NULL) {
			table_abort(hall->place[i].table, "measured");
			continue;
		}
		for (s = 0; s < SEATS; s++)
			if (hall->place[i].bot[s] != NULL)
				bot_part(hall->place[i].bot[s], 0);
	}
	while (hall->programs > 0)
		loop_pass(&hall->loop);
}

static int
run_hall(struct row *row, double seconds)
{
	struct hall hall = { .places = row->tables };
	struct event *event;
	unsigned i;
	int result = -1;

	hall.nursery = nursery_new();
	if (hall.nursery == NULL)
		return -1;
	hall.place = calloc(hall.places, sizeof(*hall.place));
	if (hall.place == NULL || loop_init(&hall.loop) < 0)
		bug("out of memory");
	event = event_new(hall.loop.base, nursery_fd(hall.nursery),
			  EV_READ | EV_PERSIST, on_nursery, &hall);
	event_add(event, NULL);
	if (seat_all(&hall) == 0) {
		for (i = 0; i < hall.places; i++) {
			hall.place[i].hall = &hall;
			begin(&hall.place[i]);
		}
		measure(&hall, seconds, row);
		result = hall.failed ? -1 : 0;
	}
	close_hall(&hall);
	event_free(event);
	loop_release(&hall.loop);
	free(hall.place);
	nursery_free(hall.nursery);
	return result;
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
	object = json_pack(
		"{s:s, s:i, s:b, s:f, s:f, s:f, s:f, s:i, s:i}", "bench",
		"turns", "tables", (int)row->tables, "pinned", (int)row->pinned,
		"rate", row->rate, "pingpong", row->pingpong, "ratio", ratio,
		"programs", row->programs, "ask_bytes", (int)row->ask_bytes,
		"answer_bytes", (int)row->answer_bytes);
	print_json_line(object, 6);
	fflush(stdout);
}

static int
run_row(const struct bench *bench, struct row *row)
{
	if (run_hall(row, bench->seconds) < 0)
		return complain_machine("%u tables cannot be measured: %s",
					row->tables, strerror(errno));
	row->pingpong = bench_pingpong(row->tables, false, row->ask_bytes,
				       row->answer_bytes, bench->seconds);
	row->programs =
		bench_pingpong(row->tables * SEATS, true, row->ask_bytes,
			       row->answer_bytes, bench->seconds);
	if (row->pingpong < 0 || row->programs < 0)
		return complain_machine("%u peers cannot be measured: %s",
					row->tables, strerror(errno));
	print_row(row, bench->json);
	return EXIT_DONE;
}

/* The first processor of those that we may use. */
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
	unsigned i, pinned;
	int code = EXIT_DONE;

	raise_descriptors();
	sched_getaffinity(0, sizeof(cpus), &cpus);
	if (!bench->json)
		printf("turns: " GAME ", %d seats, instant bots over pipes\n"
		       "%6s  %-5s %9s %9s %6s %11s %5s %4s\n",
		       SEATS, "tables", "cores", "turns/s", "bare/s", "ratio",
		       "programs/s", "out", "in");
	for (pinned = 1; pinned + 1 > 0 && code == EXIT_DONE; pinned--) {
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
		if (pinned == 0)
			break;
	}
	return code;
}
