/* referee/web/record-pages.h - games and records over HTTP.  The worker thread
 * reads them; the answer comes later. */
#ifndef REFEREE_RECORD_PAGES_H
#define REFEREE_RECORD_PAGES_H

#include "referee/web/page.h"

/* The latest games of a ladder. */
page_handler record_pages_games;
/* A record, for those who may read it; the frames of its game; what the strong
 * bot thinks of a seat; and all of it as a page for people. */
page_handler record_pages_record, record_pages_frames, record_pages_opinions,
	record_pages_game;
/* How long its bots thought. */
page_handler record_pages_asks;

#endif
