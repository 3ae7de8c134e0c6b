/* referee/web/api.h - answers over HTTP about the daemon, its ladders and its
 * bots. */
#ifndef REFEREE_API_H
#define REFEREE_API_H

#include <jansson.h>

#include "referee/web/page.h"

page_handler api_metrics, api_healthz, api_ladders, api_ladder, api_running,
	api_bot;

/* Lists where the bot that ladders call so sits, or sat. */
json_t *api_bot_ladders(const struct pages *pages,
			const char *stands_as) MUST_CHECK;

#endif
