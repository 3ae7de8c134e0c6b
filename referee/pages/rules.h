/* referee/pages/rules.h - writes the rules of the games for people. */
#ifndef REFEREE_PAGES_RULES_H
#define REFEREE_PAGES_RULES_H

#include <stdbool.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/layout.h"

/* Writes `/rules`, the list of the games. */
void rules_list_page(const struct site *site, struct text *to);
/* Writes `/rules/GAME`.  If there is no such game, it writes nothing and
 * returns false. */
bool rules_page(const struct site *site, const char *game,
		struct text *to) MUST_CHECK;

#endif
