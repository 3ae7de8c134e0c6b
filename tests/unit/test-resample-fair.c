/* tests/unit/test-resample-fair.c - game_resample() deals each possible deal
 * with its probability.
 *
 * Three tests at random moments of random games:
 *
 * varies: if another deal is possible (two pieces change places, and the round
 *   can still be told), its difference must turn up sooner or later.
 *
 * fair: what the viewer cannot know is shuffled by brute force until the round
 *   can be told with it, many times; each place must hold each piece as often
 *   as after as many calls of game_resample(), apart from chance; so must the
 *   order of any two places.
 *
 * sampled: late in a round, where brute force takes too long, the deals of
 *   game_resample(), which uses the game, must agree with those of
 *   sample_walk(), which uses only the lines. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sample-bots/strong/sample.h"
#include "tests/unit/retell.h"
#include "tests/unit/rounds.h"

#define PIECES 64
#define TURN_UP 500 /* resamples in which another deal must turn up */
#define SAMPLES check_rounds(1000, 1500) /* deals of each kind to compare */
#define PROBE 300 /* shuffles that decide if a moment is worth it */
/* The least (fewer take long) and the most possible ones among them. */
#define PROBE_GOOD check_rounds(12, 3)
#define PROBE_LESS 90
#define TOO_FAR 5.5 /* standard deviations */
#define LATE 10	    /* steps of a round */
#define WALKS 60    /* deals to compare there */

static const struct kind {
	const char *game;
	unsigned seats;
	const char *options;
	unsigned pieces, copies; /* the deck: number of its lowest pieces,
				  * copies of each */
} kinds[] = {
	{ "daumen-drauf", 2, "games=1", 24, 1 },
	{ "daumen-drauf", 3, "games=2", 30, 1 },
	{ "daumen-drauf", 5, "games=1", 42, 1 },
	{ "daupun", 2, "rounds=3", 40, 1 },
	{ "doubles-dread", 4, "rounds=2", 32, 1 },
	{ "durnius", 2, "", 36, 1 },
	{ "durnius", 2, "decks=2", 36, 2 },
	{ "durnius", 3, "decks=2 passing=yes travel=yes", 36, 2 },
	{ "durnius", 4, "passing=yes", 36, 1 },
	{ "durnius", 6, "teams=pairs", 36, 1 },
	{ "durnius", 6, "decks=2", 36, 2 },
	{ "toepen", 2, "points=1", 32, 1 },
	{ "toepen", 3, "points=3", 32, 1 },
	{ "toepen", 5, "points=3", 32, 1 },
};

static struct tale tale;
static struct draws draws;
static struct hidden_row row;

/* Returns the number of tries, which is larger in the long form. */
static unsigned long
times(void)
{
	return check_rounds(1, 50);
}

static bool
is_read(unsigned i)
{
	return row.alike[i] == (card_set)1 << row.piece[i];
}

/* Resamples a copy of the tale's game; writes what is hidden now. */
static void
resampled(int viewer, uint8_t piece[HIDDEN_MAX])
{
	static struct game game;

	game_copy(&game, &tale.game);
	game_resample(&game, viewer, &draws);
	cr_assert_eq(game_hidden(&game, piece), row.count);
}

/* Begins a random game of this kind; some have many faults. */
static void
begin(const struct kind *kind, uint64_t seed)
{
	static const unsigned forced[] = { 1, 2, 0, 3 };
	static const unsigned quiet[] = { 0, 5, 9 };
	unsigned char bytes[DRAWS_SEED_BYTES] = { 7 };
	struct game_setup setup;

	draws_seed(&draws, bytes);
	play_setup(&setup, kind->game, kind->seats, kind->options);
	tale.forced = forced[seed % NELEM(forced)];
	tale.quiet = quiet[seed / NELEM(forced) % NELEM(quiet)];
	tale_begin(&tale, &setup, seed);
}

static int
random_viewer(void)
{
	return (int)dice_below(&tale.dice, tale.game.setup.seats + 1u) - 1;
}

/* ---- varies ----------------------------------------------------------- */

/* Exchanges two pieces in everything that the viewer has not read, or only in
 * the drawn part of it. */
