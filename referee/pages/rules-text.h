/* referee/pages/rules-text.h - the documents of the games, which make-rules.sh
 * compiles in unchanged. */
#ifndef REFEREE_PAGES_RULES_TEXT_H
#define REFEREE_PAGES_RULES_TEXT_H

#include <stddef.h>

struct rules_text {
	const char *name; /* GAME.md; the list ends with NULL */
	const unsigned char *bytes;
	size_t n;
};

extern const struct rules_text rules_texts[];

#endif
