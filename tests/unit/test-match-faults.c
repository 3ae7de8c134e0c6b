/* tests/unit/test-match-faults.c - faults are counted by their kind. */
#include <criterion/criterion.h>

#include "referee/match/match-faults.h"
#include "referee/table/table.h"
#include "tests/unit/leaks.h"

static struct match_faults faults[3];

static void
add(uint64_t number, const unsigned bot[], const char *lines)
{
	struct text body;

	text_init(&body, RECORD_BYTES);
	text_str(&body, lines);
	match_faults_add(faults, number, bot, &body);
	text_release(&body);
}

Test(match_faults, are_counted_by_bot_and_kind)
{
	static const unsigned straight[] = { 0, 1 }, turned[] = { 2, 0 };

	add(7, straight,
	    "round 1\nfault 1 timeout ; late\nmove 1 fold\n"
	    "fault 0 crash\nfault 0 illegal\n");
	add(3, turned, "fault 1 protocol\nfault 1 illegal\nresult 0 1 2\n");
	add(9, turned, "");
	cr_expect_eq(faults[0].kind[FAULT_CRASH], 1);
	cr_expect_eq(faults[0].kind[FAULT_ILLEGAL], 2);
	cr_expect_eq(faults[0].kind[FAULT_PROTOCOL], 1);
	cr_expect_eq(faults[0].kind[FAULT_TIMEOUT], 0);
	cr_expect_eq(faults[1].kind[FAULT_TIMEOUT], 1);
	cr_expect_eq(faults[2].game, 0);
	/* The first is that of the lowest game, whichever ended first. */
	cr_expect_eq(faults[0].game, 3);
	cr_expect_eq(faults[0].seat, 1);
	cr_expect_eq(faults[0].first, FAULT_PROTOCOL);
	cr_expect_eq(faults[1].game, 7);
	cr_expect_eq(faults[1].seat, 1);
	NO_LEAKS();
}

Test(match_faults, slips_are_counted_by_bot)
{
	static const unsigned straight[] = { 0, 1 }, turned[] = { 2, 0 };
	static struct table_outcome outcome;
	const struct match_slip *slip = &faults[0].slip[SLIP_FALLBACK];

	outcome.slip[0][SLIP_FALLBACK] = (struct seat_slip){ 3, "late" };
	match_slips_add(faults, 7, straight, 2, &outcome);
	memset(&outcome, 0, sizeof(outcome));
	outcome.slip[1][SLIP_FALLBACK] = (struct seat_slip){ 4, "early" };
	match_slips_add(faults, 2, turned, 2, &outcome);
	cr_expect_eq(slip->count, 7);
	cr_expect_eq(slip->game, 2);
	cr_expect_eq(slip->seat, 1);
	cr_expect_str_eq(slip->first, "early");
	cr_expect_eq(faults[0].slip[SLIP_FAILED].count, 0);
	cr_expect_eq(faults[2].slip[SLIP_FALLBACK].count, 0);
	NO_LEAKS();
}
