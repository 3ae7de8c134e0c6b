/* referee/runner/idle.h - processes of bots between two games, in a match that
 * uses them again.
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
	programs; /* the one that waits
							   * longest first */
	unsigned count;
};

void idle_init(struct idle *idle);
/* Bot number `bot` waits in `program`.  More than `most` do not wait: the one
 * that has waited longest may leave. */
void idle_keep(struct idle *idle, unsigned bot, struct bot *program,
	       unsigned most);
/* A process of that bot, which waits no more; or NULL.  One that has ended
 * meanwhile is let go of. */
struct bot *idle_take(struct idle *idle, unsigned bot) MUST_CHECK;
/* A program that is kept no longer: `bye`. */
void idle_send_away(struct bot *program);
/* Bytes to and from all of them, since each was started. */
void idle_traffic(const struct idle *idle, uint64_t *out, uint64_t *in);
/* All of them may leave. */
void idle_dismiss(struct idle *idle);

#endif
