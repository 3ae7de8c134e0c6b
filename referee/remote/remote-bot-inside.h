/* referee/remote/remote-bot-inside.h - shared by remote-bot.c, hello.c and
 * remote-game.c. */
#ifndef REFEREE_REMOTE_BOT_INSIDE_H
#define REFEREE_REMOTE_BOT_INSIDE_H

#include <event2/event_struct.h>

#include "protocol/message.h"
#include "protocol/text.h"
#include "referee/remote/remote-bot.h"
#include "referee/table/bot.h"

/* One game of a remote bot. */
struct remote_game {
	struct bot bot;
	struct remote_bot *remote;
	struct remote_game *next, **prev;
	char id[ID_BYTES + 1];
	struct text story; /* all lines of the game so far, with their LF */
	uint64_t lines;	   /* lines of the story */
	uint32_t awaits;   /* the ask of remote_game_await() */
	uint64_t left_ms;
	bool gave;   /* it has given its entropy */
	bool untold; /* the story was too long: it cannot come back */
	bool marked; /* an ask ends at byte `mark` of the link */
	uint64_t mark;
	bool over; /* its table is gone; kept until until_us */
	uint64_t until_us;
};

/* remote-game.c */
struct remote_game *remote_game_find(struct remote_bot *remote, const char *id);
void remote_game_free(struct remote_game *game);
/* Sends `awaits` for the ask that counts, if that is known. */
void remote_game_await(struct remote_game *game);
/* Sends the lines after the first `lines`.  The ask that counts shows the time
 * that is left, and an `entropy?` that is over becomes `entropy-over`. */
void remote_game_retell(struct remote_game *game, uint64_t lines);
/* Call these when the link was lost or has written. */
void remote_game_lost(struct remote_game *game, uint64_t now_us);
void remote_game_moved(struct remote_game *game, uint64_t now_us);
void remote_game_stuck(struct remote_game *game, uint64_t now_us);

/* remote-bot.c */
extern const struct link_calls remote_bot_link_calls; /* arg: the remote bot */
struct remote_bot *remote_bot_new(struct remote_bots *remotes,
				  const char *name) MUST_CHECK;
/* Returns the sentence without REMOTE_BOT_NOT_AGAIN, for people. */
const char *remote_bot_reason(const char *sentence);
void remote_bot_lose(struct remote_bot *remote, const char *why);
/* Returns the time until which games are kept for a bot that is not here. */
uint64_t remote_bot_patience(const struct remote_bot *remote);
/* Frees later, by the loop, what has ended. */
void remote_bot_tidy(struct remote_bot *remote);

#endif
