/* protocol/hidden.c - cut out of a line what its viewer may not read.
 *
 * Most lines hold no mark and are only checked and copied, eight bytes at a
 * time.  In the others the marks are found one after the other; a mark that is
 * not exactly of the form that wire lines have spoils the whole line. */
#include "protocol/hidden.h"

#include <stdio.h>
#include <string.h>

#include "protocol/ascii.h"
#include "protocol/limits.h"

_Static_assert(SEATS_MAX <= 10, "a seat is one digit");

struct view_name
view_name(int viewer)
{
	struct view_name name;

	if (viewer == VIEW_ALL || viewer == VIEW_PUBLIC)
		snprintf(name.text, sizeof(name.text), "%s",
			 viewer == VIEW_ALL ? "all" : "public");
	else
		snprintf(name.text, sizeof(name.text), "%d", viewer);
	return name;
}

bool
view_read(const char *name, int *viewer)
{
	for (*viewer = VIEW_ALL; *viewer < SEATS_MAX; ++*viewer)
		if (strcmp(view_name(*viewer).text, name) == 0)
			return true;
	return false;
}

/* The inside of a mark: whole tokens if the mark begins a token, else a part
 * of this one token, without a space. */
static bool
inside_ok(const char *inside, size_t n, bool whole)
{
	const char *end = inside + n, *space;

	while ((space = memchr(inside, ' ', (size_t)(end - inside)))) {
		if (space == inside || !whole)
			return false;
		inside = space + 1;
	}
	return inside < end;
}

/* Reads the seats after `}`: where they end, which must be the end of the
 * token; or NULL. */
static const char *
seats_read(const char *at, const char *end, unsigned *seats)
{
	unsigned seat;

	*seats = 0;
	while (at < end && *at != ' ') {
		seat = (unsigned)(unsigned char)*at - '0';
		if (seat >= SEATS_MAX || *seats >> seat != 0)
			return NULL;
		*seats |= 1u << seat;
		at++;
	}
	return at;
}

/* Writes one `?` for each token inside. */
static char *
write_masks(char *to, const char *inside, size_t n)
{
	const char *end = inside + n;

	*to++ = '?';
	while ((inside = memchr(inside, ' ', (size_t)(end - inside)))) {
		*to++ = ' ';
		*to++ = '?';
		inside++;
	}
	return to;
}

static char *
write_bytes(char *to, const char *from, const char *end)
{
	memcpy(to, from, (size_t)(end - from));
	return to + (end - from);
}

static bool
sees(int viewer, unsigned seats)
{
	if (viewer == VIEW_ALL)
		return true;
	return viewer >= 0 && (seats >> viewer & 1) != 0;
}

/* Redacts the line up to the end of its first mark, which opens at `open`.  Returns the
 * end of what was written and moves `*at` behind the mark; or returns NULL. */
static char *
redact_mark(const char *line, const char **at, const char *open,
	    const char *end, int viewer, char *to)
{
	const char *inside = open + 1;
	const char *close = memchr(*at, '}', (size_t)(end - *at));
	bool whole = open == line || open[-1] == ' ';
	unsigned seats;
	size_t n;

	if (close == NULL || close < inside)
		return NULL;
	n = (size_t)(close - inside);
	if (memchr(inside, '{', n) != NULL || !inside_ok(inside, n, whole))
		return NULL;
	to = write_bytes(to, *at, open);
	*at = seats_read(close + 1, end, &seats);
	if (*at == NULL)
		return NULL;
	return sees(viewer, seats) ? write_bytes(to, inside, close)
				   : write_masks(to, inside, n);
}

/* Redacts a line that may hold marks; returns the end of what was written, or NULL. */
static char *
redact_marks(const char *line, size_t n, int viewer, char *to)
{
	const char *at = line, *end = line + n, *open;

	while ((open = memchr(at, '{', (size_t)(end - at)))) {
		to = redact_mark(line, &at, open, end, viewer, to);
		if (to == NULL)
			return NULL;
	}
	if (memchr(at, '}', (size_t)(end - at)) != NULL)
		return NULL;
	return write_bytes(to, at, end);
}

ssize_t
hidden_redact(const char *line, size_t n, int viewer, char *out)
{
	char *end = NULL;

	if (viewer >= VIEW_ALL && viewer < SEATS_MAX) {
		/* Both braces come after `z`. */
		if (ascii_within(line, n, 'z')) {
			memcpy(out, line, n);
			return (ssize_t)n;
		}
		if (ascii_printable(line, n))
			end = redact_marks(line, n, viewer, out);
	}
	if (end == NULL) {
		memset(out, 0, n);
		return -1;
	}
	return end - out;
}
