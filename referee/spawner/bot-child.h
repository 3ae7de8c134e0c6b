/* referee/spawner/bot-child.h - a bot that runs as a process on this machine. */
#ifndef REFEREE_BOT_CHILD_H
#define REFEREE_BOT_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/spawner/spawner.h"
#include "referee/table/bot.h"

/* Makes a bot of a program on this machine, which the spawner starts.  Copies
 * the task's argv, folder, additions to the environment, and box; ignores its
 * descriptors.  Returns NULL and errno if there are no descriptors for its
 * pipes. */
struct bot *bot_child_start(struct loop *loop, struct spawner *spawner,
			    const struct spawner_task *task) MUST_CHECK;

/* Keeps the bot on our processor `core` (-1: none) as long as it answers
 * quickly: waking it there costs a tenth of what it costs elsewhere.  A bot
 * that thinks may use all processors. */
void bot_child_keep(struct bot *child, int core);

/* Tells the child that it begins another game: earlier standard error no longer
 * counts. */
void bot_child_forget(struct bot *child);

/* The present activity of a child's process. */
struct bot_look {
	int pid;       /* 0: not started, or ended */
	size_t unread; /* bytes in its standard input */
};
void bot_child_look(const struct bot *child, struct bot_look *look);

#endif
