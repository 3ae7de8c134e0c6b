/* tests/unit/test-deal.c - the recipe of fair deals.
 *
 * Expected numbers were computed with Python's hashlib and a ChaCha20 written
 * from RFC 8439. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

#include "referee/table/deal.h"
#include "tests/unit/play.h"
#include "tests/unit/vectors.h"

#define NUMBERS_MAX 48 /* on a line of the vectors */

static struct game game;
static struct events ev;

static void
same_hex(const unsigned char *bytes, const char *hex)
{
	char have[65];

	sodium_bin2hex(have, sizeof(have), bytes, 32);
	cr_assert_str_eq(have, hex);
}

Test(deal, from_seed)
{
	struct deal deal;

	deal_from_seed(&deal, "first light", 1);
	cr_assert_str_eq(deal.id, "57acdcd9d9839a64ce7e552932a38296");
	same_hex(deal.secret, "c6f9740427c543ba202da6e25a124a0a"
			      "dc3b07c1a0ebec61e6b7ca82b6610eeb");
	same_hex(deal.commit, "207d10a5dba115a92e6f05c38ea1c7a0"
			      "dc9dfa3d280a11e3494d95503e0e512d");
	cr_assert(deal.seeded);

	deal_from_seed(&deal, "first light", 12);
	cr_assert_str_eq(deal.id, "a52bb7233ff4c569ae988f8e23463376");
	same_hex(deal.secret, "1a46f28640006bc14fcd03b83f07736c"
			      "53896c1c0d6ef386cdcdcce90928ad90");
}

Test(deal, commit_binds_id_and_secret)
{
	struct deal deal, other;

	deal_from_seed(&deal, "first light", 1);
	other = deal;
	memset(other.commit, 0, sizeof(other.commit));
	deal_commit(&other);
	cr_assert_eq(memcmp(deal.commit, other.commit, 32), 0);
	other.secret[31] ^= 1;
	deal_commit(&other);
	cr_assert_neq(memcmp(deal.commit, other.commit, 32), 0);
	other = deal;
	other.id[0] = '6';
	deal_commit(&other);
	cr_assert_neq(memcmp(deal.commit, other.commit, 32), 0);
}

Test(deal, random_deals_differ)
{
	struct deal a, b, check;

	deal_random(&a);
	deal_random(&b);
	cr_assert_eq(strlen(a.id), ID_BYTES);
	cr_assert_eq(strspn(a.id, "0123456789abcdef"), ID_BYTES);
	cr_assert_str_neq(a.id, b.id);
	cr_assert_neq(memcmp(a.secret, b.secret, sizeof(a.secret)), 0);
	cr_assert_not(a.seeded);
	check = a;
	deal_commit(&check);
	cr_assert_eq(memcmp(a.commit, check.commit, sizeof(a.commit)), 0);
}

static void
begin(const char *name, unsigned seats, const struct entropy *entropy,
      struct chance *chance)
{
	struct game_setup setup;
	struct deal deal;

	deal_from_seed(&deal, "first light", 1);
	play_setup(&setup, name, seats, "");
	deal_chance(&deal, &setup, entropy, chance);
	ev.wanted = true;
	events_clear(&ev);
	game_start(&game, &setup, chance, &ev);
}

static void
same_lines(const char *lines)
{
	cr_assert_eq(ev.used, strlen(lines), "%.*s", (int)ev.used, ev.text);
	cr_assert_eq(memcmp(ev.text, lines, ev.used), 0, "%.*s", (int)ev.used,
		     ev.text);
}

Test(deal, toepen_with_entropy)
{
	struct entropy entropy = { .bytes = { 0, 3, 32 } };
	struct chance chance;

	memcpy(entropy.byte[1], "\1\2\3", 3);
	memset(entropy.byte[2], 0xff, ENTROPY_BYTES);
	begin("toepen", 3, &entropy, &chance);
	same_hex(chance.seed, "77bfb168f11a5e9fc6ed643afe4ec44f"
			      "3076936bd0e355b2c91a52b295505885");
	same_lines("round 1 2\n"
		   "deal 0 {7C 8D JS 8S}0\n"
		   "deal 1 {KH TC QS AD}1\n"
		   "deal 2 {KS QC 9S 7H}2\n");
}

