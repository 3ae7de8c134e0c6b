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
#define TRANSFERS 700
#define ADDS 300

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

/* Returns the first word of a list that begins with this, or NULL. */
static const char *
find_verb(const char *list, const char *verb)
{
	const char *at = strstr(list, verb);

	while (at != NULL && at != list && at[-1] != ' ')
		at = strstr(at + 1, verb);
	return at;
}

static void
take(const char *word, char *token)
{
	snprintf(token, LINE_BOT_BYTES, "%.*s", (int)strcspn(word, " "), word);
}

/* ---- the same cards in two hands ---------------------------------------- */

#define RANKS 10
static const char ranks[] = "A23456789T";

/* Counts the cards of each rank. */
struct hand {
	unsigned char of[RANKS];
};

/* The hands of the bots of a game, which they tell each other.  A new game takes the
 * place of the oldest one. */
#define PAIRS 64
static struct pair {
	char id[ID_BYTES + 1];
	struct hand hand[2];
} pairs[PAIRS];
static unsigned paired;

static struct pair *
pair_of(const char *id)
{
	struct pair *pair = pairs;

	while (pair < pairs + PAIRS && strcmp(pair->id, id) != 0)
		pair++;
	if (pair < pairs + PAIRS)
		return pair;
	pair = &pairs[paired++ % PAIRS];
	memset(pair, 0, sizeof(*pair));
	snprintf(pair->id, sizeof(pair->id), "%s", id);
	return pair;
}

/* Returns RANKS for what is no card. */
static unsigned
rank_of(const char *card)
{
	const char *rank = *card == '\0' ? NULL : strchr(ranks, *card);

	return rank == NULL ? RANKS : (unsigned)(rank - ranks);
}

static unsigned
count_common(const struct hand *a, const struct hand *b)
{
	unsigned rank, count = 0;

	for (rank = 0; rank < RANKS; rank++)
		count += a->of[rank] < b->of[rank] ? a->of[rank] : b->of[rank];
	return count;
}

/* Lays down, without a call, a card that leaves as much as possible in common, and of
 * such cards the highest.  Returns false if no card is laid down here. */
static bool
discard(struct pair *pair, unsigned seat, const char *list, char *token)
{
	static const char verb[] = "discard:";
	const char *at, *best = NULL;
	struct hand hand = { { 0 } }, rest;
	unsigned rank, most = 0, worth;

	for (at = find_verb(list, verb); at != NULL;
	     at = find_verb(at + 1, verb)) {
		rank = rank_of(at + sizeof(verb) - 1);
		hand.of[rank % RANKS] +=
			at[sizeof(verb) + 1] != ':' && rank < RANKS;
	}
	for (at = find_verb(list, verb); at != NULL;
	     at = find_verb(at + 1, verb)) {
		rank = rank_of(at + sizeof(verb) - 1);
		if (at[sizeof(verb) + 1] == ':' || rank == RANKS)
			continue;
		rest = hand;
		rest.of[rank]--;
		worth = 1 + rank +
			RANKS * count_common(&rest, &pair->hand[!seat]);
		if (worth <= most)
			continue;
		most = worth;
		best = at;
		pair->hand[seat] = rest;
	}
	if (best != NULL)
		take(best, token);
	return best != NULL;
}

/* Takes a card back if more is in common then.  Returns false if no card can be. */
static bool
swap(struct pair *pair, unsigned seat, const char *list, char *token)
{
	static const char verb[] = "swap:";
	const struct hand now = pair->hand[seat];
	unsigned most = count_common(&now, &pair->hand[!seat]);
	unsigned from, to, common;
	const char *at = find_verb(list, verb);
	struct hand then;

	if (at == NULL)
		return false;
	snprintf(token, sizeof("keep"), "keep");
	for (; at != NULL; at = find_verb(at + 1, verb)) {
		from = rank_of(at + sizeof(verb) - 1);
		to = rank_of(at + sizeof(verb) + 2);
		if (from == RANKS || to == RANKS || now.of[from] == 0)
			continue;
		then = now;
		then.of[from]--;
		then.of[to]++;
		common = count_common(&then, &pair->hand[!seat]);
		if (common <= most)
			continue;
		most = common;
		pair->hand[seat] = then;
		take(at, token);
	}
	return true;
}

/* ---- a move -------------------------------------------------------------- */

bool
variants_choose(struct dice *dice, const char *id, unsigned seat,
		const char *list, char *token)
{
	static const char *const patient[][2] = { { "out", "in" },
						  { "leave", "stay" },
						  { "keep", "keep" } };
	static const struct {
		const char *verb;
		unsigned many; /* of 1000 asks that allow it */
	} bold[] = { { "transfer:", TRANSFERS }, { "add:", ADDS } };
	size_t i;

	if (id[0] >= '8')
		return false;
	for (i = 0; i < NELEM(bold); i++)
		if (find_verb(list, bold[i].verb) != NULL &&
		    dice_often(dice, bold[i].many)) {
			take(find_verb(list, bold[i].verb), token);
			return true;
		}
	if (has_word(list, "stake") && dice_often(dice, STAKES)) {
		snprintf(token, sizeof("stake"), "stake");
		return true;
	}
	if (find_verb(list, "swap:") != NULL)
		return swap(pair_of(id), seat % 2, list, token);
	for (i = 0; i < NELEM(patient); i++)
		if (has_word(list, patient[i][0])) {
			snprintf(token, LINE_BOT_BYTES, "%s", patient[i][1]);
			return true;
		}
	return find_verb(list, "discard:") != NULL &&
	       discard(pair_of(id), seat % 2, list, token);
}
