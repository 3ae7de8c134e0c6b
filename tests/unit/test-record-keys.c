/* tests/unit/test-record-keys.c - each line of a header has its form: at the
 * limit, one beyond, missing, doubled, garbage. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/table/record-keys.h"
#include "tests/unit/record-vectors.h"

#define HEX32                                                                  \
	"00112233445566778899aabbccddeeff"                                     \
	"00112233445566778899aabbccddeeff"
#define HEX16 "00112233445566778899aabbccddeeff"
#define SERIAL "ladder 0123456789abcdef0123456789abcdef\n"

/* Lines that replace a vector's `aborted` line (which would end any game), and
 * true if it then verifies.  `|` stands for the end of a line. */
static const struct {
	bool holds;
	const char *lines;
} tries[] = {
	{ true, "" },
	{ true, "unknown line of a later version" },
	{ true, "rules 1" },
	{ false, "rules 2" }, /* not the rules of toepen here */
	{ false, "rules 0" },
	{ false, "rules 65536" },
	{ false, "rules two" },
	{ false, "rules" },
	{ false, "rules 1|rules 1" },
	{ true, "open priority" },
	{ false, "open arrival|open arrival" },
	{ false, "open Priority" },
	{ false, "open" },
	{ false, "open priority arrival" },
	{ true, "time 1|bank 0|increment 0" },
	{ true, "time 86400000|bank 86400000|increment 86400000" },
	{ false, "time 0" },
	{ false, "time 86400001" },
	{ false, "bank 86400001" },
	{ false, "increment 86400001" },
	{ false, "time 1|time 1" },
	{ false, "bank 1|bank 1" },
	{ false, "increment 1|increment 1" },
	{ false, "time" },
	{ false, "time 01" },
	{ false, "bank -1" },
	{ false, "increment 1ms" },
	{ true, "total 1" },
	{ true, "total 604800000" },
	{ false, "total 0" },
	{ false, "total 604800001" },
	{ false, "total 1|total 1" },
	{ false, "total" },
	{ false, "total x" },
	{ true, "faults 1000" },
	{ false, "faults 1001" },
	{ false, "faults 0" },
	{ false, "faults x" },
	{ false, "faults" },
	{ false, "faults 9|faults 9" },
	{ true, "started 2024-02-29T23:59:59Z|ended 1970-01-01T00:00:00Z" },
	{ true, "ended 9999-12-31T23:59:59Z" },
	{ false, "started 2023-02-29T00:00:00Z" },
	{ false, "started 2026-11-21T24:00:00Z" },
	{ false, "started 2026-11-21T09:60:00Z" },
	{ false, "started 2026-11-21T09:30:60Z" },
	{ false, "started 2026-13-21T09:30:00Z" },
	{ false, "started 2026-11-31T09:30:00Z" },
	{ false, "started 2026-11-00T09:30:00Z" },
	{ false, "started" },
	{ false, "ended 1969-12-31T23:59:59Z" },
	{ false, "started 0000-01-01T00:00:00Z" },
	{ false, "ended 2026-11-21T09:30:0xZ" },
	{ false, "ended 2026-11-21T09:30:00" },
	{ false, "ended 2026-11-21T09:30:00Z0" },
	{ false, "ended 2026-11-21 09:30:00Z" },
	{ false, "ended 2026-1-21T09:30:00Z" },
	{ false, "ended +026-11-21T09:30:00Z" },
	{ false, "ended 2026-11-21T09:30:00Z|ended 2026-11-21T09:30:00Z" },
	{ false, "started 2026-11-21T09:30:00Z|started 2026-11-21T09:30:00Z" },
	{ true, "referee 12345678901234567890123456789012" },
	{ false, "referee 123456789012345678901234567890123" },
	{ false, "referee" },
	{ false, "referee 0.1.0 beta" },
	{ false, "referee 1|referee 1" },
	{ false, "commit " HEX32 "|commit " HEX32 },
	{ false, "commit " HEX32 }, /* where there is no secret */
	{ false, "commit" },
	{ false, "commit x" },
	{ false, "secret " HEX32 },
	{ false, "secret" },
	{ false, "seeded" }, /* without a commitment */
	{ false, "seeded yes" },
	{ false, "entropy 0 00" },
	{ false, "block " HEX16 " 1" }, /* without a commitment */
	{ false, "block" },
	{ true, SERIAL "|serial 1" },
	{ true, "serial 1000000000000|" SERIAL },
	{ false, SERIAL "|serial 1000000000001" },
	{ false, SERIAL "|serial 9223372036854775807" },
	{ false, SERIAL "|serial 0" },
	{ false, SERIAL "|serial x" },
	{ false, SERIAL "|serial 1x" },
	{ false, SERIAL "|serial 07" },
	{ false, SERIAL "|serial" },
	{ false, SERIAL "|serial 1|serial 1" },
	{ false, "serial 1" },
	{ false, SERIAL },
	{ false, "serial 1|ladder" },
	{ false, "serial 1|" SERIAL "|" SERIAL },
	{ false, "serial 1|ladder 0123456789abcdef0123456789abcde" },
	{ false, "serial 1|ladder 0123456789abcdef0123456789abcdef0" },
	{ false, "serial 1|ladder 0123456789abcdef0123456789abcdeg" },
	{ false, "serial 1|ladder 0123456789ABCDEF0123456789ABCDEF" },
	{ true, "heir-of 0 a|heir-of 2 12345678901234567890123456789012" },
	{ false, "heir-of 0 123456789012345678901234567890123" },
	{ false, "heir-of 3 a" },
	{ false, "heir-of 0" },
	{ false, "heir-of" },
	{ false, "heir-of 0 -a" },
	{ false, "heir-of 0 a b" },
	{ false, "heir-of a 0" },
	{ false, "heir-of 0 a|heir-of 0 a" },
	{ true, "owed 0 timeout|owed 1 illegal|owed 2 protocol" },
	{ true, "owed 2 crash" },
	{ false, "owed 9 timeout" },
	{ false, "owed 3 timeout" },
	{ false, "owed 0 time" },
	{ false, "owed 0" },
	{ false, "owed timeout" },
	{ false, "owed" },
	{ false, "owed 0 timeout|owed 0 crash" },
	{ true, "broken 0 crash|broken 2 protocol" },
	{ false, "broken 7 crash" },
	{ false, "broken 3 crash" },
	{ false, "broken 0 timeout" },
	{ false, "broken 0 illegal" },
	{ false, "broken 0" },
	{ false, "broken" },
	{ false, "broken 1 crash|broken 1 crash" },
	{ true, "cpu 0 0.000|cpu 1 1.001|cpu 2 1000000000000.000" },
	{ false, "cpu 2 1000000000000.001" },
	{ false, "cpu 0 1.00" },
	{ false, "cpu 0 1" },
	{ false, "cpu 0 1.0000" },
	{ false, "cpu 0 01.000" },
	{ false, "cpu 3 1.000" },
	{ false, "cpu 0 x" },
	{ false, "cpu 0" },
	{ false, "cpu" },
	{ false, "cpu 1 1.000|cpu 1 1.000" },
	{ true, "memory 0 0|memory 2 1099511627776" },
	{ false, "memory 0 1099511627777" },
	{ false, "memory 3 1" },
	{ false, "memory 0 1.5" },
	{ false, "memory 0" },
	{ false, "memory" },
	{ false, "memory 1 1|memory 1 1" },
	{ true, "aborted 12345678901234567890123456789012" },
	{ false, "aborted 123456789012345678901234567890123" },
	{ false, "aborted" },
	{ false, "aborted too long" },
	{ false, "aborted stopped|aborted stopped" },
	{ false, "pruned " HEX32 }, /* a pruned record cannot be proven */
	{ false, "pruned" },
	{ false, "pruned x" },
	/* These lines stand at the beginning of each record. */
	{ false, "record 1" },
	{ false, "id x" },
	{ false, "game toepen" },
	{ false, "seats 3" },
	{ false, "option points 9" },
	{ false, "bot 2 again" },
};

