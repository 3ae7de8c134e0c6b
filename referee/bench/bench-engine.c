/* referee/bench/bench-engine.c - measures decisions a second of the games
 * alone, and the time to copy a game.
 *
 * Random play on one core, measured in processor time.  Each seat that is asked
 * picks from its legal list.  A decision counts once, open or single.  Bare: no
 * text at all.  Text: the event lines are written and redacted for every seat. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "protocol/hidden.h"
#include "referee/base/command.h"
#include "referee/base/json-line.h"
#include "referee/bench/bench.h"
#include "referee/games/game.h"

/* Decisions between two looks at the clock. */
#define CLOCK_EVERY 4096
/* Copies of games are measured for this part of a row's time. */
#define COPY_SHARE 20

struct runner {
	struct game_setup setup;
	struct game game, copy;
	struct chance chance;
	struct legal legal[SEATS_MAX]; /* legal lists of the seats asked */
	struct events events;
	char redacted[EVENTS_BYTES];
	uint32_t state; /* state of the bots' random numbers */
	uint64_t deals;
	uint64_t redacted_bytes; /* keeps the compiler from removing the work */
};

/* Returns the seats of a row; 2 for a game for two. */
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

/* Writes the last events as every seat sees them. */
static void
redact(struct runner *runner)
{
	const char *line = runner->events.text, *lf;
	const char *end = line + runner->events.used;

	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		for (unsigned seat = 0; seat < runner->setup.seats; seat++)
			runner->redacted_bytes += (uint64_t)hidden_redact(
				line, (size_t)(lf - line), (int)seat,
				runner->redacted);
	}
}

static void
tell(struct runner *runner)
{
	if (runner->events.wanted)
		redact(runner);
	events_clear(&runner->events);
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
	tell(runner);
}

/* Picks an entry of the seat's legal list, and an integer if it is a range. */
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
	if (runner->game.decision.kind == DECISION_SINGLE)
		decide_single(runner);
	else
		decide_open(runner);
	tell(runner);
}

/* The results of a row. */
struct row {
	double rate;	 /* decisions a second */
	double per_game; /* decisions in a game */
	double copy_ns;	 /* time of game_copy() without text */
};

/* Returns the processor time of this process, so that other work on the machine
 * is not measured. */
static uint64_t
processor_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void
measure_play(struct runner *runner, bool text, double seconds, struct row *row)
{
	uint64_t start, end, decisions = 0;

	runner->events.wanted = text;
	events_clear(&runner->events);
	runner->deals = 0;
	begin(runner);
	start = end = processor_us();
	while ((double)(end - start) < seconds * 1e6) {
		for (unsigned i = 0; i < CLOCK_EVERY; i++)
			decide(runner);
		decisions += CLOCK_EVERY;
		end = processor_us();
	}
	row->rate = (double)decisions * 1e6 / (double)(end - start);
	row->per_game = (double)decisions / (double)runner->deals;
}

/* Measures copies of a running game, there and back. */
static void
measure_copy(struct runner *runner, double seconds, struct row *row)
{
	uint64_t start, end, copies = 0;

	start = end = processor_us();
	while ((double)(end - start) < seconds * 1e6) {
		for (unsigned i = 0; i < CLOCK_EVERY; i += 2) {
			game_copy(&runner->copy, &runner->game);
			game_copy(&runner->game, &runner->copy);
		}
		copies += CLOCK_EVERY;
		end = processor_us();
	}
	row->copy_ns = (double)(end - start) * 1e3 / (double)copies;
}

static void
print_row(const struct game_setup *setup, bool text, const struct row *row,
	  bool json)
{
	const struct game_rules *rules = setup->rules;
	json_t *object;

	if (!json) {
		printf("%-16s %5u  %-4s %12.0f %7.0f %11u %8.1f\n", rules->name,
		       setup->seats, text ? "yes" : "no", row->rate,
		       row->per_game, rules->state_bytes, row->copy_ns);
		return;
	}
	object = JSON_OBJECT(TEXT("bench", "engine"), TEXT("game", rules->name),
			     INT("seats", setup->seats), BOOL("text", text),
			     REAL("decisions_per_s", row->rate),
			     REAL("decisions_per_game", row->per_game),
			     INT("state_bytes", rules->state_bytes),
			     REAL("copy_ns", row->copy_ns));
	print_json_line(object, 8);
}

int
bench_engine(const struct bench *bench)
{
	static struct runner runner;
	const struct game_rules *const *rules;
	struct row row;

	if (!bench->json)
		printf("engines: random play, seconds of one processor\n%-16s "
		       "%5s  %-4s %12s "
		       "%7s %11s %8s\n",
		       "game", "seats", "text", "decisions/s", "a game",
		       "state bytes", "copy/ns");
	for (rules = games; *rules != NULL; rules++) {
		game_setup_init(&runner.setup, *rules, row_seats(*rules));
		runner.state = 2463534242;
		for (unsigned text = 0; text < 2; text++) {
			measure_play(&runner, text, bench->seconds, &row);
			measure_copy(&runner, bench->seconds / COPY_SHARE,
				     &row);
			print_row(&runner.setup, text, &row, bench->json);
		}
	}
	return finish_output();
}
