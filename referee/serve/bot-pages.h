/* referee/serve/bot-pages.h - uploads of bots over HTTP, and their outcome. */
#ifndef REFEREE_BOT_PAGES_H
#define REFEREE_BOT_PAGES_H

#include "referee/serve/page.h"

/* Answers `PUT /bots/NAME`. */
void bot_pages_put(struct pages *pages, struct http_request *request,
		   const char *name);
/* Answers `GET /bots/NAME/log`. */
void bot_pages_log(struct pages *pages, struct http_request *request,
		   const char *name);
/* Appends what the games of the bot `name` have left, and where it is
 * suspended. */
void bot_pages_tell(const struct pages *pages, const char *name,
		    struct text *out);

#endif
