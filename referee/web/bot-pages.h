/* referee/web/bot-pages.h - uploads of bots over HTTP, their outcome, and
 * what else is for the author of a bot. */
#ifndef REFEREE_BOT_PAGES_H
#define REFEREE_BOT_PAGES_H

#include "referee/web/page.h"

/* For the bot alone that the path names. */
page_handler bot_pages_put, bot_pages_log, bot_pages_notes;
/* Appends what the games of the bot `name` have left, and where it is
 * suspended. */
void bot_pages_tell(const struct pages *pages, const char *name,
		    struct text *out);

#endif