/* Line feeds in the lines are only for readability here. */
static void
put_lines(struct text *to, const char *lines)
{
	for (; *lines != '\0'; lines++)
		if (*lines == '|')
			text_str(to, "\n");
		else if (*lines != '\n')
			text_add(to, lines, 1);
}

/* Makes the vector's header up to its bots, then the lines, then its body: one of three
 * seats that ends in the middle unless `aborted` is not said. */
static void
make(const struct text *vector, const char *lines, bool aborted,
     struct text *to)
{
	const char *after = memmem(vector->bytes, vector->used, "\nopen ", 6);
	const char *body = memmem(vector->bytes, vector->used, "\n\n", 2);

	cr_assert(after != NULL && body != NULL);
	text_clear(to);
	text_add(to, vector->bytes, (size_t)(after + 1 - vector->bytes));
	if (aborted)
		text_str(to, "aborted stopped\n");
	put_lines(to, lines);
	if (*lines != '\0')
		text_str(to, "\n");
	text_add(to, body + 1,
		 vector->used - (size_t)(body + 1 - vector->bytes));
}

Test(record_keys, at_the_limit_beyond_missing_doubled_garbage)
{
	struct text vector = { .max = RECORD_BYTES }, to = vector;
	struct verdict verdict;
	bool aborted, holds;
	unsigned i;

	vector_load(VECTORS "/toepen-aborted.rec", &vector);
	for (i = 0; i < NELEM(tries); i++) {
		aborted = strstr(tries[i].lines, "aborted") == NULL;
		make(&vector, tries[i].lines, aborted, &to);
		holds = record_holds(to.bytes, to.used, false, &verdict);
		cr_expect_eq(holds, tries[i].holds,
			     "`%s` %s: expected %s, found %s", tries[i].lines,
			     holds ? "holds" : "does not hold",
			     verdict.expected, verdict.found);
		cr_expect(holds || verdict.expected[0] != '\0', "%s",
			  tries[i].lines);
	}
	text_release(&to);
	text_release(&vector);
}