static void
exchange(uint8_t hidden[HIDDEN_MAX], unsigned one, unsigned other, bool drawn)
{
	unsigned i;

	for (i = 0; i < row.count; i++) {
		if (is_read(i) || (drawn && row.moved[i]))
			continue;
		if (hidden[i] == one)
			hidden[i] = (uint8_t)other;
		else if (hidden[i] == other)
			hidden[i] = (uint8_t)one;
	}
}

/* Writes one deal that may be possible, too. */
static void
another_deal(const struct kind *kind, uint8_t hidden[HIDDEN_MAX])
{
	unsigned i = dice_below(&tale.dice, row.count), other;
	card_set alike = row.alike[i];

	memcpy(hidden, row.piece, row.count);
	if (row.moved[i])
		other = card_nth(alike,
				 dice_below(&tale.dice, cards_count(alike)));
	else
		other = dice_below(&tale.dice, kind->pieces);
	exchange(hidden, row.piece[i], other,
		 !row.moved[i] && dice_below(&tale.dice, 2));
}

/* Expects each piece that differs in the other deal to turn up sooner or later. */
static void
turns_up(int viewer, const uint8_t other[HIDDEN_MAX])
{
	uint8_t piece[HIDDEN_MAX];
	unsigned tries, i, left = 0;
	bool wanted[HIDDEN_MAX];

	for (i = 0; i < row.count; i++) {
		wanted[i] = other[i] != row.piece[i];
		left += wanted[i];
	}
	for (tries = 0; tries < TURN_UP && left > 0; tries++) {
		resampled(viewer, piece);
		for (i = 0; i < row.count; i++)
			if (wanted[i] && piece[i] != row.piece[i]) {
				wanted[i] = false;
				left--;
			}
	}
	for (i = 0; i < row.count; i++)
		cr_assert(!wanted[i],
			  "%s, viewer %d: hidden piece %u is always %s, though "
			  "%s is possible",
			  tale.game.setup.rules->name, viewer, i,
			  tale.game.setup.rules->deck->name[row.piece[i]],
			  tale.game.setup.rules->deck->name[other[i]]);
}

static unsigned
look_for_another(const struct kind *kind)
{
	int viewer = random_viewer();
	uint8_t other[HIDDEN_MAX];
	unsigned tries, found = 0;

	tale_row(&tale, viewer, &row);
	for (tries = 0; tries < 10 && row.count > 0; tries++) {
		another_deal(kind, other);
		if (memcmp(other, row.piece, row.count) == 0 ||
		    retell(&tale, other, row.count, viewer))
			continue;
		turns_up(viewer, other);
		found++;
	}
	return found;
}

static void
varies(const char *game, unsigned rounds, unsigned enough)
{
	unsigned i, found = 0;
	uint64_t seed;

	for (i = 0; i < NELEM(kinds); i++) {
		if (strcmp(kinds[i].game, game) != 0)
			continue;
		for (seed = 0; seed < rounds * times(); seed++) {
			begin(&kinds[i], seed);
			while (!game_is_over(&tale.game)) {
				if (!tale.too_long &&
				    dice_below(&tale.dice, 8) == 0)
					found += look_for_another(&kinds[i]);
				tale_go_on(&tale);
			}
		}
	}
	printf("# %s: %u other deals turned up\n", game, found);
	cr_assert_gt(found, enough);
}

/* ---- fair: how often what was where ----------------------------------- */

struct counts {
	unsigned deals;
	unsigned piece[HIDDEN_MAX][PIECES];
	unsigned less[HIDDEN_MAX][HIDDEN_MAX];
	unsigned same[HIDDEN_MAX][HIDDEN_MAX];
};

static struct counts shuffled, dealt;
static double sum;     /* sum of the squares of all distances */
static unsigned terms; /* number of distances */

static void
count(struct counts *counts, const uint8_t piece[HIDDEN_MAX])
{
	unsigned i, k;

	counts->deals++;
	for (i = 0; i < row.count; i++) {
		counts->piece[i][piece[i]]++;
		for (k = 0; k < i; k++) {
			counts->less[i][k] += piece[i] < piece[k];
			counts->same[i][k] += piece[i] == piece[k];
		}
	}
}

/* Compares two counts, of one event in each half of the deals: computes their
 * distance in standard deviations. */
