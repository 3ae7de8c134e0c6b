/* tests/unit/test-line.c */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "protocol/text.h"
#include "tests/unit/expect-bug.h"
#include "tests/unit/vectors.h"

#define CASE_BYTES 4096

/* Takes all lines that are there and writes the results as they stand in the
 * vectors. */
static void
take_all(struct line_reader *reader, struct text *out)
{
	enum line_result result;
	char *line;
	size_t n;

	while ((result = line_take(reader, &line, &n)) != LINE_NONE) {
		if (result == LINE_TOO_LONG) {
			text_str(out, "long\n");
		} else if (result == LINE_BAD_BYTE) {
			text_str(out, "byte\n");
		} else {
			cr_assert_eq(line[n], '\0');
			text_fmt(out, "line %s\n", line);
		}
	}
}

/* Feeds `n` bytes in pieces of at most `piece`. */
static void
feed(struct line_reader *reader, const char *bytes, size_t n, size_t piece,
     struct text *out)
{
	size_t space, part;
	char *to;

	while (n > 0) {
		to = line_space(reader, &space);
		cr_assert_geq(space, 1);
		part = n < piece ? n : piece;
		part = part < space ? part : space;
		memcpy(to, bytes, part);
		line_added(reader, part);
		bytes += part;
		n -= part;
		take_all(reader, out);
	}
}

/* Checks the results of a stream of which the first `cut` bytes come first, all of it
 * in pieces of at most `piece` bytes. */
static void
check_feed(size_t max, const char *bytes, size_t n, size_t cut, size_t piece,
	   struct text *expected)
{
	struct line_reader reader;
	struct text out = { .max = 1000000 };

	line_reader_init(&reader, max);
	feed(&reader, bytes, cut, piece, &out);
	feed(&reader, bytes + cut, n - cut, piece, &out);
	cr_assert_str_eq(text_string(&out), text_string(expected),
			 "%zu bytes, cut at %zu, in pieces of %zu", n, cut,
			 piece);
	line_reader_release(&reader);
	text_release(&out);
}

static void
check_every_split(size_t max, const char *bytes, size_t n,
		  struct text *expected)
{
	size_t cut;

	for (cut = 0; cut <= n; cut++)
		check_feed(max, bytes, n, cut, n + 1, expected);
	for (cut = 1; cut <= 5; cut++)
		check_feed(max, bytes, n, 0, cut, expected);
}

