/* tests/unit/test-limits.c - the page for bots' authors has all limits of
 * limits.h with their values. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/util.h"

#define LIMITS 128

struct limit {
	char name[40];
	unsigned long value;
};

/* Reads a line of the one file or of the other; returns the number of fields found. */
static int
read_limit(const char *line, bool page, struct limit *limit)
{
	if (page)
		return sscanf(line, "| `%39[A-Z_]` | %lu |", limit->name,
			      &limit->value);
	return sscanf(line, "#define %39[A-Z_] %lu", limit->name,
		      &limit->value);
}

/* Reads the limits from the page or the header; returns how many. */
static size_t
read_limits(bool page, struct limit limits[LIMITS])
{
	char path[1024];
	char *line = NULL;
	size_t size = 0, n = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/protocol/%s", SOURCE_DIR,
		 page ? "PROTOCOL.md" : "limits.h");
	in = fopen(path, "re");
	cr_assert_not_null(in, "%s cannot be opened", path);
	while (getline(&line, &size, in) >= 0) {
		cr_assert_lt(n, LIMITS);
		if (read_limit(line, page, &limits[n]) == 2)
			n++;
	}
	free(line);
	fclose(in);
	return n;
}

Test(limits, the_page_and_the_header_say_the_same)
{
	struct limit header[LIMITS], page[LIMITS];
	size_t n = read_limits(false, header);
	size_t i, on_page;

	on_page = read_limits(true, page);
	for (i = 0; i < n && i < on_page; i++) {
		cr_assert_str_eq(page[i].name, header[i].name);
		cr_expect_eq(page[i].value, header[i].value, "%s is %lu",
			     header[i].name, header[i].value);
	}
	cr_assert_eq(on_page, n);
}

/* The reader above finds every limit that the compiler sees. */
Test(limits, the_header_is_read_to_its_end)
{
	struct limit header[LIMITS];
	size_t n = read_limits(false, header);

	cr_assert_geq(n, 40);
	cr_assert_str_eq(header[0].name, "PROTOCOL_VERSION");
	cr_assert_eq(header[0].value, PROTOCOL_VERSION);
	cr_assert_str_eq(header[n - 1].name, "SEED_BYTES");
	cr_assert_eq(header[n - 1].value, SEED_BYTES);
}

/* The prose names a few of them, too. */
Test(limits, what_the_prose_says)
{
	cr_assert_eq(LINE_REFEREE_BYTES, 8191);
	cr_assert_eq(LINE_BOT_BYTES, 1023);
	cr_assert_eq(NAME_BYTES, 32);
	cr_assert_eq(ID_BYTES, 32);
	cr_assert_eq(SAY_BYTES, 200);
	cr_assert_eq(SAY_COUNT, 100);
	cr_assert_eq(SLIP_TYPES, 8);
	cr_assert_eq(CHATTER_MAX, 1000);
	cr_assert_eq(ENTROPY_BYTES, 32);
	cr_assert_eq(ENTROPY_MS, 1000);
	cr_assert_eq(START_MS, 5000);
	cr_assert_eq(START_PART, 10);
	cr_assert_eq(WRITE_MS, 200);
	cr_assert_eq(BYE_MS, 500);
	cr_assert_eq(BYE_STARVED_MS, 5000);
	cr_assert_eq(FAULTS_DEFAULT, 3);
	cr_assert_eq(SEATS_MAX, 8);
	cr_assert_eq(BOT_TOKEN_BYTES, 128);
	cr_assert_eq(GAMES_AT_ONCE, 16);
	cr_assert_eq(HELLO_MS, 10000);
	cr_assert_eq(PING_MS, 30000);
	cr_assert_eq(PONG_MS, 15000);
	cr_assert_eq(LINES_A_SECOND, 5000);
	cr_assert_eq(LINES_AT_ONCE, 10000);
	cr_assert_eq(USELESS_MS, 1000);
	cr_assert_eq(GRACE_MS, 60000);
	cr_assert_eq(RETURNS_AT_ONCE, 20);
	cr_assert_eq(RETURN_MS, 1000);
	cr_assert_eq(RESUME_BYTES, 262144);
	cr_assert_eq(MEMORY_MIB, 256);
}
