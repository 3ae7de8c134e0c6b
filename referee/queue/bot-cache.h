/* referee/queue/bot-cache.h - the bots that a worker has: each is fetched once,
 * by the hash of what was imported, and built once, in a process of its own
 * (bot-keep.h), one after the other.
 *
 * They take BOT_CACHE_BYTES of the disk at most, with what is being built
 * besides: those that have not played for longest make room. */
#ifndef REFEREE_BOT_CACHE_H
#define REFEREE_BOT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/config/bot-folder.h"
#include "referee/import/incoming.h"
#include "referee/sandbox/sandbox.h"

#define BOT_CACHE_BYTES (UINT64_C(8) << 30)
#define BOT_PIECE_BYTES 1048576 /* that are fetched at a time */
#define BOT_AGAIN_MS 60000	/* until a bot that failed is tried again */

enum cached_state {
	CACHED_WANTED, /* it is to come */
	CACHED_READY,
	CACHED_FAILED, /* why says so; tried again later */
};

/* A bot. */
struct cached {
	/* To read. */
	enum cached_state state;
	char hash[ROSTER_CONTENT_BYTES + 1];
	const struct bot_folder *folder; /* of one that is ready */
	const char *home;		 /* likewise, its real path */
	char why[ERROR_BYTES];
	bool machine; /* that is this machine's fault: a full disk, … */
	/* The rest is bot-cache.c's. */
	struct cached *next, **prev;
	unsigned users;
	uint64_t bytes, used; /* when it was last left */
	uint64_t until_us;    /* it is not tried again */
};

struct bot_cache_setup {
	const char *data; /* its folder; no other process uses it */
	enum sandbox_want want;
	enum sandbox_tier minimum, tier;
	uint64_t bytes; /* BOT_CACHE_BYTES; tests have less */
};

/* By the loop. */
struct bot_cache_calls {
	/* Fetch this piece: bot_cache_piece() or bot_cache_unfetched() is
	 * due.  May be called out of either, and of bot_cache_want(). */
	void (*fetch)(void *arg, const char *hash, uint64_t at);
	/* A bot is ready, or has failed. */
	void (*changed)(void *arg, const struct cached *bot);
};

struct bot_cache;
/* Knows what lies there from earlier.  NULL and a sentence. */
struct bot_cache *bot_cache_new(struct loop *loop,
				const struct bot_cache_setup *setup,
				const struct bot_cache_calls *calls, void *arg,
				struct error *why) MUST_CHECK;
/* Ends what is being built.  NULL is fine. */
void bot_cache_free(struct bot_cache *cache);

/* That bot, which stays until bot_cache_leave(). */
struct cached *bot_cache_want(struct bot_cache *cache, const char *hash);
void bot_cache_leave(struct bot_cache *cache, struct cached *bot);
/* Of one that was ready and did not start: whether its files are all there.  If
 * not, it has failed, which is this machine's fault; it is fetched again when it
 * has been left by all. */
bool bot_cache_holds(struct bot_cache *cache, struct cached *bot) MUST_CHECK;

/* The answer to fetch(): `n` bytes of `size` in all. */
void bot_cache_piece(struct bot_cache *cache, uint64_t size, const char *bytes,
		     size_t n);
/* Likewise: there is none such; NULL: nothing came, try again when
 * bot_cache_again() says so. */
void bot_cache_unfetched(struct bot_cache *cache, const char *why);
void bot_cache_again(struct bot_cache *cache);

#endif
