/* referee/spawner/spawner-order.h - starts one bot, from the referee's request
 * to the exec.
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
#include "referee/base/subprocess.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner-box.h"
#include "referee/spawner/spawner-message.h"

/* The data that all bots of a spawner share. */
struct spawner_home {
	pid_t pid;	     /* the spawner's */
	int domain;	     /* ruleset of the bots' domains; -1: no Landlock */
	char here[PATH_MAX]; /* the referee's working directory, or "" */
	char *kept[SUBPROCESS_KEPT + 1]; /* of the referee's variables */
};

/* A parsed request to start. */
struct spawner_order {
	const char *folder; /* NULL: none */
	char **argv;	    /* ends with NULL; the array is owned */
	char **envp;	    /* ends with NULL; the array is owned */
	int fds[3];
	struct sandbox_box box; /* tier SANDBOX_NONE: bare */
	char **see, **hide;	/* owned arrays */
};

/* The report of a fork that could not become a bot. */
struct spawner_report {
	uint32_t step;
	int32_t error;
};

/* Prepares the spawner's process, once.  Returns 0, or -1 and errno. */
int spawner_home_settle(struct spawner_home *home) MUST_CHECK;

/* Reads a request.  The order points into it and must be released. */
void spawner_order_read(const struct spawner_home *home,
			struct spawner_request *request,
			struct spawner_order *order);
void spawner_order_release(struct spawner_order *order);

/* Sets every signal to its default and unblocks all. */
void spawner_forget_signals(void);
/* Makes the fork the bot: in its box (`boxed` with a report), in tier C
 * (`boxed` without one) or bare (NULL).  The exec closes `report`; if it fails,
 * the reason is written there. */
_Noreturn void spawner_become(const struct spawner_home *home,
			      const struct spawner_order *order,
			      const struct boxes *boxes,
			      const struct boxed *boxed, int report);
/* The spawner waits for the exec, at most this long.  Returns true if it
 * succeeded.  A longer exec is the machine's failure: it is busy, or a file
 * system does not answer. */
#define SPAWNER_EXEC_MS 10000
bool spawner_has_become(int report, struct spawner_report *said) MUST_CHECK;

#endif
