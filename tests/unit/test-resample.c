/* tests/unit/test-resample.c - deals again what a viewer cannot know, in
 * random games with faults.
 *
 * At random moments each viewer's game is resampled, and then: the round is
 * retold from the new deal (retell.h); the same draws make the same game from
 * the resampled game as from the true one; and both are played on with the
 * same moves, the viewer reading the same until a line legally shows a
 * difference. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/retell.h"
#include "tests/unit/rounds.h"

#define GOING_ON 60 /* decisions */

static const struct kind {
	const char *game;
	const char *options; /* several, separated by `|` */
	/* The lines that show new information to the viewer: `X` all, `X S`
	 * only those of its own seat. */
	const char *const *shows;
} kinds[] = {
	{ "daumen-drauf", "games=1|games=2|twin=any games=1",
	  (const char *const[]){ "draw S", "open", "take", "pile", "hand",
				 NULL } },
	{ "daupun", "rounds=3|first=cutter rounds=3",
	  (const char *const[]){ "draw S", "show", NULL } },
	{ "doubles-dread", "rounds=1|magic=12 rounds=2",
	  (const char *const[]){ "back", NULL } },
	{ "durnius",
	  "|decks=2|passing=yes travel=yes decks=2|"
	  "passing=yes adding=defended games=2 start=right scoring=order "
	  "epaulettes=mark|"
	  "dealer=fool games=2 decks=2 scoring=first|"
	  "epaulettes=mark games=2 passing=yes travel=yes|"
	  "teams=pairs passing=yes travel=yes|"
	  "teams=threes games=2 start=winners decks=2",
	  (const char *const[]){ "draw S", NULL } },
	{ "toepen", "points=1|points=3|points=15",
	  (const char *const[]){ "deal S", "reveal", NULL } },
};

static struct tale tale;
static unsigned long resamples, continued, differed;

static const struct kind *
kind_of(const char *game)
{
	unsigned i;

	for (i = 0; i < NELEM(kinds); i++)
		if (strcmp(kinds[i].game, game) == 0)
			return &kinds[i];
	return NULL;
}

/* ---- the same draws, the same game ------------------------------------ */

static void
seeded(struct draws *draws, struct dice *dice)
{
	unsigned char seed[DRAWS_SEED_BYTES] = { 1 };

	seed[1] = (unsigned char)dice_below(dice, 256);
	seed[2] = (unsigned char)dice_below(dice, 256);
	draws_seed(draws, seed);
}

/* Expects that cards that the viewer cannot see have no influence on the
 * choice. */
static void
truth_plays_no_part(const struct game *other, int viewer)
{
	static struct game one, two;
	struct draws draws, again;

	seeded(&draws, &tale.dice);
	again = draws;
	one = tale.game;
	two = *other;
	game_resample(&one, viewer, &draws);
	game_resample(&two, viewer, &again);
	two.stamp = one.stamp;
	cr_assert(play_same(&one, &two),
		  "%s, viewer %d: the truth decides what is dealt anew",
		  tale.game.setup.rules->name, viewer);
}

/* ---- the same public moves from both ---------------------------------- */

struct twin {
	struct game game;
	struct chance chance;
	struct events ev;
};

static struct twin real, unreal;

static void
step(struct twin *twin, int seat, struct move move)
{
	events_clear(&twin->ev);
	if (seat < 0)
		game_quiet(&twin->game, &twin->chance, &twin->ev);
	else if (!game_play(&twin->game, (unsigned)seat, move, &twin->chance,
			    &twin->ev))
		bug("a legal move was refused");
}

/* Writes how the viewer reads the move; the game goes on in a copy. */
static void
read_move(const struct twin *twin, unsigned seat, struct move move, int viewer,
	  char *out)
{
	static struct twin copy;
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	copy = *twin;
	step(&copy, (int)seat, move);
	play_next_line(&copy.ev, &at, line);
	tale_view(line, strlen(line), viewer, out);
}

/* Finds in `to` a move that the viewer reads like this one of `from`; returns false if
 * there is none. */
