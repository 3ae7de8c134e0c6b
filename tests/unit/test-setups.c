/* tests/unit/test-setups.c - the valid settings, and the sentences about all
 * others, as in section 2 of each game's rules. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/play.h"

#define SEATS_TRIED 20

/* ---- seats ------------------------------------------------------------ */

static const struct {
	const char *game;
	unsigned min, max;
	const char *sentence; /* %u: the number of seats, where it is named */
} seats_of[] = {
	{ "toepen", 2, 8, "toepen needs 2 to 8 seats" },
	{ "durnius", 2, 6, "durnius needs 2 to 6 seats" },
	{ "daupun", 2, 2, "daupun is for exactly 2 seats, not %u" },
	{ "doubles-dread", 2, 4, "doubles-dread needs 2 to 4 seats" },
	{ "daumen-drauf", 2, 7, "daumen-drauf is for 2 to 7 seats, not %u" },
};

static void
write_sentence(char to[SENTENCE_BYTES], const char *sentence, unsigned seats)
{
	const char *at = strstr(sentence, "%u");

	if (!at) {
		snprintf(to, SENTENCE_BYTES, "%s", sentence);
		return;
	}
	snprintf(to, SENTENCE_BYTES, "%.*s%u", (int)(at - sentence), sentence,
		 seats);
}

Test(setups, seats)
{
	char why[SENTENCE_BYTES], sentence[SENTENCE_BYTES];
	struct game_setup setup;
	unsigned i, seats;

	for (i = 0; i < NELEM(seats_of); i++) {
		for (seats = 0; seats < SEATS_TRIED; seats++) {
			game_setup_init(&setup, game_find(seats_of[i].game),
					seats);
			if (seats >= seats_of[i].min &&
			    seats <= seats_of[i].max) {
				cr_expect_eq(game_setup_seats(&setup, why), 0);
				continue;
			}
			cr_expect_eq(game_setup_seats(&setup, why), -1);
			write_sentence(sentence, seats_of[i].sentence, seats);
			cr_expect_str_eq(why, sentence);
		}
	}
	cr_expect_null(games[NELEM(seats_of)]);
}

/* ---- options, each by itself ------------------------------------------ */

static const struct one {
	const char *game, *name, *preset;
	long min, max;	      /* integers, or */
	const char *values;   /* all of them, separated by a space */
	const char *sentence; /* up to the value, where that is named */
	bool names_value;
} ones[] = {
	{ "toepen", "points", "15", 1, 99, NULL,
	  "option points must be an integer from 1 to 99", false },
	{ "durnius", "decks", "1", 0, 0, "1 2",
	  "option decks must be one of: 1 2", false },
	{ "durnius", "passing", "no", 0, 0, "no yes",
	  "option passing must be one of: no yes", false },
	{ "durnius", "travel", "no", 0, 0, "no yes",
	  "option travel must be one of: no yes", false },
	{ "durnius", "adding", "any", 0, 0, "any defended",
	  "option adding must be one of: any defended", false },
	{ "durnius", "teams", "none", 0, 0, "none pairs threes",
	  "option teams must be one of: none pairs threes", false },
	{ "durnius", "start", "trump", 0, 0, "trump right winners",
	  "option start must be one of: trump right winners", false },
	{ "durnius", "dealer", "turn", 0, 0, "turn fool",
	  "option dealer must be one of: turn fool", false },
	{ "durnius", "games", "1", 1, 1000, NULL,
	  "option games must be an integer from 1 to 1000", false },
	{ "durnius", "scoring", "fool", 0, 0, "fool first order",
	  "option scoring must be one of: fool first order", false },
	{ "durnius", "epaulettes", "none", 0, 0, "none mark score",
	  "option epaulettes must be one of: none mark score", false },
	{ "daupun", "crowns", "1", 1, 3, NULL,
	  "option crowns must be an integer from 1 to 3", true },
	{ "daupun", "first", "winner", 0, 0, "winner cutter",
	  "option first must be one of winner, cutter", true },
	{ "daupun", "rounds", "200", 1, 1000, NULL,
	  "option rounds must be an integer from 1 to 1000", true },
	{ "daupun", "lowest", "value", 0, 0, "value position",
	  "option lowest must be one of value, position", true },
	{ "doubles-dread", "magic", "78", 0, 0,
	  "12 13 14 15 16 17 18 23 24 25 26 27 28 34 35 36 37 38 45 46 47 48 "
	  "56 57 58 67 68 78",
	  "option magic must be two different digits from 1 to 8, the smaller "
	  "first",
	  false },
	{ "doubles-dread", "rounds", "2", 1, 99, NULL,
	  "option rounds must be an integer from 1 to 99", false },
	{ "daumen-drauf", "games", "3", 1, 50, NULL,
	  "option games must be an integer from 1 to 50", true },
	{ "daumen-drauf", "twin", "turn", 0, 0, "turn any",
	  "option twin must be one of turn, any", true },
};

