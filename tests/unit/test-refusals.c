/* tests/unit/test-refusals.c - log lines about refused connections, and their
 * limit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/base/loop.h"
#include "referee/base/refusals.h"

static struct loop loop;
static struct logger *logger;
static struct refusals *refusals;
static FILE *file;

static void
begin(void)
{
	cr_assert_eq(loop_init(&loop), 0);
	file = tmpfile();
	cr_assert_not_null(file);
	logger = log_new(fileno(file), LOG_LEVEL_DEBUG);
	refusals = refusals_new(&loop, logger);
}

static void
end(void)
{
	log_free(logger);
	loop_release(&loop);
	fclose(file);
}

/* Returns how many lines have this in them. */
static unsigned
told(const char *part)
{
	char line[LOG_LINE_BYTES + 1];
	unsigned count = 0;

	rewind(file);
	while (fgets(line, sizeof(line), file) != NULL)
		count += strstr(line, part) != NULL;
	return count;
}

static void
come(unsigned times, enum refusal kind, const char *from, const char *bot)
{
	while (times-- > 0)
		refusals_tell(refusals, kind, from, bot, "it is full");
}

Test(refusals, each_has_a_line)
{
	static const struct {
		enum refusal kind;
		const char *from, *bot, *line;
	} rows[] = {
		{ REFUSAL_LIMIT, "192.0.2.1:4711", "",
		  " level=warn event=connection-refused address=192.0.2.1 "
		  "kind=limit "
		  "why=\"it is full\" count=1\n" },
		{ REFUSAL_HELLO, "[2001:db8::7]:80", "",
		  " level=info event=connection-refused address=2001:db8::7 "
		  "kind=hello " },
		{ REFUSAL_TOKEN, "192.0.2.1:4712", "alice",
		  " level=warn event=wrong-token address=192.0.2.1 bot=alice "
		  "count=1\n" },
		{ REFUSAL_TOKEN, "192.0.2.1:4712", "owner ann",
		  " level=warn event=wrong-token address=192.0.2.1 owner=ann "
		  "count=1\n" },
		{ REFUSAL_BOT, "local", "bob",
		  " level=info event=connection-refused address=local bot=bob "
		  "kind=bot " },
		{ REFUSAL_HELLO, "", "",
		  " level=info event=connection-refused address=\"\" "
		  "kind=hello " },
	};
	unsigned i;

	begin();
	for (i = 0; i < NELEM(rows); i++) {
		come(1, rows[i].kind, rows[i].from, rows[i].bot);
		cr_expect_eq(told(rows[i].line), 1u, "%s", rows[i].line);
	}
	cr_expect_eq(told(""), i);
	refusals_end_period(refusals);
	refusals_free(refusals);
	cr_expect_eq(told(""), i, "nothing is told twice");
	end();
}

Test(refusals, a_flood_is_a_number)
{
	begin();
	come(REFUSALS_EACH, REFUSAL_LIMIT, "192.0.2.1:1", "");
	cr_expect_eq(told(" count=1\n"), REFUSALS_EACH);
	come(1, REFUSAL_LIMIT, "192.0.2.1:2", "");
	cr_expect_eq(told(""), REFUSALS_EACH, "one more has no line");
	come(1, REFUSAL_HELLO, "192.0.2.1:2", "");
	cr_expect_eq(told("kind=hello"), 1u, "another kind has");
	come(7999, REFUSAL_LIMIT, "192.0.2.1:3", "");
	refusals_end_period(refusals);
	cr_expect_eq(told("address=192.0.2.1 kind=limit why=\"it is full\" "
			  "count=8000\n"),
		     1u);
	cr_expect_eq(told(""), REFUSALS_EACH + 2);
	come(1, REFUSAL_LIMIT, "192.0.2.1:4", "");
	cr_expect_eq(told(" count=1\n"), REFUSALS_EACH + 2,
		     "a period later each has a line again");
	cr_expect_eq(refusals_count(refusals, REFUSAL_LIMIT),
		     8001u + REFUSALS_EACH);
	cr_expect_eq(refusals_count(refusals, REFUSAL_TOKEN), 0u);
	refusals_free(refusals);
	end();
}

/* The connections come from many addresses at once. */
Test(refusals, a_crowd_is_a_number)
{
	char from[32];
	unsigned i;

	begin();
	for (i = 0; i < REFUSALS_APART + 100; i++) {
		snprintf(from, sizeof(from), "192.0.2.%u:1", i);
		come(1, REFUSAL_TOKEN, from, "alice");
	}
	cr_expect_eq(told(""), REFUSALS_APART);
	come(6, REFUSAL_TOKEN, "192.0.2.0:1", "alice");
	cr_expect_eq(told(""), REFUSALS_APART + REFUSALS_EACH - 1);
	refusals_free(refusals);
	cr_expect_eq(told("wrong-token address=others bot=alice count=100\n"),
		     1u, "also at the end");
	cr_expect_eq(told("address=192.0.2.0 bot=alice count=2\n"), 1u);
	end();
}
