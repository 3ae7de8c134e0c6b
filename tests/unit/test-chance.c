/* tests/unit/test-chance.c - where cards come from.
 *
 * Numbers of the recipe were computed with a ChaCha20 in Python, written from
 * RFC 8439. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

#include "referee/games/chance.h"
#include "referee/games/game.h"
#include "tests/unit/expect-bug.h"

static const struct deck colours = {
	.count = 4,
	.name = { "red", "sky", "tan", "jet" },
};

static void
seed_counting(struct chance *chance)
{
	unsigned char seed[CHANCE_SEED_BYTES];
	unsigned i;

	for (i = 0; i < sizeof(seed); i++)
		seed[i] = (unsigned char)i;
	chance_seed(chance, seed);
}

/* RFC 8439, A.1: test vectors 1 and 2 (key and nonce zero, counters 0 and 1).
 * Block 1 begins the stream of round 1. */
Test(chance, the_stream_is_chacha20)
{
	static const unsigned char zero[CHANCE_SEED_BYTES];
	static const uint32_t begins[2][2] = { { 0xade0b876, 0x903df1a0 },
					       { 0xbee7079f, 0x7a385155 } };
	static const uint32_t ends[2] = { 0x8665eeb2, 0x6f4d794b };
	struct chance chance;
	unsigned round, i;

	chance_seed(&chance, zero);
	for (round = 0; round < 2; round++) {
		if (round > 0)
			chance_round(&chance, round);
		cr_expect_eq(chance_word(&chance), begins[round][0]);
		cr_expect_eq(chance_word(&chance), begins[round][1]);
		for (i = 2; i < 15; i++)
			chance_word(&chance);
		cr_expect_eq(chance_word(&chance), ends[round]);
	}
}

Test(chance, a_round_draws_from_every_65536th_block)
{
	static const struct {
		uint32_t round, word[4]; /* numbers 0, 16, 32 and 48 */
	} rounds[] = {
		{ 0, { 0x7d2bfd39, 0xb85fa7e9, 0x751c298e, 0x9a4a9e5d } },
		{ 1, { 0x3142b818, 0x429d4a5d, 0xfb87b348, 0xa13c6520 } },
		{ 9, { 0x898ef797, 0xd3ac290a, 0xac70e0d6, 0x349dd579 } },
		{ 65535, { 0x476b3205, 0x6bb9f092, 0xfdfd612d, 0x9c41c0fc } },
	};
	struct chance chance;
	unsigned i, j;
	uint32_t word;

	seed_counting(&chance);
	for (i = 0; i < NELEM(rounds); i++) {
		if (rounds[i].round > 0)
			chance_round(&chance, rounds[i].round);
		for (j = 0; j < 64; j++) {
			word = chance_word(&chance);
			if (j % 16 == 0)
				cr_expect_eq(word, rounds[i].word[j / 16]);
		}
	}
}

