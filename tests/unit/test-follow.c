/* tests/unit/test-follow.c - follows a game by the lines of one viewer, in
 * random games of random settings with faults.  A follower for each seat and
 * one for the public read what their viewer is sent, and after every step each
 * must have a game in which the same seats are asked, its own with the same
 * list in the same order, the round could have been played (retell.h: told
 * again from the guessed deal it is the same for the viewer), and the score is
 * the same.  The same must hold for each other deal that it makes, in every
 * second game by the lines alone, as if the game had no methods for that.  There a
 * search may find no deal, which must be rare. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "sample-bots/strong/follow.h"
#include "tests/unit/retell.h"
#include "tests/unit/rounds.h"
#include "tests/unit/settings.h"

#define VIEWERS (SEATS_MAX + 1) /* the public is the last one */
#define NO_RETIRING 100000
#define LISTED_MAX 64

static struct tale tale;
static struct follow follow[VIEWERS], again;
static unsigned long steps, guesses;
static char what[64 + SETTINGS_TEXT];
static struct game_rules bare; /* a game without `resample` and `hidden` */
static unsigned gone;	       /* set of followers of `bare` that gave up */
static unsigned long alone, gave_up; /* followers of `bare` in all games */

static int
viewer_of(unsigned i)
{
	return i < tale.game.setup.seats ? (int)i : VIEW_PUBLIC;
}

static void
give_up(unsigned i, const char *lines)
{
	cr_assert_eq(follow[i].sample.game.setup.rules, &bare,
		     "%s: viewer %d cannot follow `%s`", what, viewer_of(i),
		     lines);
	gone |= 1u << i;
	gave_up++;
}

static void
tell(const char *line)
{
	char view[LINE_REFEREE_BYTES + 1];
	unsigned i;

	for (i = 0; i <= tale.game.setup.seats; i++) {
		tale_view(line, strlen(line), viewer_of(i), view);
		if (!(gone >> i & 1) &&
		    follow_line(&follow[i], view, strlen(view)) != 0)
			give_up(i, view);
	}
}

static void
tell_step(void)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	while (play_next_line(&tale.ev, &at, line))
		tell(line);
}

/* ---- what a follower has ---------------------------------------------- */

static void
asked_the_same(const struct game *game, int viewer)
{
	struct legal one, two;

	cr_assert_eq(memcmp(&game->decision, &tale.game.decision,
			    sizeof(game->decision)),
		     0, "%s: viewer %d sees another decision", what, viewer);
	if (viewer < 0 || !(game->decision.asked >> viewer & 1))
		return;
	game_legal(&tale.game, (unsigned)viewer, &one);
	game_legal(game, (unsigned)viewer, &two);
	cr_assert(one.count == two.count &&
			  memcmp(one.move, two.move,
				 one.count * sizeof(one.move[0])) == 0,
		  "%s: viewer %d is asked something else", what, viewer);
}

static void
stands_the_same(const struct game *game)
{
	long one[SEATS_MAX] = { 0 }, two[SEATS_MAX] = { 0 };

	cr_assert_eq(game_standing(game, one), game_standing(&tale.game, two));
	cr_assert_eq(memcmp(one, two, sizeof(one)), 0);
}

static void
is_possible(struct game *game, int viewer)
{
	const char *why;

	asked_the_same(game, viewer);
	if (!tale.game.setup.rules->hidden)
		return; /* its deal cannot be retold */
	game->setup.rules = tale.game.setup.rules;
	why = retell_check(&tale, game, viewer);
	cr_assert_null(why, "%s, viewer %d: %s", what, viewer, why);
}

static void
look(bool deep)
{
	static struct game game;
	unsigned i;

	for (i = 0; i <= tale.game.setup.seats; i++) {
		if (gone >> i & 1)
			continue;
		if (follow_settle(&follow[i]) != 0) {
			give_up(i, tale.ev.text);
			continue;
		}
		asked_the_same(&follow[i].sample.game, viewer_of(i));
		stands_the_same(&follow[i].sample.game);
		guesses++;
		if (!deep || tale.too_long || game_is_over(&tale.game))
			continue; /* a finished round need not be possible */
		game = follow[i].sample.game;
		is_possible(&game, viewer_of(i));
		follow_deal(&follow[i], &game);
		is_possible(&game, viewer_of(i));
	}
	steps++;
}

/* ---- random games ----------------------------------------------------- */

static void
follow_all(const struct game_setup *setup, unsigned faults, uint64_t number)
{
	unsigned char seed[DRAWS_SEED_BYTES] = { (unsigned char)number };
	struct game_setup other = *setup;
	unsigned i;

	bare = *setup->rules;
	bare.resample = NULL;
	bare.hidden = NULL;
	gone = 0;
	if (number & 1) {
		other.rules = &bare;
		alone += setup->seats + 1;
	}
	for (i = 0; i <= setup->seats; i++) {
		seed[1] = (unsigned char)i;
		follow_begin(&follow[i], &other, faults,
			     i < setup->seats ? (int)i : VIEW_PUBLIC, seed);
	}
}

/* Sends the faults before a step: of the seat whose move was forced, unless it
 * is retired, and now and then of another seat. */
