/* tests/unit/test-mutation.c - a changed record does not verify, unless the
 * changed game is possible. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "referee/games/chance.h"
#include "tests/unit/mutation.h"
#include "tests/unit/record-vectors.h"
#include "tests/unit/rounds.h"

struct tally {
	unsigned refused, harmless;
};

static void
try(const char *name, const struct sheet *sheet,
    const struct mutation *mutation, bool by_rules, struct tally *tally)
{
	static const char *const verb[] = { "deleted", "doubled", "swapped",
					    "replaced" };
	static struct text text = { .max = RECORD_BYTES };
	struct verdict verdict;
	const char *line = sheet->line[mutation->at];

	sheet_mutate(sheet, mutation, &text);
	if (record_holds(text.bytes, text.used, by_rules, &verdict)) {
		tally->harmless++;
		cr_expect(sheet_harmless(sheet, mutation, verdict.sealed),
			  "%s:%u: `%s` %s (%s), and still it holds%s", name,
			  mutation->at + 1, line, verb[mutation->change],
			  mutation->line ? mutation->line : "",
			  verdict.sealed ? "" : " by the rules");
	} else {
		tally->refused++;
		/* If it still parses, no fault is found before the place of the
		 * change. */
		if (mutation->at >= sheet->body && verdict.found[0])
			cr_expect_gt(verdict.line, mutation->at,
				     "%s:%u: `%s` %s (%s): found in line %u: "
				     "expected %s, found %s",
				     name, mutation->at + 1, line,
				     verb[mutation->change],
				     mutation->line ? mutation->line : "",
				     verdict.line, verdict.expected,
				     verdict.found);
		cr_expect_leq(verdict.line, sheet->lines + 2, "%s", name);
		cr_expect_neq(verdict.line, 0, "%s", name);
	}
}

/* Returns N if one in N changes of a record is tried: 1 in the long form.  The
 * more lines a record has, the longer each of them takes, and the more are alike. */
static unsigned
one_in(const struct sheet *sheet, unsigned least)
{
	return check_is_all() ? 1 : least * (1 + sheet->lines / 120);
}

/* Tries each change as proved from the secret, or by the rules alone: in the long form
 * in both ways, else every fourth one in each, and fewer of long records. */
static void
try_lines(const char *name, const struct text *text, bool by_rules)
{
	struct sheet sheet;
	struct mutation mutation = { 0 };
	struct tally tally = { 0 };
	unsigned step;
	int change;

	sheet_init(&sheet, text->bytes, text->used);
	step = one_in(&sheet, 4);
	for (mutation.at = 0; mutation.at < sheet.lines; mutation.at++) {
		for (change = CHANGE_DELETE; change <= CHANGE_SWAP; change++) {
			mutation.change = (enum change)change;
			if (change == CHANGE_SWAP &&
			    mutation.at + 1 == sheet.lines)
				continue;
			if ((mutation.at + (unsigned)change) % step !=
			    (by_rules ? 0 : step / 2))
				continue;
			try(name, &sheet, &mutation, by_rules, &tally);
		}
	}
	cr_expect_gt(tally.refused, 5 * tally.harmless, "%s: %u and %u", name,
		     tally.refused, tally.harmless);
	sheet_release(&sheet);
}

static void
check_lines(const char *name, const struct text *text)
{
	try_lines(name, text, false);
	try_lines(name, text, true);
}

Test(verify, lines_deleted_doubled_swapped)
{
	vectors_each(check_lines);
}

/* Changes each byte of the header once, and of each line of the body every 48th: fewer
 * of long records, and in the long form each. */
static void
check_bytes(const char *name, const struct text *text)
{
	static const unsigned char seed[CHANCE_SEED_BYTES] = "bytes";
	struct mutation mutation = { .change = CHANGE_REPLACE };
	struct tally tally = { 0 };
	struct chance dice;
	struct sheet sheet;
	char *line;
	size_t i, n, step;

	chance_seed(&dice, seed);
	sheet_init(&sheet, text->bytes, text->used);
	for (mutation.at = 0; mutation.at < sheet.lines; mutation.at++) {
		line = strdup(sheet.line[mutation.at]);
		n = strlen(line);
		step = one_in(&sheet, mutation.at < sheet.body ? 1 : 48);
		for (i = mutation.at % step; i < n; i += step) {
			/* Half of them stay close: another digit. */
			line[i] =
				(char)(chance_below(&dice, 2)
					       ? '0' + chance_below(&dice, 10)
					       : ' ' + chance_below(&dice, 95));
			mutation.line = line;
			try(name, &sheet, &mutation,
			    chance_below(&dice, 2) == 0, &tally);
			line[i] = sheet.line[mutation.at][i];
		}
		free(line);
	}
	cr_expect_gt(tally.refused, 0);
	sheet_release(&sheet);
}

Test(verify, bytes_changed)
{
	vectors_each(check_bytes);
}
