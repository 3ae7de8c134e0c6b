/* referee/spawner/spawner-box.h - the spawner's side of boxes: numbers, control
 * groups, and what their first processes report. */
#ifndef REFEREE_SPAWNER_BOX_H
#define REFEREE_SPAWNER_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-end.h"

struct sandbox_groups;
struct sandbox_order;

struct boxes {
	bool opened;
	struct sandbox_groups *groups; /* owned; NULL: none */
	bool *taken;		       /* owned; by slot */
	unsigned slots;
	unsigned *left; /* owned: groups that could not be removed yet */
	unsigned lefts;
};

/* A box that lives, or is being built; or, in tier C, a slot alone: then it has
 * no report, and its bot is a child of the spawner. */
struct boxed {
	unsigned slot;
	bool grouped;
	int report;		/* owned; non-blocking */
	int report_theirs;	/* owned, until boxed_forked(); else -1 */
	bool started, ended;	/* as it has reported */
	bool failed;		/* likewise: there was no exec */
	bool killed;		/* by us */
	struct box_report said; /* the last report */
	bool ended_for_it;	/* for the memory that its processes had */
	/* In tier C, where only the spawner looks: the memory that its
	 * processes may have, what they had at the last look and at most, and
	 * whether that was too much. */
	uint64_t most_kib, seen_kib, peak_kib;
	bool over;
};

/* Takes a slot, makes a group (of a box of tier SANDBOX_FULL) and a pipe:
 * owned, for boxed_free(); NULL and errno. */
struct boxed *boxed_new(struct boxes *boxes,
			const struct sandbox_box *box) MUST_CHECK;
/* In the fork: does not return but on failure, with errno. */
void boxed_enter(const struct boxes *boxes, const struct boxed *boxed,
		 struct sandbox_order *order);
/* Likewise of one that is no box but has a slot, in tier C: 0, or -1 and errno.
 */
int boxed_wall_in(const struct boxed *boxed,
		  struct sandbox_order *order) MUST_CHECK;
/* In the spawner, after the fork. */
void boxed_forked(struct boxed *boxed);
/* Reads what has been reported; whether there was anything. */
bool boxed_hear(struct boxed *boxed);
/* Ends it; `group` is that of all its processes.  If it has not ended
 * BOXED_END_MS later, the spawner must kill them from outside. */
#define BOXED_END_MS 2000
void boxed_kill(struct boxed *boxed, pid_t group);
/* How its bot ended: replaces what is known of bubblewrap. */
void boxed_end(const struct boxes *boxes, const struct boxed *boxed,
	       struct spawner_end *end);
/* All its processes are dead. */
void boxed_free(struct boxes *boxes, struct boxed *boxed);
void boxes_release(struct boxes *boxes);

#endif