static void
tell_faults(unsigned told[SEATS_MAX], unsigned faults, unsigned asked)
{
	const struct tale_step *step = &tale.step[tale.steps - 1];
	unsigned seat;
	char line[32];

	for (seat = 0; seat < tale.game.setup.seats; seat++) {
		if (!(asked >> seat & 1) || told[seat] == faults)
			continue;
		if ((int)seat == step->seat
			    ? !step->move.forced
			    : faults != NO_RETIRING ||
				      dice_below(&tale.dice, 20) > 0)
			continue;
		told[seat]++;
		snprintf(line, sizeof(line), "fault %u illegal", seat);
		tell(line);
	}
}

static void
play_and_follow(const struct game_setup *setup, uint64_t seed)
{
	static const unsigned forced[] = { 0, 10, 2, 1 };
	static const unsigned quiet[] = { 0, 5, 9 };
	unsigned told[SEATS_MAX] = { 0 }, faults = NO_RETIRING, asked;

	tale.forced = forced[seed % NELEM(forced)];
	tale.quiet = quiet[seed / NELEM(forced) % NELEM(quiet)];
	tale.patience = seed & 1 ? 3 : 0;
	if (tale.forced == 1) /* everybody is retired soon */
		faults = 2;
	follow_all(setup, faults, seed);
	tale_begin(&tale, setup, seed);
	tell_step();
	look(true);
	while (!game_is_over(&tale.game)) {
		asked = tale.game.decision.asked;
		tale_go_on(&tale);
		if (tale.too_long)
			return;
		tell_faults(told, faults, asked);
		tell_step();
		if (dice_below(&tale.dice, 4) > 0)
			look(dice_below(&tale.dice, 8) == 0);
	}
	look(false);
}

/* Plays games of random settings, for about this many steps. */
static void
games_of(const struct game_rules *rules, unsigned long enough)
{
	unsigned long settings = settings_count(rules), done = 0;
	struct dice dice = { .state = 99 };
	struct game_setup setup;
	char text[SETTINGS_TEXT];

	while (steps < enough) {
		if (!settings_nth(rules, dice_below(&dice, (unsigned)settings),
				  &setup))
			continue;
		settings_text(&setup, text);
		snprintf(what, sizeof(what), "%s, %u seats, %s, game %lu",
			 rules->name, setup.seats, text, done);
		play_and_follow(&setup, done++);
	}
	printf("# %s: %lu games, %lu steps, %lu guesses; %lu of %lu gave up\n",
	       rules->name, done, steps, guesses, gave_up, alone);
	cr_assert_leq(gave_up, alone / 20);
}

/* Each game of the table has a number, so that they run in parallel. */
ParameterizedTestParameters(follow, every_game)
{
	static unsigned number[LISTED_MAX];
	size_t n;

	for (n = 0; games[n]; n++)
		number[n] = (unsigned)n;
	return cr_make_param_array(unsigned, number, n);
}

ParameterizedTest(const unsigned *number, follow, every_game)
{
	games_of(games[*number], check_rounds(300, 20000));
}

/* ---- the lines, and nothing else --------------------------------------- */

/* Two followers with the same seed and lines have the same game; with another
 * seed a different one. */
static bool
guesses_alike(unsigned char seed)
{
	static const char *const lines[] = { "round 1 0", "deal 1 ? ? ? ?",
					     "deal 0 7H 8H 9H TH",
					     "move 1 play:JC", "trick 1" };
	struct game_setup setup;
	unsigned char key[DRAWS_SEED_BYTES] = { 0 };
	unsigned i;

	play_setup(&setup, "toepen", 2, "");
	follow_begin(&follow[0], &setup, 3, 0, key);
	key[0] = seed;
	follow_begin(&again, &setup, 3, 0, key);
	for (i = 0; i < 4; i++) {
		cr_assert_eq(
			follow_line(&follow[0], lines[i], strlen(lines[i])), 0);
		cr_assert_eq(follow_line(&again, lines[i], strlen(lines[i])),
			     0);
	}
	cr_assert_eq(follow_settle(&follow[0]), 0);
	cr_assert_eq(follow_settle(&again), 0);
	return play_same(&follow[0].sample.game, &again.sample.game);
}

Test(follow, same_seed_same_guess)
{
	cr_assert(guesses_alike(0));
	cr_assert(!guesses_alike(1));
}

/* Returns true if the follower rejects this line for good. */
static bool
is_lost(const char *line)
{
	struct game_setup setup;
	unsigned char key[DRAWS_SEED_BYTES] = { 0 };

	play_setup(&setup, "toepen", 2, "");
	follow_begin(&again, &setup, 3, 0, key);
	cr_assert_eq(follow_settle(&again), -1, "settled before it began");
	cr_assert_eq(follow_line(&again, "round 1 0", 9), 0);
	cr_assert_eq(follow_line(&again, "deal 1 ? ? ? ?", 14), 0);
	cr_assert_eq(follow_line(&again, "deal 0 7H 8H 9H TH", 18), 0);
	cr_assert_eq(follow_line(&again, "ask 1 10000 pass", 16), 0);
	cr_assert_eq(follow_settle(&again), 0);
	cr_assert_eq(follow_line(&again, line, strlen(line)), 0);
	if (follow_settle(&again) == 0)
		return false;
	cr_assert_eq(follow_line(&again, "quiet", 5), -1);
	cr_assert_eq(follow_settle(&again), -1);
	return true;
}

Test(follow, impossible_lines)
{
	cr_assert(is_lost("move 1 play:7H")); /* ours */
	cr_assert(is_lost("move 1 play:XX"));
	cr_assert(is_lost("move 3 play:JC"));
	cr_assert(is_lost("quiet"));
	cr_assert(is_lost("round 2 0"));
	cr_assert(!is_lost("move 1 play:JC"));
}