static unsigned
hex_value(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Drops the escapes; returns the number of bytes. */
static size_t
unescape(const char *value, char bytes[CASE_BYTES])
{
	size_t n = 0;

	for (; *value != '\0'; value++) {
		cr_assert_lt(n, CASE_BYTES);
		bytes[n++] = *value;
		if (*value != '\\')
			continue;
		value++;
		if (*value == 'x') {
			bytes[n - 1] = (char)(16 * hex_value(value[1]) +
					      hex_value(value[2]));
			value += 2;
		} else {
			bytes[n - 1] = *value == 'n'   ? '\n'
				       : *value == 'r' ? '\r'
						       : *value;
		}
	}
	return n;
}

Test(line, vectors_at_every_split)
{
	struct vectors v = vectors_open("stream.txt");
	struct text expected = { .max = 1000000 };
	char bytes[CASE_BYTES];
	size_t max = 0, n = 0;
	unsigned cases = 0;

	while (vectors_next(&v)) {
		if (vectors_is(&v, "max")) {
			if (cases++ > 0)
				check_every_split(max, bytes, n, &expected);
			max = strtoul(v.value, NULL, 10);
			text_clear(&expected);
		} else if (vectors_is(&v, "bytes")) {
			n = unescape(v.value, bytes);
		} else {
			text_fmt(&expected, "%s%s%s\n", v.key,
				 vectors_is(&v, "line") ? " " : "", v.value);
		}
	}
	check_every_split(max, bytes, n, &expected);
	cr_assert_geq(cases, 14);
	text_release(&expected);
	vectors_release(&v);
}

/* Tries the limits of the conversation, at the limit and one beyond. */
Test(line, limits_of_the_conversation)
{
	static const size_t limits[] = { LINE_BOT_BYTES, LINE_REFEREE_BYTES };
	static const char *const ends[] = { "\n", "\r\n" };
	char bytes[LINE_REFEREE_BYTES + 8];
	struct text expected = { .max = 20000 };
	size_t i, end, n, piece;

	memset(bytes, 'x', sizeof(bytes));
	for (i = 0; i < NELEM(limits); i++)
		for (end = 0; end < NELEM(ends); end++)
			for (n = limits[i] - 1; n <= limits[i] + 1; n++) {
				memcpy(bytes + n, ends[end], end + 1);
				text_clear(&expected);
				if (n > limits[i])
					text_str(&expected, "long\n");
				else
					text_fmt(&expected, "line %.*s\n",
						 (int)n, bytes);
				for (piece = 1; piece < 10000; piece *= 3)
					check_feed(limits[i], bytes,
						   n + end + 1, n, piece,
						   &expected);
				memset(bytes, 'x', sizeof(bytes));
			}
	text_release(&expected);
}

Test(line, an_endless_line_takes_no_more_memory)
{
	struct line_reader reader;
	struct text out = { .max = 1000 };
	char bytes[1000];
	size_t size, i;

	memset(bytes, 'x', sizeof(bytes));
	line_reader_init(&reader, LINE_BOT_BYTES);
	size = reader.size;
	cr_assert_leq(size, 8192);
	for (i = 0; i < 10000; i++)
		feed(&reader, bytes, sizeof(bytes), sizeof(bytes), &out);
	feed(&reader, "\nhello\n", 7, 7, &out);
	cr_assert_eq(reader.size, size);
	cr_assert_str_eq(text_string(&out), "long\nline hello\n");
	line_reader_release(&reader);
	text_release(&out);
}

/* Any bytes with any cuts give the same as one byte at a time. */
Test(line, random_streams_do_not_hang_on_the_cuts)
{
	static const char alphabet[] = "\n\n\n\r\rab{}\x7f\x80\x01 ";
	uint32_t state = 12345;
	struct text expected = { .max = 100000 };
	struct line_reader reader;
	char bytes[400];
	unsigned round;
	size_t i, n;

	for (round = 0; round < 300; round++) {
		for (i = 0; i < sizeof(bytes); i++) {
			state = state * 1664525 + 1013904223;
			n = (state >> 16) % (sizeof(alphabet) - 1 + 12);
			bytes[i] = n < sizeof(alphabet) - 1 ? alphabet[n] : 'x';
		}
		text_clear(&expected);
		line_reader_init(&reader, round % 12);
		feed(&reader, bytes, sizeof(bytes), 1, &expected);
		line_reader_release(&reader);
		for (i = 2; i < sizeof(bytes); i += 1 + i / 4)
			check_feed(round % 12, bytes, sizeof(bytes), i, i,
				   &expected);
	}
	text_release(&expected);
}

/* Tries every byte at every place of lines of every length up to 40. */
Test(line, every_byte_that_is_not_printable_is_found)
{
	struct line_reader reader;
	struct text out = { .max = 100 };
	char bytes[41];
	unsigned byte;
	size_t n, at;

	for (n = 1; n <= 40; n++)
		for (at = 0; at < n; at++)
			for (byte = 0; byte < 256; byte++) {
				if (byte == '\n' || byte == '\r')
					continue;
				memset(bytes, 'a', n);
				bytes[at] = (char)byte;
				bytes[n] = '\n';
				line_reader_init(&reader, 40);
				text_clear(&out);
				feed(&reader, bytes, n + 1, n + 1, &out);
				cr_assert_eq(
					text_string(&out)[0],
					byte < 0x20 || byte > 0x7e ? 'b' : 'l',
					"byte %u at %zu of %zu", byte, at, n);
				line_reader_release(&reader);
			}
	text_release(&out);
}

static void
expect_unended(struct line_reader *reader, const char *bytes,
	       const char *expected)
{
	char *line, *to;
	const char *begun = "";
	size_t n, room;

	to = line_space(reader, &room);
	memcpy(to, bytes, strlen(bytes));
	line_added(reader, strlen(bytes));
	cr_expect_eq(line_unended(reader, &begun), 0, "nobody has looked");
	while (line_take(reader, &line, &n) != LINE_NONE)
		;
	n = line_unended(reader, &begun);
	cr_expect_eq(n, strlen(expected), "%zu after %s", n, bytes);
	cr_expect_eq(memcmp(begun, expected, n), 0, "%s", bytes);
}

Test(line, a_line_that_has_no_end_can_be_looked_at)
{
	struct line_reader reader;

	line_reader_init(&reader, 10);
	expect_unended(&reader, "do 1", "do 1");
	expect_unended(&reader, " X", "do 1 X");
	expect_unended(&reader, "\n", "");
	expect_unended(&reader, "one\ntwo\nth", "th");
	expect_unended(&reader, "ree that is too long", "");
	expect_unended(&reader, "\nshort", "short");
	line_reader_release(&reader);
}

Test(line, reading_on_into_a_full_buffer_is_our_bug)
{
	struct line_reader reader;
	size_t n;

	line_reader_init(&reader, 10);
	EXPECT_BUG(
		"reading on without taking the lines that are there", for (;;) {
			memset(line_space(&reader, &n), '\n', 1);
			line_added(&reader, n);
		});
	line_reader_release(&reader);
}

Test(line, adding_more_than_the_space_is_our_bug)
{
	struct line_reader reader;
	size_t n;

	line_reader_init(&reader, 10);
	line_space(&reader, &n);
	EXPECT_BUG(" bytes read into less space", line_added(&reader, n + 1));
	line_reader_release(&reader);
}
