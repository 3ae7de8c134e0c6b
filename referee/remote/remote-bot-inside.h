/* referee/remote/remote-bot-inside.h - what remote-bot.c, hello.c and remote-game.c
 * share. */
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
	uint64_t lines;	   /* of it */
	uint32_t awaits;   /* of remote_game_await() */
	uint64_t left_ms;
	bool gave;   /* its entropy */
	bool untold; /* the story was too long: there is no way back */
	bool marked; /* an ask leaves with byte `mark` of the link */
	uint64_t mark;
	bool over; /* its table is gone; kept up to until_us */
	uint64_t until_us;
};

/* remote-game.c */
struct remote_game *remote_game_find(struct remote_bot *remote, const char *id);
void remote_game_free(struct remote_game *game);
/* Says which ask of it counts, unless that is not known. */
void remote_game_await(struct remote_game *game);
/* Sends the lines after the first `lines`: in the ask that counts the time that
 * it still has, `entropy-over` for an `entropy?` that is over. */
void remote_game_retell(struct remote_game *game, uint64_t lines);
/* The link was lost or has written. */
void remote_game_lost(struct remote_game *game, uint64_t now_us);
void remote_game_moved(struct remote_game *game, uint64_t now_us);
void remote_game_stuck(struct remote_game *game, uint64_t now_us);

/* remote-bot.c */
extern const struct link_calls remote_bot_link_calls; /* arg: the remote bot */
struct remote_bot *remote_bot_new(struct remote_bots *remotes,
				  const char *name) MUST_CHECK;
/* The sentence without REMOTE_BOT_NOT_AGAIN, as people read it. */
const char *remote_bot_reason(const char *sentence);
void remote_bot_lose(struct remote_bot *remote, const char *why);
/* Until when something is kept for one that is not here. */
uint64_t remote_bot_patience(const struct remote_bot *remote);
/* Something has ended: look what can go. */
void remote_bot_tidy(struct remote_bot *remote);

#endif
