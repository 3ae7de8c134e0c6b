/* told.c - see told.h. */
#include "told.h"

#include <string.h>

const char *
told_word(const char *text, size_t n, unsigned line, unsigned word,
	  size_t *length)
{
	const char *end = text + n;

	for (; line > 0 && text; line--) {
		text = memchr(text, '\n', (size_t)(end - text));
		text = text && text + 1 < end ? text + 1 : NULL;
	}
	for (; word > 0 && text; word--) {
		text += strcspn(text, " \n");
		text = *text == ' ' ? text + 1 : NULL;
	}
	if (text)
		*length = strcspn(text, " \n");
	return text;
}

card_set
told_like(const struct deck *deck, const char *word, size_t n)
{
	const char *hidden = memchr(word, '?', n);
	size_t known = hidden ? (size_t)(hidden - word) : n;
	card_set like = 0;
	unsigned i;

	if (known == 0)
		return 0;
	for (i = 0; i < deck->count; i++)
		if (memcmp(deck->name[i], word, known) == 0 &&
		    (hidden || deck->name[i][known] == '\0'))
			like |= (card_set)1 << i;
	return like;
}

card_set
told_pieces(const struct deck *deck, const char *at, const char *stop,
	    bool partly)
{
	card_set pieces = 0;
	size_t n;

	for (; at < stop; at += n + 1) {
		n = strcspn(at, " :\n");
		if (n < sizeof(deck->name[0]) &&
		    (partly || !memchr(at, '?', n)))
			pieces |= told_like(deck, at, n);
		if (at[n] == '\n' && strncmp(at + n + 1, "round ", 6) == 0)
			break;
	}
	return pieces;
}

unsigned
told_round(const char *line, size_t n)
{
	const char *end = line + n;
	unsigned i;

	for (i = 0; line < end; i++) {
		if (strncmp(line, "round ", 6) == 0)
			return i;
		line = (const char *)memchr(line, '\n', (size_t)(end - line)) +
		       1;
	}
	return TOLD_NO_LINE;
}
