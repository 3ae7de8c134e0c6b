/* referee/suggest.c - see suggest.h. */
#include "referee/suggest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "protocol/util.h"

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* row[0] is the row of `from` letters, row[1] and row[2] those before it. */
static void
fill_row(const char *a, const char *b, unsigned from,
	 unsigned row[3][SUGGEST_WORD_BYTES + 1])
{
	unsigned i;

	row[0][0] = from;
	for (i = 1; b[i - 1] != '\0'; i++) {
		row[0][i] = least(least(row[1][i], row[0][i - 1]) + 1,
				  row[1][i - 1] + (a[from - 1] != b[i - 1]));
		if (from > 1 && i > 1 && a[from - 1] == b[i - 2] &&
		    a[from - 2] == b[i - 1])
			row[0][i] = least(row[0][i], row[2][i - 2] + 1);
	}
}

static unsigned
edits(const char *a, const char *b)
{
	unsigned row[3][SUGGEST_WORD_BYTES + 1] = { 0 }, i;
	size_t n = strlen(b);

	if (strlen(a) > SUGGEST_WORD_BYTES || n > SUGGEST_WORD_BYTES)
		return UINT_MAX;
	for (i = 0; i <= n; i++)
		row[0][i] = i;
	for (i = 1; i <= strlen(a); i++) {
		memmove(row[1], row[0], 2 * sizeof(row[0]));
		fill_row(a, b, i, row);
	}
	return row[0][n];
}

struct suggestion
suggest(const char *word)
{
	return (struct suggestion){ .word = word, .edits = UINT_MAX };
}

void
suggest_offer(struct suggestion *suggestion, const char *offer)
{
	size_t given = strlen(suggestion->word);
	unsigned n = edits(suggestion->word, offer);

	if (given >= 2 && strncmp(suggestion->word, offer, given) == 0)
		n = 0;
	if (n >= suggestion->edits || n > (strlen(offer) + 2) / 3)
		return;
	suggestion->edits = n;
	snprintf(suggestion->text, sizeof(suggestion->text),
		 "; did you mean %s?", offer);
}
