/* referee/web/api.h - what the daemon tells of itself, its ladders and its
 * bots over HTTP. */
#ifndef REFEREE_API_H
#define REFEREE_API_H

#include "referee/web/page.h"

page_handler api_metrics, api_healthz, api_ladders, api_ladder, api_running,
	api_bot;

#endif