static void
compare(unsigned a, unsigned b, const char *what, unsigned i, unsigned k)
{
	double n = shuffled.deals, p = (a + b) / (2 * n), z;

	if (a + b < 20 || a + b > 2 * n - 20)
		return;
	z = ((double)a - b) / sqrt(2 * n * p * (1 - p));
	sum += z * z;
	terms++;
	cr_assert_leq(fabs(z), TOO_FAR,
		      "%s: %s %u %u: %u times when shuffled, %u times when "
		      "resampled, of %u",
		      tale.game.setup.rules->name, what, i, k, a, b,
		      shuffled.deals);
}

static void
compare_all(void)
{
	unsigned i, k;

	for (i = 0; i < row.count; i++) {
		for (k = 0; k < PIECES; k++)
			compare(shuffled.piece[i][k], dealt.piece[i][k],
				"hidden, piece", i, k);
		for (k = 0; k < i; k++) {
			compare(shuffled.less[i][k], dealt.less[i][k], "less",
				i, k);
			compare(shuffled.same[i][k], dealt.same[i][k], "same",
				i, k);
		}
	}
}

/* ---- fair: by brute force --------------------------------------------- */

static uint8_t pool[2 * PIECES]; /* what the viewer has seen nothing of */
static unsigned pool_count;

static void
fill_pool(const struct kind *kind)
{
	unsigned seen[PIECES] = { 0 }, i, n;

	for (i = 0; i < row.count; i++)
		if (is_read(i) && !row.moved[i])
			seen[row.piece[i]]++;
	pool_count = 0;
	for (i = 0; i < kind->pieces; i++)
		for (n = seen[i] + row.face_up[i]; n < kind->copies; n++)
			pool[pool_count++] = (uint8_t)i;
}

/* Draws any deal and any hidden part of a move; returns true if it is possible. */
static bool
shuffle(int viewer, uint8_t hidden[HIDDEN_MAX])
{
	unsigned i, next = 0, pick;
	uint8_t swap;

	for (i = 0; i < row.count; i++) {
		if (is_read(i)) {
			hidden[i] = row.piece[i];
		} else if (row.moved[i]) {
			hidden[i] = (uint8_t)card_nth(
				row.alike[i],
				dice_below(&tale.dice,
					   cards_count(row.alike[i])));
		} else {
			pick = next + dice_below(&tale.dice, pool_count - next);
			swap = pool[pick];
			pool[pick] = pool[next];
			hidden[i] = pool[next++] = swap;
		}
	}
	return retell(&tale, hidden, row.count, viewer) == NULL;
}

/* Returns true if shuffling pays: some shuffles are possible, but not nearly
 * all. */
static bool
pays(int viewer)
{
	uint8_t hidden[HIDDEN_MAX];
	unsigned i, good = 0;

	for (i = 0; i < PROBE; i++)
		good += shuffle(viewer, hidden);
	return good >= PROBE_GOOD && good <= PROBE_LESS;
}

/* Compares one moment of a game; returns how many shuffles it took. */
static unsigned
compare_here(const struct kind *kind, int viewer)
{
	uint8_t hidden[HIDDEN_MAX];
	unsigned shuffles = PROBE;

	tale_row(&tale, viewer, &row);
	fill_pool(kind);
	if (!pays(viewer))
		return shuffles;
	memset(&shuffled, 0, sizeof(shuffled));
	memset(&dealt, 0, sizeof(dealt));
	while (shuffled.deals < SAMPLES) {
		shuffles++;
		if (shuffle(viewer, hidden))
			count(&shuffled, hidden);
	}
	while (dealt.deals < SAMPLES) {
		resampled(viewer, hidden);
		count(&dealt, hidden);
	}
	compare_all();
	return shuffles;
}

/* Compares early in random games, with about this many shuffles of each kind:
 * later it takes too many until a deal is possible. */
