/* tests/world/watcher.h - those who look at the daemon's pages, as actors.
 *
 * A watcher connects, asks for some paths in drawn order, checks that each answer is
 * complete, and comes back later.  It follows streams of events for a while.  Some are
 * impatient and go in the middle. */
#ifndef TESTS_WORLD_WATCHER_H
#define TESTS_WORLD_WATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watcher_setup {
	uint16_t port;
	uint32_t address;	  /* see world_connect() */
	const char *const *paths; /* borrowed; ends with NULL */
	uint64_t pause_us;	  /* the usual time between two requests */
	unsigned impatient;	  /* how often in 1000 connections it goes */
	/* Returns true if the daemon may not have what is at this path. */
	bool (*may_lack)(const char *path);
};
void watcher_begin(const struct watcher_setup *setup);

/* Adds a path that came to be known, as that of a game: all watchers may ask for it.
 * Only the last of them are kept.  The string is copied. */
void watchers_offer(const char *path);

struct watcher_calls {
	/* An answer came with a status that no reader should get, or it is not what its
	 * head says. */
	void (*wrong)(void *arg, const char *path, unsigned status,
		      const char *why);
};
/* Says that the daemon was told to stop: it may close connections from now on. */
void watchers_stop(void);
/* Says that the trace shall have the games that answers name. */
extern bool watchers_tell_games;
/* Sets them for all watchers; `calls` is borrowed. */
void watchers_tell(const struct watcher_calls *calls, void *arg);

struct watchers_counts {
	uint64_t connections, requests, answers, events;
	uint64_t status[6];  /* by their hundreds */
	uint64_t longest_us; /* from the request to the whole answer */
};
extern struct watchers_counts watchers_counts;

#endif
