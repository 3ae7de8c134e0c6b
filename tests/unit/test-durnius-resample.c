/* tests/unit/test-durnius-resample.c - information from moves of Durnius, in
 * scenes that are rare in random games.
 *
 * After each move every viewer's game is resampled and retold (retell.h).  At
 * the end the deals are compared with the viewer's knowledge: the least and
 * the most copies of a card in a seat's hand must be exactly those that are
 * possible. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/games/durnius.h"
#include "tests/unit/retell.h"

#define RETOLD 4   /* deals for each viewer after each move */
#define DEALS 1500 /* compared in the end */

/* ---- the stage -------------------------------------------------------- */

/* Seat 0 is the first that is dealt to.  The rest of the talon are the other
 * cards in rising order. */
struct scene {
	unsigned seats;
	const char *options;
	const char *hands; /* six cards each, then the talon's first */
	const char *trump;
	/* Lines `SEAT TOKEN` or `quiet`; `!` before a seat: the referee moves
	 * for it. */
	const char *moves;
};

struct stage {
	struct chance_script script; /* first: the callback gets its address */
	uint8_t row[2 * DECK];	     /* the shuffled order */
	unsigned seats;
};

static struct stage stage;
static struct tale tale;

static unsigned
card(const char *name)
{
	int found = card_find(&durnius_deck, name, 2);

	if (found < 0)
		bug("no card %s", name);
	return (unsigned)found;
}

static bool
staged_token(struct chance_script *script, unsigned line, unsigned token,
	     char to[32])
{
	const struct stage *s = (const struct stage *)(const void *)script;
	unsigned last = tale.game.setup.option[OPTION_DECKS] ? 2 * DECK : DECK;
	unsigned at;

	if (line == 0) {
		snprintf(to, 32, "%u", s->seats - 1); /* deals */
		return true;
	}
	if (line <= s->seats)
		at = (line - 1) * HAND + token - 2;
	else if (line == s->seats + 1)
		at = last - 1;
	else
		at = s->seats * HAND + token - 1;
	snprintf(to, 32, "%s", durnius_deck.name[s->row[at]]);
	return true;
}

static void
shuffle(const struct scene *scene, unsigned decks)
{
	unsigned left[DECK], i, n = 0, last = decks * DECK - 1;
	struct words words;

	for (i = 0; i < DECK; i++)
		left[i] = decks;
	words_split(scene->hands, &words);
	stage.row[last] = (uint8_t)card(scene->trump);
	left[stage.row[last]]--;
	for (; n < words.count && n < last; n++) {
		stage.row[n] = (uint8_t)card(words.word[n]);
		if (left[stage.row[n]]-- == 0)
			bug("too many %s", words.word[n]);
	}
	for (i = 0; i < DECK; i++)
		for (; left[i] > 0; left[i]--)
			stage.row[n++] = (uint8_t)i;
}

/* Writes down the step that has just been made. */
static void
note(struct tale_step *step)
{
	if (tale.steps == TALE_STEPS || tale.ev.used > TALE_BYTES - tale.used)
		bug("the scene is too long");
	step->at = tale.used;
	step->used = tale.ev.used;
	memcpy(tale.text + step->at, tale.ev.text, step->used);
	tale.used += step->used;
	tale.step[tale.steps++] = *step;
}

static void
open_scene(const struct scene *scene)
{
	static struct tale_step step;
	struct game_setup setup;

	play_setup(&setup, "durnius", scene->seats, scene->options);
	memset(&tale, 0, offsetof(struct tale, ev));
	tale.steps = tale.round_at = tale.used = 0;
	tale.ev.wanted = true;
	tale.game.setup = setup;
	shuffle(scene, setup.option[OPTION_DECKS] ? 2 : 1);
	stage.script.token = staged_token;
	stage.seats = scene->seats;
	chance_scripted(&tale.chance, &stage.script);
	events_clear(&tale.ev);
	game_start(&tale.game, &setup, &tale.chance, &tale.ev);
	cr_assert(!tale.chance.failed);
	step = (struct tale_step){ .start = true, .before.setup = setup };
	note(&step);
}

