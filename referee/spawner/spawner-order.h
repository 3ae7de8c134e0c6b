/* referee/spawner/spawner-order.h - one start: from the referee's request to the
 * exec.
 *
 * The functions before the fork read the request; those after it do not
 * return. */
#ifndef REFEREE_SPAWNER_ORDER_H
#define REFEREE_SPAWNER_ORDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-box.h"
#include "referee/spawner/spawner-message.h"

#define SPAWNER_KEPT 5 /* variables that a bot gets of the referee's */

/* What all bots of a spawner have in common. */
struct spawner_home {
	pid_t pid;		  /* the spawner's */
	int domain;		  /* makes the bots' domains; -1: no Landlock */
	char here[PATH_MAX];	  /* the referee's working directory, or "" */
	char *kept[SPAWNER_KEPT]; /* NAME=VALUE, or NULL where not set */
};

/* A request to start, taken apart. */
struct spawner_order {
	const char *folder; /* NULL: none */
	char **argv;	    /* NULL ends; the array is owned */
	char **envp;	    /* likewise */
	int fds[3];
	struct sandbox_box box; /* tier SANDBOX_NONE: bare */
	char **see, **hide;	/* owned arrays */
};

/* What a bot that could not become one reports. */
struct spawner_report {
	uint32_t step;
	int32_t error;
};

/* In the spawner's process, once: 0, or -1 and errno. */
int spawner_home_settle(struct spawner_home *home) MUST_CHECK;

/* The order points into the request; release it. */
void spawner_order_read(const struct spawner_home *home,
			struct spawner_request *request,
			struct spawner_order *order);
void spawner_order_release(struct spawner_order *order);

/* Every signal as the kernel has it at first, none of them blocked. */
void spawner_forget_signals(void);
/* In the fork: becomes the bot, in its box (`boxed`, with a report) or behind
 * walls (without one; NULL: bare).  `report` is closed by the exec, or told why
 * there was none. */
_Noreturn void spawner_become(const struct spawner_home *home,
			      const struct spawner_order *order,
			      const struct boxes *boxes,
			      const struct boxed *boxed, int report);
/* In the spawner: whether the exec came about; it waits for that, so long at
 * most.  What takes longer is the machine's failure: it is busy, or a file
 * system does not answer. */
#define SPAWNER_EXEC_MS 10000
bool spawner_has_become(int report, struct spawner_report *said) MUST_CHECK;

#endif
