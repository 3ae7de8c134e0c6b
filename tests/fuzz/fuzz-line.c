/* tests/fuzz/fuzz-line.c - however a stream is cut, the lines are the same.
 *
 * Input: the most bytes of a line (from 128 on: those of a bot's line), the
 * number of cuts, that many lengths of reads (used over and over), the stream.
 * The target finds the lines in the whole stream, and the reader must find the
 * same: in these reads, byte by byte, and in reads as large as possible. */
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "protocol/text.h"
#include "tests/fuzz/fuzz.h"

/* Writes the results as text: `+` and a line, or `long` or `byte`, and LF. */
static void
put_line(struct text *to, const char *line, size_t n)
{
	text_str(to, "+");
	text_add(to, line, n);
	text_str(to, "\n");
}

static void
judge(const char *line, size_t n, size_t max, struct text *to)
{
	size_t i;

	if (n > 0 && line[n - 1] == '\r')
		n--;
	if (n > max) {
		text_str(to, "long\n");
		return;
	}
	for (i = 0; i < n; i++) {
		if (line[i] < ' ' || line[i] > '~') {
			text_str(to, "byte\n");
			return;
		}
	}
	put_line(to, line, n);
}

/* Writes the lines that must be found in the whole stream. */
static void
expect(const char *stream, size_t n, size_t max, struct text *to)
{
	size_t i, start = 0;

	for (i = 0; i < n; i++) {
		if (stream[i] != '\n')
			continue;
		judge(stream + start, i - start, max, to);
		start = i + 1;
	}
	/* A line that is certainly too long is reported before its end. */
	if (n - start > max + 1 ||
	    (n - start == max + 1 && stream[n - 1] != '\r'))
		text_str(to, "long\n");
}

static void
take_all(struct line_reader *reader, struct text *to)
{
	enum line_result result;
	char *line;
	size_t n;

	while ((result = line_take(reader, &line, &n)) != LINE_NONE) {
		if (result == LINE_TOO_LONG) {
			text_str(to, "long\n");
		} else if (result == LINE_BAD_BYTE) {
			text_str(to, "byte\n");
		} else {
			HOLDS(line[n] == '\0');
			put_line(to, line, n);
		}
	}
}

/* Reads the stream in reads of cut[0], cut[1], … bytes (0: as many as fit);
 * with `cuts` 0 all reads take as many as fit. */
static void
read_stream(const char *stream, size_t n, size_t max, const uint8_t *cut,
	    size_t cuts, struct text *to)
{
	struct line_reader reader;
	size_t i, room, wanted;
	char *space;

	line_reader_init(&reader, max);
	for (i = 0; n > 0; i++) {
		space = line_space(&reader, &room);
		HOLDS(room > 0);
		wanted = cuts > 0 ? cut[i % cuts] : 0;
		if (wanted > 0 && wanted < room)
			room = wanted;
		if (room > n)
			room = n;
		memcpy(space, stream, room);
		line_added(&reader, room);
		stream += room;
		n -= room;
		take_all(&reader, to);
	}
	line_reader_release(&reader);
}

static void
compare(const struct text *expected, const char *stream, size_t n, size_t max,
	const uint8_t *cut, size_t cuts)
{
	struct text found = { .max = SIZE_MAX };

	read_stream(stream, n, max, cut, cuts, &found);
	HOLDS(found.used == expected->used);
	HOLDS(found.used == 0 ||
	      memcmp(found.bytes, expected->bytes, found.used) == 0);
	text_release(&found);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const uint8_t one = 1;
	struct text expected = { .max = SIZE_MAX };
	const char *stream;
	size_t max, cuts;

	if (n < 2)
		return 0;
	max = data[0] < 128 ? data[0] : LINE_BOT_BYTES;
	cuts = data[1];
	data += 2;
	n -= 2;
	if (cuts > n)
		cuts = n;
	stream = (const char *)data + cuts;
	n -= cuts;
	expect(stream, n, max, &expected);
	compare(&expected, stream, n, max, data, cuts);
	compare(&expected, stream, n, max, &one, 1);
	compare(&expected, stream, n, max, NULL, 0);
	text_release(&expected);
	return 0;
}