struct change {
	bool holds;
	const char *old, *new; /* before `open` if `old` is empty */
};

/* Tries them on a sealed record. */
static void
try_changes(const char *path, const struct change changes[], unsigned count)
{
	struct text vector = { .max = RECORD_BYTES }, to = vector;
	struct verdict verdict;
	unsigned i;
	const char *at;
	char old[64];
	size_t before;

	vector_load(path, &vector);
	for (i = 0; i < count; i++) {
		snprintf(old, sizeof(old), "\n%s",
			 *changes[i].old != '\0' ? changes[i].old : "open ");
		at = memmem(vector.bytes, vector.used, old, strlen(old));
		cr_assert_not_null(at);
		before = (size_t)(at + 1 - vector.bytes);
		text_clear(&to);
		text_add(&to, vector.bytes, before);
		text_str(&to, changes[i].new);
		before += strlen(changes[i].old);
		text_add(&to, vector.bytes + before, vector.used - before);
		cr_expect_eq(record_holds(to.bytes, to.used, false, &verdict),
			     changes[i].holds, "%s%s: %s", changes[i].old,
			     changes[i].new, verdict.expected);
		/* The form is also checked by the rules. */
		if (strstr(changes[i].new, HEX32 "\n") == NULL &&
		    strstr(changes[i].new, "block " HEX16) == NULL &&
		    changes[i].old[0] != 's')
			cr_expect_eq(
				record_holds(to.bytes, to.used, true, &verdict),
				changes[i].holds, "by the rules, %s%s",
				changes[i].old, changes[i].new);
	}
	text_release(&to);
	text_release(&vector);
}

