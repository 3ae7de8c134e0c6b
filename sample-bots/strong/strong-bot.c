/* strong-bot.c - plays every game by thinking ahead.
 *
 * It follows the game by its own lines (follow.h) and searches for each answer
 * (search.h) as long as its time allows.  Options, before those of the kit:
 *
 *	--think MS	at most so much processor time for an answer (1000), so
 *			that it plays alike on a machine that has much to do
 *	--playouts N	so many playouts for each answer, whatever the time
 *	--seed TEXT	the dice; with --playouts, the same game is played the
 *			same way (else: the game's ID)
 *	--strict	leave when a line or an ask is not understood, where
 *			otherwise house moves are made; for tests
 *	--verbose	tell on standard error how many playouts there were */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee-bot.h"
#include "follow.h"
#include "search.h"

#define MARGIN_US 3000	/* to answer */
#define BANK_SHARE 20	/* of the bank, for one answer */
#define TOTAL_SHARE 100 /* of the rest of the total time, for one answer */

struct strong {
	unsigned think_ms, playouts;
	uint64_t spent_us; /* in this game */
	const char *seed;
	bool strict, verbose;
	bool follows; /* `follow` is in use */
	struct follow follow;
	struct search search;
	bool searches;
};

/* Gives up following the game after something that should not be: from now on the bot
 * makes house moves. */
static void
give_up(struct strong *strong, const char *what, const char *line)
{
	fprintf(stderr, "strong-bot: %s%s\n", what, line);
	strong->follows = false;
	if (strong->strict)
		exit(1);
}

/* ---- the game --------------------------------------------------------- */

static bool
set_up(const struct bot_game *game, struct game_setup *setup)
{
	const struct game_rules *rules = game_find(game->name);
	char why[SENTENCE_BYTES];
	const char *value;
	unsigned i;

	if (!rules)
		return false;
	game_setup_init(setup, rules, game->seats);
	if (game_setup_seats(setup, why) != 0)
		return false;
	for (i = 0; rules->options[i].name; i++) {
		value = bot_option(game, rules->options[i].name);
		if (value && game_setup_option(setup, rules->options[i].name,
					       value, why) != 0)
			return false;
	}
	return game_setup_check(setup, why) == 0;
}

/* Makes a seed from the option, or the game's ID; and the seat. */
static void
make_seed(const struct strong *strong, const struct bot_game *game,
	  unsigned char seed[DRAWS_SEED_BYTES])
{
	const char *text = strong->seed ? strong->seed : game->id;
	unsigned char seat = (unsigned char)game->seat;
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, DRAWS_SEED_BYTES);
	crypto_generichash_update(&state, &seat, 1);
	crypto_generichash_update(&state, (const unsigned char *)text,
				  strlen(text));
	crypto_generichash_final(&state, seed, DRAWS_SEED_BYTES);
}

static void
start(void *own, struct bot_game *game)
{
	unsigned char seed[DRAWS_SEED_BYTES];
	struct strong *strong = own;
	struct game_setup setup;

	strong->spent_us = 0;
	strong->follows = set_up(game, &setup);
	if (!strong->follows) {
		give_up(strong, "a game that I do not know: ", game->name);
		return;
	}
	make_seed(strong, game, seed);
	follow_release(&strong->follow); /* of the game before */
	follow_begin(
		&strong->follow, &setup,
		(unsigned)bot_option_number(game, "faults", FAULTS_DEFAULT),
		(int)game->seat, seed);
	if (strong->searches)
		search_release(&strong->search);
	search_init(&strong->search);
	strong->searches = true;
}

static void
event(void *own, struct bot_game *game, unsigned words, char *const word[])
{
	char line[BOT_LINE_BYTES + 1];
	struct strong *strong = own;
	size_t used = 0, n;
	unsigned i;

	(void)game;
	if (!strong->follows)
		return;
	for (i = 0; i < words; i++) {
		n = strlen(word[i]);
		if (used > 0)
			line[used++] = ' ';
		memcpy(line + used, word[i], n);
		used += n;
	}
	line[used] = '\0';
	if (follow_line(&strong->follow, line, used) != 0)
		give_up(strong, "what came before cannot be: ", line);
}

/* ---- an answer -------------------------------------------------------- */

/* Returns the microseconds that are left for the whole game, as far as is known. */
static uint64_t
left(const struct strong *strong, struct bot_game *game)
{
	long total = bot_option_number(game, "total", 0);

	if (total <= 0)
		return UINT64_MAX;
	if (strong->spent_us >= (uint64_t)total * 1000)
		return 0;
	return (uint64_t)total * 1000 - strong->spent_us;
}

