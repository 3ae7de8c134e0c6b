/* tests/unit/test-again.c */
#include <criterion/criterion.h>
#include <string.h>

#include "referee/queue/again.h"

#define HEAD "record 1\nid x\nsecret 00\n\n"
#define BODY                                                                   \
	"deal 0 {8H 7H}0\nmove 0 play:8H ; 1.000ms\nmove 1 pass ; say 1 a\n"   \
	"result 0 1 0\n"

static void
compares(const char *record, const char *body, enum again expected,
	 unsigned whose)
{
	unsigned seat = 9;
	enum again found = again_compare(record, strlen(record), body,
					 strlen(body), &seat);

	cr_expect_eq(found, expected, "%s\n%s", record, body);
	if (expected == AGAIN_OTHER)
		cr_expect_eq(seat, whose, "%s", body);
}

Test(again, moves_are_compared)
{
	compares(HEAD BODY, BODY, AGAIN_SAME, 0);
	compares(HEAD BODY,
		 "deal 0 {8H 7H}0\nmove 0 play:8H ; 7.000ms\nmove 1 pass\n"
		 "result 0 1 0\n",
		 AGAIN_SAME, 0); /* comments are no moves */
	compares(HEAD BODY, "deal 0 {8H 7H}0\nmove 0 play:8H\nmove 1 play:9H\n",
		 AGAIN_OTHER, 1);
	compares(HEAD BODY, "deal 0 {8H 7H}0\nmove 0 play:7H\nmove 1 play:9H\n",
		 AGAIN_OTHER, 0); /* the first to differ */
	compares(HEAD BODY, "deal 0 {8H 7H}0\nmove 1 play:8H\n", AGAIN_UNKNOWN,
		 0); /* who moves is the game's doing */
	compares(HEAD BODY, "deal 0 {8H 7H}0\n", AGAIN_UNKNOWN, 0);
	compares(HEAD BODY, "", AGAIN_UNKNOWN, 0);
	compares(HEAD BODY,
		 "deal 0 {8H 7H}0\nfault 0 timeout\nmove 0 play:7H\n",
		 AGAIN_UNKNOWN, 0);
	compares("record 1\npruned 00\n\nresult 0 1 0\n", "result 0 1 0\n",
		 AGAIN_UNKNOWN, 0);
	compares("record 1", BODY, AGAIN_UNKNOWN, 0);
}

/* On one of three workers, each of which is in two of three comparisons. */
Test(again, who_is_odd)
{
	const double share = 2.0 / 3;
	const struct again_bot odd[] = { { 60, 60, share }, { 9, 9, share } };
	const struct again_bot fellow[] = { { 60, 30, share } };
	const struct again_bot lots[] = { { 3000, 2000, share },
					  { 30, 21, share } };
	const struct again_bot mixed[] = { { 3000, 2000, share },
					   { 60, 60, share } };
	const struct again_bot two[] = { { 100, 100, 1 } };

	cr_expect_lt(again_chance(odd, 1), 1e-9);
	cr_expect_lt(again_chance(odd, 2), again_chance(odd, 1));
	cr_expect_gt(again_chance(odd + 1, 1), 1e-3); /* too few */
	cr_expect_gt(again_chance(fellow, 1), 0.9);
	cr_expect_gt(again_chance(lots, 2), 0.5);
	cr_expect_lt(again_chance(mixed, 2), 1e-9);
	cr_expect_gt(again_chance(two, 1), 0.9); /* of two it is either */
	cr_expect_gt(again_chance(odd, 0), 0.9);
}
