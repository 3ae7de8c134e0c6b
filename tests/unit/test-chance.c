/* tests/unit/test-chance.c - the seeded stream and the scripted one.
 *
 * Numbers of the recipe were worked out with Python's hashlib and a ChaCha20
 * written from RFC 8439. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

#include "referee/chance.h"
#include "tests/unit/leaks.h"

static const struct deck colours = {
	.count = 4,
	.name = { "red", "sky", "tan", "jet" },
};

static void
same_hex(const unsigned char *bytes, const char *hex)
{
	char have[65];

	sodium_bin2hex(have, sizeof(have), bytes, 32);
	cr_assert_str_eq(have, hex);
}

static void
seed_counting(struct chance *chance)
{
	unsigned char seed[CHANCE_SEED_BYTES];
	unsigned i;

	for (i = 0; i < sizeof(seed); i++)
		seed[i] = (unsigned char)i;
	chance_seed(chance, seed);
}

/* RFC 8439, A.1: test vectors 1 and 2 (key and nonce zero, counters 0 and 1),
 * and the block after the first refill. */
Test(chance, the_stream_is_chacha20)
{
	struct chance chance;
	uint32_t word[2 * CHANCE_WORDS];
	unsigned i;

	memset(&chance, 0, sizeof(chance));
	chance.next = CHANCE_WORDS;
	for (i = 0; i < 2 * CHANCE_WORDS; i++)
		word[i] = chance_word(&chance);
	cr_assert_eq(word[0], 0xade0b876);
	cr_assert_eq(word[1], 0x903df1a0);
	cr_assert_eq(word[15], 0x8665eeb2);
	cr_assert_eq(word[16], 0xbee7079f);
	cr_assert_eq(word[17], 0x7a385155);
	cr_assert_eq(word[CHANCE_WORDS], 0xd522881c);
	cr_assert_eq(word[CHANCE_WORDS + 1], 0x7deed13c);
	NO_LEAKS();
}

Test(chance, each_round_has_its_key)
{
	struct chance chance;

	seed_counting(&chance);
	same_hex(chance.key, "f9d3e609eba565325befac17b3ee717f"
			     "30b08519cc240eea665bf913e785582f");
	chance_round(&chance, 1);
	same_hex(chance.key, "91d17bf9627c7562784010a65a2d1430"
			     "060603b20e4c2f1c539309ade4ced756");
	chance_round(&chance, 4000000000);
	same_hex(chance.key, "dbd19192d6511b6bc793e38a02d2f22c"
			     "75aacda89880b5e334b883c9192ca37e");
	NO_LEAKS();
}

Test(chance, a_round_begins_its_stream_anew)
{
	struct chance chance;
	uint32_t first, second;

	seed_counting(&chance);
	chance_round(&chance, 3);
	first = chance_word(&chance);
	second = chance_word(&chance);
	cr_assert_neq(first, second);
	chance_round(&chance, 4);
	cr_assert_neq(chance_word(&chance), first);
	chance_round(&chance, 3);
	cr_assert_eq(chance_word(&chance), first);
	cr_assert_eq(chance_word(&chance), second);
	NO_LEAKS();
}

Test(chance, a_copy_goes_on_alike)
{
	struct chance chance, copy;
	unsigned i;

	seed_counting(&chance);
	chance_word(&chance);
	copy = chance;
	for (i = 0; i < 3 * CHANCE_WORDS; i++)
		cr_assert_eq(chance_word(&chance), chance_word(&copy));
	NO_LEAKS();
}

/* 2^32 mod 3 is 1: only the largest word would favour a number; of 2^32 mod
 * 0x80000001 = 0x7fffffff words nearly half are skipped. */
Test(chance, words_that_would_favour_a_number_are_skipped)
{
	struct chance chance;

	seed_counting(&chance);
	chance.next = CHANCE_WORDS - 4;
	chance.word[CHANCE_WORDS - 4] = 0xffffffff;
	chance.word[CHANCE_WORDS - 3] = 0xfffffffe;
	chance.word[CHANCE_WORDS - 2] = 0x80000001;
	chance.word[CHANCE_WORDS - 1] = 0x80000000;
	cr_assert_eq(chance_below(&chance, 3), 0xfffffffe % 3);
	cr_assert_eq(chance_below(&chance, 0x80000001), 0x80000000);
	cr_assert_eq(chance.next, CHANCE_WORDS);
	NO_LEAKS();
}

