/* tests/world/variants.c - see variants.h. */
#include "tests/world/variants.h"

#include <stdio.h>
#include <string.h>

/* Short games, so that many are played. */
static const struct variant {
	const char *game, *options;
	unsigned least, most; /* seats */
} variants[] = {
	{ "toepen", "\"points=3\"", 2, 8 },
	{ "toepen", "\"points=5\"", 2, 8 },
	{ "durnius", "\"games=1\"", 2, 6 },
	{ "durnius", "\"passing=yes\"", 2, 6 },
	{ "durnius", "\"passing=yes\", \"travel=yes\", \"decks=2\"", 2, 6 },
	{ "durnius",
	  "\"games=2\", \"start=right\", \"dealer=fool\", \"scoring=first\"", 2,
	  6 },
	{ "durnius",
	  "\"passing=yes\", \"epaulettes=mark\", \"scoring=order\", "
	  "\"adding=defended\"",
	  2, 6 },
	{ "durnius",
	  "\"games=2\", \"teams=pairs\", \"start=winners\", \"passing=yes\"", 4,
	  4 },
	{ "daupun", "\"rounds=2\"", 2, 2 },
	{ "daupun", "\"rounds=20\"", 2, 2 },
	{ "daupun", "\"rounds=20\", \"lowest=position\", \"first=cutter\"", 2,
	  2 },
	{ "doubles-dread", "\"rounds=1\"", 2, 4 },
	{ "doubles-dread", "\"rounds=3\"", 2, 4 },
	{ "doubles-dread", "\"rounds=2\", \"magic=12\"", 2, 4 },
	{ "daumen-drauf", "\"games=1\"", 2, 7 },
	{ "daumen-drauf", "\"games=2\"", 2, 7 },
	{ "daumen-drauf", "\"games=1\", \"twin=any\"", 3, 7 },
};

#define STAKES 300 /* of 1000 asks that allow one */

static bool
fits(const struct variant *variant, const char *game, unsigned seats)
{
	return strcmp(variant->game, game) == 0 && seats >= variant->least &&
	       seats <= variant->most;
}

void
variants_draw(struct scenario *scenario)
{
	struct dice dice = dice_of("variants", scenario->seed);
	const struct variant *one;
	unsigned ladder;

	for (ladder = 0; ladder < scenario->ladders; ladder++) {
		do {
			one = &variants[dice_draw(&dice, NELEM(variants))];
		} while (!fits(one, scenario->ladder[ladder].game,
			       scenario->ladder[ladder].seats));
		scenario->ladder[ladder].options = one->options;
	}
}

/* ---- moves ------------------------------------------------------------- */

static bool
has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);
	const char *at;

	for (at = strstr(list, word); at != NULL; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ' ') &&
		    (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

/* Chooses to lay down the highest card without a call.  Returns false if no card is
 * laid down here. */
static bool
discard_highest(const char *list, char *token)
{
	static const char ranks[] = "A23456789T", verb[] = "discard:";
	const char *at, *rank, *best = NULL;

	for (at = strstr(list, verb); at != NULL; at = strstr(at + 1, verb)) {
		rank = strchr(ranks, at[sizeof(verb) - 1]);
		if (rank == NULL || at[sizeof(verb) + 1] == ':' ||
		    (best != NULL && rank <= best))
			continue;
		best = rank;
		snprintf(token, sizeof("discard:XX"), "%s", at);
	}
	return best != NULL;
}

bool
variants_choose(struct dice *dice, const char *id, const char *list,
		char *token)
{
	static const char *const patient[][2] = { { "out", "in" },
						  { "leave", "stay" },
						  { "keep", "keep" } };
	size_t i;

	if (id[0] >= '8')
		return false;
	if (has_word(list, "stake") && dice_often(dice, STAKES)) {
		snprintf(token, sizeof("stake"), "stake");
		return true;
	}
	for (i = 0; i < NELEM(patient); i++)
		if (has_word(list, patient[i][0])) {
			snprintf(token, LINE_BOT_BYTES, "%s", patient[i][1]);
			return true;
		}
	return discard_highest(list, token);
}
