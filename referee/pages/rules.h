/* referee/pages/rules.h - the rules of the games, for people. */
#ifndef REFEREE_PAGES_RULES_H
#define REFEREE_PAGES_RULES_H

#include <stdbool.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/layout.h"

/* `/rules`: which games there are. */
void rules_list_page(const struct site *site, struct text *to);
/* `/rules/GAME`; false, and nothing is written: there is no such game. */
bool rules_page(const struct site *site, const char *game,
		struct text *to) MUST_CHECK;

#endif