/* Makes one line of the moves. */
static void
make_move(const char *line, size_t n)
{
	static struct tale_step step;
	bool forced = *line == '!';

	step = (struct tale_step){ .before = tale.game, .seat = -1 };
	events_clear(&tale.ev);
	if (n == strlen("quiet")) {
		game_quiet(&tale.game, &tale.chance, &tale.ev);
	} else {
		line += forced;
		n -= forced;
		step.seat = line[0] - '0';
		cr_assert_eq(game_move_read(&game_durnius, line + 2, n - 2,
					    &step.move),
			     0, "%.*s", (int)n, line);
		step.move.forced = forced;
		cr_assert(game_play(&tale.game, (unsigned)step.seat, step.move,
				    &tale.chance, &tale.ev),
			  "refused: %.*s", (int)n, line);
	}
	note(&step);
}

/* ---- what comes ------------------------------------------------------- */

static void
resampled(struct game *game, int viewer, unsigned seed)
{
	unsigned char bytes[DRAWS_SEED_BYTES] = { (unsigned char)seed,
						  (unsigned char)(seed >> 8) };
	struct draws draws;

	draws_seed(&draws, bytes);
	game_copy(game, &tale.game);
	game_resample(game, viewer, &draws);
}

static void
retold_to_all(void)
{
	static struct game game;
	const char *why;
	unsigned i;
	int viewer;

	for (viewer = VIEW_PUBLIC; viewer < (int)stage.seats; viewer++)
		for (i = 0; i < RETOLD; i++) {
			resampled(&game, viewer, i);
			why = retell_check(&tale, &game, viewer);
			cr_assert_null(why, "viewer %d: %s", viewer, why);
		}
}

static void
play_scene(const struct scene *scene)
{
	const char *at = scene->moves;
	size_t n;

	open_scene(scene);
	retold_to_all();
	for (; *at; at += n + 1) {
		n = strcspn(at, "\n");
		make_move(at, n);
		retold_to_all();
	}
}

/* Expects that for the viewer the seat holds from `least` to `most` of this
 * card, and that each of these numbers is possible. */
static void
holds(int viewer, unsigned seat, const char *name, unsigned least,
      unsigned most)
{
	const struct durnius *d;
	static struct game game;
	unsigned came[3] = { 0 }, i;

	for (i = 0; i < DEALS; i++) {
		resampled(&game, viewer, i);
		d = (const struct durnius *)(const void *)game.state;
		came[bag_copies(&d->hand[seat], card(name))]++;
	}
	for (i = 0; i < NELEM(came); i++)
		cr_assert_eq(came[i] > 0, i >= least && i <= most,
			     "viewer %d: seat %u holds %u of %s: %u times",
			     viewer, seat, i, name, came[i]);
}

/* Expects this card in this place in `least` to `most` of a hundred deals. */
static void
lies(int viewer, unsigned place, const char *name, unsigned least,
     unsigned most)
{
	const struct durnius *d;
	static struct game game;
	unsigned came = 0, i;

	for (i = 0; i < DEALS; i++) {
		resampled(&game, viewer, i);
		d = (const struct durnius *)(const void *)game.state;
		came += d->card[place] == card(name);
	}
	cr_assert(came * 100 >= least * DEALS && came * 100 <= most * DEALS,
		  "viewer %d: in place %u is %s: %u times", viewer, place, name,
		  came);
}

/* ---- `lowest` --------------------------------------------------------- */

/* Hearts are trumps; seat 1 shows the eight, seat 2 has one as well. */
static const struct scene lowest = {
	3,
	"decks=2",
	"7C 7D 7S 8C 8D 8S "
	"9C 9D 9S TC TD 8H "
	"JC JD JS QC 8H KC",
	"AH",
	"",
};

