/* tests/unit/test-redeal.c - deals pieces to places. */
#include <criterion/criterion.h>
#include <string.h>

#include "referee/games/redeal.h"

static struct redeal r;
static struct draws draws;
static uint8_t dealt[PLACES_MAX];

static void
seed(unsigned char byte)
{
	unsigned char bytes[DRAWS_SEED_BYTES] = { byte };

	draws_seed(&draws, bytes);
}

static bool
deal(void)
{
	struct redeal copy = r;
	bool possible = redeal_possible(&copy), done;

	copy = r;
	memset(dealt, 0xee, sizeof(dealt));
	done = redeal(&copy, &draws, dealt);
	cr_assert_eq(done, possible);
	return done;
}

Test(redeal, writes_open_places_only)
{
	seed(1);
	redeal_begin(&r);
	redeal_piece(&r, 9, redeal_run(3, 1));
	cr_assert(deal());
	cr_assert_eq(dealt[3], 9);
	cr_assert_eq(dealt[2], 0xee);
	cr_assert_eq(dealt[4], 0xee);
}

Test(redeal, nothing_to_deal)
{
	seed(1);
	redeal_begin(&r);
	cr_assert(deal());
}

/* The last place of all lies beyond 64 bits. */
Test(redeal, as_many_places_as_there_can_be)
{
	bool seen[PLACES_MAX] = { false };
	unsigned i;

	seed(2);
	redeal_begin(&r);
	for (i = 0; i < PLACES_MAX; i++)
		redeal_piece(&r, i, redeal_run(0, PLACES_MAX));
	cr_assert(deal());
	for (i = 0; i < PLACES_MAX; i++) {
		cr_assert_lt(dealt[i], PLACES_MAX);
		cr_assert_not(seen[dealt[i]]);
		seen[dealt[i]] = true;
	}
}

/* Counts how often each of the orders of four pieces comes out. */
static void
count_orders(unsigned n, unsigned count[256])
{
	memset(count, 0, 256 * sizeof(*count));
	while (n-- > 0) {
		cr_assert(deal());
		count[dealt[0] << 6 | dealt[1] << 4 | dealt[2] << 2 |
		      dealt[3]]++;
	}
}

/* Expects this many kinds of deals, each within a twelfth of its share: in
 * 96,000 deals that is more than five standard deviations. */
static void
each_is_likely(const unsigned count[256], unsigned n, unsigned kinds)
{
	unsigned i, seen = 0, mean = n / kinds;

	for (i = 0; i < 256; i++) {
		if (count[i] == 0)
			continue;
		seen++;
		cr_expect_lt(count[i], mean + mean / 12);
		cr_expect_gt(count[i], mean - mean / 12);
	}
	cr_assert_eq(seen, kinds);
}

Test(redeal, each_deal_is_equally_likely)
{
	unsigned count[256], i;

	seed(3);
	redeal_begin(&r);
	for (i = 0; i < 4; i++)
		redeal_piece(&r, i, redeal_run(0, 4));
	count_orders(96000, count);
	each_is_likely(count, 96000, 24);
}

/* Piece 3 lies in front, pieces 1 and 3 in the first two places or three. */
Test(redeal, also_where_sets_nest)
{
	unsigned count[256];

	seed(4);
	redeal_begin(&r);
	redeal_piece(&r, 0, redeal_run(0, 4));
	redeal_piece(&r, 1, redeal_run(0, 3));
	redeal_piece(&r, 2, redeal_run(0, 4));
	redeal_piece(&r, 3, redeal_run(0, 2));
	count_orders(96000, count); /* 2 * 2 * 2 */
	each_is_likely(count, 96000, 8);
}

/* Sets that cross: 0 in {0 1}, 1 in {1 2}, 2 in {2 3}, 3 anywhere. */
Test(redeal, also_where_sets_cross)
{
	unsigned count[256];

	seed(5);
	redeal_begin(&r);
	redeal_piece(&r, 0, redeal_run(0, 2));
	redeal_piece(&r, 1, redeal_run(1, 2));
	redeal_piece(&r, 2, redeal_run(2, 2));
	redeal_piece(&r, 3, redeal_run(0, 4));
	count_orders(96000, count); /* 012, 013, 023, 123 */
	each_is_likely(count, 96000, 4);
}

/* In this chain each piece has two places, of which one is right: from the
 * wrong end a piece finds both taken. */
Test(redeal, finds_the_only_deal)
{
	unsigned i;

	seed(6);
	redeal_begin(&r);
	for (i = 39; i > 0; i--)
		redeal_piece(&r, i, redeal_run(i - 1, 2));
	redeal_piece(&r, 0, redeal_run(0, 1) | redeal_run(50, 1));
	redeal_piece(&r, 40, redeal_run(50, 1));
	cr_assert(deal());
	for (i = 0; i < 40; i++)
		cr_assert_eq(dealt[i], i);
	cr_assert_eq(dealt[50], 40);
}

/* Three pieces for two places, and a third place that none of them needs. */
Test(redeal, says_when_there_is_no_deal)
{
	seed(7);
	redeal_begin(&r);
	redeal_piece(&r, 0, redeal_run(0, 2));
	redeal_piece(&r, 1, redeal_run(0, 2));
	redeal_piece(&r, 2, redeal_run(0, 2));
	redeal_piece(&r, 3, redeal_run(0, 4));
	cr_assert_not(deal());
	cr_assert_eq(dealt[0], 0xee);
}