/* Returns word number `i` of the round, of a block made for it alone. */
static uint32_t
recipe_word(const struct chance *chance, uint32_t round, uint32_t i)
{
	static const unsigned char zero[64];
	unsigned char nonce[crypto_stream_chacha20_ietf_NONCEBYTES] = { 0 };
	unsigned char block[64];
	const unsigned char *at = &block[i % 16 * 4];

	nonce[0] = (unsigned char)(i / 16 / 65536);
	crypto_stream_chacha20_ietf_xor_ic(block, zero, sizeof(block), nonce,
					   round + i / 16 % 65536 * 65536,
					   chance->seed);
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static void
same_round(struct chance *chance, uint32_t round, uint32_t words)
{
	uint32_t i;

	if (round > 0)
		chance_round(chance, round);
	for (i = 0; i < words; i++)
		cr_assert_eq(chance_word(chance), recipe_word(chance, round, i),
			     "word %u of round %u", i, round);
}

/* A round does not depend on the rounds made before it: near ones and far ones, none or
 * some words, in one to four blocks. */
Test(chance, any_rounds_may_be_left_out)
{
	static const uint32_t near[] = { 0, 8, 256, 65528 };
	static const uint32_t words[] = { 0,  1,  15, 16, 17, 31,
					  32, 33, 47, 48, 49, 64 };
	struct chance chance, dice;
	unsigned i, k, round;

	seed_counting(&dice);
	chance = dice;
	for (round = 0; round < 40; round++)
		same_round(&chance, round, 49);
	for (i = 0; i < 200; i++) {
		seed_counting(&chance);
		for (k = 0; k < NELEM(near); k++)
			for (round = near[k]; round < near[k] + 8; round++)
				if (chance_below(&dice, 2))
					same_round(
						&chance, round,
						words[chance_below(
							&dice, NELEM(words))]);
	}
}

/* A new seed replaces the old one completely. */
Test(chance, a_new_seed_makes_another_stream)
{
	static const unsigned char zero[CHANCE_SEED_BYTES];
	struct chance chance;

	seed_counting(&chance);
	same_round(&chance, 1, 33);
	chance_seed(&chance, zero);
	same_round(&chance, 1, 33);
}

/* The recipe has a last block, and more words come behind it. */
Test(chance, a_million_words_are_not_the_end)
{
	static const uint32_t rounds[] = { 3, 65534 };
	struct chance chance;
	unsigned i, k;

	seed_counting(&chance);
	for (k = 0; k < NELEM(rounds); k++) {
		chance_round(&chance, rounds[k]);
		chance.block = 65535;
		for (i = 65535 * 16; i < 65538 * 16; i++)
			cr_assert_eq(chance_word(&chance),
				     recipe_word(&chance, rounds[k], i));
		same_round(&chance, rounds[k] + 1, 33);
	}
}

Test(chance, a_round_too_many_is_our_bug)
{
	struct chance chance;

	seed_counting(&chance);
	EXPECT_BUG("round 65536 is one too many", chance_round(&chance, 65536));
}

/* A bot that plays many playouts with one seeded chance makes this mistake. */
Test(chance, a_round_that_comes_again_is_our_bug)
{
	struct chance chance;

	seed_counting(&chance);
	chance_round(&chance, 3);
	chance_word(&chance);
	EXPECT_BUG("round 3 begins after round 3: a seeded chance is for one "
		   "game, played once (see chance_drawn)",
		   chance_round(&chance, 3));
}

Test(chance, an_earlier_round_is_our_bug)
{
	struct chance chance;

	seed_counting(&chance);
	chance_round(&chance, 3);
	EXPECT_BUG("round 2 begins after round 3: a seeded chance is for one "
		   "game, played once (see chance_drawn)",
		   chance_round(&chance, 2));
}

/* The copy may be made before, in and between blocks. */
Test(chance, a_copy_goes_on_alike)
{
	struct chance chance, copy;
	unsigned drawn, i;

	for (drawn = 0; drawn < 50; drawn++) {
		seed_counting(&chance);
		chance_round(&chance, 6);
		for (i = 0; i < drawn; i++)
			chance_word(&chance);
		copy = chance;
		chance_round(&chance, 7);
		chance_word(&chance);
		memset(&chance, 0, sizeof(chance));
		for (; i < 70; i++)
			cr_assert_eq(chance_word(&copy),
				     recipe_word(&copy, 6, i));
		same_round(&copy, 7, 33);
		same_round(&copy, 8, 33);
	}
}

/* Makes these the next words of the stream. */
static void
put_words(struct chance *chance, const uint32_t *word, unsigned n)
{
	chance->next = CHANCE_BLOCK_WORDS - n;
	memcpy(chance->word + chance->next, word, n * sizeof(*word));
}

/* 2^32 mod 3 is 1: only the word 0 would favour a number; 2^32 mod 0x80000001
 * is 0x7fffffff: nearly half of the words are skipped. */
Test(chance, words_that_would_favour_a_number_are_skipped)
{
	static const uint32_t word[] = { 0, 0x55555556, 0xfffffffd,
					 0xffffffff };
	struct chance chance;

	seed_counting(&chance);
	put_words(&chance, word, NELEM(word));
	cr_assert_eq(chance_below(&chance, 3), 1);
	cr_assert_eq(chance_below(&chance, 0x80000001), 0x80000000);
	cr_assert_eq(chance.next, CHANCE_BLOCK_WORDS);
}

Test(chance, a_power_of_two_skips_nothing)
{
	static const uint32_t word[] = { 0, 0xffffffff };
	struct chance chance;

	seed_counting(&chance);
	put_words(&chance, word, NELEM(word));
	cr_assert_eq(chance_below(&chance, 32), 0);
	cr_assert_eq(chance_below(&chance, 32), 31);
}

Test(chance, one_possibility_takes_no_word)
{
	struct chance chance;
	struct events ev = { .wanted = false };
	uint32_t next;

	seed_counting(&chance);
	chance_word(&chance);
	next = chance.next;
	cr_assert_eq(chance_below(&chance, 1), 0);
	cr_assert_eq(chance_card(&chance, &ev, 1u << 2, &colours), 2);
	cr_assert_eq(chance_number(&chance, &ev, 0, 1), 0);
	cr_assert_eq(chance.next, next);
}

Test(chance, a_card_is_counted_from_the_lowest_piece_left)
{
	/* 1 and 2 of 3, 2 of 7. */
	static const uint32_t word[] = { 0x60000000, 0xb0000000, 0x50000000 };
	struct chance chance;
	struct events ev = { .wanted = false };

	seed_counting(&chance);
	put_words(&chance, word, NELEM(word));
	cr_assert_eq(chance_card(&chance, &ev, 0xb, &colours), 1); /* 0 1 3 */
	cr_assert_eq(chance_card(&chance, &ev, 0xb, &colours), 3);
	cr_assert_eq(chance_number(&chance, &ev, 0, 7), 2);
	cr_assert_not(chance.failed);
}

/* The cards 0 1 1 3 3 are numbered with the copies side by side. */
Test(chance, copies_are_counted_too)
{
	static const unsigned card[] = { 0, 1, 1, 3, 3 };
	static const uint32_t of_five[] = { 0x10000000, 0x40000000, 0x80000000,
					    0xb0000000, 0xe0000000 };
	struct chance chance;
	struct events ev = { .wanted = false };
	unsigned i;

	seed_counting(&chance);
	for (i = 0; i < 5; i++) {
		put_words(&chance, &of_five[i], 1);
		cr_expect_eq(chance_two_decks(&chance, &ev, 0xb, 0xa, &colours),
			     card[i]);
		cr_expect_eq(chance.next, CHANCE_BLOCK_WORDS);
	}
	put_words(&chance, &of_five[3], 1); /* of three, the last */
	cr_expect_eq(chance_two_decks(&chance, &ev, 0xb, 0, &colours), 3);
	put_words(&chance, &of_five[3], 1);
	cr_expect_eq(chance_two_decks(&chance, &ev, 0x4, 0, &colours), 2);
	cr_expect_eq(chance.next, CHANCE_BLOCK_WORDS - 1);
}

Test(chance, all_pieces_come_about_equally_often)
{
	struct chance chance;
	struct events ev = { .wanted = false };
	unsigned count[4] = { 0 }, i;

	seed_counting(&chance);
	for (i = 0; i < 4000; i++)
		count[chance_card(&chance, &ev, 0xf, &colours)]++;
	for (i = 0; i < 4; i++)
		cr_expect(count[i] > 850 && count[i] < 1150, "piece %u: %u", i,
			  count[i]);
}

/* ---- drawn ------------------------------------------------------------ */

static void
draws_counting(struct draws *draws)
{
	unsigned char seed[DRAWS_SEED_BYTES];
	unsigned i;

	for (i = 0; i < sizeof(seed); i++)
		seed[i] = (unsigned char)i;
	draws_seed(draws, seed);
}

/* The words of block 0 and of block 65536 are those of round 0. */
Test(draws, the_stream_is_chacha20)
{
	static const unsigned char zero[DRAWS_SEED_BYTES];
	struct chance round_0;
	struct draws draws;
	unsigned i;

	draws_seed(&draws, zero);
	cr_expect_eq(draws_word(&draws), 0xade0b876);
	cr_expect_eq(draws_word(&draws), 0x903df1a0);
	for (i = 2; i < 16; i++)
		draws_word(&draws);
	cr_expect_eq(draws_word(&draws), 0xbee7079f);
	for (i = 17; i < 31; i++)
		draws_word(&draws);
	cr_expect_eq(draws_word(&draws), 0x6f4d794b);

	draws_counting(&draws);
	seed_counting(&round_0);
	for (i = 0; i < 16; i++)
		cr_expect_eq(draws_word(&draws), chance_word(&round_0));
	for (; i < 65536 * 16; i++)
		draws_word(&draws);
	for (i = 0; i < 16; i++)
		cr_expect_eq(draws_word(&draws), chance_word(&round_0));
}

/* Beyond 2^32 blocks there are more. */
Test(draws, the_stream_does_not_begin_again)
{
	struct draws draws, later;
	unsigned i, same = 0;

	draws_counting(&draws);
	draws_counting(&later);
	later.made = (uint64_t)1 << 32;
	for (i = 0; i < 2 * DRAWS_WORDS; i++)
		same += draws_word(&draws) == draws_word(&later);
	cr_assert_eq(same, 0);
}

Test(draws, words_that_would_favour_a_number_are_skipped)
{
	static const uint32_t word[] = { 0, 0x55555556, 0xfffffffd,
					 0xffffffff };
	struct draws draws;

	draws_counting(&draws);
	draws.next = DRAWS_WORDS - NELEM(word);
	memcpy(&draws.word[draws.next], word, sizeof(word));
	cr_assert_eq(draws_below(&draws, 3), 1);
	cr_assert_eq(draws_below(&draws, 0x80000001), 0x80000000);
	cr_assert_eq(draws.next, DRAWS_WORDS);
}

/* The draws go on when rounds begin. */
Test(chance, rounds_do_not_rewind_what_is_drawn_from)
{
	struct events ev = { .wanted = false };
	struct draws draws, same;
	struct chance chance;
	unsigned i;

	draws_counting(&draws);
	same = draws;
	chance_drawn(&chance, &draws);
	for (i = 0; i < 1000; i++) {
		chance_round(&chance, i % 3);
		cr_assert_eq(chance_card(&chance, &ev, 0xf, &colours),
			     draws_below(&same, 4));
		cr_assert_eq(chance_two_decks(&chance, &ev, 1, 1, &colours), 0);
		draws_below(&same, 2);
		cr_assert_eq(chance_number(&chance, &ev, 0, 7),
			     draws_below(&same, 7));
	}
	cr_assert_not(chance.failed);
}

/* A chance that is not seeded has no stream. */
Test(chance, words_of_one_that_is_not_seeded_are_our_bug)
{
	struct chance chance;
	struct draws draws;

	draws_counting(&draws);
	chance_drawn(&chance, &draws);
	EXPECT_BUG("words of a chance that is not seeded",
		   chance_word(&chance));
}

/* Other deals come from one type, the table's cards from another: passing the
 * wrong one does not compile. */
_Static_assert(_Generic(&game_resample,
			void (*)(struct game *, int, struct draws *) : 1,
			default : 0),
	       "other deals are drawn, not seeded");
_Static_assert(_Generic(&game_quiet,
			void (*)(struct game *, struct chance *,
				 struct events *) : 1,
			default : 0),
	       "the engines take a chance");

/* ---- scripted --------------------------------------------------------- */

struct answers {
	struct chance_script script;
	const char *token;
	unsigned line, at; /* what was asked for last */
};

static bool
give_answer(struct chance_script *script, unsigned line, unsigned token,
	    char to[32])
{
	struct answers *answers = (struct answers *)(void *)script;

	answers->line = line;
	answers->at = token;
	if (!answers->token)
		return false;
	memcpy(to, answers->token, strlen(answers->token) + 1);
	return true;
}

static struct events ev_text;

static struct chance
scripted(struct answers *answers)
{
	struct chance chance;

	*answers = (struct answers){ .script.token = give_answer };
	chance_scripted(&chance, &answers->script);
	ev_text.wanted = true;
	events_clear(&ev_text);
	event_begin(&ev_text, "one");
	event_end(&ev_text);
	event_begin(&ev_text, "two");
	event_number(&ev_text, 0);
	return chance;
}

Test(chance, a_scripted_draw_is_the_token_at_this_place)
{
	struct answers answers;
	struct chance chance = scripted(&answers);

	answers.token = "tan";
	cr_assert_eq(chance_card(&chance, &ev_text, 0xf, &colours), 2);
	cr_assert_eq(answers.line, 1);
	cr_assert_eq(answers.at, 2);
	cr_assert_eq(chance_two_decks(&chance, &ev_text, 0xf, 0x3, &colours),
		     2);
	cr_assert_eq(answers.at, 2);
	event_word(&ev_text, "tan");
	answers.token = "12";
	cr_assert_eq(chance_number(&chance, &ev_text, 0, 13), 12);
	cr_assert_eq(answers.at, 3);
	chance_round(&chance, 1);
	cr_assert_not(chance.failed);
}

/* The token of the number is not the next one; with a seed that makes no
 * difference. */
Test(chance, a_number_of_a_later_token)
{
	struct answers answers;
	struct chance chance = scripted(&answers), same;
	unsigned i;

	answers.token = "3";
	cr_assert_eq(chance_number(&chance, &ev_text, 2, 4), 3);
	cr_assert_eq(answers.line, 1);
	cr_assert_eq(answers.at, 4);
	cr_assert_not(chance.failed);
	answers.token = "4";
	cr_assert_eq(chance_number(&chance, &ev_text, 2, 4), 0);
	cr_assert(chance.failed);
	seed_counting(&chance);
	same = chance;
	for (i = 0; i < 100; i++)
		cr_assert_eq(chance_number(&chance, &ev_text, i % 9, 7),
			     chance_number(&same, &ev_text, 0, 7));
}

Test(chance, a_scripted_token_that_cannot_come_is_noted)
{
	static const char *const cards[] = { "tan", "blue", "", "?", NULL };
	static const char *const numbers[] = { "13", "-1", "01", "x", NULL };
	struct answers answers;
	struct chance chance;
	unsigned i;

	for (i = 0; i < 5; i++) {
		chance = scripted(&answers);
		answers.token = cards[i];
		cr_expect_eq(chance_card(&chance, &ev_text, 0xa, &colours), 1);
		cr_expect(chance.failed, "card %u", i);

		chance = scripted(&answers);
		answers.token = numbers[i];
		cr_expect_eq(chance_number(&chance, &ev_text, 0, 13), 0);
		cr_expect(chance.failed, "number %u", i);
	}
}

/* ---- a script that gives the pieces itself ------------------------------ */

static card_set asked_from, asked_twice;

static int
third_piece(struct chance_script *script, const struct events *ev,
	    card_set from, card_set twice, const struct deck *deck)
{
	(void)script;
	(void)ev;
	(void)deck;
	asked_from = from;
	asked_twice = twice;
	return 2;
}

/* The script is called with all pieces that may be drawn, and has failed if it
 * returns another one. */
Test(chance, a_script_gives_the_piece)
{
	struct answers answers;
	struct chance chance = scripted(&answers);

	answers.script.card = third_piece;
	cr_assert_eq(chance_card(&chance, &ev_text, 0xf, &colours), 2);
	cr_assert_eq(asked_from, 0xf);
	cr_assert_eq(asked_twice, 0);
	cr_assert_eq(chance_two_decks(&chance, &ev_text, 0xe, 0x6, &colours),
		     2);
	cr_assert_eq(asked_from, 0xe);
	cr_assert_eq(asked_twice, 0x6);
	cr_assert(!chance.failed);
	cr_assert_eq(chance_card(&chance, &ev_text, 0xa, &colours), 1);
	cr_assert(chance.failed);
}