/* Returns the time for a move, and a little of the bank and of what is left for the
 * game; never nearly all there is. */
static uint64_t
safe_time(const struct strong *strong, struct bot_game *game,
	  const struct bot_ask *ask)
{
	uint64_t all = (uint64_t)ask->ms * 1000;
	uint64_t time = (uint64_t)bot_option_number(game, "time", 1000) * 1000;
	uint64_t safe;

	if (time > all)
		time = all;
	safe = time / 2 + (all - time) / BANK_SHARE;
	if (safe > left(strong, game) / TOTAL_SHARE)
		safe = left(strong, game) / TOTAL_SHARE;
	return safe > MARGIN_US ? safe - MARGIN_US : 0;
}

/* Returns the number of a range and which entry of the ask it is; entry 0, the house
 * move, if there is none. */
static struct bot_answer
find_answer(const struct legal *legal, struct move move)
{
	struct bot_answer answer = { 0, 0 };
	unsigned i;

	for (i = 0; i < legal->count; i++) {
		const struct move *entry = &legal->move[i];

		if (entry->verb == move.verb &&
		    entry->piece[0] == move.piece[0] &&
		    entry->piece[1] == move.piece[1] && move.n >= entry->n &&
		    move.n <= entry->top) {
			answer.move = i;
			answer.number = (uint32_t)move.n;
		}
	}
	return answer;
}

static struct bot_answer
choose(void *own, struct bot_game *game, const struct bot_ask *ask)
{
	struct bot_answer answer = { 0, 0 };
	struct strong *strong = own;
	struct search_limits limits = { .playouts = strong->playouts };
	uint64_t now = search_clock();
	static struct legal legal;
	struct move move;

	if (!strong->follows)
		return answer;
	if (follow_settle(&strong->follow) != 0 ||
	    !(strong->follow.sample.game.decision.asked >> game->seat & 1)) {
		give_up(strong, "an ask that cannot be", "");
		return answer;
	}
	game_legal(&strong->follow.sample.game, game->seat, &legal);
	if (legal.count != ask->moves) {
		give_up(strong, "asked for other moves", "");
		return answer;
	}
	if (!limits.playouts) {
		limits.think_us = (uint64_t)strong->think_ms * 1000;
		limits.until_us = now + safe_time(strong, game, ask);
	}
	move = search_move(&strong->search, &strong->follow, limits);
	strong->spent_us += search_clock() - now;
	if (strong->verbose)
		fprintf(stderr, "%u playouts in %llu us\n",
			strong->search.playouts,
			(unsigned long long)(search_clock() - now));
	return find_answer(&legal, move);
}

/* ---- arguments -------------------------------------------------------- */

static int
usage(const char *why, const char *what)
{
	fprintf(stderr,
		"strong-bot: %s%s\nusage: strong-bot [--think MS] "
		"[--playouts N] [--seed TEXT] [--strict] [--verbose] "
		"[--connect ...]\n",
		why, what);
	return 2;
}

static bool
read_count(const char *text, unsigned *number)
{
	char *end;
	unsigned long value;

	if (!text || *text < '0' || *text > '9')
		return false;
	value = strtoul(text, &end, 10);
	*number = (unsigned)value;
	return *end == '\0' && value >= 1 && value <= 1000000000;
}

static int
read_options(struct strong *strong, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--connect") != 0; i++) {
		if (strcmp(argv[i], "--verbose") == 0) {
			strong->verbose = true;
		} else if (strcmp(argv[i], "--strict") == 0) {
			strong->strict = true;
		} else if (strcmp(argv[i], "--think") == 0) {
			if (!read_count(argv[++i], &strong->think_ms))
				return usage("--think wants milliseconds", "");
		} else if (strcmp(argv[i], "--playouts") == 0) {
			if (!read_count(argv[++i], &strong->playouts))
				return usage("--playouts wants a number", "");
		} else if (strcmp(argv[i], "--seed") == 0 && argv[i + 1]) {
			strong->seed = argv[++i];
		} else {
			return usage("what is ", argv[i]);
		}
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static struct strong strong = { .think_ms = 1000 };
	static const struct bot bot = { .start = start,
					.event = event,
					.choose = choose };
	int status;

	if (read_options(&strong, argc, argv) != 0)
		return 2;
	if (sodium_init() < 0)
		return 1;
	status = bot_main(argc, argv, &bot, &strong);
	follow_release(&strong.follow);
	return status;
}
