/* referee/web/pages.h - what the daemon tells of itself, its ladders and its
 * bots over HTTP. */
#ifndef REFEREE_PAGES_H
#define REFEREE_PAGES_H

#include "referee/web/page.h"

page_handler pages_metrics, pages_healthz, pages_ladders, pages_ladder,
	pages_running, pages_bot;

#endif
