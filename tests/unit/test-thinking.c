/* tests/unit/test-thinking.c - thinking bots use many different deals.
 *
 * Both programs of sample-bots/strong think about random games with any number
 * of seats.  The test intercepts the deals of game_resample() and the draws of
 * the engines (by the linker's --wrap): among the playouts about as many deals
 * must differ as in plain calls of game_resample(), and each playout must
 * continue with other draws. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int thinker_main(int argc, char **argv);
#define main thinker_main
#include "sample-bots/strong/thinker.c"
#undef main
#include "sample-bots/strong/search.h"
#include "tests/unit/play.h"

#define PLAYOUTS 100
#define POSITIONS 6 /* of each number of seats */
#define AMONG 8	    /* draws among at least this many pieces count */
#define DRAWS 4	    /* counted draws of a playout, the first ones */

static const struct kind {
	const char *game, *options;
} kinds[] = {
	{ "daumen-drauf", "games=2" },	 { "daupun", "rounds=9" },
	{ "doubles-dread", "rounds=3" }, { "durnius", "games=3" },
	{ "toepen", "points=9" },
};

/* Counts how many different numbers there were. */
struct tally {
	unsigned all, different;
	uint64_t number[PLAYOUTS];
};

static struct tally deals, continuations;
static bool watching;
static uint64_t drawn; /* draws of this playout */
static unsigned draws_made;

static void
note(struct tally *tally, uint64_t number)
{
	unsigned i;

	cr_assert_lt(tally->all, PLAYOUTS);
	tally->all++;
	for (i = 0; i < tally->different; i++)
		if (tally->number[i] == number)
			return;
	tally->number[tally->different++] = number;
}

static void
note_draws(void)
{
	if (draws_made == DRAWS)
		note(&continuations, drawn);
	draws_made = 0;
	drawn = 0;
}

/* Returns all that is hidden, as a number. */
static uint64_t
deal_of(const struct game *game)
{
	unsigned char hash[crypto_generichash_BYTES];
	uint8_t hidden[HIDDEN_MAX];
	unsigned n = game_hidden(game, hidden);
	uint64_t number;

	crypto_generichash(hash, sizeof(hash), hidden, n, NULL, 0);
	memcpy(&number, hash, sizeof(number));
	return number;
}

/* ---- what is watched -------------------------------------------------- */

void __real_game_resample(struct game *game, int viewer, struct draws *draws);
void __wrap_game_resample(struct game *game, int viewer, struct draws *draws);
unsigned __real_chance_card(struct chance *where, const struct events *ev,
			    card_set from, const struct deck *deck);
unsigned __wrap_chance_card(struct chance *where, const struct events *ev,
			    card_set from, const struct deck *deck);
unsigned __real_chance_two_decks(struct chance *where, const struct events *ev,
				 card_set from, card_set twice,
				 const struct deck *deck);
unsigned __wrap_chance_two_decks(struct chance *where, const struct events *ev,
				 card_set from, card_set twice,
				 const struct deck *deck);

void
__wrap_game_resample(struct game *game, int viewer, struct draws *draws)
{
	__real_game_resample(game, viewer, draws);
	if (!watching)
		return;
	note_draws();
	note(&deals, deal_of(game));
}

/* Notes the rank of the drawn piece among the possible ones, so that another
 * deal alone does not look like another draw. */
static void
note_card(card_set from, unsigned card)
{
	card_set lower = from & (((card_set)1 << card) - 1);

	if (watching && draws_made < DRAWS && cards_count(from) >= AMONG) {
		drawn = drawn * 64 + cards_count(lower);
		draws_made++;
	}
}

unsigned
__wrap_chance_card(struct chance *where, const struct events *ev, card_set from,
		   const struct deck *deck)
{
	unsigned card = __real_chance_card(where, ev, from, deck);

	note_card(from, card);
	return card;
}

unsigned
__wrap_chance_two_decks(struct chance *where, const struct events *ev,
			card_set from, card_set twice, const struct deck *deck)
{
	unsigned card = __real_chance_two_decks(where, ev, from, twice, deck);

	note_card(from, card);
	return card;
}

/* ---- the bots --------------------------------------------------------- */

/* Sets up the follower as if it had followed up to here. */
static void
followed(const struct game *game, unsigned seat, unsigned char first)
{
	const unsigned char seed[DRAWS_SEED_BYTES] = { first };

	follow_begin(&follow, &game->setup, 3, (int)seat, seed);
	follow.sample.game = *game;
}

static void
search(const struct game *game, unsigned seat)
{
	struct search_limits limits = { .playouts = PLAYOUTS };
	struct search search;

	followed(game, seat, 3);
	search_init(&search);
	search_move(&search, &follow, limits);
	search_release(&search);
}

