/* referee/runner/idle.h - keeps processes of bots between two games, in a match
 * that uses them again.
 *
 * Each has had the end of its last game and waits to read the next one, or
 * `bye`.  Its output is not read meanwhile. */
#ifndef REFEREE_IDLE_H
#define REFEREE_IDLE_H

#include <stdint.h>
#include <sys/queue.h>

#include "protocol/util.h"
#include "referee/table/bot.h"

struct idle_program;

struct idle {
	TAILQ_HEAD(idle_programs, idle_program)
	programs; /* the one that has waited longest comes first */
	unsigned count;
};

void idle_init(struct idle *idle);
/* Keeps `program` for bot number `bot`.  If more than `most` wait, the one that
 * has waited longest may leave. */
void idle_keep(struct idle *idle, unsigned bot, struct bot *program,
	       unsigned most);
/* Takes a waiting process of that bot, or returns NULL. Lets go of those that
 * have ended meanwhile. */
struct bot *idle_take(struct idle *idle, unsigned bot) MUST_CHECK;
/* Sends `bye` to a program that is kept no longer. */
void idle_send_away(struct bot *program);
/* Adds up the bytes to and from all of them since their starts. */
void idle_traffic(const struct idle *idle, uint64_t *out, uint64_t *in);
/* Lets all of them leave. */
void idle_dismiss(struct idle *idle);

#endif
