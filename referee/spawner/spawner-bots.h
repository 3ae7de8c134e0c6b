/* referee/spawner/spawner-bots.h - the bots of a spawner that live or are not
 * reaped yet. */
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
	struct boxed *boxed; /* owned by the spawner; NULL: bare */
	bool direct;	     /* our own child, not in a box */
	bool paused;	     /* stopped by spawner-pause.h */
	uint64_t until_ms;   /* its box is ended from outside at this time; 0:
			      * never */
};

struct bots {
	struct spawned *bot; /* owned for the spawner's life; sorted by pid */
	size_t count;
	uint64_t due_ms;  /* no until_ms is earlier; 0: there is none */
	size_t walled;	  /* bots in tier C: direct and boxed */
	uint64_t look_ms; /* time of the next look at those */
};

/* Return a bot, or NULL if there is none.  Borrowed until a bot is added or
 * removed. */
struct spawned *bots_find(const struct bots *bots, pid_t pid) MUST_CHECK;
struct spawned *bots_find_tag(const struct bots *bots, uint32_t tag) MUST_CHECK;
void bots_add(struct bots *bots, pid_t pid, uint32_t tag, struct boxed *boxed,
	      bool direct);
void bots_remove(struct bots *bots, struct spawned *bot);
void bots_end_by(struct bots *bots, struct spawned *bot, uint64_t until_ms);

#endif
