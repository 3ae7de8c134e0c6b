/* referee/spawner/bot-child.h - a bot that runs as a process on this machine. */
#ifndef REFEREE_BOT_CHILD_H
#define REFEREE_BOT_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/spawner/spawner.h"
#include "referee/table/bot.h"

/* A program of this machine, started by the spawner.  The job is copied: its argv,
 * folder, additions to the environment, and box; its descriptors are not looked at.
 * NULL and errno if there are no descriptors for its line. */
struct bot *bot_child_start(struct loop *loop, struct spawner *spawner,
			    const struct spawner_job *job) MUST_CHECK;

/* As long as it answers quickly it is kept on this processor (-1: none), which
 * is ours: being woken there costs it a tenth of what it costs elsewhere.  One
 * that thinks has all of them. */
void bot_child_keep(struct bot *child, int core);

/* A child begins another game: what it left on standard error before is not
 * looked for any more. */
void bot_child_forget(struct bot *child);

/* What a child's process is doing now. */
struct bot_look {
	int pid;       /* 0: not started, or ended */
	size_t unread; /* bytes in its standard input */
};
void bot_child_look(const struct bot *child, struct bot_look *look);

#endif