/* No option has one of these values, as an integer or otherwise. */
static const char *const never[] = {
	"",	 "-1",	  "+1",		"01",
	"1.0",	 " 1",	  "1 ",		"0x1",
	"None",	 "YES",	  "no yes",	"one",
	"65537", "65546", "4294967297", "99999999999999999999",
	"87",	 "11",
};

static bool
is_value(const struct one *one, const char *value)
{
	struct words words;
	unsigned i;
	char *end;
	long n;

	if (one->values) {
		words_split(one->values, &words);
		for (i = 0; i < words.count; i++)
			if (strcmp(words.word[i], value) == 0)
				return true;
		return false;
	}
	n = strtol(value, &end, 10);
	return value[0] >= '1' && value[0] <= '9' && *end == '\0' &&
	       n >= one->min && n <= one->max;
}

/* Expects the value to be accepted, or refused with the sentence without a
 * change. */
static void
try_value(const struct one *one, const char *value)
{
	char why[SENTENCE_BYTES] = "", sentence[SENTENCE_BYTES], have[16];
	struct game_setup setup, before;
	unsigned i;

	game_setup_init(&setup, game_find(one->game), 2);
	before = setup;
	if (is_value(one, value)) {
		cr_expect_eq(game_setup_option(&setup, one->name, value, why),
			     0, "%s %s=%s", one->game, one->name, value);
		for (i = 0; strcmp(setup.rules->options[i].name, one->name);
		     i++)
			;
		game_setup_value(&setup, i, have);
		cr_expect_str_eq(have, value);
		return;
	}
	cr_expect_eq(game_setup_option(&setup, one->name, value, why), -1,
		     "%s %s=%s", one->game, one->name, value);
	snprintf(sentence, sizeof(sentence), "%s%s%s", one->sentence,
		 one->names_value ? ", not " : "",
		 one->names_value ? value : "");
	cr_expect_str_eq(why, sentence);
	cr_expect_eq(memcmp(&setup, &before, sizeof(setup)), 0);
}

Test(setups, each_option)
{
	char value[24];
	unsigned i, j;
	long n;

	for (i = 0; i < NELEM(ones); i++) {
		for (n = 0; n <= 1100; n++) {
			snprintf(value, sizeof(value), "%ld", n);
			try_value(&ones[i], value);
		}
		for (j = 0; j < NELEM(never); j++)
			try_value(&ones[i], never[j]);
		/* The value of one option is invalid for others. */
		for (j = 0; j < NELEM(ones); j++)
			try_value(&ones[i], ones[j].preset);
	}
}

