/* sample-view.c - see sample-view.h. */
#include "sample-view.h"

#include <string.h>

#include "protocol/hidden.h"
#include "protocol/limits.h"
#include "told.h"

#define SCORE_LINE 4096
#define SCORE_PIECE 64

/* Notes which pieces are wrong in a line that is not as it should be, and how much is
 * right. */
static void
note_difference(const struct deck *deck, const char *told, size_t told_n,
		const char *view, size_t n, struct sample_fit *fit)
{
	card_set should = told_pieces(deck, told, told + told_n, false);
	card_set is = told_pieces(deck, view, view + n, false);
	size_t at = 0;

	fit->agreed += SCORE_PIECE * cards_count(should & is);
	for (; at < n && told[at] == view[at]; at++)
		fit->agreed += told[at] == ' ';
	if (should != is) {
		fit->wanted = should & ~is;
		fit->got = is & ~should;
		return;
	}
	while (at > 0 && told[at - 1] != ' ')
		at--; /* the same ones, elsewhere */
	n = strcspn(told + at, " \n");
	fit->wanted = told_like(deck, told + at, n);
	n = strcspn(view + at, " \n");
	fit->got = told_like(deck, view + at, n);
}

/* Returns true if the viewer would read this line as it was told.  Adds to `fit`. */
static bool
same_line(const struct sample_eye *eye, const char *told, size_t told_n,
	  const char *line, size_t n, struct sample_fit *fit)
{
	char view[LINE_REFEREE_BYTES + 1];
	ssize_t used = hidden_redact(line, n, eye->viewer, view);

	if (used < 0)
		return false;
	if ((size_t)used == told_n && memcmp(view, told, told_n) == 0) {
		fit->agreed += SCORE_LINE;
		fit->lines++;
		return true;
	}
	view[used] = '\0';
	note_difference(eye->deck, told, told_n, view, (size_t)used, fit);
	return false;
}

bool
sample_same_lines(const struct sample_eye *eye, const char *told, size_t n,
		  const struct events *ev, struct sample_fit *fit)
{
	const char *end = told + n, *lf;
	const char *line = ev->text, *line_end = line + ev->used, *line_lf;

	if (ev->used == n && memcmp(line, told, n) == 0)
		return true; /* nothing is hidden */
	for (; told < end && line < line_end; told = lf + 1) {
		lf = memchr(told, '\n', (size_t)(end - told));
		line_lf = memchr(line, '\n', (size_t)(line_end - line));
		if (!same_line(eye, told, (size_t)(lf - told), line,
			       (size_t)(line_lf - line), fit))
			return false;
		line = line_lf + 1;
	}
	return told == end && line == line_end;
}