/* This is a game of a block. */
Test(record_keys, of_a_block)
{
#define BLOCK "7d121624c614524c4e4a43cadd487315"
#define WAS "block " BLOCK " 3\n"
	static const struct change changes[] = {
		{ true, WAS, WAS },
		{ false, "", WAS }, /* twice */
		/* These have the right form, but the seal was made with other ones. */
		{ false, WAS, "block " HEX16 " 3\n" },
		{ false, WAS, "block " HEX16 " 1\n" },
		{ false, WAS, "block\n" },
		{ false, WAS, "block " BLOCK "\n" },
		{ false, WAS, "block 3\n" },
		{ false, WAS, "block " BLOCK " 0\n" },
		{ false, WAS, "block " BLOCK " 4\n" },
		{ false, WAS, "block " BLOCK " 03\n" },
		{ false, WAS, "block " BLOCK " x\n" },
		{ false, WAS, "block " BLOCK " 3 3\n" },
		{ false, WAS, "block " BLOCK "0 3\n" },
		{ false, WAS, "block 7d121624c614524c4e4a43cadd48731 3\n" },
		{ false, WAS, "block 7D121624C614524C4E4A43CADD487315 3\n" },
		{ false, WAS, "block 7d121624c614524c4e4a43cadd48731g 3\n" },
		{ false, "", "entropy 0 00\n" },
		{ false, "commit ", "kept " },
	};

	try_changes(VECTORS "/toepen-block-3.rec", changes, NELEM(changes));
}

/* Tries such lines beside a commitment. */
Test(record_keys, beside_a_seal)
{
	static const struct change changes[] = {
		{ true, "", "seeded\n" },
		{ false, "", "seeded\nseeded\n" },
		{ false, "", "seeded 1\n" },
		{ false, "", "entropy 5 00\n" },
		{ false, "", "entropy 0\n" },
		{ false, "", "entropy 0 0\n" },
		{ false, "", "entropy 0 0g\n" },
		{ false, "", "entropy 0 AA\n" },
		{ false, "", "entropy 0 " HEX32 "00\n" },
		/* This has the right form, but the seal was made with another one. */
		{ false, "", "entropy 0 " HEX32 "\n" },
		{ false, "secret ", "kept " },
		{ false, "commit ", "kept " },
		{ false, "", "block " HEX16 " 1\n" },
	};

	try_changes(VECTORS "/toepen-sealed.rec", changes, NELEM(changes));
}

/* A row without a case would be untested. */
Test(record_keys, each_row_is_tried)
{
	unsigned key, i, holds, refused;
	char word[32];

	for (key = 0; key < RECORD_KEYS; key++) {
		cr_assert_not_null(record_rows[key].key);
		snprintf(word, sizeof(word), "%s ", record_rows[key].key);
		holds = refused = 0;
		for (i = 0; i < NELEM(tries); i++) {
			holds += tries[i].holds &&
				 strstr(tries[i].lines, word) != NULL;
			refused += !tries[i].holds &&
				   strstr(tries[i].lines, word) != NULL;
		}
		cr_expect_geq(refused, 1, "%s", word);
		/* The vector cannot hold with a line that changes its seal. */
		if (key != RECORD_COMMIT && key != RECORD_ENTROPY &&
		    key != RECORD_SEEDED && key != RECORD_SECRET &&
		    key != RECORD_BLOCK && key != RECORD_PRUNED)
			cr_expect_geq(holds, 1, "%s", word);
	}
}

/* RECORD.md has a row for each key, and no others. */
Test(record_keys, are_those_of_the_page)
{
	struct text page = { .max = RECORD_BYTES };
	const char *from, *end, *at;
	unsigned key, found = 0, known = 0;
	char word[40];

	vector_load(SOURCE_DIR "/protocol/RECORD.md", &page);
	text_string(&page);
	from = strstr(page.bytes, "The lines after these are for the referee");
	cr_assert_not_null(from);
	end = strstr(from, "\n## ");
	for (key = 0; key < RECORD_KEYS; key++) {
		snprintf(word, sizeof(word), "`%s%s", record_rows[key].key,
			 record_rows[key].form == FORM_NONE ? "`" : " ");
		at = memmem(from, (size_t)(end - from), word, strlen(word));
		cr_expect_not_null(at, "RECORD.md has no %s", word);
		known += at != NULL;
	}
	for (at = from; (at = strstr(at, "\n| `")) != NULL && at < end; at++) {
		const char *next = strchr(at + 1, '\n');
		const char *cell = strchr(at + 3, '|');

		cr_assert(cell != NULL && cell < next);
		for (const char *tick = at; tick < cell; tick++)
			found += tick[0] == '`' &&
				 (tick[-1] == ' ' && tick[1] != ',');
	}
	/* `open` stands in two forms of one row. */
	cr_expect_eq(found, known + 1, "%u keys there, %u known", found, known);
	text_release(&page);
}
