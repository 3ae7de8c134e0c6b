/* referee/pages/bot.h - a bot on a ladder as a page, and two bots side by side.
 */
#ifndef REFEREE_PAGES_BOT_H
#define REFEREE_PAGES_BOT_H

#include "protocol/text.h"
#include "referee/pages/conduct.h"
#include "referee/pages/games.h"
#include "referee/pages/ladder.h"
#include "referee/queue/queue-figures.h"

#define BOT_GAMES 10 /* its latest ones, on its page */

#define BOT_NOTICE_BYTES 512

/* Why it is not paired. */
struct bot_notice {
	char ladder[NAME_BYTES + 1]; /* "": anywhere */
	char why[BOT_NOTICE_BYTES];  /* a sentence */
};

struct bot_view {
	const char *name;   /* what ladders call it */
	const char *called; /* what it is called now, as its token knows it */
	/* On a ladder where it has played; NULL: it has played on none. */
	const struct ladder_view_of *at;
	/* All ladders where it plays or has played. */
	const char (*ladder)[NAME_BYTES + 1];
	unsigned ladders;
	struct conduct *conduct;
	const struct queue_job *parked; /* games of its, not played for now */
	unsigned parked_jobs;
	const struct games_found *games; /* its latest */
	const struct bot_notice *notice;
	unsigned notices;
};

/* `/bots/NAME` */
void bot_page(const struct site *site, const struct bot_view *view,
	      struct text *to);

struct versus_view {
	const char *name, *other;
	const struct ladder_view_of *at; /* or NULL: they have met nowhere */
	const char (*ladder)[NAME_BYTES + 1];
	unsigned ladders;
	const struct games_found *games; /* where both sat, the latest */
};

/* `/bots/NAME/vs/OTHER` */
void versus_page(const struct site *site, const struct versus_view *view,
		 struct text *to);

#endif
