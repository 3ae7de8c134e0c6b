/* protocol/line.h - cut lines out of a byte stream, without copying.
 *
 * A line ends in LF; one CR before it is dropped.  `max` counts neither.
 * Length is judged before the LF arrives, so no sender can make us hold more
 * than one line.  Nothing here reads, logs or closes: the caller does. */
#ifndef PROTOCOL_LINE_H
#define PROTOCOL_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/util.h"

enum line_result {
	LINE_NONE,     /* no whole line yet */
	LINE_OK,       /* one line */
	LINE_TOO_LONG, /* more than `max` bytes without LF; it is skipped up
			* to its LF, and reading goes on after it */
	LINE_BAD_BYTE, /* a NUL or another byte that is not printable ASCII; the
			* line is skipped */
};

struct line_reader {
	char *bytes;   /* owned; max + 2 bytes and some room to read ahead */
	size_t size;   /* of bytes */
	size_t start;  /* of the line not yet taken */
	size_t end;    /* of what was read */
	size_t looked; /* no LF before this one */
	size_t max;    /* of a line */
	bool skipping; /* inside a line that was too long */
};

void line_reader_init(struct line_reader *reader, size_t max);
void line_reader_release(struct line_reader *reader);

/* Returns where to read to: at least one byte, `*n` of them.  Then call line_added().
 * The lines read before must have been taken, up to LINE_NONE. */
char *line_space(struct line_reader *reader, size_t *n);
void line_added(struct line_reader *reader, size_t n);

/* Takes the next line.  LINE_OK, and LINE_BAD_BYTE, for a caller that wants to
 * show it: `*line` points at `*n` bytes, then a NUL, borrowed until the next
 * call of line_space(). */
enum line_result line_take(struct line_reader *reader, char **line,
			   size_t *n) MUST_CHECK;

/* Returns how many bytes of a line are there whose LF is not, `*line` points at
 * them, borrowed as by line_take(); 0 if there are none, if lines wait, or if it is too
 * long. */
size_t line_unended(const struct line_reader *reader, const char **line);

#endif