static bool
same_move(struct twin *from, struct twin *to, unsigned seat, struct move move,
	  int viewer, struct move *other)
{
	char want[LINE_REFEREE_BYTES + 1], line[LINE_REFEREE_BYTES + 1];
	struct legal legal;
	unsigned i;

	game_legal(&to->game, seat, &legal);
	*other = move;
	if (game_is_legal(&legal, move))
		return true;
	read_move(from, seat, move, viewer, want);
	if (!memchr(want, '?', strlen(want)))
		return false;
	for (i = 0; i < legal.count; i++) {
		*other = legal.move[i];
		if (other->verb == VERB_PASS || other->n != other->top)
			continue;
		read_move(to, seat, *other, viewer, line);
		if (strcmp(want, line) == 0)
			return true;
	}
	return false;
}

/* Picks a move of this seat that both games know, at random. */
static bool
common_move(unsigned seat, int viewer, struct move *move, struct move *other)
{
	struct legal legal;
	unsigned tries;

	game_legal(&real.game, seat, &legal);
	for (tries = 0; tries < 8; tries++) {
		*move = dice_move(&tale.dice, &legal);
		if (same_move(&real, &unreal, seat, *move, viewer, other))
			return true;
	}
	return false;
}

static void
viewer_is_asked_the_same(int viewer)
{
	struct legal one, two;

	cr_assert_eq(memcmp(&real.game.decision, &unreal.game.decision,
			    sizeof(real.game.decision)),
		     0, "%s: another decision for viewer %d",
		     real.game.setup.rules->name, viewer);
	if (viewer < 0 || !(real.game.decision.asked >> viewer & 1))
		return;
	game_legal(&real.game, (unsigned)viewer, &one);
	game_legal(&unreal.game, (unsigned)viewer, &two);
	cr_assert_eq(one.count, two.count);
	cr_assert_eq(
		memcmp(one.move, two.move, one.count * sizeof(one.move[0])), 0);
}

static bool
may_show(const char *const *shows, const char *line, int viewer)
{
	char form[32];
	size_t n;

	for (; *shows; shows++) {
		snprintf(form, sizeof(form), "%s", *shows);
		n = strcspn(form, " ");
		if (form[n] == ' ' && viewer < 0)
			continue;
		if (form[n] == ' ')
			form[n + 1] = (char)('0' + viewer);
		if (strncmp(line, form, strlen(form)) == 0)
			return true;
	}
	return false;
}

/* Returns true if the viewer still cannot tell one game from the other. */
static bool
viewer_reads_the_same(const char *const *shows, int viewer)
{
	char one[LINE_REFEREE_BYTES + 1], two[LINE_REFEREE_BYTES + 1];
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0, other_at = 0;
	bool more, other_more;

	for (;;) {
		more = play_next_line(&real.ev, &at, line);
		if (more)
			tale_view(line, strlen(line), viewer, one);
		other_more = play_next_line(&unreal.ev, &other_at, line);
		if (other_more)
			tale_view(line, strlen(line), viewer, two);
		if (!more || !other_more)
			break;
		if (strcmp(one, two) == 0)
			continue;
		cr_assert(may_show(shows, one, viewer) &&
				  may_show(shows, two, viewer),
			  "viewer %d reads `%s`, `%s`", viewer, one, two);
		differed++;
		return false;
	}
	cr_assert_eq(more, other_more, "viewer %d reads more lines", viewer);
	return true;
}

/* Makes one decision in both; returns false if it cannot be the same. */
static bool
go_on_alike(int viewer)
{
	const struct decision *decision = &real.game.decision;
	struct move answer[SEATS_MAX], other[SEATS_MAX];
	unsigned i, seat;
	int first;

	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		if (!common_move(seat, viewer, &answer[seat], &other[seat]))
			return false;
	}
	first = decision->kind == DECISION_SINGLE
			? decision->holder
			: game_first(&real.game, answer);
	step(&real, first, first < 0 ? (struct move){ 0 } : answer[first]);
	step(&unreal, first, first < 0 ? (struct move){ 0 } : other[first]);
	return true;
}

static void
played_on_alike(const struct game *other, int viewer, const char *const *shows)
{
	unsigned i;

	real.game = tale.game;
	unreal.game = *other;
	real.chance = unreal.chance = tale.chance;
	real.ev.wanted = unreal.ev.wanted = true;
	for (i = 0; i < GOING_ON; i++) {
		viewer_is_asked_the_same(viewer);
		if (game_is_over(&real.game) || !go_on_alike(viewer))
			return;
		continued++;
		if (!viewer_reads_the_same(shows, viewer))
			return;
	}
}