/* The options come in this order, with these defaults, and there are no others. */
Test(setups, all_options)
{
	struct game_setup setup;
	char why[SENTENCE_BYTES], sentence[SENTENCE_BYTES], value[16];
	const struct game_rules *rules = NULL;
	unsigned i, j = 0;

	for (i = 0; i < NELEM(ones); i++) {
		if (!rules || strcmp(rules->name, ones[i].game) != 0) {
			cr_expect(!rules || !rules->options[j].name);
			rules = game_find(ones[i].game);
			game_setup_init(&setup, rules, 2);
			j = 0;
		}
		cr_assert_not_null(rules->options[j].name);
		cr_expect_str_eq(rules->options[j].name, ones[i].name);
		game_setup_value(&setup, j++, value);
		cr_expect_str_eq(value, ones[i].preset);
		snprintf(sentence, sizeof(sentence),
			 "%s has no option %s%c; it"
			 " has %s",
			 rules->name, ones[i].name, 's',
			 rules->options[0].name);
		snprintf(value, sizeof(value), "%ss", ones[i].name);
		cr_expect_eq(game_setup_option(&setup, value, "1", why), -1);
		cr_expect_eq(strncmp(why, sentence, strlen(sentence)), 0);
	}
	cr_expect(!rules->options[j].name);
}

/* A name is judged without its value. */
Test(setups, names)
{
	char why[SENTENCE_BYTES] = "";
	struct game_setup setup;
	unsigned i;

	for (i = 0; i < NELEM(ones); i++) {
		game_setup_init(&setup, game_find(ones[i].game), 2);
		cr_expect_geq(game_setup_find(&setup, ones[i].name, why), 0);
		cr_expect_str_eq(why, "");
	}
	game_setup_init(&setup, &game_toepen, 2);
	cr_expect_eq(game_setup_find(&setup, "point", why), -1);
	cr_expect_str_eq(why, "toepen has no option point; it has points");
}

/* ---- options together ------------------------------------------------- */

/* The options of Durnius in their order. */
enum {
	DECKS,
	PASSING,
	TRAVEL,
	ADDING,
	TEAMS,
	START,
	DEALER,
	GAMES,
	SCORING,
	EPAULETTES,
	OPTIONS
};

static const unsigned values_of[OPTIONS] = { 2, 2, 2, 2, 3, 3, 2, 1, 3, 3 };

/* Returns the first sentence about these options together. */
static const char *
durnius_error(unsigned seats, const int16_t option[OPTIONS])
{
	bool passing = option[PASSING] == 1, travel = option[TRAVEL] == 1;
	bool none = option[TEAMS] == 0, pairs = option[TEAMS] == 1;

	if (travel && !passing)
		return "travel yes needs passing yes";
	if (pairs && !(seats == 4 || seats == 6))
		return "teams pairs needs 4 or 6 seats";
	if (!none && !pairs && seats != 6)
		return "teams threes needs 6 seats";
	if (option[START] == 2 && none)
		return "start winners needs teams pairs or threes";
	if (option[EPAULETTES] == 2 && option[SCORING] != 0)
		return "epaulettes score needs scoring fool";
	if (option[START] != 0 && option[GAMES] == 1)
		return option[START] == 1
			       ? "start right needs games 2 or more"
			       : "start winners needs games 2 or more";
	if (option[DEALER] == 1 && option[GAMES] == 1)
		return "dealer fool needs games 2 or more";
	if (option[EPAULETTES] == 2 && option[GAMES] < 9)
		return "epaulettes score needs games 9 or more";
	return NULL;
}

/* Makes the next combination; returns false after the last. */
static bool
next_combination(int16_t option[OPTIONS])
{
	unsigned i;

	for (i = 0; i < OPTIONS; i++) {
		if (i == GAMES)
			continue;
		if ((unsigned)++option[i] < values_of[i])
			return true;
		option[i] = 0;
	}
	return false;
}

/* Tries all settings of Durnius with this many games: every pair that clashes,
 * and the order of the sentences.  Returns how many are valid. */