Test(deal, daumen_drauf_without_entropy)
{
	static const struct entropy none;
	struct chance chance;

	begin("daumen-drauf", 2, &none, &chance);
	same_hex(chance.seed, "b98ef6da5ff3c79b51b9a7798da643cd"
			      "3a43bdf54c1a6e72ccbfa818193c027a");
	same_lines("round 1 start 1\n"
		   "deal 0 {B4n Y4t B3t Y1t B2t}0\n"
		   "deal 1 {Y1n G3t G1t Y2t B2n}1\n"
		   "turn 1 1\n");
}

Test(deal, everything_named_is_in_the_seed)
{
	struct entropy entropy = { .bytes = { 0 } };
	struct chance base, other;
	struct game_setup setup;
	struct deal deal;

	deal_from_seed(&deal, "first light", 1);
	play_setup(&setup, "toepen", 3, "");
	deal_chance(&deal, &setup, &entropy, &base);

	entropy.bytes[2] = 1; /* one zero byte differs from none */
	deal_chance(&deal, &setup, &entropy, &other);
	cr_assert_neq(memcmp(base.seed, other.seed, sizeof(base.seed)), 0);
	entropy.bytes[2] = 0;

	play_setup(&setup, "toepen", 3, "points=14");
	deal_chance(&deal, &setup, &entropy, &other);
	cr_assert_neq(memcmp(base.seed, other.seed, sizeof(base.seed)), 0);

	play_setup(&setup, "toepen", 4, "");
	deal_chance(&deal, &setup, &entropy, &other);
	cr_assert_neq(memcmp(base.seed, other.seed, sizeof(base.seed)), 0);
}

/* ---- protocol/vectors/deal.txt ---------------------------------------- */

/* Holds what the vectors have said so far. */
struct recipe {
	struct deal deal;
	struct entropy entropy;
	struct chance chance;
	char game[64], text[64], options[256];
	const char *values[OPTIONS_MAX][2]; /* its one value, NULL */
	struct game_option option[OPTIONS_MAX + 1];
	unsigned seats, draws;
	unsigned n[NUMBERS_MAX]; /* numbers of the last `draws` */
};

/* "name=value name=value" as the options of a game. */
static void
read_options(struct recipe *recipe, const char *text)
{
	char *at = recipe->options, *value;
	struct game_option *option = recipe->option;

	snprintf(recipe->options, sizeof(recipe->options), "%s", text);
	for (; at && *at; option++) {
		*option = (struct game_option){ .name = at };
		value = strchr(at, '=');
		*value++ = '\0';
		option->values = recipe->values[option - recipe->option];
		recipe->values[option - recipe->option][0] = value;
		at = strchr(value, ' ');
		if (at)
			*at++ = '\0';
	}
	option->name = NULL;
}

static void
read_entropy(struct recipe *recipe, const struct vectors *v)
{
	unsigned seat = (unsigned)(v->value[0] - '0');
	size_t bytes;

	cr_assert_eq(sodium_hex2bin(recipe->entropy.byte[seat], ENTROPY_BYTES,
				    v->value + 2, v->n - 2, NULL, &bytes, NULL),
		     0);
	recipe->entropy.bytes[seat] = (uint8_t)bytes;
}

/* `ID K`. */
static void
read_block(struct recipe *recipe, const struct vectors *v)
{
	memset(&recipe->entropy, 0, sizeof(recipe->entropy));
	snprintf(recipe->deal.block, ID_BYTES + 1, "%s", v->value);
	recipe->deal.in_block = (unsigned)(v->value[v->n - 1] - '0');
}

static void
check_block(const struct recipe *recipe, const char *block)
{
	char made[ID_BYTES + 3];

	snprintf(made, sizeof(made), "%s %c", recipe->deal.block,
		 '0' + (char)recipe->deal.in_block);
	cr_assert_str_eq(made, block);
}

static void
check_seed(struct recipe *recipe, const char *seed)
{
	struct game_rules rules = { .name = recipe->game,
				    .options = recipe->option };
	struct game_setup setup;

	game_setup_init(&setup, &rules, recipe->seats);
	deal_chance(&recipe->deal, &setup, &recipe->entropy, &recipe->chance);
	same_hex(recipe->chance.seed, seed);
}

