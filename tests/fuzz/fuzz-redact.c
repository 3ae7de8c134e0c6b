/* tests/fuzz/fuzz-redact.c - viewers read of a line only what they may.
 *
 * Input: a line.  The target reads it byte by byte by the description of
 * lines, without protocol/hidden.c.
 *
 * It checks for all viewers:
 * - what each reads, and that a line with a broken mark is shown to none;
 * - that a view does not change with the bytes that it hides;
 * - that the views nest: the public knows less than a seat, a seat less than a
 *   reader of the record afterwards. */
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/limits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/views.h"

enum place { OUTSIDE, INSIDE, SEATS };

struct reading {
	const char *line;
	size_t n;
	int viewer;

	enum place place;
	bool whole;	  /* the mark began at a token's begin */
	size_t opened;	  /* its place in the line */
	size_t opened_to; /* and in the output */
	size_t token;	  /* bytes of the token inside */
	int last;	  /* seat; -1: none yet */
	bool seen;	  /* by the viewer */

	char *to; /* n bytes: what the viewer reads */
	size_t used;
	char *other; /* the line, all that is hidden replaced */
};

static bool
outside(struct reading *r, size_t i)
{
	char c = r->line[i];

	if (c == '}')
		return false;
	if (c != '{') {
		r->to[r->used++] = c;
		return true;
	}
	r->place = INSIDE;
	r->whole = i == 0 || r->line[i - 1] == ' ';
	r->opened = i + 1;
	r->opened_to = r->used;
	r->token = 0;
	r->last = -1;
	r->seen = r->viewer == VIEW_ALL;
	return true;
}

static bool
inside(struct reading *r, size_t i)
{
	char c = r->line[i];

	if (c == '{')
		return false;
	if (c == '}') {
		r->place = SEATS;
		return r->token > 0;
	}
	if (c == ' ' && (r->token == 0 || !r->whole))
		return false;
	r->token = c == ' ' ? 0 : r->token + 1;
	r->to[r->used++] = c;
	return true;
}

/* Hides a whole mark that is closed at `i`, where its seats are known. */
static void
hide(struct reading *r)
{
	bool token = false;
	size_t i;

	r->place = OUTSIDE;
	if (r->seen)
		return;
	r->used = r->opened_to;
	for (i = r->opened; r->line[i] != '}'; i++) {
		if (r->line[i] == ' ')
			r->to[r->used++] = ' ';
		else if (!token)
			r->to[r->used++] = '?';
		token = r->line[i] != ' ';
		if (token)
			r->other[i] = r->line[i] == 'x' ? 'y' : 'x';
	}
}

static bool
seats(struct reading *r, size_t i)
{
	int seat = r->line[i] - '0';

	if (r->line[i] == ' ') {
		hide(r);
		r->to[r->used++] = ' ';
		return true;
	}
	if (seat <= r->last || seat >= SEATS_MAX)
		return false;
	r->last = seat;
	r->seen |= seat == r->viewer;
	return true;
}

/* Reads the line; returns false if it is broken. */
static bool
read_all(struct reading *r)
{
	bool fine = r->viewer >= VIEW_ALL && r->viewer < SEATS_MAX;
	size_t i;

	memcpy(r->other, r->line, r->n);
	for (i = 0; i < r->n && fine; i++) {
		if (r->line[i] < ' ' || r->line[i] > '~')
			return false;
		if (r->place == OUTSIDE)
			fine = outside(r, i);
		else if (r->place == INSIDE)
			fine = inside(r, i);
		else
			fine = seats(r, i);
	}
	if (r->place == SEATS && fine)
		hide(r);
	return fine && r->place == OUTSIDE;
}

static void
check_viewer(const char *line, size_t n, int viewer)
{
	struct reading r = { .line = line, .n = n, .viewer = viewer };
	char *out = memory(NULL, n + 1);
	ssize_t got = hidden_redact(line, n, viewer, out);
	size_t i;

	r.to = memory(NULL, n + 1);
	r.other = memory(NULL, n + 1);
	if (read_all(&r)) {
		HOLDS(got == (ssize_t)r.used);
		HOLDS(memcmp(out, r.to, r.used) == 0);
		HOLDS(hidden_redact(r.other, n, viewer, out) == got);
		HOLDS(memcmp(out, r.to, r.used) == 0);
	} else {
		HOLDS(got == -1);
		for (i = 0; i < n; i++)
			HOLDS(out[i] == '\0');
	}
	free(r.other);
	free(r.to);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *line;
	int viewer;

	if (n > LINE_REFEREE_BYTES)
		n = LINE_REFEREE_BYTES;
	line = fuzz_copy(data, n);
	for (viewer = VIEW_ALL - 1; viewer <= SEATS_MAX; viewer++)
		check_viewer(line, n, viewer);
	views_nest(line, n, SEATS_MAX);
	free(line);
	return 0;
}
