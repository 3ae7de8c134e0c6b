/* referee/web/api.h - answers over HTTP about the daemon, its ladders and its
 * bots, and to their owners. */
#ifndef REFEREE_API_H
#define REFEREE_API_H

#include <jansson.h>

#include "referee/web/page.h"

page_handler api_metrics, api_healthz, api_ladders, api_ladder, api_running,
	api_bot;

/* Lists where the bot that ladders call so sits, or sat. */
json_t *api_bot_ladders(const struct pages *pages,
			const char *stands_as) MUST_CHECK;

/* Answers with what all may see of the queue, in the form of page_path->what; 404
 * if there is no queue. */
page_handler api_queue;
enum { QUEUE_HTML, QUEUE_JSON };

/* ---- games and records ------------------------------------------------ */

/* A thread reads them, and the answer comes later. */

/* Answers with the latest games of a ladder. */
page_handler api_records_games;
/* Answers with a record if the client may read it.  The enum record_form in
 * page_path->what says how: as text, the frames of its game, the strong bot's
 * opinions on a seat, how long its bots thought, or all of it as a page for
 * people. */
page_handler api_records_read;

/* ---- owners ----------------------------------------------------------- */

/* Show owners what they have: bots, games and records.  Only the owner's token
 * opens them. */
page_handler owner_view, owner_view_games;
/* `what` of the row in routes.c, for owner_view_games. */
enum { OWNER_GAMES, OWNER_RECORDS };

#endif
