/* referee/pages/bot.h - writes the page of a bot on a ladder, and that of two
 * bots side by side. */
#ifndef REFEREE_PAGES_BOT_H
#define REFEREE_PAGES_BOT_H

#include "protocol/text.h"
#include "referee/pages/conduct.h"
#include "referee/pages/games.h"
#include "referee/pages/ladder.h"
#include "referee/queue/queue-figures.h"

#define BOT_GAMES 10 /* latest games on a bot's page */

#define BOT_NOTICE_BYTES 512

/* A reason why a bot is not paired. */
struct bot_notice {
	char ladder[NAME_BYTES + 1]; /* "": anywhere */
	char why[BOT_NOTICE_BYTES];  /* a sentence */
};

struct bot_view {
	const char *name;   /* its name on ladders */
	const char *called; /* its present name, which goes with its token */
	/* A ladder where it has played; NULL if it has played on none. */
	const struct ladder_view_of *at;
	/* All ladders where it plays or has played; all that there are if it has
	 * played on none. */
	const char (*ladder)[NAME_BYTES + 1];
	unsigned ladders;
	struct conduct *conduct;
	const struct queue_job *parked; /* games not played for now */
	unsigned parked_jobs;
	const struct games_found *games; /* its latest games */
	const struct bot_notice *notice;
	unsigned notices;
};

/* Writes `/bots/NAME`. */
void bot_page(const struct site *site, const struct bot_view *view,
	      struct text *to);

struct versus_view {
	const char *name, *other;
	const struct ladder_view_of *at; /* NULL: they have met nowhere */
	const char (*ladder)[NAME_BYTES + 1];
	unsigned ladders;
	const struct games_found *games; /* the latest games where both sat */
};

/* Writes `/bots/NAME/vs/OTHER`. */
void versus_page(const struct site *site, const struct versus_view *view,
		 struct text *to);

#endif