static void
fair(const char *game, unsigned long shuffles)
{
	unsigned long done;
	uint64_t seed;
	unsigned i;

	sum = terms = 0;
	for (i = 0; i < NELEM(kinds); i++) {
		if (strcmp(kinds[i].game, game) != 0)
			continue;
		for (seed = done = 0; done < shuffles * times(); seed++) {
			begin(&kinds[i], seed);
			while (!game_is_over(&tale.game) && tale.steps < 30 &&
			       done < shuffles * times()) {
				if (dice_below(&tale.dice, 3) == 0)
					done += compare_here(&kinds[i],
							     random_viewer());
				tale_go_on(&tale);
			}
		}
	}
	printf("# %s: %u frequencies, mean square of the distances %.3f\n",
	       game, terms, sum / terms);
	cr_assert_gt(terms, 300);
	cr_assert_lt(sum / terms, 1.1);
}

/* ---- sampled: by the lines alone -------------------------------------- */

static struct sample sample;

/* Reads the viewer's lines of the last step. */
static void
read_step(int viewer)
{
	static char text[EVENTS_BYTES];
	char line[LINE_REFEREE_BYTES + 1];
	const struct tale_step *step = &tale.step[tale.steps - 1];
	size_t at = 0, used = 0;

	while (play_next_line(&tale.ev, &at, line)) {
		tale_view(line, strlen(line), viewer, text + used);
		used += strlen(text + used);
		text[used++] = '\n';
	}
	cr_assert_eq(sample_step(&sample, text, used, step->move.forced), 0);
}

static void
compare_walk(int viewer, unsigned long walks)
{
	uint8_t hidden[HIDDEN_MAX];
	static struct game game;

	tale_row(&tale, viewer, &row);
	memset(&shuffled, 0, sizeof(shuffled));
	memset(&dealt, 0, sizeof(dealt));
	while (shuffled.deals < walks) {
		sample_walk(&sample, SAMPLE_FRESH * sample.deal.drawn);
		game_copy(&game, &sample.game);
		cr_assert_eq(game_hidden(&game, hidden), row.count);
		count(&shuffled, hidden);
		resampled(viewer, hidden);
		count(&dealt, hidden);
	}
	compare_all();
}

/* Compares this many deals at one late moment of so many games of each kind. */
static void
sampled(const char *game, unsigned rounds, unsigned long walks)
{
	unsigned char seed[DRAWS_SEED_BYTES] = { 9 };
	unsigned i, moment;
	uint64_t number;
	int viewer;

	sum = terms = 0;
	for (i = 0; i < NELEM(kinds); i++) {
		if (strcmp(kinds[i].game, game) != 0)
			continue;
		for (number = 0; number < rounds * times(); number++) {
			begin(&kinds[i], number + 1000);
			viewer = random_viewer();
			sample_begin(&sample, &tale.game.setup, viewer, seed);
			read_step(viewer);
			moment = LATE + dice_below(&tale.dice, LATE);
			while (tale.steps < moment) {
				tale_go_on(&tale);
				if (game_is_over(&tale.game) || tale.too_long)
					break;
				read_step(viewer);
			}
			if (tale.steps == moment && !game_is_over(&tale.game))
				compare_walk(viewer, walks);
		}
	}
	sample_release(&sample);
	printf("# %s: %u frequencies, mean square of the distances %.3f\n",
	       game, terms, sum / terms);
	cr_assert_gt(terms, 100);
	cr_assert_lt(sum / terms, 1.3);
}

/* ---- the games -------------------------------------------------------- */

Test(varies, daumen_drauf)
{
	varies("daumen-drauf", 6, 250);
}

Test(varies, daupun)
{
	varies("daupun", 100, 50);
}

Test(varies, doubles_dread)
{
	varies("doubles-dread", 10, 20);
}

Test(varies, durnius)
{
	varies("durnius", 4, 200);
}

Test(varies, toepen)
{
	varies("toepen", 6, 150);
}

Test(fair, daumen_drauf)
{
	fair("daumen-drauf", 12000);
}

Test(fair, daupun)
{
	fair("daupun", 200000);
}

Test(fair, durnius)
{
	fair("durnius", 12000);
}

Test(fair, toepen)
{
	fair("toepen", 12000);
}

Test(sampled, daumen_drauf)
{
	sampled("daumen-drauf", 1, WALKS);
}

Test(sampled, durnius)
{
	sampled("durnius", 1, check_rounds(40, WALKS));
}

Test(sampled, toepen)
{
	sampled("toepen", 4, WALKS);
}
