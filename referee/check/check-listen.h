/* referee/check/check-listen.h - a bot to be checked that comes by TCP.
 *
 * The first that says a good `bot` line is the one, with whatever name and
 * token; after that no other bot gets in.  Its games come over its connection, as
 * many at once as it says.  It may lose that and come back. */
#ifndef REFEREE_CHECK_LISTEN_H
#define REFEREE_CHECK_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

#define CHECK_LISTEN_S 60 /* for it to come and to sit, at most */
#define CHECK_AWAY_S 5	  /* likewise, once it has played; to come back */

struct bot;
struct check_listener;

struct check_listen_calls {
	/* Something has changed: check_listen_ready() may say otherwise. */
	void (*changed)(void *arg);
	/* It has lost its connection, and has come with another. */
	void (*back)(void *arg);
	/* It was not there, or did not sit, for as long as it may: why, as a
	 * sentence. */
	void (*absent)(void *arg, const char *why);
	/* It said a line that no game is charged for: why that is wrong. */
	void (*useless)(void *arg, const char *why);
};

/* Listens.  `limit_s`: as long at most, if that is less than CHECK_LISTEN_S.
 * NULL and why. */
struct check_listener *check_listen_open(struct loop *loop, const char *host,
					 const char *port, bool plain,
					 uint64_t limit_s,
					 const struct check_listen_calls *calls,
					 void *arg,
					 struct error *why) MUST_CHECK;
/* Dismisses the bot, and waits BYE_MS at most until it has read that.  Its
 * games must be over. */
void check_listen_close(struct check_listener *listener);

/* "127.0.0.1 port 4711", and how long it has to come. */
const char *check_listen_where(const struct check_listener *listener,
			       uint64_t *seconds);
/* What it is called; "" before it has come. */
const char *check_listen_name(const struct check_listener *listener);
/* Whether it waits for a game.  If not, and it plays none (`idle`), it has a
 * while, then absent() comes. */
bool check_listen_ready(struct check_listener *listener, bool idle);
/* How many games it plays at once: 1 to GAMES_AT_ONCE. */
unsigned check_listen_games(const struct check_listener *listener);
/* Whether it wants no more games. */
bool check_listen_has_quit(const struct check_listener *listener);
/* Its seat in game `id`; only if it is ready.  `drip`: what it is sent until
 * its next game leaves in single bytes. */
struct bot *check_listen_seat(struct check_listener *listener, const char *id,
			      bool drip) MUST_CHECK;
bool check_listen_entropy(const struct check_listener *listener);
/* Its connection breaks. */
void check_listen_cut(struct check_listener *listener);
/* Whether it has none. */
bool check_listen_is_lost(const struct check_listener *listener);
/* Why it lost its last one, as part of a sentence. */
const char *check_listen_why(const struct check_listener *listener);

#endif