Test(chance, a_power_of_two_skips_nothing)
{
	struct chance chance;

	seed_counting(&chance);
	chance.next = CHANCE_WORDS - 1;
	chance.word[CHANCE_WORDS - 1] = 0xffffffff;
	cr_assert_eq(chance_below(&chance, 32), 31);
	NO_LEAKS();
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
	cr_assert_eq(chance_number(&chance, &ev, 1), 0);
	cr_assert_eq(chance.next, next);
	NO_LEAKS();
}

Test(chance, a_card_is_counted_from_the_lowest_piece_left)
{
	struct chance chance;
	struct events ev = { .wanted = false };

	seed_counting(&chance);
	chance.next = CHANCE_WORDS - 3;
	chance.word[CHANCE_WORDS - 3] = 4;
	chance.word[CHANCE_WORDS - 2] = 5;
	chance.word[CHANCE_WORDS - 1] = 2;
	cr_assert_eq(chance_card(&chance, &ev, 0xb, &colours), 1); /* 0 1 3 */
	cr_assert_eq(chance_card(&chance, &ev, 0xb, &colours), 3);
	cr_assert_eq(chance_number(&chance, &ev, 7), 2);
	cr_assert_not(chance.failed);
	NO_LEAKS();
}

/* Of 0 1 1 3 3 the copies stand side by side. */
Test(chance, copies_are_counted_too)
{
	static const unsigned card[] = { 0, 1, 1, 3, 3 };
	struct chance chance;
	struct events ev = { .wanted = false };
	unsigned i;

	seed_counting(&chance);
	for (i = 0; i < 5; i++) {
		chance.next = CHANCE_WORDS - 1;
		chance.word[CHANCE_WORDS - 1] = 5 + i;
		cr_expect_eq(chance_two_decks(&chance, &ev, 0xb, 0xa, &colours),
			     card[i]);
		cr_expect_eq(chance.next, CHANCE_WORDS);
	}
	chance.next = CHANCE_WORDS - 1;
	chance.word[CHANCE_WORDS - 1] = 5;
	cr_expect_eq(chance_two_decks(&chance, &ev, 0xb, 0, &colours), 3);
	chance.next = CHANCE_WORDS - 1;
	cr_expect_eq(chance_two_decks(&chance, &ev, 0x4, 0, &colours), 2);
	cr_expect_eq(chance.next, CHANCE_WORDS - 1);
	NO_LEAKS();
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
	NO_LEAKS();
}

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
	cr_assert_eq(chance_number(&chance, &ev_text, 13), 12);
	cr_assert_eq(answers.at, 3);
	chance_round(&chance, 1);
	cr_assert_not(chance.failed);
	NO_LEAKS();
}

/* A number whose token is not the next one; seeded, that is no difference. */
Test(chance, a_number_of_a_later_token)
{
	struct answers answers;
	struct chance chance = scripted(&answers), same;
	unsigned i;

	answers.token = "3";
	cr_assert_eq(chance_number_after(&chance, &ev_text, 2, 4), 3);
	cr_assert_eq(answers.line, 1);
	cr_assert_eq(answers.at, 4);
	cr_assert_not(chance.failed);
	answers.token = "4";
	cr_assert_eq(chance_number_after(&chance, &ev_text, 2, 4), 0);
	cr_assert(chance.failed);
	seed_counting(&chance);
	same = chance;
	for (i = 0; i < 100; i++)
		cr_assert_eq(chance_number_after(&chance, &ev_text, i % 9, 7),
			     chance_number(&same, &ev_text, 7));
	NO_LEAKS();
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
		cr_expect_eq(chance_number(&chance, &ev_text, 13), 0);
		cr_expect(chance.failed, "number %u", i);
	}
	NO_LEAKS();
}
