/* referee/games/told.c - a step's lines, cut into words. */
#include "referee/games/told.h"

#include <string.h>

#include "protocol/limits.h"

bool
told_add(struct told *told, const char *line, size_t n)
{
	bool inside = false;
	size_t i;

	if (told->lines == TOLD_LINES || n + 1 > TOLD_BYTES - told->used)
		return false;
	for (i = 0; i < n; i++) {
		if (!inside && told->words == TOLD_WORDS)
			return false;
		if (!inside)
			told->at[told->words++] = (uint16_t)(told->used + i);
		inside = line[i] != ' ';
		told->text[told->used + i] = inside ? line[i] : '\0';
	}
	told->used += n;
	told->text[told->used++] = '\0';
	told->first[++told->lines] = (uint16_t)told->words;
	return true;
}

bool
told_is(const struct told *told, unsigned line, const char *verb)
{
	return strcmp(told_word(told, line, 0), verb) == 0;
}

unsigned
told_seat(const struct told *told, unsigned line)
{
	const char *word = told_word(told, line, 1);

	if (word[0] < '0' || word[0] >= '0' + SEATS_MAX || word[1])
		return SEATS_MAX;
	return (unsigned)(word[0] - '0');
}

unsigned
told_round(const struct told *told)
{
	unsigned line = 0;

	while (line < told->lines && !told_is(told, line, "round"))
		line++;
	return line;
}

int
told_piece(const struct told *told, unsigned line, unsigned i,
	   const struct deck *deck)
{
	const char *word = told_word(told, line, i);

	return card_find(deck, word, strlen(word));
}

card_set
told_pieces(const struct told *told, unsigned line, unsigned i,
	    const struct deck *deck)
{
	card_set pieces = 0;
	int piece;

	for (; i < told_count(told, line); i++) {
		piece = told_piece(told, line, i, deck);
		if (piece >= 0)
			pieces |= (card_set)1 << piece;
	}
	return pieces;
}