Test(durnius_resample, lowest_trump)
{
	play_scene(&lowest);
	holds(VIEW_PUBLIC, 1, "8H", 1, 2);
	holds(VIEW_PUBLIC, 0, "8H", 0, 0); /* the search passed it */
	holds(0, 1, "8H", 1, 2);
	holds(0, 2, "8H", 0, 1);
	holds(2, 0, "8H", 0, 0);
	holds(2, 1, "8H", 1, 1); /* it has the other one itself */
	holds(0, 2, "7H", 0, 0);
	holds(0, 2, "6H", 0, 0);
	holds(0, 2, "9H", 0, 2);
}

static const struct scene none = {
	2, "", "6C 7C 8C 9C TC JC 6D 7D 8D 9D TD JD", "AH", "",
};

Test(durnius_resample, no_trump)
{
	play_scene(&none);
	holds(0, 1, "6H", 0, 0);
	holds(0, 1, "KH", 0, 0);
	holds(VIEW_PUBLIC, 0, "TS", 0, 1);
}

/* ---- travel ----------------------------------------------------------- */

#define TWO_SEVENS                                                             \
	2, "decks=2 passing=yes travel=yes",                                   \
		"7C 7D 7S 6H 9C 9S "                                           \
		"7H 7H 8D 8S TC TS",                                           \
		"AH"

static const struct scene one_show = {
	TWO_SEVENS,
	"0 attack:7C\n"
	"1 show:7H\n",
};

static const struct scene two_shows = {
	TWO_SEVENS,
	"0 attack:7C\n"
	"1 show:7H\n"
	"0 transfer:7D\n"
	"1 show:7H\n",
};

static const struct scene show_and_transfer = {
	TWO_SEVENS,
	"0 attack:7C\n"
	"1 show:7H\n"
	"0 transfer:7D\n"
	"1 transfer:7H\n",
};

Test(durnius_resample, shows)
{
	play_scene(&one_show);
	holds(0, 1, "7H", 1, 2);
	holds(VIEW_PUBLIC, 1, "7H", 1, 2);
	play_scene(&two_shows);
	holds(0, 1, "7H", 2, 2);
	holds(VIEW_PUBLIC, 1, "7H", 2, 2);
	play_scene(&show_and_transfer);
	holds(0, 1, "7H", 1, 1);
	holds(VIEW_PUBLIC, 1, "7H", 1, 1);
}

/* ---- house moves ------------------------------------------------------ */

/* The referee attacks for seat 0 with its lowest card, then again with a lower
 * one that it has drawn; with a trump only if it has no other card. */
static const struct scene floors = {
	2,
	"",
	"TD JD QD KD AD 6H "
	"8C 9C 8D 9D 7H TH "
	"7S",
	"AH",
	"!0 attack:TD\n"
	"1 take\n"
	"0 attack:7S\n",
};

Test(durnius_resample, floors)
{
	play_scene(&floors);
	lies(1, 12, "7S", 100, 100); /* it was not there before */
	lies(VIEW_PUBLIC, 12, "7S", 100, 100);
	holds(1, 0, "6C", 0, 0);
	holds(1, 0, "9S", 0, 0);
	holds(1, 0, "TS", 0, 1);
	holds(1, 0, "8H", 0, 1); /* trumps come last */
	holds(1, 0, "6H", 1, 1); /* by `lowest` */
}

/* A seat's own moves give no such information. */
static const struct scene no_floors = {
	2,
	"",
	"TD JD QD KD AD 6H "
	"8C 9C 8D 9D 7H TH "
	"7S",
	"AH",
	"0 attack:TD\n"
	"1 take\n"
	"0 attack:7S\n",
};

Test(durnius_resample, no_floors)
{
	play_scene(&no_floors);
	lies(1, 12, "7S", 5, 25);
	holds(1, 0, "6C", 0, 1);
	holds(1, 0, "9S", 0, 1);
}

