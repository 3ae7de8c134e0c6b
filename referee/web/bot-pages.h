/* referee/web/bot-pages.h - uploads of bots over HTTP, their outcome, and
 * what else is for the author of a bot. */
#ifndef REFEREE_BOT_PAGES_H
#define REFEREE_BOT_PAGES_H

#include "referee/web/page.h"

/* For the bot alone that the path names. */
page_handler bot_pages_put, bot_pages_log, bot_pages_notes;

#define BOT_PAGES_WHY_BYTES 500
/* Writes why the bot that is called `name` plays nowhere: the organiser has said
 * so, or this daemon does not take its program.  A sentence without its point, for
 * everybody, or "". */
void bot_pages_why(const struct pages *pages, const char *name,
		   char why[BOT_PAGES_WHY_BYTES]);
/* Says why the version that ladders call `stands_as` plays nowhere: a later one has
 * its place. */
void bot_pages_why_version(const struct pages *pages, const char *stands_as,
			   char why[BOT_PAGES_WHY_BYTES]);
/* Appends what the games of the bot `name` have left, and where it is
 * suspended. */
void bot_pages_tell(const struct pages *pages, const char *name,
		    struct text *out);

#endif