static unsigned
durnius_together(int16_t its_games)
{
	unsigned seats, valid = 0, tried = 0;
	char why[SENTENCE_BYTES];
	struct game_setup setup;
	const char *error;

	for (seats = 2; seats <= 6; seats++) {
		game_setup_init(&setup, &game_durnius, seats);
		memset(setup.option, 0, sizeof(setup.option));
		setup.option[GAMES] = its_games;
		do {
			error = durnius_error(seats, setup.option);
			why[0] = 0;
			cr_expect_eq(game_setup_check(&setup, why),
				     error ? -1 : 0);
			cr_expect_str_eq(why, error ? error : "");
			tried++;
			valid += !error;
		} while (next_combination(setup.option));
	}
	cr_expect_eq(tried, 5 * 2592);
	return valid;
}

/* The number of seats allows 2, 5 or 8 pairs of teams and start; 3 of passing and
 * travel, and 7 of scoring and epaulettes go together.  With one game start and dealer
 * are as by default; with fewer than nine there is no race. */
Test(setups, durnius_options_together)
{
	cr_expect_eq(durnius_together(9), 2 * 3 * 2 * 2 * 7 * (3 * 2 + 5 + 8));
	cr_expect_eq(durnius_together(8), 2 * 3 * 2 * 2 * 6 * (3 * 2 + 5 + 8));
	cr_expect_eq(durnius_together(2), 2 * 3 * 2 * 2 * 6 * (3 * 2 + 5 + 8));
	cr_expect_eq(durnius_together(1), 2 * 3 * 2 * 6 * (3 * 1 + 2 + 3));
}

/* Options are refused that cannot change anything in so few rounds. */
Test(setups, daupun_options_together)
{
	enum { CROWNS, FIRST, ROUNDS };
	char why[SENTENCE_BYTES];
	struct game_setup setup;
	int crowns, first, rounds;
	bool fits;

	game_setup_init(&setup, &game_daupun, 2);
	for (crowns = 1; crowns <= 3; crowns++)
		for (first = 0; first < 2; first++)
			for (rounds = 1; rounds <= 4; rounds++) {
				setup.option[CROWNS] = (int16_t)crowns;
				setup.option[FIRST] = (int16_t)first;
				setup.option[ROUNDS] = (int16_t)rounds;
				fits = rounds >= crowns && rounds > first;
				cr_expect_eq(game_setup_check(&setup, why),
					     fits ? 0 : -1);
			}
	setup.option[ROUNDS] = 1;
	cr_expect_eq(game_setup_check(&setup, why), -1);
	cr_expect_str_eq(why, "crowns 3 needs rounds 3 or more");
	setup.option[CROWNS] = 2;
	cr_expect_eq(game_setup_check(&setup, why), -1);
	cr_expect_str_eq(why, "crowns 2 needs rounds 2 or more");
	setup.option[CROWNS] = 1;
	cr_expect_eq(game_setup_check(&setup, why), -1);
	cr_expect_str_eq(why, "first cutter needs rounds 2 or more");
}

/* At two seats the other one is on turn in any case. */
Test(setups, daumen_drauf_options_together)
{
	enum { GAMES_OF_DAUMEN, TWIN };
	char why[SENTENCE_BYTES] = "";
	struct game_setup setup;
	unsigned seats;

	for (seats = 2; seats <= 7; seats++) {
		game_setup_init(&setup, &game_daumen_drauf, seats);
		cr_expect_eq(game_setup_check(&setup, why), 0);
		setup.option[TWIN] = 1;
		cr_expect_eq(game_setup_check(&setup, why),
			     seats == 2 ? -1 : 0);
	}
	cr_expect_str_eq(why, "twin any needs 3 to 7 seats");
}

/* All others have no combination that is not valid. */
Test(setups, nothing_else_clashes)
{
	unsigned i;

	for (i = 0; games[i]; i++)
		cr_expect_eq(games[i]->invalid != NULL,
			     games[i] == &game_durnius ||
				     games[i] == &game_daupun ||
				     games[i] == &game_daumen_drauf);
}