/* All its cards are trumps: the lowest of them. */
static const struct scene only_trumps = {
	2,
	"",
	"7H 8H TH JH QH KH "
	"6C 9C 8D 9D 6S TS ",
	"AH",
	"!0 attack:7H\n",
};

Test(durnius_resample, only_trumps)
{
	play_scene(&only_trumps);
	holds(VIEW_PUBLIC, 0, "AS", 0, 0);
	holds(VIEW_PUBLIC, 1, "AS", 0, 1);
	holds(1, 0, "8H", 0, 1);
	holds(1, 0, "6H", 0, 0);
}

/* A floor stays for the cards that were in the hand then, though the next one
 * is lower; only the second binds the cards drawn in between. */
static const struct scene two_floors = {
	2,
	"",
	"TD JD QD KD AD 6H "
	"8C 9C 8D 9D 7H TH "
	"7S TS",
	"AH",
	"!0 attack:TD\n"
	"1 take\n"
	"!0 attack:7S\n"
	"1 take\n",
};

Test(durnius_resample, two_floors)
{
	play_scene(&two_floors);
	lies(1, 12, "7S", 100, 100);
	lies(1, 13, "6S", 2, 12);
	lies(1, 5, "9S", 0, 0);
	holds(1, 0, "6S", 0, 1);
	holds(1, 0, "TC", 0, 1);
}

/* The seven is shown after two house moves of its seat, so it was drawn last. */
static const struct scene shown_above_floors = {
	2,
	"decks=2 passing=yes travel=yes",
	"8H 9H TH JH QH KH "
	"AH 7C 7D 9C 9D TC "
	"AH 7H",
	"6H",
	"!0 attack:8H\n"
	"1 take\n"
	"!0 attack:9H\n"
	"1 beat:9H:AH\n"
	"quiet\n"
	"1 attack:7C\n"
	"0 show:7H\n",
};

Test(durnius_resample, shown_above_floors)
{
	play_scene(&shown_above_floors);
	lies(1, 13, "7H", 100, 100);
	lies(VIEW_PUBLIC, 13, "7H", 100, 100);
	holds(1, 0, "7H", 1, 1);
}

/* The referee beats for seat 1 with its lowest card that does. */
static const struct scene beaten_low = {
	2,
	"",
	"6C JD QD KD AD 6H "
	"8C 9C 8D 9D 7H TH "
	"7S",
	"AH",
	"0 attack:6C\n"
	"!1 beat:6C:8C\n",
};

Test(durnius_resample, beaten_low)
{
	play_scene(&beaten_low);
	holds(0, 1, "7C", 0, 0);
	holds(VIEW_PUBLIC, 1, "7C", 0, 0);
	holds(0, 1, "9C", 0, 1);
	holds(0, 1, "7S", 0, 1); /* it does not beat a club */
	holds(0, 1, "8H", 0, 1); /* trumps come last */
}

/* Seat 1 beats with a trump, so it has no other card that beats one of the two. */
static const struct scene beaten_by_trump = {
	2,
	"",
	"8C 8D QD KD AD 6H "
	"9S TS 6D 7D 9H TH "
	"7S",
	"AH",
	"0 attack:8C\n"
	"0 add:8D\n"
	"!1 beat:8C:9H\n",
};

Test(durnius_resample, beaten_by_trump)
{
	play_scene(&beaten_by_trump);
	holds(0, 1, "9C", 0, 0);
	holds(0, 1, "AC", 0, 0);
	holds(0, 1, "JD", 0, 0);
	holds(0, 1, "8H", 0, 0);
	holds(0, 1, "JH", 0, 1);
	holds(0, 1, "7C", 0, 1);
	holds(0, 1, "AS", 0, 1);
}