/* Reads numbers with commas between them. */
static unsigned
read_numbers(const char *text, unsigned n[NUMBERS_MAX])
{
	unsigned count = 0;
	char *end;

	do {
		cr_assert_lt(count, NUMBERS_MAX);
		n[count++] = (unsigned)strtoul(text, &end, 10);
		text = end + 1;
	} while (*end == ',');
	return count;
}

static void
check_words(const struct recipe *recipe, const char *text)
{
	struct chance chance = recipe->chance;
	unsigned n[NUMBERS_MAX], count = read_numbers(text, n), i;

	for (i = 0; i < count; i++)
		cr_assert_eq(chance_word(&chance), n[i]);
}

static void
check_drawn(const struct recipe *recipe, const char *text)
{
	struct chance chance = recipe->chance;
	unsigned n[NUMBERS_MAX], count = read_numbers(text, n), i;

	cr_assert_eq(count, recipe->draws);
	for (i = 0; i < count; i++)
		cr_assert_eq(chance_below(&chance, recipe->n[i]), n[i]);
}

/* Follows a line; returns true if it has an expected result. */
static bool
follow_vector(struct recipe *recipe, const struct vectors *v)
{
	if (vectors_is(v, "commit")) {
		deal_commit(&recipe->deal);
		same_hex(recipe->deal.commit, v->value);
	} else if (vectors_is(v, "seed")) {
		check_seed(recipe, v->value);
	} else if (vectors_is(v, "words")) {
		check_words(recipe, v->value);
	} else if (vectors_is(v, "drawn")) {
		check_drawn(recipe, v->value);
	} else if (vectors_is(v, "made-secret")) {
		same_hex(recipe->deal.secret, v->value);
	} else if (vectors_is(v, "made-id")) {
		cr_assert_str_eq(recipe->deal.id, v->value);
	} else if (vectors_is(v, "made-block")) {
		check_block(recipe, v->value);
	} else {
		return false;
	}
	return true;
}

/* Turns to any round of the seed, also one that a game would have left behind. */
static void
turn_to_round(struct chance *chance, uint32_t round)
{
	unsigned char seed[CHANCE_SEED_BYTES];

	memcpy(seed, chance->seed, sizeof(seed));
	chance_seed(chance, seed);
	if (round > 0)
		chance_round(chance, round);
}

static void
read_vector(struct recipe *recipe, const struct vectors *v)
{
	if (vectors_is(v, "id"))
		snprintf(recipe->deal.id, sizeof(recipe->deal.id), "%s",
			 v->value);
	else if (vectors_is(v, "game"))
		snprintf(recipe->game, sizeof(recipe->game), "%s", v->value);
	else if (vectors_is(v, "seats"))
		recipe->seats = (unsigned)strtoul(v->value, NULL, 10);
	else if (vectors_is(v, "options"))
		read_options(recipe, v->value);
	else if (vectors_is(v, "entropy"))
		read_entropy(recipe, v);
	else if (vectors_is(v, "block"))
		read_block(recipe, v);
	else if (vectors_is(v, "block-game"))
		deal_block_from_seed(&recipe->deal, recipe->text,
				     strtoul(v->value, NULL, 10),
				     (unsigned)(v->value[v->n - 1] - '0'));
	else if (vectors_is(v, "secret"))
		sodium_hex2bin(recipe->deal.secret, DEAL_SECRET_BYTES, v->value,
			       v->n, NULL, NULL, NULL);
	else if (vectors_is(v, "round"))
		turn_to_round(&recipe->chance,
			      (uint32_t)strtoul(v->value, NULL, 10));
	else if (vectors_is(v, "draws"))
		recipe->draws = read_numbers(v->value, recipe->n);
	else if (vectors_is(v, "text"))
		snprintf(recipe->text, sizeof(recipe->text), "%s", v->value);
	else if (vectors_is(v, "game-number"))
		deal_from_seed(&recipe->deal, recipe->text,
			       strtoul(v->value, NULL, 10));
	else
		cr_assert_fail("line %u: key %s", v->number, v->key);
}

Test(deal, vectors)
{
	struct vectors v = vectors_open("deal.txt");
	static struct recipe recipe;
	unsigned checked = 0;

	while (vectors_next(&v)) {
		if (follow_vector(&recipe, &v))
			checked++;
		else
			read_vector(&recipe, &v);
	}
	vectors_release(&v);
	cr_assert_gt(checked, 10);
}
