/* referee/base/suggest.c - see suggest.h. */
#include "referee/base/suggest.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Fills row[0] for the first `from` letters; row[1] and row[2] are the two rows
 * before it. */
static void
fill_row(const char *a, const char *b, unsigned from,
	 unsigned row[3][SUGGEST_WORD_BYTES + 1])
{
	row[0][0] = from;
	for (unsigned i = 1; b[i - 1] != '\0'; i++) {
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

/* Adds the word if room is left for the dots behind it; else adds the dots. */
static void
add_to_list(char list[SUGGEST_LIST_BYTES], const char *word)
{
	static const char more[] = ", ...";
	size_t used = strlen(list), n = strlen(word);

	if (used > 4 && strcmp(list + used - 5, more) == 0)
		return;
	if (used + 2 + n + sizeof(more) > SUGGEST_LIST_BYTES)
		memcpy(list + used, more, sizeof(more));
	else
		snprintf(list + used, SUGGEST_LIST_BYTES - used, "%s%s",
			 used > 0 ? ", " : "", word);
}

int
suggest_none(const struct suggestion *suggestion, struct error *why,
	     const char *fmt, ...)
{
	const char *list = suggestion->list;
	const char *there = strchr(list, ',') != NULL ? "are" : "is";
	va_list ap;

	va_start(ap, fmt);
	error_vset(why, ERROR_INPUT, fmt, ap);
	va_end(ap);
	return error_set(why, ERROR_INPUT, "%s; there %s %s%s", why->text,
			 there, *list != '\0' ? list : "none",
			 suggestion->text);
}

void
suggest_offer(struct suggestion *suggestion, const char *offer)
{
	size_t given = strlen(suggestion->word);
	unsigned n = edits(suggestion->word, offer);

	add_to_list(suggestion->list, offer);
	if (given >= 2 && strncmp(suggestion->word, offer, given) == 0)
		n = 0;
	if (n >= suggestion->edits || n > (strlen(offer) + 2) / 3)
		return;
	suggestion->edits = n;
	snprintf(suggestion->text, sizeof(suggestion->text),
		 "; did you mean %s?", offer);
}
