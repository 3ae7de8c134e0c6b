/* protocol/line.c - cut lines out of a byte stream.
 *
 * The bytes from `start` to `end` are read but not taken.  A line is judged by
 * its length first and by its bytes when it is whole, so that the results do
 * not hang on how the stream was cut into reads. */
#include "protocol/line.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/ascii.h"

#define READ_AHEAD_BYTES 3072

void
line_reader_init(struct line_reader *reader, size_t max)
{
	*reader = (struct line_reader){ .max = max };
	reader->size = max + 2 + READ_AHEAD_BYTES;
	reader->bytes = memory(NULL, reader->size);
}

void
line_reader_release(struct line_reader *reader)
{
	free(reader->bytes);
	*reader = (struct line_reader){ .max = reader->max };
}

char *
line_space(struct line_reader *reader, size_t *n)
{
	size_t held = reader->end - reader->start;

	if (reader->start > 0) {
		memmove(reader->bytes, reader->bytes + reader->start, held);
		reader->looked -= reader->start;
		reader->start = 0;
		reader->end = held;
	}
	if (reader->end == reader->size)
		bug("reading on without taking the lines that are there");
	*n = reader->size - reader->end;
	return reader->bytes + reader->end;
}

void
line_added(struct line_reader *reader, size_t n)
{
	if (n > reader->size - reader->end)
		bug("%zu bytes read into less space", n);
	reader->end += n;
}

/* Returns true if a line that begins with these `n` bytes can still be short enough:
 * one byte too many may turn out to be the CR before the LF. */
static bool
may_become_line(const struct line_reader *reader, size_t n)
{
	return n <= reader->max ||
	       (n == reader->max + 1 && reader->bytes[reader->end - 1] == '\r');
}

/* Takes a line without its LF, to which everything read so far belongs. */
static enum line_result
take_unended(struct line_reader *reader)
{
	size_t n = reader->end - reader->start;

	reader->looked = reader->end;
	if (!reader->skipping && may_become_line(reader, n))
		return LINE_NONE;
	reader->start = reader->end;
	if (reader->skipping)
		return LINE_NONE;
	reader->skipping = true;
	return LINE_TOO_LONG;
}

enum line_result
line_take(struct line_reader *reader, char **line, size_t *n)
{
	char *bytes, *lf;

	for (;;) {
		lf = memchr(reader->bytes + reader->looked, '\n',
			    reader->end - reader->looked);
		if (lf == NULL)
			return take_unended(reader);
		bytes = reader->bytes + reader->start;
		reader->start = reader->looked =
			(size_t)(lf - reader->bytes) + 1;
		if (!reader->skipping)
			break;
		reader->skipping = false;
	}
	*n = (size_t)(lf - bytes);
	if (*n > 0 && lf[-1] == '\r')
		--*n;
	if (*n > reader->max)
		return LINE_TOO_LONG;
	bytes[*n] = '\0';
	*line = bytes;
	return ascii_printable(bytes, *n) ? LINE_OK : LINE_BAD_BYTE;
}

size_t
line_unended(const struct line_reader *reader, const char **line)
{
	if (reader->skipping || reader->looked != reader->end)
		return 0;
	*line = reader->bytes + reader->start;
	return reader->end - reader->start;
}