/* ---- random games ----------------------------------------------------- */

static void
look(int viewer, const char *const *shows)
{
	static struct game other;
	struct draws draws;
	const char *why;

	seeded(&draws, &tale.dice);
	other = tale.game;
	game_resample(&other, viewer, &draws);
	resamples++;
	cr_assert_eq(memcmp(&other.decision, &tale.game.decision,
			    sizeof(other.decision)),
		     0);
	why = retell_check(&tale, &other, viewer);
	cr_assert_null(why, "%s, %u seats, viewer %d: %s",
		       tale.game.setup.rules->name, tale.game.setup.seats,
		       viewer, why);
	truth_plays_no_part(&other, viewer);
	played_on_alike(&other, viewer, shows);
}

static void
play_and_look(const struct kind *kind, const struct game_setup *setup,
	      uint64_t seed)
{
	static const unsigned forced[] = { 0, 0, 10, 2, 1 };
	static const unsigned quiet[] = { 0, 5, 9 };
	int viewer;

	tale.forced = forced[seed % NELEM(forced)];
	tale.quiet = quiet[seed / NELEM(forced) % NELEM(quiet)];
	tale.patience = seed & 1 ? 3 : 0;
	tale_begin(&tale, setup, seed);
	while (!game_is_over(&tale.game)) {
		if (!tale.too_long && dice_below(&tale.dice, 12) == 0)
			for (viewer = VIEW_PUBLIC; viewer < setup->seats;
			     viewer++)
				look(viewer, kind->shows);
		tale_go_on(&tale);
	}
}

/* Tries all numbers of seats and all options of the kind, with this many games
 * of each, more in the long form. */
static void
resample_all(const char *game, unsigned normal, unsigned all)
{
	unsigned long each = check_rounds(normal, all);
	const struct kind *kind = kind_of(game);
	const struct game_rules *rules = game_find(game);
	char options[128];
	struct game_setup setup;
	const char *at;
	unsigned long i, number;
	unsigned seats;
	size_t n;

	for (seats = rules->min_seats; seats <= rules->max_seats; seats++) {
		/* The number of a game decides how many faults it has. */
		number = seats * 1000;
		for (at = kind->options;; at += n + 1) {
			n = strcspn(at, "|");
			snprintf(options, sizeof(options), "%.*s", (int)n, at);
			if (play_may_setup(&setup, game, seats, options))
				for (i = 0; i < each; i++)
					play_and_look(kind, &setup, number++);
			if (!at[n])
				break;
		}
	}
	printf("# %s: %lu resampled, %lu decisions on from there, %lu ended by "
	       "a line that shows\n",
	       game, resamples, continued, differed);
	cr_assert_gt(resamples, 1000);
	cr_assert_gt(continued, resamples);
}

/* Also tries moments in which only the order of the draws is unknown. */
static void
resample_at_the_end(const char *game, unsigned seats, const char *options)
{
	const struct kind *kind = kind_of(game);
	struct game_setup setup;
	uint64_t seed;
	int viewer;

	cr_assert_not_null(kind);
	play_setup(&setup, game, seats, options);
	for (seed = 0; seed < 50; seed++) {
		tale.forced = seed % 4;
		tale_begin(&tale, &setup, seed);
		while (!game_is_over(&tale.game))
			tale_go_on(&tale);
		cr_assert(!tale.too_long);
		for (viewer = VIEW_PUBLIC; viewer < (int)seats; viewer++)
			look(viewer, kind->shows);
	}
}

Test(resample, when_over)
{
	resample_at_the_end("daumen-drauf", 2, "games=2");
	resample_at_the_end("daumen-drauf", 5, "games=1");
	resample_at_the_end("doubles-dread", 4, "rounds=1");
	resample_at_the_end("toepen", 3, "points=2");
}

Test(resample, daumen_drauf)
{
	resample_all("daumen-drauf", 1, 60);
}

Test(resample, doubles_dread)
{
	resample_all("doubles-dread", 10, 60);
}

Test(resample, daupun)
{
	resample_all("daupun", 250, 5000);
}

Test(resample, toepen)
{
	resample_all("toepen", 5, 150);
}

Test(resample, durnius)
{
	resample_all("durnius", 1, 25);
}
