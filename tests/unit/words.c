/* tests/unit/words.c - see words.h. */
#include "tests/unit/words.h"

#include <stdbool.h>
#include <stdlib.h>

#include "protocol/util.h"

void
words_split(const char *line, struct words *words)
{
	char *to = NULL;
	bool skip = false;

	words->count = 0;
	for (; *line; line++) {
		if (*line == ' ') {
			to = NULL;
			skip = false;
			continue;
		}
		if (!to) {
			if (words->count == LINE_WORDS)
				bug("too many tokens in a line of a test");
			to = words->word[words->count++];
			*to = '\0';
		}
		if (*line == '}')
			skip = true;
		if (*line == '{' || skip)
			continue;
		if (to - words->word[words->count - 1] == 31)
			bug("too long a token in a line of a test");
		*to++ = *line;
		*to = '\0';
	}
}

long
words_number(const struct words *words, unsigned i)
{
	const char *word = words->word[i];
	char *end;
	long number;

	if (i >= words->count)
		bug("a line of a test has no token %u", i);
	number = strtol(word, &end, 10);
	if (end == word || *end != '\0')
		bug("a test expects a number, not %s", word);
	return number;
}
