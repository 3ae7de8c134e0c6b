/* tests/unit/test-counts.c - the counts of tests/vectors/counts.txt.
 *
 * A mistake in legal moves or asked seats changes the number of positions a few
 * plies later.  Some numbers can be computed by hand; this file has them with
 * the reason. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/rounds.h"
#include "tests/unit/walk.h"

#define DEPTHS 64

/* Holds a line of the file. */
struct row {
	char game[32], options[128];
	unsigned seats, base, after, depth;
	struct walk_count count;
};

static struct walk walk;
static struct row rows[DEPTHS];
static struct walk_count count[DEPTHS];

static uint64_t
nodes(const struct walk_count *all)
{
	return all->single + all->open + all->over;
}

static bool
read_row(FILE *file, struct row *row)
{
	unsigned long long single, open, over;
	char line[256];

	do
		if (!fgets(line, sizeof(line), file))
			return false;
	while (line[0] == '#');
	cr_assert_eq(sscanf(line, "%31s %u %127s %u %u %u %llu %llu %llu",
			    row->game, &row->seats, row->options, &row->base,
			    &row->after, &row->depth, &single, &open, &over),
		     9, "%s", line);
	row->count = (struct walk_count){ single, open, over };
	return true;
}

/* Compares the rows from depth 0 to a depth that takes acceptable time. */
static void
compare(unsigned n)
{
	const struct row *row = &rows[0];
	unsigned depth = n - 1, i;

	while (depth > 1 && nodes(&rows[depth].count) > check_rounds(20000, -1))
		depth--;
	walk_open_commas(&walk, row->game, row->seats, row->options, row->base);
	walk_count(&walk, row->after, depth, count);
	for (i = 0; i <= depth; i++)
		cr_expect(memcmp(&count[i], &rows[i].count, sizeof(count[i])) ==
				  0,
			  "%s %u %s %u %u %u: %llu %llu %llu", row->game,
			  row->seats, row->options, row->base, row->after, i,
			  (unsigned long long)count[i].single,
			  (unsigned long long)count[i].open,
			  (unsigned long long)count[i].over);
}

Test(counts, of_the_vectors)
{
	unsigned n = 0, settings = 0;
	struct row row;
	FILE *file = fopen(SOURCE_DIR "/tests/vectors/counts.txt", "re");

	cr_assert_not_null(file);
	while (read_row(file, &row)) {
		if (row.depth == 0 && n > 0) {
			compare(n);
			settings++;
			n = 0;
		}
		cr_assert_eq(row.depth, n);
		cr_assert_lt(n, DEPTHS);
		rows[n++] = row;
	}
	compare(n);
	cr_expect_geq(settings, 100);
	fclose(file);
}

/* ---- by hand ---------------------------------------------------------- */

static void
expect(unsigned depth, uint64_t single, uint64_t open)
{
	cr_expect_eq(count[depth].single, single, "depth %u: %llu", depth,
		     (unsigned long long)count[depth].single);
	cr_expect_eq(count[depth].open, open, "depth %u: %llu", depth,
		     (unsigned long long)count[depth].open);
	cr_expect_eq(count[depth].over, 0);
}

/* Two seats.  33 bids or a pass.  After `bid:33` to `bid:63` the other has
 * 31 to 1 bids above and a pass; after `bid:64` the spread begins, 4 barks to
 * put; after a pass the other may bid all 32 or pass, too:
 * (31 + ... + 1) + 31 + 4 + 33 = 496 + 68. */
Test(counts, doubles_dread_auction)
{
	walk_open(&walk, "doubles-dread", 2, "", 3);
	walk_count(&walk, 0, 2, count);
	expect(0, 1, 0);
	expect(1, 33, 0);
	expect(2, 564, 0);
}

/* Eight seats and so no stock: 4 cards to play or 8 knocks.  After a card the
 * next seat is on turn, after a knock seven answer in single decisions, of
 * which the first has two answers. */
Test(counts, toepen_with_all_seats)
{
	walk_open(&walk, "toepen", 8, "", 3);
	walk_count(&walk, 0, 3, count);
	expect(0, 0, 1);
	expect(1, 8, 4);
	cr_expect_eq(count[2].single, 8 * 2 + 4 * 8); /* answers, knocks */
	cr_expect_eq(count[3].single, 8 * 4 + 4 * 8 * 2 + count[2].open * 8);
}

/* `points` 1: a knock would change nothing, so there is none.  Two seats: the
 * leader plays one of 4 cards, or either seat mulligans; then the other
 * challenges, which ends the game, or is quiet. */
Test(counts, toepen_without_knocks)
{
	walk_open(&walk, "toepen", 2, "points=1", 3);
	walk_count(&walk, 0, 2, count);
	expect(0, 0, 1);
	expect(1, 4, 2);
	cr_expect_eq(count[2].open, 2);
	cr_expect_eq(count[2].over, 2);
}

/* Six cards to attack with, then the defender may take and the next turn
 * begins.  Otherwise it has beaten, or the attacker has added: then just one
 * ply more ends the turn, `quiet` or `take`. */
Test(counts, durnius_opening)
{
	walk_open(&walk, "durnius", 2, "", 3);
	walk_count(&walk, 0, 3, count);
	expect(0, 1, 0);
	expect(1, 0, 6);
	cr_expect_eq(count[2].single, 6); /* takes */
	cr_expect_eq(count[3].single, count[2].open);
}

/* Two seats of five cards, the pot empty: 6 discards, the plain stake, and
 * stakes of 1 to 250, but no discard with `:stay` unless five cards sum to
 * 25.  A stake of n is answered by `in`, `out` or one of 250 - n raises; the
 * plain one offers 3. */
Test(counts, daupun_stakes)
{
	unsigned stakes = 0, n, discards;

	walk_open(&walk, "daupun", 2, "", 3);
	walk_count(&walk, 0, 2, count);
	for (n = 1; n <= 250; n++)
		stakes += 2 + (250 - n);
	stakes += 2 + 247;
	discards = (unsigned)count[1].single - 251;
	cr_expect(discards >= 6 && discards <= 12);
	cr_expect_geq(count[2].single,
		      stakes + 6 * (251 + 6) + 2 * (discards - 6));
	cr_expect_leq(count[2].single,
		      stakes + 6 * (251 + 12) + 2 * (discards - 6));
}
