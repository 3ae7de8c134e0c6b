/* referee/spawner/spawner-box.c - slots, groups and reports of boxes. */
#include "referee/spawner/spawner-box.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/sandbox/sandbox-group.h"
#include "referee/sandbox/sandbox-slot.h"
#include "referee/sandbox/sandbox-start.h"
#include "referee/sandbox/sandbox-walls.h"

/* ---- slots ------------------------------------------------------------- */

static unsigned
slot_take(struct boxes *boxes)
{
	unsigned slot;

	for (slot = 0;; slot++) {
		if (slot == boxes->slots)
			(void)ADDED(boxes->taken, boxes->slots);
		if (!boxes->taken[slot] && sandbox_slot_lock(slot))
			break;
	}
	boxes->taken[slot] = true;
	return slot;
}

static void
slot_give_back(struct boxes *boxes, unsigned slot)
{
	sandbox_slot_unlock(slot);
	boxes->taken[slot] = false;
}

/* Removes groups that outlived their processes for a moment.  Only then are
 * their slots free. */
static void
remove_left(struct boxes *boxes)
{
	unsigned i, kept = 0;

	for (i = 0; i < boxes->lefts; i++) {
		if (sandbox_group_remove(boxes->groups, boxes->left[i]))
			slot_give_back(boxes, boxes->left[i]);
		else
			boxes->left[kept++] = boxes->left[i];
	}
	boxes->lefts = kept;
}

static void
slot_free(struct boxes *boxes, const struct boxed *boxed)
{
	if (!boxed->grouped ||
	    sandbox_group_remove(boxes->groups, boxed->slot)) {
		slot_give_back(boxes, boxed->slot);
		return;
	}
	*ADDED(boxes->left, boxes->lefts) = boxed->slot;
}

/* ---- life -------------------------------------------------------------- */

/* Makes the control group of a box.  Returns 0, or -1 and errno. */
static int
group_make(struct boxes *boxes, struct boxed *boxed,
	   const struct sandbox_limits *limits)
{
	char why[128];

	if (!boxes->opened)
		boxes->groups = sandbox_groups_open(why);
	boxes->opened = true;
	if (boxes->groups == NULL) {
		errno = EACCES;
		return -1;
	}
	remove_left(boxes);
	boxed->grouped = true;
	return sandbox_group_make(boxes->groups, boxed->slot, limits);
}

struct boxed *
boxed_new(struct boxes *boxes, const struct sandbox_box *box)
{
	struct boxed *boxed = memory(NULL, sizeof(*boxed));
	int ends[2], error;

	*boxed = (struct boxed){ .report = -1, .report_theirs = -1 };
	boxed->slot = slot_take(boxes);
	if ((box->tier >= SANDBOX_FULL &&
	     group_make(boxes, boxed, &box->limits) < 0) ||
	    (box->tier >= SANDBOX_BOX &&
	     socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)) {
		error = errno;
		boxed_free(boxes, boxed);
		errno = error;
		return NULL;
	}
	if (box->tier < SANDBOX_BOX) {
		boxed->most_kib = (uint64_t)box->limits.memory_mib << 10;
		return boxed;
	}
	boxed->report = ends[0];
	boxed->report_theirs = ends[1];
	if (fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0)
		bug("cannot make a socket non-blocking: %m");
	return boxed;
}

int
boxed_wall_in(const struct boxed *boxed, struct sandbox_order *order)
{
	order->slot = boxed->slot;
	return sandbox_wall_in(order);
}

void
boxed_enter(const struct boxes *boxes, const struct boxed *boxed,
	    struct sandbox_order *order)
{
	if (boxed->grouped &&
	    sandbox_group_join(boxes->groups, boxed->slot) < 0)
		return;
	order->slot = boxed->slot;
	order->report = boxed->report_theirs;
	sandbox_enter(order);
}

void
boxed_forked(struct boxed *boxed)
{
	if (boxed->report_theirs < 0)
		return;
	close(boxed->report_theirs);
	boxed->report_theirs = -1;
}

bool
boxed_hear(struct boxed *boxed)
{
	struct box_report said;
	bool heard = false;
	ssize_t n;

	/* If the other end was closed with a packet of ours unread, the first
	 * read fails once. */
	do {
		n = read(boxed->report, &said, sizeof(said));
		if (n != sizeof(said))
			continue;
		heard = true;
		boxed->said = said;
		boxed->started |= said.word == BOX_STARTED;
		boxed->failed |= said.word == BOX_FAILED;
		boxed->ended_for_it |= said.word == BOX_OVER;
		boxed->ended |= said.word == BOX_ENDED;
	} while (n == sizeof(said) || (n < 0 && errno == ECONNRESET));
	return heard;
}

void
boxed_kill(struct boxed *boxed, pid_t group)
{
	boxed->killed = true;
	/* The first process knows best how its bot ended and what it used.  But
	 * it must have started, and must not be stopped. */
	if (boxed->started && send(boxed->report, "", 1, MSG_NOSIGNAL) == 1)
		kill(-group, SIGCONT);
	else if (!boxed->ended)
		kill(-group, SIGKILL);
}

void
boxed_end(const struct boxes *boxes, const struct boxed *boxed,
	  struct spawner_end *end)
{
	uint64_t peak_kib = 0;

	end->over = boxed->ended_for_it;
	if (boxed->ended) {
		end->status = boxed->said.value;
		end->left += boxed->said.left;
		end->cpu_us = boxed->said.cpu_us;
		end->peak_kib = boxed->said.peak_kib;
		end->over |= boxed->said.over != 0;
		end->notes = boxed->said.notes;
		memcpy(end->note, boxed->said.note, sizeof(end->note));
	}
	if (boxed->grouped &&
	    sandbox_group_was_over(boxes->groups, boxed->slot))
		end->over = true;
	/* A box that was killed from outside has not reported. */
	if (boxed->grouped && !boxed->ended)
		peak_kib = sandbox_group_peak_kib(boxes->groups, boxed->slot);
	if (peak_kib > 0)
		end->peak_kib = peak_kib;
}

void
boxed_free(struct boxes *boxes, struct boxed *boxed)
{
	if (boxed->report >= 0)
		close(boxed->report);
	if (boxed->report_theirs >= 0)
		close(boxed->report_theirs);
	slot_free(boxes, boxed);
	free(boxed);
}

void
boxes_release(struct boxes *boxes)
{
	sandbox_groups_close(boxes->groups);
	free(boxes->taken);
	free(boxes->left);
	*boxes = (struct boxes){ .opened = false };
}
