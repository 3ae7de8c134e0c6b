/* referee/records/verify-ask.c - makes `ask` lines by the rules, and compares
 * them. */
#include <stdlib.h>
#include <string.h>

#include "referee/records/verify.h"

void
verify_ask(const struct game *game, unsigned seat, struct text *line)
{
	struct legal legal;
	char token[MOVE_BYTES];

	game_legal(game, seat, &legal);
	text_fmt(line, "ask %u", seat);
	for (unsigned i = 0; i < legal.count; i++) {
		game_move_token(game->setup.rules, legal.move[i], token);
		text_str(line, " ");
		text_str(line, token);
	}
}

static int
by_text(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Cuts a line into words, in place, and sorts those after the first three: the
 * third is the house move. */
static size_t
sort_words(char *line, char **word, size_t max)
{
	size_t n = 0;
	char *at;

	while (n < max && (at = strsep(&line, " ")) != NULL)
		word[n++] = at;
	if (n > 3)
		qsort(word + 3, n - 3, sizeof(*word), by_text);
	return n;
}

bool
verify_same_ask(const char *one, const char *other)
{
	enum {
		WORDS = LEGAL_MAX + 3
	}; /* `ask S`, the tokens, and one too many */
	char *copy[2] = { copied(one), copied(other) };
	char **word = memory(NULL, 2 * WORDS * sizeof(*word));
	size_t words, others;
	bool same;

	words = sort_words(copy[0], word, WORDS);
	others = sort_words(copy[1], word + WORDS, WORDS);
	same = words == others;
	for (size_t i = 0; same && i < words; i++)
		same = strcmp(word[i], word[WORDS + i]) == 0;
	free(word);
	free(copy[0]);
	free(copy[1]);
	return same;
}
