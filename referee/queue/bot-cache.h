/* referee/queue/bot-cache.h - the bots that a machine keeps.  Each is fetched
 * once, by the hash of what was imported, and built once, in a process of its
 * own (bot-keep.h), one after the other.
 *
 * Together they take at most BOT_CACHE_BYTES of the disk, not counting the one
 * that is being built.  Those that have not played for longest make room. */
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
#define BOT_PIECE_BYTES 1048576 /* bytes fetched at a time */
#define BOT_AGAIN_MS 60000	/* wait before a failed bot is tried again */

enum cached_state {
	CACHED_WANTED, /* to be fetched and built */
	CACHED_READY,
	CACHED_FAILED, /* `why` says why; tried again later */
};

/* A bot that a job wants or has wanted. */
struct cached {
	/* The caller may read these. */
	enum cached_state state;
	char hash[ROSTER_CONTENT_BYTES + 1];
	const struct bot_folder *folder; /* if it is ready; else NULL */
	const char *home;		 /* real path of the folder, if ready */
	char why[ERROR_BYTES];
	bool machine; /* it failed by this machine's fault: a full disk, … */
	/* Only bot-cache.c uses the rest. */
	struct cached *next, **prev;
	unsigned users;
	uint64_t bytes, used; /* size; last use */
	uint64_t until_us;    /* not tried again before this time */
};

struct bot_cache_setup {
	const char *data; /* its folder; no other process uses it */
	enum sandbox_want want;
	enum sandbox_tier minimum, tier;
	uint64_t bytes; /* BOT_CACHE_BYTES; less in tests */
};

/* The loop makes these calls. */
struct bot_cache_calls {
	/* Fetches this piece, then calls bot_cache_piece() or
	 * bot_cache_unfetched().  Both of them, and bot_cache_want(), may make
	 * this call. */
	void (*fetch)(void *arg, const char *hash, uint64_t at);
	/* A bot has become ready, or has failed. */
	void (*changed)(void *arg, const struct cached *bot);
};

struct bot_cache;
/* Makes the cache, with the bots that an earlier process has left in the
 * folder.  Returns NULL and an error if that fails. */
struct bot_cache *bot_cache_new(struct loop *loop,
				const struct bot_cache_setup *setup,
				const struct bot_cache_calls *calls, void *arg,
				struct error *why) MUST_CHECK;
/* Ends the build that runs and frees the cache.  NULL is allowed. */
void bot_cache_free(struct bot_cache *cache);

/* Returns the bot of this hash.  It stays until bot_cache_leave(). */
struct cached *bot_cache_want(struct bot_cache *cache, const char *hash);
void bot_cache_leave(struct bot_cache *cache, struct cached *bot);
/* Call it for a bot that was ready and did not start.  Returns true if all its
 * files are there.  If not, the bot becomes failed by this machine's fault, and
 * it is fetched again once all its users have left it. */
bool bot_cache_holds(struct bot_cache *cache, struct cached *bot) MUST_CHECK;

/* Answers fetch() with `n` bytes of `size` in all. */
void bot_cache_piece(struct bot_cache *cache, uint64_t size, const char *bytes,
		     size_t n);
/* Answers fetch() without bytes.  With a sentence there is no such bot; with
 * NULL nothing came, and bot_cache_again() tries again. */
void bot_cache_unfetched(struct bot_cache *cache, const char *why);
void bot_cache_again(struct bot_cache *cache);

#endif
