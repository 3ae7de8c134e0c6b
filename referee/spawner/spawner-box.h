/* referee/spawner/spawner-box.h - the spawner's side of boxes: numbers, control
 * groups, and what their first processes report. */
#ifndef REFEREE_SPAWNER_BOX_H
#define REFEREE_SPAWNER_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/process-memory.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-end.h"

struct sandbox_groups;
struct sandbox_order;

struct boxes {
	bool opened;
	struct sandbox_groups *groups; /* owned; NULL: none */
	bool *taken;		       /* owned; indexed by slot */
	unsigned slots;
	unsigned *left; /* owned: groups that could not be removed yet */
	unsigned lefts;
};

/* A box that lives or is being built; in tier C only a slot: then it has no
 * report, and its bot is a child of the spawner. */
struct boxed {
	unsigned slot;
	bool grouped;
	int report;		/* owned; non-blocking */
	int report_theirs;	/* owned until boxed_forked(); else -1 */
	bool started, ended;	/* by its reports */
	bool failed;		/* by its report: there was no exec */
	bool killed;		/* we have killed it */
	struct box_report said; /* the last report */
	bool ended_for_it;	/* ended for its memory */
	/* In tier C, where only the spawner looks: the memory that its
	 * processes may have, what they had at the last look and at most, and
	 * true if that was too much. */
	uint64_t most_kib, peak_kib;
	struct memory_sum seen;
	bool over;
};

/* Takes a slot and makes a pipe and, in tier SANDBOX_FULL, a control group.
 * The caller owns the result; boxed_free() frees it.  Returns NULL and errno on
 * failure. */
struct boxed *boxed_new(struct boxes *boxes,
			const struct sandbox_box *box) MUST_CHECK;
/* The fork calls this to become the box.  Returns only on failure, with errno. */
void boxed_enter(const struct boxes *boxes, const struct boxed *boxed,
		 struct sandbox_order *order);
/* The fork calls this in tier C, where there is no box but a slot.  Returns 0,
 * or -1 and errno. */
int boxed_wall_in(const struct boxed *boxed,
		  struct sandbox_order *order) MUST_CHECK;
/* The spawner calls this after the fork. */
void boxed_forked(struct boxed *boxed);
/* Reads the reports.  Returns true if there was one. */
bool boxed_hear(struct boxed *boxed);
/* Ends the box; `group` is the process group of all its processes.  If it has
 * not ended BOXED_END_MS later, the spawner must kill them from outside. */
#define BOXED_END_MS 2000
void boxed_kill(struct boxed *boxed, pid_t group);
/* Fills in how its bot ended, in place of how bubblewrap ended. */
void boxed_end(const struct boxes *boxes, const struct boxed *boxed,
	       struct spawner_end *end);
/* Frees a box whose processes are all dead. */
void boxed_free(struct boxes *boxes, struct boxed *boxed);
void boxes_release(struct boxes *boxes);

#endif
