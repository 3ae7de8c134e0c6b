/* tests/unit/test-deal.c - the recipe of fair deals.
 *
 * Expected numbers were worked out with Python's hashlib and a ChaCha20
 * written from RFC 8439. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

#include "referee/deal.h"
#include "tests/unit/leaks.h"
#include "tests/unit/play.h"

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
	NO_LEAKS();
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
	NO_LEAKS();
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
	NO_LEAKS();
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
	same_lines("round 1 1\n"
		   "deal 2 {JC KD QS AS}2\n"
		   "deal 0 {AC AH TH 7C}0\n"
		   "deal 1 {9C AD 7S 9D}1\n");
	NO_LEAKS();
}

Test(deal, daumen_drauf_without_entropy)
{
	static const struct entropy none;
	struct chance chance;

	begin("daumen-drauf", 2, &none, &chance);
	same_hex(chance.seed, "c4669ad831b6613886536b4a9b3114e7"
			      "1daf120c064ff9a96e1e76100d68d45d");
	same_lines("round 1 start 1\n"
		   "deal 0 {B4n Y3n Y4t B3t Y2t}0\n"
		   "deal 1 {G3n Y1n Y2n G1n G3t}1\n"
		   "turn 1 1\n");
	NO_LEAKS();
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

	entropy.bytes[2] = 1; /* one zero byte is not nothing */
	deal_chance(&deal, &setup, &entropy, &other);
	cr_assert_neq(memcmp(base.seed, other.seed, sizeof(base.seed)), 0);
	entropy.bytes[2] = 0;

	play_setup(&setup, "toepen", 3, "points=14");
	deal_chance(&deal, &setup, &entropy, &other);
	cr_assert_neq(memcmp(base.seed, other.seed, sizeof(base.seed)), 0);

	play_setup(&setup, "toepen", 4, "");
	deal_chance(&deal, &setup, &entropy, &other);
	cr_assert_neq(memcmp(base.seed, other.seed, sizeof(base.seed)), 0);
	NO_LEAKS();
}

/* Options stand in the rules' order, "name=value" joined by one space. */
Test(deal, several_options)
{
	static const char *const values[] = { "none", "some", NULL };
	static const struct game_option options[] = {
		{ .name = "length", .kind = OPTION_INTEGER, .preset = 7 },
		{ .name = "wild", .kind = OPTION_CHOICE, .values = values },
		{ .name = NULL },
	};
	static const struct game_rules rules = { .name = "two-options",
						 .options = options };
	static const struct entropy none;
	struct game_setup setup;
	struct chance chance;
	struct deal deal;

	deal_from_seed(&deal, "first light", 1);
	game_setup_init(&setup, &rules, 2);
	deal_chance(&deal, &setup, &none, &chance);
	same_hex(chance.seed, "d59cf994d00e9ba70be7281906da4890"
			      "f144308b07476d00a54a4319bb24d34b");
	NO_LEAKS();
}
