/* referee/serve/record-pages.h - games and records over HTTP.  The worker thread
 * reads them; the answer comes later. */
#ifndef REFEREE_RECORD_PAGES_H
#define REFEREE_RECORD_PAGES_H

#include "referee/serve/page.h"

/* Answers `/ladders/NAME/games`. */
void record_pages_games(struct pages *pages, struct http_request *request,
			const char *name);
/* Answers `/records/ID`. */
void record_pages_record(struct pages *pages, struct http_request *request,
			 const char *id);

#endif
