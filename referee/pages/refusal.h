/* referee/pages/refusal.h - writes a page for people that says why there is no
 * such page. */
#ifndef REFEREE_PAGES_REFUSAL_H
#define REFEREE_PAGES_REFUSAL_H

#include "protocol/text.h"
#include "referee/pages/layout.h"

/* Writes the page.  `code` is the HTTP code, `sentence` has no point yet, and
 * `root` leads from the requested path to the front page. */
void refusal_page(const struct site *site, const char *root, int code,
		  const char *sentence, struct text *to);

#endif