static void
think(const struct game *game, unsigned seat)
{
	struct legal list;
	unsigned i;

	followed(game, seat, 4);
	chance_drawn(&chance, &follow.draws);
	game_legal(game, seat, &list);
	list.move[0].top = list.move[0].n;
	for (i = 0; i < PLAYOUTS; i++)
		play_out(seat, list.move[0]);
}

/* Returns how many different deals as many resamplings of this game have at best. */
static unsigned
dealt_at_best(const struct game *game, unsigned seat)
{
	static const unsigned char seed[DRAWS_SEED_BYTES] = { 5 };
	struct tally best = { 0 };
	struct draws draws;
	struct game other;
	unsigned i;

	draws_seed(&draws, seed);
	for (i = 0; i < PLAYOUTS; i++) {
		game_copy(&other, game);
		game_resample(&other, (int)seat, &draws);
		note(&best, deal_of(&other));
	}
	return best.different;
}

/* ---- the positions ---------------------------------------------------- */

/* A game after some moves, in its middle, where a seat has a choice; returns
 * the seat. */
static unsigned
position(const struct game_setup *setup, uint64_t seed, struct game *game)
{
	struct chance dealt;
	struct events ev = { .wanted = false };
	struct dice dice = { seed };
	struct legal list;
	unsigned moves = (unsigned)seed % 7, seat;

	play_seeded(game, setup, seed, &dealt, &ev);
	for (;;) {
		if (game_is_over(game))
			play_seeded(game, setup, ++seed, &dealt, &ev);
		seat = game->decision.seat[0];
		game_legal(game, seat, &list);
		if (moves == 0 && list.count > 1)
			return seat;
		play_random(game, &dice, &dealt, &ev);
		moves -= moves > 0;
	}
}

struct sums {
	unsigned deals, best, playouts, continuations, continued;
};

static void
look(const struct game *game, unsigned seat,
     void (*thinks)(const struct game *game, unsigned seat), struct sums *sums)
{
	memset(&deals, 0, sizeof(deals));
	memset(&continuations, 0, sizeof(continuations));
	draws_made = 0;
	watching = true;
	thinks(game, seat);
	note_draws();
	watching = false;
	sums->playouts += deals.all;
	sums->deals += deals.different;
	sums->continued += continuations.all;
	sums->continuations += continuations.different;
	if (deals.all > 0) /* a search with one move makes none */
		sums->best += dealt_at_best(game, seat);
}

static void
sees_many(const char *who,
	  void (*thinks)(const struct game *game, unsigned seat))
{
	struct game_setup setup;
	struct game game;
	unsigned i, seats, k, seat;

	for (i = 0; i < NELEM(kinds); i++) {
		const struct game_rules *rules = game_find(kinds[i].game);

		for (seats = rules->min_seats; seats <= rules->max_seats;
		     seats++) {
			struct sums sums = { 0 };

			play_setup(&setup, rules->name, seats,
				   kinds[i].options);
			for (k = 0; k < POSITIONS; k++) {
				seat = position(&setup, k * 7 + k, &game);
				look(&game, seat, thinks, &sums);
			}
			printf("# %s, %s, %u seats: %u playouts, %u deals of "
			       "%u, %u continuations of %u\n",
			       who, rules->name, seats, sums.playouts,
			       sums.deals, sums.best, sums.continuations,
			       sums.continued);
			cr_expect_gt(sums.continued, 0);
			cr_expect_geq(sums.deals * 10, sums.best * 9,
				      "%s, %s, %u seats: %u deals, not %u", who,
				      rules->name, seats, sums.deals,
				      sums.best);
			cr_expect_geq(sums.continuations * 10,
				      sums.continued * 9,
				      "%s, %s, %u seats: %u of %u playouts "
				      "go on by other draws",
				      who, rules->name, seats,
				      sums.continuations, sums.continued);
		}
	}
}

/* ---- for how long ------------------------------------------------------ */

/* Returns the number of playouts at a position of Toepen. */
static unsigned
playouts_within(struct search_limits limits)
{
	struct game_setup setup;
	struct search search;
	struct game game;
	unsigned seat;

	play_setup(&setup, "toepen", 4, "");
	seat = position(&setup, 1, &game);
	followed(&game, seat, 6);
	search_init(&search);
	search_move(&search, &follow, limits);
	search_release(&search);
	return search.playouts;
}

/* The processor time or the clock ends a search, whichever is earlier. */
Test(thinking, a_search_ends_in_time)
{
	struct search_limits limits = { .think_us = 20000 };
	clock_t before = clock(), spent; /* luck: it must spend as much */

	playouts_within(limits);
	spent = clock() - before; /* luck: the same */
	cr_assert_geq(spent, CLOCKS_PER_SEC / 50);

	limits.think_us = 60000000;
	limits.until_us = 1;
	cr_assert_leq(playouts_within(limits), 8);
}

Test(thinking, the_strong_bot_sees_many_deals)
{
	sees_many("strong-bot", search);
}

Test(thinking, the_example_sees_many_deals)
{
	sees_many("thinker", think);
}
