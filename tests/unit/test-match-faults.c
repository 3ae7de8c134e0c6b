/* tests/unit/test-match-faults.c - faults are counted by their kind. */
#include <criterion/criterion.h>

#include "referee/match/match-faults.h"
#include "referee/match/match-trouble.h"
#include "referee/table/table.h"

static struct match_faults faults[3];
static const unsigned straight[] = { 0, 1 }, turned[] = { 2, 0 };

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
}

/* A remark can't say so: its spaces are encoded. */
Test(match_faults, of_starved_bots_are_counted_apart)
{
	add(7, straight,
	    "fault 1 timeout ; starved 6 of 44ms\nmove 1 fold\n"
	    "fault 0 timeout\nfault 1 timeout ; starved 0 of 9ms ; say 1 x\n"
	    "move 0 fold ; starved 1 of 2ms\n"
	    "fault 0 illegal ; said x ; starved 1 of 2ms\n");
	add(3, turned, "fault 1 timeout ; starved 4 of 44ms\n");
	add(4, turned, " ; starved 4 of 44ms\n");
	cr_expect_eq(faults[0].starved, 1);
	cr_expect_eq(faults[1].starved, 2);
	cr_expect_eq(faults[2].starved, 0);
	cr_expect_eq(faults[1].kind[FAULT_TIMEOUT], 2);
}

Test(match_faults, slips_are_counted_by_bot)
{
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
}

/* Returns true if the bot never begins.  `ways` has a letter for each of its
 * games: `s`, it ended without a line; `w`, after a line; `o`, it was killed
 * for its memory; `l`, it still runs; `b`, it ended at `bye` without a line. */
static bool
never_begins(const char *ways, uint64_t planned)
{
	struct match_trouble trouble = { .game = 0 };
	uint64_t number = 0;
	bool silent = false;

	for (; *ways != '\0'; ways++) {
		struct job_end end = { .started = true,
				       .known = *ways != 'l',
				       .silent = *ways != 'w',
				       .early = *ways != 'b',
				       .over = *ways == 'o',
				       .status = 0x100 };

		match_trouble_hear(&trouble, ++number, 0, NULL, &end);
		silent = match_trouble_is_silent(&trouble, planned);
	}
	match_trouble_release(&trouble);
	return silent;
}

Test(match_trouble, a_bot_that_never_begins)
{
	static const struct {
		const char *games;
		uint64_t planned;
		bool silent;
	} tries[] = {
		{ "", 40, false },    { "s", 40, false },
		{ "ss", 40, true },   { "sss", 40, true },
		{ "s", 1, true },     { "s", 2, false },
		{ "ws", 40, false },  { "wss", 40, false },
		{ "sws", 40, false }, { "w", 1, false },
		{ "oss", 40, false }, { "o", 1, false },
		{ "lss", 40, false }, { "sls", 40, false },
		{ "b", 1, false },    { "bb", 40, false },
		{ "sbs", 40, true },
	};

	for (size_t i = 0; i < NELEM(tries); i++)
		cr_expect_eq(never_begins(tries[i].games, tries[i].planned),
			     tries[i].silent, "%s of %u", tries[i].games,
			     (unsigned)tries[i].planned);
}
