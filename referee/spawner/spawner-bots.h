/* referee/spawner/spawner-bots.h - the bots of a spawner that live, or are not
 * yet reaped. */
#ifndef REFEREE_SPAWNER_BOTS_H
#define REFEREE_SPAWNER_BOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"

struct boxed;

struct spawned {
	pid_t pid;
	uint32_t tag;
	struct boxed *boxed; /* owned by the spawner; NULL: it is bare */
	bool direct;	     /* it is our child itself, not in a box */
	bool paused;	     /* spawner-pause.h has stopped it */
	uint64_t until_ms;   /* then its box is ended from outside; 0: never */
};

struct bots {
	struct spawned *bot; /* owned, for the spawner's life; by pid */
	size_t count;
	uint64_t due_ms;  /* the first until_ms there may be; 0: none */
	size_t walled;	  /* those in tier C: direct, and boxed */
	uint64_t look_ms; /* when those are looked at next */
};

/* NULL: there is none.  Borrowed until the next is added or removed. */
struct spawned *bots_find(const struct bots *bots, pid_t pid) MUST_CHECK;
struct spawned *bots_find_tag(const struct bots *bots, uint32_t tag) MUST_CHECK;
void bots_add(struct bots *bots, pid_t pid, uint32_t tag, struct boxed *boxed,
	      bool direct);
void bots_remove(struct bots *bots, struct spawned *bot);
void bots_end_by(struct bots *bots, struct spawned *bot, uint64_t until_ms);

#endif
