/* referee/pages/rules-text.h - what make-rules.sh writes: the pages of the games,
 * as they are. */
#ifndef REFEREE_PAGES_RULES_TEXT_H
#define REFEREE_PAGES_RULES_TEXT_H

#include <stddef.h>

struct rules_text {
	const char *name; /* GAME.md; NULL ends */
	const unsigned char *bytes;
	size_t n;
};

extern const struct rules_text rules_texts[];

#endif
