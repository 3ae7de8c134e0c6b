/* referee/web/api-bots.h - uploads of bots over HTTP, their outcome, and
 * what else is for the author of a bot. */
#ifndef REFEREE_API_BOTS_H
#define REFEREE_API_BOTS_H

#include "referee/web/page.h"

/* For the bot alone that the path names. */
page_handler api_bots_put, api_bots_log, api_bots_notes;

#define API_BOTS_WHY_BYTES 500
/* Writes why the bot that is called `name` plays nowhere: the organiser has said
 * so, or this daemon does not take its program.  A sentence without its point, for
 * everybody, or "". */
void api_bots_why(const struct pages *pages, const char *name,
		  char why[API_BOTS_WHY_BYTES]);
/* Says why the version that ladders call `stands_as` plays nowhere: a later one has
 * its place. */
void api_bots_why_version(const struct pages *pages, const char *stands_as,
			  char why[API_BOTS_WHY_BYTES]);
/* Appends what the games of the bot `name` have left, and where it is
 * suspended. */
void api_bots_tell(const struct pages *pages, const char *name,
		   struct text *out);

#endif
