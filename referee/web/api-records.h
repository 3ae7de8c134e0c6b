/* referee/web/api-records.h - games and records over HTTP.  The page thread
 * reads them; the answer comes later. */
#ifndef REFEREE_API_RECORDS_H
#define REFEREE_API_RECORDS_H

#include "referee/web/page.h"
#include "referee/web/record-view.h"

/* The latest games of a ladder. */
page_handler api_records_games;
/* A record, for those who may read it, as the enum record_form in page_path->what
 * says: the text, the frames of its game, what the strong bot thinks of a seat, how
 * long its bots thought, or all of it as a page for people. */
page_handler api_records_read;

#endif
