/* tests/world/player.h - what a bot says to the lines that it reads.
 *
 * It knows no descriptors: its owner gives it bytes and is given bytes. */
#ifndef TESTS_WORLD_PLAYER_H
#define TESTS_WORLD_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/text.h"
#include "tests/world/bots.h"

struct player;

/* None of them frees the player. */
struct player_calls {
	void (*say)(void *arg, const char *bytes, size_t n);
	/* The referee has said `referee`: we are in. */
	void (*greeted)(void *arg);
	/* The referee has said `bye`.  `again`: the bot may connect again. */
	void (*bye)(void *arg, bool again);
	/* It is time for what the bot does by its nature: crash, close, be deaf.  These
	 * bytes may come first, which are part of an answer. */
	void (*deed)(void *arg, const char *bytes, size_t n);
	/* A game is over, and none runs. */
	void (*idle)(void *arg);
};

struct player_setup {
	struct bot_about about;
	bool remote, multi, entropy;
	bool sluggish;	   /* honest, it often uses its clock up to the end */
	uint64_t think_us; /* the usual time of an answer */
};

struct player *player_new(const struct player_setup *setup,
			  const struct player_calls *calls,
			  void *arg) MUST_CHECK;
void player_free(struct player *player); /* NULL is allowed */

/* Bytes came. */
void player_hear(struct player *player, const char *bytes, size_t n);
/* Says that the connection is gone: half a line is forgotten, and nothing is said until
 * the next one. */
void player_lost(struct player *player);
/* Says that it is stopped, and waits for nothing, or goes on. */
void player_stopped(struct player *player, bool stopped);
/* Returns true if what it says now leaves in one piece. */
bool player_says_whole(const struct player *player);
/* Returns true if a game runs, and the bot owes no answer. */
bool player_waits(const struct player *player);
/* Says that there is a new connection.  Its nature may strike again. */
void player_connected(struct player *player);
/* Writes the value of `resume=` to `to`: which games it comes back to; "" if none.  A
 * bot that has forgotten all is told all again. */
void player_resume(struct player *player, bool forgets, struct text *to);

#endif
