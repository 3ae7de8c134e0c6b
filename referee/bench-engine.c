/* referee/bench-engine.c - decisions a second of the games alone.
 *
 * Random play on one core; each seat that is asked picks from its legal list,
 * and a decision counts once, open or single.  Bare: no text at all.  Text:
 * the event lines are written and redacted for every seat. */
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/bench.h"
#include "referee/command.h"
#include "referee/deal.h"
#include "referee/game.h"
#include "referee/loop.h"

/* Decisions between two looks at the clock. */
#define CLOCK_EVERY 4096

struct runner {
	struct game_setup setup;
	struct game game;
	struct chance chance;
	struct legal legal[SEATS_MAX]; /* of the seats asked */
	struct events events;
	char redacted[EVENTS_BYTES];
	uint32_t state; /* of the bots' own dice */
	uint64_t deals;
	uint64_t redacted_bytes; /* so that the work is not optimised away */
};

/* The seats' row of the table; 2 where a game is for two. */
static unsigned
row_seats(const struct game_rules *rules)
{
	return rules->max_seats < 4 ? rules->max_seats : 4;
}

static unsigned
roll(struct runner *runner, unsigned n)
{
	uint32_t x = runner->state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	runner->state = x;
	return (unsigned)((uint64_t)x * n >> 32);
}

static void
begin(struct runner *runner)
{
	unsigned char seed[CHANCE_SEED_BYTES] = { 0 };

	runner->deals++;
	memcpy(seed, &runner->deals, sizeof(runner->deals));
	chance_seed(&runner->chance, seed);
	game_start(&runner->game, &runner->setup, &runner->chance,
		   &runner->events);
}

/* Every seat's view of what has just happened. */
static void
redact(struct runner *runner)
{
	const char *line = runner->events.text, *lf;
	const char *end = line + runner->events.used;
	unsigned seat;

	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		for (seat = 0; seat < runner->setup.seats; seat++)
			runner->redacted_bytes += (uint64_t)hidden_redact(
				line, (size_t)(lf - line), (int)seat,
				runner->redacted);
	}
}

/* An entry of the seat's legal list, and the integer if it is a range. */
static int
pick(struct runner *runner, unsigned seat, unsigned *entry)
{
	struct legal *legal = &runner->legal[seat];
	const struct move *move;

	game_legal(&runner->game, seat, legal);
	*entry = roll(runner, legal->count);
	move = &legal->move[*entry];
	if (move->n == move->top)
		return move->n;
	return move->n + (int)roll(runner, (unsigned)(move->top - move->n + 1));
}

static void
choose(struct runner *runner, unsigned seat, unsigned entry, int n)
{
	game_choose(&runner->game, &runner->legal[seat], entry, n,
		    &runner->chance, &runner->events);
}

static void
decide_single(struct runner *runner)
{
	unsigned seat = (unsigned)runner->game.decision.holder, entry;
	int n = pick(runner, seat, &entry);

	choose(runner, seat, entry, n);
}

static void
decide_open(struct runner *runner)
{
	const struct decision *decision = &runner->game.decision;
	struct move answer[SEATS_MAX];
	unsigned i, seat, entry[SEATS_MAX];
	int mover, n[SEATS_MAX];

	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		n[seat] = pick(runner, seat, &entry[seat]);
		answer[seat] = runner->legal[seat].move[entry[seat]];
	}
	mover = game_first(&runner->game, answer);
	if (mover < 0)
		game_quiet(&runner->game, &runner->chance, &runner->events);
	else
		choose(runner, (unsigned)mover, entry[mover], n[mover]);
}

static void
decide(struct runner *runner)
{
	if (game_is_over(&runner->game))
		begin(runner);
	else if (runner->game.decision.kind == DECISION_SINGLE)
		decide_single(runner);
	else
		decide_open(runner);
	if (runner->events.wanted)
		redact(runner);
	events_clear(&runner->events);
}

static double
measure(struct runner *runner, bool text, double seconds)
{
	uint64_t start, end, decisions = 0;
	unsigned i;

	runner->events.wanted = text;
	events_clear(&runner->events);
	begin(runner);
	events_clear(&runner->events);
	start = end = clock_us();
	while ((double)(end - start) < seconds * 1e6) {
		for (i = 0; i < CLOCK_EVERY; i++)
			decide(runner);
		decisions += CLOCK_EVERY;
		end = clock_us();
	}
	return (double)decisions * 1e6 / (double)(end - start);
}

static void
print_row(const struct game_rules *rules, unsigned seats, bool text,
	  double rate, bool json)
{
	json_t *object;

	if (!json) {
		printf("%-16s %5u  %-4s %12.0f %11u\n", rules->name, seats,
		       text ? "yes" : "no", rate, rules->state_bytes);
		return;
	}
	object = json_pack("{s:s, s:s, s:i, s:b, s:f, s:i}", "bench", "engine",
			   "game", rules->name, "seats", (int)seats, "text",
			   (int)text, "decisions_per_s", rate, "state_bytes",
			   (int)rules->state_bytes);
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(8));
	putchar('\n');
	json_decref(object);
}

int
bench_engine(const struct bench *bench)
{
	static struct runner runner;
	const struct game_rules *const *rules;
	unsigned text, seats;

	if (!bench->json)
		printf("engines: random play, one core\n%-16s %5s  %-4s %12s "
		       "%11s\n",
		       "game", "seats", "text", "decisions/s", "state bytes");
	for (rules = games; *rules != NULL; rules++) {
		seats = row_seats(*rules);
		game_setup_init(&runner.setup, *rules, seats);
		runner.state = 2463534242;
		for (text = 0; text < 2; text++)
			print_row(*rules, seats, text,
				  measure(&runner, text, bench->seconds),
				  bench->json);
	}
	return finish_output();
}
