/* referee/web/api-records.h - answers with games and records over HTTP. A
 * thread reads them, and the answer comes later. */
#ifndef REFEREE_API_RECORDS_H
#define REFEREE_API_RECORDS_H

#include "referee/web/page.h"

/* Answers with the latest games of a ladder. */
page_handler api_records_games;
/* Answers with a record if the client may read it.  The enum record_form in
 * page_path->what says how: as text, the frames of its game, the strong bot's
 * opinions on a seat, how long its bots thought, or all of it as a page for
 * people. */
page_handler api_records_read;

#endif
