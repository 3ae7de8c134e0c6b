/* tests/fuzz/fuzz.c */
#include "tests/fuzz/fuzz.h"

#include <string.h>

void *
fuzz_copy(const void *bytes, size_t n)
{
	/* memory(NULL, 0) may be anything, and so may `bytes`. */
	char *copy = memory(NULL, n > 0 ? n : 1);

	if (n > 0)
		memcpy(copy, bytes, n);
	return copy;
}

bool
fuzz_take(struct fuzz_text *text, char end, struct fuzz_text *piece)
{
	const char *stop;

	if (text->n == 0)
		return false;
	stop = memchr(text->at, end, text->n);
	*piece = *text;
	if (stop == NULL) {
		text->at += text->n;
		text->n = 0;
		return true;
	}
	piece->n = (size_t)(stop - text->at);
	text->n -= piece->n + 1;
	text->at = stop + 1;
	return true;
}