/* The referee takes for seat 1, so it had neither a trump nor a higher card. */
static const struct scene taken = {
	2,
	"",
	"TD JD QD KD AD 6H "
	"8C 9C 8D 9D 7S TS "
	"7C 7H 8H",
	"AH",
	"0 attack:TD\n"
	"!1 take\n"
	"0 attack:7C\n"
	"1 beat:7C:8C\n"
	"quiet\n",
};

Test(durnius_resample, taken)
{
	play_scene(&taken);
	holds(0, 1, "9H", 0, 0);
	holds(VIEW_PUBLIC, 1, "9H", 0, 0);
	holds(0, 1, "6S", 0, 1);
	lies(0, 14, "9H", 1, 20);
}

/* ---- picking up ------------------------------------------------------- */

/* Seat 1 takes a nine and has another one that no one else knows. */
#define NINES                                                                  \
	3, "decks=2",                                                          \
		"9C TD JD QD KD 6H "                                           \
		"9C 7S 8D 9D TS 8H "                                           \
		"6C 6D 6S 7C 7D 9H ",                                          \
		"AH"

static const struct scene picked_up = {
	NINES,
	"0 attack:9C\n"
	"1 take\n",
};

static const struct scene played_once = {
	NINES,
	"0 attack:9C\n"
	"1 take\n"
	"2 attack:7C\n"
	"0 take\n"
	"1 attack:9C\n",
};

static const struct scene played_twice = {
	NINES,
	"0 attack:9C\n"
	"1 take\n"
	"2 attack:7C\n"
	"0 take\n"
	"1 attack:9C\n"
	"1 add:9C\n",
};

Test(durnius_resample, picked_up_and_played_again)
{
	play_scene(&picked_up);
	holds(VIEW_PUBLIC, 1, "9C", 1, 2);
	holds(VIEW_PUBLIC, 0, "9C", 0, 1);
	play_scene(&played_once);
	holds(VIEW_PUBLIC, 1, "9C", 0, 1);
	holds(VIEW_PUBLIC, 2, "9C", 0, 1);
	play_scene(&played_twice);
	holds(VIEW_PUBLIC, 1, "9C", 0, 0);
	holds(VIEW_PUBLIC, 2, "9C", 0, 0);
	holds(VIEW_PUBLIC, 0, "7C", 1, 2); /* taken */
}

/* ---- cards that lie open ---------------------------------------------- */

static const struct scene six = {
	6,
	"",
	"6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 9C 9D TC TD TH TS JC JD "
	"JH JS QC QD KC KD AC AD AH AS 8H 8S QH QS KH KS 9H",
	"9S",
	"0 attack:6C\n",
};

Test(durnius_resample, open_card_of_the_dealer)
{
	play_scene(&six);
	holds(1, 5, "9S", 1, 1);
	holds(1, 5, "KH", 0, 1);
	holds(1, 0, "6S", 1, 1);
}

/* ---- equal cards ------------------------------------------------------ */

/* Seat 1 beats with a nine, and seat 0 has none.  Of seat 1's six first places
 * and the 59 of the talon at least one of the six held a nine: both did in 15
 * of 15 + 6 * 59 ways, 41 of 1000. */
static const struct scene nine = {
	2,
	"decks=2",
	"8C 8D 8S TD KD 6H "
	"9C 7C 7D TC 7S 9S",
	"AH",
	"0 attack:8C\n"
	"1 beat:8C:9C\n",
};

Test(durnius_resample, the_other_copy_is_as_likely_as_it_was)
{
	const struct durnius *d;
	static struct game game;
	unsigned came = 0, i;

	play_scene(&nine);
	for (i = 0; i < 4 * DEALS; i++) {
		resampled(&game, 0, i);
		d = (const struct durnius *)(const void *)game.state;
		came += bag_copies(&d->hand[1], card("9C"));
	}
	cr_assert(came > 4 * DEALS * 28 / 1000 && came < 4 * DEALS * 54 / 1000,
		  "%u of %u", came, 4 * DEALS);
}
