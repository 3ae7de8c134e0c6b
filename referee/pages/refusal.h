/* referee/pages/refusal.h - why there is no such page, for who reads pages. */
#ifndef REFEREE_PAGES_REFUSAL_H
#define REFEREE_PAGES_REFUSAL_H

#include "protocol/text.h"
#include "referee/pages/layout.h"

/* `code` is that of HTTP, `sentence` is without its point.  `root` leads from
 * the path that was asked for to the front page. */
void refusal_page(const struct site *site, const char *root, int code,
		  const char *sentence, struct text *to);

#endif
